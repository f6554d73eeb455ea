# A reader that goes away ends every command without a word, and the files stay whole.
. "$data/loop.sh"
# gone COMMAND...: its standard output is a pipe that nobody reads any more
gone() {
    rm -f gone
    { until [ -e gone ]; do sleep 0.01; done; "$@"; echo "$?" >status; } | { exec <&-; touch gone; }
    until [ -s status ]; do sleep 0.01; done
    echo "$2: $(cat status)"
    rm status gone
}
gone prvcut info --json loop.prv
gone prvcut structure --json loop.prv
gone prvcut check --json loop.prv
gone prvcut signal loop.prv
gone prvcut convert --quiet -O paje loop.prv -
gone prvcut cut --json --from 0 -o a.prv loop.prv
gone prvcut help cut
ls -A
