# The disk is full (a limit on the size of files): status 1, words, and no file is left.
. "$data/big.sh"
mkdir out
ulimit -f 100
try() {
    "$@" >/dev/null 2>words && status=0 || status=$?
    echo "$2: $status, left: $(ls -A out | wc -l), $(grep -c 'File too large' words) word"
}
try prvcut cut --from 0 -o out/a.prv big.prv
try prvcut cut --from 0 -o out/a.prv.gz big.prv
try prvcut cut --from 0 -o out/a.prv.zst big.prv
try prvcut convert -q big.prv out/a.json
try prvcut convert -q big.prv out/b.prv
try prvcut convert -q big.prv out/a.sqlite
try prvcut signal --bins 100000 -o out/a.csv big.prv
