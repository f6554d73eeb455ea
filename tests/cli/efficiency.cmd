# How well processors are used: of a run, of windows, regions, iterations, ranks; of several runs; as text, CSV, JSON.
. "$data/loop.sh"
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
prvcut efficiency lu.prv
prvcut efficiency --csv lu.prv
prvcut efficiency --json lu.prv | grep -A 51 '"runs"'
prvcut efficiency --per-rank loop.prv lu.prv
prvcut efficiency --per-rank --csv loop.prv
prvcut efficiency --csv --base lu.prv --scaling weak loop.prv lu.prv
prvcut efficiency --form additive --csv lu.prv
prvcut efficiency --computing outside --csv lu.prv | head -n 6
prvcut efficiency --ideal-computing outside --csv lu.prv | head -n 6
prvcut efficiency --replay causal --csv lu.prv | grep Runtime
prvcut efficiency --eager 1 --csv lu.prv | grep Runtime
prvcut efficiency --from 80696425 --to 85624055 --csv lu.prv
# From standard input, with workers, into a file.
prvcut efficiency --csv -T 3 -o table - <lu.prv && prvcut efficiency --csv -T 1 lu.prv | diff table.csv - && echo same
# A drawing.
prvcut efficiency --plot both loop.prv lu.prv && grep -c polyline both.svg && tail -n 3 both.svg
prvcut efficiency --plot - lu.prv | head -n 2
# Groups of runs, each compared with its own smallest: which scales best, a line each; names end at the first '='.
awk -F: -v OFS=: 'NR == 1 { sub(/25000000/, "15000000") } /^[12]:/ { for (i = 6; i <= 6 + ($1 == 1); i++) $i = int($i * 3 / 5) } /^3:/ { next } { print }' loop.prv >quick.prv
prvcut efficiency --group slow=loop.prv,lu.prv --group 'a=b=quick.prv,lu.prv' 2>&1 | head -n 2
cp quick.prv b=quick.prv
prvcut efficiency --group slow=loop.prv,lu.prv --group 'a=b=quick.prv,lu.prv'
prvcut efficiency --group x=loop.prv,lu.prv --group y=lu.prv,loop.prv | head -n 4
prvcut efficiency --group x=loop.prv --group y=lu.prv | head -n 4
prvcut efficiency --group x=loop.prv,lu.prv | head -n 4
prvcut efficiency --json --group x=loop.prv,lu.prv --group y=quick.prv,lu.prv --base quick.prv | grep -A 30 '"groups"'
prvcut efficiency --csv --group x=loop.prv,lu.prv | head -n 3
prvcut efficiency --csv --per-rank --group x=loop.prv --group y=quick.prv
prvcut efficiency --per-rank --group x=loop.prv --group y=quick.prv | tail -n 14
prvcut efficiency --plot groups --group x=loop.prv,lu.prv --group y=quick.prv,lu.prv && grep -c polyline groups.svg && grep -oE '>(x|y|Ideal|Speedup|Global.*)<' groups.svg
# Parts of one run.
prvcut efficiency --by region loop.prv
prvcut efficiency --by iteration --iteration 3-5 loop.prv
prvcut efficiency --by iteration --csv loop.prv | head -n 4
prvcut efficiency --iteration 3-5 loop.prv
printf '# task iteration ns\n1 0 4000000\n2 0 4000000\n1 1 5000000\n2 1 5000000\n\n1 2 6000000\n2 2 6000000\n' >marks.tsv
prvcut efficiency --borders marks.tsv loop.prv
# Serial senders of large messages, which had been buffered: slower on the ideal network.
cp "$samples/../tests/analysis/efficiency_mini/"*.prv .
prvcut efficiency buffered.prv
prvcut efficiency --replay causal buffered.prv | head -n 7
prvcut efficiency acausal.prv | grep note
# The run as it is replayed, as a trace: it lasts as long, is sound, and replays to itself.
for run in acausal buffered collectives crossing eager late-line missing-member rendezvous sendrecv subcommunicator wait-chain waitall; do
    prvcut efficiency -q --ideal ideal.prv -f $run.prv
    printf '%s %s\n' $run "$(head -n 1 ideal.prv | sed 's/.*):\([0-9]*\)_ns.*/\1/')"
    prvcut efficiency --json ideal.prv | grep -E '"(runtime|ideal|computing)_ns"' | head -n 3
    prvcut check --strict ideal.prv | head -n 1
done
prvcut efficiency --ideal other.prv -n buffered.prv && ls other.prv
# What is open where the trace ends ends with its thread, and what is received behind it, at the end.
printf '%s\n' '#Paraver (01/01/2026 at 12:00):2000_ns:1(2):1:2(1:1,1:1),1' c:1:1:2:1:2 1:1:1:1:1:0:1000:1 1:2:1:2:1:0:900:1 2:1:1:1:1:10:60000019:1 \
    2:1:1:1:1:100:50000002:8:50100004:1 2:2:1:2:1:200:50000002:8:50100004:1 2:1:1:1:1:300:50000002:0 2:2:1:2:1:310:50000002:0 \
    2:2:1:2:1:400:50000001:1 3:2:1:2:1:400:410:1:1:1:1:1900:1950:8:1 2:2:1:2:1:410:50000001:0 2:1:1:1:1:500:50000002:8:50100004:1 \
    2:1:1:1:1:1000:40000003:1 2:2:1:2:1:900:50000001:2 >open.prv
prvcut efficiency open.prv | grep -E 'ideal|note'
prvcut efficiency -q --ideal ideal.prv -f open.prv && prvcut check --strict ideal.prv && sed 1s/.*:2000_/2000_/ ideal.prv
prvcut efficiency --ideal ideal.prv eager.prv
# Counters of some threads are not those of all; what they did not count in is told.
printf '%s\n' '#Paraver (01/01/2026 at 12:00):1000_ns:1(2):1:2(1:1,1:1),0' 1:1:1:1:1:0:1000:1 1:2:1:2:1:0:1000:1 \
    2:1:1:1:1:990:42000050:1000:42000059:500 >counted.prv
prvcut efficiency --per-rank counted.prv
prvcut efficiency --json counted.prv | grep -A2 '"what": "i[pn]' | grep -c 'not all threads that compute have counters'
sed '$i 2:2:1:2:1:980:42000050:3000:42000059:1000' counted.prv >both.prv
prvcut efficiency both.prv | grep -E 'IPC|GHz|note'
sed 's|^2:2:1:2:1:980|2:2:1:2:1:800|' both.prv >early.prv
prvcut efficiency early.prv | grep -E 'IPC|GHz|note'
sed 's|:42000050:3000|:42000050:9223372036854775807|' both.prv >beyond.prv
prvcut efficiency --per-rank beyond.prv | grep -E 'IPC|GHz|note|1\.[12]\.1'
# Each application of a trace is a run of its own, but for those that exchange messages; each is compared with itself.
{
    printf '%s\n' '#Paraver (01/01/2026 at 12:00):1000_ns:1(3):4:1(1:1),1(1:1),1(1:1),1(1:1),0' 1:1:1:1:1:0:500:1 1:2:2:1:1:0:400:1 1:3:3:1:1:0:1000:1 \
        2:2:2:1:1:400:50000001:2 2:1:1:1:1:500:50000001:1 3:1:1:1:1:500:510:2:2:1:1:400:600:8:1 2:1:1:1:1:510:50000001:0 2:2:2:1:1:600:50000001:0
    printf '%s\n' 1:2:2:1:1:600:1000:1 2:3:3:1:1:1000:42000050:800:42000059:400
} >apps.prv
sed '1s/1000_ns/2000_ns/; s/^\(1:3.*\):1000:1$/\1:2000:1/' apps.prv >longer.prv
prvcut efficiency apps.prv
prvcut efficiency --csv apps.prv longer.prv | grep -E 'Number|Parallel|Speedup|Appl'
prvcut efficiency --csv --per-rank apps.prv
prvcut efficiency --json apps.prv | grep -E '"(name|application|applications|tasks|base)"'
printf '1 0 0\n2 0 0\n3 0 0\n4 0 0\n1 1 500\n2 1 500\n3 1 500\n4 1 500\n1 2 900\n2 2 900\n3 2 900\n4 2 900\n' >marks.tsv
prvcut efficiency --borders marks.tsv apps.prv
prvcut efficiency --borders marks.tsv --csv apps.prv
prvcut efficiency --group x=apps.prv --group y=longer.prv | head -n 5
prvcut efficiency --csv apps.prv >apps.csv
for of in 'apps.prv longer.prv' apps.csv; do
    # shellcheck disable=SC2086 # two traces are two words
    prvcut predict --processes 16 $of 2>&1
done
# A counter that goes back was reset: what it counted is not known, and neither is what follows from it.
sed 's|^2:1:1:1:1:990:.*|2:1:1:1:1:500:42000050:600:42000059:300\n2:1:1:1:1:990:42000050:-5000:42000059:-2000|; $a 2:2:1:2:1:990:42000050:1000:42000059:500' counted.prv >reset.prv
prvcut efficiency reset.prv | grep -E 'IPC|GHz|note'
# What cannot be another size of one program is not compared: it does far more, or less, or nobody knows.
{
    printf '%s\n' '#Paraver (01/01/2026 at 12:00):1000_ns:1(2):1:2(1:1,1:1),0' 1:1:1:1:1:0:1000:1 1:2:1:2:1:0:1000:1
    printf '2:%s:1:%s:1:1000:42000050:9000:42000059:4500\n' 1 1 2 2
} >small.prv
sed '1s/1(2):1:2(1:1,1:1)/1(4):1:4(1:1,1:1,1:1,1:1)/; s/42000050:9000/42000050:5000/; $a 1:3:1:3:1:0:1000:1\n1:4:1:4:1:0:1000:1\n2:3:1:3:1:1000:42000050:5000:42000059:2500\n2:4:1:4:1:1000:42000050:5000:42000059:2500' small.prv >strong.prv
sed 's/42000050:[59]000/42000050:9000/' strong.prv >weak.prv
sed 's/42000050:5000/42000050:500/' strong.prv >less.prv
sed 's/:42000050:.*/:77:1/; s/:1000:1$/:1000:5/' strong.prv >untold.prv
for other in strong weak less untold; do
    prvcut efficiency small.prv $other.prv | grep -E 'Parallel|scalab|Speedup|scaling|note'
done
prvcut efficiency --json small.prv less.prv | grep -A 2 '"what": "speedup"'
prvcut predict --processes 8 small.prv strong.prv | head -n 3
prvcut predict --processes 8 small.prv less.prv | grep -v Processes
# All regions are a row each; a window is one of each run, in groups, too.
prvcut efficiency --by region loop.prv >regions.txt
prvcut efficiency --region all loop.prv | diff regions.txt - && echo the same
for command in profile waits comm; do
    prvcut $command --by region loop.prv >regions.txt
    prvcut $command --region all loop.prv | diff regions.txt - && echo the same
done
prvcut efficiency --from 20% --to 80% --json loop.prv lu.prv | grep -v '"command"' >window.json
prvcut efficiency --from 20% --to 80% --json --group x=loop.prv,lu.prv | grep ideal_ns
grep ideal_ns window.json
# Runs of other programs are not compared, unless it is told how their work scales.
sed 's/:50000002:10\b/:50000002:7/' loop.prv >bcast.prv
prvcut efficiency loop.prv bcast.prv | grep -E 'Speedup|scaling|never'
prvcut efficiency --scaling strong loop.prv bcast.prv | grep -E 'Speedup|scaling|never'
prvcut efficiency --json loop.prv bcast.prv | grep -B1 -A1 'never' | head -n 7
# The first trace may be the base, too. A run that goes round twice as often has the same speedup by iteration.
prvcut efficiency --base lu.prv lu.prv loop.prv | grep -A1 -E 'compared'
{
    sed 's/25000000_ns/45000000_ns/' loop.prv | head -n 2
    sed 's/iterations = 20/iterations = 40/' "$data/loop.awk" >twice.awk && awk -f twice.awk | sort -s -t: -k6,6n
} >twice.prv
prvcut efficiency loop.prv twice.prv | grep -A1 -E 'Speedup|goes round'
prvcut efficiency - loop.prv <twice.prv | grep 'goes round' || echo none
prvcut efficiency loop.prv loop.prv | grep 'goes round' || echo none
# More runs than a line has room for; some on as many ranks.
for i in 1 2 3 4; do cp loop.prv loop$i.prv; done
prvcut efficiency loop.prv loop[1-4].prv twice.prv
