# Filters drop records of the cut.
. "$data/loop.sh"
prvcut cut --from 9.9ms --to 11.9ms --states Running --drop events,messages loop.prv |
    sed -E "s,[0-9.]+ k?B,N B,g"
grep '^[1-3]:' loop.cut.prv
