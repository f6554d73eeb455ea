. "$data/loop.sh"
prvcut signal --metric computing,p2p --bins 50 --plot a.svg loop.prv
ls
grep -c '<path class="curve"' a.svg
grep -o '<title>[^<]*\|>computing (threads)<\|>p2p (threads)<\|>Time ([a-z]*)<' a.svg
prvcut signal --metric computing --plot - loop.prv | sed -n 2p
prvcut signal --metric computing --bins 2 --plot a.svg loop.prv; echo $?
prvcut signal --metric computing --bins 2 --force --plot a.svg -o b.csv loop.prv; cat b.csv
prvcut signal --plot - --json loop.prv 2>/dev/null; echo $?
cp loop.prv '<a href="b">&.prv'
prvcut signal --metric ipc --plot c.svg '<a href="b">&.prv'
grep -o '<title>.*' c.svg
grep -o '>ipc[^<]*' c.svg
if command -v xmllint >/dev/null; then
    xmllint --noout a.svg c.svg || echo "no XML"
else
    echo "no xmllint" >"$SKIPPED"
fi
