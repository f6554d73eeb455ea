# The cut ends before it gets larger than that.
. "$data/loop.sh"
prvcut cut -q --from 5ms --max-size 2kB loop.prv
test "$(wc -c <loop.cut.prv)" -le 2000 && echo small
prvcut check loop.cut.prv | grep -c ': sound'
prvcut cut --from 5ms --max-size 10 -o tiny.prv loop.prv || echo "exit $?"
prvcut cut --from 5ms --max-size 0 loop.prv || echo "exit $?"
ls
