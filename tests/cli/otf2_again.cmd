# A cut of an archive that is named without a suffix makes a folder of that name, too: the same command
# finds that it exists, and replaces all of it with -f; a folder that is not of an archive stays.
needs otf2 || exit 77
. "$data/loop.sh"
prvcut convert -q loop.prv a.otf2
mkdir k foreign
for force in '' '' -f; do
    prvcut cut -q $force --from 2ms --to 8ms -o k/c a.otf2
    echo $?
    prvcut -q $force -o k/d a.otf2
    echo $?
done
prvcut cut -q -f --from 2ms --to 8ms -o foreign a.otf2
echo $?
prvcut check k/c.otf2
prvcut check k/d
ls k
