# Where the trace holds nothing of what was asked, a table with a header alone is no answer.
. "$data/loop.sh"
prvcut signal --metric ipc loop.prv; echo $?
prvcut signal --metric ipc,flops,flushing loop.prv 2>/dev/null; echo $?
prvcut signal --metric ipc -o ipc.csv loop.prv; echo $?
prvcut signal -q --metric ipc,clock --plot ipc.svg -o ipc.csv loop.prv; echo $?
ls
echo "Told with the rest, and where there is room for the reason:"
prvcut signal --metric ipc,computing --bins 1 loop.prv; echo $?
prvcut signal -q --json --metric ipc loop.prv | grep -c '"no counters of instructions and cycles"'
prvcut signal -q --metric ipc --plot ipc.svg loop.prv; echo $?
