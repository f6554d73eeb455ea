# A delay that began iterations ago on another rank is told with what counters say of it there; ring, no collective.
ring() {
    awk "$@" 'function put(at, line) { print at "\t" line | "sort -s -n -k 1,1 | cut -f 2-" }
    BEGIN {
        print "#Paraver (01/01/2026 at 12:00):100000000_ns:1(5):1:5(1:1,1:1,1:1,1:1,1:1),1"
        print "c:1:1:5:1:2:3:4:5"
        for (r = 1; r <= 5; r++)
            now[r] = 1000000
        for (i = 0; i < 40; i++) {
            for (r = 1; r <= 5; r++) {
                more = how && i == 20 && r == 3 ? 3000000 : 0
                more += r == 3 ? slow + 0 : 0
                ns = 2000000 + (i * 7919 + r * 104729) % 2003
                to = now[r] + ns + more
                put(now[r], "1:" r ":1:" r ":1:" now[r] ":" to ":1")
                ins = how == "ins" ? ns + more : ns
                cyc = how == "off" ? ns : ns + more
                put(to, "2:" r ":1:" r ":1:" to ":50000001:1:42000050:" 2 * ins ":42000059:" 3 * cyc)
                put(to + 5000, "2:" r ":1:" r ":1:" to + 5000 ":50000001:0:42000050:5000:42000059:15000")
                sent[i, r] = to + 1000
                begin[r] = to + 6000
            }
            for (r = 1; r <= 5; r++) {
                f = r == 1 ? 5 : r - 1
                end = sent[i, f] + 20000 > begin[r] + 3000 ? sent[i, f] + 20000 : begin[r] + 3000
                put(begin[r], "2:" r ":1:" r ":1:" begin[r] ":50000001:2:42000050:1000:42000059:3000")
                put(end, "2:" r ":1:" r ":1:" end ":50000001:0:42000050:" end - begin[r] ":42000059:" 3 * (end - begin[r]))
                put(sent[i, f], "3:" f ":1:" f ":1:" sent[i, f] ":" sent[i, f] ":" r ":1:" r ":1:" begin[r] ":" end - 500 ":800:7")
                now[r] = end
            }
        }
    }'
}
for how in ipc ins off; do
    ring -v how=$how >$how.prv
    prvcut profile --why outliers --top 1 --no-index $how.prv
done
# The first iterations, until a slower rank holds up all, are shorter on the leading rank alone: the run is no faster.
ring -v slow=300000 >slow.prv
prvcut profile --why outliers --no-index slow.prv
# All ranks take longer in a collective of which only the root is waited for; or one ends with who is last, as none must.
rooted() {
    awk "$@" 'function put(at, line) { print at "\t" line | "sort -s -n -k 1,1 | cut -f 2-" }
    BEGIN {
        print "#Paraver (01/01/2026 at 12:00):100000000_ns:1(4):1:4(1:1,1:1,1:1,1:1),1"
        print "c:1:1:4:1:2:3:4"
        for (r = 1; r <= 4; r++)
            now[r] = 1000000
        for (i = 0; i < 40; i++) {
            last = 0
            for (r = 1; r <= 4; r++) {
                to = now[r] + 2000000 + (i * 7919 + r * 104729) % 2003
                if (i == 20 && r == 3 && call == 9)
                    to += 1500000
                put(now[r], "1:" r ":1:" r ":1:" now[r] ":" (call == 9 && i == 20 ? now[r] + 2000000 : to) ":1")
                begin[r] = to
                last = to > last ? to : last
            }
            for (r = 1; r <= 4; r++) {
                from = call == 7 ? (begin[r] > begin[1] ? begin[r] : begin[1]) : last
                end = from + 50000 + (i == 20 && call == 7 ? 1500000 : 0)
                put(begin[r], "2:" r ":1:" r ":1:" begin[r] ":50000002:" call ":50100001:8:50100002:8" (r == 1 ? ":50100003:1" : "") ":50100004:1")
                put(end, "2:" r ":1:" r ":1:" end ":50000002:0")
                now[r] = end
            }
        }
    }'
}
for call in 7 9; do
    rooted -v call=$call >call$call.prv
    prvcut profile --why outliers --no-index call$call.prv
done
