# The iterations of archives, marked: in a copy of the same format, in a folder of its own.
needs otf2 || exit 77
sizes() { sed -E 's,[0-9.]+ k?B$,N B,'; }
tar -xf "$samples/lu.S.4-eztrace.tar.zst" && mv */ app
prvcut mark app | sizes
ls app.iterations
prvcut convert -q app.iterations all.prv 2>/dev/null
grep -o '666001:[01]' all.prv | sort | uniq -c
grep -A 4 666001 all.pcf
echo -- again
prvcut mark app
echo "exit $?"
prvcut mark -q -f app
prvcut mark -n -o other.otf2 app | sizes
prvcut mark -q -o other.prv app
echo "exit $?"
echo -- OTF
. "$data/loop.sh"
prvcut convert -q loop.prv app.otf
prvcut mark app.otf -o marked.otf | sizes
prvcut check --strict marked.otf
grep -h 'prvcut mark' marked.0.def | sed 's/copy of .*app.otf;/copy of TRACE;/'
grep -c '^CNT.*V[01]$' marked.1.events
prvcut convert -q marked.otf marked.prv 2>/dev/null
prvcut convert -q app.otf app.prv 2>/dev/null
prvcut mark -q -o want.prv app.prv
for i in marked want; do grep -o '^2:.*' $i.prv | awk -F: '{ for (i = 7; i < NF; i += 2) if ($i == 666001) print $3, $4, $5, $6, $(i + 1) }' | sort >$i; done
cmp marked want && wc -l <want
ls
