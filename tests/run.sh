#!/bin/sh
# Build and test on a fresh Debian 12. The last line is ctest's summary of the last test run.
#
#   sh tests/run.sh         tests of the release build, clang's and clang-tidy's look at every source, tests with
#                           AddressSanitizer and UndefinedBehaviorSanitizer; warnings are errors
#   sh tests/run.sh quick   tests of the release build only
#   sh tests/run.sh full    as without a word, but long tests take all real traces and random runs
#                           (PRVCUT_TESTS_ALL), not a few of each kind; with sanitizers one step less
#
# CC is the compiler of the release and the sanitizer build [gcc], JOBS how many run at once [all
# processors], BUILD the folder to build in [build].
set -eu
cd "$(dirname -- "$0")/.."
mode=${1:-all}
case $mode in
all | quick | full) ;;
*)
    echo "usage: sh tests/run.sh [quick | full]" >&2
    exit 2
    ;;
esac

build_in=${BUILD:-build}
jobs=${JOBS:-$(nproc)}
compiler=${CC:-gcc}
unset CC
# Some two hundred programs are linked; gold takes a third of the time.
linker=
command -v ld.gold >/dev/null && linker=-fuse-ld=gold

# configure FOLDER COMPILER OPTION...
configure() {
    folder=$1
    with=$2
    shift 2
    cmake -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$with" -DPRVCUT_WERROR=ON -DPRVCUT_TESTS=ON \
        ${linker:+"-DCMAKE_EXE_LINKER_FLAGS=$linker"} "$@"
}

# build FOLDER: all of it
build() {
    cmake --build "$1" -j "$jobs"
}

# look FOLDER: have clang look at every source, for its warnings and the mistakes that .clang-tidy names; nothing is written.
# What a build makes itself (the page's files as texts) is not there.
look() {
    sed -n 's/^ *"file": "\(.*\)",*$/\1/p' "$1/compile_commands.json" | grep -v page_files.c | sort -u |
        xargs -d '\n' -P "$jobs" -n 40 clang-tidy -p "$1" --quiet
}

# compile HOW NAME COMPILER OPTION...: in a folder of that name
compile() {
    how=$1
    at=$build_in/$2
    shift 2
    echo "== $at: $*"
    { configure "$at" "$@" && "$how" "$at"; } >"$at.log" 2>&1 || {
        tail -n 100 "$at.log" >&2
        return 1
    }
}

# check NAME [OPTION...]: run the tests of that build, end with ctest's summary line. Some wait, for a browser or for
# processes to end: more than the processors run at once.
check() {
    log=$build_in/$1.tests
    status=0
    at=$build_in/$1
    shift
    ctest --test-dir "$at" -j "$(((3 * jobs + 1) / 2))" --output-on-failure --no-tests=error --output-log "$log" "$@" ||
        status=$?
    grep 'tests passed' "$log" || status=1
    return "$status"
}

sh tests/install.sh
mkdir -p "$build_in"
everything=OFF
[ "$mode" = full ] && everything=ON
compile build release "$compiler" -DCMAKE_BUILD_TYPE=Release -DPRVCUT_TESTS_ALL=$everything
# Some tests do the same in both builds: they are run once, with the sanitizers.
once=
[ "$mode" = all ] && once='-LE sanitized'
# shellcheck disable=SC2086
check release $once
[ "$mode" = quick ] && exit 0
compile look clang clang -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
# Lines are all that a sanitizer's report needs to know.
compile build dev "$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-g1 -DPRVCUT_SANITIZE=ON \
    -DPRVCUT_TESTS_ALL=$everything
check dev
