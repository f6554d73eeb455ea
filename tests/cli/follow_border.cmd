# A loop inside another one is not taken for the loop of the run once a border of the other one was
# seen: where it is one odd iteration, where it parts the loop in two, and where it came just before
# the look at 131 kB.
written() {
    {
        echo "#Paraver (01/01/2026 at 12:00):${1}_ns:1(2):1:2(1:1,1:1),0"
        awk -v computes="$2" -v calls="$3" -v every="$4" -v first="$5" -v second="$6" '
        function call(value) {
            for (task = 1; task <= 2; task++) {
                printf "2:%d:1:%d:1:%d:50000002:%d\n", task, task, t, value
                printf "1:%d:1:%d:1:%d:%d:5\n", task, task, t, t + 20000
                printf "2:%d:1:%d:1:%d:50000002:0\n", task, task, t + 20000
            }
            t += 20000
        }
        function compute(ns) {
            for (task = 1; task <= 2; task++)
                printf "1:%d:1:%d:1:%d:%d:1\n", task, task, t, t + ns
            t += ns
        }
        BEGIN {
            compute(1000000)
            for (i = 1; i <= first; i++) {
                compute(300000)
                call(10)
                compute(100000)
                call(8)
                for (k = 0; k < calls && i % every == 0; k++) {
                    compute(computes)
                    call(7)
                }
            }
            for (i = 1; i <= second; i++) {
                compute(9000000)
                call(9)
                for (k = 0; k < 4; k++) {
                    compute(100000)
                    call(10)
                }
            }
        }' | sort -s -t: -k6,6n
    } >nest.prv
}
for border in '10000 1 250' '4000000 2 250' '300000 12 262' '10000 3 269'; do
    written 0 $border 1000 0
    prvcut --follow --until-found -n -o cut.prv - <nest.prv | grep '^Loop\|^Note'
done
# What a file holds already is looked at before its beginning is told to be all, and so is what a pipe
# brings, up to a quarter of the duration that its header promises: the second of two loops lasts longer
written 0 1 0 1 1200 60
prvcut --follow --until-found --pid 999999999 -n -o cut.prv nest.prv | grep '^Loop\|^Note'
written 1400000000 1 0 1 1000 100
prvcut --follow --until-found -n -o cut.prv - <nest.prv | grep '^Loop\|^Note'
# Nor is a loop told that is not the one whose period is given, or that has no level that is asked for
prvcut --follow --until-found --period 9.5ms -n -o cut.prv - <nest.prv | grep '^Loop\|^Note'
prvcut --follow --until-found --level 2 -n -o cut.prv - <nest.prv
echo "status $?"
