. "$data/loop.sh"
prvcut --proof --dry-run loop.prv | sed -n '/^Proof/,/^Notes/p' | grep -v '^Took'
prvcut --proof --dry-run --json loop.prv | grep -E '"(verdict|unlike)"'
