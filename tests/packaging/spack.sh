#!/bin/sh
# A release's Spack recipe is valid, and its commands build and install the release's source in a folder with nothing else.
# Spack itself is not needed; building takes minutes: run it by hand; no test suite does.
#
#   sh tests/packaging/spack.sh FOLDER     FOLDER: what src/install/release.sh made
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
release=$(CDPATH='' cd -- "$1" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-spack.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

echo "== recipe"
python3 "$here/spack_stub.py" "$release/spack" +otf2 ~mpi >"$work/said"
cat "$work/said"
sed '/^--$/,$d' "$work/said" >"$work/arguments"
sum=$(sed -n 's/^version [^ ]* \([0-9a-f]*\) .*/\1/p' "$work/said")
source=$(sed -n 's|^version [^ ]* [0-9a-f]* file://||p' "$work/said")
version=$(sed -n 's/^version \([^ ]*\) .*/\1/p' "$work/said")
echo "$sum  $source" | sha256sum -c -

echo "== its commands"
mkdir "$work/root" "$work/root/home" "$work/root/tmp"
tar -xzf "$source" -C "$work/root"
# clean COMMAND...: no setting of this shell is left
clean() {
    env -i PATH=/usr/bin:/bin HOME="$work/root/home" TMPDIR="$work/root/tmp" LC_ALL=C "$@" >"$work/words" 2>&1 || {
        tail -n 20 "$work/words" >&2
        exit 1
    }
}
cd "$work/root"
# shellcheck disable=SC2046 # one word a line
clean cmake -S "prvcut-$version" -B build -DCMAKE_INSTALL_PREFIX="$work/root/prefix" -DCMAKE_BUILD_TYPE=Release $(cat "$work/arguments")
clean cmake --build build -j "${JOBS:-2}"
clean cmake --install build
rm -rf build "prvcut-$version"
"$work/root/prefix/bin/prvcut" --version | grep -F "$version"
ls "$work/root/prefix" "$work/root/prefix/bin"
