. "$data/loop.sh"
mv loop.prv x.prv
prvcut --iterations; echo $?
prvcut --iterations 0 x.prv; echo $?
prvcut --iterations=-2 x.prv; echo $?
prvcut --iterations 2x x.prv; echo $?
prvcut -T 100000 x.prv; echo $?
prvcut --from 1furlong x.prv; echo $?
prvcut --from -1ms x.prv; echo $?
prvcut --to 101% x.prv; echo $?
prvcut --messages kepe x.prv; echo $?
prvcut --compress bz2 x.prv; echo $?
prvcut --role p2p x.prv; echo $?
prvcut --metric= x.prv; echo $?
prvcut --output= x.prv; echo $?
prvcut --json=yes x.prv; echo $?
prvcut signal --bins 0 x.prv; echo $?
prvcut signal --bins 16777217 x.prv; echo $?
# An option is nobody's value, but where it is written as one.
prvcut --report -q x.prv; echo $?
prvcut -o --json=yes x.prv; echo $?
prvcut cut --from --to 60% x.prv; echo $?
prvcut cut --from 10% --to -- x.prv; echo $?
