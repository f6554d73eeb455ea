. "$data/loop.sh"
prvcut structure loop.prv
echo "-- $?"
prvcut structure --tree loop.prv
echo "-- $?"
prvcut structure --levels 1 --metric calls -o table.txt loop.prv
echo "-- $?"
grep -c '^1\.1' table.txt
echo -- all of it
prvcut structure -v loop.prv 2>/dev/null
