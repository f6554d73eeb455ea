#!/bin/sh
# The manual pages and the help tell the same: synopses, options with their arguments and defaults,
# commands, variables. The help comes from the program's own table: sh tests/cli/man.sh PRVCUT
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$1
pages=$(cd -- "$(dirname -- "$0")/../../man" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

complain() {
    echo "$*" >&2
    status=1
}

# "--threads -T N" of each option in the help, for all commands.
heads_of_help() {
    sed -nE 's/^  (-.|  )(,| ) (--[a-z-]+)(( [^ ]+)?)(\[=[a-z]+\])?  .*/\1 \3\4\6/p' | sed 's/^ *//' | sort -u
}

# ".It Fl T , Fl \-threads Ar N" of a page, in the same form.
heads_of_page() {
    sed -nE '/^\.It Fl/{
        s/^\.It //
        s/Fl \\-/--/g
        s/Fl ([A-Za-z])/-\1/g
        s/ , / /
        s/ \| /|/g
        s/ Ns Op = Ns Cm ([a-z]+)/[=\1]/
        s/(Ar|Cm) //g
        p
    }' "$1" | sort -u
}

# The synopsis of a page that begins like this, in one line and in the help's form.
synopsis_of_page() {
    sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' "$1" | sed -E '1d;$d
        s/^\.Op (.*)/[\1]/
        s/^\.Nm( prvcut)?/@prvcut/
        s/^\.//
        s/(Cm|Ar) //g
        s/Fl \\-/--/g
        s/Fl ([a-z] )/-\1/g' | tr '\n@' ' \n' | sed -E 's/ +$//; s/ +/ /g' | grep "^$2\( \|\$\)" |
        tr '[:upper:]' '[:lower:]'
}

# "5 an output exists; -f replaces it" of each exit status in the help, and of a page: the first
# sentence of each.
statuses_of_help() {
    sed -n '/^Exit status:/,$s/^  \([0-9]\)  \(.*\)/\1 \2/p'
}
statuses_of_page() {
    sed -n '/^\.Sh EXIT STATUS/,/^\.El/p' "$1" | sed -E 's/^\.Fl (\\-)?([a-z]+)/-\2/
        s/^-([a-z][a-z])/--\1/' | tr '\n' ' ' | sed 's/\.It /\n/g' |
        sed -nE 's/^([0-9]) ([^.]+)\..*/\1 \2/p' | sed -E 's/^(. )(.)/\1\l\2/; s/ ,/,/g' | awk 1
}

# The help with each entry on one line.
help_of() {
    # shellcheck disable=SC2086 # no command is no word
    "$prvcut" help $1 | sed -E ':a;N;$!ba;s/(\n +(-., )?--[^ \n]+( [^ \n]+)?)\n {16,}/\1  /g;s/\n {16,}/ /g'
}

check_page() {
    command=$1
    page=$pages/prvcut${command:+-$command}.1
    [ -e "$page" ] || { complain "no page $page"; return; }
    help_of "$command" >"$scratch/help"
    heads_of_help <"$scratch/help" >"$scratch/listed"
    heads_of_page "$page" >"$scratch/described"
    [ -s "$scratch/listed" ] || complain "the help of '$command' lists no option"
    if [ -z "$command" ]; then
        diff -u "$scratch/listed" "$scratch/described" >&2 || complain "the help (-) and $page (+) differ"
    else
        comm -13 "$scratch/listed" "$scratch/described" >"$scratch/odd"
        [ ! -s "$scratch/odd" ] || complain "$page: not in the help: $(cat "$scratch/odd")"
        sed -E 's/^-. //; s/^--([a-z-]+).*/\1/' "$scratch/listed" | while read -r option; do
            grep -qE "\\\\-$option( |\$)" "$page" || echo "$option"
        done >"$scratch/missing"
        [ ! -s "$scratch/missing" ] || complain "$page: no word of: $(cat "$scratch/missing")"
    fi
    statuses_of_help <"$scratch/help" >"$scratch/listed_statuses"
    statuses_of_page "$page" >"$scratch/described_statuses"
    [ -s "$scratch/listed_statuses" ] || complain "the help of '$command' lists no exit status"
    diff -u "$scratch/listed_statuses" "$scratch/described_statuses" >&2 ||
        complain "exit statuses: the help (-) and $page (+) differ"
    # Defaults of what the page describes itself.
    while read -r head; do
        sed -nE "s/^ .* --$(echo "$head" | sed -E 's/^-. //; s/^--([a-z-]+).*/\1/')[ [].*(\[[^]]+\])\$/\1/p" \
            "$scratch/help"
    done <"$scratch/described" | sort -u >"$scratch/defaults"
    while read -r default; do
        grep -qF -e "$default" "$page" || complain "no default $default in $page"
    done <"$scratch/defaults"
}

commands=$("$prvcut" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ] || { echo "the help lists no command" >&2; exit 1; }
check_page ''
for command in $commands; do
    grep -q "^\.It Cm $command\$" "$pages/prvcut.1" || complain "no command $command in prvcut.1"
    usage=$("$prvcut" help "$command" | sed -n '1s/^Usage: //p' | tr '[:upper:]' '[:lower:]')
    seen=$(synopsis_of_page "$pages/prvcut.1" "prvcut $command")
    [ "$seen" = "$usage" ] || complain "prvcut.1: '$seen', but the help: '$usage'"
    # help is explained where the others are listed.
    [ "$command" != help ] || continue
    check_page "$command"
    grep -q "^\.Xr prvcut-$command 1" "$pages/prvcut.1" || complain "prvcut.1 does not refer to prvcut-$command"
    seen=$(synopsis_of_page "$pages/prvcut-$command.1" "prvcut $command")
    [ "$seen" = "$usage" ] || complain "prvcut-$command.1: '$seen', but the help: '$usage'"
done

"$prvcut" --help | sed -nE '/^Environment:/,/^$/s/^  ([A-Z_]+)=([^ ]+)  .*/\1=\2/p' >"$scratch/variables"
[ -s "$scratch/variables" ] || complain "the help lists no variable"
while read -r variable; do
    sed -nE 's/ \| /|/g; s/^\.It Ev ([A-Z_]+) Ns = Ns (Ar|Cm) /\1=/p' "$pages/prvcut.1" | grep -qxF "$variable" ||
        complain "no variable $variable in prvcut.1"
done <"$scratch/variables"

if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$pages"/*.[135] >&2 || status=1
elif [ "$status" -eq 0 ]; then
    skip "no mandoc is there"
fi
exit "$status"
