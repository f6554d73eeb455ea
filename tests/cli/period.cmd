# A given period means the same to all: where the calls repeat as often, in the mean or usually, they tell
# the borders; else these are laid. How sure it is was not asked.
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"app.$suffix"; done
cp "$samples/lu.S.8.row" app.row
for period in 2.2ms 5ms; do
    prvcut -n --period $period app.prv | grep -E -A 1 '^(Loop|Sure)'
    prvcut structure --period $period app.prv | head -n 1
    prvcut structure --period $period --region longest --json app.prv |
        jq -c '.regions[0] | { median_ns, confidence, source }'
    prvcut mark -n --period $period app.prv | grep -vE '^(Size|Marks)'
done
