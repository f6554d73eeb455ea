# Inputs that are empty, damaged, cut short or no trace at all: status 3, and a command that works. --lenient is
# proposed where it helps, and only there.
needs otf2 || exit 77
. "$data/loop.sh"
try() {
    words=$(prvcut "$@" 2>&1 >/dev/null)
    echo "$? ${words#prvcut: }"
    [ "$TAKE" != 0 ] || return 0
    # The exit status of check is its answer.
    sh -c "${words##*try: }" >/dev/null 2>err.words || case $words in *'prvcut check'*) ;; *) echo "fails: $(cat err.words)" ;; esac
}
: >empty.prv
head -c 20 loop.prv >head.prv
head -c 5000 loop.prv >short.prv
sed '100s/.*/9:9/' loop.prv >wrong.prv
gzip -nc loop.prv | head -c 300 >short.prv.gz
printf 'hello\n' >text.prv
for trace in empty.prv head.prv short.prv wrong.prv short.prv.gz text.prv; do
    try info "$trace"
    try convert -q -f "$trace" out.paje
done
# OTF: the last line of a stream is cut short, and a stream is missing.
mkdir otf
prvcut convert -q loop.prv otf/log.otf
head -c 300 otf/log.1.events >part
cp part otf/log.1.events
try info otf/log.otf
try -q -o small otf/log.otf
rm otf/log.1.events
try info otf/log.otf
# OTF2: the events of a location are cut short, then missing; nothing helps without the anchor.
prvcut convert -q loop.prv log.otf2
evt=$(find log -name '*.evt' | sort | head -n 1)
head -c $(($(wc -c <"$evt") / 2)) "$evt" >part
cp part "$evt"
prvcut info log.otf2 2>&1 >/dev/null | sed 's/.*; try: //'
try structure log.otf2 | sed 's/.*; try: //'
# Also what takes many lines to say is said without -v.
mkdir -p a/folder/whose/name/is/so/long/that/the/damage/takes/more/lines/than/the/rest/of/all/of/it
cp -r log log.def log.otf2 a/folder/whose/name/is/so/long/that/the/damage/takes/more/lines/than/the/rest/of/all/of/it
prvcut check a/folder/whose/name/is/so/long/that/the/damage/takes/more/lines/than/the/rest/of/all/of/it/log.otf2 |
    grep -c '^  damage '
rm "$evt"
try info log.otf2
head -c 20 log.otf2 >part
cp part log.otf2
try info log.otf2
