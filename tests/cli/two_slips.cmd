# After several mistakes in one command line, what is proposed is mended in all of them: it works at once.
needs otf2 || exit 77
. "$data/loop.sh"
# slips STATUS ARGUMENTS: what is said, and how what is proposed ends
slips() {
    words=$(prvcut "$@" 2>&1 >/dev/null)
    echo "$? ${words#prvcut: }"
    # With sanitizers, what works is left to the tests of what works.
    [ "$TAKE" != 0 ] || return 0
    sh -c "${words##*try: }" >/dev/null 2>err.words || echo "fails: $? $(cat err.words)"
}
slips --iteratoins two loop.prv -o a
slips structre --jsno loop.prv
slips -o x.txt --report y.txt loop.prv
slips --reprot z.txt --itterations 3 -o z loop.prv
slips convrt loop.prv x.paj
slips convert loop.prv y.paj
slips convert loop.prv -
slips infoo --jsno --nothing loop.prv
slips cut --iteratoin 2 -o x.otf2 -f loop.prv
slips cut --form=1000s --messages so -o b loop.prv
slips structure --iteratoin --jsno loop.prv
# A whole number is nanoseconds, but not beside one whose unit was forgotten with its own.
slips cut --from 1 --to 2.0 -o c loop.prv
slips cutt --from 1.5 --too 3 -o d loop.prv
slips cut --from 1.5 --to 3ms -o e loop.prv
prvcut cut -n -f -q --from 1000000 --to 3ms loop.prv && echo whole
