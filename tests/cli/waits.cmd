# Wait states: the table, its rows by rank, path, iteration and region; text, CSV, JSON; what is not told.
zstd -dqc "$samples/lu.S.8.prv.zst" >lu.prv
zstd -dqc "$samples/lu.S.8.pcf.zst" >lu.pcf
cp "$samples/lu.S.8.row" lu.row
prvcut waits lu.prv
prvcut waits --by rank lu.prv
prvcut waits --by path --top 4 lu.prv
prvcut waits --by iteration --iteration 2-4 lu.prv
prvcut waits --by region lu.prv
prvcut waits --by rank --causes --critical-path lu.prv | sed -n '/^causes/,$p'
prvcut waits --from 40% --to 60% --csv lu.prv
prvcut waits --by rank --csv lu.prv | cut -d, -f1-5
prvcut waits --by path --csv lu.prv | head -n 3
prvcut waits --by rank --tasks 1,3 lu.prv
prvcut waits --by path --tasks 2 --csv lu.prv | head -n 2
prvcut waits --tasks 9 lu.prv; echo $?
prvcut waits --by iteration --csv --iteration 2-3 lu.prv | cut -d, -f1-9
prvcut waits --json lu.prv | grep -vE '"(program|command)"' | head -n 50
# The same from standard input, with any number of workers, and from an index.
prvcut waits --json lu.prv -T 1 | grep -v '"command"' >one
prvcut waits --json lu.prv -T 3 | grep -v '"command"' | diff one - && echo the same
prvcut waits --csv - <lu.prv | cut -d, -f1-6 >piped
prvcut waits --csv lu.prv | cut -d, -f1-6 | diff piped - && echo the same
# What a trace does not tell, and what is no loop.
. "$data/loop.sh"
sed '/^2/d' loop.prv >bare.prv
prvcut waits bare.prv
prvcut waits --region 1.9 lu.prv; echo $?
prvcut waits --by rank --by iteration bare.prv; echo $?
prvcut waits -o waits.csv lu.prv && head -n 2 waits.csv
prvcut waits -o waits.csv lu.prv; echo $?
# Messages that a collective is made of are no late senders; one beside it is.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1),1\nc:1:1:2:1:2\n2:1:1:1:1:10:50000002:9\n2:2:1:2:1:40:50000002:9\n3:2:1:2:1:42:45:1:1:1:1:10:50:8:1\n2:1:1:1:1:50:50000002:0\n2:2:1:2:1:52:50000002:0\n2:1:1:1:1:60:50000001:2\n2:2:1:2:1:80:50000001:1\n3:2:1:2:1:80:85:1:1:1:1:60:90:8:2\n2:2:1:2:1:85:50000001:0\n2:1:1:1:1:90:50000001:0\n' >made.prv
prvcut waits --csv made.prv | grep '^late_sender' | cut -d, -f1,2,4
# Calls without any of their messages; a call in a call of its kind, which 0 ends only once.
grep -v '^3:' lu.prv >silent.prv
prvcut waits silent.prv | grep '^note: late'
prvcut waits --causes --json bare.prv | grep unexplained
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1)\n2:1:1:1:1:10:50000002:9\n2:2:1:2:1:10:50000002:9\n2:1:1:1:1:12:50000002:9\n2:2:1:2:1:12:50000002:7\n2:1:1:1:1:20:50000002:0\n2:2:1:2:1:20:50000002:0\n2:1:1:1:1:60:50000001:2\n2:2:1:2:1:80:50000001:1\n3:2:1:2:1:80:85:1:1:1:1:60:90:8:2\n2:2:1:2:1:85:50000001:0\n2:1:1:1:1:90:50000001:0\n' >within.prv
prvcut waits --csv within.prv | grep '^late_sender' | cut -d, -f1,2,4
