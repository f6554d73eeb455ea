. "$data/loop.sh"
prvcut --regions 2 loop.prv; echo $?
prvcut --regions both loop.prv 2>&1 | head -n 1
prvcut --regions 0 loop.prv 2>&1 | head -n 1
prvcut --outliers 101 loop.prv 2>&1 | head -n 1
prvcut --level 0 loop.prv 2>&1 | head -n 1
prvcut --report - loop.prv 2>&1 | head -n 1
ls
