#!/bin/sh
# Archives that were converted and cut are read by Debian's python3-otf2, as by otf2-print: every record, in order, regions
# balanced: sh tests/library/otf2_reads.sh PRVCUT
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
"$prvcut" formats | grep -q '^otf2 ' || skip 'OTF2 is not built in'
python=
for at in /usr/bin/python3 python3; do
    [ -n "$python" ] || ! "$at" -c 'import otf2' 2>/dev/null || python=$at
done
[ -n "$python" ] || skip 'no python3-otf2 is there'
command -v otf2-print >/dev/null || skip 'no otf2-print is there'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
zstd -qd "$root/samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$root/samples/lu.S.8.pcf.zst" -o lu.pcf

# check ARCHIVE MESSAGES
check() {
    records=$(otf2-print "$1" 2>/dev/null | awk '$1 ~ /^[A-Z][A-Z_0-9]+$/ && $2 ~ /^[0-9]+$/ { n++ } END { print n }')
    "$python" -B "$here/otf2_reads.py" "$1" "$2" "$records"
}
"$prvcut" convert -q lu.prv lu.otf2
check lu.otf2 "$(grep -c '^3:' lu.prv)"
# A window: what is open at its borders is closed, what crosses them is left out.
"$prvcut" convert -q --from 40% --to 50% lu.prv part.otf2
check part.otf2 "$("$prvcut" info --json part.otf2 | sed -n 's/.*"messages": \([0-9]*\).*/\1/p' | head -n 1)"
# A cut of an archive, and an archive that became one of OTF and one again.
"$prvcut" -q -o small.otf2 lu.otf2
check small.otf2 "$("$prvcut" info --json small.otf2 | sed -n 's/.*"messages": \([0-9]*\).*/\1/p' | head -n 1)"
"$prvcut" convert -q "$root/samples/lu.S.4-otf.tar.zst" again.otf2
check again.otf2 "$("$prvcut" info --json again.otf2 | sed -n 's/.*"messages": \([0-9]*\).*/\1/p' | head -n 1)"
