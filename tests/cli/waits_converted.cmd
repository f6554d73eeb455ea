# The same severities in all formats, also where what is told of collectives stands in lines of its own.
needs otf2 || exit 77
zstd -dqc "$samples/lu.S.8.prv.zst" >lu.prv
awk -F: -v OFS=: '$1 == 2 && /:50000002:/ { for (i = 7; i < NF; i += 2) print $1, $2, $3, $4, $5, $6, $i, $(i + 1); next } { print }' lu.prv >own.prv
prvcut waits --csv own.prv | cut -d, -f1-6 >told
prvcut waits --csv lu.prv | cut -d, -f1-6 | diff told - && echo as in one line
prvcut convert -q own.prv own.otf2
prvcut waits --csv own.otf2 | cut -d, -f1-6 | diff told - && echo the same in OTF2
# OTF does not hold when receives were posted, which is told.
prvcut convert -q own.prv own.otf
prvcut waits --csv own.otf | cut -d, -f1-6 >otf
grep -v late_receiver told >less
grep -v late_receiver otf | diff less - && echo the same in OTF
prvcut waits own.otf | grep '^note: late_receiver'
wc -l <less
# An archive whose times go back.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1)\n2:1:1:1:1:10:50000001:2\n2:2:1:2:1:80:50000001:1\n3:2:1:2:1:80:85:1:1:1:1:10:90:8:2\n2:2:1:2:1:85:50000001:0\n2:1:1:1:1:90:50000001:0\n' >back.prv
prvcut convert -q back.prv back.otf2
LC_ALL=C sed -i 's/\x05\x55\x00\x00\x00\x00\x00\x00\x00/\x05\x46\x00\x00\x00\x00\x00\x00\x00/' back/1.evt
prvcut waits back.otf2 | grep 'out of order'
prvcut waits --json back.otf2 | grep unsorted
# In OTF no send that was started is complete, as in Paraver.
sed 's/50000001:1$/50000001:3/' back.prv >started.prv
prvcut convert -q started.prv started.otf
prvcut waits started.otf | grep '^note: late_receiver'
# Which of two receives under way took a message is known from when they were posted, which OTF does not hold.
printf '#Paraver (01/01/2026 at 12:00):5000_ns:1(2):1:2(1:1,1:1)\n' >two.prv
awk 'function call(r, at, till, v) { print "2:" r ":1:" r ":1:" at ":50000001:" v "\n2:" r ":1:" r ":1:" till ":50000001:0" }
    function message(s, p, c) { print "3:1:1:1:1:" s ":" s + 50 ":2:1:2:1:" p ":" c ":8:5" }
    BEGIN { call(2, 500, 510, 4); call(1, 1000, 1050, 1); message(1000, 510, 4000); call(2, 1600, 1610, 4); call(1, 2000, 2050, 1)
        message(2000, 1610, 3000); call(2, 1700, 3000, 5); call(2, 3500, 4000, 5) }' | sort -s -t: -k6,6n >>two.prv
prvcut waits --csv two.prv | grep ^late | cut -d, -f1,2,4,12-
prvcut convert -q two.prv two.otf2
prvcut waits --csv two.otf2 | grep ^late | cut -d, -f1,2,4,12-
prvcut convert -q two.prv two.otf
prvcut waits --csv two.otf | grep ^late | cut -d, -f1,2,4,12-
prvcut waits two.otf | grep -v rank
# Calls inside calls of their type, and a call without an end: Paraver's first end ends all of them, an archive's the innermost.
printf '#Paraver (01/01/2026 at 12:00):9000_ns:1(2):1:2(1:1,1:1)\nc:1:1:2:1:2\n' >in.prv
awk 'function at(r, t, type, v) { print "2:" r ":1:" r ":1:" t ":5000000" type ":" v (v > 6 ? ":50100001:8:50100002:8:50100003:1:50100004:1" : "") }
    BEGIN { for (r = 1; r < 3; r++) { b = 1000 * r; at(r, b, 2, 10); at(r, b + 50, 2, 9); at(r, b + 100, 1, 3 - r); at(r, 2400 + r, 1, 0)
        at(r, 2500, 2, 9); at(r, 2510, 2, 7); at(r, 2600, 2, 0); at(r, 2650, 2, 0); at(r, 3000 + b, 2, 8); at(r, 6000 + b, 2, 8); at(r, 8500, 2, 0) }
    print "3:2:1:2:1:2100:2402:1:1:1:1:1100:2401:8:5" }' | sort -s -t: -k6,6n >>in.prv
prvcut waits --csv in.prv | cut -d, -f1-6 >told
grep ',[1-9]' told
prvcut convert -q in.prv in.otf2
prvcut convert -q in.otf2 on.otf2
prvcut convert -q in.prv in.otf
prvcut convert -q in.otf of.otf2
prvcut convert -q of.otf2 on.otf
for i in in.otf2 on.otf2 in.otf of.otf2 on.otf; do
    prvcut waits --csv $i | cut -d, -f1-6 | diff told - && echo the same in $i
    prvcut profile --csv $i | cut -d, -f1-6 | sort >profile.$i
done
prvcut profile --csv in.prv | cut -d, -f1-6 | sort | diff - profile.in.otf2 && diff profile.in.otf2 profile.on.otf2 && echo the same profile
diff profile.in.otf profile.of.otf2 && diff profile.of.otf2 profile.on.otf && echo and of what nests
prvcut efficiency --json in.prv | grep '"serialization"\|"queued"\|"lost"' >told
prvcut efficiency --json in.otf2 | grep '"serialization"\|"queued"\|"lost"' | diff told - && cat told
