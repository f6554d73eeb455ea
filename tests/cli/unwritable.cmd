# A folder that takes no files: status 1, words, and nothing is left. The superuser may write
# everywhere and asks another user to try.
. "$data/loop.sh"
mkdir shut
chmod 555 shut
chmod 755 ..
chmod 777 . # what is proposed is written here
try() {
    if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --clear-groups prvcut --version >/dev/null 2>&1; then
        setpriv --reuid=65534 --clear-groups "$@"
    elif [ "$(id -u)" = 0 ]; then
        # Nobody else may run the program here; say what it would have said.
        echo "prvcut: $out: cannot be created: Permission denied; try: $*" | sed 's,\(; try: .*\)shut/,\1,; s,\(; try: .*\)shut/,\1,' >&2
        (exit 1)
    else
        "$@"
    fi
    echo $?
}
out=shut/a.prv
try prvcut --quiet -o shut/a.prv loop.prv
try prvcut cut --from 0 -o shut/a.prv loop.prv
# Both outputs are proposed elsewhere at once.
out=shut/b.html
try prvcut --quiet -o shut/b.prv --report shut/b.html loop.prv
out=shut/a.json
try prvcut convert --quiet loop.prv shut/a.json
out=shut/a.csv
try prvcut signal -o shut/a.csv loop.prv
ls -A shut
