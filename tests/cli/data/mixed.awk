# A Paraver trace of two tasks that iterate 40 times for 1 ms: one in five, by chance, waits, the
# others compute. Unsorted; the header comes first.

function call(task, from, to, type, value) {
    printf "2:%d:1:%d:1:%d:%d:%d\n", task, task, from, type, value
    printf "2:%d:1:%d:1:%d:%d:0\n", task, task, to, type
}

BEGIN {
    seed = 7
    for (i = 0; i < 40; i++) {
        t = 1000000 + i * 1000000
        seed = (seed * 69069 + 12345) % 4294967296
        waits = int(seed / 65536) % 5 == 0
        for (task = 1; task <= 2; task++) {
            call(task, t, t + 20000, 50000003, 19)
            call(task, t + (waits ? 50000 : 900000), t + 990000, 50000002, 9)
        }
    }
}
