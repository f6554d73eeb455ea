# The input stalls until the signal was sent, so that the work cannot have ended before.
. "$data/catches.sh"
zstd -dqc "$samples/lu.S.8.prv.zst" >a.prv
{
    head -n 100 a.prv
    until [ -e sent ]; do sleep 0.1; done
    tail -n +101 a.prv
} | prvcut info --no-progress - &
until_catches $! TERM
kill -TERM $!
touch sent
wait $!
