prvcut chekc x.prv; echo $?
prvcut ifno; echo $?
