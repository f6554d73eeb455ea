#!/bin/sh
# Answers can grow (CONTRIBUTING.md, "The public headers can grow"): a struct whose comment says that
# it is a view stands in no other, nor in an array of one, and no function takes or gives one as the
# caller's storage, but for those that change an answer that there is. A call that makes one gives a pointer to it, and there is a function that
# releases it.
#
#   sh answers.sh INCLUDE
set -eu
include=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/prvcut-answers.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Comments, one a line, then the code without them, one declaration a line.
cat "$include"/prvcut/*.h | grep -v '^#' | tr '\n\t' '  ' |
    sed 's/\*\//\*\/\n/g; s/\/\*/\n\/\*/g' >"$work/pieces"
awk '/^\/\*/ { view = / [aA] view[ ,.]/; next }
     { if (view && match($0, /^ *struct prvcut_[a-z0-9_]+ \{/)) { print $2 } view = 0 }' \
    "$work/pieces" | sort -u >"$work/views"
grep -v '^/\*' "$work/pieces" | tr '\n' ' ' | sed 's/[;{}]/&\n/g; s/  */ /g' >"$work/code"
test -s "$work/views"

status=0
# wrong WHAT LINES
wrong() {
    [ -z "$2" ] || {
        printf '%s:\n%s\n' "$1" "$2" >&2
        status=1
    }
}
while read -r view; do
    uses=$(grep -E "struct $view( |\*)" "$work/code" || true)
    wrong "$view is held or given by value" \
        "$(printf '%s\n' "$uses" | grep -E "struct $view [a-z_]" || true)"
    wrong "a program could index $view" \
        "$(printf '%s\n' "$uses" | grep -E "struct $view \*[a-z_]+;" | grep -v "const struct $view" || true)"
    wrong "$view is the caller's storage" \
        "$(printf '%s\n' "$uses" | grep -E "struct $view \*[a-z_]+[,)]" | grep -v "const struct $view" |
            grep -vE "(${view}_free|${view}_limit|${view}_nests|${view}_set_[a-z]+)\(" || true)"
    if printf '%s\n' "$uses" | grep -q "struct $view \*\*"; then
        printf '%s\n' "$uses" | grep -q "void ${view}_free(struct $view \*" ||
            wrong "$view is made" "and there is no ${view}_free"
    fi
done <"$work/views"
exit $status
