#!/bin/sh
# Checksums of all that prvcut says and writes about real traces, to see that a change of the code
# changes no output: run it before and after, and compare what it prints.
#
#   sh tests/checksums.sh PRVCUT [NAME...] >before
#
# PRVCUT  the program; it is called through a link, so that no path of it reaches an output
# NAME    parts of traces' names ("lu.S", "otf2/", "apps"); all where none is given, but for those
#         above 30 MB
# TRACES (PRVCUT_TRACES, else shared/traces beside the source tree) is the folder of real traces;
# JOBS (2) says how many traces are looked at at a time.
#
# A line for each trace and command: "TRACE COMMAND STATUS CHECKSUM", in order. The checksum is of
# standard output, standard error and all files, in order of their names; elapsed times are left out.
# 'same' in place of a checksum of a run with four threads: as with one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
traces=$(cd "${TRACES:-${PRVCUT_TRACES:-$here/../../shared/traces}}" && pwd)

# What a run left in its folder, without what differs from run to run.
sum_up() {
    LC_ALL=C
    export LC_ALL
    find . -type f | sort | while read -r file; do
        printf '%s ' "$file"
        sed -E 's/"elapsed_s": ?[0-9.e+-]+//g; s/-T [14] //g' "$file" | sha256sum
    done | sha256sum | cut -c -16
}

# run WORD ARGUMENTS...: one line
run() {
    word=$1
    shift
    rm -rf ../run
    mkdir ../run
    status=0
    (cd ../run && exec ../bin/prvcut "$@" >output 2>words) || status=$?
    sum=$(cd ../run && sum_up)
    if [ "${word#*@}" = T4 ] && [ "$sum" = "$before" ]; then
        sum=same
    fi
    before=$sum
    echo "$trace $word $status $sum"
}

# All commands on one trace: TRACE of the folder, PRVCUT.
if [ "${1:-}" = --one ]; then
    trace=$3
    work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-sums.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    mkdir "$work/bin" "$work/here" "$work/in"
    ln -s "$2" "$work/bin/prvcut"
    # What is there is not touched: prvcut sees copies, or links to files that it only reads.
    case $trace in
    *.tar.zst) zstd -dcq "$traces/$trace" | tar -xf - -C "$work/in" ;;
    *) ln -s "$traces/${trace%/*}"/* "$work/in/" ;;
    esac
    cd "$work/here"
    in=
    for file in "../in/$(basename "$trace")" ../in/*.otf2 ../in/*.otf ../in/*/*.otf2 ../in/*/*.otf; do
        case $file in
        *.tar.zst) ;;
        *) [ -n "$in" ] || [ ! -e "$file" ] || in=$file ;;
        esac
    done
    case $in in
    *.prv*) suffix=prv others='otf2 otf' ;;
    *.otf2) suffix=otf2 others='prv otf' ;;
    *) suffix=otf others='prv otf2' ;;
    esac
    before=
    for threads in 1 4; do
        run "cut@T$threads" --json -T "$threads" -o "c.$suffix" "$in"
    done
    run report --report r.html --proof -v --json -o "c.$suffix" "$in"
    run iterations --iterations 6 -o "c.$suffix" "$in"
    for threads in 1 4; do
        run "window@T$threads" cut --from 40% --to 60% --json -T "$threads" -o "c.$suffix" "$in"
    done
    run structure structure --json "$in"
    run levels structure --csv --level 2 "$in"
    run info info -v --json "$in"
    for threads in 1 4; do
        run "check@T$threads" check -v --json -T "$threads" "$in"
    done
    run signal signal --metric bursts,computing,p2p,clogged --bins 300 --json "$in"
    for other in $others; do
        run "to-$other@T1" convert --json -T 1 "$in" "o.$other"
    done
    run "window-$suffix" convert --from 40% --to 60% "$in" "o.$suffix"
    run json convert "$in" o.json.gz
    run paje convert "$in" o.paje
    exit 0
fi

[ $# -ge 1 ] || {
    sed -n '2,/^set/{/^set/!s/^# \{0,1\}//p;}' "$0" >&2
    exit 2
}
prvcut=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
# What stands first of a trace is its records.
[ $# -gt 0 ] && most=999M || most=30M
(cd "$traces" && find . \( -name '*.prv.zst' -o -name '*.prv' -o -name '*.tar.zst' \) -type f \
    -size "-$most") |
    sed 's,^\./,,' | LC_ALL=C sort |
    while read -r trace; do
        [ $# -gt 0 ] || echo "$trace"
        for name; do
            case $trace in *"$name"*) echo "$trace" ;; esac
        done
    done | xargs -P "${JOBS:-2}" -n 1 sh "$0" --one "$prvcut" | LC_ALL=C sort
