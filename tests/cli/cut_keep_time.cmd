. "$data/loop.sh"
prvcut cut -q --keep-time --from 40% --to 11100us -o part.prv loop.prv
sed '1!{/^#/d;}' part.prv
