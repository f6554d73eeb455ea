# Kinds of iterations are named: 12 iterations of 1 ms, 12 of 3 ms, two collectives in each.
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):60000000_ns:1(2):1:2(1:1,1:1),0"
    t = 4000000
    for (i = 0; i < 24; i++) {
        for (task = 1; task <= 2; task++) {
            printf "%d 2:%d:1:%d:1:%d:50000002:10\n", t, task, task, t
            printf "%d 2:%d:1:%d:1:%d:50000002:0\n", t + 5000, task, task, t + 5000
            printf "%d 2:%d:1:%d:1:%d:50000002:8\n", t + 400000, task, task, t + 400000
            printf "%d 2:%d:1:%d:1:%d:50000002:0\n", t + 405000, task, task, t + 405000
        }
        t += (i * 7 % 24 < 12 ? 1000000 : 3000000) + i * 7919 % 20000
    }
}' | awk 'NR == 1 { print "0 " $0; next } { print }' | sort -s -n | cut -d' ' -f2- >two.prv
prvcut -n two.prv
prvcut -n --json two.prv | jq -c .kinds
. "$data/loop.sh"
prvcut -n --json loop.prv | jq -c .kinds
