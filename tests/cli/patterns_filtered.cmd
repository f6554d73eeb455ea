# A trace without the iterations that are like others: sound, with nothing that was not there, and whole messages.
for end in prv pcf; do zstd -dqc "$samples/lu.S.8.$end.zst" >"lu.$end"; done
cp "$samples/lu.S.8.row" lu.row
prvcut patterns --poi --top 1 --filtered few.prv lu.prv | grep -vE '^(Size|Command)'
prvcut check --strict few.prv
prvcut patterns few.prv | grep outermost
# Messages, and calls as they begin, are the original's.
begins() { awk -F: '$1 == 2 { for (i = 7; i < NF; i += 2) if ($i ~ /^5000000[1-3]$/ && $(i + 1)) print $2, $6, $i, $(i + 1) }' "$1" | sort; }
for file in lu few; do
    grep '^3:' "$file.prv" | sort >"$file.messages"
    begins "$file.prv" >"$file.calls"
done
comm -13 lu.messages few.messages | wc -l
comm -13 lu.calls few.calls | wc -l
# Each message that was sent in a call that is kept is received in one: as many sends as messages.
grep -cE ' 50000001 (1|3)$' few.calls
wc -l <few.messages
# No time is in two states, nor in a hole in one.
awk -F: '$1 == 1 { if ($6 < last[$2]) bad++; last[$2] = $7; all += $7 - $6 } END { print bad + 0, (all > 0) }' few.prv
# The same bytes for any number of workers.
for workers in 1 2 8; do prvcut patterns -q --poi --filtered "w$workers.prv" -T $workers lu.prv; grep -v '^#' "w$workers.prv" | cksum; done | sort -u | wc -l
# Each thread by itself keeps less; no message is in halves.
prvcut patterns --poi -q --filtered each.prv --each-thread lu.prv && prvcut check --strict each.prv
begins each.prv >each.calls && comm -13 few.calls each.calls | wc -l
grep '^3:' each.prv | sort | comm -13 few.messages - | wc -l
# What cannot be.
prvcut patterns --poi --each-thread lu.prv; echo $?
prvcut patterns --filtered other.prv lu.prv; echo $?
prvcut patterns --poi --filtered lu.prv lu.prv; echo $?
prvcut patterns --poi -q --filtered few.prv lu.prv; echo $?
prvcut patterns --poi -q --filtered few.otf2 lu.prv; echo $?
ls other.prv few.otf2 2>&1 | wc -l
