#!/bin/sh
# Does statics.sh refuse what it is there for? Each case is a file that is added to a copy of the
# sources.
#
#   sh tests/statics_refuse.sh
set -eu
. "$(dirname -- "$0")/support/skip.sh"

tests=$(cd -- "$(dirname -- "$0")" && pwd)
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || skip 'no universal-ctags is there'
scratch=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-statics.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
cp -R "$tests/../src" "$tests/../formats" "$scratch"
status=0

STATICS_OF=$scratch sh "$tests/statics.sh" || {
    echo "the sources themselves are refused" >&2
    exit 1
}
while IFS='|' read -r file name; do
    printf 'static int %s(int x)\n{\n    return x;\n}\n' "$name" >"$scratch/$file"
    if STATICS_OF=$scratch sh "$tests/statics.sh" >/dev/null; then
        echo "$file is not refused: $name" >&2
        status=1
    fi
    rm "$scratch/$file"
done <<'END'
src/follow/ripe.c|banana
src/follow/ripe.c|banana_peel
src/stream/ripe.c|epir_peel
src/pass/ripe.c|ri_peel
src/structure/ripe.c|pass_join
src/api/ripe.c|banana
src/cli/ripe.c|add
END
exit "$status"
