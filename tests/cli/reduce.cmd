. "$data/loop.sh"
prvcut --iterations 2 loop.prv
echo -- all of it
prvcut -f -v loop.prv 2>/dev/null | sed 's/^Took  .*/Took        T/'
echo -- nothing
prvcut -q -f loop.prv
ls
prvcut check loop.chop1.prv >/dev/null; echo $?
