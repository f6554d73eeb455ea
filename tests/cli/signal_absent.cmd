# What the trace does not hold is empty or null, with its reason, in table, JSON and drawing alike.
. "$data/loop.sh"
prvcut signal --metric ipc loop.prv; echo $?
prvcut signal --metric ipc,flops,flushing loop.prv 2>/dev/null; echo $?
prvcut signal --metric ipc -o ipc.csv loop.prv; echo $?
prvcut signal -q -f --metric ipc,clock --plot ipc.svg -o ipc.csv loop.prv; echo $?
ls
grep -c 'ipc: no counters of instructions and cycles' ipc.svg
cat ipc.csv
rm -f ipc.csv ipc.svg
echo "Told with the rest, and where there is room for the reason:"
prvcut signal --metric ipc,computing --bins 1 loop.prv; echo $?
prvcut signal -q --json --metric ipc loop.prv | grep -c '"no counters of instructions and cycles"'
prvcut signal -q --metric ipc --plot ipc.svg loop.prv; echo $?
