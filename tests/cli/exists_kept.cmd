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
# A damaged record is skipped, whatever else is wrong.
head -n 1 loop.prv >bad.prv && echo 1:1:1:1:1:x:5:1 >>bad.prv && tail -n +2 loop.prv >>bad.prv
try cut --from 10% --events NOSUCH bad.prv
