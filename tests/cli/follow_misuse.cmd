# What cannot be followed is refused, and what goes wrong on the way leaves nothing behind.
. "$data/loop.sh"
. "$data/long.sh"
. "$data/catches.sh"
tell() { "$@"; echo "status $?"; }
tell prvcut --until-found loop.prv
# Both cannot be had: what is proposed follows
tell prvcut --from 10% --to 50% --until-found loop.prv
tell prvcut cut --from 10% --to 50% --until-found loop.prv
tell prvcut --idel 10s loop.prv
tell prvcut --until-found -
tell prvcut --follow --from 10% loop.prv
tell prvcut --from 20% --to 60% --follow --until-found loop.prv
tell prvcut --follow - <loop.prv
mkfifo fifo.prv
tell prvcut --follow --until-found fifo.prv
# What reads it twice is told before anybody writes into it
tell prvcut -o kept.prv fifo.prv
tell prvcut structure fifo.prv
tell prvcut --until-found fifo.prv
# A folder that is not there is no reason to have it refused a second time
tell prvcut -o no/such.prv fifo.prv
tell prvcut --follow -o no/such.prv fifo.prv
tell prvcut profile --by iteration fifo.prv
tell prvcut --follow --idle 1 loop.prv
touch nowhere.pcf
tell prvcut --follow nowhere.prv
tell prvcut nowhere.prv
rm nowhere.pcf
zstd -q loop.prv
tell prvcut --follow loop.prv.zst
echo 'no trace at all' >text.prv
tell prvcut --follow --idle 100ms text.prv
touch empty.prv
tell prvcut --follow --idle 100ms empty.prv
# An output that exists is known before anything is waited for
touch loop.chop1.prv
tell prvcut --follow loop.prv
rm loop.chop1.prv
# A writer that dies in the middle of a line: that one is left out, from a file and from a pipe
head -c 300005 long.prv >dead.prv
tell prvcut --follow --idle 100ms -n dead.prv
tell prvcut -q --follow --idle 100ms --lenient -n dead.prv
tell prvcut -q --follow -o kept.prv - <dead.prv
prvcut -q --lenient -o alone.prv dead.prv
for cut in kept alone; do grep -v '^#' $cut.prv | cksum; rm $cut.prv; done
# Damage in the middle, at the first look behind it
{ head -n 3000 long.prv; echo '1:x'; tail -n +3001 long.prv; } >damaged.prv
tell prvcut -q --follow damaged.prv
tell prvcut -q --follow --idle 100ms --lenient -n damaged.prv
# A pipe is called by its own name
tell prvcut -q --follow -o kept.prv - </dev/null
tell prvcut -q --follow -o kept.prv - <text.prv
cat damaged.prv | tell prvcut -q --follow -o kept.prv -
# Where it cannot be kept the folder is told, before it is read; what was read does not come again
tell prvcut -q --follow -o /proc/kept.prv - <long.prv
cat long.prv | tell prvcut -q --follow --archive /proc/kept.tar.zst -
cat long.prv | tell prvcut -q --follow --region 7 -o kept.prv -
cat long.prv | tell prvcut -q --follow --period 50s -o kept.prv -
cat damaged.prv | tell prvcut info -
tell prvcut -q --follow --spool 70 -o kept.prv - <long.prv
# A file that gets shorter, and one that another one takes the place of
head -c 30000 long.prv >short.prv
prvcut -q --follow short.prv &
until_catches $! TERM
sleep 0.5
truncate -s 20000 short.prv
tell wait $!
# One that is as long as before, or longer, by the time it is looked at, but another one
{ head -n 1 long.prv; tail -c +50000 long.prv; } | head -c 40000 >other.prv
head -c 30000 long.prv >anew.prv
prvcut -q --follow anew.prv &
until_catches $! TERM
sleep 0.5
dd if=other.prv of=anew.prv bs=40000 count=1 conv=notrunc status=none
tell wait $!
# The duration alone is put into the first line at last
head -c 30000 long.prv | sed '1s/:1205000000_ns/:0000000000_ns/' >late.prv
prvcut -q --follow --idle 1s -n late.prv &
until_catches $! TERM
sleep 0.5
head -n 1 long.prv | dd of=late.prv conv=notrunc status=none
tail -c +30001 long.prv >>late.prv
tell wait $!
rm anew.prv late.prv
cp loop.prv other.prv
head -c 30000 long.prv >replaced.prv
prvcut -q --follow replaced.prv &
until_catches $! TERM
sleep 0.5
mv other.prv replaced.prv
tell wait $!
head -c 30000 long.prv >moved.prv
prvcut -q --follow moved.prv &
until_catches $! TERM
sleep 0.5
mv moved.prv moved2.prv
tell wait $!
rm moved2.prv
# Less is kept than the pipe brings: that is cut, and the rest passes
{ cat long.prv; echo passed >&2; } | tell prvcut --follow --spool 100kB -n -o kept.prv - | tail -3
# A pipe that stalls is over after --idle, with what came in pieces before
mkfifo pipe
{
    for at in 0 1 2 3; do
        tail -c +$((at * 50000 + 1)) long.prv | head -c 50000
        sleep 0.2
    done
    n=0
    until [ -e over ] || [ $n = 200 ]; do sleep 0.05; n=$((n + 1)); done
    [ -e over ] || echo 'not over' >&2
} >pipe &
prvcut --follow --idle 1s -n -o stalled.prv pipe 2>looks | grep '^Loop\|^Note'
touch over
wait
rm pipe over looks
# Whoever starts a program behind the shell's back has it ignore SIGINT
mkfifo pipe
{ head -c 200000 long.prv; n=0; until [ -e over ] || [ $n = 200 ]; do sleep 0.05; n=$((n + 1)); done; } >pipe &
env --default-signal=INT prvcut -q --follow -o stopped.prv - <pipe &
follower=$!
until_catches $follower INT
sleep 0.3
kill -INT $follower
tell wait $follower
touch over
wait
rm pipe over
ls -A
