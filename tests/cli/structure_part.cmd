# The first line tells what is shown; what is folded can be unfolded.
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"app.$suffix"; done
cp "$samples/lu.S.8.row" app.row
prvcut -q index app.prv
prvcut structure app.prv
for part in 1.4 1.2,1.3 1.2-1.3 2-3 2.1 longest; do prvcut structure --region $part app.prv | head -n 1; done
# What is printed can be typed: a range of regions, and when a loop runs.
prvcut structure --region 2.1 app.prv | sed -n 3p
prvcut structure --level 1 app.prv | head -n 1
prvcut structure --level 2 app.prv | head -n 1
prvcut structure --region all app.prv
prvcut structure -v app.prv 2>/dev/null | grep -E '^(Dist|  periodic 1\.| +a stretch|  1\.2: iter)'
# A loop's last iteration that ends with its last call lacks much: it is unusual.
prvcut structure --csv --region 2.1 app.prv | grep unusual
