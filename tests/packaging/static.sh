#!/bin/sh
# The program as one static file works where there is nothing but itself and a trace. Linking takes ICU's
# 30 MB and libraries that building does not need otherwise: run it by hand; no test suite does.
#
#   sh tests/packaging/static.sh [PRVCUT]
#
# PRVCUT is one that was built with -DPRVCUT_STATIC=ON; without it, one is built. The empty folder is
# entered by chroot as root, else by unshare. The exit status is 77 where it cannot be run.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
tree=$here/../..
if [ "$(id -u)" -eq 0 ]; then
    enter=chroot
elif unshare -r true 2>/dev/null; then
    enter="unshare -r chroot"
else
    skip "needs root or user namespaces"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-static.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
program=${1:-$work/build/prvcut}
if [ $# -eq 0 ]; then
    {
        cmake -S "$tree" -B "$work/build" -G Ninja -DPRVCUT_STATIC=ON -DPRVCUT_TESTS=OFF &&
            cmake --build "$work/build" -j "${JOBS:-2}" --target prvcut
    } >"$work/words" 2>&1 || {
        tail -n 40 "$work/words" >&2
        exit 1
    }
fi

root=$work/root
mkdir -p "$root/tmp"
cp "$program" "$root/prvcut"
strip "$root/prvcut"
cp "$tree"/samples/lu.S.8.prv.zst "$tree"/samples/lu.S.8.row "$root"
zstd -dq "$tree/samples/lu.S.8.pcf.zst" -o "$root/lu.S.8.pcf"
zstd -dcq "$tree/samples/lu.S.4-eztrace.tar.zst" | tar -xf - -C "$root"
cat >"$root/filter.xml" <<END
<?xml version="1.0" encoding="UTF-8"?>
<config><filter><discard_states>1</discard_states><discard_communications>1</discard_communications>
<types use="keep"><type>50000002</type></types></filter></config>
END

echo "== one file"
file "$root/prvcut" | sed 's/^[^:]*: //'
if readelf -d "$root/prvcut" 2>/dev/null | grep -q NEEDED; then
    echo "it needs libraries" >&2
    exit 1
fi
echo "$(wc -c <"$root/prvcut") bytes"

# alone ARGUMENT...: prvcut, in a folder that holds nothing else
alone() {
    echo "== prvcut $*"
    # shellcheck disable=SC2086 # these are words
    env -i PATH="$PATH" $enter "$root" /prvcut "$@"
}
alone --version
alone --iterations 2 --report page.html -o two.prv.zst lu.S.8.prv.zst
alone check --strict two.prv.zst
alone --iterations 1 --quiet --archive one.tar.zst lu.S.8.prv.zst
alone verify one.tar.zst
alone filter --config filter.xml -o calls.prv lu.S.8.prv.zst
alone convert --from 10ms --to 20ms lu.S.8.prv.zst part.otf2
otf2=$(cd "$root" && find . -name '*.otf2' -path "./*_trace/*" | head -n 1)
alone --iterations 2 -o "two.otf2" "$otf2"
echo "static: all steps done"
