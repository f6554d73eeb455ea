# A Paraver trace of two tasks that iterate 20 times: compute, send or receive, compute, reduce. An
# iteration takes 1 ms, the first begins at 4 ms. Unsorted; the header comes first:
#
#   awk -f loop.awk | sort -s -t: -k6,6n   (data/loop.sh does it)

function state(task, from, to, number) {
    printf "1:%d:1:%d:1:%d:%d:%d\n", task, task, from, to, number
}

function event(task, at, pairs) {
    printf "2:%d:1:%d:1:%d:%s\n", task, task, at, pairs
}

# A state, and the call that makes it
function call(task, from, to, number, type, value) {
    state(task, from, to, number)
    event(task, from, type ":" value)
    event(task, to, type ":0")
}

BEGIN {
    iterations = 20
    first = 4000000
    period = 1000000
    end = first + iterations * period + 1000000
    for (task = 1; task <= 2; task++)
        state(task, 0, first, 1)
    for (i = 0; i < iterations; i++) {
        t = first + i * period
        state(1, t, t + 600000, 1)
        call(1, t + 600000, t + 650000, 4, 50000001, 1)
        state(1, t + 650000, t + 800000, 1)
        call(1, t + 800000, t + 1000000, 5, 50000002, 10)
        state(2, t, t + 500000, 1)
        call(2, t + 500000, t + 660000, 3, 50000001, 2)
        state(2, t + 660000, t + 820000, 1)
        call(2, t + 820000, t + 1000000, 5, 50000002, 10)
        printf "3:1:1:1:1:%d:%d:2:1:2:1:%d:%d:1024:7\n", t + 600000, t + 600000, t + 500000,
            t + 660000
    }
    for (task = 1; task <= 2; task++)
        state(task, end - 1000000, end, 1)
}
