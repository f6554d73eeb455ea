#!/bin/sh
# How fast and how small: the whole job beside wc, cat and zstd on the same file and beside bare
# reading of the same archive, all that can be said of a run beside the whole job, conversion, in one
# run.
#
#   sh tests/bench/run.sh [BUILD [TRACES]]
#
# BUILD   folder of a release build; made where it is not given or holds none
# TRACES  folder where the generated traces (about 6 GB) stay for the next run
# Both default to folders under ${TMPDIR:-/tmp}/prvcut-bench. RUNS (5) says how often each
# command runs, PARTS (paraver structure profile waits patterns index archives convert real; large, wanted only where they are named) what
# is measured, LARGE (8) the GB of a trace that is read by all and then deleted, SIZES
# (0.25 1 2.2) the sizes of Paraver traces in GB, the last two compressed as well and the last one for
# structure and index,
# EVENTS (24000000) those of an archive. REAL (the folder of real traces beside the source tree, or
# PRVCUT_TRACES) is where `real` finds its records; it is left out where there is none.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
base=${TMPDIR:-/tmp}/prvcut-bench
build=${1:-$base/build}
traces=${2:-$base/traces}
runs=${RUNS:-5}
sizes=${SIZES:-0.25 1 2.2}
parts=${PARTS:-paraver structure profile waits patterns index archives convert real}
real=${REAL:-${PRVCUT_TRACES:-$here/../../../shared/traces}}
events=${EVENTS:-24000000}
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

# Make NAME.SUFFIX with so many events, and options of prvarchive, once; a folder for each.
make_archive() {
    [ -f "$traces/$1.done" ] && return
    rm -rf "${traces:?}/$1"
    archive=$1
    suffix=$2
    shift 2
    "$tools/prvarchive" "$@" "$traces/$archive/$archive.$suffix" >"$traces/$archive.truth"
    mv "$traces/$archive.truth" "$traces/$archive.done"
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

# report LABEL COMMAND...: a line of the table; ratios to the best wall times in $ref_a, $ref_b, or
# the rate of $amount per second.
report() {
    label=$1
    shift
    measure "$@"
    wall=$(best '$1')
    awk -v label="$label" -v wall="$wall" -v mid="$(median '$1')" -v cpu="$(best '$2 + $3')" \
        -v midcpu="$(median '$2 + $3')" -v kib="$(column '$4' | tail -n 1)" -v a="$ref_a" \
        -v b="$ref_b" -v amount="$amount" 'BEGIN {
            printf "| %-22s | %7.3f | %7.3f | %7.3f | %7.3f | %7.1f |", label, wall, mid, cpu,
                midcpu, kib / 1024
            if (a > 0) printf " %6.2f |", wall / a; else printf "        |"
            if (b > 0) printf " %6.2f |", wall / b
            else if (amount > 0) printf " %6.1f |", amount / wall
            else printf "        |"
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
    amount=0
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

paraver() {
    last=
    before=
    for size in $sizes; do
        make_trace "gen-$size" "$size"
        before=$last
        last=$size
    done
    for size in $sizes; do
        plain "gen-$size"
    done
    for size in $before $last; do
        make_compressed "gen-$size"
        compressed "gen-$size"
    done
}

# Nor must what is found and cut at all levels; the page stays small.
compare_everything() {
    for threads in 1 2; do
        rm -rf "$work/out"
        mkdir "$work/out"
        "$prvcut" structure --json -T $threads "$1" >"$work/out/structure.json"
        # shellcheck disable=SC2086
        "$prvcut" $job -T $threads --report "$work/out/page.html" --proof --regions all \
            -o "$work/out/cut.prv" "$1" >/dev/null
        page=$(size_of "$work/out/page.html")
        rm -f "$work/out/page.html"
        rm -rf "$work/out$threads"
        mv "$work/out" "$work/out$threads"
    done
    if ! diff -r -q "$work/out1" "$work/out2"; then
        echo "-T 1 and -T 2 DIFFER." >&2
        exit 1
    fi
    chops=$(find "$work/out1" -name '*.prv' | wc -l | tr -d ' ')
    echo "-T 1 and -T 2 find the same structure and write the same $chops chops; page: $page bytes."
    rm -rf "$work"/out*
    if [ "$page" -ge 2000000 ]; then
        echo "the page is larger than 2 MB" >&2
        exit 1
    fi
}

# Beside the main job on the same trace, with the same number of threads
structure() {
    size=${sizes##* }
    make_trace "gen-$size" "$size"
    file=$traces/gen-$size.prv
    table "gen-$size.prv: $(size_of "$file") bytes" "/ job" "/ wc -l"
    report "wc -l" wc -l "$file"
    ref_b=$wall
    for threads in 1 2; do
        mkdir -p "$work/out"
        ref_a=0
        # shellcheck disable=SC2086
        report "prvcut -T $threads" "$prvcut" $job -T $threads -o "$work/out/cut.prv" "$file"
        ref_a=$wall
        report "level 1 alone -T $threads" "$prvcut" structure --levels 1 -T $threads "$file"
        report "structure -T $threads" "$prvcut" structure -T $threads "$file"
        # shellcheck disable=SC2086
        report "everything -T $threads" "$prvcut" $job -T $threads --report "$work/out/page.html" \
            --proof --regions all -o "$work/out/cut.prv" "$file"
        rm -rf "$work/out"
    done
    echo
    compare_everything "$file"
}

# Where the time goes and how well processors are used, beside what is in the trace: one reading each; by
# peer it is two.
profile() {
    size=${sizes##* }
    make_trace "gen-$size" "$size"
    file=$traces/gen-$size.prv
    table "gen-$size.prv: $(size_of "$file") bytes" "/ info" "/ wc -l"
    report "wc -l" wc -l "$file"
    ref_b=$wall
    for threads in 1 2; do
        ref_a=0
        report "info -T $threads" "$prvcut" info --no-index -T $threads "$file"
        ref_a=$wall
        for view in call rank function peer; do
            report "profile --by $view -T $threads" "$prvcut" profile --by $view -T $threads "$file"
        done
        report "efficiency -T $threads" "$prvcut" efficiency -T $threads "$file"
    done
    echo
}

# Wait states beside a check of the same file, and how many million records (states, events, messages) a
# CPU second they take beyond reading, which is what info needs; the answer is the same for one thread
# and two.
waits() {
    size=${sizes%% *}
    make_trace "gen-$size" "$size"
    file=$traces/gen-$size.prv
    records=$(grep -c '^[123]:' "$file")
    beyond=
    table "waits of gen-$size.prv: $(size_of "$file") bytes, $records records" "/ check" "      "
    for threads in 1 2; do
        ref_a=0
        report "info -T $threads" "$prvcut" info --no-index -T $threads "$file"
        reading=$(best '$2 + $3')
        report "check -T $threads" "$prvcut" check -T $threads "$file"
        ref_a=$wall
        report "waits -T $threads" "$prvcut" waits -T $threads "$file"
        beyond="$beyond$(awk -v n="$records" -v w="$(best '$2 + $3')" -v r="$reading" \
            -v t="$threads" 'BEGIN { printf "-T %d: %.1f million records a CPU second beyond reading. ", t, n / (w - r) / 1e6 }')"
        report "waits --causes -T $threads" "$prvcut" waits --causes --critical-path \
            -T $threads "$file"
        "$prvcut" waits --json --causes --critical-path -T $threads "$file" |
            grep -v '"command"' >"$work/waits$threads"
    done
    echo
    echo "$beyond"
    cmp "$work/waits1" "$work/waits2" || {
        echo "-T 1 and -T 2 DIFFER." >&2
        exit 1
    }
    echo "-T 1 and -T 2 tell the same."
}

# A message to and fro, so many times: 12 records each (calls begin and end, messages are sent and
# received), as an OTF2 archive; beside Trahay 2015, table I.
ping_pong() {
    name=ping-pong-$1
    if [ ! -f "$traces/$name.done" ]; then
        rm -rf "${traces:?}/$name.otf2"
        awk -v times="$1" -f "$here/ping_pong.awk" >"$work/$name.prv"
        "$prvcut" convert -q -f "$work/$name.prv" "$traces/$name.otf2"
        rm "$work/$name.prv"
        : >"$traces/$name.done"
    fi
    amount=$(awk -v n="$1" 'BEGIN { print 12 * n / 1e6 }')
    for threads in 1 2; do
        report "$1 times -T $threads" "$prvcut" patterns -T $threads "$traces/$name.otf2"
    done
}

# One class A run: iterations and calls of the first class of threads, and what can be left out; the
# paper's (16 processes): iterations of its table II, reduction of its table III.
class_a() {
    file=$(find "$real" -path "*/$1.*" \( -name "$1.prv.zst" -o -name "$1.tar.zst" \) | head -n 1)
    [ -n "$file" ] || return 0
    "$prvcut" patterns --json "$file" | tr -d ' \n' >"$work/nest"
    awk -v name="$1" -v ours="$2" -v theirs="$3" '{
        count = "-"
        if (match($0, /"outermost":[{]"count":[0-9]+/)) {
            count = substr($0, RSTART, RLENGTH)
            sub(/.*:/, "", count)
        }
        match($0, /"reduction":[{]"calls":[0-9]+,"kept":[0-9]+/)
        split(substr($0, RSTART, RLENGTH), part, /[:,]/)
        printf "| %s | %s | %s | %.1f %% | %s %% |\n", name, count, ours,
            100 - 100 * part[5] / part[3], theirs }' "$work/nest"
}

# How many million calls a CPU second something takes beyond reading, which is what info needs.
beyond() {
    report "$@"
    awk -v n="$calls" -v w="$(best '$2 + $3')" -v r="$reading" -v what="$1" \
        'BEGIN { if (w > r) printf "%s: %.1f million calls a CPU second beyond reading.\n", what, n / (w - r) / 1e6 }' \
        >>"$work/rates"
}

# Nests, repeats, search; class A runs of the papers.
patterns() {
    table "ping-pong: 12 events each" "      " " Mev/s"
    for times in 10000 100000 1000000; do
        ping_pong $times
    done
    file=$(find "$real" -name sp.A.16.prv.zst | head -n 1)
    other=$(find "$real" -name lu.W.4.prv.zst | head -n 1)
    echo
    if [ -n "$file" ] && [ -n "$other" ]; then
        "$tools/../prvrows" "$file" call "$other" call
    else
        "$tools/../prvrows"
    fi
    [ -n "$file" ] || return 0
    : >"$work/rates"
    calls=430352
    table "sp.A.16: $calls calls" "      " "      "
    report "info" "$prvcut" info --no-index -T 1 "$file"
    reading=$(best '$2 + $3')
    beyond "patterns" "$prvcut" patterns --symbols call -T 1 "$file"
    beyond "patterns --repeats" "$prvcut" patterns --symbols call --repeats -T 1 "$file"
    beyond "find" "$prvcut" find --like pattern=1 --symbols call -T 1 "$file"
    echo
    cat "$work/rates"
    echo
    echo "| class A | iterations | the paper's | can be left out | the paper's |"
    echo "|---|--:|--:|--:|--:|"
    class_a ft.A.2 - 34.6
    class_a ft.A.16 - 34.6
    class_a mg.A.4 101 65.4
    class_a cg.A.2 16 95.8
    class_a sp.A.16 401 87.7
    class_a lu.A.2.preempt 248 99.0
    class_a lu.A.16 248 99.0
}

# The same commands without and with an index; how many times faster.
index() {
    size=${sizes##* }
    make_trace "gen-$size" "$size"
    file=$traces/gen-$size.prv
    table "gen-$size.prv: $(size_of "$file") bytes" "/ first" "      "
    report "prvcut index -T 2" "$prvcut" index --force -T 2 "$file"
    mkdir -p "$work/out"
    for command in "$job -o $work/out/cut.prv" structure info \
        "cut --from 50% --to 50.1% --force -o $work/out/cut.prv"; do
        ref_a=0
        # shellcheck disable=SC2086
        report "${command%% -*} first" "$prvcut" $command --no-index -T 2 "$file"
        ref_a=$wall
        # shellcheck disable=SC2086
        report "${command%% -*} second" "$prvcut" $command -T 2 "$file"
    done
    rm -rf "$work/out" "$traces/gen-$size.prvx"
}

bytes_of_folder() {
    find "$1" -type f -exec cat {} + | wc -c | tr -d ' '
}

# The library gives every OTF2 archive a number of its own, in the anchor: that alone may differ.
compare_archives() {
    for threads in 1 2; do
        rm -rf "$work/out$threads"
        mkdir "$work/out$threads"
        # shellcheck disable=SC2086
        "$prvcut" $job -T $threads -o "$work/out$threads/cut.$2" "$1" >/dev/null
    done
    if diff -r -q -x '*.otf2' "$work/out1" "$work/out2"; then
        echo "-T 1 and -T 2 write the same $(bytes_of_folder "$work/out1") bytes."
    else
        echo "-T 1 and -T 2 DIFFER." >&2
        exit 1
    fi
    rm -rf "$work"/out*
}

# Reduce with 1 and 2 threads; $1: archive, $2: suffix, $3: bare to compare with bare reading
reduce_archive() {
    mkdir -p "$work/out"
    for threads in 1 2; do
        ref_a=0
        if [ "$3" = bare ]; then
            report "bare reading -T $threads" "$tools/prvbare" -T $threads "$1"
            ref_a=$wall
        fi
        # shellcheck disable=SC2086
        report "prvcut -T $threads" "$prvcut" $job -T $threads -o "$work/out/cut.$2" "$1"
    done
    echo
    compare_archives "$1" "$2"
}

otf2() {
    name=$1
    shift
    make_archive "$name" otf2 "$@"
    archive=$traces/$name/$name.otf2
    said=$("$tools/prvbare" "$archive")
    table "$name.otf2 ($*): $(bytes_of_folder "$traces/$name") bytes, ${said%, *, *}" "/ bare" "Mev/s"
    amount=$(echo "$said" | awk '{ print $1 / 1e6 }')
    reduce_archive "$archive" otf2 bare
}

otf() {
    make_archive otf otf --events "$events"
    archive=$traces/otf/otf.otf
    records=$(cat "$traces"/otf/otf.*.events | grep -c '^[A-Z]')
    table "otf.otf: $(bytes_of_folder "$traces/otf") bytes, $records records" "      " "Mrec/s"
    amount=$(awk -v n="$records" 'BEGIN { print n / 1e6 }')
    reduce_archive "$archive" otf alone
}

archives() {
    if [ -x "$tools/prvbare" ]; then
        otf2 scorep --events "$events"
        otf2 eztrace --eztrace --skew 30000000 --events "$events"
        otf2 wide --processes 2000 --events $((events / 4))
    fi
    otf
}

# convert NAME FILE SUFFIX...: MB/s of what is read
convert_one() {
    name=$1
    from=$2
    bytes=$3
    shift 3
    table "convert $name: $bytes bytes" "      " "  MB/s"
    amount=$(awk -v n="$bytes" 'BEGIN { print n / 1e6 }')
    mkdir -p "$work/out"
    for suffix; do
        for threads in 1 2; do
            report "to .$suffix -T $threads" "$prvcut" convert --force -T $threads "$from" \
                "$work/out/converted.$suffix"
        done
        rm -rf "$work/out"
        mkdir "$work/out"
    done
}

convert() {
    first=${sizes%% *}
    make_trace "gen-$first" "$first"
    convert_one "gen-$first.prv" "$traces/gen-$first.prv" "$(size_of "$traces/gen-$first.prv")" otf2 otf
    if [ -x "$tools/prvbare" ]; then
        make_archive small otf2 --events $((events / 6))
        convert_one small.otf2 "$traces/small/small.otf2" "$(bytes_of_folder "$traces/small")" prv
    fi
}

# --- Real records -----------------------------------------------------------------------------

# Pieces of seven iterations of a real trace, from all over its loop; of one with few iterations all of
# them, since single ones in random order would put its outputs where no program has them; once.
# $1: NAME, $2: its folder
make_pieces() {
    pieces=$traces/real/$1
    [ -f "$pieces/done" ] && return
    rm -rf "$pieces"
    mkdir -p "$pieces"
    for suffix in prv pcf row; do
        zstd -q -d "$2/$1.$suffix.zst" -o "$pieces/whole.$suffix" 2>/dev/null ||
            cp "$2/$1.$suffix" "$pieces/whole.$suffix"
    done
    all=$("$prvcut" structure --depth 1 --json "$pieces/whole.prv" |
        sed -n 's/.*"loop_iterations": \([0-9]*\).*/\1/p' | sort -n | tail -n 1)
    "$prvcut" index -q "$pieces/whole.prv"
    each=$((all < 24 ? all : 7))
    for i in 0 1 2 3 4 5 6 7 8; do
        first=$((1 + i * (all - each) / 8))
        "$prvcut" -q --quick --iteration "$first-$((first + each - 1))" -o "$pieces/p$i.prv" \
            "$pieces/whole.prv"
    done
    rm -f "$pieces"/whole.*
    echo "$each" >"$pieces/done"
}

# make_real NAME GB: those pieces in random order; once. Iterations and length go to NAME-GB.truth.
make_real() {
    [ -f "$traces/real-$1-$2.truth" ] && return
    name=$1
    gigabytes=$2
    set --
    for piece in "$traces/real/$name"/p[0-8].prv; do
        set -- "$@" "$piece=$(cat "$traces/real/$name/done")"
    done
    "$tools/prvrepeat" "${gigabytes}e9" 7 "$traces/real-$name-$gigabytes.prv" "$@" >"$work/truth"
    for suffix in pcf row; do
        cp "$traces/real/$name/p0.$suffix" "$traces/real-$name-$gigabytes.$suffix"
    done
    mv "$work/truth" "$traces/real-$name-$gigabytes.truth"
}

# Iterations of a piece, if all pieces of that trace are alike; else nothing
alike() {
    cmp -s "$traces/real/$1/p0.prv" "$traces/real/$1/p8.prv" && cat "$traces/real/$1/done"
}

# Is what was found what was written? Pieces may begin at other places of an iteration, so that one
# may be lost at each seam: a tenth at most. Pieces that are all alike are a loop, too.
check_real() {
    "$prvcut" -n -f --quick --json "$traces/$1.prv" >"$work/answer"
    found=$(sed -n 's/^ *"iterations_in_phase": \([0-9.]*\).*/\1/p' "$work/answer" | head -n 1)
    sure=$(sed -n 's/^ *"confidence": \([0-9.]*\).*/\1/p' "$work/answer" | head -n 1)
    awk -v found="$found" -v sure="$sure" -v each="$2" '{
        printf "%d iterations written, %.1f found (sure %.2f)\n", $1, found, sure
        pieces = each > 0 ? $1 / each : 0
        exit (found < 0.9 * $1 || found > 1.05 * $1) && (found < 0.9 * pieces || found > 1.05 * pieces) }' \
        "$traces/$1.truth" || {
        echo "WRONG: $1"
        wrong=1
    }
}

# What does not depend on the size, and what each further GB takes; walls of two sizes
slope() {
    awk -v small="$1" -v large="$2" -v a="$3" -v b="$4" -v name="$5" 'BEGIN {
        s = (b - a) / (large - small)
        printf "%s: %.3f s and %.3f s a GB\n", name, a - s * small, s }'
}

real_one() {
    make_pieces "$1" "$2"
    for size in 0.25 2; do
        make_real "$1" "$size"
    done
    for size in 0.25 2; do
        file=$traces/real-$1-$size.prv
        table "real-$1-$size.prv: $(size_of "$file") bytes" "/ wc -l" "      "
        report "wc -l" wc -l "$file"
        ref_a=$wall
        for threads in 1 2; do
            # shellcheck disable=SC2086
            report "prvcut -T $threads" "$prvcut" $job -T $threads -o "$work/cut.prv" "$file"
            eval "wall_$threads${size%.*}=$wall"
        done
        report "structure -T 2" "$prvcut" structure -T 2 "$file"
        report "info -T 2" "$prvcut" info -T 2 "$file"
        report "cut, late -T 2" "$prvcut" cut --from 90% --to 91% -f -T 2 -o "$work/cut.prv" "$file"
        echo
        check_real "real-$1-$size" "$(alike "$1")"
    done
    # shellcheck disable=SC2154
    slope 0.25 2 "$wall_10" "$wall_12" "prvcut -T 1"
    # shellcheck disable=SC2154
    slope 0.25 2 "$wall_20" "$wall_22" "prvcut -T 2"
    real_compressed "real-$1-0.25"
    rm -f "$traces/real-$1-2.prv" "$traces/real-$1-2.truth"
}

# The same records compressed, and as an archive
real_compressed() {
    make_compressed "$1"
    compressed "$1"
    if [ -x "$tools/prvbare" ]; then
        mkdir -p "$work/otf2"
        "$prvcut" convert -q -f "$traces/$1.prv" "$work/otf2/$1.otf2"
        said=$("$tools/prvbare" "$work/otf2/$1.otf2")
        table "$1.otf2: $(bytes_of_folder "$work/otf2") bytes, ${said%, *, *}" "/ bare" "Mev/s"
        amount=$(echo "$said" | awk '{ print $1 / 1e6 }')
        reduce_archive "$work/otf2/$1.otf2" otf2 bare
        rm -rf "$work/otf2"
    fi
}

real() {
    for name in ${NAMES:-more/lu.A.16 paraver/sp.A.16 paraver/lulesh.8.omp paraver/lammps.4}; do
        if [ -d "$real/$name" ]; then
            real_one "${name#*/}" "$real/$name"
        else
            echo "$name: not there, left out"
        fi
    done
}

# One command on the large trace; more than 512 MiB are wrong.
large_one() {
    report "$@"
    if [ "$(awk '$4 > 512 * 1024' "$work/times" | wc -l)" -gt 0 ]; then
        echo "more than 512 MiB: $1"
        wrong=1
    fi
}

# A large run needs little memory, and is found as it was written, without an index and with one; of real
# records where they are there. The trace goes at once, it is no use to others.
large() {
    size=${LARGE:-8}
    trace=large-$size
    if [ -d "$real/more/lu.A.16" ]; then
        trace=real-lu.A.16-$size
        make_pieces lu.A.16 "$real/more/lu.A.16"
        make_real lu.A.16 "$size"
    else
        make_trace "$trace" "$size"
    fi
    file=$traces/$trace.prv
    table "$trace.prv: $(size_of "$file") bytes, once" "/ wc -l" "  MB/s"
    often=$runs runs=1
    amount=$(awk -v bytes="$(size_of "$file")" 'BEGIN { print bytes / 1e6 }')
    report "wc -l" wc -l "$file"
    ref_a=$wall
    large_one "info" "$prvcut" info --no-index "$file"
    # shellcheck disable=SC2086
    large_one "the job" "$prvcut" $job --no-index -o "$work/cut.prv" "$file"
    large_one "structure" "$prvcut" structure --no-index "$file"
    large_one "efficiency" "$prvcut" efficiency --no-index "$file"
    [ "$trace" = "large-$size" ] || check_real "$trace" "$(alike lu.A.16)"
    large_one "index" "$prvcut" index -f "$file"
    # shellcheck disable=SC2086
    large_one "the job, index" "$prvcut" $job -o "$work/cut.prv" "$file"
    large_one "structure, index" "$prvcut" structure "$file"
    large_one "efficiency, index" "$prvcut" efficiency "$file"
    runs=$often
    rm -f "$traces/$trace".*
}

# --- What is wanted, beside what it must cost -------------------------------------------------------

# CPU time (s) of a command, the least of all runs
cpu_of() {
    measure "$@"
    best '$2 + $3'
}

most_mib() {
    column '$4' | tail -n 1 | awk '{ printf "%.0f MiB", $1 / 1024 }'
}

# halved A B: A / B, where A is of two threads: half of its CPU time
halved() {
    awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f x", a / 2 / b }'
}

# rate BYTES CPU: MB/s on two threads that share the work evenly
rate() {
    awk -v n="$1" -v s="$2" 'BEGIN { printf "%.0f MB/s", n / 1e6 / (s / 2) }'
}

# A row: what, wanted, measured, the least that it could be, and what that is of
wanted_row() {
    printf '| %s | %s | %s | %s |\n' "$1" "$2" "$3" "$4"
}

# The job on a plain trace: beside counting its lines and beside taking all of its numbers
wanted_plain() {
    file=$traces/$1.prv
    ref=$(cpu_of wc -l "$file")
    floor=$(cpu_of "$tools/prvlines" -T 2 "$file")
    # shellcheck disable=SC2086
    took=$(cpu_of "$prvcut" $job --no-index -T 2 -o "$work/cut.prv" "$file")
    mib=$(most_mib)
    # shellcheck disable=SC2086
    quick=$(cpu_of "$prvcut" $job --quick --no-index -T 2 -o "$work/cut.prv" "$file")
    wanted_row "the job, $(size_of "$file" | awk '{ printf "%.4g", $1 / 1e6 }') MB" "$2" \
        "$took s, $(halved "$took" "$ref") \`wc -l\`; $mib; \`--quick\` $quick s, $(halved "$quick" "$ref")" \
        "all numbers of all lines: $floor s, $(halved "$floor" "$ref")"
}

# Late in a compressed trace
wanted_compressed() {
    file=$traces/$1.prv.zst
    ref=$(cpu_of zstd -q -dc "$file")
    # shellcheck disable=SC2086
    quick=$(cpu_of "$prvcut" $job --quick --no-index -T 2 -o "$work/cut.prv" "$file")
    # shellcheck disable=SC2086
    took=$(cpu_of "$prvcut" $job --no-index -T 2 -o "$work/cut.prv" "$file")
    late=$(cpu_of "$prvcut" cut --from 90% --to 91% -f --no-index -T 2 -o "$work/cut.prv" "$file")
    floor=$(cpu_of "$tools/prvlines" -T 2 "$traces/$1.prv")
    least=$(awk -v a="$ref" -v b="$floor" 'BEGIN { print a + b }')
    wanted_row "\`.zst\` \`--quick\`" "1.2 x \`zstd -dc\`" "$(halved "$quick" "$ref")" \
        "unpacked and all numbers: $(halved "$least" "$ref")"
    wanted_row "\`.zst\`" "2.3 x" "$(halved "$took" "$ref")" ""
    wanted_row "\`.zst\`, a late window cut" "" "$(halved "$late" "$ref")" ""
}

wanted_archive() {
    mkdir -p "$work/otf2"
    "$prvcut" convert -q -f "$traces/$1.prv" "$work/otf2/$1.otf2"
    ref=$(cpu_of "$tools/prvbare" -T 2 "$work/otf2/$1.otf2")
    # shellcheck disable=SC2086
    quick=$(cpu_of "$prvcut" $job --quick --no-index -T 2 -o "$work/cut.otf2" "$work/otf2/$1.otf2")
    # shellcheck disable=SC2086
    took=$(cpu_of "$prvcut" $job --no-index -T 2 -o "$work/cut.otf2" "$work/otf2/$1.otf2")
    rm -rf "$work/otf2"
    wanted_row "OTF2 \`--quick\`" "1.3 x bare reading" \
        "$(awk -v a="$quick" -v b="$ref" 'BEGIN { printf "%.2f x", a / b }')" "1 x: $ref s"
    wanted_row "OTF2" "2.3 x" "$(awk -v a="$took" -v b="$ref" 'BEGIN { printf "%.2f x", a / b }')" ""
}

# What copies a trace
wanted_copies() {
    file=$traces/$1.prv
    bytes=$(size_of "$file")
    floor=$(cpu_of cp "$file" "$work/copy.prv")
    rm -f "$work/copy.prv"
    numbers=$(cpu_of "$tools/prvlines" -T 2 "$file")
    least=$(awk -v a="$floor" -v b="$numbers" 'BEGIN { print a + b }')
    for command in "cut --from 0% --to 100% --no-index" "filter --min-message 1" "mark --no-index"; do
        # shellcheck disable=SC2086
        took=$(cpu_of "$prvcut" $command -f -T 2 -o "$work/copy.prv" "$file")
        wanted_row "\`$command\`" "500 MB/s" "$(rate "$bytes" "$took")" \
            "copied and all numbers: $(rate "$bytes" "$least")"
        rm -f "$work"/copy.*
    done
    took=$(cpu_of "$prvcut" convert -f -T 2 "$file" "$work/copy.otf2")
    wanted_row "\`convert\` to OTF2" "2 x that of before" "$(rate "$bytes" "$took")" ""
    rm -rf "$work"/copy*
}

# The page with everything, beside the job
wanted_page() {
    file=$traces/$1.prv
    # shellcheck disable=SC2086
    ref=$(cpu_of "$prvcut" $job --no-index -T 2 -o "$work/cut.prv" "$file")
    mkdir -p "$work/out"
    # shellcheck disable=SC2086
    took=$(cpu_of "$prvcut" $job --no-index -T 2 --report "$work/out/page.html" --proof \
        --regions all -o "$work/out/cut.prv" "$file")
    wanted_row "the page with everything" "2.5 x the job, 512 MiB" \
        "$(awk -v a="$took" -v b="$ref" 'BEGIN { printf "%.2f x", a / b }'), $(most_mib)" ""
    rm -rf "$work/out"
}

# Questions to an index
wanted_index() {
    file=$traces/$1.prv
    "$prvcut" index -q -f "$file"
    for command in info "-n" "-n --quick" structure signal profile "profile --by region" \
        "profile --by iteration" "profile --why 1" efficiency comm patterns waits; do
        # shellcheck disable=SC2086
        took=$(cpu_of "$prvcut" $command "$file")
        wanted_row "index, $(size_of "$file" | awk '{ printf "%.4g", $1 / 1e6 }') MB: \`$command\`" "0.3 s" \
            "$took s, $(most_mib)" ""
    done
    rm -f "${file%.prv}.prvx"
}

# All that is wanted, of real records: sizes (GB) of the job in WANTED
wanted() {
    [ -d "$real/more/lu.A.16" ] || {
        echo "lu.A.16: not there, left out"
        return
    }
    make_pieces lu.A.16 "$real/more/lu.A.16"
    for size in 0.002 0.03 0.064 0.25 0.383 ${WANTED:-2}; do
        make_real lu.A.16 "$size"
    done
    echo
    echo "| what | wanted | measured | the least it could be |"
    echo "|---|---|---|---|"
    wanted_plain real-lu.A.16-0.002 "0.08 s"
    wanted_plain real-lu.A.16-0.03 "0.15 s"
    wanted_plain real-lu.A.16-0.064 "0.15 s"
    for size in 0.383 ${WANTED:-2}; do
        wanted_plain "real-lu.A.16-$size" "$(awk -v gb="$size" 'BEGIN {
            print (gb < 1 ? "5" : "3") " x `wc -l`; 160 MiB" }')"
    done
    make_compressed real-lu.A.16-0.25
    wanted_compressed real-lu.A.16-0.25
    [ ! -x "$tools/prvbare" ] || wanted_archive real-lu.A.16-0.25
    wanted_copies real-lu.A.16-0.25
    wanted_page real-lu.A.16-0.25
    wanted_index "real-lu.A.16-0.383"
    rm -f "$traces"/real-lu.A.16-[1-9]*
}

echo "$("$prvcut" --version | head -n 1), $(nproc) processors, $(uname -sm)," \
    "best and median of $runs runs; times in s"
echo "command: prvcut $job -T N -o OUT TRACE"
wrong=0
for part in $parts; do
    case $part in
    paraver | structure | profile | waits | patterns | index | archives | convert | real | large | wanted) $part ;;
    *)
        echo "run.sh: no part is called $part" >&2
        exit 2
        ;;
    esac
done
exit "$wrong"
