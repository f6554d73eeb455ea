# An archive, filtered as a Paraver trace is: in its format, in a folder of its own.
needs otf2 || exit 77
tar -xf "$samples/lu.S.4-eztrace.tar.zst" && mv */ app
sizes() { sed -E 's,[0-9.]+ k?B$,N B,'; }
try() { prvcut filter "$@" >/dev/null || echo "exit $?"; }
main=$(echo app/*.otf2)
prvcut filter --events 50000001-50000003 --min-message 1kB app | sizes
ls app.filtered
prvcut check --strict app.filtered
prvcut info app.filtered | sed -n '/^Records/p'
echo -- again
try --drop messages app
prvcut filter -q -f --drop messages --tasks 1-2 app
prvcut filter --json -n -f --drop-events 'MPI Point-to-point=MPI_Send' app | grep -A 6 -E '"(kept|dropped)"'
echo -- named, and what is not there
prvcut filter -q --only-threads 2.1 -o two.otf2 app
try --drop-events 999 -o more.otf2 app
try --drop-events 999 -o more.prv app
prvcut filter -q --drop events two.otf2 && ls two.filtered
echo -- what an archive cannot give
try -o no.otf2 --states Running app
try -o no.otf2 --min-state 5us app
try -o no.otf2 --drop states app
try -o no.otf2 --events 50000001=0 app
try -o no.otf2 --events 50100001,50000002 app
try -o no.otf2 --tasks 9 app
try -o no.otf2 --events MPI_Nothing app
prvcut convert -q app all.prv
prvcut convert -q all.prv own.otf2
try --drop messages own.otf2
try -o no.otf2 --config none.xml app
ls
