# Every option that the help of a command lists is accepted by that command, with a value where it takes one: an option
# without a value here is named. Statuses other than 0 are told.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
printf '1.1\t0\t25000000\t1\n' >useful.csv
echo '<config><cutter><by_time>1</by_time><minimum_time>5000000</minimum_time><maximum_time>9000000</maximum_time></cutter>' \
    '<filter><discard_communications>1</discard_communications></filter></config>' >both.xml
awk -F: '/^2/ { print $0 ":42000050:1000:42000059:2000"; next } { print }' loop.prv >counted.prv
prvcut -q --archive all.tar.zst loop.prv
# With an index answers are the same, and quick.
prvcut index -q loop.prv
[ -z "$(needs otf2 && echo yes)" ] || prvcut convert -q loop.prv own.otf2
value() {
    case $1 in
    --iterations | --depth | --levels) echo 2 ;;
    --outliers | --level | --threads) echo 1 ;;
    --iteration) echo 2-3 ;;
    --region | --regions) echo 1.1 ;;
    --metric) echo computing ;;
    --from) echo 5ms ;;
    --to) echo 9ms ;;
    --period) echo 1ms ;;
    --role) echo cycles=42000059 ;;
    --align) echo straight ;;
    --messages) echo keep ;;
    --archive) echo new.tar.zst ;;
    --report) echo page.html ;;
    --output) [ "$2" = convert ] && echo other.paje || echo "out-$2" ;;
    --output-format) echo paje ;;
    --compress) echo gz ;;
    --color) echo never ;;
    --config) echo both.xml ;;
    --states | --drop-states) echo Running ;;
    --min-state) echo 10us ;;
    --events | --drop-events) echo 50000001 ;;
    --min-message) echo 1kB ;;
    --drop) echo messages ;;
    --tasks) echo 1 ;;
    --only-threads) echo 1.1 ;;
    --max-size) echo 20kB ;;
    --timeline) echo useful.csv ;;
    --clocks) echo raw ;;
    --by) [ "$2" = comm ] && echo iteration || echo rank ;;
    --filtered) echo filtered.prv ;;
    --symbols) echo partner ;;
    --tolerant) echo never ;;
    --of) echo mpi ;;
    --top) echo 2 ;;
    --why) echo 3 ;;
    --bins) echo 10 ;;
    --rows) echo 3 ;;
    --time-limit) echo 10s ;;
    --show) echo closing:3 ;;
    --set) echo unusual=4 ;;
    --processes | --from-runs) echo 1,2 ;;
    --fit) echo power ;;
    --clock) echo instructions ;;
    --series) echo "$samples/counters.csv" ;;
    --choose-by | --predict | --plan) echo cycles ;;
    --clusters) echo 3 ;;
    --length) echo 50% ;;
    --simpoints) echo points ;;
    --min-length) echo 3 ;;
    --like) echo iteration=2 ;;
    --max-distance) echo 1 ;;
    --in) echo counted.prv ;;
    --mark) echo "out-$2.prv" ;;
    --cut) echo "cut-$2.prv" ;;
    --matrix) echo "out-$2.tsv" ;;
    --confidence) echo 0.95 ;;
    --plot) echo "out-$2.svg" ;;
    --ideal) echo ideal.prv ;;
    --group) echo x=loop.prv,counted.prv ;;
    --idle) echo 100ms ;;
    --pid) echo 1 ;;
    --spool) echo 16GiB ;;
    *) echo none ;;
    esac
}
# operands COMMAND OPTION
operands() {
    case $1$2 in
    cut--region | cut--iteration | cut--config) echo loop.prv ;;
    # That process does not end.
    *--pid) echo --follow --idle 100ms loop.prv ;;
    *--until-found | *--spool) echo --follow --idle 100ms loop.prv ;;
    *--follow) echo --idle 100ms loop.prv ;;
    *--idle) echo --follow loop.prv ;;
    cut--from) echo --to 9ms loop.prv ;;
    --for-scalasca) echo -o scalasca.otf2 own.otf2 ;;
    cut--for-scalasca) echo --from 5ms -o scalasca.otf2 own.otf2 ;;
    convert--for-scalasca) echo loop.prv scalasca.otf2 ;;
    cut*) echo --from 5ms loop.prv ;;
    filter*) echo --tasks 1-2 loop.prv ;;
    verify*) echo all.tar.zst ;;
    archive--output | archive--version) echo loop.prv ;;
    archive--force) echo -o kept.tar.zst loop.prv ;;
    archive*) echo -f -o kept.tar.zst loop.prv ;;
    csv-analysis*) echo loop.prv useful.csv ;;
    convert--output) echo loop.prv ;;
    convert--region | convert--iteration) echo loop.prv own.sqlite ;;
    convert--archive) echo loop.prv own.paje ;;
    structure--clock) echo --series "$samples/counters.csv" ;;
    signal--clock) echo counted.prv ;;
    convert*) echo loop.prv out.paje ;;
    predict--processes) echo "$samples/epoch.csv" ;;
    predict*) echo --processes 8 "$samples/epoch.csv" ;;
    sample--series | structure--series | signal--series) ;;
    sample*) echo --period 1ms counted.prv ;;
    patterns--each-thread) echo --poi --filtered=each.prv loop.prv ;;
    patterns--raw | patterns--min-length) echo --repeats loop.prv ;;
    patterns--top | patterns--all | patterns--level | patterns--plot | patterns--filtered) echo --poi loop.prv ;;
    efficiency--group) ;;
    efficiency--dry-run) echo --ideal=dry.prv loop.prv ;;
    sql*) echo loop.prv 'values(1)' ;;
    find--like) echo loop.prv ;;
    find*) echo --like iteration=2 loop.prv ;;
    formats*) ;;
    help*) echo files ;;
    *) echo loop.prv ;;
    esac
}
tried=0
left=0
# What the parser alone does is the same in every command: with sanitizers it is tried in one, all else in two.
again() {
    [ "$TAKE" = 0 ] || return 1
    case $1 in
    --quiet | --progress | --no-progress | --color | --help | --usage | --version | --threads | --force) enough=1 ;;
    *) enough=2 ;;
    esac
    [ "$(grep -cxF -- "$1" before)" -lt $enough ] || return 0
    echo "$1" >>before
    return 1
}
: >before
for command in '' structure cut filter info profile efficiency predict sample patterns comm find waits sql view check verify archive index mark csv-analysis signal convert formats help; do
    prvcut $command --help | grep -oE '^(  -[A-Za-z],|     ) --[a-z-]+( [^ ]|=)?' >listed
    while read -r words; do
        option=--${words#*--}
        case $option in
        *' '*) option=${option% *} argument="=$(value "${option}" "$command")" ;;
        *) option=${option%=} argument= ;;
        esac
        [ "$argument" != =none ] || echo "no value for $option of '$command'"
        # Of archives, which are built in or not.
        [ "$option" != --for-scalasca ] || needs otf2 || {
            left=$((left + 1))
            continue
        }
        if again "$option"; then
            left=$((left + 1))
            continue
        fi
        force=
        case $command in '' | cut | filter | index | mark | convert) force=-f ;; esac
        # shellcheck disable=SC2046 # several words
        prvcut $command "$option$argument" $force $(operands "$command" "$option") >said 2>&1 </dev/null
        status=$?
        [ "$status" = 0 ] || echo "$status ${command:-job} $option$argument: $(tail -n 1 said)"
        tried=$((tried + 1))
    done <listed
done
[ $((tried + left)) -gt 250 ] || echo "only $tried options were tried"
