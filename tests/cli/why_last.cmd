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
