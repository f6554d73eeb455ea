# Cuts, filtered copies and conversions as one archive: what is in it is what stands beside the trace without it.
. "$data/loop.sh"
printf 'EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n1 MPI_Send\n2 MPI_Recv\n' >loop.pcf
look() {
    tar --zstd -tf "$1.tar.zst"
    prvcut verify "$1.tar.zst" | head -n 1
    tar --zstd -xOf "$1.tar.zst" "$1/report.json" | grep -E '"(schema|command|path)"'
    tar --zstd -xOf "$1.tar.zst" "$1/about.json" | grep -E '"(command|name|format)"'
}
same() {
    tar --zstd -xOf "$1.tar.zst" "$1/$2" | grep -v '^#.*prvcut' >packed
    grep -v '^#.*prvcut' "$2" | cmp packed - && echo same
}
prvcut cut --from 4ms --to 9ms --archive cut loop.prv
look cut
prvcut cut -q --from 4ms --to 9ms loop.prv
same cut loop.cut.prv
prvcut cut -q --iteration 3-4 --archive named.tar.zst loop.prv
tar --zstd -tf named.tar.zst | head -n 2
prvcut filter -q --drop messages --archive less.tar.zst loop.prv
prvcut filter -q --drop messages loop.prv
same less loop.filtered.prv
prvcut convert --archive other.tar.zst loop.prv loop.paje | tail -n 1
look other
prvcut convert -q loop.prv loop.paje
same other loop.paje
prvcut info cut.tar.zst | head -n 1
rm -f packed loop.cut.* loop.filtered.* loop.paje
# What cannot be leaves nothing.
ls -A >before
for refused in 'cut --from 4ms --archive cut loop.prv' 'cut --from 4ms --archive new -o x loop.prv' \
    'cut --from 4ms --archive nowhere/new loop.prv' 'cut --from 400ms --archive new loop.prv' \
    'cut -n --from 4ms --archive new loop.prv' 'filter --tasks 1 --archive loop.prv loop.prv' 'filter --tasks 1 --archive new -' \
    'convert --archive new loop.prv in/loop.paje' 'convert --archive new loop.prv -' 'convert --archive new loop.prv report.json' \
    'convert --archive new loop.prv loop.sqlite' 'convert --archive new.zip loop.prv loop.paje'; do
    echo "$refused"
    # shellcheck disable=SC2086 # words
    prvcut $refused <loop.prv >said 2>&1
    echo "$? $(tail -n 1 said)"
    rm said
done
ls -A | diff before - && echo nothing
