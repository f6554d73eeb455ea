# The tables of options, statuses and names that all commands share: a row each, run as it stands, with its exit status and
# the files that it leaves. 1 (failed) has full_disk and interrupt, damage after the head has bad_input.
. "$data/loop.sh"
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:x:1\n' >bad.prv
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:9:1\n' >none.prv
ls >before
while read -r line; do
    case $line in '#'*) echo "$line"; continue ;; esac
    eval "prvcut $line" >out.text 2>words && status=0 || status=$?
    made=$(ls -d -- * | grep -vxFf before | grep -vxE 'out.text|words|before' | paste -sd ' ' -)
    echo "$status prvcut $line${made:+  -> $made}"
    for f in $made; do rm -rf "$f"; done
done <<'ROWS'
# --iterations, --iteration
--iterations 3 loop.prv
--iterations 60-63 loop.prv
--iteration 2 loop.prv
--iteration 2-3 loop.prv
cut --iteration 2-3 loop.prv
cut --iteration 2 --from 5ms loop.prv
structure --iteration 2-3 loop.prv
signal --iteration 2 loop.prv
# --region, --regions
--region all loop.prv
--region longest loop.prv
--region 1.1 loop.prv
--region 1 loop.prv
--regions 1.1 loop.prv
cut --region 1.1 loop.prv
cut --region 1.1 --to 9ms loop.prv
structure --region 1.1 loop.prv
signal --region 1.1 loop.prv
--region 1.7 loop.prv
# --from and --to limit what is looked at, where they are no window
--from 5ms loop.prv
--from 5ms --iteration 3 loop.prv
--to 90% --iteration 3 loop.prv
structure --from 5ms --to 90% loop.prv
mark --from 5ms loop.prv
signal --from 5ms --to 9ms loop.prv
convert --from 5ms --to 9ms loop.prv a.paje
info --from 5ms loop.prv
# a bare number is a region of the level in force
--region 1 --level 1 loop.prv
--region 1.1 --level 2 loop.prv
cut --region 1 loop.prv
# --level, --depth, --levels, --outliers
--level 1 loop.prv
--level 1,2 loop.prv
--level all loop.prv
structure --level 1,2 loop.prv
structure --iteration 2 --json loop.prv
structure --level 1 loop.prv
structure --depth 1 loop.prv
structure --levels 1 loop.prv
--outliers 1 loop.prv
--outliers 1 --region 1.1 loop.prv
structure --outliers 1 loop.prv
structure --iterations 2-3 loop.prv
cut --iterations 2-3 loop.prv
# --json and --csv, to standard output or to a file; a suffix that contradicts
--json loop.prv
structure --json loop.prv
structure --csv loop.prv
structure --csv -o rows.csv loop.prv
structure --csv -o rows.json loop.prv
info --json loop.prv
info --csv loop.prv
check --json loop.prv
check --csv loop.prv
signal --json loop.prv
signal --csv loop.prv
formats --json
formats --csv
help metrics --json
help metrics --csv
help parameters --json
help parameters --csv
help files --json
help files --csv
check --csv -o notes.csv loop.prv
info --json -o what.csv loop.prv
cut --json --from 5ms --to 9ms loop.prv
--csv loop.prv
convert --csv loop.prv a.paje
filter --json --drop states loop.prv
mark --json loop.prv
index --json loop.prv
convert --json loop.prv a.paje
info --json --csv loop.prv
# clocks, how much is read and told, workers
--raw-clocks loop.prv
--own-clocks loop.prv
cut --own-clocks --from 5ms --to 9ms loop.prv
--quick loop.prv
-v loop.prv
-q loop.prv
-T 1 loop.prv
-T 1 structure loop.prv
-T 1 filter --drop states loop.prv
-v structure loop.prv
-v info loop.prv
-q structure loop.prv
--quick --proof loop.prv
structure --raw-clocks loop.prv
# a dry run finds what the run would refuse
-n loop.prv
-n -o bad.prv loop.prv
-n -o no/such.prv loop.prv
cut -n -o bad.prv --from 5ms --to 9ms loop.prv
filter -n -o bad.prv --drop states loop.prv
mark -n -o bad.prv loop.prv
convert -n loop.prv bad.prv
convert -n loop.prv a.paje
convert -n loop.prv no/such.paje
index -n loop.prv
mark -n loop.prv
signal -n loop.prv
-n --quick --proof loop.prv
-n --report bad.prv loop.prv
# times
cut --from 5ms --to 9ms loop.prv
cut --from '5 ms' --to '9 ms' loop.prv
cut --from 5000000 --to 9000000 loop.prv
cut --from 1.5 --to 9ms loop.prv
# statuses: 2, 3, 4, 5, 6
info nothing.prv
info bad.prv
check bad.prv
check loop.prv
check --strict none.prv
none.prv
structure none.prv
mark none.prv
-o bad.prv loop.prv
convert loop.prv bad.prv
convert --strict loop.prv a.paje
# names of files
-o small loop.prv
-o small.pdf loop.prv
--report page loop.prv
--archive all loop.prv
signal --plot drawing loop.prv
ROWS
