#!/bin/sh
# The example in the library's manual compiles without a warning and does what it says.
#
#   sh manual.sh SOURCE BUILD CC
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-manual.XXXXXX")
trap 'rm -rf "$work"' EXIT

sed -n '/^\.Bd -literal$/,/^\.Ed$/p' "$1/man/libprvcut.3" | sed '/^\./d; s/\\e/\\/g' >"$work/a.c"
grep -q prvcut_reduce "$work/a.c"
"$3" -std=c11 -Wall -Wextra -Wpedantic -Werror "-I$1/include" "$work/a.c" "-L$2" -lprvcut \
    "-Wl,-rpath,$2" -o "$work/a"
cp "$2"/samples/lu.S.8.* "$work"
cd "$work"
test "$(./a lu.S.8.prv)" = lu.S.8.chop1.prv
test -s lu.S.8.chop1.prv
