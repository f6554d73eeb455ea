# A Paraver trace of two tasks that iterate 40 times in five collectives, of which every second
# iteration has one that takes three times as long as the others, each in its turn. Two iterations in
# a row never spend their time as most do; three do. Unsorted; the header comes first.

function call(task, from, to, type, value) {
    printf "2:%d:1:%d:1:%d:%d:%d\n", task, task, from, type, value
    printf "2:%d:1:%d:1:%d:%d:0\n", task, task, to, type
}

BEGIN {
    split("8 7 10 11 9", collective)
    t = 1000000
    for (i = 0; i < 40; i++) {
        t += 500000
        for (k = 1; k <= 5; k++) {
            takes = i % 2 == 1 && (i - 1) / 2 % 5 == k - 1 ? 300000 : 100000
            for (task = 1; task <= 2; task++)
                call(task, t, t + takes, 50000002, collective[k])
            t += takes + 1000
        }
    }
}
