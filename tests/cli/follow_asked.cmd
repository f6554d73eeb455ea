# What is found early has the iterations that are asked for.
. "$data/long.sh"
for asked in '--iterations 300' '--iteration 500'; do
    prvcut -q --follow --until-found --json -n $asked -o cut.prv - <long.prv |
        grep '"iterations_in_phase"'
done
