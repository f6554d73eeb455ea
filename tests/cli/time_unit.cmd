# A number with a point and no unit is no time: nobody means a part of a nanosecond.
. "$data/loop.sh"
try() { prvcut "$@" >/dev/null; echo $?; }
try cut --from 1.5 --to 2.5 loop.prv
try cut --from 1 --to 2.0 loop.prv
try --from 0.5 loop.prv
try --period 2.5 loop.prv
try signal --to 12.5 loop.prv
try structure --from .5 loop.prv
try mark --period 0.1 loop.prv
try convert --to 1.5 loop.prv out.paje
try filter --min-state 1.5 loop.prv
try cut -q --from 10000000 --to 12000000 loop.prv
try cut -qf --from 0.010s --to 12.0ms loop.prv
ls
