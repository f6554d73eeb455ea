# What fails while files of a set are made in a hidden folder is told as where they would stand.
. "$data/loop.sh"
mkdir run out
prvcut convert -q loop.prv run/run.otf 2>/dev/null
ulimit -f 1
prvcut cut -q --from 0 run/run.otf; echo $?
(cd run && prvcut cut -q --from 0 run.otf); echo $?
prvcut -q --iterations 8 run; echo $?
prvcut -q --iterations 8 -o out/small.otf run; echo $?
prvcut -q --iterations 8 loop.prv; echo $?
prvcut -q --iterations 8 -o out/small.prv loop.prv; echo $?
prvcut -q --archive out/a.tar.zst --iterations 8 loop.prv; echo $?
find . -name '.*' ! -name . ; find . -name '*chop*' -o -name '*cut*' -o -name 'small*'
