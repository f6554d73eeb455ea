# What would be lost, and nothing else.
. "$data/loop.sh"
prvcut convert -n loop.prv again.prv
prvcut convert -n --strict loop.prv again.prv; echo $?
prvcut convert -n --strict --to 10.65ms loop.prv again.paje; echo $?
prvcut convert -n --json loop.prv again.prv 2>&1; echo $?
ls
