# A series of values is a trace: its loop, its iterations and its signals, with times of its own column; ';' or ',', as
# people write it or as perf does.
# 500 intervals of 10 ms, 25 an iteration: 250 ms.
made() {
    awk -v seed=1 'function noise() { seed = (seed * 1103 + 12345) % 65536; return seed % 1000 }
        BEGIN { print "# started on Sat Nov 28 02:46:58 2026\n"
            for (i = 0; i < 500; i++) {
                t = sprintf("     %.9f", (i + 1) * 0.01 + noise() / 1e7)
                work = i % 25 < 8
                printf "%s,%d,,instructions:u,9900000,100.00,,\n", t, 20000000 + 15000000 * work + 200 * noise()
                printf "%s,%d,,cycles:u,9900000,100.00,,\n", t, 22000000 + 100 * noise()
                printf "%s,%.2f,msec,task-clock,9900000,100.00,0.5,CPUs utilized\n", t, 5 + 3 * work + noise() / 1e4
            } }'
}
made >perf.csv
prvcut structure --series perf.csv
prvcut structure --series perf.csv --metric task-clock
prvcut structure --csv --series perf.csv | head -n 3
prvcut structure --iteration 3-4 --series perf.csv
prvcut structure --json --series perf.csv | grep -E '"(end_ns|period_ns)"' | head -n 3
prvcut signal --series perf.csv --metric ipc,instructions --bins 4
prvcut signal --series perf.csv --metric task-clock --from 250ms --to 500ms --bins 2
prvcut signal --series perf.csv --region 1.1 --bins 1
prvcut signal --series perf.csv --plot drawing && grep -c '<svg' drawing.svg
# perf, of a program that computes 50 ms of every 120, and else sleeps: then it counts nothing.
zstd -qd "$data/perf.csv.zst" -o real.csv
prvcut structure --series real.csv --metric task-clock
prvcut signal --series real.csv --metric page-faults --bins 2
# Times of one's own, at the ends or the begins; without any an interval is 1us.
tr ';' ',' <"$samples/counters.csv" >plain.csv
awk -F, 'NR == 1 { print "time_ms;" $1 ";" $2 } NR > 1 { print (NR - 1) * 5 ";" $1 ";" $2 }' plain.csv >ends.csv
awk -F, 'NR == 1 { print "start_s," $1 "," $2 } NR > 1 { print (NR - 2) / 200 "," $1 "," $2 }' plain.csv >starts.csv
prvcut structure --series ends.csv
prvcut structure --series starts.csv
prvcut structure --series plain.csv 2>&1
zstd -qc ends.csv | prvcut structure --series - | head -n 1
# What is wrong is told with its line.
sed '12s/,.*/,x/' perf.csv >bad.csv
sed '12s/^ *0/ 9/' perf.csv >back.csv
sed '9s/,[0-9]*,,ins/,<not counted>,,ins/;9s/9900000,100/0,0/' perf.csv >gap.csv
sed '5s/;[0-9]*$//' ends.csv >short.csv
sed '7s/^[0-9]*/3/' ends.csv >again.csv
sed '9s/;[0-9]*;/;;/' ends.csv >empty.csv
for file in bad back gap short again empty none; do
    prvcut structure --series $file.csv
    echo $?
done 2>&1
prvcut structure --series real.csv 2>&1
prvcut structure --series perf.csv --metric nothing 2>&1
prvcut structure --series perf.csv ends.csv 2>&1
prvcut signal --series perf.csv ends.csv 2>&1
prvcut structure --series 2>&1
prvcut structure --json --series bad.csv | grep -E 'status|text|file|line'
