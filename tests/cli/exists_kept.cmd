# What is proposed where an output exists replaces it, also where a word of the command is wrong, too.
. "$data/loop.sh"
try() {
    : >loop.filtered.prv
    : >there.prv
    said=$(prvcut "$@" 2>&1 >/dev/null)
    echo "${said#*; try: }"
    (eval "${said#*; try: }") >/dev/null 2>&1
    echo $?
}
try filter --drop messages loop.prv
try filter --events NOSUCH loop.prv
try filter --states nosuch loop.prv
try cut --from 10% -o there.prv loop.prv
try cut --from 10% --events NOSUCH -o there.prv loop.prv
try -o there.prv loop.prv
# What comes through a pipe is saved, and what was typed is kept.
cat loop.prv | prvcut cut --from 10% -o small.prv - 2>&1 | sed 's/.*; try: //'
cat loop.prv | prvcut --iterations 3 --report page.html - 2>&1 | sed 's/.*; try: //'
cat loop.prv | prvcut structure --csv - 2>&1 | sed 's/.*; try: //'
