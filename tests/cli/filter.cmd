# Records by what they are; comments name the version and the command, so they are left out here.
. "$data/loop.sh"
prvcut filter --events 50000001=1/0 --states Running --drop messages loop.prv | sed -E "s,[0-9.]+ k?B,N B,g"
ls
sed '1!{/^#/d;}' loop.filtered.prv | head -n 12
grep -c '^#prvcut .*: prvcut filter --events 50000001=1/0 --states Running --drop messages loop.prv$' loop.filtered.prv
