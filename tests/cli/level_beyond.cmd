. "$data/loop.sh"
prvcut --level 7 --quiet loop.prv; echo $?
prvcut --level 7 loop.prv | sed -n '1p; /^Note/p'
ls
echo "Of several levels, those that are there, with a note:"
for command in structure "structure --csv" ""; do
    # shellcheck disable=SC2086 # perhaps no word
    prvcut $command --level 1,2 loop.prv 2>&1 | grep 'no loop at level'
done
prvcut structure --level 1,2 loop.prv >/dev/null 2>&1; echo $?
prvcut structure --level 2,3 loop.prv 2>&1; echo $?
