#!/bin/sh
# Files of a folder stand above each other: none calls one that calls it. What is left from before the
# rule is counted in circles.count, pairs of files folder by folder; a count may only shrink.
#
#   sh tests/circles.sh           compare; 77 without universal-ctags
#   sh tests/circles.sh --list    the pairs, each with a function that either takes from the other
#   sh tests/circles.sh --count   what circles.count is to hold
#
# CIRCLES_OF (the source tree) is the folder whose src and formats are looked at.
set -eu
. "$(dirname -- "$0")/support/skip.sh"

tests=$(cd "$(dirname "$0")" && pwd)
cd "${CIRCLES_OF:-$tests/..}"
LC_ALL=C
export LC_ALL
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || skip 'no universal-ctags is there'

# "FILE FILE NAME NAME": two that call each other, what the first takes, what the second takes.
pairs() {
    homes=$(ctags -x --languages=C --kinds-C=f --_xformat='%N %F %{file}' -R formats src |
        awk '$3 != "file" && $2 ~ /\.c$/ { print $1, $2 }')
    find formats src -name '*.c' -exec grep -oE '[a-z_][a-z0-9_]*\(' {} + | {
        printf '%s\n' "$homes"
        echo =
        cat
    } | awk '
        function folder(file) { sub(/\/[^\/]*$/, "", file); return file }
        $1 == "=" { called = 1; next }
        !called { home[$1] = $2; next }
        {
            split($0, at, ":")
            sub(/\(/, "", at[2])
            if ((at[2] in home) && home[at[2]] != at[1] && folder(home[at[2]]) == folder(at[1]))
                takes[at[1], home[at[2]]] = at[2]
        }
        END {
            for (both in takes) {
                split(both, file, SUBSEP)
                if (file[1] < file[2] && ((file[2], file[1]) in takes))
                    print file[1], file[2], takes[both], takes[file[2], file[1]]
            }
        }' | sort
}

count() {
    {
        find formats src -name '*.c' | sed 's,/[^/]*$,, ; s/$/ 0/'
        pairs | sed 's,/[^/]* .*, 1,'
    } | awk '{ n[$1] += $2 } END { for (folder in n) print folder, n[folder] }' | sort
}

case ${1:-} in
--list) pairs ;;
--count) count ;;
*)
    count | awk '
        NR == FNR { if ($1 !~ /^#/) most[$1] = $2; next }
        $2 > most[$1] + 0 {
            print $1 ": " $2 " pairs of files call each other, " most[$1] + 0 \
                " are left from before (sh tests/circles.sh --list)"
            bad = 1
        }
        $2 < most[$1] + 0 { print $1 ": " $2 " pairs instead of " most[$1] ": lower it in tests/circles.count" }
        END { exit bad }' "$tests/circles.count" -
    ;;
esac
