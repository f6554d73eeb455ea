#!/bin/sh
# The calls of OTF2 archives, as profile and info tell them, are those that otf2-print lists as regions: each as
# often, and as long within 1 ns a call: sh profile_archive.sh PRVCUT SAMPLES [ARCHIVE...]
# Archives are the sample's, and the real ones where there are some (PRVCUT_TRACES).
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
samples=$(cd -- "$2" && pwd)
traces=${PRVCUT_TRACES:-$samples/../../shared/traces}
shift 2
for tool in otf2-print zstd tar; do
    command -v "$tool" >/dev/null || skip "no $tool is there"
done
[ $# -gt 0 ] || {
    set -- "$samples/lu.S.4-eztrace.tar.zst"
    for name in mpikinds.4 mpipth.4 cg.S.16 lu.S.4 scorep-ping-pong-otf2-papi; do
        [ ! -e "$traces/otf2/$name.tar.zst" ] || set -- "$@" "$traces/otf2/$name.tar.zst"
    done
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# "mpi_send CALLS NS" of each call, in both ways of writing a Fortran call.
listed() {
    rate=$(otf2-print -G "$1" 2>/dev/null |
        sed -n 's/^CLOCK_PROPERTIES.*Ticks per Seconds: \([0-9]*\).*/\1/p')
    otf2-print "$1" 2>/dev/null | awk -v rate="$rate" '
        $1 != "ENTER" && $1 != "LEAVE" { next }
        {
            name = $0
            sub(/^[^"]*"/, "", name)
            sub(/".*/, "", name)
            name = tolower(name)
            sub(/^pmpi_/, "mpi_", name)
            sub(/_$/, "", name)
            if (name !~ /^mpi_/)
                next
        }
        $1 == "ENTER" { begin[$2, name, ++depth[$2, name]] = $3; calls[name]++ }
        $1 == "LEAVE" { ns[name] += ($3 - begin[$2, name, depth[$2, name]--]) * 1e9 / rate }
        END { for (name in calls) printf "%s %d %.0f\n", name, calls[name], ns[name] }' | sort
}

for archive; do
    folder=$scratch/$(basename "$archive" .tar.zst)
    mkdir "$folder"
    tar --zstd -xf "$archive" -C "$folder"
    main=$(find "$folder" -name '*.otf2' | head -n 1)
    listed "$main" >"$folder.want"
    "$prvcut" profile --raw-clocks --csv "$main" 2>/dev/null |
        awk -F, 'NR > 1 { print tolower($1), $2, $3 }' | sort >"$folder.profile"
    "$prvcut" info --raw-clocks --csv "$main" 2>/dev/null |
        awk -F, 'tolower($3) ~ /^mpi_/ { print tolower($3), $4, $5 }' | sort >"$folder.info"
    [ -s "$folder.want" ] || echo "$(basename "$archive"): otf2-print lists no call of MPI"
    for command in profile info; do
    join -a 1 -a 2 -o 0,1.2,2.2,1.3,2.3 -e none "$folder.want" "$folder.$command" |
        awk -v name="$(basename "$archive")" -v command="$command" '
        {
            off = $4 - $5
            bad = $2 != $3 || off > $2 || off < -$2
            wrong += bad
            calls += $2
            if (bad)
                print name ": " command ": " $1 ": " $3 " calls, " $5 "ns; otf2-print: " $2 " calls, " $4 "ns"
        }
        END { if (!wrong) print name ": " command ": " NR " calls, made " calls " times, as otf2-print lists them"; exit wrong > 0 }'
    done
done
