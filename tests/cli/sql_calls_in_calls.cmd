# What MPI calls of itself is a call in the database as in the profile, whatever holds it: of the same type, of another one,
# one that lost its end; none has the time of two.
event() { printf '2:1:1:1:1:%s:5000000%s:%s\n' "$@"; }
{
    echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)'
    event 50 2 10 && event 60 2 9 && event 70 1 2 && event 90 1 0 && event 100 2 0 && event 110 2 0
    event 200 2 8 && event 220 3 19 && event 230 3 0 && event 300 2 0
    event 400 1 1 && event 500 1 1 && event 560 1 0
    event 600 2 8 && event 610 1 2 && event 620 2 0 && event 650 1 0
    event 900 2 8 && event 950 2 0
} >nested.prv
{
    printf 'EVENT_TYPE\n0 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n0 End\n\n'
    printf 'EVENT_TYPE\n0 50000002 MPI Collective Comm\nVALUES\n8 MPI_Barrier\n9 MPI_Reduce\n10 MPI_Allreduce\n0 End\n\n'
    printf 'EVENT_TYPE\n0 50000003 MPI Other\nVALUES\n19 MPI_Comm_rank\n0 End\n'
} >nested.pcf
same() {
    prvcut sql --csv "${3:---all}" ${4:+"$4"} "$1" 'SELECT name, calls, own_ns FROM time_by_call ORDER BY 1' | sed 1d >sql.csv
    prvcut profile --csv ${3:+"$3" "$4"} "$1" | sed 1d | cut -d, -f1-3 | sort | diff - sql.csv && echo "as profile: $2" && cat sql.csv
}
same nested.prv 'values that hold until the next'
same nested.prv 'a window' --from 210ns
prvcut sql --csv --all nested.prv 'SELECT name, begin_ns, end_ns, own_ns, whole FROM calls ORDER BY call'
prvcut sql --csv --all nested.prv 'SELECT calls, calls_ns, outside_ns FROM time_by_rank' | tail -n 1
prvcut profile --csv --by rank nested.prv | tail -n 1 | cut -d, -f3-7
# The longest one is with the calls inside it, as the total is, and without them in the profile.
prvcut sql --csv --all nested.prv "SELECT total_ns, own_ns, mean_ns, most_ns FROM time_by_call WHERE name = 'MPI_Allreduce'"
prvcut profile --csv nested.prv | cut -d, -f1,3,5,7 | grep -E '^(call|MPI_Allreduce),'
# What never ends lasts to the thread's last record, of whatever kind.
{
    printf '%s\n' '#Paraver (01/01/2026 at 12:00):1000_ns:3(1,1,1):1:3(1:1,1:2,1:3)' 2:1:1:1:1:100:50000002:8 2:2:1:2:1:120:50000002:8
    printf '%s\n' 2:1:1:1:1:200:50000002:0 2:1:1:1:1:500:50000002:8 1:1:1:1:1:500:700:1 2:3:1:3:1:600:50000002:8 2:3:1:3:1:850:77000000:4
} >open.prv
same open.prv 'calls without an end'
same open.prv 'up to a window that ends first' --to 550ns
same open.prv 'in a window that ends later' --to 900ns
# Archives nest: what is behind the inner call is the outer one's.
needs otf || exit 77
prvcut convert -q nested.prv nested.otf && same nested.otf 'calls that nest'
rm -r nested.otf* *.csv
