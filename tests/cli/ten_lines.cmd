# The report of one cut has at most ten lines, whatever is asked and however long names are.
needs otf2 || exit 77
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"app.$suffix"; done
cp "$samples/lu.S.8.row" app.row
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
long=$(printf 'x%.0s' 1 2 3 4 5 6 7 8 9 10 11 12)
mkdir -p "$long/$long/$long/$long/$long/$long"
long=$long/$long/$long/$long/$long/$long
for suffix in prv pcf row; do ln -s "$PWD/app.$suffix" "$long/app.$suffix"; done
tried=0
for trace in app.prv lu.S.4_trace "$long/app.prv"; do
    for options in '' '--own-clocks --from 10% --to 90%' '--align straight' '--iterations 5' '--iteration 3' \
        '--iteration 6-8' '--level 2' '--from 30%' '--metric bursts' '--period 2ms' '--outliers 0 --own-clocks'; do
        lines=$(prvcut -n -f $options "$trace" | wc -l)
        [ "$lines" -le 10 ] || echo "$options ${trace##*/}: $lines lines"
        tried=$((tried + 1))
    done
done
echo "$tried tried"
