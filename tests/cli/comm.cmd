# Who sends to whom: of a run, of regions and iterations; text, CSV, JSON, lines for other programs, a drawing.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
prvcut comm lu.prv
prvcut comm --by region lu.prv
prvcut comm --by iteration --iteration 3-4 --csv lu.prv | sed -n '1p;20,24p'
prvcut comm --region 1.4 -v lu.prv
prvcut comm --json lu.prv | grep -vE '"(program|command)"' | head -n 130
prvcut comm --json --by region lu.prv | grep -A 8 '"region": "1.4"'
prvcut comm --csv --from 40% --to 60% -T 3 lu.prv | head -n 4
prvcut comm --plot map.svg --matrix map.tsv lu.prv -q && head -n 3 map.tsv && head -n 3 map.svg | cut -c1-100 && grep -c class=.field map.svg
prvcut comm --matrix - lu.prv | diff - map.tsv && prvcut comm --plot - lu.prv | diff - map.svg && echo the same
awk '{ m += $3; b += $4 } END { print m, b }' map.tsv; awk -F: '/^3:/ { m++; b += $14 } END { print m, b }' lu.prv
# Standard input is read once: a wavefront takes two readings.
prvcut comm - <lu.prv | head -n 2
# Two applications, a message from one to the other, and one of a rank to itself.
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:2(2,2):2:3(1:1,1:1,1:2),2(1:2,1:2)'
    echo 1:1:1:1:1:0:1000:1
    echo 3:1:1:1:1:10:10:1:1:2:1:30:30:100:1
    echo 3:1:1:1:1:40:40:1:1:1:1:50:50:7:1
    echo 3:1:1:2:1:60:60:2:1:3:1:90:90:300:1
    echo 3:2:1:3:1:100:100:2:2:1:1:120:120:11:1
    echo 3:2:2:1:1:130:130:2:2:2:1:120:140:1000:1
    echo 3:2:2:2:1:150:150:2:2:1:1:170:140:1000:1
} >two.prv
prvcut comm two.prv
prvcut comm --csv two.prv
prvcut comm --matrix - two.prv
prvcut comm --json two.prv | grep -A 3 -E '"(outside|itself|within_node)"'
# Neighbours of four ranks in a row: 1, 2, 2, 1.
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:1(4):1:4(1:1,1:1,1:1,1:1)'
    echo 3:1:1:1:1:10:10:2:1:2:1:30:30:100:1
    echo 3:2:1:2:1:40:40:3:1:3:1:50:50:100:1
    echo 3:3:1:3:1:60:60:4:1:4:1:90:90:100:1
} >row.prv
prvcut comm row.prv | grep Neighbours
prvcut comm --json row.prv | grep -A 4 '"neighbours": {'
# No messages; one rank; no calls.
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:1(1):1:1(1:1)'
    echo 1:1:1:1:1:0:1000:1
} >one.prv
prvcut comm one.prv
prvcut comm --csv one.prv
prvcut comm --plot - one.prv | grep -c 'no messages'
prvcut comm --by region one.prv; echo $?
# Sums that fit nowhere are told; a pipe is read once.
{
    echo '#Paraver (28/11/2026 at 00:00):1000000_ns:2(1,1):1:2(1:1,1:2),0'
    for at in 1000 3000; do
        echo "3:1:1:1:1:$at:$at:2:1:2:1:$((at + 1000)):$((at + 1000)):9223372036854775807:1"
    done
    echo '3:1:1:1:1:5000:5000:2:1:2:1:6000:6000:2:1'
} >huge.prv
prvcut comm huge.prv; echo $?
prvcut comm - <lu.prv | grep '^note'
# A message that is complete before it is sent is in no mean.
sed -e '/807:1/d' -e 's/6000:6000:2:1/4000:4000:2:1/' huge.prv >back.prv
echo '3:1:1:1:1:7000:7000:2:1:2:1:8000:8000:2:1' >>back.prv
prvcut comm back.prv | grep -E '^(Messages|note)'
# An archive tells the same of the same run, whatever it records of receives.
prvcut convert -q lu.prv lu.otf2
prvcut comm --matrix - lu.otf2 | diff - map.tsv && echo the same
prvcut comm --json lu.otf2 | grep -A 3 '"itself"'
