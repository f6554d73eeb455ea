#!/bin/sh
# Build prvcut, cut the sample traces down to two iterations, and look at the results.
set -eu
cd "$(dirname -- "$0")/.."
name=lu.S.8
demo=build/demo

sh tests/install.sh build
mkdir -p build
echo "== Building"
cmake -S . -B build/release -G Ninja -DCMAKE_BUILD_TYPE=Release -DPRVCUT_TESTS=OFF >build/release.log &&
    cmake --build build/release --target prvcut >>build/release.log || {
    cat build/release.log >&2
    exit 1
}
PATH=$PWD/build/release:$PATH

rm -rf "$demo"
mkdir "$demo"
zstd -q -d "samples/$name.prv.zst" -o "$demo/$name.prv"
zstd -q -d "samples/$name.pcf.zst" -o "$demo/$name.pcf"
cp "samples/$name.row" "$demo"
tar --zstd -xf samples/lu.S.4-eztrace.tar.zst -C "$demo"
cd "$demo"

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

run ls -l
run prvcut --iterations 2 "$name.prv"
run ls -l
run prvcut info "$name.chop1.prv"
run prvcut check "$name.chop1.prv"
run prvcut structure "$name.prv"
run prvcut --force --proof --report "$name.html" "$name.prv"
run prvcut --quiet --archive "$name.tar.zst" "$name.prv"
run prvcut verify "$name.tar.zst"
run prvcut --iterations 2 lu.S.4_trace
run prvcut check lu.S.4_trace/eztrace_log.chop1.otf2
run prvcut convert lu.S.4_trace/eztrace_log.chop1.otf2 lu.S.4.prv
printf '\nThe files are in %s; open %s/%s.html in a browser. The program is %s\n' "$demo" "$demo" "$name" \
    build/release/prvcut
