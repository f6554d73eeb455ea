. "$data/loop.sh"
mv loop.prv x.prv
prvcut --iteratons 2 x.prv; echo $?
prvcut -Z x.prv; echo $?
prvcut --bananas x.prv; echo $?
