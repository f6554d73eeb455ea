# What the system refuses is answered with what works: a file that is called alike, a folder that is
# made, a place that takes files; with nothing where nothing is known.
. "$data/loop.sh"
mkdir a
cp loop.prv "a/my loop.prv"
cp loop.prv app.2.prv
: >app.notes
echo '<config></config>' >filter.xml
try() { prvcut "$@" 2>&1 | sed -n 's/^prvcut: //p'; }
run() { command=$(try "$@" | sed 's/.*; try: //'); echo "$command"; sh -c "$command" >/dev/null 2>&1; echo $?; }
try info lop.prv
try info app
try info 'a/my lopo.prv'
try --iterations 2 --report=x.html lopo.prv
try info nothing.prv
try info no/such.prv
try filter --config fliter.xml -n loop.prv
try --json lop.prv
prvcut --json lop.prv 2>/dev/null | jq -r .text
run info lop.prv
run info 'a/my lopo.prv'
run cut --from 10ms --to 12ms -o 'new folder/deep/cut.prv' loop.prv
run structure -o other/s.json loop.prv
run cut --from 10ms --to 12ms -o a loop.prv
run structure --json -o a/ loop.prv
echo x >bad.xml
run cut --config bad.xml loop.prv
run mark -n --timeline bad.xml loop.prv
# A damaged record can be skipped.
cp loop.prv hurt.prv
echo garbage >>hurt.prv
try -n hurt.prv
run -n hurt.prv
