# A question that would take long ends at once with an interrupt, of a database as of a trace: nothing is answered, and
# nothing is left but what was there.
. "$data/catches.sh"
mkdir none
TMPDIR=$PWD/none
export TMPDIR
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
prvcut convert -q lu.prv lu.sqlite
cp lu.sqlite as_made.sqlite
begun=$(date +%s)
# Whoever starts a program behind the shell's back has it ignore SIGINT.
for signal in INT TERM; do
    for asked in lu.sqlite '--all lu.prv'; do
        # shellcheck disable=SC2086
        env --default-signal=INT prvcut sql -o none/out.csv $asked 'SELECT count(*) FROM calls a, calls b, calls c' &
        until_catches $! "$signal"
        sleep 1
        kill -0 $! || echo "it has ended before"
        kill "-$signal" $!
        wait $! && status=0 || status=$?
        echo "$signal, $asked: $status"
    done
done
[ $(($(date +%s) - begun)) -lt 50 ] || echo 'it takes as long as a question may'
cmp as_made.sqlite lu.sqlite
ls -A . none
