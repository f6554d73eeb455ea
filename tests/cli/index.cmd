# The first answer, then the same from the index; a trace that changed is read again.
. "$data/loop.sh"
took() { sed '/^Took/d'; }
prvcut -n loop.prv | took >before
prvcut info loop.prv >before.info
prvcut index -n loop.prv; prvcut index -n --json loop.prv | jq -c .bytes
prvcut index loop.prv | sed 's/[0-9.]* kB/N kB/g'
prvcut -n loop.prv | took | cmp - before && echo same
prvcut info loop.prv | cmp - before.info && echo same
prvcut index --json --force loop.prv | sed 's/"bytes": [0-9]*/"bytes": N/'
touch -d 2020-01-01T00:00:00Z loop.prv
prvcut info loop.prv | cmp - before.info && echo same
prvcut info --no-index loop.prv | cmp - before.info && echo same
ls
