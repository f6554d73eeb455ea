#!/bin/sh
# The efficiency of real traces is the same in all forms: of a cut and of its iterations in the original (E10), with
# any number of workers, compressed, with an index, converted and back (E14); of damaged traces it ends (E15); archives
# are as their conversion was measured (E17): sh efficiency_real.sh PRVCUT TRACES
set -eu
. "$(dirname -- "$0")/../support/skip.sh"
prvcut=$(cd -- "$(dirname -- "$1")" && pwd)/$(basename -- "$1")
traces=${PRVCUT_TRACES:-$2}
for tool in zstd tar gzip awk; do
    command -v "$tool" >/dev/null || skip "no $tool is there"
done
[ -e "$traces/paraver" ] || skip "there are no real traces"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
status=0

# judge LINE WHAT GOT WANT: are they the same?
judge() {
    if [ "$3" = "$4" ]; then
        printf '%-4s %-58s %s\n' "$1" "$2" "$(printf '%s' "$3" | tr '\n' ' ' | cut -c1-50)"
    else
        printf '%-4s %-58s WRONG: %s, not %s\n' "$1" "$2" "$3" "$4"
        status=1
    fi
}

# near LINE WHAT GOT WANT BY
near() {
    judge "$1" "$2 ($3)" "$(awk -v a="$3" -v b="$4" -v by="$5" 'BEGIN { d = a - b; print d <= by && -d <= by }')" 1
}

# of FIELD FILE: a number of the first run in JSON
of() {
    sed -n "s/^ *\"$1\": \([-0-9.e]*\),*$/\1/p" "$2" | head -n 1
}

# real FOLDER NAME
real() {
    for suffix in prv pcf; do
        zstd -qd "$traces/$1/$2/$2.$suffix.zst" -o "$2.$suffix"
    done
    cp "$traces/$1/$2/$2.row" .
    chmod u+w "$2".*
}

# A cut of iterations A and A + 1, each rank at its own calls, is as they are in the replay of the whole run; how long
# it is replayed, and what comes of a common start, stand there where they were measured apart.
own() {
    real paraver "$1"
    "$prvcut" -q --no-proof --iteration "$2-$(($2 + 1))" -o "$1.cut.prv" "$1.prv"
    "$prvcut" efficiency --json --iteration "$2-$(($2 + 1))" "$1.prv" >whole.json
    "$prvcut" efficiency --json "$1.cut.prv" >cut.json
    "$prvcut" efficiency --json --starts common "$1.cut.prv" >common.json
    for field in computing_ns most_ns runtime_ns balance parallel; do
        judge E10 "$1, iterations $2-$(($2 + 1)), cut: $field" "$(of $field cut.json)" "$(of $field whole.json)"
    done
    for field in serialization transfer; do
        near E10 "$1, cut: $field" "$(of $field cut.json)" "$(of $field whole.json)" 0.01
    done
    [ $# -eq 4 ] || return 0
    judge E10 "$1, cut: ideal_ns" "$(of ideal_ns cut.json)" "$3"
    near E10 "$1, cut, common starts: serialization" "$(of serialization common.json)" "$4" 0.0005
}
own lu.S.4 47 289491 0.0550
own bt.S.4 42 450807 0.7198
own lulesh.8 100
# In every format, with states and without: cut there, and the cut converted.
apart() {
    "$prvcut" efficiency --json "$2" >apart.json
    judge E10 "$1" "$(of ideal_ns apart.json) $(of computing_ns apart.json) $(of runtime_ns apart.json)" '289491 912988 16161191'
}
forms='otf'
"$prvcut" formats | grep -q '^otf2 ' && forms='otf otf2'
for form in $forms; do
    "$prvcut" convert -q lu.S.4.prv "lu.$form"
    "$prvcut" -q --no-proof --iteration 47-48 -o "lu.cut.$form" "lu.$form"
    apart "lu.S.4 as $form, cut" "lu.cut.$form"
    "$prvcut" convert -q lu.S.4.cut.prv "lu.kept.$form"
    apart "lu.S.4, cut, as $form" "lu.kept.$form"
    [ "$form" = otf2 ] || continue # OTF has no states
    "$prvcut" filter -q --drop states -o "lu.bare.$form" "lu.$form"
    "$prvcut" -q --no-proof --iteration 47-48 -o "lu.bare.cut.$form" "lu.bare.$form"
    apart "lu.S.4 as $form without states, cut" "lu.bare.cut.$form"
done
[ -z "${PRVCUT_TESTS_ALL:-}" ] || own lulesh.8 133 1301155 0.5569

real more epoch.4
told() {
    "$prvcut" efficiency --per-rank --json "$@" | grep -vE '"(command|name)"'
}
told epoch.4.prv >plain
gzip -k epoch.4.prv
zstd -qk epoch.4.prv
told -T 1 epoch.4.prv >one
told -T 8 epoch.4.prv >eight
told epoch.4.prv.gz >gz
told epoch.4.prv.zst >zst
told - <epoch.4.prv >pipe
"$prvcut" index -q epoch.4.prv
told epoch.4.prv >index
for form in one eight gz zst pipe index; do
    judge E14 "epoch.4: $form" "$(cksum <$form)" "$(cksum <plain)"
done
if "$prvcut" formats | grep -q '^otf2 '; then
    "$prvcut" convert -q epoch.4.prv e.otf2
    "$prvcut" convert -q e.otf2 back.prv
    "$prvcut" efficiency --csv epoch.4.prv >csv
    judge E14 'epoch.4 to OTF2 and back: the table' "$("$prvcut" efficiency --csv back.prv | cksum)" "$(cksum <csv)"
    "$prvcut" efficiency --json e.otf2 >otf2.json
    judge E14 'epoch.4 as OTF2: ideal_ns' "$(of ideal_ns otf2.json)" 6051059081
    judge E14 'epoch.4 as OTF2: instructions' "$(of instructions otf2.json)" 88518412143
    # The archive keeps the states, so that computing is as in the original; without them it is what is not in calls.
    judge E14 'epoch.4 as OTF2: computing' "$(grep -c '"computing": "running"' otf2.json) $(of most_ns otf2.json)" '1 5999910804'
    "$prvcut" filter -q --drop states -o stateless.otf2 e.otf2
    "$prvcut" filter -q --drop states -o stateless.prv epoch.4.prv
    for form in stateless.otf2 stateless.prv; do
        "$prvcut" efficiency --json $form >stateless.json
        judge E14 "epoch.4, $form: computing" "$(grep -c '"computing": "outside"' stateless.json) $(of most_ns stateless.json)" '1 6002862002'
        judge E14 "epoch.4, $form: ideal_ns" "$(of ideal_ns stateless.json)" 6051059081
        judge E14 "epoch.4, $form: counters" "$(of instructions stateless.json) $(of cycles stateless.json)" '88519903318 47411214948'
    done
    # An archive without receives does not tell who waits.
    tar --zstd -xf "$traces/otf2/lulesh.8.tar.zst"
    "$prvcut" efficiency --json "$(find . -name '*.otf2' -path '*lulesh*' | head -n 1)" >archive.json
    judge E13 'lulesh.8 as an archive: serialization' "$(grep -c '"serialization": null' archive.json)" 1
    # ns, and 0.5 % of it
    for want in 'lu.W.4 1187100000 5935500' 'bt.W.4 510800000 2554000' 'cg.W.4 97260000 486300' 'ft.W.4 86400000 432000'; do
        # shellcheck disable=SC2086 # words are words
        set -- $want
        tar --zstd -xf "$traces/otf2/$1.tar.zst"
        "$prvcut" efficiency --json "$(find . -name '*.otf2' -path "*$1*" | head -n 1)" >archive.json
        near E17 "$1: ideal_ns" "$(of ideal_ns archive.json)" "$2" "$3"
        judge E17 "$1: computing" "$(grep -c '"computing": "outside"' archive.json)" 1
    done
fi

# Damaged: cut short, with lost lines, without messages, without begins of collectives.
# Clocks as they were recorded: most messages come after their receives, which tells nothing of an ideal network.
if "$prvcut" formats | grep -qw otf; then
    tar --zstd -xf "$traces/otf/cg.S.4.tar.zst"
    archive=$(find . -name 'cg.S.4.otf' | head -n 1)
    judge clocks 'cg.S.4 as OTF: raw clocks' "$("$prvcut" efficiency --raw-clocks --json "$archive" >raw.json && grep -c '"serialization": null' raw.json)" 1
    judge clocks 'cg.S.4 as OTF: clocks brought together' "$("$prvcut" efficiency --json "$archive" | grep -c '"serialization": null')" 0
fi
head -c "$(($(wc -c <lu.S.4.prv) / 2))" lu.S.4.prv >half.prv
awk 'NR % 100' lu.S.4.prv >lost.prv
# The run as it is replayed lasts as long, is sound, and replays to itself.
# ideal NAME AGAIN OPTIONS...: AGAIN is yes where the same options are those of the ideal run, too
ideal() {
    run=$1 again=$2
    shift 2
    "$prvcut" efficiency --json "$@" "$run.prv" >run.json
    "$prvcut" efficiency -q -f --ideal ideal.prv "$@" "$run.prv"
    [ $again = no ] || judge ideal "$run $*: replayed again" "$("$prvcut" efficiency --json ideal.prv >ideal.json && of ideal_ns ideal.json)" "$(of ideal_ns run.json)"
    judge ideal "$run $*: check --strict" "$("$prvcut" check --strict ideal.prv | sed -n '1s/, [0-9,]* records//p')" 'ideal.prv: sound'
    judge ideal "$run $*: lasts" "$(head -n 1 ideal.prv | sed 's/.*):\([0-9]*\)_ns.*/\1/')" "$(of ideal_ns run.json)"
    judge ideal "$run $*: computing of each thread" "$("$prvcut" efficiency --json --per-rank ideal.prv | grep computing_ns)" \
        "$("$prvcut" efficiency --json --per-rank "$@" "$run.prv" | grep computing_ns)"
}
[ -e bt.S.4.prv ] || real paraver bt.S.4
ideal lu.S.4 yes
ideal bt.S.4 yes
# A cut at each rank's own calls, as such and as others take it.
ideal lu.S.4.cut yes --starts own
ideal lu.S.4.cut yes --starts common
real more epoch.2
ideal epoch.2 yes
if [ -n "${PRVCUT_TESTS_ALL:-}" ]; then
    ideal epoch.2 no --replay causal
    real paraver lulesh.8.omp
    ideal lulesh.8.omp yes
    ideal lulesh.8.omp yes --starts own
    # Messages that were received before they were sent are not replayed, and not written.
    real paraver hpcc.4
    ideal hpcc.4 yes
fi
if [ -d e ] || [ -e e.otf2 ]; then
    said=0
    "$prvcut" efficiency --ideal refused.prv e.otf2 2>refused || said=$?
    judge ideal 'an archive is refused' "$said $(ls refused.prv 2>/dev/null) $(grep -c 'prvcut convert e.otf2 out.prv' refused)" '2  1'
fi
awk 'NR < 20 || NR % 3' lu.S.4.prv >third.prv
grep -v '^3:' lu.S.4.prv >alone.prv
grep -v ':50000002:[1-9]' lu.S.4.prv >begins.prv
for damage in half lost third alone begins; do
    said=0
    timeout 60 "$prvcut" efficiency --json --lenient $damage.prv >damaged.json || said=$?
    judge E15 "lu.S.4, $damage: $(of ideal_ns damaged.json)ns, released $(of released damaged.json), lost $(of lost damaged.json)" $said 0
done
said=0
"$prvcut" efficiency half.prv >half.out 2>&1 || said=$?
judge E15 'lu.S.4, half, as it is: status' $said 3
exit $status
