# Of a range those with too few iterations are left out; a region that is named is refused.
for end in prv.zst pcf.zst row; do cp "$samples/lu.S.8.$end" .; done
prvcut -n --region 1.1-1.3 lu.S.8.prv.zst | grep -E 'iterations [0-9]|Note'
prvcut -n --region 1.2,1.3 lu.S.8.prv.zst 2>&1; echo $?
prvcut -n --iterations 40 --region 1.1-1.3 lu.S.8.prv.zst 2>&1; echo $?
prvcut -n --iterations 1 --region 1.1-1.3 lu.S.8.prv.zst | grep -c 'iteration [0-9]'
