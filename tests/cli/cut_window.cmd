# Two iterations by hand; comments name the version and the command, so they are left out here.
. "$data/loop.sh"
prvcut cut --from 9.9ms --to 11.9ms loop.prv | sed "s|[0-9.]* kB|N kB|g"
ls
sed '1!{/^#/d;}' loop.cut.prv
