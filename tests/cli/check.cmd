. "$data/loop.sh"
prvcut check loop.prv >/dev/null; echo $?
prvcut check --json loop.prv | grep '"schema"'
sed 's/^2:1:1:1:1:10600000:/2:1:1:9:1:10600000:/' loop.prv >bad.prv
prvcut check bad.prv >/dev/null; echo $?
# Whatever is found is a fault where that is asked for.
prvcut check --strict loop.prv >/dev/null; echo $?
sed 's/^#Paraver (\(.*\))\([^,]*\),[0-9]*$/#Paraver (\1)\2,9/' loop.prv >noted.prv
cp loop.pcf noted.pcf 2>/dev/null
prvcut check noted.prv | head -n 1; echo $?
prvcut check --strict noted.prv | head -n 1
prvcut check -q --strict noted.prv; echo $?
prvcut check --strict --json noted.prv | grep verdict
prvcut --strict loop.prv; echo $?
# What prvcut writes is clean.
prvcut convert -q loop.prv full.prv
prvcut cut -q --from 5ms --to 15ms full.prv
prvcut -q full.prv
for f in full.prv full.cut.prv full.chop1.prv; do prvcut check --strict "$f" | head -n 1; done
# A rank is MPI's, from 0; a thread is Paraver's, from 1.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1),0\n1:2:1:2:1:0:50:1\n1:2:1:2:1:40:90:1\n2:1:1:2:1:60:50000001:0\n' >who.prv
prvcut check -v who.prv | grep -o 'rank.*'
