# What a slip is answered with.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
try() { prvcut "$@" 2>&1 | grep -v '^Usage\|^ *prvcut COMMAND\|--help'; }
try reduce loop.prv
try reduce nothing.prv
try a.prv loop.prv
try verify loop.prv
try verify loop.pcf
try filter -n --events MPI_Send loop.prv
try filter -n --events 50000001=mpi_recv,mpi_recv loop.prv
try filter -n --events MPI_Nothing loop.prv
try convert --to otf loop.prv out
try convert --to 5x loop.prv out.prv
try cut --to otf loop.prv
try --regions 3 loop.prv
try --iterations 999 loop.prv
try --iterations 999 --regions all loop.prv
try --period 1ms --from 1ms --to 2.5ms loop.prv
try --period 1ms --from 1ms --to 1.5ms loop.prv
echo "What was said of something else, or means nothing here:"
try structure --iterations 100 loop.prv
try structure --iterations 4-5 loop.prv
try csv-analysis --period 1 loop.prv
try csv-analysis --period 2ms loop.prv
try cut --to 1furlong loop.prv
try cut --from 1ms --to 20msec loop.prv
try cut --from 10ms --to 20 loop.prv
try cut --from 10msec --to 20 msec loop.prv
try filter --keep 3 loop.prv
try csv-analysis
try structure --period 100s loop.prv
try mark --period 100s loop.prv
try signal --metric IPC loop.prv
mkdir folder
try convert loop.prv folder
try convert loop.prv .
try verify folder
echo "The trace where an output was to stand:"
try -f -o loop.prv
try structure -o loop.prv
echo "Times without a unit:"
for times in "--from 50 --to 60" "--to 999" "--from 50 --to 60ns" "--from 50 --to 2000"; do
    try cut -f $times loop.prv | grep -v '^[A-Z ]'
done
try cut -q -f --from 50 --to 60 loop.prv
try cut --from 30ms --to 31ms loop.prv
try cut --from 1200000000 --to 1300000000 loop.prv
echo "What stands in the way:"
try cut --from 10ms --to 12ms -o new/cut.prv loop.prv
rm -f loop.*.prv loop.*.pcf
prvcut cut -q --from 10ms --to 12ms loop.prv
try cut --from 10ms --to 12ms loop.prv
prvcut -q loop.prv
try loop.prv
try ./loop.prv
try --proof loop.prv
try --proof -o ./loop.chop1.prv loop.prv
try --report loop.cut.prv -o other.prv loop.prv
prvcut filter -q --drop states loop.prv
try filter --drop states loop.prv
echo "Standard input that is a file, and a pipe:"
prvcut --iterations 3 - <loop.prv
: >app.prv
cat loop.prv | prvcut structure -
rm app.prv
