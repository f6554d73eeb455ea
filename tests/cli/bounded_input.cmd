# What never ends, or claims more than it can hold, is refused with the number.
. "$data/loop.sh"
for suffix in pcf row; do
    ln -s /dev/zero "loop.$suffix"
    prvcut check loop.prv; echo $?
    prvcut cut --quiet --from 0 --to 500us loop.prv; echo $?
    rm "loop.$suffix"
done
yes '1    Running' | head -c 64M >loop.pcf
prvcut info loop.prv | head -n 1; echo
echo >>loop.pcf
prvcut info loop.prv; echo $?
rm loop.pcf
ln -s /dev/zero view.cfg
prvcut cut --config view.cfg loop.prv; echo $?
ln -s /dev/zero view.csv
prvcut csv-analysis loop.prv view.csv 0; echo $?
# So many threads in so few bytes: nobody wrote them.
{
    echo '#Paraver (01/01/2026 at 12:00):100_ns:1(2):1:1(16777215:1)'
    echo '1:1:1:1:1:0:100:1'
} >claims.prv
prvcut info claims.prv; echo $?
prvcut check - <claims.prv; echo $?
cat claims.prv | prvcut info -; echo $?
sed 's/1(2)/16777215/; s/16777215:1/1:1/' claims.prv >nodes.prv
prvcut info nodes.prv; echo $?
# So many there may be.
sed 's/16777215/262144/' claims.prv >many.prv
prvcut check many.prv; echo $?
ls -A
