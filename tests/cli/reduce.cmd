# Words may be tuned; the loop and the files may not.
. "$data/loop.sh"
prvcut --iterations 2 loop.prv | sed -n 's/, [0-9.]* iterations.*//; /^Period/p'
ls
prvcut check loop.chop1.prv >/dev/null; echo $?
