# An archive with several cuts: a member is named, and told by its name; a file of that name wins.
. "$data/loop.sh"
mkdir tmp cuts
TMPDIR=$PWD/tmp
export TMPDIR
cp loop.prv cuts/loop.1.1.prv
cp loop.prv 'cuts/loop 2.prv'
tar --zstd -cf cuts.tar.zst cuts
prvcut info cuts.tar.zst; echo $?
prvcut info cuts.tar.zst:loop.3; echo $?
prvcut info loop.prv:loop.3; echo $?
prvcut info cuts.tar.zst:loop.1.1.prv | head -n 1
prvcut info 'cuts.tar.zst:cuts/loop 2' | head -n 1
prvcut check --json cuts.tar.zst:loop.1.1 | grep '"path"'
prvcut cut -q --from 0 --to 500us cuts.tar.zst:loop.1.1; echo $?
grep -o 'CUTTER:[^:]*:[^:]*:[^:]*' loop.1.1.cut.prv
prvcut index cuts.tar.zst:loop.1.1; echo $?
prvcut --archive kept.tar.zst cuts.tar.zst:loop.1.1 | grep 'tar.zst'
# A trace that is damaged inside.
echo 1:x >>cuts/loop.1.1.prv
tar --zstd -cf cuts.tar.zst cuts
prvcut info cuts.tar.zst:loop.1.1; echo $?
cp loop.prv cuts.tar.zst:loop.1.1
prvcut info cuts.tar.zst:loop.1.1 | head -n 1
# Bytes, in whatever letters.
prvcut -q --archive "$(printf '\303\251\377').tar.zst" loop.prv; echo $?
prvcut verify -q "$(printf '\303\251\377').tar.zst"; echo $?
# Cut at its end, an archive is no longer what was written.
for bytes in 1 24 25 26 29; do
    head -c -$bytes kept.tar.zst >short.tar.zst
    prvcut verify -q short.tar.zst 2>/dev/null; echo "$bytes: $?"
done
ls -A tmp
