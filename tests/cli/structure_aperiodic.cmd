echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)' >none.prv
prvcut structure none.prv
echo "-- $?"
prvcut structure --quiet none.prv
echo "-- $?"
prvcut structure --tree none.prv
echo "-- $?"
