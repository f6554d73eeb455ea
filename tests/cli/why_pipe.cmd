# In a pipeline that ends with a collective the last rank always comes late to it: where that itself takes longer it is not
# to blame. Where a rank before it does nothing for a while, that one is. Where all compute longer, each does so at its own time,
# and in all iterations that is what makes another run slower. The .pcf names the value 0, as Extrae's do.
made() {
    awk "$@" 'function call(r, from, to, what) {
        line[n++] = from "\t2:" r ":1:" r ":1:" from ":" what
        line[n++] = to "\t2:" r ":1:" r ":1:" to ":" substr(what, 1, 8) ":0"
    }
    BEGIN {
        for (r = 1; r <= 6; r++)
            now[r] = 1000
        for (i = 0; i < 30; i++) {
            for (r = 1; r <= 6; r++) {
                if (r > 1) {
                    end = sent[r - 1] + 2000
                    call(r, now[r], end, "50000001:2")
                    line[n++] = sent[r - 1] "\t3:" r - 1 ":1:" r - 1 ":1:" sent[r - 1] ":" sent[r - 1] + 10 ":" r ":1:" r ":1:" now[r] ":" end - 10 ":800:7"
                    now[r] = end
                }
                line[n++] = now[r] "\t1:" r ":1:" r ":1:" now[r] ":" now[r] + 1000000 + (i * 7919 + r * 104729) % 8009 ":1"
                now[r] += 1000000 + (i * 7919 + r * 104729) % 8009 + (i == 12 && r == 3 ? idle : 0)
                more = always + (i == 12 ? once : 0)
                line[n++] = now[r] "\t1:" r ":1:" r ":1:" now[r] ":" now[r] + more ":1"
                now[r] += more
                sent[r] = now[r]
                call(r, now[r], now[r] + 1000, "50000001:1")
                now[r] += 1000
            }
            end = now[6] + 5000 + (i == 12 ? longer : 0)
            for (r = 1; r <= 6; r++) {
                call(r, now[r], end, "50000002:10:50100004:1")
                now[r] = end + 100
            }
        }
        print "0\t#Paraver (01/01/2026 at 12:00):" end + 1000 "_ns:1(6):1:6(1:1,1:1,1:1,1:1,1:1,1:1),1"
        print "0\tc:1:1:6:1:2:3:4:5:6"
        for (i = 0; i < n; i++)
            print line[i]
    }' | sort -s -n -k1,1 | cut -f2
}
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n0 Outside MPI\n1 MPI_Send\n2 MPI_Recv\n\nEVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n0 Outside MPI\n10 MPI_Allreduce\n' >slow.pcf
for trace in idle all once usual; do cp slow.pcf $trace.pcf; done
made -v longer=1500000 >slow.prv
made -v idle=3000000 >idle.prv
made -v always=400000 >all.prv
made -v once=900000 >once.prv
made -v once=0 >usual.prv
for trace in slow idle once; do
    prvcut profile --why outliers --no-index $trace.prv | sed '/^Next/d'
done
prvcut diff usual.prv all.prv | head -n 2
prvcut diff all.prv usual.prv | head -n 2
