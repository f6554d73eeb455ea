#!/bin/sh
# Run fuzz targets of a build with PRVCUT_FUZZ, each for at least RUNS runs and SECONDS seconds:
#   sh tests/fuzz/run.sh build/fuzz [target...]
# One line a target: runs, seconds, runs per second of processor time, coverage. What grows and what
# is found (crash-*, oom-*, timeout-*) stays in WORK; a second call goes on from there.
set -u
runs_least=${RUNS:-1000000}
seconds_least=${SECONDS_LEAST:-600}
work=${WORK:-/dev/shm/prvcut-fuzz}
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?the folder of a build}" && pwd)
shift
[ $# -gt 0 ] || set -- archive check config frames index labels litl otf otf2 reader
status=0

options_of() {
    # The search for rare inputs costs a fifth, and reports of slow inputs say more of the machine.
    set -- "$1" -entropic=0 -timeout=100 -report_slow_units=60 -rss_limit_mb=4096
    [ -f "$here/$1.dict" ] && set -- "$@" "-dict=$here/$1.dict"
    # Longer inputs take longer and find nothing more.
    case $1 in
    index) set -- "$@" -max_len=400 ;;
    otf | otf2) set -- "$@" -max_len=1500 ;;
    reader) set -- "$@" -max_len=4096 ;;
    esac
    # The OTF2 library asks for whatever a damaged record says, and leaks what it refuses.
    [ "$1" = otf2 ] && set -- "$@" -malloc_limit_mb=0 -detect_leaks=0
    shift
    echo "$@"
}

# Hundredths of a second of processor time that all runs have taken until now.
ticks() {
    times > "$work/times"
    awk -F '[ms ]+' 'END { printf "%d", ($1 * 60 + $2 + $3 * 60 + $4) * 100 }' "$work/times"
}

number() { # after a word in the log
    sed -n "s/.*$1: *\([0-9]*\).*/\1/p" "$log" | tail -n 1
}

for target; do
    corpus=$work/$target/corpus
    log=$work/$target/log
    mkdir -p "$corpus"
    cp "$here/corpus/$target/"* "$corpus"
    runs=0 seconds=0 found=
    ticks > "$work/before"
    while [ -z "$found" ] && { [ $runs -lt "$runs_least" ] || [ $seconds -lt "$seconds_least" ]; }; do
        begin=$(date +%s)
        # shellcheck disable=SC2046
        nice -n 19 "$build/tests/fuzz/fuzz_$target" $(options_of "$target") \
            "-max_total_time=$((seconds_least / 2 + 1))" -print_final_stats=1 \
            "-artifact_prefix=$work/$target/" "$corpus" > "$log" 2>&1 || found=yes
        seconds=$((seconds + $(date +%s) - begin))
        more=$(number stat::number_of_executed_units)
        runs=$((runs + ${more:-0}))
        cov=$(number cov)
    done
    ticks > "$work/after"
    ticks=$(($(cat "$work/after") - $(cat "$work/before") + 1))
    echo "$target: $runs runs, $seconds s, $((runs * 100 / ticks)) runs a second of processor time, cov ${cov:-?}"
    if [ -n "$found" ]; then
        grep -m 1 -E 'does not hold|ERROR:|runtime error' "$log"
        status=1
    fi
done
exit $status
