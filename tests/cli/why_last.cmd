# The last iteration of a loop ends with what is called next: that it lacks what leads to a next one makes it none that
# is unusual, and is told where it is asked for.
made() {
    awk "$@" 'function call(value, ns) {
        for (r = 1; r <= 4; r++)
            line[n++] = "2:" r ":1:" r ":1:" at ":50000002:" value ":50100004:1"
        at += ns
        for (r = 1; r <= 4; r++)
            line[n++] = "2:" r ":1:" r ":1:" at ":50000002:0"
    }
    function compute(ns) {
        for (r = 1; r <= 4; r++)
            line[n++] = "1:" r ":1:" r ":1:" at ":" at + ns ":1"
        at += ns
    }
    BEGIN {
        at = 1000
        call(7, 2000)
        for (i = 0; i < 30; i++) {
            compute(1100000 + i * 7919 % 2003)
            call(8, 5000)
            compute(900000 + i * 104729 % 2003)
            call(10, 6000)
        }
        compute(rest)
        call(17, 3000)
        print "#Paraver (01/01/2026 at 12:00):" at "_ns:1(4):1:4(1:1,1:1,1:1,1:1),1\nc:1:1:4:1:2:3:4"
        for (i = 0; i < n; i++)
            print line[i]
    }'
}
made -v rest=520000 >short.prv
prvcut profile --why outliers --no-index short.prv
prvcut structure --csv --no-index short.prv | tail -1
prvcut profile --why 30 --no-index short.prv
# One that is late in a pipeline's last iteration has the others wait in their last calls, longer than the others let
# expect it to take: it ends where those do.
pipe() {
    awk "$@" 'function call(r, from, to, what) {
        line[n++] = from "\t2:" r ":1:" r ":1:" from ":" what
        line[n++] = to "\t2:" r ":1:" r ":1:" to ":" substr(what, 1, 8) ":0"
    }
    function compute(r, ns) {
        line[n++] = now[r] "\t1:" r ":1:" r ":1:" now[r] ":" now[r] + ns ":1"
        now[r] += ns
    }
    BEGIN {
        for (r = 1; r <= 4; r++)
            now[r] = 1000
        for (i = 0; i < 30; i++)
            for (r = 1; r <= 4; r++) {
                if (r > 1) {
                    end = (sent[r - 1] > now[r] ? sent[r - 1] : now[r]) + 2000
                    call(r, now[r], end, "50000001:2")
                    line[n++] = sent[r - 1] "\t3:" r - 1 ":1:" r - 1 ":1:" sent[r - 1] ":" sent[r - 1] ":" r ":1:" r ":1:" now[r] ":" end - 10 ":800:7"
                    now[r] = end
                }
                compute(r, 1000000 + (i * 7919 + r * 104729) % 8009 + (i == 29 && r == 2 ? late : 0))
                sent[r] = now[r]
                if (r < 4) {
                    call(r, now[r], now[r] + 1000, "50000001:1")
                    now[r] += 1000
                }
            }
        for (r = 1; r <= 4; r++)
            compute(r, 1300000)
        end = now[4] + late + 5000
        for (r = 1; r <= 4; r++)
            call(r, now[r], end, "50000002:8")
        print "#Paraver (01/01/2026 at 12:00):" end + 100000 "_ns:1(4):1:4(1:1,1:1,1:1,1:1),0"
        for (i = 0; i < n; i++)
            print line[i] | "sort -s -n -k 1,1 | cut -f 2-"
    }'
}
pipe -v late=3000000 >late.prv
pipe -v late=0 >usual.prv
prvcut profile --why outliers --no-index late.prv
prvcut profile --why outliers --no-index usual.prv
