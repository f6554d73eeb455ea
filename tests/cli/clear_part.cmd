# Flushes disturb most iterations: a cut of clear ones stands for as many as are clear, also where not
# all of these are measured.
make() {
    awk -v n="$1" 'BEGIN {
        t = 4000000
        for (i = 0; i < n; i++) {
            for (task = 1; task <= 2; task++) {
                printf "%.0f 2:%d:1:%d:1:%.0f:50000002:10\n", t, task, task, t
                printf "%.0f 2:%d:1:%d:1:%.0f:50000002:0\n", t + 5000, task, task, t + 5000
                printf "%.0f 2:%d:1:%d:1:%.0f:50000002:8\n", t + 400000, task, task, t + 400000
                printf "%.0f 2:%d:1:%d:1:%.0f:50000002:0\n", t + 405000, task, task, t + 405000
                if (i % 20 < 9 || i % 20 > 12) {
                    printf "%.0f 2:%d:1:%d:1:%.0f:40000003:1\n", t + 500000, task, task, t + 500000
                    printf "%.0f 2:%d:1:%d:1:%.0f:40000003:0\n", t + 1500000, task, task, t + 1500000
                }
            }
            t += (i % 20 < 9 || i % 20 > 12 ? 2000000 : 1000000) + i * 7919 % 20000
        }
        printf "0 #Paraver (01/01/2026 at 12:00):%.0f_ns:1(2):1:2(1:1,1:1),0\n", t
    }' | sort -s -n | cut -d' ' -f2- >"$2"
}
make 60 flushed.prv
prvcut -n flushed.prv
prvcut -n --json flushed.prv | jq -c '(.chops[] | {verdict, windows, weight, share}), .iterations_clear, .kinds_of_clear'
# Ten lines do not leave out the verdict.
prvcut -n --kinds --outliers 1 flushed.prv | sed -n '/^Stands/,/^Time/p'
make 2600 many.prv
prvcut -n many.prv | sed -n '/^Disturbed/,/^Sure/p; /^Stands/,/^Time/p'
prvcut -n --json many.prv | jq -c '(.chops[] | {verdict, windows, weight, share}), .iterations_clear'
