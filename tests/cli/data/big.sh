# Make big.prv in the current folder, 20 MB of states that cost time to compress: . "$data/big.sh"
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):800000000_ns:1(2):1:2(1:1,1:1)"
    for (i = 0; i < 400000; i++)
        for (task = 1; task <= 2; task++)
            printf "1:%d:1:%d:1:%d:%d:%d\n", task, task, i * 2000 + i % 7, i * 2000 + 1000 + (i * 7919) % 997, 1 + i % 3
}' >big.prv
