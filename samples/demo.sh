#!/bin/sh
# Build prvcut, cut two iterations out of a real trace, and name the page that shows them.
set -eu
cd "$(dirname -- "$0")/.."
name=lu.S.8
demo=build/demo
log=build/demo.log

# progress: ninja's lines '[3/209] ...' as one line that is renewed; on no terminal a line every quarter
progress() {
    last=0
    while IFS= read -r line; do
        done=${line#\[}
        total=${done#*/}
        done=${done%%/*}
        total=${total%%\]*}
        case $done$total in
        '' | *[!0-9]*) continue ;;
        esac
        share=$((100 * done / total))
        if [ -t 1 ]; then
            printf '\rBuilding prvcut: %d of %d' "$done" "$total"
        elif [ $((share / 25)) -gt $((last / 25)) ]; then
            echo "Building prvcut: $share %"
        fi
        last=$share
    done
    if [ -t 1 ] && [ "$last" -gt 0 ]; then echo; fi
}

mkdir -p build
echo "Installing packages, if any are missing"
{
    sh tests/install.sh build &&
        cmake -S . -B build/release -G Ninja -DCMAKE_BUILD_TYPE=Release -DPRVCUT_TESTS=OFF
} >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
{
    ninja -C build/release prvcut 2>&1 || echo failed >"$log.failed"
} | tee -a "$log" | progress
if [ -e "$log.failed" ]; then
    rm "$log.failed"
    cat "$log" >&2
    exit 1
fi

rm -rf "$demo"
mkdir "$demo"
zstd -q -d "samples/$name.prv.zst" -o "$demo/$name.prv"
zstd -q -d "samples/$name.pcf.zst" -o "$demo/$name.pcf"
cp "samples/$name.row" "$demo"

cd "$demo"
printf '\n$ prvcut --report %s.html %s.prv\n' "$name" "$name"
../release/prvcut --report "$name.html" "$name.prv"
printf '\nOpen %s/%s.html in a browser. The program is build/release/prvcut.\n' "$demo" "$name"
