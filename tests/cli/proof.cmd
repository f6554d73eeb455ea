. "$data/loop.sh"
prvcut --proof --dry-run loop.prv
echo -- not asked
prvcut --no-proof --dry-run loop.prv | grep '^Stands'
prvcut --quick --dry-run --json loop.prv | grep -c '"proof": null'
prvcut --proof --quick loop.prv 2>&1
prvcut --proof --dry-run --json loop.prv | grep -E '"(verdict|unlike)"'
# Typical is one thing, the sums over all of the loop are another; a load balance is as efficiency tells it.
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"lu.S.8.$suffix"; done
prvcut --proof --iteration 8-9 lu.S.8.prv | sed -n '/^Efficiency/p; /^Stands for its/,/^  typical/p'
prvcut efficiency lu.S.8.it8-9.prv | grep 'Load balance'
