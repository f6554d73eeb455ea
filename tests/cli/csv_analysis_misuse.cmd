. "$data/loop.sh"
printf '1\t0\t5\t1\n' >t.csv
echo mine >loop.iterations.prv
try() { prvcut csv-analysis "$@" || echo "exit $?"; }
try
try loop.prv
try loop.prv t.csv 3 4
try loop.prv t.csv -1
try loop.prv t.csv 1000001
try loop.prv t.csv 99999999999999999999999
try --force loop.prv t.csv 3
try -o x.prv loop.prv t.csv 3
try - t.csv 3 <loop.prv
cat loop.prv | try - t.csv 3
ln -s "$(command -v prvcut)" csv-analysis
./csv-analysis
echo "exit $?"
./csv-analysis mark loop.prv
echo "exit $?"
cat loop.iterations.prv
ls
