# Ranks that send to the next and receive from the one before, and meet nowhere else: in a ring, or in a line
# (-v line=1) in which each computes what it received. One computes 6 ms longer once: -v rank=2 -v at=11.
# -v flushes=1: it writes its trace buffer for 6 ms instead, or for so many ns. -v bytes=5000000: of so many is its message instead, a byte a ns.
# -v sweep=1: three times along the line, and back; the one computes as usual, and each of its sends takes 2.5 ms longer,
# as do their messages.
# -v second=500000: all but the first compute so much longer in three of ten steps, here and there.
# -v ranks, steps; -v always=700000: in each step that much longer; -v last=1: in a step they compute last.
# Each line has its time before it, to be sorted.
function state(r, from, to, what) {
    if (to > from)
        print from ":1:" r + 1 ":1:" r + 1 ":1:" from ":" to ":" what
}
function call(r, from, to, what, waits) {
    state(r, ran[r], from, 1)
    print from ":2:" r + 1 ":1:" r + 1 ":1:" from ":50000001:" what
    print to ":2:" r + 1 ":1:" r + 1 ":1:" to ":50000001:0"
    state(r, from, to, waits)
    now[r] = ran[r] = to
}
function flush(r, ns) {
    print now[r] ":2:" r + 1 ":1:" r + 1 ":1:" now[r] ":40000003:1"
    state(r, now[r], now[r] + ns, 12)
    now[r] = ran[r] = now[r] + ns
    print now[r] ":2:" r + 1 ":1:" r + 1 ":1:" now[r] ":40000003:0"
}
function work(r, i) {
    if (flushes && r == rank && i == at)
        flush(r, flushes > 1 ? flushes : 6000000)
    now[r] += 2000000 + (r * 7919 + i * 104729) % 20011
    now[r] += r > 0 && (i * 7919 + 13) % 97 < 30 ? second : 0
    now[r] += r != rank ? 0 : i != at ? always : flushes || bytes ? 0 : 6000000
}
function send(r, i, longer) {
    sent[i, r] = now[r]
    gone[i, r] = now[r] + 3000 + longer
    there[i, r] = gone[i, r] + 5000 + longer
    call(r, now[r], gone[i, r], 1, 4)
}
function receive(r, i, back, from, end) {
    from = (r + (back ? 1 : ranks - 1)) % ranks
    end = there[i, from] > now[r] + 2000 ? there[i, from] : now[r] + 2000
    print end ":3:" from + 1 ":1:" from + 1 ":1:" sent[i, from] ":" gone[i, from] ":" r + 1 ":1:" r + 1 \
        ":1:" now[r] ":" end ":" (bytes && from == rank && i == at ? bytes : 1000) ":7"
    call(r, now[r], end, 2, 3)
}
# All send before any receives, as messages are known only then.
function ring(i) {
    for (r = 0; r < ranks; r++) {
        if (!last)
            work(r, i)
        send(r, i)
        if (r == rank && i == at)
            there[i, r] += bytes
    }
    for (r = 0; r < ranks; r++) {
        receive(r, i)
        if (last)
            work(r, i)
    }
}
function pass(i) {
    for (r = 0; r < ranks; r++) {
        if (r > 0)
            receive(r, i)
        work(r, i)
        if (r < ranks - 1)
            send(r, i)
    }
}
function there_and_back(i, b) {
    for (b = 0; b < 3; b++)
        for (r = 0; r < ranks; r++) {
            if (r > 0)
                receive(r, i "." b)
            now[r] += 650000 + (r * 7919 + i * 104729) % 20011
            if (r < ranks - 1)
                send(r, i "." b, r == rank && i == at ? 2500000 : 0)
        }
    for (r = ranks - 1; r >= 0; r--) {
        if (r < ranks - 1)
            receive(r, i, 1)
        now[r] += 600000
        if (r > 0)
            send(r, i)
    }
}
BEGIN {
    for (r = 0; r < ranks; r++)
        now[r] = ran[r] = 1000000
    for (i = 0; i < steps; i++)
        if (sweep)
            there_and_back(i)
        else if (line)
            pass(i)
        else
            ring(i)
    for (r = 0; r < ranks; r++) {
        state(r, ran[r], now[r], 1)
        end = now[r] > end ? now[r] : end
        of = of (r > 0 ? "," : "") "1:1"
    }
    print "0:#Paraver (01/01/2026 at 12:00):" end + 1000 "_ns:1(" ranks "):1:" ranks "(" of "),0"
}
