# A pipe that gives nothing does not hold the program when it is told to stop. The pipe stays open
# until the program has ended: an end of the input could not have ended it.
. "$data/loop.sh"
. "$data/big.sh"
. "$data/catches.sh"
mkfifo pipe
stall() {
    { head -n "$lines" "$from"; n=0; until [ -e over ] || [ $n = 200 ]; do sleep 0.05; n=$((n + 1)); done; } >pipe &
    feeder=$!
    "$@" <pipe &
    until_catches $! "$signal"
    sleep 0.3
    kill "-$signal" $!
    wait $! && status=0 || status=$?
    touch over
    wait "$feeder"
    rm over
    echo "$signal, $2: $status" >>seen
}
from=loop.prv
lines=200
signal=TERM
stall prvcut info -
stall prvcut check -
stall prvcut signal --metric bursts -
stall prvcut convert -q - out.json
# Far enough in it to have begun to write
from=big.prv
lines=200000
stall prvcut convert -q - out.json
stall prvcut info -
# Whoever starts a program behind the shell's back has it ignore SIGINT.
signal=INT
stall env --default-signal=INT prvcut info -
sed 's/INT, --default.*:/INT, info:/' seen
ls -A
