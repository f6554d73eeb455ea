#!/bin/sh
# What the shells complete is what the help lists: sh tests/cli/completion.sh PRVCUT
set -eu
prvcut=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

complain() {
    echo "$*" >&2
    status=1
}

for shell in bash zsh fish; do
    "$prvcut" help completion $shell >"$scratch/$shell"
    # Only a syntax check where the shell is there; bash is put to use below.
    if command -v $shell >/dev/null; then
        $shell -n "$scratch/$shell" || complain "$shell cannot read it"
    fi
done

# complete WORD...: what bash offers for the last word, one a line
cat >"$scratch/complete" <<'EOF'
. "$1"
shift
complete -p prvcut >/dev/null || exit 1
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
compopt() { :; } # bash has it in a completion only
_prvcut
printf '%s\n' "${COMPREPLY[@]}" | sort
EOF
complete() {
    bash "$scratch/complete" "$scratch/bash" prvcut "$@"
}

# expect OFFER WORD...
expect() {
    offer=$1
    shift
    seen=$(complete "$@" | tr '\n' ' ')
    [ "$seen" = "$offer" ] || complain "prvcut $*: bash offers '$seen', '$offer' expected"
}

commands=$("$prvcut" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ] || { echo "the help lists no command" >&2; exit 1; }
for command in '' $commands; do
    # shellcheck disable=SC2086 # no command is no word
    "$prvcut" help $command | sed -nE 's/^  (-.|  )(,| ) --([a-z-]+).*/\3/p' | sort -u >"$scratch/listed"
    # shellcheck disable=SC2086
    complete $command -- | sed 's/^--//' | sort -u >"$scratch/offered"
    diff -u "$scratch/listed" "$scratch/offered" >&2 || complain "bash, $command: the help (-) lists other options"
    sed -nE "/^ *'$command'\) options=/,/^ *\) ;;/p" "$scratch/zsh" |
        sed -nE "s/^ *(options=\()?'(\([^)]*\)|\*)?--([a-z-]+).*/\3/p" | sort -u >"$scratch/offered"
    diff -u "$scratch/listed" "$scratch/offered" >&2 || complain "zsh, $command: the help (-) lists other options"
    case $command in
        '') condition='not __fish_seen_subcommand_from \$__prvcut_commands' ;;
        *) condition="__fish_seen_subcommand_from $command" ;;
    esac
    sed -nE "s/^complete -c prvcut -n '$condition' -l ([a-z-]+).*/\1/p" "$scratch/fish" | sort -u >"$scratch/offered"
    diff -u "$scratch/listed" "$scratch/offered" >&2 || complain "fish, $command: the help (-) lists other options"
    [ -z "$command" ] || grep -q "^ *'$command:" "$scratch/zsh" || complain "zsh: no command $command"
    [ -z "$command" ] || grep -q " -a $command -d" "$scratch/fish" || complain "fish: no command $command"
done

cd "$scratch"
mkdir in
cd in
: >app.prv
: >other
expect 'structure ' st
expect 'app.prv ' ap
expect 'drop keep ' cut --messages ''
expect 'gz ' cut --compress = g
expect 'json ' --progress = ''
expect 'app.prv ' --progress a
expect 'app.prv other ' --report ''
expect 'paje paraver perfetto ' convert -O p
expect 'computing ' signal --metric com
expect 'cut ' --level 2 cu
expect '--from ' app.prv --fr
expect '--force --from ' cut app.prv -f --f
expect 'completion ' help comp
exit "$status"
