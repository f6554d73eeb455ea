# Where the time goes: by call, state, rank, thread, of all of a run and of a window; as text, CSV, JSON.
. "$data/loop.sh"
prvcut profile loop.prv
prvcut profile --by rank loop.prv
prvcut profile --by state loop.prv
prvcut profile --by call,rank --csv loop.prv
prvcut profile --by thread --csv --from 10ms --to 12500us loop.prv
prvcut profile --csv --from 10ms --to 12500us loop.prv
prvcut profile --by call --top 1 loop.prv
prvcut profile --json --by state,rank --top 1 loop.prv
prvcut profile --csv -T 3 -o table - <loop.prv && cat table.csv
# Regions and iterations, each rank at its own borders.
prvcut profile --by region loop.prv
prvcut profile --by iteration --iteration 3-5 loop.prv
prvcut profile --by call,iteration --iteration 3-4 --csv loop.prv
prvcut profile --by iteration,rank --top 3 --csv loop.prv
prvcut profile --iteration 3 loop.prv
prvcut profile --region 1.1 --by rank --csv loop.prv
prvcut profile --by iteration --json --top 1 loop.prv | grep -A 30 '"by"'
# What ranks do with each other, and functions.
prvcut profile --waiting loop.prv
prvcut profile --by rank --waiting loop.prv
prvcut profile --by peer loop.prv
prvcut profile --by peer,iteration --iteration 3-4 --csv loop.prv
prvcut profile --by communicator --csv loop.prv
prvcut profile --by communicator,call,rank --json --top 1 loop.prv | grep -A 16 '"by"'
prvcut profile --by function loop.prv
# Other formats tell the same of the same calls.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
prvcut profile --csv lu.prv >lu.csv
for format in otf2 otf; do
    prvcut convert -q lu.prv "lu.$format" || continue
    prvcut profile --csv "$(find . -path "./lu*" -name "*.$format")" | diff lu.csv - && echo "$format: the same"
    prvcut profile --by function --top 3 "$(find . -path "./lu*" -name "*.$format")"
    prvcut profile --by rank --csv "$(find . -path "./lu*" -name "*.$format")" | cut -d, -f1-13
done
