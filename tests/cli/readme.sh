#!/bin/sh
# The sessions of the README and of the manual pages are what the program prints, and the README is no longer than a
# reader's patience:
#
#   sh tests/cli/readme.sh PRVCUT
#
# A session is a block of code whose first line begins with '$ '. Those of the README run one after the other in one folder
# that holds 'samples', those of each page in a folder with the sample as app.prv. The README's recipes, and the commands at
# its top, work as they are typed one after the other on app.prv. UPDATE=1 writes what was seen into the README and the
# pages instead: read the difference before you keep it.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
"$prvcut" formats | grep -q '^otf2 ' || skip 'OTF2 is not built in'
readme=$root/README.md
longest=250
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/in" "$scratch/top" "$scratch/recipes"
ln -s "$prvcut" "$scratch/bin/prvcut"
ln -s "$root/samples" "$scratch/in/samples"
PATH=$scratch/bin:$PATH
XDG_CACHE_HOME=$scratch/cache
export PATH XDG_CACHE_HOME
unset DISPLAY WAYLAND_DISPLAY BROWSER SSH_CONNECTION || true
unset COLUMNS NO_COLOR PRVCUT_LOG PRVCUT_THREADS || true

# typed: a session's lines, each command followed by what it prints
typed() {
    while IFS= read -r command; do
        case $command in
        '$ '*)
            printf '%s\n' "$command"
            (cd "$scratch/in" && sh -c "${command#\$ }" </dev/null 2>&1)
            ;;
        esac
    done
}

# sessions OPEN CLOSE: a text with what its sessions print now
sessions() {
    inside=no
    while IFS= read -r line; do
        case $inside$line in
        "no$1")
            inside=maybe
            ;;
        'maybe$ '*)
            inside=session
            printf '%s\n' "$line" >"$scratch/session"
            continue
            ;;
        maybe*)
            inside=no
            ;;
        "session$2")
            inside=no
            typed <"$scratch/session"
            ;;
        session*)
            printf '%s\n' "$line" >>"$scratch/session"
            continue
            ;;
        esac
        printf '%s\n' "$line"
    done
}

# sample FOLDER: the sample, under the name of the examples, and two runs to compare
sample() {
    (
        cd "$1"
        data=$root/tests/cli/data longer=40
        . "$data/loop.sh"
        . "$data/slow.sh"
        mv loop.prv before.prv
        mv slow.prv after.prv
    )
    for suffix in prv pcf; do
        zstd -dqf "$root/samples/lu.S.8.$suffix.zst" -o "$1/app.$suffix"
    done
    cp "$root/samples/lu.S.8.row" "$1/app.row"
    cp "$root/samples/epoch.csv" "$1/modelfactors.csv"
    for ranks in 4 8 16; do
        for run in app gcc icc; do ln -sf app.prv "$1/$run.$ranks.prv"; done
    done
    cp "$root/samples/counters.csv" "$1/counters.csv"
}

sessions '```' '```' <"$readme" >"$scratch/seen"
for page in "$root"/man/*.1; do
    rm -rf "$scratch/in/"*
    sample "$scratch/in"
    sed 's/\\(+-/±/g' "$page" | sessions '.Bd -literal' .Ed | sed 's/±/\\(+-/g' >"$scratch/${page##*/}"
done

if [ -n "${UPDATE:-}" ]; then
    cp "$scratch/seen" "$readme"
    cp "$scratch/"*.1 "$root/man"
    exit 0
fi
diff -u "$readme" "$scratch/seen"
for page in "$root"/man/*.1; do
    diff -u "$page" "$scratch/${page##*/}"
done
grep -q '^\$ prvcut' "$readme" || {
    echo "README.md: no session was found" >&2
    exit 1
}

# follow FOLDER LEAST NAME: the commands on standard input, at least so many, a line each, in a folder with app.prv
follow() {
    sample "$1"
    followed=0
    while IFS= read -r command; do
        (cd "$1" && sh -c "$command" </dev/null >"$scratch/said" 2>&1) || {
            echo "$3: '$command' fails: $(cat "$scratch/said")" >&2
            exit 1
        }
        followed=$((followed + 1))
    done
    [ "$followed" -ge "$2" ] || {
        echo "$3: only $followed commands were found" >&2
        exit 1
    }
}
sed -n 's/^    \(prvcut .*\)/\1/p' "$readme" >"$scratch/commands"
follow "$scratch/top" 2 README.md <"$scratch/commands"
# shellcheck disable=SC2016 # the backticks are the README's
sed -n '/^## Recipes/,/^## /p' "$readme" | grep '^|' | grep -o '`prvcut [^`]*`' | tr -d '`' >"$scratch/commands"
follow "$scratch/recipes" 15 README.md <"$scratch/commands"

# The examples of each page, in one folder with all that they name; viewers are not here.
for viewer in wxparaver vampir; do
    printf '#!/bin/sh\n' >"$scratch/bin/$viewer"
    chmod +x "$scratch/bin/$viewer"
done
ln -s "$prvcut" "$scratch/bin/csv-analysis"
kit() {
    gzip -k "$1/app.prv"
    tar --zstd -xf "$root/samples/lu.S.4-eztrace.tar.zst" -C "$1"
    mv "$1/lu.S.4_trace" "$1/app_trace"
    echo '<config><cutter><by_time>1</by_time><minimum_time>20000000</minimum_time>' \
        '<maximum_time>60000000</maximum_time></cutter></config>' >"$1/cutter.xml"
    echo '<config><filter><discard_communications>1</discard_communications></filter></config>' >"$1/filter.xml"
    "$prvcut" signal --csv --metric computing "$1/app.prv" |
        awk -F, 'NR > 1 { printf "1\t%d\t%d\t%s\n", $1, 132345, $2 }' >"$1/useful.csv"
}
for page in "$root"/man/*.[15]; do
    sed -n 's/^\.Dl \$ //p' "$page" | sed "s/\\\\-/-/g; s/\\\\&//g; s/\\\\(aq/'/g" | sed 's/\\e/\\/g' >"$scratch/commands"
    [ -s "$scratch/commands" ] || continue
    rm -rf "$scratch/page"
    mkdir "$scratch/page"
    sample "$scratch/page"
    kit "$scratch/page"
    follow "$scratch/page" 1 "${page##*/}" <"$scratch/commands"
done

lines=$(wc -l <"$readme")
[ "$lines" -le "$longest" ] || {
    echo "README.md: $lines lines, more than $longest" >&2
    exit 1
}
