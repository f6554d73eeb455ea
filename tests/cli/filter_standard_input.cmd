# A pipe is enough, packed or not, and what is written is packed by its name.
. "$data/loop.sh"
gzip -c loop.prv | prvcut filter -q --tasks 2 -o two.prv.zst -
zstd -dcq two.prv.zst | grep '^[1-3]:' >two
grep '^[12]:2:1:2:1:\|^3:.*:1:2:1:' loop.prv | cmp - two && echo same
prvcut filter --tasks 2 - <loop.prv || echo "exit $?"
