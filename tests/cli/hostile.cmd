# Neither the name of a trace nor what stands in it steers the terminal.
. "$data/loop.sh"
esc=$(printf '\033')
bell=$(printf '\007')
name="${esc}[31mred$bell.prv"
cp loop.prv "$name"
cat >"${esc}[31mred$bell.pcf" <<EOF
EVENT_TYPE
9    77    label${esc}[2J${bell}of events
VALUES
1      value${esc}]0;title$bell

STATES
0    ${esc}[1midle
EOF
printf '2:1:1:1:1:1000:77:1\n' >>"$name"
clean() {
    # No control character but the end of a line
    if LC_ALL=C grep -q '[[:cntrl:]]' "$1"; then echo "$1 is not clean:"; cat -v "$1"; fi
}
run() {
    "$@" >out 2>err && status=0 || status=$?
    echo "$2: $status"
    clean out
    clean err
}
run prvcut info "$name"
run prvcut info --json "$name"
run prvcut check "$name"
run prvcut check --json "$name"
run prvcut structure "$name"
run prvcut -n "$name"
run prvcut -n --json "$name"
run prvcut cut --from 5ms --to 6ms -n "$name"
run prvcut convert -f "$name" "${esc}out.json"
run prvcut convert "$name" "${esc}out.json"
run prvcut info "${esc}nothing.prv"
run prvcut signal --metric "${esc}ipc" "$name"
run prvcut "--${esc}x" "$name"
echo "1:1:1:1:1:${esc}[7m:5:1" >>"$name"
run prvcut info "$name"
run prvcut check "$name"
# Nor does it break the lines of a cut
name=$(printf 'a\nc:1\tb.prv')
cp loop.prv "$name"
prvcut -q -o cut.prv "$name"
prvcut cut -q --from 5ms --to 6ms -o window.prv "$name"
prvcut cut -q --keep-time --from 5ms --to 6ms -o kept.prv "$name"
for cut in cut window kept; do
    grep CUTTER $cut.prv
    clean $cut.prv
    prvcut check $cut.prv
done
