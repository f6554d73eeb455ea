# Records by what they are; comments name the version and the command, so they are left out here.
. "$data/loop.sh"
prvcut filter --events 50000001=1/0 --states Running --drop messages loop.prv | sed -E "s,[0-9.]+ k?B,N B,g"
ls
sed '1!{/^#/d;}' loop.filtered.prv | head -n 12
grep -c '^#prvcut .*: prvcut filter --events 50000001=1/0 --states Running --drop messages loop.prv$' loop.filtered.prv
# Messages go to a rank whose calls are not kept: borders are where the calls of the other one are.
prvcut -q filter --tasks 1 -o only.prv loop.prv
prvcut -n only.prv | grep -E '^(only|Cut|Stands|Time)'
prvcut -n only.prv --json | jq -c '.chops[0].window | .start_ns, .align, .crossing_messages'
