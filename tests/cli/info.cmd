. "$data/loop.sh"
prvcut info loop.prv >file; echo $?
prvcut info - <loop.prv >pipe; echo $?
grep -c . file | grep -qv '^0$' && echo something
prvcut info --json loop.prv | grep '"schema"'
