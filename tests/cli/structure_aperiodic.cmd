echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)' >none.prv
prvcut structure none.prv
echo "-- $?"
prvcut structure --quiet none.prv
echo "-- $?"
prvcut structure --tree none.prv
echo "-- $?"
echo -- nothing but a header
printf '#Paraver (01/01/2026 at 12:00):0_ns:1(1):1:1(1:1),0\n' >header.prv
prvcut structure header.prv
echo "exit $?"
echo -- what stands beside a trace
touch header.row && echo x >header.pcf && echo x >lone.row
prvcut header.pcf
echo "exit $?"
prvcut info lone.row
echo "exit $?"
# A header alone: nothing was looked at.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1),0\n' >empty.prv
prvcut empty.prv; echo $?
prvcut structure empty.prv; echo $?
echo "A flush that is far shorter than the run ends after it begins:"
cat >flush.prv <<'END'
#Paraver (01/01/2026 at 12:00):2000000000_ns:1(1):1:1(1:1)
1:1:1:1:1:0:700000000:1
1:1:1:1:1:700000000:2000000000:1
2:1:1:1:1:1000000000:40000003:1
2:1:1:1:1:1000050000:40000003:0
END
prvcut structure flush.prv | grep '^disturbed' | awk '{ print $1, $2 != $3 }'
