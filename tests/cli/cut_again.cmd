# A loop that comes again after something else is one loop: the headline, the structure and the JSON
# count all of its iterations, through which they are numbered.
needs otf2 || exit 77
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
prvcut -q --iteration 13-14 -o small lu.S.4_trace
prvcut -n small | grep -E '^Loop|iterations'
prvcut -n -v small | grep '^Loop.*from'
prvcut structure small | sed -n 1p
prvcut structure --csv small | tail -n 1
prvcut -n --json small 2>words | jq -c '[.iterations_in_phase, .loop_iterations, .chops[0].first_iteration]'
