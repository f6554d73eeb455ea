# Variables set defaults; options win; what makes no sense is a warning only.
. "$data/loop.sh"
words() {
    "$@" 2>&1 >/dev/null | sed 's/[0-9.][0-9.]*[mun]*s$/TIME/; s/[0-9.]* kB/SIZE/'
}
PRVCUT_THREADS=many PRVCUT_LOG=loud words prvcut info loop.prv
PRVCUT_THREADS=2 PRVCUT_LOG=warn words prvcut info loop.prv
echo info
PRVCUT_LOG=info words prvcut info loop.prv
echo debug
PRVCUT_LOG=debug words prvcut info -T 2 loop.prv | sed 's/version [0-9.]*/version N/'
echo info, but -q
PRVCUT_LOG=info words prvcut info -q loop.prv
echo -v, on a trace and in a job: steps are told by PRVCUT_LOG=info alone
words prvcut info -v loop.prv
words prvcut -v -n loop.prv
PRVCUT_LOG=info words prvcut -n loop.prv | sed 's/prvcut: \([a-z ]*\):.*/\1/' | sort -u
echo error
PRVCUT_LOG=error words prvcut signal --metric ipc,computing --bins 1 loop.prv
PRVCUT_LOG=error PRVCUT_THREADS=many words prvcut info loop.prv
echo an option is wrong
PRVCUT_THREADS=2 prvcut info -T many loop.prv; echo $?
echo empty ones do not count
PRVCUT_THREADS='' PRVCUT_LOG='' NO_COLOR='' words prvcut info loop.prv
