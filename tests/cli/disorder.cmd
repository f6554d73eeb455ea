# Lines that are out of order make calls that overlap: no share of time is told then, and what sorts them is.
. "$data/loop.sh"
awk '/^[13]/ { print NR * 7919 % 1009 " " $0; next } /^2/ { print NR * 7919 % 1009 " " $0; next } { print "-1 " $0 }' \
    loop.prv | sort -s -n | cut -d' ' -f2- >mixed.prv
prvcut -n mixed.prv
prvcut profile mixed.prv | grep order
prvcut efficiency mixed.prv | grep -A1 order
# Wait states are found in the order of time, whatever that of the lines is, which is told.
for name in loop mixed; do
    prvcut waits --json -o $name.json $name.prv
    jq -c '[.unsorted, .first_unsorted_line]' $name.json
done
jq 'del(.input, .command, .unsorted, .first_unsorted_line, .unsorted_ns)' loop.json >loop.same
jq 'del(.input, .command, .unsorted, .first_unsorted_line, .unsorted_ns)' mixed.json | diff loop.same - && echo same
prvcut waits mixed.prv | grep 'out of order'
for name in loop mixed; do
    prvcut comm -f --json -o $name.json $name.prv
    jq -c '[.unsorted, .first_unsorted_line]' $name.json
done
prvcut comm mixed.prv | grep 'out of order'
# A collective that has no end lasts nobody knows how long.
awk '/50000002:10/ { last = NR } { line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (i <= last || line[i] !~ /50000002:0/) print line[i] }' \
    loop.prv >endless.prv
prvcut comm loop.prv | grep -A 1 ^Coll
prvcut comm endless.prv | grep -E -A 1 '^(Coll|note)'
prvcut comm --json endless.prv | jq -c '.collectives[0].time_ns'
echo '-- in order again'
prvcut -q convert mixed.prv sorted.prv
for name in loop sorted; do
    prvcut -n $name.prv | grep -E '^(Loop|Sure|Cut|Stands|Time|Efficiency) ' >$name.said
done
diff loop.said sorted.said && echo same
# One line alone is one.
awk 'NR == 40 { held = $0; next } { print } NR == 60 { print held }' loop.prv >one.prv
prvcut -n one.prv | grep Note
echo '-- each line before the one that it follows: no call overlaps another, each ends before it begins'
{ head -n 2 loop.prv; tail -n +3 loop.prv | tac; } >back.prv
prvcut -n back.prv | grep -E '^(Stands|Time|Efficiency|Note)'
prvcut -n back.prv --json | jq -c '.chops[0].proof | .verdict, (.rows | length)' 2>/dev/null
# Lines of one thread after those of the other: most lines are late, and no call is wrong.
{ head -n 2 loop.prv; tail -n +3 loop.prv | sort -s -t: -k4,4n; } >apart.prv
prvcut -n apart.prv | grep -E '^(Stands|Time)' >apart.said
grep -E '^(Stands|Time)' loop.said | diff - apart.said && echo same
