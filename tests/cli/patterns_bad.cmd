# What can be known of traces that lack something, and why not more: patterns, points, repeats, search and communication.
# run RANKS ROUNDS: a ring, after which pairs of ranks call Alltoall among themselves
run() {
    awk -v ranks="$1" -v rounds="$2" -v size="${3:-1000000}" 'BEGIN {
        end = rounds * 100000 + 1000
        printf "#Paraver (28/11/2026 at 00:00):%d_ns:1(%d):1:%d(", end, ranks, ranks
        for (r = 1; r <= ranks; r++) printf "%s1:1", (r > 1 ? "," : "")
        printf "),%d\n", 1 + int(ranks / 2)
        printf "c:1:1:%d", ranks
        for (r = 1; r <= ranks; r++) printf ":%d", r
        print ""
        for (r = 1; r < ranks; r += 2) printf "c:1:%d:2:%d:%d\n", (r + 3) / 2, r, r + 1
        for (i = 0; i < rounds; i++) {
            for (step = 0; step < 4; step++)
                for (r = 1; r <= ranks; r++) {
                    at = i * 100000 + 2000 * step + r % 7 * 200
                    head = "2:" r ":1:" r ":1:"
                    if (step < 3)
                        print head at ":50000001:" substr("436", step + 1, 1)
                    else
                        print head at ":50000002:11:50100001:" size ":50100002:" size ":50100004:" int((r + 3) / 2)
                    if (step == 1)
                        printf "3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:100:1\n", r, r, at, at, r % ranks + 1, r % ranks + 1, i * 100000 + (r % ranks + 1) % 7 * 200, i * 100000 + 5500
                    print head at + 1800 ":" (step < 3 ? 50000001 : 50000002) ":0"
                }
        }
    }' | sort -s -t: -k6,6n >body
    grep '^#' body
    grep '^c' body
    grep '^[123]' body
}
all() {
    prvcut patterns "$@" | sed -n 1,4p
    prvcut patterns --poi "$@" | sed -n 1,2p
    prvcut patterns --repeats "$@" | sed -n 2,3p
    prvcut find --like iteration=2 "$@" | sed -n 1p
    prvcut comm "$@" | sed -n '1,2p;/^note/p'
}
run 4 12 >four.prv
# All to all among some is no all to all.
all four.prv
prvcut comm --json four.prv | grep -A 12 '"topology"'
# Messages count beside it from a twentieth of its bytes on.
for size in 1990 2010; do run 4 12 $size >small.prv && prvcut comm small.prv | sed -n 2p; done
# No messages: threads are joined as they are together in time.
grep -v '^3:' four.prv >none.prv && all none.prv
# Some calls were filtered out: messages and states tell so.
awk -F: '!/^2/ || $7 == 50000002' four.prv >coll.prv && all coll.prv | grep -E '^(note|Class)'
prvcut patterns --poi --all --json coll.prv | grep -E '"(uncalled|kind)"' | sort | uniq -c | sed 's/^ *//'
awk -F: '/^2/ { all = $7 == 50000002; if ($8) print "1:" $2 ":" $3 ":" $4 ":" $5 ":" $6 ":" $6 + 1800 ":" (all ? 13 : 3); if (all) next } !/^3/' four.prv >states.prv
all states.prv | grep -E '^(note|Class)'; prvcut patterns --from 1us states.prv | grep -c '^note'
# No calls.
grep -v '^2:' four.prv >calls.prv && all calls.prv
# Calls are open at both borders.
awk -F: '/^[#c]/ || ($6 > 3000 && $6 < 1105000)' four.prv >open.prv && all open.prv
# Members of a communicator call different collectives; one member is not there.
sed -E 's/^(2:[24]:.*):50000002:11/\1:50000002:10/; s/^c:1:3:2:3:4/c:1:3:2:3:9/' four.prv >differ.prv && all differ.prv
# One rank, alone.
run 1 12 >one.prv && all one.prv
# Many.
run 4096 2 >many.prv && prvcut comm many.prv | sed -n 1,2p && prvcut patterns many.prv | sed -n 1,4p
# Cut short.
head -c -20 four.prv >short.prv
prvcut patterns short.prv; echo $?
all --lenient short.prv
# Nothing can be left out where there is no loop: that alone is told.
run 4 1 >once.prv
prvcut patterns --poi --json --filtered few.prv once.prv | grep -cE '"status": 4|"schema"'
ls few.* 2>/dev/null | wc -l
