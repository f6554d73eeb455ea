# What changed from one run to another: as text, CSV, JSON; by how much is what the status tells.
. "$data/loop.sh"
. "$data/slow.sh"
prvcut diff loop.prv slow.prv
prvcut diff loop.prv loop.prv
for limit in 5% 25% 20.0% 0%; do
    prvcut diff -q --fail-above "$limit" loop.prv slow.prv
    echo "$limit: $?"
done
for limit in 3% 20%; do prvcut diff --fail-above $limit loop.prv slow.prv | grep worse; done
# Faster is not worse; nor is what has not changed.
prvcut diff --fail-above 0% slow.prv loop.prv
echo $?
prvcut diff --fail-above 0% slow.prv slow.prv | head -n 2
prvcut diff -v loop.prv slow.prv
prvcut diff --csv loop.prv slow.prv
prvcut diff --json loop.prv slow.prv | sed -n '/"sentence"/,/"rows"/p'
prvcut diff --json -T 1 -o one loop.prv slow.prv
prvcut diff --json -T 3 -o three loop.prv slow.prv
diff one.json three.json
# A loop that is asked for must be there; else whole runs are compared.
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:77:1\n' >none.prv
prvcut diff loop.prv none.prv
prvcut diff --level 1 loop.prv none.prv
echo $?
prvcut diff --json --level 3 loop.prv slow.prv
echo $?
# Other formats tell the same; two real runs of unlike formats and numbers of ranks.
for format in otf2 otf; do
    prvcut convert -q slow.prv "slow.$format" || continue
    prvcut diff --fail-above 0% slow.prv "slow.$format" | head -n 2
    prvcut diff "slow.$format" "slow.$format" | head -n 1
    prvcut diff loop.prv "slow.$format" | head -n 2
done
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
tar -xf "$samples/lu.S.4-eztrace.tar.zst"
prvcut diff lu.prv lu.S.4*
# A region of each.
prvcut diff --region 1.1,1.1 loop.prv slow.prv | head -n 1
# Without messages nobody knows what calls wait for; without calls, which of them takes longer.
grep -v '^3:' loop.prv >silent.prv
prvcut diff loop.prv silent.prv | sed -n '/Waiting/p; /note/p'
prvcut diff --json loop.prv silent.prv | grep -A 26 '"quantity": "waiting"' | grep '"reason"'
sed 's/:5000000[0-9]:/:77:/g; /^3:/d' slow.prv >bare.prv
prvcut diff loop.prv bare.prv
sed '/^1:/d' bare.prv >nothing.prv
prvcut diff loop.prv nothing.prv | head -n 2
# Clocks that are apart tell no waiting.
. "$data/apart.sh"
prvcut diff loop.prv apart.prv
prvcut diff --json loop.prv apart.prv | sed -n '/"clock"/,/}/p'
# One is no plural.
sed 's/^3:.*/&\n&/' loop.prv >twice.prv
prvcut diff loop.prv twice.prv | head -n 2
sed '/:50000002:/d' loop.prv >less.prv
prvcut diff loop.prv less.prv | head -n 2
prvcut diff less.prv loop.prv | head -n 2
# All regions of a loop are compared, whichever is named.
prvcut diff --region 1.2 lu.prv lu.prv | head -n 2
# One iteration that is much longer: chance or not, twice as long is worse; so is what chance hardly does.
later() # $1 ns from each of the times on that follow
{
    awk -F: -v OFS=: -v longer="$1" -v at="$2" '
        BEGIN { n = split(at, from, " ") }
        function later(t, i, more) { for (i = 1; i <= n; i++) more += (t > from[i]) * longer; return t + more }
        /^[123]:/ { $6 = later($6) }
        /^[13]:/ { $7 = later($7) }
        /^3:/ { $12 = later($12); $13 = later($13) }
        /^#/ { sub(/:25000000_ns/, ":" 25000000 + n * longer "_ns") }
        { print }' loop.prv
}
for longer in 6000000 30000000; do
    later $longer 12400000 >one.prv
    prvcut diff --fail-above 2% loop.prv one.prv | sed '/^A /,/Where/d; /^Iterations/,$d'
    prvcut diff -q --fail-above 2% loop.prv one.prv
    echo $?
done
later 200000 "$(seq -s ' ' 13400000 1000000 22400000)" >some.prv
prvcut diff --fail-above 2% loop.prv some.prv | head -n 4
prvcut diff --fail-above 2% some.prv loop.prv | head -n 4
# Of 12 ranks in a line some are not compared by their calls: they have borders of their own here, too.
for rank in none 5 11; do
    awk -v ranks=12 -v steps=40 -v line=1 -v rank=$rank -v at=-1 -v always=700000 -f "$data/ring.awk" |
        sort -s -t: -k1,1n | cut -d: -f2- >$rank.prv
done
prvcut diff none.prv 5.prv | head -n 2
prvcut diff none.prv 11.prv | head -n 2
# Loops that are not the same: nothing is judged. Ten steps and a file are compared with ten steps.
calls() # as often the MPI calls that follow, by their numbers, by two ranks
{
    awk -v times="$1" -v calls="$2" 'BEGIN {
        for (i = n = split(calls, call, " "); i < n * (times + 1); i++) {
            t = 100000 * (i - n)
            type = call[i % n + 1] > 100 ? 50000004 : 50000002
            for (r = 1; r <= 2; r++) {
                at[++k] = t + 60000 ":1:" r ":" type ":" call[i % n + 1]
                at[++k] = t + 100000 ":1:" r ":" type ":0"
            }
        }
        print "#Paraver (01/01/2026 at 12:00):" t + 200000 "_ns:1(2):1:2(1:1,1:1),1"
        for (i = 1; i <= k; i++) {
            split(at[i], f, ":")
            print "2:" f[3] ":1:" f[3] ":1:" f[1] ":" f[4] ":" f[5]
        }
    }' | sort -s -t: -k6,6n
}
calls 40 '8 10' >steps.prv
calls 18 '8 8 10 10 10' >other.prv
calls 12 '8 10 8 10 8 10 8 10 8 10 8 10 8 10 8 10 8 10 8 10 101' >file.prv
prvcut diff --fail-above 5% steps.prv other.prv
echo $?
prvcut diff --json other.prv steps.prv | grep -E '"(sentence|compared|worst|exceeded|changed)"' | sort | uniq -c
prvcut diff --region 1.1 --fail-above 5% steps.prv other.prv | head -n 1
prvcut diff steps.prv file.prv | grep -v note
# What collectives carry changes nothing else, and is told by itself; who does not hold it says so.
sed 's/:50000002:10/&:50100001:64:50100002:64/' loop.prv >sized.prv
sed 's/:50000002:10/&:50100001:512:50100002:512/' loop.prv >bigger.prv
prvcut diff --fail-above 5% sized.prv bigger.prv
echo $?
prvcut diff --csv sized.prv bigger.prv | grep collective_bytes
prvcut diff --json sized.prv bigger.prv | sed -n '/"changes"/,/"rows"/p' | grep '"quantity"\|"changed"\|"turn"'
prvcut diff --fail-above 5% bigger.prv sized.prv | head -n 2
prvcut diff --fail-above 0% sized.prv sized.prv | head -n 2
prvcut diff loop.prv sized.prv | grep 'changed\|Collective\|note: [AB]'
prvcut convert -q bigger.prv bigger.otf2 && prvcut diff --fail-above 5% sized.prv bigger.otf2 | head -n 2
# The tracer writes in three iterations of one run and in none of the other: that is told, though what is longer by it may be chance.
flushed() {
    awk "$@" 'BEGIN {
        print "#Paraver (01/01/2026 at 12:00):100000000_ns:1(1):1:1(1:1),0"
        for (at = 1000; i < 30; i++) {
            end = at + 2000000 + i * 7919 % 20003
            print "1:1:1:1:1:" at ":" end ":1"
            if (flush && i % 10 == 4) {
                print "2:1:1:1:1:" end ":40000003:1"
                print "2:1:1:1:1:" (end += 800000) ":40000003:0"
            }
            print "2:1:1:1:1:" end ":50000002:8"
            print "2:1:1:1:1:" (at = end + 5000) ":50000002:0"
        }
    }'
}
flushed >never.prv
flushed -v flush=1 >flushed.prv
prvcut diff --fail-above 5% never.prv flushed.prv | grep -v '^[A-Z]'
prvcut diff flushed.prv flushed.prv | head -n 1
