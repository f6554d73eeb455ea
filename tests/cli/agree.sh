#!/bin/sh
# The same window of the same run holds the same in every format: the same calls, the same messages with
# both ends, the same collectives. Random windows of real runs are cut as Paraver, OTF2 and OTF, and
# converted; each is compared as records of Paraver.
#
#   sh tests/cli/agree.sh PRVCUT TRACES
#
# PRVCUT_TRACES names another folder of the traces; without them the sample is cut alone, without the OTF2 library
# no OTF2; the exit status is 77 then. OTF tells neither transfers nor collectives that do not block, and has numbers of its own for
# communicators: there these are not compared. Times are those that were recorded, for formats differ in how much they look at before
# they bring clocks together.
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

# records FILE WHAT: one a line, sorted, without what formats tell in ways of their own
records() {
    awk -F: -v what="$2" '
        BEGIN { OFS = ":" }
        what == "messages" && $1 == 3 {
            print $3, $4, $5, $6, $9, $10, $11, ($12 > $13 ? $12 : $13), $14, $15
        }
        $1 == 2 {
            for (i = 7; i < NF; i += 2) {
                if (what == "calls" && $i >= 50000001 && $i <= 50000005)
                    print $3, $4, $5, $6, $i, $(i + 1) > 0
                if (what == "collectives" && $i == 50100004 && $6 > 0)
                    print $3, $4, $5, $6, $(i + 1)
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

# cut_all RUN FROM TO: in percent
cut_all() {
    for format in prv $otf2 otf; do
        "$prvcut" cut -q -f --raw-clocks --from "$2%" --to "$3%" -o "cut.$format" "run.$format"
    done
    "$prvcut" convert -q -f --from "$2%" --to "$3%" run.prv as.window.prv
    for format in $otf2 otf; do
        "$prvcut" convert -q -f --raw-clocks "cut.$format" "as.$format.prv"
    done
    for format in $otf2 otf window; do
        compare "$1" "$2% to $3%" $format calls
    done
    for format in $otf2 window; do
        compare "$1" "$2% to $3%" $format messages
        compare "$1" "$2% to $3%" $format collectives
    done
    # Without posts the order of completion and the sizes must do.
    compare "$1" "$2% to $3%" otf messages
}

# agree RUN TRACE SEED
agree() {
    rm -rf run run.* cut cut.* as.*
    "$prvcut" convert -q "$2" run.prv
    for format in $otf2 otf; do
        "$prvcut" convert -q run.prv "run.$format"
    done
    awk -v seed="$3" -v n=$windows 'BEGIN {
        srand(seed)
        while (n-- > 0) {
            from = 3 + 85 * rand()
            printf "%.3f %.3f\n", from, from + 0.5 + 9 * rand()
        }
    }' >list
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
[ "$compared" -gt 1000 ] || exit 1
[ -z "$missing" ] || left_out="$left_out$missing: no such trace in $traces"
if [ -n "$left_out" ]; then
    echo "SKIPPED:$left_out"
    [ "${PRVCUT_TESTS_COMPLETE:-}" = 1 ] || exit 77
    exit 1
fi
