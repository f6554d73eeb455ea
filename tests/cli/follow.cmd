# A trace that is being written is followed to its end, and cut as the job cuts it.
. "$data/long.sh"
pieces() {
    for at in 0 1 2 3 4 5 6 7; do
        tail -c +$((at * 90000 + 1)) long.prv | head -c 90000
        sleep 0.05
    done
}
# A pipe: looks at twice as much each time, and what is kept goes
pieces | prvcut --follow -o piped.prv -
prvcut -q -o whole.prv long.prv
cut() { grep -v '^#' "$1" | cksum; }
[ "$(cut piped.prv)" = "$(cut whole.prv)" ] && echo same
# Sure before its end
pieces | prvcut --follow --until-found -o found.prv -
ls -A
rm ./*.prv
# A file that grows while its writer lives: the same bytes
. "$data/long.sh"
: >grown.prv
pieces >grown.prv &
prvcut -q --follow --pid $! grown.prv
mv grown.chop1.prv followed
prvcut -q grown.prv
cmp grown.chop1.prv followed && echo same
rm followed grown.chop1.prv
# A pipe with a name has its labels beside it
mkdir named
mkfifo named/app.prv
printf 'EVENT_TYPE\n9 50000002 MPI Collective\nVALUES\n0 End\n10 MPI_Named\n' >named/app.pcf
printf 'LEVEL THREAD SIZE 2\nfirst\nsecond\n' >named/app.row
pieces >named/app.prv &
prvcut -q --follow -o named/small.prv named/app.prv
wait
cat grown.prv | prvcut -q --follow -o named/alone.prv -
ls -A named
cmp named/small.pcf named/app.pcf && cmp named/small.row named/app.row && echo 'as the pipe has them'
rm -r named
# Its header promises a duration at which its last record begins, or nothing new comes
{ cat grown.prv; echo '2:1:1:1:1:1205000000:50000001:0'; } >ends.prv
prvcut -q --follow ends.prv
# A state up to there stands before all that happens meanwhile: a pause is no end
{ sed '/^c:/q' ends.prv; echo '1:1:1:1:1:0:1205000000:1'; grep '^[123]' ends.prv; } >idle.prv
head -c 50000 idle.prv >pausing.prv
{ sleep 3; tail -c +50001 idle.prv; } >>pausing.prv &
prvcut -n --follow pausing.prv | grep '^Loop'
wait
rm idle.prv pausing.prv
sed '1s/:1205000000_ns/:0_ns/' grown.prv >endless.prv
prvcut -q --follow --idle 100ms endless.prv
ls -A
# Programs read what is known so far
PRVCUT_LOG=error prvcut --follow --progress=json --json -n -o none.prv - 2>looks <grown.prv >answer
grep following looks | sed 's/"load_balance.*"sure"/"sure"/; s/"confidence":[0-9.]*/"confidence":X/'
grep '"iterations_in_phase"\|"period_ns"' answer | head -2
