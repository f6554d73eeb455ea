# Speedups on more processes, from a table of factors: text, CSV, JSON, a drawing.
cp "$samples/epoch.csv" epoch.csv
prvcut predict --processes 8,16 epoch.csv
prvcut predict --processes 4 --from-runs 1,2 --fit power epoch.csv
prvcut predict --processes 8,16 --csv epoch.csv
prvcut predict --processes 1024 --fit linear --confidence .95 epoch.csv
prvcut predict --processes 1024 --fit linear --json epoch.csv | grep -E 'null|below|warnings' | sort | uniq -c
# Columns may be of several files, in any order, and standard input may be one.
cut -d';' -f1,4 epoch.csv >four.csv
cut -d';' -f1-3 epoch.csv | tr ';' , >fewer.csv
prvcut predict --processes 8,16 epoch.csv >all
prvcut predict --processes 8,16 four.csv - <fewer.csv | diff all - && echo the same
gzip -k epoch.csv
prvcut predict --processes 8,16 epoch.csv.gz | diff all - && echo the same
# Without counters, without a replay: coarser factors.
grep -vE 'IPC|GHz|Serial|Transfer' epoch.csv >coarse.csv
prvcut predict --processes 8 coarse.csv
prvcut predict --processes 8,16 --plot speedup --csv -o table.csv epoch.csv && wc -l table.csv && grep -c '<circle' speedup.svg
prvcut predict --processes 8 --plot - epoch.csv | head -n 2
prvcut predict -q --processes 8 epoch.csv
# Traces are runs, too; two of different programs have little in common, which is told.
. "$data/loop.sh"
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
prvcut predict --processes 16 lu.prv loop.prv
prvcut predict --processes 16 --csv lu.prv loop.prv >traces
for trace in loop lu; do prvcut efficiency --csv $trace.prv >$trace.csv; done
# As by way of their tables, which have less digits.
prvcut predict --processes 16 --csv lu.csv loop.csv | cut -d, -f1-3,10 | sed 's/\([0-9]\.[0-9][0-9]\)[0-9]*/\1/g' >tables
cut -d, -f1-3,10 traces | sed 's/\([0-9]\.[0-9][0-9]\)[0-9]*/\1/g' | diff - tables && echo the same
# Runs that go round more or less often: what an iteration takes is compared, where the work of all of it is not the same.
run() {
    awk -v R="$1" -v N="$2" -v W="$3" 'BEGIN {
        c = int(W / R); l = 1000
        printf "#Paraver (01/01/2026 at 12:00):%d_ns:1(%d):1:%d(", N * (c + l) + 2 * l, R, R
        for (r = 1; r <= R; r++) printf "1:1%s", r < R ? "," : "),1\nc:1:1:" R
        for (r = 1; r <= R; r++) printf ":%d", r
        print ""
        for (i = 0; i < N; i++) {
            for (r = 1; r <= R; r++) printf "1:%d:1:%d:1:%d:%d:1\n", r, r, t, t + c
            for (r = 1; r <= R; r++) {
                printf "1:%d:1:%d:1:%d:%d:13\n", r, r, t + c, t + c + l
                printf "2:%d:1:%d:1:%d:50000002:10:50100004:1:42000050:%d:42000059:%d\n", r, r, t + c, 2 * c, c
            }
            for (r = 1; r <= R; r++) printf "2:%d:1:%d:1:%d:50000002:0:42000050:10:42000059:10\n", r, r, t + c + l
            t += c + l
        }
        for (r = 1; r <= R; r++) printf "1:%d:1:%d:1:%d:%d:1\n", r, r, t, t + 2 * l
    }'
}
run 2 50 1000000 >two.prv
run 4 100 1050000 >four.prv
run 4 50 1050000 >even.prv
run 8 50 1100000 >eight.prv
run 4 50 3000 >other.prv
for four in even four other; do
    prvcut predict --processes 16 two.prv $four.prv eight.prv | grep -vE '^ |loglinear|linear|forms'
done
# The same loop, of other work in an iteration; with as much work in all, or not.
run 4 100 500000 >half.prv
run 4 100 1400000 >more.prv
for four in half more; do
    prvcut predict --processes 16 two.prv $four.prv eight.prv | grep -A1 -E 'goes round|Processes .*sure|^Processes  Instr'
done
# Without counters computing tells that the input may be another one.
run 4 50 2100000 >double.prv
for trace in two double eight; do sed 's/:42000050.*//; s/:42000059.*//' $trace.prv >bare.$trace.prv; done
prvcut predict --processes 16 bare.two.prv bare.double.prv bare.eight.prv | grep -A1 -E 'computing time changes'
# A run that failed is left out.
sed 's/^Number.*/&;8/; /^Number/!s/;.*/&;NaN/' epoch.csv >failed.csv
prvcut predict --processes 16 failed.csv | grep -A1 -E 'speedup|no load'
