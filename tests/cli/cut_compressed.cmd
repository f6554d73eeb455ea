. "$data/loop.sh"
prvcut cut -q --from 10ms --to 12ms loop.prv
prvcut cut -q --from 10ms --to 12ms -o loop.part.prv.zst loop.prv
prvcut cut -q --from 10ms --to 12ms --compress gz loop.prv
ls
zstd -dqc loop.part.prv.zst | sed '1!{/^#/d;}' >a
gzip -dc loop.cut.prv.gz | sed '1!{/^#/d;}' >b
sed '1!{/^#/d;}' loop.cut.prv | cmp - a && cmp a b
