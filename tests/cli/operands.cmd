prvcut --json; echo $?
prvcut info; echo $?
prvcut a.prv b.prv; echo $?
prvcut cut --from 1ms; echo $?
prvcut cut a.prv; echo $?
