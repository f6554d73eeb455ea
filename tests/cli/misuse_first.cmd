# What is wrong with a command is found before the trace is read: nobody writes into the pipe, and the
# other trace is damaged.
mkfifo pipe
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:x:1\n' >bad.prv
for f in taken.prv taken.html taken.tar.zst taken.svg taken.csv taken.json taken.paje taken.txt; do
    echo mine >$f
done
refused() {
    words=$(timeout 20 prvcut "$@" 2>&1 >/dev/null)
    echo "$? $words"
}
for trace in pipe bad.prv; do
    for options in '--iterations none' '--iteration 2 --outliers 1' '-o taken.prv' '-o no/such.prv' '--report taken.html' \
        '--report x.svg' '--archive taken.tar.zst' '--archive a.tar.zst -o b.prv' '-o -' '-n -o taken.prv' \
        'structure -o taken.json' 'structure --json --csv' 'structure --json -o x.csv' 'structure --tree --csv' \
        'cut' 'cut --from 1ms --region 1.1' 'cut --from 1ms -o taken.prv' 'cut --from 1.5' \
        'filter' 'filter --drop messages -o taken.prv' 'info -o taken.txt' 'info --json -o taken.csv' \
        'check --csv -o taken.csv' 'check --csv -o x.json' 'mark -o taken.prv' 'signal --plot taken.svg' \
        'signal -o taken.csv' 'signal --json -o x.csv'; do
        # shellcheck disable=SC2086 # several words
        refused $options $trace
    done
    refused convert $trace taken.paje
    refused convert -n $trace no/such.paje
done
cat taken.* | sort -u
ls
