# What cannot be told is refused with what can.
. "$data/loop.sh"
printf '1 0 5\n1 1\n' >short.tsv
printf '1 0 5\n1 1 6\n9 1 6\n' >task.tsv
printf '1 0 5\n1 1 6\n2 1 6\n' >uneven.tsv
printf '1 0 5\n1 1 4\n2 0 5\n2 1 6\n' >back.tsv
for words in '--by call' '--by rank' '--computing all' '--form sum' '--scaling no' '--eager 0' '--eager x' '--starts off' '--replay x' '--base other.prv' \
    '--by region --iteration 3' '--region all --iteration 3' '--by iteration --region all' '--from 30ms --to 40ms' '--region 1.9' '--from 50% --to 40%' '--csv --json' '--per-rank --by region' '--borders none.tsv' '--borders short.tsv' \
    '--borders task.tsv' '--borders uneven.tsv' '--borders back.tsv' '--borders back.tsv --from 1ms' '--starts own --from 1ms' '--by region loop.prv' '--plot x.svg --by region' '--plot - --csv' '--plot x.png'; do
    # shellcheck disable=SC2086 # words are words
    prvcut efficiency $words loop.prv
    echo $?
done 2>&1
# Groups: each with a name and traces, whole runs only, and nothing beside them.
for words in x =loop.prv x= x=loop.prv, x=,loop.prv x=loop.prv,,loop.prv 'x=loop.prv loop.prv' 'x=loop.prv --group x=loop.prv' 'x=loop.prv --by region' \
    'x=loop.prv --region 1.1' 'x=loop.prv --iteration 2' 'x=loop.prv --borders back.tsv' 'x=loop.prv --group y=loop.prv --csv' 'x=loop.prv --base other.prv' \
    'x=loop.prv --ideal out.prv' 'x=missing.prv,loop.prv' 'x=loop.prv --plot loop.prv' 'x=loop.prv --group y=loop.prv -o table.csv'; do
    # shellcheck disable=SC2086 # words are words
    prvcut efficiency --group $words
    echo $?
done 2>&1
# Without anything to tell: '-' and null, with the reason, and status 0.
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:77:1\n' >none.prv
prvcut efficiency none.prv
prvcut efficiency --csv none.prv
prvcut efficiency --json none.prv | grep -E 'null|text'
prvcut efficiency --by iteration none.prv
echo $?
prvcut efficiency --by region - <loop.prv
echo $?
prvcut efficiency none.prv missing.prv
echo $?
# What is missing in parts: messages, calls, the running state; the run of another program.
cp "$samples/../tests/analysis/efficiency_mini/sendrecv.prv" whole.prv
grep -v '^3:' whole.prv >messages.prv
grep -v '^2:' whole.prv >calls.prv
awk -F: -v OFS=: '/^1:/ { $8 = 14 } { print }' whole.prv >off.prv
awk -F: -v OFS=: '/^1:/ { $6 = int($6 / 50); $7 = int($7 / 50) } { print }' loop.prv >other.prv
for lost in messages calls off; do
    echo "$lost"
    prvcut efficiency $lost.prv
    prvcut efficiency --csv $lost.prv | sed -n '2,6p'
done
prvcut efficiency loop.prv other.prv | tail -n 11
prvcut efficiency --json loop.prv other.prv | grep 'is it'
# Nobody knows for whom the others wait where no message and no collective tells it.
printf '#Paraver (01/01/2026 at 12:00):2000_ns:2(1,1):1:2(1:1,1:2),0\n1:1:1:1:1:0:2000:1\n1:2:1:2:1:0:1000:1\n' >alone.prv
prvcut efficiency --ideal ideal.prv alone.prv; echo $?
ls ideal.prv 2>/dev/null
