. "$data/loop.sh"
try() { prvcut cut "$@" loop.prv >/dev/null || echo "exit $?"; }
echo '<config><cutter><minimum_time_percentage>50</minimum_time_percentage></cutter></config>' >half.xml
echo '<config><filter/></config>' >filter.xml
try --config half.xml --from 0
try --config half.xml --config half.xml
try --config half.xml --messages keep
try --config filter.xml
printf '<config><cutter><by_time>1</by_time>\n<minimum_time>soon</minimum_time></cutter></config>' >bad.xml
try --config bad.xml
echo '<config><cutter><by_time>1</by_time><minimum_time>9</minimum_time><maximum_time>8</maximum_time></cutter></config>' >empty.xml
try --config empty.xml
ls
