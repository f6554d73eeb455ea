#!/bin/sh
# CPU seconds of the parts of the job by 1 to 4 ranks of one thread, the most of any rank, the least of RUNS (3) runs:
#
#   sh tests/bench/ranks.sh PRVCUT-MPI TRACE.prv
#
# read: to the first message; turn: from there to handing on; sums: what comes after until the last one; search: the rest.
# It needs mpicc and mpirun of Open MPI, and no index beside the trace.
set -eu
mpi=$1 trace=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-ranks.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism
mpicc -O2 -shared -fPIC -o "$work/ranks.so" "$(dirname -- "$0")/ranks.c"
printf '%5s %8s %8s %8s %8s %8s  %s\n' ranks read turn sums search all 'turns (s, MB taken and handed on)'
for n in 1 2 3 4; do
    run=0
    while [ "$run" -lt "${RUNS:-3}" ]; do
        run=$((run + 1))
        RANKS_OUT=$work/$n.$run mpirun -n "$n" --bind-to none -x LD_PRELOAD="$work/ranks.so" \
            "$mpi" --quick -n --no-index -T 1 "$trace" >/dev/null
    done
    awk -v n="$n" '
        FNR == 1 { split(FILENAME, at, "."); rank = at[length(at)]; run = at[length(at) - 1]; part = "start"; turn = mb = 0 }
        { took[part] += $1; all += $1 }
        part == "turn" { turn += $1; mb += $3 / 1e6 }
        $2 == "meet" { last = $1 }
        $2 == "finalize" {
            took["sums"] -= last
            took["search"] = last
            for (p in took) { if (took[p] > most[run, p]) most[run, p] = took[p]; took[p] = 0 }
            if (all > most[run, "all"]) most[run, "all"] = all
            all = 0; if (run > runs) runs = run
        }
        part == "start" { if ($2 == "meet") part = "read"; next }
        part == "read" { if ($2 != "meet") part = rank == 0 ? "sums" : "turn"; next }
        part == "turn" && $2 == "send" && $3 > 16 { note(); part = "sums" }
        function note() {
            if (!(rank in turn_of) || turn < turn_of[rank]) turn_of[rank] = turn
            mb_of[rank] = mb
        }
        function least(p,   i, l) {
            for (i = 1; i <= runs; i++) if (i == 1 || most[i, p] < l) l = most[i, p]
            return l
        }
        END {
            if (n == 1) { printf "%5d %44.3f\n", n, least("all"); exit }
            printf "%5d %8.3f %8.3f %8.3f %8.3f %8.3f ", n, least("read"), least("turn"), least("sums"), least("search"), least("all")
            for (r = 1; r < n; r++) printf " %.4f %.1f", turn_of[r], mb_of[r]
            print ""
        }' "$work/$n".*
done
