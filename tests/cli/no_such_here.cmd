# Options that many commands share: one that cannot have them says why, and what does it; a dry run is never answered
# with a run.
. "$data/loop.sh"
printf '1.1\t0\t25000000\t1\n' >useful.csv
prvcut -q --archive all.tar.zst loop.prv
try() {
    prvcut "$@" 2>words >/dev/null && echo "accepted: $*"
    sed 's/^prvcut: //' words
    case $(cat words) in *' -n '*': it writes'* | *csv*) sh -c "$(sed 's/.*try: //' words)" >/dev/null || echo fails ;; esac
}
try --csv loop.prv
try --csv --iterations 3 -o rows.csv loop.prv
for words in 'convert -n loop.prv x.otf' 'cut -n --from 5ms loop.prv' 'filter -n --drop states loop.prv' 'mark -n loop.prv' \
    'index -n loop.prv' 'csv-analysis loop.prv useful.csv'; do
    try $words --csv
    rm -f loop.iterations.*
done
for words in 'signal loop.prv' 'signal --plot x.svg loop.prv' 'structure loop.prv' 'info loop.prv' 'check loop.prv' 'verify all.tar.zst' \
    formats 'csv-analysis loop.prv useful.csv'; do
    try $words -n
done
ls
