#!/bin/sh
# Every public header alone compiles as C11, C17 and C++17 without a warning, and twice is once.
#
#   sh headers.sh INCLUDE CC CXX
set -eu
include=$1
cc=$2
cxx=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-headers.XXXXXX")
trap 'rm -rf "$work"' EXIT
status=0

# check COMPILER LANGUAGE STANDARD HEADER
check() {
    printf '#include <prvcut/%s>\n#include <prvcut/%s>\nint prvcut_alone;\n' "$4" "$4" \
        >"$work/alone.$2"
    "$1" "-std=$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only "-I$include" "$work/alone.$2" || {
        echo "$4 does not stand alone as $3" >&2
        status=1
    }
}

for header in "$include"/prvcut/*.h; do
    name=$(basename "$header")
    check "$cc" c c11 "$name"
    check "$cc" c c17 "$name"
    check "$cxx" cc c++17 "$name"
done
exit $status
