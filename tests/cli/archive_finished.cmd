# Finished cuts become one archive as they are; each is read out of it by its name, and nothing else is left behind.
. "$data/loop.sh"
mkdir other
prvcut -q loop.prv
prvcut cut -q --from 4ms --to 8ms -o other/part.prv.gz loop.prv
prvcut index -q loop.chop1.prv
prvcut archive -o cuts.tar.zst loop.chop1.prv other/part.prv.gz | sed 's/, [0-9.]* kB,/, SIZE,/'
tar --zstd -tf cuts.tar.zst
prvcut verify cuts.tar.zst | head -n 1
for cut in loop.chop1.prv part.prv.gz; do prvcut info "cuts.tar.zst:$cut" | head -n 1; done
tar --zstd -xOf cuts.tar.zst cuts/loop.chop1.prv | cmp - loop.chop1.prv && echo same
tar --zstd -xOf cuts.tar.zst cuts/loop.chop1.prv.info.json | head -n 2
ls -A
# The same content gives the same bytes; what comes out of an archive can go into another one.
prvcut archive -q --output again loop.chop1.prv other/part.prv.gz
mkdir in again
tar --zstd -xf cuts.tar.zst -C in && tar --zstd -xf again.tar.zst -C again
rm in/cuts/about.json again/again/about.json in/cuts/SHA256SUMS again/again/SHA256SUMS
diff -r in/cuts again/again && echo same
prvcut archive --json -o once.tar.zst cuts.tar.zst:part.prv.gz | sed 's/"sha256": ".*"/"sha256": SUM/; s/"bytes": .*,/"bytes": N,/'
# What is refused leaves nothing.
rm -rf in again again.tar.zst once.tar.zst other/*.x
ls -A >before
prvcut archive loop.prv; echo $?
prvcut archive -o x; echo $?
prvcut archive -o x -; echo $?
prvcut archive -o x loop.prv loop.prv; echo $?
prvcut archive -o cuts.tar.zst loop.prv; echo $?
prvcut archive -o x.zip loop.prv; echo $?
prvcut archive -o x absent.prv; echo $?
prvcut archive -o loop.prv loop.prv; echo $?
prvcut archive -o nowhere/x loop.prv; echo $?
echo 1:x >bad.prv
prvcut archive -o x loop.prv bad.prv; echo $?
rm bad.prv
ls -A | diff before - && echo nothing
