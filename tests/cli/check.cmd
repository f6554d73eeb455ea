. "$data/loop.sh"
prvcut check loop.prv >/dev/null; echo $?
prvcut check --json loop.prv | grep '"schema"'
sed 's/^2:1:1:1:1:10600000:/2:1:1:9:1:10600000:/' loop.prv >bad.prv
prvcut check bad.prv >/dev/null; echo $?
