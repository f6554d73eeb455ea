#!/bin/sh
# Files of a folder stand above each other: none calls one that calls it, be it by way of others. What is
# left from before the rule is counted in circles.count, folder by folder: pairs of files, and files that
# stand in a circle of several, or between two circles. A count may only shrink.
#
#   sh tests/circles.sh           compare; 77 without universal-ctags
#   sh tests/circles.sh --list    the pairs, each with a function that either takes from the other
#   sh tests/circles.sh --long    the files of circles, each with one of them that it takes something from
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

# "FILE FILE NAME": the first takes what is called so from the second, of the same folder.
takes() {
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
                takes[at[1] " " home[at[2]]] = at[2]
        }
        END { for (both in takes) print both, takes[both] }' | sort
}

# "FILE FILE NAME NAME": two that call each other, what the first takes, what the second takes.
pairs() {
    takes | awk '
        { takes[$1, $2] = $3 }
        END {
            for (both in takes) {
                split(both, file, SUBSEP)
                if (file[1] < file[2] && ((file[2], file[1]) in takes))
                    print file[1], file[2], takes[both], takes[file[2], file[1]]
            }
        }' | sort
}

# "FILE FILE NAME" of those that are left when files that take nothing from those left, or from which none
# of those left takes anything, are left out again and again.
long() {
    takes | awk '
        { from[NR] = $1; to[NR] = $2; name[NR] = $3; left[$1] = left[$2] = 1 }
        END {
            do {
                split("", takes)
                split("", taken)
                for (i = 1; i <= NR; i++)
                    if (left[from[i]] && left[to[i]]) {
                        takes[from[i]] = i
                        taken[to[i]] = 1
                    }
                gone = 0
                for (file in left)
                    if (left[file] && !((file in takes) && (file in taken))) {
                        left[file] = 0
                        gone++
                    }
            } while (gone > 0)
            for (file in takes)
                print file, to[takes[file]], name[takes[file]]
        }' | sort
}

# "FOLDER PAIRS FILES"
count() {
    {
        find formats src -name '*.c' | sed 's,/[^/]*$,, ; s/$/ 0 0/'
        pairs | sed 's,/[^/]* .*, 1 0,'
        long | sed 's,/[^/]* .*, 0 1,'
    } | awk '{ n[$1] += $2; m[$1] += $3 } END { for (folder in n) print folder, n[folder], m[folder] }' | sort
}

case ${1:-} in
--list) pairs ;;
--long) long ;;
--count) count ;;
*)
    count | awk '
        NR == FNR {
            if ($1 !~ /^#/) {
                most[$1] = $2
                files[$1] = $3
            }
            next
        }
        $2 > most[$1] + 0 {
            print $1 ": " $2 " pairs of files call each other, " most[$1] + 0 \
                " are left from before (sh tests/circles.sh --list)"
            bad = 1
        }
        $3 > files[$1] + 0 {
            print $1 ": " $3 " files stand in circles or between them, " files[$1] + 0 \
                " are left from before (sh tests/circles.sh --long)"
            bad = 1
        }
        $2 < most[$1] + 0 || $3 < files[$1] + 0 {
            print $1 ": " $2 " pairs and " $3 " files instead of " most[$1] " and " files[$1] ": lower it in tests/circles.count"
        }
        END { exit bad }' "$tests/circles.count" -
    ;;
esac
