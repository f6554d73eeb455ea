# As Paraver's main window runs it: by a link of that name, in a folder called by any name.
. "$data/loop.sh"
mkdir "it's a tool" bin
ln -s "$(command -v prvcut)" "it's a tool/csv-analysis"
ln -s "$(command -v prvcut)" bin/spectral-csv-analysis
awk 'BEGIN { for (i = 0; i < 20; i++) {
    printf "THREAD 1.1.1\t%d\t%d\t1\nTHREAD 1.1.1\t%d\t%d\t0\n", 4e6 + i * 1e6, 6e5, 46e5 + i * 1e6, 4e5 } }' >t.csv
sizes() { sed -E 's,[0-9.]+ k?B,N B,'; }
mv loop.prv "a b.prv"
"./it's a tool/csv-analysis" "a b.prv" t.csv 3 | sizes
ls
grep -c ':666001:' "a b.iterations.prv"
sed -n 's/^#prvcut [^:]*: //p' "a b.iterations.prv"
echo -- the older name, no iterations
mv "a b.prv" loop.prv
PATH=$PWD/bin:$PATH
spectral-csv-analysis loop.prv t.csv 0 | sizes
prvcut csv-analysis -q loop.prv t.csv 2
echo "exit $?"
echo -- more than there are
prvcut csv-analysis loop.prv t.csv 300 | tail -n 1
echo "exit $?"
echo -- compressed, a second run replaces
gzip -k loop.prv
prvcut csv-analysis -q loop.prv.gz t.csv 1
echo mine >loop.prv.iterations.prv
prvcut csv-analysis -q loop.prv.gz t.csv 1
cmp loop.prv.iterations.prv loop.iterations.prv | sed 's/differ.*/differ/'
sed '/^#prvcut /d' loop.prv.iterations.prv >one
sed '/^#prvcut /d' loop.iterations.prv | cmp - one && echo the same but for the command
echo -- what is of an earlier run goes where this one fails
touch loop.iterations.pcf loop.iterations.row
printf '1\t5\n' >bad.csv
prvcut csv-analysis loop.prv bad.csv 3
echo "exit $?"
ls loop*
prvcut csv-analysis loop.prv bad.csv 3
echo "exit $?"
echo -- without a loop
grep -E '^(#|c|1:[12]:1:[12]:1:0:)' loop.prv >once.prv
printf '1\t0\t4000000\t1\n1\t4000000\t20000000\t2\n' >flat.csv
echo mine >once.iterations.prv
prvcut csv-analysis once.prv flat.csv 3
echo "exit $?"
prvcut csv-analysis -q once.prv flat.csv 3
echo "exit $?"
ls once*
echo -- by the timeline
prvcut csv-analysis once.prv t.csv 3 | sizes
grep -c ':666001:' once.iterations.prv
echo -- another folder
mkdir in.side
cp loop.prv in.side/noname
prvcut csv-analysis -q in.side/noname t.csv 3
ls in.side
echo -- what arrives of the number, where Paraver takes it for a length of a text
prvcut csv-analysis loop.prv t.csv >none
for word in 0 % %d '%dx' x 3.0 ''; do
    prvcut csv-analysis loop.prv t.csv "$word" | cmp - none && echo "'$word' is 0"
done
echo -- in microseconds
awk -F'\t' '{ printf "%s\t%.2f\t%.2f\t%s\n", $1, $2 / 1000, $3 / 1000, $4 }' t.csv >us.csv
prvcut csv-analysis loop.prv us.csv 2>&1 | sizes
echo -- a cut of an earlier run is in nobody\'s way
prvcut -q loop.prv
prvcut csv-analysis loop.prv t.csv 3 | tail -n 1
echo -- as JSON
prvcut csv-analysis --json loop.prv t.csv 3 | grep -A 4 -e '"command"' -e '"typical"'
prvcut csv-analysis --json once.prv flat.csv 3 | grep -e '"typical"' -e '"marks"'
prvcut csv-analysis --json loop.prv missing.csv 3
echo "exit $?"
