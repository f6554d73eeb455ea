# Every misuse is one line, and ends with one command that works on the file that was named, as it stands.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
printf 'hello\n' >foo.txt
printf 'BZh\n' >foo.bz2
printf '1.1\t0\t25000000\t1\n' >useful.csv
echo mine >taken.prv
mkdir folder run
: >tried
cp loop.prv folder/a.prv
cp loop.prv folder/b.prv
prvcut convert -q loop.prv log.otf
prvcut -q --archive all.tar.zst loop.prv
# ended STATUS ARGUMENTS: with that status, and what to try
ended() {
    wanted=$1
    shift
    words=$(prvcut "$@" 2>&1 >/dev/null <loop.prv)
    status=$?
    lines=$(printf '%s\n' "$words" | wc -l)
    works=${words##*try: }
    [ "$status" = "$wanted" ] && [ "$lines" = 1 ] && [ "${words%%; try: *}; try: $works" = "$words" ] ||
        [ "${words%%\? try: *}? try: $works" = "$words" ] || echo "status $status: $words"
    works=$(echo "$works" | sed 's/TRACE/loop.prv/')
    told=$((told + 1))
    # What was tried once works again.
    grep -qxF -- "$works" tried && return
    printf '%s\n' "$works" >>tried
    # With sanitizers, what works is left to the tests of what works.
    [ "$TAKE" != 0 ] || return
    rm -rf run
    mkdir run
    (cd run && cp -r ../loop.* ../foo.* ../useful.csv ../taken.prv ../folder ../log* ../all* . &&
        sh -c "$works" >/dev/null 2>out.words <loop.prv && exit
        # Of several mistakes, the trace tells the last ones.
        sh -c "$(sed 's/.*; try: //' out.words)" >/dev/null 2>then.words <loop.prv ||
            echo "$*: '$works' fails: $(cat out.words then.words)")
}
misused() { ended 2 "$@"; }
told=0
for options in '--iterations two' '--iterations' '--iterations 2-3' '--iteration x' '--region one' '--level 0' '--outliers -1' \
    '--metric ' '--from 1.5' '--to 101%' '--period soon' '--align so' '--messages some' '--compress xz' '-T many' \
    '--progress=xml' '--color red' '--json=yes' '--no-such' '--levl 1' '--bins 3' '--iteration 2 --iterations 2' \
    '--archive a.tar.zst -o b' '--region 1.1 --level 2' '-o -' '--report -' '--role x' '--iteration 99' '--region 1.7'; do
    # shellcheck disable=SC2086 # several words
    misused $options loop.prv
    # shellcheck disable=SC2086
    misused structure $options --csv --json loop.prv
    # shellcheck disable=SC2086
    misused cut $options loop.prv
done
misused reduce loop.prv
misused strukture loop.prv
misused loop.prv loop.prv
misused cut loop.prv
misused cut --from 2ms --to 1ms loop.prv
misused filter loop.prv
misused filter --drop all loop.prv
misused filter --min-state 3 % loop.prv
misused filter --only-threads 1 loop.prv
misused convert loop.prv
misused convert loop.prv a.prv b.prv
misused convert --to otf loop.prv a.otf
misused convert loop.prv a
misused convert loop.prv -
misused convert loop.prv 'a b.vcd'
misused convert loop.prv page.html
misused convert loop.prv a.paje -o b.paje
misused convert -o a.paje
misused index -o x loop.prv
misused info -n loop.prv
misused check --max-size 3 loop.prv
misused signal --bins 0 loop.prv
misused signal --plot - --json loop.prv
misused formats loop.prv
misused help bananas
misused help completion
misused help cut info
misused info --json --csv loop.prv
misused info --json -o a.csv loop.prv
misused strukture
misused strukture --json loop.prv
misused - --iterations 2
misused cut --from 1ms -
misused structure -
misused mark -
misused index -
misused filter --drop messages -
misused folder
misused info folder
misused info all.tar.zst:nothing
misused info loop.prv:nothing
misused index all.tar.zst
misused filter --states Running log.otf
misused mark --period x log.otf
misused index log.otf
misused csv-analysis loop.prv
misused csv-analysis loop.prv useful.csv 9999999
misused csv-analysis --period 1 loop.prv
misused structure --iterations 100 loop.prv
misused cut --to 1furlong loop.prv
misused filter --config foo.txt foo.txt
misused filter --config loop.prv loop.prv
misused mark --timeline loop.prv loop.prv
# One makes the other void.
for options in '-q -v' '--no-proof --report a.html' '--quick --archive a.tar.zst' '--own-clocks --align-clocks' \
    'structure --tree -v' 'structure --depth 1 --level 2' 'structure --depth 1 --region 2.1' \
    'structure --region 2.1 --level 1' 'structure --iteration 2 --region 1.1,1.2' \
    'filter --drop states --states 1' 'filter --drop events,states --drop-events 5' \
    'filter --drop messages --min-message 1kB' 'cut --from 1ms --drop states --min-state 1us'; do
    # shellcheck disable=SC2086 # several words
    misused $options loop.prv
done
for options in '--iteration 21' '--region 1.9' '--region 3.1' '--region 1.1 --iteration 99'; do
    for command in '' cut structure signal; do
        # shellcheck disable=SC2086 # several words
        misused $command $options loop.prv
    done
done
misused --iterations 21 loop.prv
misused --period 1 loop.prv
misused structure --period 2ns loop.prv
misused structure --level 3 loop.prv
misused mark --metric nothing loop.prv
misused convert --tasks 3 loop.prv a.paje
misused convert -O nothing loop.prv a
misused convert loop.prv loop.prv
misused cut --from 1ms -o loop.prv loop.prv
misused cut --from 1s loop.prv
misused cut --from 1ms --max-size 10 loop.prv
misused filter --tasks 3 loop.prv
misused filter --states Nothing loop.prv
misused filter --events Nothing loop.prv
misused --role p2p=x loop.prv
misused --report a.svg loop.prv
ended 3 foo.txt
ended 3 info foo.txt
ended 3 check foo.txt
ended 3 convert foo.txt a.prv
ended 3 loop.pcf
ended 3 verify loop.prv
ended 3 verify foo.txt
misused --level 3 loop.prv
ended 5 -o taken.prv loop.prv
ended 5 cut --from 1ms -o taken.prv loop.prv
ended 5 convert loop.prv taken.prv
ended 5 mark -o taken.prv loop.prv
prvcut info foo.bz2
echo "$told misuses"
