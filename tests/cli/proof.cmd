. "$data/loop.sh"
prvcut --proof --dry-run loop.prv
echo -- not asked
prvcut --no-proof --dry-run loop.prv | grep '^Stands'
prvcut --quick --dry-run --json loop.prv | grep -c '"proof": null'
prvcut --proof --quick loop.prv 2>&1
prvcut --proof --dry-run --json loop.prv | grep -E '"(verdict|unlike)"'
