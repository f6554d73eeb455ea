. "$data/loop.sh"
prvcut --quiet --report page.html loop.prv; echo $?
ls
grep -c '<html' page.html
# What was typed, every word of it.
grep -o '"command":"[^"]*"' page.html
prvcut --quiet --report page.html -o other.prv loop.prv; echo $?
ls
echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)' >none.prv
prvcut --quiet --report none.html none.prv; echo $?
grep -c '<html' none.html
# The same trace and command give the same page.
mkdir again; cp loop.prv again; cd again
prvcut --quiet --report page.html loop.prv; cmp page.html ../page.html && echo same
# What is cut from the page is counted as the page counts it.
prvcut -q -f --report page.html --from '4 ms' --metric calls --iterations 3 --region 1.1 -T 1 loop.prv
grep -o '"options":"[^"]*"' page.html
