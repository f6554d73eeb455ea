. "$data/loop.sh"
prvcut structure loop.prv
echo "-- $?"
prvcut structure --tree loop.prv
echo "-- $?"
prvcut structure --levels 1 --metric calls -o table.txt loop.prv
echo "-- $?"
grep -c 'Level 1' table.txt
