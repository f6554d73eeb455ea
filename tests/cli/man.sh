#!/bin/sh
# The manual page names exactly the options that the help lists, with the same arguments and
# defaults, and every command: sh tests/cli/man.sh PRVCUT
set -eu
prvcut=$1
page=$(dirname -- "$0")/../../man/prvcut.1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

commands=$("$prvcut" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ] || { echo "the help lists no command" >&2; exit 1; }
for command in $commands; do
    grep -q "^\.It Cm $command\$" "$page" || { echo "no command $command in $page" >&2; status=1; }
done

# "-T, --threads N" of the help, for all commands; defaults apart, as several commands may share one.
for topic in '' $commands; do
    # shellcheck disable=SC2086 # no topic is no word
    "$prvcut" help $topic
done >"$scratch/help"
sed -nE 's/^  (-.|  )(,| ) (--[a-z-]+)(( [^ ]+)?)  .*/\1 \3\4/p' "$scratch/help" |
    sed 's/^ *//' | sort -u >"$scratch/listed"

# ".It Fl T , Fl \-threads Ar N" of the page, in the same form.
sed -nE '/^\.It Fl/{
    s/^\.It //
    s/Fl \\-/--/g
    s/Fl ([A-Za-z])/-\1/g
    s/ , / /
    s/ \| /|/g
    s/(Ar|Cm) //g
    p
}' "$page" | sort -u >"$scratch/described"

[ -s "$scratch/listed" ] || { echo "the help lists no option" >&2; exit 1; }
diff -u "$scratch/listed" "$scratch/described" >&2 || {
    echo "the help (-) and $page (+) differ" >&2
    status=1
}

sed -nE 's/^  .{3} --.*(\[[^]]+\])$/\1/p' "$scratch/help" | sort -u >"$scratch/defaults"
while read -r default; do
    grep -qF -e "$default" "$page" || { echo "no default $default in $page" >&2; status=1; }
done <"$scratch/defaults"

if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$page" "$(dirname -- "$page")/prvcut-report.5" >&2 || status=1
fi
exit "$status"
