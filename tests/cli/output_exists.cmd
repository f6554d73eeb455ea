. "$data/loop.sh"
echo mine >loop.cut.prv
prvcut cut --from 10ms --to 12ms loop.prv; echo $?
cat loop.cut.prv
prvcut cut -q -f --from 10ms --to 12ms loop.prv; echo $?
head -c 8 loop.cut.prv
