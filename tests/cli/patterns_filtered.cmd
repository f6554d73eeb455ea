# A trace without the iterations that are like others: sound, with nothing that was not there, and whole messages.
for end in prv pcf; do zstd -dqc "$samples/lu.S.8.$end.zst" >"lu.$end"; done
cp "$samples/lu.S.8.row" lu.row
prvcut patterns --poi --top 1 --filtered few.prv lu.prv | grep -vE '^(Size|Command)'
prvcut check --strict few.prv
prvcut patterns few.prv | grep outermost
# Messages, and calls as they begin, are the original's.
begins() { awk -F: '$1 == 2 { for (i = 7; i < NF; i += 2) if ($i ~ /^5000000[1-3]$/ && $(i + 1)) print $2, $6, $i, $(i + 1) }' "$1" | sort; }
for file in lu few; do
    grep '^3:' "$file.prv" | sort >"$file.messages"
    begins "$file.prv" >"$file.calls"
done
comm -13 lu.messages few.messages | wc -l
comm -13 lu.calls few.calls | wc -l
# Each message that was sent in a call that is kept is received in one: as many sends as messages.
grep -cE ' 50000001 (1|3)$' few.calls
wc -l <few.messages
# No time is in two states, nor in a hole in one.
awk -F: '$1 == 1 { if ($6 < last[$2]) bad++; last[$2] = $7; all += $7 - $6 } END { print bad + 0, (all > 0) }' few.prv
# The same bytes for any number of workers.
for workers in 1 2 8; do prvcut patterns -q --poi --filtered "w$workers.prv" -T $workers lu.prv; grep -v '^#' "w$workers.prv" | cksum; done | sort -u | wc -l
# Each thread by itself keeps less; no message is in halves.
prvcut patterns --poi -q --filtered each.prv --each-thread lu.prv && prvcut check --strict each.prv
# Just the calls that the report counts.
prvcut patterns --json lu.prv | grep -o '"kept": [0-9]*'; prvcut patterns --json each.prv | grep -m 1 -o '"calls": [0-9]*'
begins each.prv >each.calls && comm -13 few.calls each.calls | wc -l
grep '^3:' each.prv | sort | comm -13 few.messages - | wc -l
# Where there is no outermost loop: each thread by itself.
awk 'BEGIN {
    print "#Paraver (28/11/2026 at 00:00):12660_ns:1(2):1:2(1:1,1:1),0"
    for (r = 1; r <= 2; r++)
        for (i = 0; i < 20; i++) {
            few = i >= 6 && i < 14
            at = few ? 5950 + 20 * (i - 6) : i < 6 ? 1000 * i : 6160 + 1000 * (i - 14)
            call = few ? "50000002:10" : "50000003:" 30 + i
            print "2:" r ":1:" r ":1:" at ":" call
            print "2:" r ":1:" r ":1:" at + (few ? 10 : 500) + 1000 * (i == 19) ":" substr(call, 1, 8) ":0"
        }
}' | sort -s -t: -k6,6n >body
grep '^#' body >small.prv && grep -v '^#' body >>small.prv
prvcut patterns small.prv | sed -n 2,6p
prvcut patterns --poi --filtered some.prv small.prv | grep -vE '^(Size|Command|Read|Written)'
prvcut check --strict some.prv | tail -n 1; grep -c '^2:' small.prv some.prv; prvcut patterns some.prv | tail -n 1
# A thread that calls something else, at borders of its own, stays whole, with what is unusual on it.
awk 'BEGIN {
    print "#Paraver (28/11/2026 at 00:00):37500_ns:1(3):1:3(1:1,1:1,1:1),0"
    for (r = 1; r <= 3; r++)
        for (i = 0; i < (r < 3 ? 40 : 17); i++) {
            at = r < 3 ? 950 * i : 2000 * i + 700 * (i > 8)
            for (k = 0; k < 2; k++) {
                print "2:" r ":1:" r ":1:" at + 300 * k ":5000000" (r < 3) + 1 ":" 1 + k + 7 * (r < 3)
                print "2:" r ":1:" r ":1:" at + 300 * k + 150 ":5000000" (r < 3) + 1 ":0"
            }
        }
}' | sort -s -t: -k6,6n >body
grep '^#' body >groups.prv && grep -v '^#' body >>groups.prv
prvcut patterns --poi -q --filtered two.prv groups.prv; prvcut check --strict two.prv
for file in groups two; do begins $file.prv >$file.calls; grep -c '^3 ' $file.calls; done
comm -13 groups.calls two.calls | wc -l
# What cannot be.
prvcut patterns --poi --each-thread lu.prv; echo $?
prvcut patterns --filtered other.prv lu.prv; echo $?
prvcut patterns --poi --filtered lu.prv lu.prv; echo $?
prvcut patterns --poi -q --filtered few.prv lu.prv; echo $?
prvcut patterns --poi -q --filtered few.otf2 lu.prv; echo $?
ls other.prv few.otf2 2>&1 | wc -l
