# What is proposed keeps the words that were typed, and changes no more than what was wrong.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
try() { prvcut "$@" 2>&1 >/dev/null | sed 's/.*[;?] try: //'; }
try cut --region 1.5 --from 1ms loop.prv
try cut --region 1.4,1.5 -n loop.prv
try info --iterations 3 loop.prv
try --iteration 20-21 --iterations 3 loop.prv
try -n --iteration 18-22 loop.prv
try -n --iteration 30-32 loop.prv
try cut --from 1.5 --to 2.5 loop.prv
try -n --report rep.txt loop.prv
try structure --csv -o x.json loop.prv
try filter -n --tasks 1,9 loop.prv
try --no-proof --report a.html loop.prv
try --levl 1 -n loop.prv
try strukture --csv loop.prv
try -n loop.prv --iterations
try -n --iterations loop.prv
try -T 1 structure --depth 1 --region 2.1 --csv loop.prv
try filter --drop messages --min-message 1kB -o 'a b.prv' loop.prv
