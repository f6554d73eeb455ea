# Critical sections and locks: what threads wait while another one of the process has them, worked out by hand.
# Events TASK.THREAD TIME TYPE VALUE[:ADDRESS], values: 3 asks, 6 has, 5 gives back, 0 has given back.
trace() {
    {
        echo '#Paraver (01/01/2024 at 00:00):10000_ns:1(4):1:2(2:1,2:1),0'
        echo '2:1:1:1:1:0:50000003:31'
        echo '2:3:1:2:1:0:50000003:31'
        echo '2:1:1:1:1:1:50000003:0'
        echo '2:3:1:2:1:1:50000003:0'
        while read -r task thread time type value; do
            echo "2:$((2 * task + thread - 2)):1:$task:$thread:$time:$type:$value"
        done
    } >x.prv
    cat >x.pcf <<'PCF'
EVENT_TYPE
0 60000006 OpenMP named-Lock
VALUES
0 Unlocked status
3 Lock
5 Unlock
6 Locked status

EVENT_TYPE
0 60000032 OpenMP named-Lock address name

EVENT_TYPE
0 60000007 OpenMP unnamed-Lock
VALUES
0 Unlocked status
3 Lock
5 Unlock
6 Locked status
PCF
}
told() {
    prvcut waits --json "$@" | awk '/"name": "omp_(critical|lock)/ { on = 1 } on && /"name"|"severity_s"|"reason"/ { print }
        /"ranks_s": / { ranks = on } ranks { print } /\]/ { ranks = on = 0 }' | tr -s ' \n' ' ' | sed 's/"name"/\n&/g'
}
echo "critical: 100 to 160 and 300 to 330 of task 1; of task 2, which has its own, nothing"
trace <<'END'
1 1 50 60000007 3
2 1 60 60000007 3
1 1 60 60000007 6
2 1 70 60000007 6
1 2 100 60000007 3
1 1 160 60000007 5
1 1 165 60000007 0
1 2 170 60000007 6
2 1 200 60000007 5
2 1 205 60000007 0
2 2 250 60000007 3
2 2 260 60000007 6
2 2 270 60000007 5
2 2 275 60000007 0
1 1 300 60000007 3
1 2 330 60000007 5
1 2 330 60000007 0
1 1 331 60000007 6
1 1 400 60000007 5
1 1 401 60000007 0
END
told x.prv
echo
echo "locks: 1.2 waits for 7 from 20 to 90 as 1.1 has it; 8, which it has meanwhile inside 7, is another one"
trace <<'END'
1 1 5 60000006 3
1 1 10 60000006 6:60000032:7
1 2 20 60000006 3
1 1 30 60000006 3
1 1 35 60000006 6:60000032:8
1 1 40 60000006 5
1 1 42 60000006 0:60000032:0
1 1 90 60000006 5
1 1 91 60000006 0:60000032:0
1 2 95 60000006 6:60000032:7
1 2 99 60000006 5
1 2 100 60000006 0:60000032:0
END
told x.prv
echo
echo "without addresses two threads have one at once"
sed 's/:60000032:[0-9]*//' x.prv | sed '$!b' >y.prv
cp x.pcf y.pcf
echo '2:1:1:1:1:200:60000006:3
2:1:1:1:1:201:60000006:6
2:2:1:1:2:202:60000006:3
2:2:1:1:2:203:60000006:6
2:1:1:1:1:300:60000006:5
2:2:1:1:2:301:60000006:5' >>y.prv
told y.prv
echo
echo "a lock is no region that would not end"
prvcut check x.prv
prvcut waits --json x.prv >a.json
cat x.prv | prvcut waits --json - | diff a.json - | grep -c '^[<>] *"severity_s'
