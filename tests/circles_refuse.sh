#!/bin/sh
# Does circles.sh refuse files that call each other, two or three? They are added to a copy of the sources.
#
#   sh tests/circles_refuse.sh
set -eu
. "$(dirname -- "$0")/support/skip.sh"

tests=$(cd -- "$(dirname -- "$0")" && pwd)
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || skip 'no universal-ctags is there'
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-circles.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cp -R "$tests/../src" "$tests/../formats" "$scratch"

CIRCLES_OF=$scratch sh "$tests/circles.sh" || {
    echo "the sources themselves are refused" >&2
    exit 1
}
printf 'int day_of(int x)\n{\n    return night_of(x);\n}\n' >"$scratch/src/pass/day.c"
printf 'int night_of(int x)\n{\n    return x;\n}\n' >"$scratch/src/pass/night.c"
CIRCLES_OF=$scratch sh "$tests/circles.sh" || {
    echo "a file that calls another one is refused" >&2
    exit 1
}
printf 'int night_of(int x)\n{\n    return x > 0 ? day_of(x - 1) : 0;\n}\n' >"$scratch/src/pass/night.c"
if CIRCLES_OF=$scratch sh "$tests/circles.sh" >/dev/null; then
    echo "two files that call each other are not refused" >&2
    exit 1
fi
# The same by way of a third one.
printf 'int dusk_of(int x)\n{\n    return day_of(x);\n}\n' >"$scratch/src/pass/dusk.c"
printf 'int night_of(int x)\n{\n    return x > 0 ? dusk_of(x - 1) : 0;\n}\n' >"$scratch/src/pass/night.c"
if CIRCLES_OF=$scratch sh "$tests/circles.sh" >/dev/null; then
    echo "three files that call each other in a circle are not refused" >&2
    exit 1
fi
