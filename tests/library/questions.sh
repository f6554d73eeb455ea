#!/bin/sh
# The questions that are often asked have the same answers in SQL, in Python and by the commands, on five traces of three
# formats; random windows of a database hold what the trace's text holds: sh tests/library/questions.sh PRVCUT LIBRARY
# SEED=N takes the windows of a run before, whose seed is told.
# The word full behind takes real traces that take minutes, too.
set -eu
how=${3:-}
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
# Functions around MPI's calls; clocks that go apart and come together again, so that no offset alone helps.
awk 'BEGIN {
    n = 200; end = (n + 1) * 1000000
    printf "#Paraver (01/01/2026 at 12:00):%d_ns:1(2):1:2(1:1,1:1),0\n", end
    for (i = 0; i < n; i++)
        for (r = 1; r <= 2; r++) {
            own = 500000 + i * 1000000 + (r == 2 ? 20000 * sin(i / 10) : 0)
            at = sprintf("%d:1:%d:1", r, r)
            printf "2:%s:%d:60000019:7\n", at, own
            printf "2:%s:%d:50000001:%d\n", at, own + 100000 + (r == 1) * i * 300, r
            if (r == 2)
                printf "3:1:1:1:1:%d:%d:2:1:2:1:%d:%d:64:0\n", own0 + 100010 + i * 300, own0 + 100010 + i * 300, own + 100010, own + 150000 + i * 300
            if (r == 1) own0 = own
            printf "2:%s:%d:50000001:0\n", at, own + 151000 + i * 300
            printf "2:%s:%d:50000001:%d\n", at, own + 300000, 3 - r
            if (r == 2)
                printf "3:2:1:2:1:%d:%d:1:1:1:1:%d:%d:64:0\n", own + 300010, own + 300010, own0 + 300010, own0 + 302000
            printf "2:%s:%d:50000001:0\n", at, own + 303000
            printf "2:%s:%d:60000019:0\n", at, own + 800000
            printf "1:%s:%d:%d:1\n", at, own, own + 800000
        }
}' >made.txt
{ head -n 1 made.txt && sed 1d made.txt | sort -s -t : -n -k 6,6; } >made.prv
printf 'EVENT_TYPE\n0 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n0 End\n\nEVENT_TYPE\n0 60000019 User function\nVALUES\n7 step\n0 End\n' >made.pcf
set -- "$2" lu.S.8.prv made.prv "$root/samples/lu.S.4-otf.tar.zst"
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
# Neither MPI nor functions, and values without a name.
name=apps/paraver/p.compss-cholesky/p.compss-cholesky
if [ -e "$traces/$name.prv.zst" ]; then
    zstd -qd "$traces/$name.prv.zst" -o tasks.prv
    zstd -qd "$traces/$name.pcf.zst" -o tasks.pcf
    set -- "$@" tasks.prv
else
    left="$left tasks"
fi
# No messages; in full: clocks that contradict each other and are bent, OpenMP and functions beside MPI.
add() {
    if [ -e "$1" ]; then more="$more $1"; else left="$left $(basename -- "$1")"; fi
}
more=
add "$traces/otf/comd.16.tar.zst"
if [ "$how" = full ]; then
    for name in lulesh.8.omp lammps.4; do
        [ -d "$traces/paraver/$name" ] || { left="$left $name" && continue; }
        zstd -qd "$traces/paraver/$name/$name.prv.zst" -o "$name.prv"
        zstd -qd "$traces/paraver/$name/$name.pcf.zst" -o "$name.pcf"
        more="$more $name.prv"
    done
    "$prvcut" formats | grep -q '^otf2 ' && add "$traces/otf2/lu.W.4.tar.zst" && add "$traces/otf2/hpcg.4.tar.zst"
fi
# shellcheck disable=SC2086
set -- "$@" $more
library=$1
shift
seed=${SEED:-$(date +%s)}
echo "seed $seed"
PRVCUT_LIBRARY=$library PYTHONPATH=$scratch python3 -B "$here/questions.py" "$prvcut" "$seed" "$@"
[ -z "$left" ] || skip "no $left"
