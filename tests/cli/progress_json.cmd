# Lines for a program: each phase ends with one that says so.
. "$data/loop.sh"
prvcut cut --from 5ms --to 7ms --progress=json loop.prv 2>&1 >/dev/null | jq -c \
    'select(.over) | [.phase, .total != null, (.seconds | type), (.rate | type), (.left | type), keys_unsorted]'
prvcut info --progress=json - <loop.prv 2>&1 >/dev/null | jq -c 'select(.over) | [.phase, .bytes > 0, .total]'
prvcut info --progress=json --no-progress loop.prv 2>&1 >/dev/null
prvcut info --progress=xml loop.prv; echo $?
# How many passes there are is known from the first line on, whatever each one is.
for work in '' '--quick' '--report page.html' '--archive a.tar.zst' structure mark 'filter --drop states' info \
    'cut --region 1.1' 'signal --metric bursts -o s.csv' 'convert'; do
    out=
    [ "$work" != convert ] || out=out.paje
    # shellcheck disable=SC2086 # several words
    prvcut $work -f --progress=json loop.prv $out 2>&1 >/dev/null | grep '^{' | jq -s -c --arg work "$work" \
        '[$work, ([.[].passes] | unique), [.[] | select(.over) | "\(.pass) \(.phase)"],
          all(.[]; .all_left_s == null or .all_left_s >= 0)]'
done
