# The last iteration of a loop ends where nothing of it is left, in the list and in a cut of it, however late the next call comes.
. "$data/loop.sh"
last() {
    prvcut structure --csv "$1" | tail -1
    prvcut -q -f --json --iteration 20 -o last.prv "$1" | tr -d ' \n' | sed 's/.*"window":{"start_ns":\([0-9]*\),"end_ns":\([0-9]*\).*/\1 \2\n/'
}
last loop.prv
# A call half an iteration behind it.
sed 's/25000000:1$/26000000:1/; s/:25000000_ns:/:26000000_ns:/' loop.prv >late.prv
printf '2:1:1:1:1:25200000:50000002:9\n2:2:1:2:1:25200000:50000002:9\n2:1:1:1:1:25300000:50000002:0\n2:2:1:2:1:25300000:50000002:0\n' >>late.prv
last late.prv
# Iterations with a call at their end lack nothing.
prvcut structure --json late.prv | grep -m 1 -A 40 '"kind": "periodic"' | grep -E '"(iterations|last_ns)"'
# What the calls begin and something else ends at once is no iteration: 20 collectives, a millisecond apart, one three, another call behind.
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):30000000_ns:1(2):1:2(1:1,1:1),0"
    for (i = 0; i <= 20; i++)
        for (task = 1; task <= 2; task++) {
            t = 4000000 + (i < 20 ? i * 1000000 : 19008000) + (i > 9 ? 2000000 : 0)
            type = i < 20 ? 50000002 : 50000001
            printf "2:%d:1:%d:1:%d:%d:10\n", task, task, t, type
            printf "2:%d:1:%d:1:%d:%d:0\n", task, task, t + 5000, type
        }
}' | awk 'NR == 1 { print; next } { print | "sort -s -t: -k6,6n" }' >piece.prv
prvcut structure --csv piece.prv | tail -1
