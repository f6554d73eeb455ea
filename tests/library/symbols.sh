#!/bin/sh
# The shared library shows what the public headers declare, and nothing else.
#
#   sh symbols.sh INCLUDE LIBRARY
set -eu
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-symbols.XXXXXX")
trap 'rm -rf "$work"' EXIT

cat "$1"/prvcut/*.h | grep -v '^#' | tr '\n' ' ' | grep -oE 'PRVCUT_API [^;]*' |
    sed -E 's/^PRVCUT_API [^(]*[ *](prvcut_[a-z0-9_]+)\(.*/\1/' | sort -u >"$work/declared"
nm -D --defined-only "$2" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u >"$work/shown"
diff "$work/declared" "$work/shown" || {
    echo "declared (<) and shown (>) differ" >&2
    exit 1
}
test -s "$work/declared"
