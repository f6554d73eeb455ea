# A cut of an archive of many files stands in a folder of its own, beside the archive's folder.
needs otf2 || exit 77
. "$data/loop.sh"
mkdir -p runs/run_3
prvcut convert -q loop.prv runs/run_3/traces.otf
cd runs
prvcut -q run_3; echo $?
prvcut cut -q --from 5ms --to 15ms run_3/traces.otf; echo $?
(cd run_3 && prvcut cut -q -f --from 5ms --to 15ms traces.otf); echo $?
prvcut cut -q --from 5ms --to 15ms -o ../mine.otf run_3; echo $?
find . -name '*.otf' | sort
prvcut check --strict run_3.cut
# What exists is replaced only by force, and never with what is no cut's.
prvcut -q run_3; echo $?
prvcut -q -n run_3; echo $?
prvcut -q -f run_3; echo $?
touch run_3.chop1/notes
prvcut -q -f run_3; echo $?
rm run_3.chop1/notes
prvcut -q -f --report run_3.chop1/page.html run_3; echo $?
# A folder that holds an archive's folder and its cuts is the archive.
prvcut info ../runs | head -n 1
ls -A
# With or without --force, a folder that is somebody else's stays.
mkdir theirs && echo mine >theirs/notes
prvcut convert -q ../loop.prv theirs.otf2; echo $?
prvcut convert -q -f ../loop.prv theirs.otf2; echo $?
cat theirs/notes
# A folder that is not there is to be made by itself, where the trace comes through a pipe.
prvcut filter --drop states -o none/x.prv - <../loop.prv; echo $?
