. "$data/loop.sh"
prvcut cut --from 11ms --to 10ms loop.prv; echo $?
prvcut cut --from 11ms --to 11ms loop.prv; echo $?
ls
