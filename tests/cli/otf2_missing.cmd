# A file of an archive that is not there is named, with what to do; it is no damage of what is there.
needs otf2 || exit 77
tar -xf "$samples/lu.S.4-eztrace.tar.zst"
rm lu.S.4_trace/*.def
for command in '' info check; do
    prvcut $command lu.S.4_trace
    echo $?
done
