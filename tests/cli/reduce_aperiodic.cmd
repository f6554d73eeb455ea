# A sound trace in which nothing repeats.
. "$data/loop.sh"
grep -E '^(#|c|1:[12]:1:[12]:1:0:)' loop.prv >once.prv
prvcut once.prv
prvcut -q once.prv 2>/dev/null; echo $?
prvcut --json once.prv | grep '"period_ns": null' | head -n 1
ls
# What was not searched may show it.
prvcut --metric ipc loop.prv
prvcut --metric computing once.prv
