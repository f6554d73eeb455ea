. "$data/loop.sh"
prvcut structure; echo $?
prvcut structure --json --tree loop.prv; echo $?
prvcut structure --levels 0 loop.prv; echo $?
prvcut structure --proof loop.prv; echo $?
prvcut structure --level 2 loop.prv; echo $?
prvcut structur loop.prv; echo $?
prvcut structure - </dev/null; echo $?
