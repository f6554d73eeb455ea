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
# What is asked for and is not in the trace has no say beside what is.
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
prvcut -n --metric computing,clock loop.prv
