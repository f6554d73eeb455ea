# A timeline that Paraver saved is one more metric of the search: it votes, also where nothing else shows a loop.
. "$data/loop.sh"
awk 'BEGIN { for (i = 0; i < 40; i++) printf "THREAD 1.1.1\t%d\t%d\t%d\n", 4600000 + i * 500000, 500000, i % 2 * 5 }' >useful.csv
prvcut structure -v --timeline useful.csv loop.prv | grep -E '^ *(Signal|calls|timeline|computing)'
prvcut -n --timeline useful.csv --json loop.prv | grep -A2 '"timeline"'
# No index holds such metrics.
prvcut index -q loop.prv
prvcut structure -v --timeline useful.csv loop.prv | grep -E '^ *timeline'
prvcut structure -v --metric state:Running loop.prv | grep -E '^ *state'
echo "--- alone"
{ echo '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0'; echo 1:1:1:1:1:0:25000000:1; } >still.prv
prvcut structure still.prv
prvcut structure --timeline useful.csv still.prv
prvcut -n --timeline useful.csv still.prv | head -3
echo "--- refused"
awk '{ $3 = $3 + 30000000; print }' OFS='\t' FS='\t' useful.csv | awk 'BEGIN { FS = OFS = "\t" } { $2 = $2 + 30000000; print }' >late.csv
prvcut structure --timeline late.csv loop.prv
prvcut structure --timeline loop.prv loop.prv
prvcut structure --timeline none.csv loop.prv
