# Labels that cannot be read are no labels that are not there: nothing says that nothing is lost.
. "$data/loop.sh"
mkdir loop.row
prvcut convert loop.prv out.paje; echo $?
prvcut convert -n --strict loop.prv out.prv; echo $?
ls
rmdir loop.row
for name in loop.row loop.pcf; do
    mkfifo $name
    prvcut check loop.prv; echo $?
    prvcut -n loop.prv >/dev/null; echo $?
    rm $name
done
