#!/bin/sh
# The calls that info lists are those of profile, from the trace and from its index:
# sh info_calls.sh PRVCUT SAMPLES [TRACE.prv.zst...]
# Traces are the sample's, and real ones where there are some (PRVCUT_TRACES; all of them where TAKE is 2).
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
samples=$(cd -- "$2" && pwd)
traces=${PRVCUT_TRACES:-$samples/../../shared/traces}/paraver
shift 2
command -v zstd >/dev/null || skip 'no zstd is there'
[ $# -gt 0 ] || {
    set -- "$samples/lu.S.8.prv.zst"
    for name in hpcc.4 lulesh.8.omp sp.W.9.burst; do
        [ ! -e "$traces/$name/$name.prv.zst" ] || set -- "$@" "$traces/$name/$name.prv.zst"
    done
    [ "${TAKE:-1}" != 2 ] || [ ! -d "$traces" ] || set -- "$samples/lu.S.8.prv.zst" "$traces"/*/*.prv.zst
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for trace; do
    name=$(basename "$trace" .prv.zst)
    zstd -qdf "$trace" -o "$scratch/$name.prv"
    [ ! -e "${trace%.prv.zst}.pcf.zst" ] || zstd -qdf "${trace%.prv.zst}.pcf.zst" -o "$scratch/$name.pcf"
    # What nobody names began before the trace: info counts calls that begin.
    "$prvcut" profile --csv "$scratch/$name.prv" | awk -F, 'NR > 1 && $2 > 0 { print $1, $2, $3 }' |
        sort >"$scratch/want"
    "$prvcut" info --csv "$scratch/$name.prv" >"$scratch/all"
    awk -F, '$1 == "call" { print $3, $4, $5 }' "$scratch/all" | sort >"$scratch/got"
    cmp "$scratch/want" "$scratch/got"
    "$prvcut" index -q "$scratch/$name.prv"
    "$prvcut" info --csv "$scratch/$name.prv" | cmp "$scratch/all" -
    echo "$name: $(wc -l <"$scratch/got") calls, as profile and the index tell them"
    rm -f "$scratch/$name".*
done
