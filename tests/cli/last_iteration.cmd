# The last iteration of a loop ends where nothing of it is left, in the list and in a cut of it, however late the next call comes.
. "$data/loop.sh"
last() {
    prvcut structure --csv "$1" | tail -1
    prvcut -q -f --json --iteration 20 -o last.prv "$1" | tr -d ' \n' | sed 's/.*"window":{"start_ns":\([0-9]*\),"end_ns":\([0-9]*\).*/\1 \2\n/'
}
last loop.prv
# A call half an iteration behind it.
sed 's/25000000:1$/26000000:1/; s/:25000000_ns:/:26000000_ns:/' loop.prv >late.prv
printf '2:1:1:1:1:25200000:50000002:9\n2:2:1:2:1:25200000:50000002:9\n2:1:1:1:1:25300000:50000002:0\n2:2:1:2:1:25300000:50000002:0\n' >>late.prv
last late.prv
# Iterations with a call at their end lack nothing.
prvcut structure --json late.prv | grep -m 1 -A 40 '"kind": "periodic"' | grep -E '"(iterations|last_ns)"'
