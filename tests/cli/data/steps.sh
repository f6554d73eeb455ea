# Make steps.prv (data/steps.awk) with its labels in the current folder: . "$data/steps.sh"
{
    echo '#Paraver (01/01/2026 at 12:00):4100000_ns:1(2):1:2(1:1,1:1)'
    awk -f "$data/steps.awk" | sort -s -t: -k6,6n
} >steps.prv
printf 'EVENT_TYPE\n9    50000002    MPI Collective Comm\nVALUES\n7 MPI_Bcast\n8 MPI_Barrier\n10 MPI_Allreduce\n\n' >steps.pcf
printf 'EVENT_TYPE\n9    50000003    MPI Other\nVALUES\n31 MPI_Init\n32 MPI_Finalize\n\n' >>steps.pcf
