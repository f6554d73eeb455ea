# A region's name means what 'structure' prints, however many iterations a cut shall hold.
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"app.$suffix"; done
cp "$samples/lu.S.8.row" app.row
prvcut structure --csv app.prv | awk -F, '$2 == "1.4" { print $1 }' | paste -sd ' ' -
cut_of() {
    prvcut -n --json "$@" app.prv 2>/dev/null | jq -r 'if .chops then .chops[] |
        "\(.region), iterations \(.first_iteration)-\(.last_iteration) for \(.stands_for)"
        else "status \(.status): \(.text)" end'
}
for n in 1 3 4; do cut_of --region 1.4 --iterations $n; done
# An index knows all of that, too.
prvcut -q index app.prv
# Too few in a region: the longest of the others, or disturbed ones, too, where none has enough.
for n in 1 2 6 48 60; do cut_of --iterations $n; done
cut_of --region all --iterations 7
prvcut -n --iterations 7 app.prv
# Unusual iterations are those of the loop, or of the region that is named.
cut_of --outliers 3
prvcut -n --outliers 3 app.prv | grep Note
prvcut -n --outliers 3 --region 1.4 app.prv | grep Note
# Iterations that are named are compared with their region, as chosen ones are, or with the loop
# where they do not lie in one; they have lengths of their own.
prvcut -n --iteration 6 app.prv
prvcut -n --proof --iteration 6-8 app.prv
prvcut -n --iteration 1-50 app.prv | grep -A 1 '^Cut'
# What is named twice is cut once.
for twice in "--region 1.4,1.4" "--region 1.4-1.5,5" "--level 2,2"; do
    # shellcheck disable=SC2086 # several words
    prvcut -n $twice app.prv --json | jq -c '[.chops[] | [.region, .first_iteration]]'
done
# A level may stand beside its own regions; a metric that does not exist is told before an output that does.
cut_of --level 1 --region 1.4
cut_of --level 2 --region 1.4
prvcut -q app.prv
prvcut --metric burst app.prv
echo "status $?"
# Calls an iteration are those of the loop, whatever each rank's times are beside what disturbs.
prvcut -fn --proof --json --iterations 6 app.prv 2>/dev/null |
    jq -c '.chops[0].proof.rows[] | select(.unit == "1/iteration") | [.name, .chop, .region]'
# Disturbed iterations have no marks, which is said.
prvcut mark -n app.prv | sed -n '/^Marks/{p;n;p}'
