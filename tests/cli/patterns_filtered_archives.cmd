# The same of archives, in their own format. All that the archive has is the original's, but for what goes on across a border; requests are numbered anew.
needs otf2 || exit 77
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst" && mv */ app
sizes() { sed -E 's,[0-9.]+ k?B$,N B,'; }
prvcut patterns --poi --top 1 --filtered few.otf2 app | sizes
prvcut check --strict few.otf2
prvcut patterns few.otf2 | grep -c 'outermost 10 × 4[23] calls'
prvcut convert -q app all.otf2
if command -v otf2-print >/dev/null; then
    for file in all few; do
        otf2-print "$file.otf2" 2>/dev/null | grep -E '^(ENTER|LEAVE|MPI_)' | grep -v Working | sed -E 's/,? *Request: [0-9]+//; s/<[0-9]+>//g' | sort >"$file.events"
    done
    comm -13 all.events few.events | wc -l
    cut -d ' ' -f 1 few.events | grep -cE '^(MPI_SEND|MPI_RECV|MPI_IRECV)$'
else
    printf '0\n1648\n'
fi
# The same bytes for any number of workers.
for workers in 1 2 8; do prvcut patterns -q --poi --filtered "w$workers.otf2" -T $workers app; cat w$workers/*.evt | cksum; done | sort -u | wc -l
# Of a conversion: the filtered Paraver trace, converted.
for end in prv pcf; do zstd -dqc "$samples/lu.S.8.$end.zst" >"lu.$end"; done
cp "$samples/lu.S.8.row" lu.row
prvcut patterns -q --poi --filtered one.prv lu.prv
for format in otf2 otf; do
    prvcut convert -q lu.prv "own.$format"
    prvcut patterns -q --poi --filtered "other.$format" "own.$format"
    prvcut check --strict "other.$format"
    prvcut convert -q one.prv "one.$format"
    for file in one other; do prvcut convert -q -f "$file.$format" back.prv; grep -v '^#' back.prv | cksum; done | sort -u | wc -l
done
prvcut patterns --poi --top 1 -f --filtered other.otf own.otf | grep -A 3 -E "^(Read|Lost)" | sizes
cat one.*.events | cksum >one.sum
cat other.*.events | cksum | cmp - one.sum && echo same
# Each thread by itself: no message is in halves.
prvcut patterns -q --poi --each-thread --filtered each.otf2 own.otf2
prvcut check --strict each.otf2
# Of an archive whose recorder left out the receives, sends have none in what is filtered either; nothing else is noted.
prvcut convert -q lu.prv bare.otf
for file in bare.*.events; do sed -i '/^R/d' "$file"; done
prvcut patterns --poi --top 1 --filtered sends.otf bare.otf | grep -A 2 ^Read
prvcut check --strict bare.otf; prvcut check --strict sends.otf
# What cannot be.
prvcut patterns --poi -q --filtered few.otf2 app; echo $?
prvcut patterns --poi -q --filtered app.prv app; echo $?
prvcut patterns --poi -q -f --filtered own.otf2 own.otf2; echo $?
prvcut patterns --poi -q -f --filtered app/eztrace_log.otf2 app; echo $?
ls app.prv 2>/dev/null
