# Traces in folders of an archive are found and keep the names that mean them; links that no trace needs do no harm.
. "$data/loop.sh"
mkdir -p a b/c
cp loop.prv a/lu.prv
cp loop.prv b/c/lu.prv
tar --zstd -cf two.tar.zst a b
prvcut info two.tar.zst; echo $?
prvcut info two.tar.zst:a/lu | head -n 1
prvcut -n two.tar.zst:a/lu.prv | grep Next
tar --zstd -cf one.tar.zst b
prvcut info one.tar.zst | head -n 1
echo "One at the top, one of the same name below it:"
cp a/lu.prv lu.prv
head -n -1 lu.prv >b/lu.prv
tar --zstd -cf both.tar.zst lu.prv b/lu.prv
prvcut info both.tar.zst | head -n 1
prvcut info both.tar.zst:b/lu | head -n 1
prvcut cut -q --from 0 --to 500us both.tar.zst:b/lu; echo $?
grep -o 'CUTTER:[^:]*:[^:]*:[^:]*' lu.cut.prv
echo "Links:"
ln -s lu.prv readme
tar --zstd -cf link.tar.zst lu.prv readme
prvcut check link.tar.zst | head -n 1
ln -s /etc/passwd lu.row
tar --zstd -cf link.tar.zst lu.prv lu.row
prvcut check link.tar.zst; echo $?
