# No output takes the place of a file that it is made from, through whatever name, whatever --force says.
. "$data/loop.sh"
printf 'EVENT_TYPE\n0 7 Mine\n' >loop.pcf
printf 'LEVEL CPU SIZE 1\n1\n' >loop.row
prvcut index -q loop.prv
mkdir links
ln -s ../loop.prv links/soft.prv
ln loop.prv links/hard.prv
ln -s ../loop.pcf links/soft.pcf
ln -s ../loop.prvx links/soft.prvx
for f in loop.*; do cksum "$f"; done >before
try() { prvcut "$@" >/dev/null; echo "$? $*"; }
for to in loop.prv ./loop.prv loop.pcf loop.row loop.prvx links/soft.prv links/hard.prv links/soft.pcf links/soft.prvx; do
    try -f -o $to loop.prv
    try cut -f --from 10ms --to 12ms -o $to loop.prv
    try filter -f --drop states -o $to loop.prv
    try mark -f -o $to loop.prv
    try -f --archive $to loop.prv
    try -f --report $to loop.prv
    try structure -f -o $to loop.prv
    try signal -f --metric computing -o $to loop.prv
    try signal -f --metric computing --plot $to loop.prv
    try convert -f -O paraver loop.prv $to
done 2>err
sort err | uniq -c | sed 's/^ *//' >&2
echo "Without --force, in a dry run, by another name of the trace, and from standard input:"
try -o loop.prv loop.prv
try -n -o loop.prv loop.prv
try -f -o loop.prv links/hard.prv
try filter -f --drop states -o loop.prv - <loop.prv
ln loop.prv loop.iterations.prv
try csv-analysis loop.prv none.csv 2
rm loop.iterations.prv
echo "Companions of an output that has another name:"
mkdir out
ln -s ../loop.pcf out/cut.pcf
for command in "" "cut --from 10ms --to 12ms" "filter --drop states"; do
    try $command -f -o out/cut.prv loop.prv
done
ls out
echo "Names that are made of the trace's own:"
ln loop.prv loop.chop1.prv
ln loop.prv loop.cut.prv
ln loop.row loop.filtered.row
try -f loop.prv
try cut -f --from 10ms --to 12ms loop.prv
try filter -f --drop states loop.prv
rm loop.chop1.prv loop.cut.prv loop.filtered.row
echo "Parts of an archive (OTF):"
prvcut convert -q loop.prv log.otf
cat log.* | cksum >log
for to in log.otf log.0.def log.1.events; do
    try -f -o $to log.otf
    try signal -f --metric computing --plot $to log.otf
done
cat log.* | cksum | cmp - log
echo "An archive that is the input:"
prvcut -q --archive small.tar.zst loop.prv
cksum small.tar.zst >packed
try -f --archive small.tar.zst small.tar.zst
try cut -f --from 0 --to 100us -o small.tar.zst small.tar.zst
cksum small.tar.zst | cmp - packed
for f in loop.*; do cksum "$f"; done | diff - before && echo "all as it was"
prvcut index -q --force loop.prv; echo $?
