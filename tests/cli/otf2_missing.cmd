# A file of an archive that is not there is named, with what to do; it is no damage of what is there.
[ "$(prvcut formats --json | jq -r '.formats[] | select(.name == "otf2") | .read')" = true ] || {
    echo "no OTF2" >"$SKIPPED"
    exit 0
}
tar -xf "$samples/lu.S.4-eztrace.tar.zst"
rm lu.S.4_trace/*.def
for command in '' info check; do
    prvcut $command lu.S.4_trace
    echo $?
done
