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
echo "The file that it is about, also where that is not there:"
echo '<x' >bad.xml
for words in 'nothing.prv' 'info nothing.prv' '--iterations two nothing.prv' 'info --iterations 2 nothing.prv' 'filter --config none.xml loop.prv' \
    'filter --config bad.xml loop.prv' 'mark --timeline none.csv loop.prv' 'csv-analysis loop.prv none.csv' '--report none/x.html loop.prv' \
    '--archive none/x loop.prv' 'signal --plot none/x loop.prv' '-o none/x loop.prv' 'convert loop.prv none/x.paje' \
    'verify none.tar.zst' 'info none.tar.zst:x' 'strukture loop.prv' 'reduce loop.prv' 'strukture' 'help nothing'; do
    printf '%s: ' "$words"
    # shellcheck disable=SC2086 # several words
    prvcut $words --json 2>/dev/null | jq -c '[.status, .file]'
done
echo "Where a damaged record is: its line begins at the byte that is told, in any block, packed or not."
for i in $(seq 60000); do echo "1:1:1:1:1:$i:$((i + 1)):1"; done >body
{ printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n'; cat body; echo 1:1:1:1:1:70000:x:1; cat body; } >deep.prv
gzip -kc deep.prv >packed.prv.gz
printf 'x' >>deep.prv
for f in deep.prv packed.prv.gz; do
    for command in info "filter --drop messages -n"; do
        prvcut $command --json $f 2>/dev/null | jq -r '"\(.line) \(.offset)"' | while read -r line offset; do
            echo "$line: $(gzip -dcf $f | tail -c +$((offset + 1)) | head -n 1)"
        done
    done
done
