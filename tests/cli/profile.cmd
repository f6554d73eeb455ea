# Where the time goes: by call, state, rank, thread, of all of a run and of a window; as text, CSV, JSON.
. "$data/loop.sh"
prvcut profile loop.prv
prvcut profile --by rank loop.prv
prvcut profile --by state loop.prv
prvcut profile --by call,rank --csv loop.prv
prvcut profile --by thread --csv --from 10ms --to 12500us loop.prv
prvcut profile --csv --from 10ms --to 12500us loop.prv
prvcut profile --by call --top 1 loop.prv
prvcut profile --json --by state,rank --top 1 loop.prv
prvcut profile --csv -T 3 -o table - <loop.prv && cat table.csv
# Regions and iterations, each rank at its own borders.
prvcut profile --by region loop.prv
# A row for each region, of each view.
prvcut profile --by region,rank loop.prv >regions.txt
prvcut profile --by rank --region all loop.prv | diff regions.txt - && echo the same
prvcut profile --by iteration --iteration 3-5 loop.prv
prvcut profile --by call,iteration --iteration 3-4 --csv loop.prv
prvcut profile --by iteration,rank --top 3 --csv loop.prv
prvcut profile --iteration 3 loop.prv
prvcut profile --region 1.1 --by rank --csv loop.prv
prvcut profile --by iteration --json --top 1 loop.prv | grep -A 30 '"by"'
# What ranks do with each other, and functions.
prvcut profile --waiting loop.prv
prvcut profile --by rank --waiting loop.prv
prvcut profile --by peer loop.prv
prvcut profile --by peer,iteration --iteration 3-4 --csv loop.prv
prvcut profile --by communicator --csv loop.prv
prvcut profile --by communicator,call,rank --json --top 1 loop.prv | grep -A 16 '"by"'
prvcut profile --by function loop.prv
prvcut profile --by function,call loop.prv
# Other formats tell the same of the same calls.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
prvcut profile --csv lu.prv >lu.csv
for format in otf2 otf; do
    prvcut convert -q lu.prv "lu.$format" || continue
    prvcut profile --csv "$(find . -path "./lu*" -name "*.$format")" | diff lu.csv - && echo "$format: the same"
    prvcut profile --by function --top 3 "$(find . -path "./lu*" -name "*.$format")"
    prvcut profile --by function,call --csv "$(find . -path "./lu*" -name "*.$format")" | tail -n 1
    prvcut profile --by rank --csv "$(find . -path "./lu*" -name "*.$format")" | cut -d, -f1-13
done
# Source lines, and all time in calls once.
zstd -qd "$samples/lu.S.8.prv.zst" -o named.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o named.pcf
prvcut profile --by line --top 4 named.prv
prvcut profile --by function,call --top 3 named.prv
prvcut profile --by function,call,rank --csv named.prv | awk -F, 'NR == 1 { print } NR > 1 { calls += $5; ns += $6 } END { printf "%d %.0f\n", calls, ns }'
prvcut profile --csv named.prv | awk -F, 'NR > 1 { calls += $2; ns += $3 } END { printf "%d %.0f\n", calls, ns }'
prvcut profile --by line,rank --top 3 --csv named.prv
prvcut profile --by line --csv --top 1000000 named.prv | awk -F, 'NR > 1 { ns += $3 } END { printf "%.0f\n", ns }'
prvcut profile --by rank --json named.prv | awk '/"total"/ { total = 1 } total && /"calls_ns"/ { print $2 + 0; exit }'
# Callers without labels are numbers, of a file and of a pipe.
zstd -qd "$samples/lu.S.8.prv.zst" -o bare.prv
prvcut profile --by function --top 2 bare.prv
prvcut profile --by function --top 2 --csv - <bare.prv
prvcut profile --by line --top 2 bare.prv
# The first line is of what is shown, and as long as its threads' own windows are on average.
prvcut profile --by iteration --iteration 4 lu.prv
prvcut profile --by region --region 1.1 loop.prv
# Of traces without receives or calls it is not known how long calls wait; collectives tell it of
# themselves.
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
archive=$(find . -name eztrace_log.otf2)
awk -F: '$1 != 3' loop.prv >alone.prv
prvcut profile --waiting alone.prv
prvcut profile --waiting --by rank --json --top 1 alone.prv | grep -E '_bytes|waiting|text'
prvcut profile --by peer alone.prv
grep -v :5000000 loop.prv >uncalled.prv
prvcut profile --by peer uncalled.prv
prvcut profile --by communicator --from 0 --to 1us loop.prv
prvcut profile --by state --top 2 "$archive"
# What is neither computing nor a call is named where it is much.
awk -F: 'BEGIN { OFS = ":" } $1 == 1 && $8 == 1 && $6 > 15000000 { $8 = 12 } { print }' loop.prv >io.prv
prvcut profile --top 1 io.prv
# Where clocks are apart: how far; what is received too early on one clock is no clock's fault, and
# tells no waiting.
. "$data/apart.sh"
prvcut profile --top 1 apart.prv
prvcut profile --waiting apart.prv
prvcut profile --json --waiting apart.prv | sed -n '/"clock"/,/}/p'
sed 's/2(1,1):1:2(1:1,1:2)/1(2):1:2(1:1,1:1)/' apart.prv >crossed.prv
prvcut profile --waiting crossed.prv
# Damaged records that are skipped are counted; what has no name has no number, either.
{ cat loop.prv && echo '2:1:1:1:1:xx:77:1'; } >bad.prv
prvcut profile --lenient --top 1 bad.prv
prvcut profile --lenient --json --top 1 bad.prv | grep skipped
printf '#Paraver (01/01/2026 at 12:00):25000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:50000001:1:70000001:5\n2:1:1:1:1:20:50000001:0\n2:1:1:1:1:30:50000001:1\n2:1:1:1:1:40:50000001:0\n' >who.prv
prvcut profile --by function --json who.prv | grep -A 3 '"function"'
# Where no calls tell the borders of threads that were not compared, the report says so.
{
    echo '#Paraver (01/01/2026 at 12:00):25000000_ns:1(12):1:12(1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1,1:1),0'
    awk -F: 'BEGIN { OFS = ":" } $1 == 1 && $4 == 1 { for (i = 1; i <= 12; i++) { $2 = i; $4 = i; print } }' loop.prv
} >states.prv
prvcut profile --by iteration --iteration 3 states.prv
# Where the trace holds nothing of MPI but its begin and its end, calls between are unknown, not none.
printf '2:1:1:1:1:%s\n' 10:50000003:31 20:50000003:0 24000000:50000003:32 24000010:50000003:0 |
    sort -s -t : -k 6,6n states.prv - | sed '/^#/d; 1i '"$(head -1 states.prv)" >burst.prv
prvcut profile --by iteration --top 1 burst.prv
prvcut profile --by iteration --top 1 --json burst.prv | grep -E '"(calls_ns|entered)"'
prvcut profile --by call,iteration burst.prv
# A long name is cut between two characters.
printf '#Paraver (01/01/2026 at 12:00):25000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:50000001:1:70000001:5\n2:1:1:1:1:20:50000001:0\n' >long.prv
printf 'EVENT_TYPE\n0 70000001 Caller at level 1\nVALUES\n5 a%s\n' 'äääääääääääääääääääääääääääääää' >long.pcf
prvcut profile --by function long.prv
# Why iterations are slow: the longest of those that stand out, and those that are named.
prvcut profile --why outliers --top 2 named.prv
prvcut profile --why 23-24 named.prv
prvcut profile --why outliers --top 2 --csv named.prv
prvcut profile --why 24 --json named.prv | grep -A 12 '"why"'
prvcut profile --why outliers loop.prv
# Why so is not known, where counters or calls are missing.
awk -F: 'function later(i) { $i += $i > 14300000 ? 3000000 : 0 }
    BEGIN { OFS = ":" } NR > 1 && $1 != "c" { later(6) } $1 == 1 { later(7) } $1 == 3 { later(7); later(12); later(13) }
    { sub("25000000_ns", "28000000_ns"); print }' loop.prv >slow.prv
prvcut profile --why outliers slow.prv
prvcut profile --why 10 --json slow.prv | grep -A 5 '"reasons"'
grep -v :5000000 slow.prv | grep -v '^3' >alone.prv
prvcut profile --why outliers alone.prv
