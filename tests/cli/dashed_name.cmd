# A trace whose name begins with a dash is taken for options: what is proposed reads it.
. "$data/loop.sh"
mv loop.prv ./-out.prv
cp ./-out.prv ./-zz.prv
cp ./-out.prv ./--long.prv
for words in info 'cut --from 5ms -n' check; do
    for file in -out.prv -zz.prv --long.prv; do
        prvcut $words $file >/dev/null 2>words
        cat words
        sh -c "$(sed 's/.*try: //' words)" >/dev/null
        echo $?
    done
done 2>&1
prvcut convert -out.prv x.paje
prvcut info --iterations 3 -out.prv
ls | grep -c paje
:
