. "$data/loop.sh"
gzip -k loop.prv
prvcut index; echo $?
prvcut index - <loop.prv; echo $?
prvcut index --iterations 2 loop.prv; echo $?
prvcut index loop.prv.gz; echo $?
prvcut index -q loop.prv; echo $?
prvcut index -q loop.prv; echo $?
prvcut check --no-index loop.prv; echo $?
