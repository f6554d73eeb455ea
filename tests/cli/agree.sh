#!/bin/sh
# The same window of the same run holds the same in every format. Random windows of real runs are cut as Paraver,
# OTF2 and OTF, and converted; each is compared as records of Paraver: OTF2 and what is converted wholly (the
# length, communicators, states, all that events tell, messages with all their times), OTF by its calls
# and messages.
#
#   sh tests/cli/agree.sh PRVCUT TRACES
#
# PRVCUT_TRACES names another folder of the traces; without them the sample is cut alone, without the OTF2 library
# no OTF2; the exit status is 77 then. OTF tells neither transfers nor collectives that do not block, and has numbers of its own
# for types and communicators. What OTF2 tells of the line that begins MPI_Init (40000033 to 40000038) is records
# of its own, which are not told again where that call is open at the start. Times are those that were recorded,
# for formats differ in how much they look at before they bring clocks together.
set -eu
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-agree.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP
traces=${PRVCUT_TRACES:-$2}
runs='bt.S.4 lu.S.4 hpcc.4 esys.fall q.async-some.4 q.halfway.4 r.kmeans.4 r.pdes.4 scotch.ord ft.W.4'
windows=4
left_out=''
otf2=otf2
"$prvcut" formats | grep -q '^otf2 ' || { otf2=''; left_out=' format otf2 is not built in;'; }
cd "$scratch"

# records FILE WHAT: one a line, sorted; of events each pair, for their order in a line is the format's. CPUs
# are not told by archives.
records() {
    awk -F: -v what="$2" '
        BEGIN { OFS = ":" }
        what == "all" && /^#Paraver/ && match($0, /:[0-9]+_ns:/) { print "length", substr($0, RSTART, RLENGTH) }
        what == "all" && ($1 == 1 || $1 == "c") { print }
        $1 == 3 && what == "messages" {
            print $3, $4, $5, $6, $9, $10, $11, ($12 > $13 ? $12 : $13), $14, $15
        }
        $1 == 3 && what == "all" { print $1, $3, $4, $5, $6, $7, $9, $10, $11, $12, $13, $14, $15 }
        $1 == 2 {
            for (i = 7; i < NF; i += 2) {
                if (what == "calls" && $i >= 50000001 && $i <= 50000005)
                    print $3, $4, $5, $6, $i, $(i + 1) > 0
                if (what == "all" && ($6 > 0 || $i < 40000033 || $i > 40000038))
                    print $1, $3, $4, $5, $6, $i, $(i + 1)
            }
        }' "$1" | sort
}

failed=0
compared=0

# compare RUN WINDOW FORMAT WHAT
compare() {
    records cut.prv "$4" >wanted
    records "as.$3.prv" "$4" >seen
    compared=$((compared + $(wc -l <wanted)))
    cmp -s wanted seen && return
    failed=1
    echo "$1, $2: other $4 in $3:" >&2
    diff wanted seen | sed -n 2,5p >&2
}

# cut_all RUN FROM TO: in ns
cut_all() {
    for format in prv $otf2 otf; do
        "$prvcut" cut -q -f --raw-clocks --from "$2ns" --to "$3ns" -o "cut.$format" "run.$format"
    done
    "$prvcut" convert -q -f --from "$2ns" --to "$3ns" run.prv as.window.prv
    for format in $otf2 otf; do
        "$prvcut" convert -q -f --raw-clocks "cut.$format" "as.$format.prv"
    done
    for format in $otf2 window; do
        compare "$1" "$2 to $3" $format all
    done
    # Without posts the order of completion and the sizes must do.
    compare "$1" "$2 to $3" otf calls
    compare "$1" "$2 to $3" otf messages
}

# agree RUN TRACE SEED
agree() {
    rm -rf run run.* cut cut.* as.*
    "$prvcut" convert -q "$2" run.prv
    for format in $otf2 otf; do
        "$prvcut" convert -q run.prv "run.$format"
    done
    # From one line of events to another one, or close to them, so that borders meet what stands there.
    awk -F: -v seed="$3" -v n=$windows '
        $1 == 2 { time[lines++] = $6 }
        END {
            srand(seed)
            while (n-- > 0) {
                i = int(0.97 * lines * rand())
                k = i + 1 + int(lines * (0.002 + 0.1 * rand()))
                from = time[i] - (rand() < 0.5 ? 0 : int(300 * rand()))
                to = time[k < lines ? k : lines - 1] + (rand() < 0.5 ? 0 : int(300 * rand()))
                if (from < 0)
                    from = 0
                if (to > from)
                    printf "%.0f %.0f\n", from, to
                else
                    n++
            }
        }' run.prv >list
    while read -r from to; do
        cut_all "$1" "$from" "$to"
    done <list
}

agree sample "$here/../../samples/lu.S.8.prv.zst" 1
missing=
seed=1
for run in $runs; do
    seed=$((seed + 1))
    trace=$(find "$traces" -name "$run.prv.zst" 2>/dev/null | head -n 1)
    if [ -n "$trace" ]; then agree "$run" "$trace" $seed; else missing="$missing $run"; fi
done
echo "$compared records compared"
[ "$failed" = 0 ] || exit 1
[ "$compared" -gt 10000 ] || exit 1
[ -z "$missing" ] || left_out="$left_out$missing: no such trace in $traces"
if [ -n "$left_out" ]; then
    echo "SKIPPED:$left_out"
    [ "${PRVCUT_TESTS_COMPLETE:-}" = 1 ] || exit 77
    exit 1
fi
