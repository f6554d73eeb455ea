# What cannot be predicted is refused, with what can.
cp "$samples/epoch.csv" epoch.csv
. "$data/loop.sh"
for words in 'epoch.csv' '--processes' '--processes 0 epoch.csv' '--processes 8, epoch.csv' '--processes 8' '--processes 8 nothing.csv' \
    '--processes 8 loop.prv' '--processes 8 --fit cubic epoch.csv' '--processes 8 --confidence 1 epoch.csv' \
    '--processes 8 --confidence 80 epoch.csv' '--processes 8 --from-runs 3 epoch.csv' '--processes 8 --from-runs 2 epoch.csv' \
    '--processes 8 --csv --json epoch.csv' '--processes 8 --plot - --csv epoch.csv' '--processes 8 --plot x.png epoch.csv' \
    '--processes 8 -o epoch.csv -f --csv epoch.csv' '--processes 8 --to 16 epoch.csv'; do
    # shellcheck disable=SC2086 # words are words
    prvcut predict $words
    echo $?
done 2>&1
cmp epoch.csv "$samples/epoch.csv"
echo kept >there.svg
prvcut predict --processes 8 --plot there.svg epoch.csv 2>&1
echo $?
cat there.svg
printf 'Number of processes;1;2\nLoad balance;100;1O0\n' >bad.csv
prvcut predict --processes 8 --json bad.csv 2>&1
echo $?
