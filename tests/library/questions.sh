#!/bin/sh
# The questions that are often asked have the same answers in SQL, in Python and by the commands, on five traces of three
# formats; random windows of a database hold what the trace's text holds: sh tests/library/questions.sh PRVCUT LIBRARY
# SEED=N takes the windows of a run before, whose seed is told.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
traces=${PRVCUT_TRACES:-$root/../shared/traces}
for tool in python3 zstd; do
    command -v "$tool" >/dev/null || skip "no $tool is there"
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$root/src/python/prvcut" "$scratch"
cd "$scratch"
zstd -qd "$root/samples/lu.S.8.prv.zst" -o lu.S.8.prv
zstd -qd "$root/samples/lu.S.8.pcf.zst" -o lu.S.8.pcf
cp "$root/samples/lu.S.8.row" .
set -- "$2" lu.S.8.prv "$root/samples/lu.S.4-otf.tar.zst"
left=
if "$prvcut" formats | grep -q '^otf2 '; then
    set -- "$@" "$root/samples/lu.S.4-eztrace.tar.zst"
    if [ -e "$traces/otf2/mpikinds.4.tar.zst" ]; then set -- "$@" "$traces/otf2/mpikinds.4.tar.zst"; else left='an archive'; fi
else
    left='archives of OTF2'
fi
if [ -d "$traces/paraver/bt.W.4.hwc" ]; then
    zstd -qd "$traces/paraver/bt.W.4.hwc/bt.W.4.hwc.prv.zst" -o bt.prv
    zstd -qd "$traces/paraver/bt.W.4.hwc/bt.W.4.hwc.pcf.zst" -o bt.pcf
    "$prvcut" cut -q --iteration 10-13 -o counted.prv bt.prv
    set -- "$@" counted.prv
else
    left="$left counters"
fi
library=$1
shift
seed=${SEED:-$(date +%s)}
echo "seed $seed"
PRVCUT_LIBRARY=$library PYTHONPATH=$scratch python3 -B "$here/questions.py" "$prvcut" "$seed" "$@"
[ -z "$left" ] || skip "no $left"
