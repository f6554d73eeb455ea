# An output that exists, or that no folder takes, is found before the trace is read, also where it is called like the
# trace: a damaged record, which ends each reading, is not told.
. "$data/loop.sh"
printf '1:1:1:1:1:0:x:1\n' >>loop.prv
for f in loop.svg loop.csv loop.html loop.txt loop.iterations.prv loop.tar.zst; do echo kept >$f; done
status() { prvcut "$@" >/dev/null 2>words; echo "$?: $(cut -d: -f2 <words | cut -d';' -f1)"; }
for words in 'signal --plot' 'signal --csv -o' 'structure -o' '--report' '--archive' 'mark -o' 'cut --from 50% -o' 'filter --drop states -o'; do
    for dry in '' -n; do
        case "$dry $words" in '-n s'*) continue ;; esac
        echo "$words $dry:"
        case $words in mark* | cut* | filter*) name=loop.new.prv there=loop.svg ;; *report) name=loop.html ;; *archive) name=loop.tar.zst ;;
        *plot) name=loop.svg ;; *csv*) name=loop.csv ;; *) name=loop.txt ;; esac
        status $dry $words nowhere/$name loop.prv
        case $name in *new*) ;; *) status $dry $words $name loop.prv ;; esac
    done
done
status mark loop.prv
status signal --plot new.svg loop.prv
