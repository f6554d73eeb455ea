# With --json a failure is an object, too: on standard output, with its status, wherever it happens.
. "$data/loop.sh"
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:x:1\n' >bad.prv
echo mine >loop.chop1.prv
failed() {
    prvcut "$@" 2>/dev/null | jq -c '[.schema, .version, .program != null, .command, .status, .file, .line, (.text | length > 0)]'
}
failed --json loop.prv
failed --json --iterations two loop.prv
failed --iterations two --json loop.prv
failed --json
failed --json no-such.prv
failed --json bad.prv
failed info --json bad.prv
failed structure --json bad.prv
failed cut --json loop.prv
failed filter --json --drop messages -o no/such.prv loop.prv
failed convert --json loop.prv x.abc
failed convert --json --strict --from 1ms --to 10.65ms loop.prv y.prv
failed signal --json --metric nothing loop.prv
failed mark --json --period 0 loop.prv
failed index --json -
failed verify --json loop.prv
failed check --json no-such.prv
failed formats --json loop.prv
failed help --json bananas
