# A message crosses the border: nothing is written.
. "$data/loop.sh"
prvcut convert --strict --to 10.65ms loop.prv part.prv
echo $?
ls
