# What a trace holds the calls of and nothing else is not told as if there were none of it.
cat >x.pcf <<'PCF'
EVENT_TYPE
9 50000001 MPI Point-to-point
VALUES
1 MPI_Send
2 MPI_Recv
5 MPI_Wait
41 MPI_Sendrecv
0 Outside MPI

EVENT_TYPE
9 50000002 MPI Collective Comm
VALUES
172 MPI_Iallreduce
0 Outside MPI
PCF
# Events RANK BEGIN END TYPE VALUE; a message of rank 1 to rank 2 stands as it is.
trace() {
    echo '#Paraver (01/01/2026 at 00:00):90000_ns:1(2):1:2(1:1,1:1),1'
    echo 'c:1:1:2:1:2'
    {
        while read -r rank begin end type value; do
            echo "2:$rank:1:$rank:1:$begin:$type:$value"
            echo "2:$rank:1:$rank:1:$end:$type:0"
        done
        echo '3:1:1:1:1:30000:30100:2:1:2:1:10000:30500:8:1'
    } | sort -t: -k6,6n
}
notes() {
    prvcut waits "$1" | grep -E '^(late_sender|note)'
}
echo "messages of MPI_Sendrecv"
trace <<'EVENTS' >x.prv
1 30000 30100 50000001 1
2 10000 30500 50000001 2
1 40000 41000 50000001 41
2 40000 41000 50000001 41
EVENTS
notes x.prv
echo "when collectives that do not block are complete"
trace <<'EVENTS' >x.prv
1 30000 30100 50000001 1
2 10000 30500 50000001 2
1 40000 41000 50000002 172:50100001:8:50100002:8:50100004:1
2 40000 41000 50000002 172:50100001:8:50100002:8:50100004:1
1 50000 61000 50000001 5
2 50000 61000 50000001 5
EVENTS
notes x.prv
echo "neither is there"
trace <<'EVENTS' >x.prv
1 30000 30100 50000001 1
2 10000 30500 50000001 2
EVENTS
notes x.prv
echo "calls that may wait, of which no metric tells"
sed 's/^5 MPI_Wait$/61 MPI_Probe/' x.pcf >y.pcf
trace <<'EVENTS' >y.prv
1 30000 30100 50000001 1
2 10000 30500 50000001 2
1 40000 45000 50000001 61
2 40000 40300 50000001 61
EVENTS
prvcut waits y.prv | grep -E 'wait|^note: no waits'
prvcut waits --json y.prv | grep -A 5 '"unsought"'
echo "less than 5 of a thousand"
trace <<'EVENTS' >y.prv
1 30000 30100 50000001 1
2 10000 30500 50000001 2
1 40000 40899 50000001 61
EVENTS
prvcut waits y.prv | grep -E 'wait|^note: no waits'
