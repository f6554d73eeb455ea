. "$data/loop.sh"
prvcut cut --from 10ms --to 12ms -o no/such/folder/a.prv loop.prv; echo $?
ls
