# The tables that all commands share, for each command that has the row: what a file that is not there, a damaged one, a wrong
# option and an output that exists lead to, also in a dry run; what prints JSON and CSV, quietly, in full, with one worker.
needs otf2 || exit 77
. "$data/loop.sh"
printf '1.1\t0\t25000000\t1\n' >useful.csv
cp loop.prv bad.prv
printf '1:1:1:1:1:0:x:1\n' >>bad.prv
echo kept >there.prv
cp there.prv there.csv
cp there.prv there.svg
cp there.prv there.html
cp there.prv there.tar.zst
prvcut -q --archive all.tar.zst loop.prv
cp all.tar.zst broken.tar.zst
printf 'xxxxxxxx' | dd of=broken.tar.zst bs=1 seek=400 conv=notrunc 2>/dev/null
ls >before
# run WORDS: its status; what it made is removed, what stood there is as it was
run() {
    prvcut "$@" >said 2>words </dev/null && status=0 || status=$?
    [ "$(cat there.prv there.csv there.svg there.html there.tar.zst)" = "$(yes kept | head -n 5)" ] || echo "overwritten by $*"
    for f in $(ls -d -- * | grep -vxFf before | grep -vxE 'said|words|before'); do rm -rf "$f"; done
    printf ' %s' "$status"
}
# row COMMAND OPERANDS OUTPUT... READ CSV: an output is an option with what exists, ':' for blanks; READ: nothing to try dry
row() {
    command=$1 operands=$2 output=$3 json=$4 csv=$5
    [ "$command" = job ] && command=
    printf '%-13s' "${command:-the job}"
    for trace in nothing.prv bad.prv; do run $command $(echo "$operands" | sed "s/TRACE/$trace/"); done
    operands=$(echo "$operands" | sed s/TRACE/loop.prv/)
    run $command --no-such-option $operands
    run $command $operands more.prv operands.prv
    for options in $output; do
        options=$(echo "$options" | tr : ' ')
        run $command $options $operands
        grep -q 'exists' words || printf ' (not told)'
        [ "$json" = read ] || run $command -n $options $operands
    done
    echo
    printf '%-13s' ''
    for options in '' -q -v '-T 1' ; do run $command $options $operands; done
    run $command --json $operands
    head -c 1 said | tr '{' j
    [ -z "$csv" ] || { run $command --csv $operands && head -n 1 said | grep -q , && printf c; }
    echo
}
echo '# status: not there, damaged, wrong option, operands too many, each output that exists (and its dry run)'
echo '# status: as it is, -q, -v, -T 1, --json (j: an object), --csv (c: columns)'
row job TRACE '-o:there.prv --report:there.html --archive:there.tar.zst' '' ''
row structure TRACE '-o:there.csv:--csv' read csv
row cut '--from 5ms --to 9ms TRACE' '-o:there.prv' '' ''
row filter '--drop states TRACE' '-o:there.prv' '' ''
row info TRACE '-o:there.csv:--csv' read csv
row profile TRACE '-o:there.csv:--csv' read csv
row efficiency TRACE '-o:there.csv:--csv' read csv
row check TRACE '-o:there.csv:--csv' read csv
row index TRACE '' '' ''
row mark TRACE '-o:there.prv' '' ''
row signal '--metric computing --bins 4 TRACE' '-o:there.csv --plot:there.svg' read csv
row convert 'TRACE new.paje' '' '' ''
row csv-analysis 'TRACE useful.csv' '' '' ''
row formats '' '-o:there.csv:--csv' read csv
echo '# outputs that are operands, or beside the trace: written, exists, exists in a dry run, replaced'
for words in 'convert loop.prv new.paje' 'index loop.prv' 'convert loop.prv new.otf2' 'verify all.tar.zst --csv -o new.csv'; do
    printf '%s:' "$words"
    for more in '' '' -n -f; do
        prvcut $words $more >said 2>words && status=0 || status=$?
        printf ' %s' "$status"
    done
    echo
    for f in $(ls -d -- * | grep -vxFf before | grep -vxE 'said|words|before'); do rm -rf "$f"; done
done
echo '# an archive: as it is, not there, damaged'
for archive in all.tar.zst nothing.tar.zst broken.tar.zst; do run verify $archive; done
echo
echo '# without a loop'
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:9:1\n' >none.prv
echo none.prv >>before
for command in '' structure mark 'csv-analysis' 'cut --iteration 1' 'cut --region 1.1' index info; do
    printf '%s:' "${command:-the job}"
    case $command in csv*) run $command none.prv useful.csv ;; *) run $command none.prv ;; esac
    echo
done
