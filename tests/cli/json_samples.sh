#!/bin/sh
# Every JSON there is, a file each, in the current folder: sh json_samples.sh PRVCUT DATA SAMPLES
# loop.prv and the samples are made here; prints nothing.
set -eu
prvcut=$1 data=$2 samples=$3
# Pages go there.
XDG_CACHE_HOME=$PWD/cache
export data XDG_CACHE_HOME

keep() {
    name=$1
    shift
    "$prvcut" "$@" --json >"$name.json" 2>/dev/null || [ -s "$name.json" ]
}

. "$data/loop.sh"
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
cp "$samples/lu.S.8.row" lu.row
tar -xf "$samples/lu.S.4-eztrace.tar.zst"
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:x:1\n' >bad.prv
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:9:1\n' >none.prv
otf2=$(find . -name '*.otf2' | head -n 1)

keep job loop.prv
keep job-lu -n --proof --outliers 2 lu.prv
keep job-otf2 -n "$otf2"
keep job-level -n --level all --region all lu.prv
keep job-iteration -n --iteration 20-24 lu.prv
keep job-period -n --period 1ms loop.prv
keep job-period-lu -n --period 9.4ms lu.prv
keep job-none -n none.prv
keep job-page --report page.html -o paged.prv loop.prv
keep job-archive --archive kept.tar.zst loop.prv
keep structure structure loop.prv
keep structure-lu structure lu.prv
keep structure-iteration structure --iteration 2-3 loop.prv
keep structure-period structure --period 9.4ms lu.prv
keep structure-none structure none.prv
keep cut cut --from 40% --to 60% loop.prv
keep cut-otf2 cut -n --from 40% --to 60% "$otf2"
keep filter filter --drop messages loop.prv
keep info info loop.prv
keep info-lu info lu.prv
keep info-otf2 info "$otf2"
keep check check loop.prv
keep check-bad check bad.prv
keep check-otf2 check "$otf2"
keep verify verify kept.tar.zst
keep archive archive -o both.tar.zst loop.prv lu.prv
keep index index loop.prv
keep mark mark loop.prv
keep mark-lu mark lu.prv
keep mark-period mark -f --period 9.4ms lu.prv
keep mark-none mark none.prv
printf '1\t0\t4000000\t1\n1\t4000000\t20000000\t2\n' >flat.csv
awk 'BEGIN { for (i = 0; i < 20; i++)
    printf "1\t%d\t600000\t1\n1\t%d\t400000\t0\n", 4e6 + i * 1e6, 46e5 + i * 1e6 }' >useful.csv
keep csv csv-analysis loop.prv useful.csv 3
keep csv-none csv-analysis none.prv flat.csv 3
keep profile profile loop.prv
keep profile-lu profile --by rank lu.prv
keep profile-call-rank profile --by call,rank --top 5 lu.prv
keep profile-iteration profile --by iteration --top 5 lu.prv
keep profile-region profile --by call,region loop.prv
keep profile-function profile --by function lu.prv
keep profile-function-call profile --by function,call lu.prv
keep profile-line profile --by line lu.prv
keep profile-waiting profile --waiting lu.prv
keep profile-peer profile --by peer lu.prv
keep profile-communicator profile --by communicator,call,rank --top 3 lu.prv
keep profile-otf2-function profile --by function,rank "$otf2"
keep profile-state profile --by state lu.prv
keep profile-otf2 profile --by thread "$otf2"
keep profile-none profile --by rank none.prv
{
    echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(2):1:2(1:1,1:1),0'
    printf '1:%s:1:%s:1:0:1000:1\n' 1 1 2 2
    echo '2:1:1:1:1:500:42000050:0'
} >counters.prv
keep profile-counters profile --by rank counters.prv
keep profile-why profile --why outliers lu.prv
keep profile-why-iteration profile --why 3-4 loop.prv
keep profile-why-none profile --why outliers none.prv
. "$data/slow.sh"
keep diff diff --fail-above 5% loop.prv slow.prv
keep diff-same diff lu.prv lu.prv
keep diff-otf2 diff lu.prv "$otf2"
keep diff-whole diff none.prv loop.prv
keep diff-level diff --level 7 loop.prv slow.prv
keep predict-traces predict --processes 16 lu.prv loop.prv
keep predict predict --processes 8,16 "$samples/epoch.csv"
keep predict-two predict --processes 4,1024 --fit linear --from-runs 1,2 "$samples/epoch.csv"
keep predict-wide predict --processes 1024 --fit linear --confidence 0.95 "$samples/epoch.csv"
keep efficiency efficiency lu.prv
keep efficiency-rank efficiency --per-rank --form additive loop.prv lu.prv
keep efficiency-iteration efficiency --by iteration lu.prv
keep efficiency-region efficiency --by region loop.prv
keep efficiency-otf2 efficiency --per-rank "$otf2"
keep efficiency-group efficiency --group x=loop.prv,lu.prv --group y=lu.prv
keep efficiency-groups efficiency --group x=loop.prv,lu.prv --group y=loop.prv,lu.prv
keep efficiency-none efficiency none.prv
keep efficiency-none-rank efficiency --per-rank none.prv
keep comm comm lu.prv
keep comm-region comm --by region lu.prv
keep comm-otf2 comm "$otf2"
keep comm-none comm none.prv
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:1(4):1:4(1:1,1:1,1:1,1:1),3'
    printf 'c:1:1:4:1:2:3:4\nc:1:2:2:1:2\nc:1:3:2:3:4\n'
    for rank in 1 2 3 4; do
        echo "2:$rank:1:$rank:1:10:50000002:11:50100001:8:50100002:8:50100004:$((rank / 3 + 2))"
    done
    for rank in 1 2 3 4; do echo "2:$rank:1:$rank:1:20:50000002:0"; done
} >groups.prv
keep comm-groups comm groups.prv
keep sample sample --series "$samples/counters.csv"
keep sample-long sample --series "$samples/counters.csv" --length 10000%
{ head -n 1 "$samples/counters.csv"; tail -n +2 "$samples/counters.csv" |
    awk '{ x = (x * 1103 + 12345) % 65536; print x ";" $0 }' | sort -n | cut -d';' -f2-; } >mixed.csv
keep find find --like iteration=3 lu.prv
keep find-window find --like 40%..41% --max-distance 0 lu.prv
keep patterns patterns loop.prv
keep patterns-repeats patterns --repeats lu.prv
keep patterns-lu patterns --poi lu.prv
. "$data/steps.sh"
keep patterns-steps patterns steps.prv
keep patterns-tolerant patterns --tolerant always lu.prv
keep patterns-all patterns --poi --all --level 2 lu.prv
keep sample-uncounted sample loop.prv
keep sample-none sample --series mixed.csv
awk -F: 'NR == 1 { print; next } /^2/ { print $0 ":42000050:" 1000 + NR % 7 ":42000059:" 2000 + NR % 5; next } { print }' loop.prv >counted.prv
keep sample-trace sample --plan 'cycles;nothing' counted.prv
keep waits waits lu.prv
keep waits-causes waits --causes --critical-path lu.prv
keep waits-iteration waits --by iteration lu.prv
keep waits-otf2 waits "$otf2"
keep waits-none waits none.prv
keep signal signal --bins 3 --metric bursts,ipc loop.prv
keep convert convert loop.prv a.otf2
keep losses convert -n loop.prv a.paje
keep database convert lu.prv a.sqlite
keep query sql lu.prv "SELECT * FROM time_by_call"
keep view view loop.prv
keep formats formats
keep metrics help metrics
keep parameters help parameters
keep files help files
keep help help cut
keep version --version
keep failure info bad.prv
keep failure-exists cut --from 40% --to 60% loop.prv
keep failure-usage --iterations two loop.prv
tar --zstd -xOf kept.tar.zst --wildcards '*/about.json' >archive.json
tar --zstd -xOf kept.tar.zst --wildcards '*/report.json' >archive-report.json
