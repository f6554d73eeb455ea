. "$data/loop.sh"
prvcut structure --json loop.prv |
    grep -E '^  "(schema|version|end_ns|levels|loops|main|reason)"|^      "(kind|level|number|loop|period_ns|source)"'
