# What comm refuses, and what it says then.
. "$data/loop.sh"
prvcut comm --by rank loop.prv; echo $?
prvcut comm --by region,iteration loop.prv; echo $?
prvcut comm --plot - --json loop.prv; echo $?
prvcut comm --plot - --matrix - loop.prv; echo $?
prvcut comm --by region --iteration 3 loop.prv; echo $?
prvcut comm --region 7 loop.prv; echo $?
prvcut comm --by region - <loop.prv; echo $?
prvcut comm --from 9ms --to 9ms loop.prv; echo $?
prvcut comm --matrix loop.prv loop.prv; echo $?
touch there.tsv there.svg
prvcut comm --matrix there.tsv --plot new.svg loop.prv; echo $?
prvcut comm --plot there.svg --matrix new.tsv loop.prv; echo $?
ls new.*
prvcut comm --matrix there.tsv -f -q loop.prv; echo $?
prvcut comm --plot map.png loop.prv; echo $?
prvcut comm loop.prv lu.prv; echo $?
head -c 300 loop.prv >torn.prv
prvcut comm torn.prv; echo $?
prvcut comm --lenient -q torn.prv; echo $?
