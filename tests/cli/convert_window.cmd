# Two iterations of one task, which has no partner left.
. "$data/loop.sh"
prvcut convert --from 9.9ms --to 11.9ms --tasks 2 loop.prv part.prv | sed "s|[0-9.]* kB|N kB|g"
sed '1s/([^)]*)/(DATE)/;1!{/^#/d;}' part.prv
