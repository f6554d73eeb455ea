. "$data/loop.sh"
mv loop.prv x.prv
prvcut -; echo $?
prvcut cut --to 50% -; echo $?
prvcut -o - x.prv; echo $?
