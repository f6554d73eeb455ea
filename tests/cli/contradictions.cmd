. "$data/loop.sh"
mv loop.prv x.prv
prvcut --compress gz -o a.prv.zst x.prv; echo $?
prvcut --compress none -o a.prv.gz x.prv; echo $?
prvcut signal --json -o a.csv.gz x.prv; echo $?
prvcut structure --region 1.4 --level 2 x.prv; echo $?
