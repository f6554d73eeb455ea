: >empty.prv
echo 'no trace at all' >text.prv
mkdir folder.prv
for trace in empty.prv text.prv folder.prv missing.prv; do
    prvcut "$trace" 2>words; echo "$trace: $?, $(wc -l <words) line"
    prvcut info "$trace" >/dev/null 2>&1; echo "info: $?"
    prvcut check "$trace" >/dev/null 2>&1; echo "check: $?"
done
