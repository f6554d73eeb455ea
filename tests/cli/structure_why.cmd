# In iteration 12 task 2, rank 1, computes 300 us longer; what follows is as much later.
. "$data/loop.sh"
awk -F: -v OFS=: '
    function later(at) { return at > 15810000 ? at + 300000 : at }
    /^#/ { sub(/25000000_ns/, "25300000_ns"); print; next }
    /^[123]/ { $6 = later($6) }
    /^[13]/ { $7 = later($7) }
    /^3/ { $12 = later($12); $13 = later($13) }
    { print }' loop.prv >late.prv
prvcut structure late.prv
echo "-- $?"
prvcut structure -v late.prv 2>/dev/null | grep -A1 '^Why'
echo -- in JSON
prvcut structure --json late.prv | grep -E '"cause": "[0-9]|"cause_reason"'
echo -- nothing to explain
prvcut structure --json loop.prv | grep -E '"cause": "[0-9]|"cause_reason"'
prvcut structure -v loop.prv 2>/dev/null | grep -c '^Why'
echo -- a table and a tree have no such line
prvcut structure --csv late.prv | grep -c 'median'
prvcut structure --tree late.prv | grep -c 'median'
echo -- a rank of several threads is named with the thread
awk -F: -v OFS=: '
    function thread(task) { $(task + 1) = $task; $task = 1 }
    /^#/ { sub(/:1:2\(1:1,1:1\)/, ":1:1(2:1)"); print; next }
    /^[123]/ { thread(4) }
    /^3/ { thread(10) }
    { print }' late.prv >threads.prv
prvcut profile --why outliers threads.prv
prvcut profile --why outliers --json threads.prv | jq -c '.why.slow[].causes[] | {what, rank, thread}'
echo -- done
