# What is proposed passes with this trace, and keeps what was typed beside the mistake.
. "$data/loop.sh"
prvcut convert -q loop.prv log.otf
mkdir folder
# keeps ARGUMENTS: what is said, and how what is proposed ends
keeps() {
    words=$(prvcut "$@" 2>&1 >/dev/null)
    echo "$? ${words#prvcut: }"
    # With sanitizers, what works is left to the tests of what works.
    [ "$TAKE" != 0 ] || return 0
    sh -c "${words##*try: }" >/dev/null 2>err.words || echo "fails: $? $(cat err.words)"
    rm -rf none no2 loop.*.prv x.* log.chop* log.cut* log.filtered log.iterations out.*
}
keeps cut --from 10 ms --to 20ms loop.prv
keeps cut --to 0.02 s loop.prv
keeps cut --tasks 1- loop.prv
keeps cut --tasks 99 loop.prv
keeps cut --only-threads x.y loop.prv
keeps cut --states foo loop.prv
keeps cut --from 10ms --to 20ms --tasks 1- loop.prv
keeps cut --from 10ms --max-size 1B loop.prv
keeps cut --max-size 1B loop.prv
keeps cut --from 3s -o x.prv loop.prv
keeps cut --from 40% --compress bz2 log.otf
keeps cut --from 10ms --tasks x log.otf
keeps cut --from 10ms --max-size foo log.otf
keeps --compress bz2 log.otf
keeps filter --tasks x log.otf
keeps filter --drop foo log.otf
keeps mark --period x log.otf
keeps index --json=yes log.otf
keeps filter -o x.otf2 loop.prv
keeps filter -o none/x loop.prv
keeps -o none/x.prv --report no2/b.html loop.prv
keeps verify folder
keeps nothing.prv neither.prv
keeps cut lopo.prv
keeps signal --metric busrts loop.prv
keeps --metric bursts,calsl loop.prv
keeps -n --period 12ms loop.prv
keeps -n --period 24ms loop.prv
# Where the trace is none either, both are told.
echo hello >foo.txt
keeps --iterations two nothing.prv
keeps structure --from x foo.txt
keeps cut --from 200% folder
keeps -o none/x.prv foo.txt
keeps csv-analysis --role x loop.prv useful.csv
keeps verify --color red loop.prv
keeps convert --from 10 ms loop.prv out.paje
