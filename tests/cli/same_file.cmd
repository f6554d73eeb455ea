# One file or folder named as two things is refused before anything is read, and stays as it is.
. "$data/loop.sh"
mkdir run
prvcut convert -q loop.prv run/log.otf
ls -R run >before
try() {
    prvcut "$@" >/dev/null
    echo "$? $*"
}
for options in '-o' '-f -o' '--report' '--archive' 'cut --from 1ms -f -o' 'structure -f -o' 'signal -f --plot'; do
    # shellcheck disable=SC2086 # several words
    try $options run run
done
try -f -o run/ ./run
try convert run run
try convert -f -O otf run run
ls -R run | diff before - && echo "as it was"
echo "<xml/>" >foo.txt
try filter --config foo.txt foo.txt
try filter --config loop.prv loop.prv
try mark --timeline loop.prv loop.prv
prvcut --json -o run run | grep -E '"(status|file)"'
