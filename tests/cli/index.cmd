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
# Profiles of the run, its regions and iterations come from the index alone, all else is the same with it as without.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
views() {
    for view in '' '--by rank' '--by state,thread' '--by region' '--by iteration' '--by call,iteration'; do
        prvcut profile --csv $view lu.prv
    done
}
views >views
{ prvcut structure lu.prv; prvcut profile --why 24 lu.prv; } >why
cp -p lu.prv whole
prvcut index -q lu.prv
{ prvcut structure lu.prv; prvcut profile --why 24 lu.prv; } | cmp - why && echo same
printf 'no record' | dd of=lu.prv bs=1 seek=2500000 conv=notrunc 2>/dev/null
touch -r whole lu.prv
views | cmp - views && echo same
prvcut profile --csv --no-index lu.prv || echo $?
