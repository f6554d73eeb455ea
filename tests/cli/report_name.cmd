# The report and the cut, or what stands beside it, cannot be one file: told before the trace is read.
zstd -dq "$samples/lu.S.8.prv.zst" -o lu.prv
cp "$samples/lu.S.8.row" lu.row
mkdir sub
ln -s ../a.prv sub/link.html
echo old >a.prv
for report in a.prv a.pcf ./a.row sub/../a.prv sub/link.html; do
    prvcut -q -f -o a.prv --report "$report" lu.prv && status=0 || status=$?
    echo "$report: $status"
done
prvcut -q -n -o a.prv --report a.pcf lu.prv && status=0 || status=$?
echo "dry run: $status"
prvcut -q --report lu.chop1.row lu.prv && status=0 || status=$?
echo "usual name: $status"
cat a.prv
ls -A
