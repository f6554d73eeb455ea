. "$data/loop.sh"
try() { prvcut filter "$@" >/dev/null || echo "exit $?"; }
try loop.prv
try --states Sleeping loop.prv
try --events 5=x loop.prv
try --drop everything loop.prv
try --min-message big loop.prv
try --min-state 5% loop.prv
try --only-threads 3 loop.prv
try --config none.xml loop.prv
printf '<config>\n<filter><comms>many</comms></filter></config>' >bad.xml
try --config bad.xml loop.prv
try --drop states -o - loop.prv
try --drop states bad.xml
ls
