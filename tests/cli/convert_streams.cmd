# From standard input to standard output: the .prv alone, and no words about it.
. "$data/loop.sh"
prvcut convert -O paraver - - <loop.prv >out
for f in loop.prv out; do grep '^[123c]:' $f | sort >$f.sorted; done
cmp loop.prv.sorted out.sorted && ls
