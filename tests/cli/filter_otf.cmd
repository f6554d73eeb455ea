# An OTF trace, filtered as a Paraver trace is; made of one by a conversion.
. "$data/loop.sh"
prvcut convert -q loop.prv app.otf && rm loop.prv
sizes() { sed -E 's,[0-9.]+ k?B$,N B,'; }
try() { prvcut filter "$@" >/dev/null || echo "exit $?"; }
prvcut filter --events 50000001-50000003 --min-message 1kB app.otf | sizes
ls
ls app.filtered
prvcut check --strict app.filtered/app.otf
tail -n 2 app.filtered/app.0.def | sed 's/copy of .*app.otf"/copy of TRACE"/'
prvcut filter -q --only-threads 1.1 -o one.otf app.otf && ls one.*
prvcut check --strict one.otf
prvcut filter -q --drop events,messages -o none.otf app.otf && cat none.1.events
prvcut info none.otf | sed -n 1,2p
prvcut info app.otf | sed -n 1,2p
echo -- what an archive cannot give
try --states Running -o no.otf app.otf
try --drop-events 50000001=0 -o no.otf app.otf
try --drop-events 50100001 -o no.otf app.otf
try --tasks 9 -o no.otf app.otf
ls
