# What is in the way, what contradicts, what is no archive.
. "$data/loop.sh"
echo mine >small.tar.zst
prvcut --archive small.tar.zst loop.prv; echo $?
cat small.tar.zst
prvcut --archive a.tar.zst --output b.prv loop.prv; echo $?
prvcut --archive - loop.prv; echo $?
prvcut verify loop.prv; echo $?
prvcut verify absent.tar.zst; echo $?
prvcut --force --quiet --archive small.tar.zst loop.prv; echo $?
tar --zstd -xf small.tar.zst
echo rubbish >>small/about.json
tar --zstd -cf changed.tar.zst small
prvcut verify --json changed.tar.zst | grep -c '"damaged"'
prvcut verify --quiet changed.tar.zst; echo $?
ls -A
