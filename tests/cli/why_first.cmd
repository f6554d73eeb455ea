# What led to a loop is no part of it: threads that begin it late keep those waiting that meet them, in its first
# iteration, and these keep others waiting in the next ones.
made() {
    awk "$@" 'function write(r, from, to, what) {
        line[n++] = from "\t2:" r ":1:" r ":1:" from ":" what
        line[n++] = to "\t2:" r ":1:" r ":1:" to ":" substr(what, 1, 8) ":0"
    }
    # Until all of these, or those next to it, have called.
    function wait(all, what,  r, q, end) {
        for (r = 1; r <= 6; r++) {
            end[r] = now[r]
            for (q = 1; q <= 6; q++)
                if ((all || q == r - 1 || q == r + 1) && now[q] > end[r])
                    end[r] = now[q]
        }
        for (r = 1; r <= 6; r++) {
            write(r, now[r], end[r] + 5000, what)
            now[r] = end[r] + 5000
        }
    }
    function compute(r, ns) {
        line[n++] = now[r] "\t1:" r ":1:" r ":1:" now[r] ":" now[r] + ns ":1"
        now[r] += ns
    }
    BEGIN {
        for (r = 1; r <= 6; r++) {
            now[r] = 1000
            compute(r, 3000000 + (r == 5) * 1800000)
        }
        if (all)
            wait(1, "50000002:10:50100004:1")
        for (i = 0; i < 40; i++) {
            for (r = 1; r <= 6; r++)
                compute(r, 1000000 + (i * 7919 + r * 104729) % 8009 + (r == 5 && i == 0) * 1800000)
            for (r = 1; r <= 6 && !all; r++) {
                write(r, now[r], now[r] + 800, "50000001:4")
                now[r] += 800
            }
            wait(all, all ? "50000002:10:50100004:1" : "50000001:6")
        }
        print "#Paraver (01/01/2026 at 12:00):" now[1] + 200000 "_ns:1(6):1:6(1:1,1:1,1:1,1:1,1:1,1:1),1\nc:1:1:6:1:2:3:4:5:6"
        for (i = 0; i < n; i++)
            print line[i] | "sort -s -n -k 1,1 | cut -f 2-"
    }'
}
for all in 0 1; do
    made -v all=$all >none.prv
    prvcut profile --why outliers --no-index none.prv
    prvcut structure --no-index none.prv | grep -c unusual || true
done
