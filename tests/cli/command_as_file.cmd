# A trace that is called like a command.
. "$data/loop.sh"
cp loop.prv info
prvcut -n ./info | sed -n 's/:.*//; 1p'
prvcut -n -- info | sed -n 's/:.*//; 1p'
