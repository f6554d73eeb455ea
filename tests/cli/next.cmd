# Every command that a report prints is run as it stands, in a copy of the folder. Viewers need not be
# installed: that what they open is there is enough.
. "$data/loop.sh"
mkdir run_3
prvcut convert -q loop.prv run_3/run.otf 2>/dev/null || rmdir run_3
grep -E '^(#|c|1:[12]:1:[12]:1:0:)' loop.prv >once.prv
commands() {
    sed -n '/^Next  /,$p' | sed -e 's/^Next  //; s/^ *//' -e 's/       */\n/g' |
        sed -E 's/^[a-z ]+: //'
}
try() {
    echo "-- prvcut $*"
    prvcut "$@" >report 2>/dev/null
    commands <report >next
    rm report
    while IFS= read -r line; do
        rm -rf ../copy
        cp -R . ../copy
        case $line in
        wxparaver* | vampir*) status=$(eval "test -e ${line#* }" && echo there) ;;
        *) status=$(cd ../copy && eval "$line" >/dev/null 2>&1; echo $?) ;;
        esac
        echo "$status: $line"
    done <next
    rm next
}
try loop.prv
try -f --report page.html loop.prv
try -n -f loop.prv
try -f --region all loop.prv
try -f --outliers 2 loop.prv
try -f --iterations 3 -o 'two words.prv' loop.prv
try -f --archive all.tar.zst loop.prv
try -f --level 7 loop.prv
try -f --period 2ms loop.prv
# What decides which iterations are cut, and where they go, is not dropped.
try -n -f --from '4 ms' --to 90% --metric calls --iterations 3 --keep-time -o 'new one.prv' loop.prv
try -f --from=4ms --region 1.1 --role p2p=50000001 -T 1 loop.prv
try --from 2ms once.prv
try once.prv
cp loop.prv 'it'\''s a loop.prv'
try 'it'\''s a loop.prv'
rm -f *.chop1.* *.1.1.*
try structure loop.prv
try structure --from 4ms --metric calls --depth 1 --region 1.1 -T 1 loop.prv
try structure once.prv
try info loop.prv
try info once.prv
try info --role p2p=50000001 --lenient --raw-clocks -T 1 loop.prv
rm -f once.svg
# What is there already is not proposed to be made: neither replaced, nor refused.
for cut in 'prvcut loop.prv' 'prvcut cut --from 10ms --to 15ms once.prv' 'prvcut signal --plot once.svg once.prv' 'touch loop.html' \
    'prvcut convert loop.prv run.otf' 'prvcut run.otf'; do
    $cut >/dev/null 2>&1
done
try info loop.prv
try structure loop.prv
try structure --metric calls --from 1ms loop.prv
try -f loop.prv
try once.prv
try structure once.prv
[ ! -e run.otf ] || { try info run.otf; try structure run.otf; } >archive
[ ! -e run.otf ] || grep -E '^[1-9]' archive
rm -f archive
head -n 2 loop.prv >empty.prv
try info empty.prv
try empty.prv
. "$data/slow.sh"
try profile loop.prv
try profile --by call,rank --from 5ms loop.prv
try profile --by iteration --iteration 3-5 loop.prv
try profile --waiting loop.prv
try profile --why outliers loop.prv
try profile --why 3 loop.prv
try diff loop.prv slow.prv
try diff loop.prv loop.prv
# From any of them, what is proposed first leads on, and never back.
rm -f *.chop1.* *.cut.* *.svg *.html
for trace in loop.prv once.prv empty.prv; do
    for command in 'prvcut info' 'prvcut' 'prvcut structure'; do
        next="$command $trace" seen=
        while [ -n "$next" ]; do
            case "$seen" in *"<$next>"*) echo "in a circle: $seen" && break ;; esac
            seen="$seen<$next>"
            next=$(eval "$next" 2>/dev/null | commands | head -n 1)
        done
        echo "$seen"
        rm -f *.chop1.* *.cut.* *.svg
    done
done
rm -rf ../copy
