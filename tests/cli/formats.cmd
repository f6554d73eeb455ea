# The table has a column for every format that is built in: only Paraver always is.
prvcut formats | sed -n '/^format/p;/^paraver/p;/^What/p;/^communicators/s/  *yes.*//p'
prvcut formats --json | head -n 3
prvcut formats loop.prv
echo $?
