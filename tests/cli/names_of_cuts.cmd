# Each cut has the name that says what it is, whichever command makes it, in archives, too; what
# stands there is found before the trace is read.
zstd -dqc "$samples/lu.S.8.prv.zst" >app.prv
cp "$samples/lu.S.8.row" app.row
prvcut -q --iteration 3 app.prv
prvcut -q --iteration 3 --region 2.1 app.prv
prvcut -q --iteration 3 --level 2 app.prv
prvcut -q --region 1.5-1.6 app.prv
prvcut cut -q --iteration 3-4 app.prv
prvcut cut -q --region 1.4 app.prv
prvcut cut -q --region 2.1 --iteration 2-3 app.prv
ls | grep -v row
prvcut -q --region 1.5-1.6 --archive all.tar.zst app.prv
tar --zstd -tf all.tar.zst | grep 'prv'
echo "Who was disturbed, by rank:"
prvcut -v -n -f app.prv | sed -n '/^Disturbed  *Start/,/^$/s/.*[a-z]  *[0-9.]*  *[0-9.]*  *[0-9.]*ms  //p;/^ranks from/p'
# The trace is no longer one: who reads it fails.
sed -i '2,$s/.*/1:x/' app.prv
for options in '--iteration 3' '--region 1.6' '--region 1.5-1.6' 'cut --iteration 3-4' 'cut --region 1.4' '--region 1.4'; do
    # shellcheck disable=SC2086 # several words
    prvcut -q $options app.prv
    echo $?
done
echo "Iterations that are counted from --from are not called by their numbers:"
mkdir from && cd from
. "$data/loop.sh"
prvcut -q --iteration 3 --from 5ms loop.prv
prvcut -q --iteration 3 --to 90% loop.prv
prvcut -q --iteration 3 --from 5ms loop.prv; echo $?
prvcut -q --iteration 3 --from 5ms -o mine loop.prv
ls
echo "Of an archive of many files each has a folder, with the names of the original:"
mkdir run && prvcut convert -q loop.prv run/run.otf 2>/dev/null
cd run
prvcut -q --no-proof run.otf
prvcut -q --no-proof --iteration 3 run.otf
prvcut -q --no-proof --iteration 3-4 run.otf
prvcut -q --no-proof --region 1.1 --outliers 1 run.otf
prvcut cut -q --from 5ms --to 9ms run.otf
ls -d */ | sort
ls run.it3
cd ..
echo "What is cut, filtered and marked is sound, but that the original has no labels:"
prvcut -q --no-proof -f --region 1.1 --outliers 1 loop.prv
prvcut filter -q --drop messages loop.prv
prvcut mark -q loop.prv
prvcut cut -q --from 5ms --to 9ms loop.prv
for f in *.prv run/*.chop1 run/*.cut; do
    case $f in loop.prv) continue ;; esac
    echo "$f: $(prvcut check --strict "$f" | grep -vE '(pcf|row)-missing|sound')"
done
