# Headings and warnings only, and the words stay the same without.
. "$data/loop.sh"
heading() {
    "$@" | tr '\033' '^' | head -n 1
}
warning() {
    "$@" 2>&1 >/dev/null | tr '\033' '^'
}
heading prvcut -n loop.prv
heading prvcut -n --color=always loop.prv
NO_COLOR=1 heading prvcut -n --color=always loop.prv
NO_COLOR=1 heading prvcut -n --color auto loop.prv
headings() { "$@" | tr '\033' '^' | grep -E '^(\^|Stands)' | cut -c1-24; }
headings prvcut -n --color=always loop.prv
warning prvcut signal --metric ipc,computing --bins 1 --color always loop.prv
warning prvcut signal --metric ipc,computing --bins 1 --color never loop.prv
PRVCUT_THREADS=x warning prvcut info --color always loop.prv
prvcut structure --color=always loop.prv | sed 's,\x1b\[[0-9]*m,,g' >always
prvcut structure loop.prv | cmp - always && echo same
prvcut --color=sometimes loop.prv; echo $?
