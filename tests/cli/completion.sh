#!/bin/sh
# What a shell completes is what the help lists: sh tests/cli/completion.sh PRVCUT bash|zsh|fish
# Each question is put to bash's function, and to zsh and fish themselves. Exit status 77: the shell is
# not there.
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
shell=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

complain() {
    echo "$*" >&2
    status=1
}

# Completions stand where the shells look for them; what the shells keep goes there, too.
mkdir -p "$scratch/bin" "$scratch/zsh" "$scratch/fish" "$scratch/home" "$scratch/in/folder"
ln -s "$prvcut" "$scratch/bin/prvcut"
"$prvcut" help completion bash >"$scratch/prvcut.bash"
"$prvcut" help completion zsh >"$scratch/zsh/_prvcut"
"$prvcut" help completion fish >"$scratch/fish/prvcut.fish"
ln -s "$prvcut" "$scratch/bin/csv-analysis"
ln -s prvcut.fish "$scratch/fish/csv-analysis.fish"
: >"$scratch/in/app.prv"
: >"$scratch/in/other"
: >"$scratch/in/two words"
export HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/home" XDG_DATA_HOME="$scratch/home" \
    XDG_CACHE_HOME="$scratch/home" PATH="$scratch/bin:$PATH" TERM=dumb LC_ALL=C

# --- The shells: questions on standard input, one a line; an answer a line, its words sorted ----

# Bash takes words apart at '=', and calls its function with them.
cat >"$scratch/ask.bash" <<'EOF'
. "$1"
complete -p prvcut csv-analysis >/dev/null || exit 1
compopt() { :; } # bash has it in a completion only
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"${line//=/ = }"
    [[ $line == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _prvcut
    printf '%s\n' "${COMPREPLY[@]%=}" | sort -u | paste -sd ' ' -
done
EOF
ask_bash() {
    bash "$scratch/ask.bash" "$scratch/prvcut.bash"
}

# Zsh completes in an interactive shell only, which has a terminal of its own here. What it offers
# goes through compadd; a widget completes the line, says that it is done, and empties it.
cat >"$scratch/setup.zsh" <<'EOF'
fpath=($1 $fpath)
told=$2
autoload -Uz compinit
compinit -u -D
compadd() {
    local -a offered
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
        builtin compadd "$@"
        return
    fi
    builtin compadd -O offered "$@"
    (( ${#offered} )) && print -rl -- ${IPREFIX##*=}$^offered >>$told
    builtin compadd "$@"
}
answer() {
    zle complete-word
    print . >>$told
    BUFFER=
}
zle -N answer
bindkey '^T' answer
print . >>$told
EOF
cat >"$scratch/ask.zsh" <<'EOF'
zmodload zsh/zpty && zmodload zsh/zselect || exit 77
# Wait until another answer is complete; what the terminal shows is of no interest.
await() {
    local -i patience=1500
    local shown
    until [[ -s $told && ${$(tail -n 1 $told)} == . ]]; do
        while zpty -r -t shell shown; do :; done
        (( patience-- > 0 )) || exit 1
        zselect -t 2
    done
}
told=$1/told
: >$told
zpty shell 'zsh -f -i' || exit 77
zpty -w shell "source ${(q)1}/setup.zsh ${(q)1}/zsh ${(q)told}"
await
while IFS= read -r line; do
    : >$told
    zpty -n -w shell "$line"$'\x14'
    await
    print -r -- ${$(sed '$d; s/=$//; s/\\//g' $told | sort -u | paste -sd ' ' -)}
done
EOF
ask_zsh() {
    zsh -f "$scratch/ask.zsh" "$scratch"
}

cat >"$scratch/ask.fish" <<'EOF'
set -p fish_complete_path $argv[1]
while read -l line
    echo (complete -C $line | string replace -r '\t.*' '' | string replace -r '^--[a-z-]+=(.+)' '$1' |
        string match -v -r '^(-.|-.*=)$' | string replace -r '=$' '' | sort -u)
end
EOF
ask_fish() {
    fish "$scratch/ask.fish" "$scratch/fish"
}

# --- The questions: "OFFER|LINE"; a line that ends in '_' ends in a blank -------------------------

commands=$("$prvcut" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
[ -n "$commands" ] || { echo "the help lists no command" >&2; exit 1; }
options_of() {
    # shellcheck disable=SC2086 # no command is no word
    "$prvcut" help $1 | sed -nE 's/^  (-.|  )(,| ) (--[a-z-]+).*/\3/p' | sort -u | paste -sd ' ' -
}

# Where a shell is not there, its text at least names the options that the help lists.
for command in '' $commands; do
    listed=$(options_of "$command")
    named=$(sed -nE "/^ *'$command'\) options=/,/^ *\) ;;/p" "$scratch/zsh/_prvcut" |
        sed -nE "s/^ *(options=\()?'(\([^)]*\)|\*)?(--[a-z-]+).*/\3/p" | sort -u | paste -sd ' ' -)
    [ "$named" = "$listed" ] || complain "zsh, '$command': '$named', but the help lists '$listed'"
    named=$(sed -nE "s/^complete -c prvcut -n '__prvcut_is ${command:-none trace}' -l ([a-z-]+).*/--\1/p" \
        "$scratch/fish/prvcut.fish" | sort -u | paste -sd ' ' -)
    [ "$named" = "$listed" ] || complain "fish, '$command': '$named', but the help lists '$listed'"
done

{
    for command in '' $commands; do
        echo "$(options_of "$command")|prvcut $command${command:+ }--"
        [ -z "$command" ] || echo "$command|prvcut $command"
    done
    cat <<'EOF'
structure|prvcut st
app.prv|prvcut ap
two words|prvcut tw
folder|prvcut info fo
app.prv folder|prvcut app.prv _
app.prv folder|prvcut info _
app.prv folder|prvcut convert -O paje _
app.prv folder other two words|prvcut convert app.prv _
app.prv folder|csv-analysis _
app.prv folder other two words|csv-analysis app.prv _
--quiet|csv-analysis --qui
p2p|prvcut --role p2
p2p|prvcut structure --role p2
drop keep|prvcut cut --messages _
gz|prvcut cut --compress=g
json|prvcut --progress=
app.prv archive|prvcut --progress a
structure|prvcut --progress=json str
app.prv folder other two words|prvcut --report _
other|prvcut --report=ot
paje paraver perfetto|prvcut convert -O p
computing|prvcut signal --metric com
|prvcut signal --metric cal
calls|prvcut structure --metric cal
calls|prvcut --metric=cal
bursts,computing|prvcut --metric bursts,com
bursts,computing|prvcut --metric=bursts,com
all|prvcut --level _
messages|prvcut filter --drop me
states,messages|prvcut cut --drop states,me
cut|prvcut --level 2 cu
--level --levels|prvcut -o cut structure --lev
--level|prvcut -o cut --lev
--from|prvcut app.prv --fr
--force|prvcut cut app.prv -n --forc
--align --align-clocks|prvcut app.prv cut --ali
|prvcut app.prv c
app.prv|prvcut - ap
|prvcut -- cu
|prvcut -- --fo
app.prv|prvcut cut -- a
completion|prvcut help comp
files filter find formats|prvcut help f
bash fish zsh|prvcut help completion _
|prvcut help cut _
|prvcut formats _
EOF
} | sed 's/ _$/ /' >"$scratch/table"

cd "$scratch/in"
sed 's/^[^|]*|//' "$scratch/table" >"$scratch/lines"
command -v "$shell" >/dev/null || skip "no $shell is there"
answered=0
"ask_$shell" <"$scratch/lines" >"$scratch/answers" || answered=$?
if [ "$answered" -eq 77 ]; then
    skip "$shell has no terminal to answer at"
fi
sed 's,/\( \|$\),\1,g' "$scratch/answers" | paste -d '|' - "$scratch/lines" >"$scratch/offered"
diff -u "$scratch/table" "$scratch/offered" >&2 || complain "$shell offers (+) other words than it should (-)"
exit "$status"
