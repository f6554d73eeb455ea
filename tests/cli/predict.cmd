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
