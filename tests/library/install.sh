#!/bin/sh
# An installed library is found by pkg-config and by CMake, wherever it was put, and programs built
# with it run.
#
#   sh install.sh BUILD SAMPLE.c TRACE CC LATE.c
#
# LATE.c, the sample of late senders, has the installed headers and 60 lines for them.
set -eu
build=$1
sample=$2
trace=$3
cc=$4
late=$5
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-install.XXXXXX")
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/usr" >"$work/log"
libdir=$(dirname "$(find "$work/usr" -name libprvcut.so)")
[ "$(readlink "$libdir/libprvcut.so")" = libprvcut.so.1 ]
LD_LIBRARY_PATH=$libdir
PKG_CONFIG_PATH=$libdir/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs prvcut)
# shellcheck disable=SC2086 # these are words
"$cc" -std=c11 "$sample" $flags -o "$work/with-pkg-config"
"$work/with-pkg-config" "$trace" | grep -q 'level 1'
# shellcheck disable=SC2086
"$cc" -std=c11 "$late" $flags -o "$work/late"
"$work/late" "$trace" | grep -qx 'MPI_Recv waits 352923802 ns for 614 messages'
[ "$(wc -l <"$late")" -le 60 ]

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(user LANGUAGES C)
find_package(prvcut 1.0 REQUIRED)
add_executable(user $sample)
target_link_libraries(user PRIVATE prvcut::prvcut)
END
cmake -G Ninja -S "$work/project" -B "$work/project/build" "-DCMAKE_PREFIX_PATH=$work/usr" \
    "-DCMAKE_C_COMPILER=$cc" >>"$work/log" && cmake --build "$work/project/build" >>"$work/log" || {
    cat "$work/log" >&2
    exit 1
}
"$work/project/build/user" "$trace" | grep -q 'level 1'
# The program finds the library beside it.
env -u LD_LIBRARY_PATH "$work/usr/bin/prvcut" --version | grep -q '^prvcut '
test -f "$work/usr/share/man/man1/prvcut.1"

# DESTDIR puts all of it elsewhere, and nothing tells that folder.
DESTDIR=$work/stage cmake --install "$build" --prefix /opt/prvcut >>"$work/log"
test -x "$work/stage/opt/prvcut/bin/prvcut"
[ "$(ls "$work/stage")" = opt ]
if grep -r "$work" "$work/stage" "$work/usr"; then
    echo "the folder of the installation is written into it" >&2
    exit 1
fi
