needs otf2 || exit 77
. "$data/loop.sh"
try() { prvcut filter "$@" >/dev/null || echo "exit $?"; }
try loop.prv
try --states Sleeping loop.prv
try --events 5=x loop.prv
try --drop everything loop.prv
try --min-message big loop.prv
try --min-message 1.5 loop.prv
try --min-message 1.0005kB loop.prv
prvcut filter -n --min-message 1.005kB loop.prv | sed -n '/^Messages/p'
for size in 1KiB 1025 0.5MiB 1kib; do prvcut filter -n --min-message $size loop.prv | sed -n '/^Messages/p'; done
try --min-state 5% loop.prv
try --only-threads 3 loop.prv
try --config none.xml loop.prv
printf '<config>\n<filter><comms>many</comms></filter></config>' >bad.xml
try --config bad.xml loop.prv
try --drop states -o - loop.prv
try --drop states bad.xml
ls
# The name of a value alone is that value; what is nowhere in the trace is told.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
prvcut filter -n --json --events MPI_Send loop.prv | grep '"pairs"'
prvcut filter -n --json --events 50000001=1 loop.prv | grep '"pairs"'
prvcut filter -n --events 999,50000001=1/77,50000001=78 --states 77 loop.prv >/dev/null
prvcut filter -n --drop-events 5-7 loop.prv >/dev/null
prvcut cut -n --from 10ms --to 12ms --events 999 loop.prv >/dev/null
