#!/bin/sh
# What calls wait for and carry, peers and communicators, as the text of a trace tells them (profile_met.py),
# and of an archive as its conversion tells them: sh profile_met.sh PRVCUT SAMPLES
# Traces are the samples, and real ones where there are some (PRVCUT_TRACES; all of them where TAKE is 2).
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
here=$(cd -- "$(dirname -- "$0")" && pwd)
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
samples=$(cd -- "$2" && pwd)
traces=${PRVCUT_TRACES:-$samples/../../shared/traces}/paraver
for tool in python3 zstd tar; do
    command -v $tool >/dev/null || skip "no $tool is there"
done
set -- "$samples/lu.S.8.prv.zst"
for name in is.W.8; do
    if [ -e "$traces/$name/$name.prv.zst" ]; then
        set -- "$@" "$traces/$name/$name.prv.zst"
    else
        leave_out "no trace $name"
    fi
done
[ "${TAKE:-1}" != 2 ] || [ ! -d "$traces" ] || set -- "$samples/lu.S.8.prv.zst" "$traces"/*/*.prv.zst
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for trace; do
    name=$(basename "$trace" .prv.zst)
    zstd -qd "$trace" -o "$scratch/$name.prv"
    [ ! -e "${trace%.prv.zst}.pcf.zst" ] || zstd -qd "${trace%.prv.zst}.pcf.zst" -o "$scratch/$name.pcf"
    end=$(sed -n '1s/.*):\([0-9]*\)_ns.*/\1/p' "$scratch/$name.prv")
    printf '%s: ' "$name"
    python3 "$here/profile_met.py" "$prvcut" "$scratch/$name.prv"
    printf '%s, part: ' "$name"
    python3 "$here/profile_met.py" "$prvcut" "$scratch/$name.prv" $((end / 5 * 2)) $((end / 5 * 3))
    rm -f "$scratch/$name".*
done

"$prvcut" formats | grep -q '^otf2 ' || exit 0
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst" -C "$scratch"
archive=$(find "$scratch" -name '*.otf2' | head -n 1)
"$prvcut" convert -q "$archive" "$scratch/lu.prv"
for options in --waiting '--by peer' '--by call,rank --waiting'; do
    for trace in "$archive" "$scratch/lu.prv"; do
        # shellcheck disable=SC2086
        "$prvcut" profile --json $options "$trace" 2>/dev/null | python3 -c 'import json, sys
for row in sorted(json.load(sys.stdin)["rows"], key=lambda r: str(sorted(r.items(), key=str))):
    print([row.get(k) for k in ("call", "rank", "sender", "receiver", "sent", "sent_bytes", "received_bytes",
                                "waiting_ns")])' | sort >"$scratch/rows"
        [ -s "$scratch/rows" ]
        [ "$trace" = "$archive" ] && mv "$scratch/rows" "$scratch/want" || cmp "$scratch/want" "$scratch/rows"
    done
    echo "an archive, $options: as its conversion"
done
