# With --from, iterations are counted from there, and the text says so; where nothing repeats there, what goes
# on stays there.
. "$data/loop.sh"
prvcut -n --no-proof --iteration 3 --from 5ms loop.prv | grep -e Cut -e Next
prvcut -n --no-proof --iteration 3 --to 20ms loop.prv | grep Cut
prvcut structure --from 5ms loop.prv | head -n 2
prvcut structure --to 20ms loop.prv | head -n 1
prvcut structure --from 98% loop.prv
next=$(prvcut structure --from 98% loop.prv | sed -n 's/^Next *//p')
sh -c "$next" | head -n 1
prvcut structure --csv --from '24.5 ms' loop.prv 2>&1 >/dev/null
prvcut structure --csv --from '24.5 ms' loop.prv 2>&1 >/dev/null | sed 's/.*try: //; s/$/ -f/' | sh -s | head -n 1
echo "In all tables of iterations and regions, in which --iteration counts from there, too:"
for command in efficiency profile waits comm; do
    for rows in '--by iteration' '--iteration 3' '--by iteration --iteration 3-4'; do
        prvcut $command $rows --from 5ms loop.prv | grep counted
    done
    prvcut $command --by iteration loop.prv | grep counted
done
prvcut patterns --poi --from 5ms loop.prv | grep counted
prvcut profile --why 3 --from 5ms loop.prv
prvcut efficiency --iteration 3 --from 5ms --csv loop.prv >windowed.csv
prvcut efficiency --iteration 4 --csv loop.prv | cmp - windowed.csv
prvcut signal --csv --iteration 3 --from 5ms loop.prv | head -n 2
prvcut signal --csv --iteration 4 loop.prv | head -n 2
