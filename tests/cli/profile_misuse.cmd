# What cannot be a profile is refused with what can.
. "$data/loop.sh"
for words in '--by calls' '--by call,state' '--by rank,thread' '--by region,iteration' '--by peer,rank' '--by communicator,state' '--by call,line' '--by region --iteration 3' '--by iteration --region all' '--region 1.9' '--iteration 99' '--by ' '--top 0' '--from 50% --to 40%' '--from 5s --to 6s' '--csv --json' '-o x.svg'; do
    # shellcheck disable=SC2086 # words are words
    prvcut profile $words loop.prv
    echo $?
done 2>&1
# Without anything to tell: '-' and null, with the reason, and status 0.
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:77:1\n' >none.prv
prvcut profile none.prv
prvcut profile --by rank none.prv
prvcut profile --by rank --csv none.prv
prvcut profile --by rank --json none.prv | grep -E 'null|text'
prvcut profile --by iteration none.prv
echo $?
prvcut profile --by region - <loop.prv
echo $?
prvcut profile --by peer - <loop.prv
echo $?
# A call without an end, an end without a begin.
printf '#Paraver (01/01/2026 at 12:00):25000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:50000001:0\n2:1:1:1:1:20:50000001:1\n2:1:1:1:1:90:77:1\n' >open.prv
prvcut profile open.prv
# Sizes that add up to what no number holds.
{
    printf '#Paraver (01/01/2020 at 10:00):4000_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n1:1:1:1:1:0:1000:1\n1:2:1:2:1:0:1000:1\n'
    printf '2:1:1:1:1:1000:50000001:1\n2:2:1:2:1:1000:50000001:2\n'
    for i in 1 2 3; do echo 3:1:1:1:1:1000:1100:2:1:2:1:1000:1100:9223372036854775807:1; done
    printf '2:1:1:1:1:1100:50000001:0\n2:2:1:2:1:1100:50000001:0\n1:1:1:1:1:1100:4000:1\n1:2:1:2:1:1100:4000:1\n'
} >huge.prv
prvcut profile --by rank huge.prv
prvcut profile --by peer --json huge.prv | grep -E '_bytes"|more than'
prvcut info huge.prv | grep -A 1 messages
prvcut info --json huge.prv | grep -E '"bytes(_reason)?":' | tail -n 2
# Sentences are no table.
for rest in '--by rank' --waiting '--iteration 3' '--top 2' '-o slow.cubex'; do
    prvcut profile --why 3 $rest loop.prv
    echo $?
done
prvcut profile --why slow loop.prv
echo $?
prvcut profile --why 99 loop.prv
echo $?
prvcut profile --why 3 - <loop.prv
echo $?
prvcut profile --why outliers huge.prv
echo $?
