. "$data/loop.sh"
mv loop.prv x.prv
prvcut info --iterations 2 x.prv; echo $?
prvcut --bins 3 x.prv; echo $?
for line in 'help --json' 'help --json cut' 'cut -o none.prv --json --help'; do
    # shellcheck disable=SC2086 # several words
    prvcut $line | jq -c '[.schema, .topic, (.text | startswith("Usage: prvcut cut"))]'
done
prvcut help --csv cut; echo $?
prvcut help -o help.txt cut && grep -c Usage help.txt
