. "$data/loop.sh"
prvcut structure loop.prv
echo "-- $?"
prvcut structure --tree loop.prv
echo "-- $?"
prvcut structure -v --levels 1 --metric calls -o table.txt loop.prv 2>/dev/null
echo "-- $?"
grep -c '^Level 1' table.txt
echo -- all of it
prvcut structure -v loop.prv 2>/dev/null
