#!/bin/sh
# prvcut-mpi gives what prvcut gives, byte for byte, or says why not and leaves nothing behind:
#
#   sh tests/mpi/run.sh PRVCUT PRVCUT-MPI SAMPLES
#
# Leaves with 77 where no mpirun is there. RANKS ("3x2 4x1": ranks x threads) and TRACES (plain .prv files, archives, in
# place of the samples) are for more by hand: RANKS="1x1 1x2 2x1 2x2 3x1 3x2 4x1 4x2 7x1 7x2". Each trace is then taken by
# all of them in every command that is shared, and a rank is killed at three moments.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
mpi=$(CDPATH='' cd -- "$(dirname -- "$2")" && pwd)/$(basename -- "$2")
samples=$(CDPATH='' cd -- "$3" && pwd)
mpirun=$(command -v mpirun) || skip 'no mpirun (Debian: openmpi-bin)'
teams=${RANKS:-3x2 4x1}
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-mpi.XXXXXX")
trap 'umount "$work/refused/disk" 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"
unset PRVCUT_LOG PRVCUT_THREADS PRVCUT_COLOR || true
# Open MPI: as root, more ranks than processors, and without reading each other's memory, which containers forbid. The
# library of MPI keeps memory to the end.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
export OMPI_MCA_btl_vader_single_copy_mechanism ASAN_OPTIONS

fail() {
    echo "mpi: $*" >&2
    exit 1
}

# ranks N COMMAND...: by so many ranks; a rank's own number is $RANK of a shell. In s, it may take $limit.
limit=60
ranks() {
    n=$1
    shift
    timeout -k 2 "$limit" "$mpirun" -n "$n" "$@" </dev/null
}

if [ -n "${TRACES:-}" ]; then
    traces=$TRACES
else
    for suffix in prv pcf; do
        zstd -qd "$samples/lu.S.8.$suffix.zst" -o "app.$suffix"
    done
    cp "$samples/lu.S.8.row" app.row
    for archive in eztrace otf; do
        mkdir "$archive"
        tar -C "$archive" -I zstd -xf "$samples/lu.S.4-$archive.tar.zst"
    done
    traces="$work/app.prv $(find "$work/eztrace" -name '*.otf2') $(find "$work/otf" -name '*.otf')"
    if [ -n "${RANKS:-}" ]; then
        "$prvcut" -q convert app.prv converted.otf2
        traces="$traces $(find "$work/converted"* -name '*.otf2')"
    fi
fi

# unpacked SIDE: what its archive holds in its place, without the time that it took
unpacked() {
    tar -C "$1" -I zstd -xf "$1/run/x.tar.zst"
    rm "$1/run/x.tar.zst" "$1/x/SHA256SUMS"
    sed -i 's/"elapsed_s": [0-9.e-]*/"elapsed_s"/' "$1/x/report.json"
}

# same TRACE TEAM ARGUMENT...: what is printed, said, written, and the exit status
same() {
    trace=$1 team=$2
    shift 2
    rm -rf one all
    mkdir -p one/run all/run
    for file in "${trace%.*}"*; do
        ln -s "$file" one/run
        ln -s "$file" all/run
    done
    name=$(basename "$trace")
    (cd one/run && status=0 && { "$prvcut" -T "${team#*x}" "$@" "$name" >out 2>err || status=$?; } && echo "$status" >status)
    (cd all/run && status=0 && { ranks "${team%x*}" "$mpi" -T "${team#*x}" "$@" "$name" >out 2>err || status=$?; } &&
        echo "$status" >status)
    sed -i '/^-----/,/^-----/d; /^$/d' all/run/err
    for side in one all; do
        [ ! -e "$side/run/x.tar.zst" ] || unpacked "$side"
    done
    diff -r one all || fail "$name: $* by $team is not the same"
}

# Without RANKS: all formats by the last team, the first one by all; each other command once.
first=${traces%% *} last=${teams##* }
for trace in $traces; do
    for team in $teams; do
        if [ -n "${RANKS:-}" ] || [ "$trace" = "$first" ] || [ "$team" = "$last" ]; then
            same "$trace" "$team"
        fi
        if [ -n "${RANKS:-}" ] || { [ "$trace" = "$first" ] && [ "$team" = "$last" ]; }; then
            for command in 'structure --json' index 'profile --by iteration --json' 'profile -o p.cubex' \
                '--proof --report p.html' '--archive x.tar.zst'; do
                same "$trace" "$team" $command
            done
        fi
    done
done

# refused STATUS TEXT N COMMAND...: it ends with the status, one line that has the text, and no file
refused() {
    status=$1 text=$2 n=$3
    shift 3
    ls -A >"$work/before"
    seen=0
    ranks "$n" "$@" >"$work/out" 2>"$work/err" || seen=$?
    [ "$seen" = "$status" ] || fail "$*: exit status $seen, not $status: $(cat "$work/err")"
    [ "$(grep -c '^prvcut: ' "$work/err")" = 1 ] && grep -q "^prvcut: .*$text" "$work/err" ||
        fail "$*: $(cat "$work/err")"
    ls -A | cmp -s - "$work/before" || fail "$*: it left a file: $(ls -A)"
}

# What needs no loop is counted by each rank, of a compressed trace, too.
zstd -q "$first" -o packed.prv.zst
"$prvcut" profile packed.prv.zst >alone
ranks 2 "$mpi" profile packed.prv.zst >shared
cmp alone shared || fail 'profile of a compressed trace is not the same'

# Threads are as many as processors that the rank is left
if command -v taskset >/dev/null; then
    left=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
    PRVCUT_LOG=debug ranks 1 taskset -c "$left" "$mpi" -n "$first" 2>&1 >/dev/null | grep -q ', threads 1 ' ||
        fail 'a rank with one processor takes more threads'
fi

mkdir refused && cd refused
ln -s "$samples/lu.S.8.row" app.row
cp "$first" app.prv
# An index that one rank alone sees is not used by any
mkdir seen
ln -s "$PWD/app.row" "$PWD/app.prv" seen
"$prvcut" index -q seen/app.prv
for command in '-n --quick' structure profile; do
    "$prvcut" $command --no-index app.prv >"$work/alone" 2>&1
    ranks 2 sh -c '[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 ] || cd seen
        exec "$@"' sh "$mpi" $command app.prv >"$work/shared" 2>&1 || fail "$command, an index of one: $(cat "$work/shared")"
    cmp "$work/alone" "$work/shared" || fail "$command, an index of one rank: another answer"
done
# Nor one that is damaged where rank 0 sees it, and nowhere else
"$prvcut" index -q app.prv
cp -p app.prvx "$work/app.prvx"
size=$(stat -c %s seen/app.prvx)
{ head -c $((size / 2)) "$work/app.prvx" && head -c $((size - size / 2)) /dev/zero; } >seen/app.prvx
for command in '-n --quick' structure; do
    "$prvcut" $command --no-index app.prv >"$work/alone" 2>&1
    ranks 2 sh -c '[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" != 0 ] || cd seen
        exec "$@"' sh "$mpi" $command app.prv >"$work/shared" 2>&1 || fail "$command, an index damaged at one: $(cat "$work/shared")"
    cmp "$work/alone" "$work/shared" || fail "$command, an index damaged at one: another answer"
done
rm -r seen app.prvx
# What is there is replaced by nobody, whichever rank comes first
for kept in kept.cubex kept.cube; do
    echo kept >"$kept"
    refused 5 "$kept exists" 4 "$mpi" profile -o "$kept" app.prv
    [ "$(cat "$kept")" = kept ] || fail "profile -o $kept: it was replaced"
    rm "$kept"
done
refused 2 'which needs the trace in one order; .*try: prvcut waits app.prv' 2 "$mpi" waits app.prv
mkfifo pipe
refused 2 'a pipe: each would take a part of it.*try: prvcut profile pipe' 2 "$mpi" profile pipe
rm pipe
# All ranks do the same, with as many threads as each likes
refused 2 "with 'prvcut-mpi profile app.prv', rank 1 with 'prvcut-mpi index app.prv'; try: " 1 \
    "$mpi" profile app.prv : -n 1 "$mpi" index app.prv
refused 2 'rank 1 with .*--iterations 4' 1 "$mpi" -n --iterations 2 app.prv : -n 1 "$mpi" -n --iterations 4 app.prv
ranks 1 "$mpi" profile -T 1 app.prv : -n 1 "$mpi" profile --threads 2 app.prv >"$work/shared"
"$prvcut" profile app.prv | cmp - "$work/shared" || fail 'profile by ranks of different threads is not the same'
refused 2 'try: prvcut-mpi --region 1 app.prv' 2 "$mpi" --regoin 1 app.prv
ln -s ../packed.prv.zst .
refused 2 'cannot be divided; .*try: prvcut structure packed.prv.zst' 2 "$mpi" structure packed.prv.zst
refused 2 'cannot be divided; .*try: prvcut --iterations 5 -o c5.prv packed.prv.zst$' 2 \
    "$mpi" --iterations 5 -o c5.prv packed.prv.zst

# unlike TEXT TRACE [COMMAND]: rank 1 sees what is in $work/other
unlike() {
    for command in -n ${3-}; do
        refused 1 "$1" 2 sh -c '[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 ] || cd "$1"
            exec "$0" $3 "$2"' "$mpi" "$work/other" "$2" "$command"
    done
}

# Another time, other bytes of the same size and time, other labels, other files of an archive
mkdir "$work/other"
cp -p app.prv "$work/other"
touch -d '2020-01-02 03:04:05' "$work/other/app.prv"
unlike '2020-01-02 03:04:05' app.prv profile
{ head -n -2 app.prv; tail -n 1 app.prv; tail -n 2 app.prv | head -n 1; } >"$work/other/app.prv"
touch -r app.prv "$work/other/app.prv"
unlike 'rank 1 reads .* of its ends' app.prv
cp -p app.prv "$work/other"
echo >app.pcf
touch -r app.prv app.pcf
unlike 'rank 1 reads .* of its other files' app.prv profile
rm app.pcf
if [ -d "$work/eztrace" ]; then
    cp -rp "$work/eztrace/." "$work/other"
    log=$(cd "$work/eztrace" && find . -name '*.otf2')
    pieces=$(find "$work/other" -name '*.evt' | sort | head -2)
    a=${pieces%%"
"*} b=${pieces##*"
"}
    mv "$a" swap && mv "$b" "$a" && mv swap "$b"
    (cd "$work/eztrace" && unlike 'rank 1 reads .* of its other files' "$log")
fi

# hurt FILE TEXT: without it, and with no more than the first half of it, its trace is refused as by one process; of the
# halves something is in the middle of what they have to tell
hurt() {
    cp "$1" "$work/whole"
    trace=$(find_trace "$1")
    if [ "$trace" != "$1" ]; then
        rm "$1"
        refused 3 "$2" 4 "$mpi" -o cut."${trace##*.}" "$trace"
    fi
    head -c $(($(stat -c %s "$work/whole") / 2)) "$work/whole" >"$1"
    [ "$trace" != "$1" ] || { echo '1:no:record' && tail -n 100 "$work/whole"; } >>"$1"
    refused 3 "$(basename "$1")" 4 "$mpi" -o cut."${trace##*.}" "$trace"
    cp "$work/whole" "$1"
}

# find_trace FILE: the trace that it is a piece of
find_trace() {
    case $1 in
    *.evt) find "${1%%/*}" -name '*.otf2' ;;
    *.events) find "${1%%/*}" -name '*.otf' ;;
    *) echo "$1" ;;
    esac
}

# killed TRACE MOMENT...: a rank that is killed, whenever that is, ends all; what then stands under a final name is whole,
# and the next run there leaves what it alone leaves
killed() {
    trace=$1 cut=cut.${1##*.}
    shift
    for after; do
        mkdir kill
        (cd kill && "$prvcut" -q -o "$cut" "../$trace")
        mv kill "$work/whole.kill"
        mkdir kill
        limit=20
        (cd kill && ranks 3 sh -c '[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" != 1 ] || exec timeout -s KILL "$1" "$0" -q -o "$2" "$3"
            exec "$0" -q -o "$2" "$3"' "$mpi" "$after" "$cut" "../$trace") >"$work/out" 2>"$work/err" &
        # Where a rank died, mpirun of Open MPI 4 now and then waits for itself when all have ended: these are asked.
        waited=0
        while kill -0 $! 2>/dev/null && [ "$waited" -lt 75 ]; do
            sleep 0.2
            waited=$((waited + 1))
        done
        [ "$waited" -lt 75 ] || ! ps -eo stat=,args= | grep -v '^Z\|mpirun' | grep -q "prvcut-mpi -q -o $cut \.\./$trace" ||
            fail "$trace: killed after $after s: the others did not end"
        wait $! || true
        limit=60
        [ ! -e "kill/$cut" ] || cmp -s "kill/$cut" "$work/whole.kill/$cut" || fail "$trace: killed after $after s: $cut is not whole"
        (cd kill && ranks 3 "$mpi" -q -f -o "$cut" "../$trace")
        diff -r kill "$work/whole.kill" || fail "$trace: killed after $after s, and another run: not the same"
        rm -r kill "$work/whole.kill"
    done
}

# asked: a rank that is asked to end does, though it waits for one that says nothing more
asked() {
    awk 'BEGIN {
        print "#Paraver (01/01/2026 at 12:00):2000000_ns:1(1):1:1(1:1)"
        for (i = 0; i < 2000000; i++) print "1:1:1:1:1:" i ":" i + 1 ":" 1 + i % 2
    }' >long.prv
    limit=30
    ranks 2 sh -c 'rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
        echo $$ >"asked.$rank"
        # Once it reads, it is past what MPI begins with.
        if [ "$rank" = 1 ]; then
            (until ls -l "/proc/$$/fd" | grep -q long.prv; do kill -0 $$ || exit; done; kill -STOP $$) 2>/dev/null &
        fi
        exec "$0" structure -T 1 long.prv' "$mpi" >"$work/out" 2>"$work/err" &
    waited=0
    while kill -0 $! 2>/dev/null && ! ps -o stat= -p "$(cat asked.1 2>/dev/null || echo $$)" | grep -q T; do
        sleep 0.1
    done
    kill -TERM "$(cat asked.0)" 2>/dev/null || true
    while kill -0 $! 2>/dev/null && [ "$waited" -lt 75 ]; do
        sleep 0.2
        waited=$((waited + 1))
    done
    kill -KILL "$(cat asked.1)" "$(cat asked.0)" 2>/dev/null || true
    wait $! || true
    limit=60
    [ "$waited" -lt 75 ] || fail 'a rank that waits for another one did not end when it was asked to'
    rm -f asked.* long.prv
}

# A piece that is missing or damaged, a disk that is full and a rank that is killed, in each format
hurt app.prv
pieces=app.prv
for archive in eztrace otf; do
    [ -d "$work/$archive" ] || continue
    cp -r "$work/$archive" .
    hurt "$(find "$archive" -name '*.evt' -size +4 -o -name '*.2.events' | sort | tail -n 1)" 'missing\|but there is no'
    pieces="$pieces $(find "$archive" -name '*.otf2' -o -name '*.otf')"
done
mkdir disk
for trace in $pieces; do
    mount -t tmpfs -o size=8k tmpfs disk 2>/dev/null || break
    refused 1 'No space left on device' 3 "$mpi" -o "disk/cut.${trace##*.}" "$trace"
    full=$(ls -A disk)
    umount disk
    [ -z "$full" ] || fail "the full disk holds $full"
done
rmdir disk
asked
if [ -n "${RANKS:-}" ]; then
    for trace in $pieces; do
        killed "$trace" 0.1 0.2 0.3 0.4 0.6
    done
else
    killed app.prv 0.3
fi
