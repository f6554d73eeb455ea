. "$data/loop.sh"
prvcut --level 7 --quiet loop.prv; echo $?
prvcut --level 7 loop.prv | sed -n '1p; /^Note/p'
ls
