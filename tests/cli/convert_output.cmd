# -o FILE is OUT: in its place, not beside it.
needs otf2 || exit 77
. "$data/loop.sh"
prvcut convert loop.prv -o a.paje | head -n 1
prvcut convert -o b.paje loop.prv >/dev/null
prvcut convert loop.prv c.paje >/dev/null
grep -v "^#" a.paje | sed 's/prvcut convert [^"]*//' >a.sum
for f in b c; do grep -v "^#" $f.paje | sed 's/prvcut convert [^"]*//' | cmp - a.sum; done
prvcut convert loop.prv -o a.paje; echo $?
prvcut convert loop.prv -o a.paje b.paje; echo $?
prvcut convert -o a.paje; echo $?
prvcut convert loop.prv -o - ; echo $?
prvcut convert loop.prv out.html; echo $?
prvcut convert loop.prv "my out.vcd"; echo $?
