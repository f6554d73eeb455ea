# A message crosses the border: nothing is written.
. "$data/loop.sh"
prvcut convert --strict --to 10.65ms loop.prv part.prv
echo $?
ls
# Thousands are set apart, as everywhere.
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):9000_ns:1(2):1:2(1:1,1:1),0"
    for (i = 1; i <= 1200; i++)
        printf "3:1:1:1:1:%d:%d:2:1:2:1:8000:8000:10:5\n", i, i
}' >many.prv
prvcut convert --strict --to 50% many.prv part.prv
prvcut -n --period 1 loop.prv
