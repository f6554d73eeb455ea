# A copy of the trace with marks; sizes and the version are left out here.
. "$data/loop.sh"
sizes() { sed -E 's,[0-9.]+ k?B,N B,'; }
prvcut mark loop.prv | sizes
ls
grep -n ':666001:' loop.iterations.prv | sed -n '1,4p;$p'
grep -c '^#prvcut .*: prvcut mark loop.prv$' loop.iterations.prv
sed '/:666001:/d; /^#prvcut /d' loop.iterations.prv | cmp - loop.prv && echo the same
echo -- again
prvcut mark loop.prv
echo "exit $?"
prvcut mark -q --force loop.prv
echo "exit $?"
echo -- nothing written
rm loop.iterations.prv
prvcut mark -n loop.prv | sizes
ls
echo -- compressed
prvcut mark -o packed.prv.gz loop.prv | sizes
prvcut mark --compress zst -q loop.prv
ls
gzip -dc packed.prv.gz | grep -c ':666001:'
zstd -dqc loop.iterations.prv.zst | grep -c ':666001:'
echo -- JSON
prvcut mark --json -n loop.prv |
    grep -E '^  "(schema|version|type|marks|tasks|own_tasks|timeline|by_timeline|size|output)"'
prvcut mark --json -q -o j.prv loop.prv | grep -A 4 '^  "output"'
echo -- a window, a period
prvcut mark -n --from 9ms --to 19ms loop.prv | head -n 2
prvcut mark -n --period 2500us loop.prv | head -n 2
echo -- a timeline
awk 'BEGIN { for (i = 0; i < 20; i++) {
    printf "1\t%d\t%d\tRunning\n1\t%d\t%d\tWaiting\n", 4e6 + i * 1e6, 6e5, 46e5 + i * 1e6, 4e5 } }' >t.csv
prvcut mark -n --timeline t.csv loop.prv | sizes
prvcut mark -n --timeline t.csv --json loop.prv | grep -A 8 '^  "timeline"'
grep -E '^(#|c|1:[12]:1:[12]:1:0:)' loop.prv >once.prv
prvcut mark -n once.prv
echo "exit $?"
prvcut mark -q once.prv
echo "exit $?"
prvcut mark --timeline t.csv once.prv | sizes
sed -n '/:666001:/p' once.iterations.prv | sed -n '1,4p;$p'
ls
