# Who only looks is shown no command that writes: each option of another command is refused with one that reads, as it
# stands, and makes no file.
. "$data/loop.sh"
prvcut -q --archive all.tar.zst loop.prv
options() {
    prvcut help $1 |
        sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\) [^ ].*/\2:2/p;t;s/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}
for command in '' cut filter index mark convert csv-analysis signal structure; do options "$command"; done | sort -u >all
ls >before
told=0 turn=0
# part: a third of the lines, another one at each turn, or all of them in full mode
part() { awk -v turn="$turn" -v all="$TAKE" 'all == 2 || NR % 3 == turn % 3'; }
for reading in 'info loop.prv' 'profile loop.prv' 'efficiency loop.prv' 'structure loop.prv' 'check loop.prv' 'signal loop.prv' 'verify all.tar.zst' formats; do
    options "${reading%% *}" >own
    turn=$((turn + 1))
    # A drawing is a file that was asked for.
    for option in $(grep -vxFf own all | grep -vE '^--(plot|progress|no-progress)' | part); do
        words=$(prvcut $reading $(echo "$option" | tr : ' ') 2>&1 >/dev/null)
        works=${words##*try: }
        told=$((told + 1))
        # Of several mistakes, here values that are none, the next one is told then.
        sh -c "$works" >/dev/null 2>then || works=$(sed 's/.*try: //' then)
        sh -c "$works" >/dev/null 2>&1 || echo "$reading $option: $words: fails"
        made=$(ls | grep -vxFf before | grep -vxE 'own|then|before')
        [ -z "$made" ] || echo "$reading $option: $works: writes $made"
    done
done
[ "$told" -gt 100 ] && echo "more than 100 are refused"
try() { prvcut "$@" 2>&1 >/dev/null | sed 's/^prvcut: //'; }
try info --period 3ms loop.prv
try structure --outliers 3 loop.prv
try info --iterations 3 loop.prv
# How many and which ones differ by an 's'.
try structure --iterations 3-4 loop.prv
try signal --iterations=3-4 loop.prv
try cut --iterations 6-7 loop.prv
try cut --iterations 3 loop.prv
try cut --regions 1.1 loop.prv
