# Tasks and threads that the trace does not have: two tasks of one thread each.
. "$data/loop.sh"
try() { prvcut filter "$@" loop.prv >/dev/null; echo $?; }
for tasks in 3 2-9 3-4 0 1,3; do try --tasks $tasks; done
for threads in 3.1 1-3.1 2.1.1 1.2 '*.2'; do try --only-threads "$threads"; done
try -q --tasks 1-2 -o all.prv
try -q --only-threads '1.*,1.2.1' -o both.prv
grep -c '^[123]:' all.prv both.prv
echo '<config><filter><discard_states>1</discard_states></filter></config>' >none.xml
try --tasks 1-2 --config none.xml 2>/dev/null
prvcut convert --tasks 3 loop.prv out.prv; echo $?
prvcut convert --tasks 2-9 loop.prv out.prv; echo $?
