# What stands beside a trace is taken for it with all that was typed; a name may be empty.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\n' >loop.pcf && echo 'LEVEL TASK SIZE 1' >loop.row
mkdir 'two words' && cp loop.prv loop.pcf loop.row 'two words'
try() {
    said=$(prvcut "$@" 2>&1 >/dev/null)
    echo "$said"
    (eval "${said#*; try: }") >/dev/null 2>&1
    echo $?
}
try check loop.pcf
try loop.row
try structure --csv loop.pcf
try cut --from 10% --to 30% -o x.prv 'two words/loop.pcf'
try convert -q loop.row x.paje
prvcut '' || echo $?
prvcut cut --from 10% '' || echo $?
