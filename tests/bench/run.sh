#!/bin/sh
# How fast and how small: the whole job beside wc, cat and zstd on the same file, in one run.
#
#   sh tests/bench/run.sh [BUILD [TRACES]]
#
# BUILD   folder of a release build; made where it is not given or holds none
# TRACES  folder where the generated traces (about 5 GB) stay for the next run
# Both default to folders under ${TMPDIR:-/tmp}/prvcut-bench. RUNS (5) says how often each
# command runs, SIZES (0.25 1 2.2) the sizes in GB; the last two are compressed as well.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
base=${TMPDIR:-/tmp}/prvcut-bench
build=${1:-$base/build}
traces=${2:-$base/traces}
runs=${RUNS:-5}
sizes=${SIZES:-0.25 1 2.2}
# The job; word splitting is wanted.
job="--iterations 2 --force"

if [ ! -x "$build/prvcut" ] || [ ! -x "$build/tests/tools/prvgen" ]; then
    mkdir -p "$base"
    if ! { cmake -S "$here/../.." -B "$build" -DCMAKE_BUILD_TYPE=Release &&
        cmake --build "$build" -j 2; } >"$base/build.log" 2>&1; then
        cat "$base/build.log" >&2
        exit 1
    fi
fi
prvcut=$build/prvcut
tools=$build/tests/tools
mkdir -p "$traces"
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Make NAME.prv of about so many GB, once.
make_trace() {
    [ -f "$traces/$1.done" ] && return
    bytes=$(awk -v gb="$2" 'BEGIN { printf "%.0f", gb * 1e9 }')
    "$tools/prvgen" --realistic --size "$bytes" "$traces/$1"
    : >"$traces/$1.done"
}

make_compressed() {
    [ -f "$traces/$1.zst.done" ] && return
    zstd -q -f -3 "$traces/$1.prv" -o "$traces/$1.prv.zst"
    : >"$traces/$1.zst.done"
}

# Run a command $runs times after once for the caches; its times go to the file $work/times.
measure() {
    : >"$work/times"
    "$@" >/dev/null 2>"$work/said" || {
        echo "failed: $*" >&2
        cat "$work/said" >&2
        exit 1
    }
    i=0
    while [ "$i" -lt "$runs" ]; do
        "$tools/prvtime" "$work/times" "$@" >/dev/null 2>&1
        i=$((i + 1))
    done
}

# One column of the times (an expression of awk), smallest first.
# shellcheck disable=SC2016
column() {
    awk "{ print $1 }" "$work/times" | sort -n
}

best() {
    column "$1" | head -n 1
}

median() {
    column "$1" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# report LABEL COMMAND...: a line of the table; ratios to the best wall times in $ref_a, $ref_b.
report() {
    label=$1
    shift
    measure "$@"
    wall=$(best '$1')
    awk -v label="$label" -v wall="$wall" -v mid="$(median '$1')" -v cpu="$(best '$2 + $3')" \
        -v midcpu="$(median '$2 + $3')" -v kib="$(column '$4' | tail -n 1)" -v a="$ref_a" \
        -v b="$ref_b" 'BEGIN {
            printf "| %-22s | %7.3f | %7.3f | %7.3f | %7.3f | %7.1f |", label, wall, mid, cpu,
                midcpu, kib / 1024
            if (a > 0) printf " %6.2f |", wall / a; else printf "        |"
            if (b > 0) printf " %6.2f |", wall / b; else printf "        |"
            printf "\n" }'
}

table() {
    echo
    echo "$1"
    echo
    echo "| command                |    wall |  median |     cpu |  median | max MiB | $2 | $3 |"
    echo "|------------------------|--------:|--------:|--------:|--------:|--------:|-------:|-------:|"
    ref_a=0
    ref_b=0
}

size_of() {
    wc -c <"$1" | tr -d ' '
}

cut_once() {
    rm -rf "$work/out"
    mkdir "$work/out"
    # shellcheck disable=SC2086
    "$prvcut" $job -T "$1" -o "$work/out/cut.prv" "$2" >/dev/null
    mv "$work/out" "$work/out$1"
}

# The cut must not depend on the number of threads.
compare_threads() {
    rm -rf "$work"/out*
    cut_once 1 "$1"
    cut_once 2 "$1"
    if cmp "$work/out1/cut.prv" "$work/out2/cut.prv"; then
        echo "-T 1 and -T 2 write the same $(size_of "$work/out1/cut.prv") bytes."
    else
        echo "-T 1 and -T 2 DIFFER." >&2
        exit 1
    fi
    rm -rf "$work"/out*
}

plain() {
    file=$traces/$1.prv
    table "$1.prv: $(size_of "$file") bytes, $(wc -l <"$file" | tr -d ' ') lines" "/ wc -l" "  / cat"
    report "wc -l" wc -l "$file"
    wc_best=$wall
    report "cat >/dev/null" cat "$file"
    ref_b=$wall
    ref_a=$wc_best
    for threads in 1 2; do
        # shellcheck disable=SC2086
        report "prvcut -T $threads" "$prvcut" $job -T $threads -o "$work/cut.prv" "$file"
    done
    echo
    compare_threads "$file"
}

compressed() {
    file=$traces/$1.prv.zst
    table "$1.prv.zst: $(size_of "$file") bytes" "  / -dc" "      "
    report "zstd -dc >/dev/null" zstd -q -dc "$file"
    ref_a=$wall
    for threads in 1 2; do
        # shellcheck disable=SC2086
        report "prvcut -T $threads" "$prvcut" $job -T $threads -o "$work/cut.prv" "$file"
    done
}

last=
before=
for size in $sizes; do
    make_trace "gen-$size" "$size"
    before=$last
    last=$size
done

echo "$("$prvcut" --version | head -n 1), $(nproc) processors, $(uname -sm)," \
    "best and median of $runs runs; times in s"
echo "command: prvcut $job -T N -o OUT TRACE"
for size in $sizes; do
    plain "gen-$size"
done
for size in $before $last; do
    make_compressed "gen-$size"
    compressed "gen-$size"
done
