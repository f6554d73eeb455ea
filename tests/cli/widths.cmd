# What is printed fits into 80 columns: help, reports and their tables. Names of files and commands to type may be longer.
needs otf2 || exit 77
for suffix in prv pcf; do zstd -dqc "$samples/lu.S.8.$suffix.zst" >"app.$suffix"; done
cp "$samples/lu.S.8.row" app.row
tar --zstd -xf "$samples/lu.S.4-eztrace.tar.zst"
prvcut -q index app.prv
# A name that is longer than a line stands behind its heading, and no line is blank.
long=$(printf 'a-folder-of-a-long-name/%.0s' 1 2 3 4)
mkdir -p "$long"
prvcut cut --from 10ms --to 12ms -o "${long}cut.prv" app.prv | sed -n '/^Files/,$p'
prvcut mark -o "${long}marked.prv" app.prv | sed -n '/^Files/,$p'
# wide COMMAND...: its lines that are wider
wide() {
    prvcut "$@" 2>/dev/null </dev/null | sed 's/±/+/' |
        awk -v what="$*" 'length > 80 { print what ": " $0 }' | grep -v ': *[a-z ]*:* *prvcut '
    tried=$((tried + 1))
}
tried=0
for command in '' structure cut filter info check verify index mark csv-analysis signal convert formats help; do
    wide $command --help
    wide $command -h
done
for topic in metrics files; do wide help $topic; done
wide formats
for trace in app.prv lu.S.4_trace; do
    wide $trace -n
    for options in -v --proof '--level 2 -v' '--region all -v' '--outliers 2 -v' '--metric bursts' '--iteration 3 -v'; do
        wide $options -n $trace
    done
    for options in '' -v '--region all' '--level 2' '--iteration 2-4' --tree; do wide structure $options $trace; done
    for command in info check; do
        wide $command $trace
        wide $command -v $trace
    done
    wide cut -n --from 10ms --to 20ms $trace
    wide convert -n $trace a.paje
done
wide mark -n app.prv
wide filter -n --drop states app.prv
echo "$tried tried"
