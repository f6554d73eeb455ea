# The signal comes when some of the output is on disk: nothing of it is left.
. "$data/big.sh"
mkdir out
# send SIGNAL COMMAND...: run it, and send the signal once a file has appeared
send() {
    signal=$1
    shift
    env --default-signal=INT "$@" >/dev/null 2>words &
    # What is sorted on disk has a name for an instant only: look again once it stands still.
    while kill -STOP $! && [ -z "$(ls -A out)" ]; do
        kill -CONT $!
        until [ -n "$(ls -A out)" ]; do kill -0 $! || break 2; done
    done
    [ -n "$(ls -A out)" ] || echo 'no file had appeared'
    kill "-$signal" $!
    kill -CONT $!
    wait $! && status=0 || status=$?
}
# told SIGNAL COMMAND...: the same; where the machine is busy, it may be done before: then once more
told() {
    for try in 1 2 3 4 5 6 7 8 9; do
        send "$@"
        [ "$status" = 0 ] || break
        rm -rf out/*
    done 2>/dev/null
    echo "$1, $3 $4: $status, $(grep -c interrupted words) word, left: $(ls -A out | wc -l)"
}
told TERM prvcut cut --from 0 -o out/a.prv big.prv
told INT prvcut cut --from 0 -o out/a.prv.gz big.prv
told TERM prvcut cut --from 0 -o out/a.prv.zst big.prv
told TERM prvcut convert -T1 big.prv out/a.json
told TERM prvcut convert -T1 big.prv out/a.sqlite
told HUP prvcut convert -T1 big.prv out/b.sqlite
