# What threads repeat: nests of classes of threads, patterns, points of interest; as text, CSV and JSON.
. "$data/loop.sh"
prvcut patterns loop.prv
prvcut patterns --poi loop.prv
prvcut patterns --csv --symbols partner loop.prv
prvcut patterns --json --tasks 1 loop.prv | grep -vE '"(program|command)"'
for end in prv pcf; do zstd -dqc "$samples/lu.S.8.$end.zst" >"lu.$end"; done
cp "$samples/lu.S.8.row" lu.row
prvcut patterns lu.prv
prvcut patterns --poi --top 3 lu.prv
prvcut patterns --poi --csv lu.prv
prvcut patterns --poi --level 2 --top 2 lu.prv
# What is proposed cuts the first of them; of a part of the run, whose iterations count from there, by its times.
for part in '' '--from 50ms'; do
    eval "$(prvcut patterns --poi $part lu.prv | sed -n '/^Next/,$p' | tr -s '\n ' ' ' | sed 's/.*cut: //; s/ note:.*//') -n" | head -n 1
done
prvcut patterns --poi --json lu.prv | jq -c '[.numbering, .structure_iterations], (.points[:3][] | [.iteration, .structure_first, .structure_last])'
prvcut patterns --symbols call --from 100ms --to 200ms --csv lu.prv | cut -d, -f1-5
prvcut patterns --tolerant always lu.prv | head -12
prvcut patterns --poi --plot lengths -q lu.prv && grep -c "<rect" lengths.svg && grep -oE ">[^<]* × [0-9]+<" lengths.svg
# Any number of workers tells the same.
for workers in 1 2 8; do prvcut patterns --poi --json -T $workers lu.prv | grep -v '"command"' | cksum; done | sort -u | wc -l
for workers in 1 2 8; do prvcut patterns --json -T $workers lu.prv | grep -v '"command"' | cksum; done | sort -u | wc -l
# Where no two iterations need be alike, they are those of the structure.
. "$data/steps.sh"
prvcut patterns steps.prv | head -12
prvcut patterns --poi --top 2 steps.prv
prvcut patterns --tolerant never steps.prv | sed -n 1,3p
prvcut find --like pattern=1 steps.prv | head -2
for workers in 1 2 8; do prvcut patterns --json -T $workers steps.prv | grep -v '"command"' | cksum; done | sort -u | wc -l
# Functions of a runtime are known by their names where all are of one type; a label that says nothing is told by its type.
sed -e 's/50000001:1/60000019:1/g; s/50000001:2/60000019:2/g; s/50000002:10/60000029:1/g; s/50000001:0/60000019:0/g; s/50000002:0/60000029:0/g' \
    loop.prv >names.prv
printf 'EVENT_TYPE\n0 60000019 User function\nVALUES\n0 End\n1 pthread_mutex_lock\n2 sem_post\n\nEVENT_TYPE\n0 60000029 OpenMP barrier\nVALUES\n0 End\n1 Begin\n' \
    >names.pcf
for of in pthread openmp function; do echo "-- $of"; prvcut patterns --of $of names.prv | head -n 12 | grep -A 4 Class; done
# Without calls nothing repeats.
grep -v '^2:' loop.prv >none.prv
prvcut patterns none.prv; echo $?
prvcut patterns --poi none.prv; echo $?
prvcut patterns --json --poi none.prv | grep -E '"(outermost|points|iterations)"'
prvcut patterns --poi --plot none -q none.prv && grep -o '>[^<]*no calls' none.svg
# What cannot be.
prvcut patterns --top 3 loop.prv; echo $?
prvcut patterns --symbols calls loop.prv; echo $?
prvcut patterns --of mpi,cuda loop.prv; echo $?
prvcut patterns --from 20ms --to 10ms loop.prv; echo $?
prvcut patterns - <loop.prv; echo $?
# Calls of one name that go to others, with other tags, or of another size, are told apart.
awk 'BEGIN {
    print "#Paraver (28/11/2026 at 00:00):6000_ns:1(3):1:3(1:1,1:1,1:1),1"
    print "c:1:1:3:1:2:3"
    for (i = 0; i < 10; i++)
        for (k = 0; k < 3; k++) {
            at = 600 * i + 200 * k
            to = k == 1 ? 3 : 2
            print "2:1:1:1:1:" at ":50000001:1"
            print "3:1:1:1:1:" at ":" at ":" to ":1:" to ":1:" at + 50 ":" at + 60 ":" (i % 5 == 4 ? 8 : 80) ":" (k == 2 ? 7 : 0)
            print "2:" to ":1:" to ":1:" at + 50 ":50000001:2"
            print "2:1:1:1:1:" at + 60 ":50000001:0"
            print "2:" to ":1:" to ":1:" at + 60 ":50000001:0"
        }
}' >body
grep '^[#c]' body >to.prv; grep -v '^[#c]' body | sort -s -t: -k6,6n >>to.prv
for symbols in call partner size; do prvcut patterns --symbols $symbols to.prv | sed -n '2,/^Patterns/p' | grep -A 9 '1 thread: 1' | sed -n '/Send/p'; done
prvcut patterns --symbols partner --json to.prv | grep -E '"(nest|arguments)"' | head -n 2
# One call more in one iteration makes a thread disagree; it is not left out, nor is what it computes.
awk 'BEGIN {
    print "#Paraver (28/11/2026 at 00:00):6701000_ns:1(4):1:4(1:1,1:1,1:1,1:1),0"
    for (r = 1; r <= 4; r++)
        for (i = 1; i <= 60; i++) {
            at = 100000 * i + 700000 * (i > 45)
            busy = i == 45 && r == 3 ? 750000 : 50000 + 97 * ((7 * i + 5 * r) % 11)
            end = at + (i == 45 ? 790000 : 90000)
            n = split("1:3 1:4 1:6", call, " ")
            for (k = 1; k <= n; k++)
                print "2:" r ":1:" r ":1:" at + 3000 * k ":5000000" call[k] "\n2:" r ":1:" r ":1:" at + 3000 * k + 2000 ":50000001:0"
            if (i == 30 && r == 3)
                print "2:3:1:3:1:" at + 15000 ":50000003:19\n2:3:1:3:1:" at + 15500 ":50000003:0"
            print "2:" r ":1:" r ":1:" at + busy ":50000002:10\n2:" r ":1:" r ":1:" end ":50000002:0"
        }
}' | sort -s -t: -k6,6n >body
grep '^#' body >extra.prv && grep -v '^#' body >>extra.prv
prvcut patterns --poi extra.prv
# Threads that do something else are named, and what waits may wait for them.
awk -F: 'BEGIN { OFS = ":" } /^#/ || $2 != 3 { print; next } $7 == 50000002 && $8 { if (n++ % 7 == 0) $7 = 50000003; else keep = 1 } $7 == 50000001 || $7 == 50000003 { print }' extra.prv >other.prv
prvcut patterns --poi other.prv; prvcut patterns --poi --json other.prv | jq -c .left_out
