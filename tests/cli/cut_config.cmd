# A cut as Paraver's cutter does it.
. "$data/loop.sh"
cat >cutter.xml <<END
<config><cutter><by_time>1</by_time><minimum_time>9900000</minimum_time>
<maximum_time>10900000</maximum_time><break_states>1</break_states></cutter></config>
END
prvcut cut --config cutter.xml loop.prv | sed -E "s,[0-9.]+ k?B,N B,g"
sed '/^#prvcut/d' loop.cut.prv
prvcut cut -q --keep-time --config cutter.xml -o kept.prv loop.prv
grep '^[1-3]:' kept.prv | head -n 4
