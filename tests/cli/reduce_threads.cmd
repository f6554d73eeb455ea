# The same for any number of threads, but for the comment that tells the command.
. "$data/loop.sh"
prvcut -q -T 1 -o one.prv loop.prv; echo $?
prvcut -q -T 2 -o two.prv loop.prv; echo $?
sed '1!{/^#/d;}' one.prv >a
sed '1!{/^#/d;}' two.prv >b
cmp a b && echo same
