# One file holds all, opens as a trace and can be checked; nothing else is left behind.
. "$data/loop.sh"
prvcut --quiet --archive small.tar.zst loop.prv; echo $?
ls -A
tar --zstd -tf small.tar.zst
prvcut verify small.tar.zst | sed 's/  *[0-9,]*  / SIZE /'
prvcut check small.tar.zst
prvcut info small.tar.zst | head -n 1
prvcut cut --quiet --from 0 --to 500us small.tar.zst; echo $?
ls -A
