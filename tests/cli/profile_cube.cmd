# Reports for CUBE: all of one as text, the members of the archive, the same sums as those of the table, and what is refused.
. "$data/loop.sh"
prvcut profile -o loop.cube loop.prv && sed 's/"prvcut [^"]*"/"prvcut VERSION"/' loop.cube
prvcut profile -o loop.cubex loop.prv && tar tf loop.cubex
# METRIC: its sum.
sum() {
    awk -v wanted="$1" '
        /<metric id/ { split($0, part, "\""); id = part[2] }
        $0 == "<uniq_name>" wanted "</uniq_name>" { metric = id }
        /<matrix/ { split($0, part, "\""); inside = part[2] == metric && metric != "" }
        inside && /^[0-9]/ { total += $1 }
        END { printf "%.0f\n", wanted ~ /^(time|computing|mpi)/ ? total * 1e9 : total }' "$2"
}
# COLUMN of a table of numbers without names: its sum.
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { total += $at } END { printf "%.0f\n", total }'; }
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
archive=$(find . -name eztrace_log.otf2)
for trace in loop.prv lu.prv "$archive"; do
    prvcut profile -f -o sums.cube --from 10% --to 60% "$trace"
    prvcut profile --csv --by thread --from 10% --to 60% "$trace" >threads.csv
    prvcut profile --csv --by call,thread --waiting --from 10% --to 60% "$trace" >calls.csv
    for pair in time=recorded_ns computing=computing_ns mpi=calls_ns messages_sent=sent messages_received=received \
        bytes_sent_point2point=sent_bytes bytes_received_point2point=received_bytes; do
        [ "$(sum "${pair%=*}" sums.cube)" = "$(column "${pair#*=}" <threads.csv)" ] || echo "$trace: $pair differs"
    done
    for pair in visits=entered mpi=ns bytes_sent=sent_bytes; do
        [ "$(sum "${pair%=*}" sums.cube)" = "$(column "${pair#*=}" <calls.csv)" ] || echo "$trace: $pair differs"
    done
    [ $(($(sum mpi_point2point_waiting sums.cube) + $(sum mpi_collective_waiting sums.cube))) = "$(column waiting_ns <calls.csv)" ] ||
        echo "$trace: waiting differs"
    sum messages_sent sums.cube
done
# Of the loop only; there is none.
prvcut profile -f -o loop.cube --iteration 3 loop.prv && sum visits loop.cube
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n2:1:1:1:1:9:77:1\n' >none.prv
prvcut profile -o none.cubex --iteration 3 none.prv
echo $?
prvcut profile -o none.cube none.prv && grep -cE '<(metric|cnode) ' none.cube
# What does not go together.
for words in '-o loop.cubex' '-f -o loop.cubex --by rank' '-f -o loop.cubex --top 3' '-f -o loop.cubex --json' '-o x.cubex.gz'; do
    # shellcheck disable=SC2086 # words are words
    prvcut profile $words loop.prv
    echo $?
done 2>&1
prvcut profile -o pipe.cubex - <loop.prv
echo $?
ls ./*.cube*
