# A second application repeats a loop of its own beside the first: it is not why an iteration of that one is slow.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
awk -v ranks=4 -v steps=40 -v rank=2 -v at=4 -f "$data/ring.awk" | sort -s -t: -k1,1n | cut -d: -f2- >other.prv
{
    sed -n '1s/:1:\(8([^)]*)\),[0-9]*$/:2:\1:4(1:1,1:1,1:1,1:1)/p' lu.prv
    {
        grep '^[123]:' lu.prv
        awk -F: -v OFS=: '/^[123]:/ { $3 = 2; if ($1 == 3) $9 = 2; print }' other.prv
    } | sort -s -t : -n -k 6,6
} >both.prv
cp lu.pcf both.pcf
prvcut profile --why 6 both.prv
prvcut profile --why 6 lu.prv
