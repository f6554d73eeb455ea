#!/bin/sh
# Trace a small MPI program of ours under EZTrace as a user would, then cut it down:
#
#   sh tests/live/run.sh PRVCUT
#
# The period must be what the program measured itself, the number of iterations what it made, and the
# cut a sound archive with the same two iterations of every process. Leaves with 77 where EZTrace, an
# MPI or otf2-print is missing.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
ranks=4
iterations=60
asked=2
LC_ALL=C
export LC_ALL

fail() {
    echo "live_eztrace: $*" >&2
    exit 1
}

# first NAME...: the first of these commands that there is
first() {
    for name; do
        command -v "$name" && return
    done
    return 1
}

mpirun=$(first mpirun.openmpi mpirun) || skip "no mpirun (Debian: openmpi-bin)"
mpicc=$(first mpicc.openmpi mpicc) || skip "no mpicc (Debian: libopenmpi-dev)"
command -v eztrace >/dev/null || skip "no eztrace (Debian: eztrace)"
command -v otf2-print >/dev/null || skip "no otf2-print (Debian: otf2-tools)"

work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-live.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

"$mpicc" -O2 -o ring "$here/ring.c" -lm

# Processes that may not read each other's memory (containers) shall not try to.
OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMPI_MCA_btl_vader_single_copy_mechanism
trace() {
    rm -rf traced
    timeout 60 "$mpirun" --allow-run-as-root --oversubscribe -np "$ranks" \
        eztrace -t openmpi -o "$work/traced" ./ring "$iterations" \
        >measured 2>said </dev/null && [ -s traced/ring_trace/eztrace_log.otf2 ]
}
trace || trace || {
    cat measured said >&2
    fail "the program could not be traced"
}
archive=traced/ring_trace/eztrace_log.otf2

# printed ARCHIVE NAME: its records to NAME, what the tool complains of to NAME.words, once for all
# names and numbers (EZTrace's archives have definitions out of order)
printed() {
    otf2-print "$1" >"$2" 2>"$2.raw" || fail "otf2-print cannot read $1: $(tail -n 1 "$2.raw")"
    sed 's/"[^"]*"/""/g; s/[0-9][0-9]*/N/g' "$2.raw" | sort -u >"$2.words"
}

# calls FILE NAME: how many begins of a region each location has, one line a location
calls() {
    awk -v name="\"$2\"" '$1 == "ENTER" && index($0, name) { n[$2]++ }
        END { for (l in n) print l, n[l] }' "$1" | sort
}

# expect WHAT FILE NAME EACH: every process calls it so many times
expect() {
    calls "$2" "$3" >count
    awk -v ranks="$ranks" -v each="$4" '$2 != each { bad = 1 } END { exit bad || NR != ranks }' \
        count || fail "$1: calls of $3, one line a location, not $4 in each: $(tr '\n' ';' <count)"
}

printed "$archive" whole.txt
expect "what EZTrace wrote" whole.txt MPI_Allreduce "$iterations"

status=0
"$prvcut" --iterations "$asked" --own-clocks --json -o cut.otf2 "$archive" >report 2>words || status=$?
[ "$status" = 0 ] || fail "prvcut leaves with $status: $(cat words report)"
value() {
    sed -n "s/^  \"$1\": \([-0-9.eE+]*\),*\$/\1/p" report
}
period=$(value period_ns)
found=$(value iterations_in_phase)

# Mean and median bound what may be reported: a busy machine makes some iterations much longer.
sort -k 2n measured | awk -v period="${period:-0}" -v found="${found:-0}" -v want="$iterations" '
    $1 == "iteration" { took[++n] = $2; sum += $2 }
    END {
        if (n != want) { print "the program made " n " iterations"; exit 1 }
        mean = sum / n
        median = (took[int((n + 1) / 2)] + took[int(n / 2) + 1]) / 2
        low = 0.95 * (mean < median ? mean : median)
        high = 1.05 * (mean > median ? mean : median)
        printf "period %d ns, the program measured a mean of %d, a median of %d; ", period, mean,
            median
        printf "%.1f iterations of %d\n", found, want
        exit !(period >= low && period <= high && found >= want - 1 && found <= want + 1)
    }' >verdict || fail "$(cat verdict)"
cat verdict

printed cut.otf2 cut.txt
expect "the cut" cut.txt MPI_Allreduce "$asked"
expect "the cut" cut.txt MPI_Isend $((2 * asked))
expect "the cut" cut.txt MPI_Irecv $((2 * asked))
expect "the cut" cut.txt MPI_Waitall "$asked"
awk '$1 == "ENTER" { open[$2]++ } $1 == "LEAVE" && --open[$2] < 0 { bad = 1 }
    END { for (l in open) bad = bad || open[l]; exit bad }' cut.txt ||
    fail "regions of the cut are not opened and closed in pairs"

# A cut keeps the ticks of the original: they tell which of its iterations each process kept.
awk '$1 != "ENTER" || !/"MPI_Allreduce"/ { next }
    FILENAME == "whole.txt" { number[$2, $3] = ++n[$2]; next }
    !($2 in first) { first[$2] = number[$2, $3]; print "location " $2 " begins with " first[$2] }
    END { for (l in first) for (m in first) bad = bad || !first[l] || first[l] != first[m]; exit bad }' \
    whole.txt cut.txt >kept || fail "different iterations were kept: $(tr '\n' ';' <kept)"

comm -13 whole.txt.words cut.txt.words >new
[ ! -s new ] || fail "otf2-print complains of the cut alone: $(head -n 3 new)"

# findings ARCHIVE: the names of what check finds
findings() {
    "$prvcut" check --strict --json "$1" >found || [ $? = 3 ] || fail "check cannot read $1"
    sed -n 's/^      "name": "\(.*\)",/\1/p' found | sort -u
}
findings "$archive" >whole.findings
findings cut.otf2 >cut.findings
comm -13 whole.findings cut.findings >new
[ ! -s new ] || fail "check --strict finds what the original does not cause: $(tr '\n' ' ' <new)"
