# What would be lost, and nothing else.
. "$data/loop.sh"
prvcut convert -n loop.prv again.prv
ls
