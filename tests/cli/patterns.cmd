# What threads repeat: nests of classes of threads, patterns, points of interest; as text, CSV and JSON.
. "$data/loop.sh"
prvcut patterns loop.prv
prvcut patterns --poi loop.prv
prvcut patterns --csv --symbols partner loop.prv
prvcut patterns --json --tasks 1 loop.prv | grep -vE '"(program|command)"'
for end in prv pcf; do zstd -dqc "$samples/lu.S.8.$end.zst" >"lu.$end"; done
cp "$samples/lu.S.8.row" lu.row
prvcut patterns lu.prv
prvcut patterns --poi --top 3 lu.prv
prvcut patterns --poi --csv lu.prv
prvcut patterns --poi --level 2 --top 2 lu.prv
prvcut patterns --symbols call --from 100ms --to 200ms --csv lu.prv | cut -d, -f1-5
prvcut patterns --tolerant always lu.prv | head -12
prvcut patterns --poi --plot lengths -q lu.prv && grep -c "<rect" lengths.svg && grep -oE ">[^<]* × [0-9]+<" lengths.svg
# Any number of workers tells the same.
for workers in 1 2 8; do prvcut patterns --poi --json -T $workers lu.prv | grep -v '"command"' | cksum; done | sort -u | wc -l
for workers in 1 2 8; do prvcut patterns --json -T $workers lu.prv | grep -v '"command"' | cksum; done | sort -u | wc -l
# Where no two iterations need be alike, they are those of the structure.
. "$data/steps.sh"
prvcut patterns steps.prv | head -12
prvcut patterns --poi --top 2 steps.prv
prvcut patterns --tolerant never steps.prv | sed -n 1,3p
prvcut find --like pattern=1 steps.prv | head -2
for workers in 1 2 8; do prvcut patterns --json -T $workers steps.prv | grep -v '"command"' | cksum; done | sort -u | wc -l
# Without calls nothing repeats.
grep -v '^2:' loop.prv >none.prv
prvcut patterns none.prv; echo $?
prvcut patterns --poi none.prv; echo $?
prvcut patterns --json --poi none.prv | grep -E '"(outermost|points|iterations)"'
prvcut patterns --poi --plot none -q none.prv && grep -o '>[^<]*no calls' none.svg
# What cannot be.
prvcut patterns --top 3 loop.prv; echo $?
prvcut patterns --symbols calls loop.prv; echo $?
prvcut patterns --of mpi,cuda loop.prv; echo $?
prvcut patterns --from 20ms --to 10ms loop.prv; echo $?
prvcut patterns - <loop.prv; echo $?
