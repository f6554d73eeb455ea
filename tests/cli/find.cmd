# Where a piece of communication happens again: an iteration, a window, a cut; exactly and nearly; text, CSV, JSON.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
prvcut find --like iteration=3 lu.prv
prvcut find --like iteration=3 --max-distance 0 --csv lu.prv | sed -n '1,4p;$p'
prvcut find --like iteration=3 --max-distance 0 --csv -T 3 lu.prv | cksum; prvcut find --like iteration=3 --max-distance 0 --csv lu.prv | cksum
prvcut find --like iteration=3 --symbols call --json lu.prv | grep -vE '"(program|command)"' | head -n 60
# A window: a part of an iteration says so.
prvcut find --like 40ms..40500us --max-distance 0 lu.prv | head -n 8
prvcut find --like 0s..1ms lu.prv
# A pattern of the table; marks where it is, which stand in the trace on each thread of a match.
prvcut patterns lu.prv | grep -A 5 ^Patterns
prvcut find --like pattern=2 --mark marked.prv lu.prv
grep -c :666001: marked.prv; prvcut check --strict marked.prv | tail -n 1; grep :666001: marked.prv | head -n 3
prvcut find --like pattern=2 --json lu.prv | grep -E '"(pattern|body|symbols)"'
prvcut find --like pattern=2 --symbols all --mark none.prv --in lu.prv lu.prv | head -n 1
# What is found best, as a cut: sound, and found again on all threads.
# What is proposed does so as it stands, from one trace to another, too; then it is there.
prvcut find --like iteration=3 --max-distance 0 lu.prv | tail -n 1
eval "$(prvcut find --like iteration=3 --max-distance 0 lu.prv | sed -n 's/^Next *//p')" | tail -n 3
prvcut find --like iteration=3 --max-distance 0 lu.prv | tail -n 1
prvcut check --strict lu.found.prv | tail -n 1
cp lu.prv 'an other.prv'; cp lu.pcf 'an other.pcf'
eval "$(prvcut find --like iteration=3 --in 'an other.prv' lu.prv | sed -n 's/^Next *//p')" | tail -n 3
prvcut find --like iteration=3 --max-distance 0 --cut best.prv lu.prv | tail -n 6
prvcut check --strict best.prv | tail -n 1; prvcut find --like best.prv --max-distance 0 lu.prv | head -n 1
prvcut find --like pattern=2 --symbols all --cut best.prv lu.prv 2>&1 | tail -n 1
# A cut is found where it was cut from; an iteration of one run in another.
prvcut cut -q --iteration 5 -o piece.prv lu.prv
prvcut find --like piece.prv --max-distance 0 lu.prv | head -n 8
prvcut find --like iteration=3 --in lu.prv --csv lu.prv | head -n 3
prvcut convert -q lu.prv lu.otf2
prvcut find --like iteration=3 --in lu.otf2 lu.prv | head -n 3
