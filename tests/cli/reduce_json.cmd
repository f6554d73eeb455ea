. "$data/loop.sh"
prvcut --json --dry-run loop.prv | grep -E '^  "(schema|version|period_ns|dry_run)"'
ls
