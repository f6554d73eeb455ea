# Nothing may be written where the trace is, nor here: an answer comes all the same, to misuse, too. The superuser
# may write everywhere and asks another user to try.
needs otf2 || exit 77
. "$data/loop.sh"
if [ "$(id -u)" = 0 ]; then
    if ! setpriv --reuid=65534 --clear-groups prvcut --version >/dev/null 2>&1; then
        echo 'unwritable folders: nobody else may run the program here' >"$SKIPPED"
        exit
    fi
    as() { setpriv --reuid=65534 --clear-groups "$@"; }
else
    as() { "$@"; }
fi
mkdir shut
cp loop.prv shut
chmod 755 ..
cd shut
chmod 555 .
try() {
    as prvcut "$@" 2>&1 >/dev/null | sed 's/^prvcut: //; s/; try: .*//'
    as prvcut "$@" >/dev/null 2>&1
    echo "$?: $*"
}
try loop.prv
try -n loop.prv
try --iteration 3 loop.prv
try --iteration 99 loop.prv
try --iterations two loop.prv
try --level 9 loop.prv
try --archive a loop.prv
try cut --from 10% loop.prv
try cut loop.prv
try filter loop.prv
try filter --states 1 loop.prv
try mark loop.prv
try convert loop.prv a.otf2
chmod 755 .
