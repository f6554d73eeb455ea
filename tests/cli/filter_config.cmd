# What Paraver's dialog saves; a second filter narrows the first, and options narrow both.
. "$data/loop.sh"
cat >filter.xml <<END
<?xml version="1.0"?>
<config>
  <filter>
    <discard_communications>1</discard_communications>
    <states>Running
      <min_state_time>500000</min_state_time> </states>
    <types> <type>50000001 <value>1</value> <value>0</value> </type> </types>
  </filter>
  <cutter> <by_time>1</by_time> </cutter>
  <color>red</color>
</config>
END
echo '<config><filter><states>Running,Blue</states></filter></config>' >narrow.xml
prvcut filter --config filter.xml --config narrow.xml --tasks 1 loop.prv >/dev/null
grep '^[1-3]:' loop.filtered.prv | head -n 6
