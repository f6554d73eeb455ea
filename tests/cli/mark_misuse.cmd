needs otf2 || exit 77
. "$data/loop.sh"
try() { prvcut mark "$@" >/dev/null || echo "exit $?"; }
try
try loop.prv loop.prv
try -
try none.prv
try -o - loop.prv
try -o none/out.prv loop.prv
try --timeline '' loop.prv
try --timeline none.csv loop.prv
printf '1\t5\t5\t1\n1\tsoon\t5\t1\n' >t.csv
try --timeline t.csv loop.prv
: >t.csv
try --timeline t.csv loop.prv
printf '1\t90000000\t5\t1\n' >t.csv
try --timeline t.csv loop.prv
try --period 0 loop.prv
try --from 9ms --to 8ms loop.prv
try --from 1s loop.prv
try --metric nonsense loop.prv
try --iterations 3 loop.prv
try --proof loop.prv
try --compress xz loop.prv
mkfifo pipe
cat loop.prv >pipe &
try pipe
# Nobody has read it; the feeder ends when somebody does.
cat pipe >/dev/null
wait $!
tar -xf "$samples/lu.S.4-eztrace.tar.zst"
try */*.otf2
ls
