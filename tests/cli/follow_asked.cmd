# What is found early has the iterations that are asked for.
. "$data/long.sh"
found() {
    prvcut -q --follow --until-found --json -n $2 -o cut.prv - <"$1" | grep '"iterations_in_phase"'
}
for asked in '--iterations 300' '--iteration 500' '--region 1.1 --iterations 300' \
    '--region 1 --iteration 500' '--level 1,2 --iterations 300'; do
    found long.prv "$asked"
done
# And the region, which here begins behind a flush of 2 ms in iteration 401.
{
    head -n 2 long.prv
    tail -n +3 long.prv | awk -F: -v OFS=: -v at=405000000 -v takes=2000000 '
        $6 >= at && !flushed++ {
            for (task = 1; task <= 2; task++) {
                print 2, task, 1, task, 1, at, 40000003, 1
                print 2, task, 1, task, 1, at + takes, 40000003, 0
            }
        }
        $1 == 1 && $7 >= at { $7 = sprintf("%d", $7 + takes) }
        $6 >= at { $6 = sprintf("%d", $6 + takes) }
        { print }' | sort -s -t: -k6,6n
} >flushed.prv
found flushed.prv '--region 1.2'
