prvcut -; echo $?
prvcut cut --to 50% -; echo $?
prvcut -o - x.prv; echo $?
