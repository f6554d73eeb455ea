prvcut info --iterations 2 x.prv; echo $?
prvcut --bins 3 x.prv; echo $?
prvcut help --json; echo $?
