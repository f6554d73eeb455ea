# Lines for a program: each phase ends with one that says so.
. "$data/loop.sh"
prvcut cut --from 5ms --to 7ms --progress=json loop.prv 2>&1 >/dev/null | jq -c \
    'select(.over) | [.phase, .total != null, (.seconds | type), (.rate | type), (.left | type), keys_unsorted]'
prvcut info --progress=json - <loop.prv 2>&1 >/dev/null | jq -c 'select(.over) | [.phase, .bytes > 0, .total]'
prvcut info --progress=json --no-progress loop.prv 2>&1 >/dev/null
prvcut info --progress=xml loop.prv; echo $?
