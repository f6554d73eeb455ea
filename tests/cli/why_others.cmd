# Why of what the rank that leads does not see: in a ring the delay comes to it late, and who handed it on computed
# as usual; in a line it does not wait; where its last iteration ends nobody knows. Of 12 ranks some are not compared:
# none of these computes longer.
made() {
    awk "$@" -f "$data/ring.awk" | sort -s -t: -k1,1n | cut -d: -f2-
}
made -v ranks=5 -v steps=30 -v rank=2 -v at=11 >ring.prv
made -v ranks=5 -v steps=30 -v rank=2 -v at=11 -v line=1 >line.prv
made -v ranks=12 -v steps=40 -v rank=9 -v at=11 >wide.prv
made -v ranks=4 -v steps=30 -v rank=2 -v at=29 -v last=1 >last.prv
for trace in ring line last wide; do
    prvcut profile --why outliers --no-index $trace.prv
done
prvcut profile --json --why outliers --no-index ring.prv | jq -c '.why.slow[0].causes[0] |
    {what, call, late, partner_rank, partner_did, partner_call, origin_rank, origin_did}'
prvcut profile --why 30 --no-index last.prv
# A rank that did many things before it came late, none for half of the time: its sends are longer than usual.
made -v ranks=12 -v steps=30 -v rank=9 -v at=15 -v sweep=1 >sweep.prv
prvcut profile --why 16 --no-index sweep.prv
# It was late because of a flush, most of which was before the first iteration began.
made -v ranks=3 -v steps=30 -v rank=2 -v at=0 -v flushes=1 >early.prv
prvcut profile --why 1 --no-index early.prv
grep -v '^1:' early.prv >stateless.prv
prvcut profile --why 1 --no-index stateless.prv | sed 1d
# It flushed for less time than it computed, as usual, before it came.
made -v ranks=5 -v steps=30 -v rank=2 -v at=11 -v flushes=900000 >short.prv
prvcut profile --why outliers --no-index short.prv
# In three of ten steps, here and there, all but the first compute twice as long: that is a kind, and not unusual on any.
made -v ranks=6 -v steps=40 -v rank=2 -v at=99 -v line=1 -v second=2000000 >kind.prv
prvcut profile --why outliers --no-index kind.prv
# Of a second thread without records nobody knows that it computes: it is not why.
made -v ranks=4 -v steps=30 -v rank=2 -v at=11 | awk '/^#/ { gsub(/1:1,/, "2:1,"); sub(/1:1\)/, "2:1)") } !/^1:/' >idlers.prv
prvcut profile --why outliers --no-index idlers.prv
# A rank that neither computes nor calls for most of the time: nothing there is less of tells why one is shorter.
awk 'BEGIN {
    for (at = 1000; i < 30; i++) {
        run = at + 2000000 + i * 7919 % 2003
        call = run + (i == 11 ? 1000000 : 4000000)
        line[n++] = "1:1:1:1:1:" at ":" run ":1"
        line[n++] = "2:1:1:1:1:" call ":50000002:8"
        line[n++] = "2:1:1:1:1:" (at = call + 5000) ":50000002:0"
    }
    print "#Paraver (01/01/2026 at 12:00):" at + 100 "_ns:1(1):1:1(1:1),0"
    for (i = 0; i < n; i++)
        print line[i]
}' >idle.prv
prvcut profile --why 11 --no-index idle.prv
# What took so long to come, iterations ago, was more than usual; at the end of the loop it does not reach the one that leads.
made -v ranks=8 -v steps=40 -v rank=3 -v at=20 -v bytes=5000000 >bytes.prv
made -v ranks=8 -v steps=40 -v rank=3 -v at=36 -v bytes=5000000 >late.prv
prvcut profile --why outliers --no-index bytes.prv
prvcut profile --why 37 --no-index late.prv
prvcut profile --json --why outliers --no-index bytes.prv | jq -c '.why.slow[0].causes[0] | {origin_rank, origin_call, bytes, usual_bytes}'
# One that comes late to a collective by a clock that is behind does not seem to: it is out of it long before the others.
behind() {
    awk 'BEGIN {
        at = 1000
        for (i = 0; i < 30; i++) {
            late = i == 14 ? 500000 : 0
            at += 1000000
            for (r = 1; r <= 4; r++) {
                off = r == 3 ? -300000 : 0
                from = at + off + (r == 3 ? late : 0)
                to = at + late + 400000 + off
                line[n++] = was[r] "\t1:" r ":1:" r ":1:" was[r] + 0 ":" at + off ":1"
                line[n++] = from "\t2:" r ":1:" r ":1:" from ":50000002:10:50100004:1"
                line[n++] = to "\t2:" r ":1:" r ":1:" to ":50000002:0"
                was[r] = to
            }
            at += 400000 + late
        }
        print "#Paraver (01/01/2026 at 12:00):" at "_ns:1(4):1:4(1:1,1:1,1:1,1:1),1\nc:1:1:4:1:2:3:4"
        for (i = 0; i < n; i++)
            print line[i] | "sort -s -n -k 1,1 | cut -f 2-"
    }'
}
behind >behind.prv
prvcut profile --why outliers --no-index behind.prv
