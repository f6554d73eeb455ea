# A cut has its trace's format, whatever it is called: names of other formats are refused.
. "$data/loop.sh"
try() { prvcut "$@" >/dev/null; echo $?; }
for to in out.otf2 out.otf out.paje out.trace.gz out.json.zst out.html out.csv out.svg; do try -o $to loop.prv; done
try cut --from 10ms --to 12ms -o d/out.otf2 loop.prv
try filter --drop states -o out.otf2 loop.prv
try cut -q --from 10ms --to 12ms -o out.txt loop.prv
try cut -q --from 10ms --to 12ms -o out.otf2.prv.gz loop.prv
try convert -q loop.prv log.otf
try cut --from 10ms --to 12ms -o cut.prv log.otf
try cut -q --from 10ms --to 12ms -o cut.otf log.otf
for to in s.png s.pdf s.jpg s.csv; do try signal --metric computing --plot $to loop.prv; done 2>&1 | grep -v 'Usage\|--help'
try signal --metric computing --plot s.txt loop.prv
ls | grep -v '^log\.\|^cut\.[0-9]'
