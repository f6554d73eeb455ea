#!/bin/sh
# Static functions carry a short prefix of their file, so that no two files share a name and a search
# for it finds one place. A prefix is a word of three letters or more whose letters stand in the
# file's name, in this order ("fol_", "follow_", "flw_"). What is shared and what has no prefix is
# counted in statics.count, folder by folder; a count may only shrink.
#
#   sh tests/statics.sh           compare; 77 without universal-ctags
#   sh tests/statics.sh --list    the names that are shared, each with its files
#   sh tests/statics.sh --count   what statics.count is to hold
#   sh tests/statics.sh --bare    the names without such a prefix, each with its file
#
# STATICS_OF (the source tree) is the folder whose src and formats are looked at.
set -eu
. "$(dirname -- "$0")/support/skip.sh"

tests=$(cd "$(dirname "$0")" && pwd)
cd "${STATICS_OF:-$tests/..}"
LC_ALL=C
export LC_ALL
ctags --version 2>/dev/null | grep -q 'Universal Ctags' || skip 'no universal-ctags is there'

# "NAME FILE" of every static function of the library, the program and the formats; a macro that makes one is none.
statics() {
    ctags -x --languages=C --kinds-C=f --_xformat='%N %F %{file}' -R formats src |
        awk '$3 == "file" && $1 ~ /[a-z]/ { print $1, $2 }' | sort -u
}

# The same of those whose name is another file's, too.
shared() {
    statics | awk '{ n[$1]++; line[NR] = $0 } END { for (i = 1; i <= NR; i++) { split(line[i], x); if (n[x[1]] > 1) print line[i] } }'
}

# "FOLDER NAMES NAMES": shared ones, and those without a prefix.
count() {
    {
        find formats src -name '*.c' | sed 's,/[^/]*$,, ; s/$/ 0 0/'
        shared | sed 's,^[^ ]* ,, ; s,/[^/]*$,, ; s/$/ 1 0/'
        bare | sed 's,^[^ ]* ,, ; s,/[^/]*$,, ; s/$/ 0 1/'
    } | awk '{ n[$1] += $2; m[$1] += $3 } END { for (folder in n) print folder, n[folder], m[folder] }' | sort
}

# "NAME FILE" of those without a prefix of their file.
bare() {
    statics | awk '
        {
            stem = $2
            gsub(/.*\/|\.[ch]$/, "", stem)
            word = $1
            ok = sub(/_.*/, "", word) && (length(word) >= 3 || word == stem)
            for (i = 1; ok && i <= length(word); i++) {
                at = index(stem, substr(word, i, 1))
                ok = at > 0
                stem = substr(stem, at + 1)
            }
            if (!ok && $1 !~ /^prvcut_/)
                print
        }'
}

# Those of them in folders that have more than they had.
refused() {
    bare | awk '
        NR == FNR { if ($1 !~ /^#/) most[$1] = $3; next }
        {
            folder = $2
            sub(/\/[^\/]*$/, "", folder)
            n[folder]++
            lines[folder] = lines[folder] $2 ": the static function " $1 " has no prefix of its file\n"
        }
        END {
            for (folder in n)
                if (n[folder] > most[folder] + 0) {
                    printf "%s", lines[folder]
                    print folder ": " n[folder] " have none, " most[folder] + 0 " are left from before"
                    bad = 1
                }
            exit bad
        }' "$tests/statics.count" -
}

case ${1:-} in
--list) shared | awk '{ f[$1] = f[$1] " " $2 } END { for (name in f) print name ":" f[name] }' | sort ;;
--count) count ;;
--bare) bare ;;
*)
    status=0
    refused || status=1
    count | awk '
        NR == FNR {
            if ($1 !~ /^#/) {
                most[$1] = $2
                bare[$1] = $3
            }
            next
        }
        $3 < bare[$1] + 0 { print $1 ": " $3 " instead of " bare[$1] " have no prefix: lower it in tests/statics.count" }
        $2 > most[$1] + 0 {
            print $1 ": " $2 " static functions share their name with one of another file, " most[$1] + 0 \
                " are left from before; give new ones a prefix of their file (sh tests/statics.sh --list)"
            bad = 1
        }
        $2 < most[$1] + 0 {
            print $1 ": " $2 " instead of " most[$1] " share their name: lower it in tests/statics.count"
        }
        END { exit bad }' "$tests/statics.count" - || status=1
    exit "$status"
    ;;
esac
