# On a terminal a line comes and goes away again; what is left of it is blanks.
. "$data/loop.sh"
TERM=xterm script -qec 'prvcut info --quiet loop.prv' /dev/null | wc -c
TERM=xterm script -qec 'prvcut cut --from 0 --to 1ms loop.prv >/dev/null' /dev/null >seen
tr '\r' '\n' <seen | grep -c 'reading  '
tr '\r' '\n' <seen | tail -n 1 | tr -d ' ' | wc -c
