# A set that cannot be written to its end: the old one stands, all of it, whatever replaces it.
zstd -dq "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -dq "$samples/lu.S.8.pcf.zst" -o lu.pcf
cp "$samples/lu.S.8.row" lu.row
prvcut cut -q --from 30% --to 36% -o in.prv lu.prv
mkdir out
for suffix in prv pcf row; do echo "old $suffix" >out/a.$suffix; done
(cd out && cksum *) >before
# More than the companions take, less than a buffer: what is written at the very end fails.
ulimit -f 110
try() {
    "$@" >/dev/null 2>words && status=0 || status=$?
    (cd out && cksum *) >after
    echo "$2: $status, $(grep -c 'File too large' words) word, left: $(ls -A out | tr '\n' ' ')"
    cmp before after
}
try prvcut cut -f --from 0 -o out/a.prv in.prv
try prvcut mark -f -q -o out/a.prv in.prv
try prvcut filter -f --tasks 1-8 -o out/a.prv in.prv
try prvcut convert -f in.prv out/a.prv
