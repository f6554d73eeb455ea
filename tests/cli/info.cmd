. "$data/loop.sh"
prvcut info loop.prv
prvcut info - <loop.prv
prvcut info -q loop.prv
prvcut info --json loop.prv | grep '"schema"'
# Its next commands work as typed.
prvcut info loop.prv | sed -n 's/.*\(prvcut info .*\)/\1/p' >next
PRVCUT_LOG=warn sh next 2>/dev/null
cp loop.prv "it's a loop.prv"
prvcut info "it's a loop.prv" | tail -n 2
# An archive whose files have names that every run gives them is called by its folder, and told in
# its own names.
mkdir run_3
prvcut convert -q loop.prv run_3/traces.otf
prvcut info run_3
prvcut info -v run_3/traces.otf 2>/dev/null
(cd run_3 && prvcut info traces.otf | head -n 1 && prvcut info . | tail -n 1)
prvcut info --json run_3 | jq -c '.input.name, [.functions[] | [.name, .calls]], .locations[0]'
prvcut check run_3
