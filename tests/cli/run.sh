#!/bin/sh
# Run command lines and compare what they say, exactly:
#
#   sh tests/cli/run.sh PRVCUT CASE.cmd...
#
# CASE.cmd is a shell script, run in an empty folder with prvcut in the path, the folder of test data
# in $data, and the samples in $samples. Standard output must equal CASE.out, standard error CASE.err,
# the exit status CASE.exit; where such a file is missing, nothing and 0. UPDATE=1 writes what was seen
# into these files instead: read the difference before you keep it. What a case leaves out it writes to
# the file $SKIPPED; the exit status is then 77, unless something failed. All of it is left out by
# `needs otf2 || exit 77` where that format is not built in.
set -eu
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM HUP

mkdir "$scratch/bin"
ln -s "$prvcut" "$scratch/bin/prvcut"
cat >"$scratch/bin/needs" <<'END'
#!/bin/sh
prvcut formats | grep -q "^$1 " && exit
echo "format $1 is not built in" >>"$SKIPPED"
exit 1
END
chmod +x "$scratch/bin/needs"
PATH=$scratch/bin:$PATH
SKIPPED=$scratch/skipped
# How much a long case takes (tests/CMakeLists.txt); 0: with sanitizers.
TAKE=${TAKE:-1}
data=$here/data
samples=$here/../../samples
LC_ALL=C
# Pages go there, and no browser opens.
XDG_CACHE_HOME=$scratch/in/cache
export PATH SKIPPED TAKE data samples LC_ALL XDG_CACHE_HOME
unset DISPLAY WAYLAND_DISPLAY BROWSER SSH_CONNECTION || true
unset NO_COLOR TERM PRVCUT_LOG PRVCUT_THREADS || true

# same EXPECTED SEEN
same() {
    expected=$1
    [ -e "$expected" ] || expected=$scratch/nothing
    diff -u "$expected" "$2" >&2
}

# keep FILE SEEN: what was seen becomes what is expected; nothing needs no file
keep() {
    if cmp -s "$2" "$3"; then rm -f "$1"; else cp "$2" "$1"; fi
}

failed=0
for case; do
    name=${case%.cmd}
    rm -rf "$scratch/in"
    mkdir "$scratch/in"
    : >"$scratch/nothing"
    echo 0 >"$scratch/zero"
    status=0
    case $case in /*) script=$case ;; *) script=$PWD/$case ;; esac
    (cd "$scratch/in" && sh "$script") >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    if [ "$status" = 77 ]; then
        [ -s "$SKIPPED" ] || failed=1
        continue
    fi
    echo "$status" >"$scratch/exit"
    if [ -n "${UPDATE:-}" ]; then
        keep "$name.out" "$scratch/out" "$scratch/nothing"
        keep "$name.err" "$scratch/err" "$scratch/nothing"
        keep "$name.exit" "$scratch/exit" "$scratch/zero"
        continue
    fi
    wanted=0
    [ ! -e "$name.exit" ] || wanted=$(cat "$name.exit")
    ok=1
    same "$name.out" "$scratch/out" || ok=0
    same "$name.err" "$scratch/err" || ok=0
    [ "$status" = "$wanted" ] || ok=0
    if [ "$ok" = 0 ]; then
        echo "$case: exit status $status, $wanted expected" >&2
        failed=1
    fi
done
if [ -s "$SKIPPED" ]; then
    echo "SKIPPED: $(sort -u "$SKIPPED" | paste -sd ';' -)"
    [ "$failed" != 0 ] || [ "${PRVCUT_TESTS_COMPLETE:-}" = 1 ] || exit 77
    failed=1
fi
exit "$failed"
