. "$data/loop.sh"
mv loop.prv x.prv
prvcut chekc x.prv; echo $?
prvcut ifno; echo $?
