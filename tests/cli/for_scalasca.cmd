# Archives that Scalasca's analyser opens: what is in them by otf2-print, what is added where it is asked for, and
# that what is added is nothing that comes back.
needs otf2 || exit 77
command -v otf2-print >/dev/null || exit 77
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
ezt=$(find . -name eztrace_log.otf2)
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
# What the analyser asks of an archive.
asked() {
    otf2-print -G "$1" >definitions 2>/dev/null
    otf2-print "$1" >events 2>/dev/null
    echo "$1: ranks $(grep -c '^LOCATION_GROUP .*PROCESS' definitions)," \
        "begin MPI $(grep -cE '^ENTER .*"MPI_Init"' events), end it $(grep -cE '^ENTER .*"MPI_Finalize"' events)"
    grep '^REGION .*Paradigm: "MPI"' definitions | grep -v 'File: "MPI"'
    grep -E '^(GROUP|COMM) ' definitions | awk '{ print $1 }' | uniq | head -3 | paste -sd ' '
    grep '^GROUP .*COMM_LOCATIONS' definitions | grep -o 'Members:.*' | grep -o '<[0-9]*>' | paste -sd ' '
    grep '^MPI_COLLECTIVE_END .*Operation: \(BCAST\|REDUCE\|GATHER\|SCATTER\)' events | grep -c 'Root: NONE'
    awk '/^MPI_IRECV_REQUEST/ { asked[$2 $NF]++ } /^MPI_IRECV / { came[$2 $NF]++ }
        END { for (id in came) if (asked[id] != 1 || came[id] != 1) bad++; for (id in asked) n++; print n + 0, "posts,", bad + 0, "without their receive" }' events
    awk '$1 == "ENTER" { depth[$2]++ } $1 == "LEAVE" { depth[$2]-- } END { for (i in depth) if (depth[i]) print i, "is not left" }' events
}
# The first and the last region of each rank, inside the one around all of it.
bounds() { grep -E '^(ENTER|LEAVE) ' events | grep -vE '"(added|cut)"' | awk '{ region = $5; if (!($2 in first)) first[$2] = region; last[$2] = region } END { for (i in first) print i, first[i], last[i] }' | sort -n; }
# Extrae records all calls that are needed; only a region around all of each rank is added.
prvcut convert lu.prv lu.otf2 | grep -A 2 Notes
asked lu.otf2
prvcut convert -q --for-scalasca lu.prv same.otf2
otf2-print same.otf2 >with
grep -vE '^(ENTER|LEAVE) .*"same"|IMPLICIT' with | grep -E '^[A-Z]' | sed 's/<[0-9]*>//g' >with.plain
grep -vE IMPLICIT events | grep -E '^[A-Z]' | sed 's/<[0-9]*>//g' | cmp - with.plain && echo 'else the same events'
grep -cE '^(ENTER|LEAVE) .*"same"' with
# EZTrace does not: the report says so, or they are added.
prvcut convert "$ezt" plain.otf2 | grep -A 2 Notes
asked plain.otf2
prvcut convert --for-scalasca "$ezt" added.otf2 | grep -A 2 Notes
asked added.otf2
bounds
prvcut check --strict added.otf2
prvcut convert -q "$ezt" ezt.prv
for archive in plain added; do
    prvcut convert -q $archive.otf2 $archive.prv
    grep -v '^#' $archive.prv >records
    grep -v '^#' ezt.prv | cmp - records && echo "$archive.otf2: the same records come back"
done
# Cuts of archives: by time, by name, of the main job, filtered.
for archive in lu.otf2 "$ezt"; do
    prvcut cut --for-scalasca -f --from 40% --to 60% -o cut.otf2 "$archive" 2>/dev/null | grep -E 'Kept|Notes'
    asked cut.otf2
    bounds
    prvcut check --strict cut.otf2
    prvcut cut -q --for-scalasca -f --iteration 5-6 -o cut.otf2 "$archive"
    asked cut.otf2
    prvcut -q --for-scalasca -f -o cut.otf2 "$archive"
    asked cut.otf2
    prvcut check --strict cut.otf2
    # What a dry run tells is what comes.
    prvcut cut -n --for-scalasca -f --from 40% --to 60% -o other.otf2 "$archive" 2>/dev/null | grep Kept
done
prvcut cut -q --for-scalasca -f --from 40% --to 60% --drop messages -o cut.otf2 lu.otf2
asked cut.otf2 | head -1
prvcut info cut.otf2 | grep -i messages
# What waits for an end that never comes is left out.
prvcut cut -q --from 28ms --to 30ms --messages keep -o half.otf2 "$ezt"
ends() { otf2-print "$1" 2>/dev/null | awk '/^MPI_I?SEND / { sends++ } /^MPI_I?RECV / { receives++ } END { print sends + 0, receives + 0 }'; }
ends half.otf2
prvcut convert --for-scalasca half.otf2 whole.otf2 | grep -A 1 Lost
ends whole.otf2
# Each process by itself is a communicator without members, as Score-P has it.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1),2\nc:1:1:2:1:2\nc:1:2:0\n2:1:1:1:1:10:50000001:1\n2:1:1:1:1:20:50000001:0\n' >self.prv
prvcut convert -q self.prv self.otf2
otf2-print -G self.otf2 | grep -E '^(GROUP|COMM) ' | sed 's/  */ /g; s/<[0-9]*>//g'
# A rank that makes no call of MPI, and one that has no record at all.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(3):1:3(1:1,1:1,1:1),0\n1:1:1:1:1:0:90:1\n2:1:1:1:1:10:50000001:1\n2:1:1:1:1:20:50000001:0\n1:2:1:2:1:5:90:1\n' >few.prv
prvcut convert -q --for-scalasca few.prv few.otf2
asked few.otf2
grep -E '^(ENTER|LEAVE)' events | awk '{ print $2, $3, $1, $5 }' | sort -n
grep -v '^#' few.prv | sort >records
prvcut convert -q few.otf2 back.prv && grep -v '^#' back.prv | sort | cmp - records && echo 'few.otf2: the same records come back'
# Tracing that is off to the end, twice, or from the start is a region that ends.
printf '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:2(1:1,1:1),0\n2:1:1:1:1:10:40000012:0\n2:1:1:1:1:20:40000012:0\n2:2:1:2:1:30:40000012:1\n2:1:1:1:1:40:50000001:1\n2:1:1:1:1:50:50000001:0\n' >off.prv
prvcut convert -q --for-scalasca off.prv off.otf2
otf2-print off.otf2 | awk '/^MEASUREMENT/ { print $2, $3, $NF }' | sort -n
grep -v '^#' off.prv | sort >records
prvcut convert -q -f off.otf2 back.prv && grep -v '^#' back.prv | sort | cmp - records && echo 'off.otf2: the same records come back'
# What it is not for.
prvcut convert --for-scalasca lu.prv out.paje
echo $?
prvcut cut --for-scalasca --from 40% --to 60% lu.prv
echo $?
prvcut cut --for-scalasca --keep-time --from 40% --to 60% lu.otf2
echo $?
ls -A | sort
