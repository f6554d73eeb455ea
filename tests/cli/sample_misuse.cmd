# What cannot be sampled is refused, with what can.
cp "$samples/counters.csv" counters.csv
. "$data/loop.sh"
awk -F: '/^2/ { print $0 ":42000050:100000:42000059:200000"; next } { print }' loop.prv >counted.prv
printf 'cycles\n1\n' >none.csv
printf 'instructions;cycles\n1;2\n1\n' >bad.csv
for words in '' '--series' '--series nothing.csv' '--series none.csv' '--series bad.csv' '--series counters.csv loop.prv' \
    '--series counters.csv --plan cycles' '--series counters.csv --from 1ms' '--series counters.csv --period 1ms' \
    '--series counters.csv --choose-by misses' '--series counters.csv --clusters 65' '--series counters.csv --length 0%' \
    '--series counters.csv -o counters.csv -f --csv' '--series counters.csv --length 10000% --simpoints app' 'loop.prv' \
    '--from 1ms --iteration 3 loop.prv' '--period 20 counted.prv'; do
    # shellcheck disable=SC2086 # words are words
    prvcut sample $words
    echo $?
done 2>&1
cmp counters.csv "$samples/counters.csv"
prvcut sample --series bad.csv --json 2>/dev/null
# A level that has no loop is no reason to take another one.
prvcut sample --level 3 counted.prv 2>&1
echo $?
