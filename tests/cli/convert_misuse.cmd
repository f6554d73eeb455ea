# Which formats are known depends on what is built in.
needs otf2 || exit 77
. "$data/loop.sh"
for o in "loop.prv" "loop.prv a.prv b.prv" "loop.prv out.txt" "-O tau loop.prv out.prv" \
    "--tasks x loop.prv out.prv" "--tasks 3 loop.prv out.prv" "--tasks 2-1 loop.prv out.prv" \
    "--from 2ms --to 1ms loop.prv out.prv" "--from 30ms --to 31ms loop.prv out.prv" \
    "loop.prv loop.prv" "-f loop.prv loop.prv" "loop.prv no/such.prv" "-o out.prv loop.prv"; do
    prvcut convert $o 2>&1 | sed "s/\(choose from\) .*/\1 those/"
done
prvcut convert loop.prv out.txt 2>/dev/null; echo $?
prvcut convert loop.prv no/such.prv 2>/dev/null; echo $?
ls
