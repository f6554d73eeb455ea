# A missing suffix is appended, a wrong one refused, whatever is written.
. "$data/loop.sh"
try() { prvcut "$@" >/dev/null; echo "$? $*"; }
echo "Appended:"
try -q -o job loop.prv
try cut -q --from 10ms --to 12ms -o cut.1.5 loop.prv
try filter -q --drop states --compress gz -o filtered loop.prv
try mark -q -o marked loop.prv
try convert -q -O paje loop.prv converted
try signal --metric computing -o table loop.prv
try signal --json --metric computing -o table loop.prv
try signal --metric computing --plot drawing loop.prv
try structure -o levels loop.prv
try structure --json -o levels loop.prv
try -q --report page -o other loop.prv
try -q --archive all loop.prv
gzip -c loop.prv >packed.prv.gz
try cut -q --from 10ms --to 12ms -o as-input packed.prv.gz
rm loop.prv packed.prv.gz
ls
rm -f ./*
. "$data/loop.sh"
echo "Chosen by the name:"
try structure -o levels.json loop.prv
head -c 2 levels.json
try structure -o levels.txt.gz loop.prv
try signal --metric computing -o table.json.zst loop.prv
try convert -q loop.prv out.trace
try -q --archive all.tzst loop.prv
rm -f levels* table* out.trace all.tzst
echo "Refused:"
for to in a.zip a.tar.gz a.tar.xz a.tar a.zst a.prv; do try --archive $to loop.prv; done
for to in a.csv a.html a.prv; do try structure -o $to loop.prv; done
try structure --json -o a.txt loop.prv
try structure --tree -o a.json loop.prv
for to in a.txt a.svg a.gz; do try signal --metric computing -o $to loop.prv; done
for to in a.png a.svg.pdf; do try signal --metric computing --plot $to loop.prv; done
for to in a.pdf a.prv a.txt; do try --report $to loop.prv; done
for to in a.gz a.pcf a.txt.gz a.json; do try cut --from 10ms --to 12ms -o $to loop.prv; done
try filter --drop states -o a.row loop.prv
try mark -o a.csv loop.prv
try convert -O paraver loop.prv a.json
try convert -O paje loop.prv a.prv
try -n -o a.zip loop.prv
ls
echo "Taken as they are:"
mkdir folder
try cut --from 10ms --to 12ms -o folder loop.prv
try cut --from 10ms --to 12ms -o folder/ loop.prv
try cut -q --from 10ms --to 12ms -o /dev/null loop.prv
try convert -q -O paraver loop.prv /dev/null
try signal --metric computing -o - loop.prv
ls
