. "$data/loop.sh"
prvcut signal --metric computing --bins 4 --from 10ms --to 12ms -o a.json loop.prv
cat a.json
prvcut signal --metric computing --bins 4 -o a.json loop.prv; echo $?
prvcut signal --metric bananas loop.prv >/dev/null 2>&1; echo $?
