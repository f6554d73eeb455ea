# What --archive writes is sound; what is no archive is refused.
. "$data/loop.sh"
prvcut --quiet --archive a.tar.zst loop.prv; echo $?
prvcut verify a.tar.zst | awk '{ print $1, $NF }'
prvcut verify --json a.tar.zst | jq -c '[.schema, .wrong, (.entries | length > 3)]'
prvcut verify --csv a.tar.zst | cut -d, -f1,2
prvcut verify -q a.tar.zst; echo $?
prvcut verify loop.prv; echo $?
ls
