# Messages with one end are counted one way: by sender, receiver, communicator and tag; those that lack
# a receive are not made up for by others that lack a send.
needs otf2 || exit 77
. "$data/loop.sh"
prvcut convert -q loop.prv a.otf2
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
prvcut cut -q --from 28ms --to 30ms --messages keep -o half.otf2 lu.S.4_trace
main=$(find half* -name '*.otf2')
prvcut info "$main" | grep without
prvcut info --json "$main" | jq -c '.messages | [.count, .receives, .sends_without_receive, .receives_without_send]'
prvcut check --json "$main" | jq -c '[.findings[] | [.name, .count]]'
# A cut has no finding that its original does not have: a default one, and one at one time for all.
findings() { prvcut check --json "$1" | jq -c '[.findings[].name] | sort'; }
prvcut -q --no-proof -o typical.otf2 lu.S.4_trace
prvcut cut -q --from 20% --to 60% -o straight.otf2 lu.S.4_trace
findings lu.S.4_trace >original
for cut in typical straight; do
    findings "$(find $cut* -name '*.otf2')" | jq -c --slurpfile o original '. - $o[0]'
done
