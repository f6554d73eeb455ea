. "$data/loop.sh"
prvcut cut -q --from 10ms --to 12ms loop.prv
prvcut cut -q --from 10ms --to 12ms -o loop.part.prv.zst loop.prv
prvcut cut -q --from 10ms --to 12ms --compress gz loop.prv
ls
zstd -dqc loop.part.prv.zst | sed '1!{/^#/d;}' >a
gzip -dc loop.cut.prv.gz | sed '1!{/^#/d;}' >b
sed '1!{/^#/d;}' loop.cut.prv | cmp - a && cmp a b
# A size is that of the file as it lies there, in what is read and what is written; a dry run tells
# an estimate of it, and says so.
prvcut convert -q loop.prv small.prv.gz
prvcut -q small.prv.gz
for f in small.prv.gz small.chop1.prv.gz; do
    bytes=$(wc -c <"$f")
    shown=$(awk -v n="$bytes" 'BEGIN { printf n < 999.5 ? "%d B" : "%.2f kB", n < 999.5 ? n : n / 1000 }')
    prvcut info "$f" | head -n 1 | grep -c ", $shown (gzip, "
    prvcut --no-proof -f small.prv.gz | tr -d '\n' | grep -c " $shown"
done
prvcut -n -f small.prv.gz | grep -c ', about .* B of '
