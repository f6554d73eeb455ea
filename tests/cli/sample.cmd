# Intervals that stand for all: of a table, of what perf writes, of a trace; text, CSV, JSON, SimPoint files, a plan.
cp "$samples/counters.csv" counters.csv
prvcut sample --series counters.csv
prvcut sample --series counters.csv --csv --length 40%,100% --clusters 3
prvcut sample --series counters.csv --length 40% --simpoints app -q && head app.*
prvcut sample --series counters.csv --length 40% --simpoints app; echo $?
prvcut sample --series counters.csv --length 20% --choose-by cycles --period 20 --json | grep -vE '"(program|command)"' | head -n 40
# What perf writes says the same.
awk -F';' 'BEGIN { print "# started on Fri Nov 27 22:48:26 2026"; print "" } NR > 1 { printf "%.6f,%d,,instructions:u,1,100.00,,\n%.6f,%d,,cycles:u,1,100.00,,\n%.6f,%d,,L1-dcache-load-misses:u,1,100.00,,\n", NR, $1, NR, $2, NR, $3 }' counters.csv >perf.csv
prvcut sample --series perf.csv --csv >perf.out
prvcut sample --series counters.csv --csv | diff - perf.out && echo the same
# Without an order there is no iteration, unless it is given.
{ head -n 1 counters.csv; tail -n +2 counters.csv | awk '{ x = (x * 1103 + 12345) % 65536; print x ";" $0 }' | sort -n | cut -d';' -f2-; } >mixed.csv
prvcut sample --series mixed.csv; echo $?
prvcut sample --series mixed.csv --period 20 --length 100%
# A trace whose iterations count differently.
. "$data/loop.sh"
awk -F: '/^2/ { n++; print $0 ":42000050:" 100000 + n % 11 * 5000 ":42000059:" 200000 + n % 7 * 10000; next } { print }' loop.prv >counted.prv
prvcut sample --length 50%,100% counted.prv
prvcut sample --length 100% --from 5ms --to 20ms --period 1ms --plan 'cycles;instructions,nothing' counted.prv
prvcut sample --csv counted.prv -T 1 >one
prvcut sample --csv counted.prv -T 3 | diff one - && echo the same
# The windows are what a cut takes.
prvcut sample --csv --length 100% counted.prv | awk -F, '$4 == "MSP" { print $9, $10 }' | while read -r from to; do
    prvcut cut -n --from "$from" --to "$to" counted.prv | grep -c . >/dev/null && echo cut
done
# Values beyond those of traces: the table by itself tells the loop.
awk 'BEGIN { print "instructions;cycles"; for (i = 0; i < 100; i++) print "1e30;" (i % 10 < 4 ? 2e30 : 1e30) + (i % 3) * 1e28 }' >vast.csv
prvcut sample --series vast.csv | head -n 1
