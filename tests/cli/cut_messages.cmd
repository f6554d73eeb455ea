# The border lies inside a message.
. "$data/loop.sh"
prvcut cut -q --messages drop --from 10.55ms --to 12.62ms -o drop.prv loop.prv
prvcut cut -q --messages keep --from 10.55ms --to 12.62ms -o keep.prv loop.prv
grep -c ^3: drop.prv
grep -c ^3: keep.prv
