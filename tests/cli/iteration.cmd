# Iterations and regions by the names that are printed: in the job, in cut, in structure and signal.
. "$data/loop.sh"
prvcut -q --iteration 3 loop.prv
prvcut -q --iteration 3-5 loop.prv
prvcut -q --region 1.1 loop.prv
prvcut -q --regions 1 -o old loop.prv
prvcut -q --level 1,1 --region longest -f -o two loop.prv
prvcut -q cut --region 1.1 -o region loop.prv
prvcut -q cut --iteration 3 -o third loop.prv
prvcut -q cut --from '5.6 ms' --to 6600000 -o time loop.prv
ls
# Both commands cut the same iterations alike; a region is cut whole.
prvcut -q --iteration 3 -o third2 loop.prv
grep -v '^#' third.prv >a; grep -v '^#' third2.prv | cmp - a && echo alike
prvcut cut -q -f --region longest loop.prv
for cut in region loop.1.1; do grep -v "^#" $cut.prv | cksum; done | uniq | wc -l
prvcut cut --iteration 3 --max-size 1k -n -f loop.prv | sed -n '/^Size/p'
# Iteration 3 is what its times say, and each side of it another one.
prvcut --iteration 4 -n --json loop.prv | jq -c '.chops[] | .kind'
prvcut structure --csv loop.prv | sed -n '1p;4p;$p'
prvcut structure --csv --iteration 18-19 loop.prv
prvcut structure --iteration 2-3 loop.prv
prvcut structure --iteration 2-3 --json loop.prv | jq -c '.iterations[] | [.iteration, .region, .start_ns, .end_ns]'
prvcut structure --json loop.prv | jq -c '.iterations'
prvcut structure --depth 1 --region 1.1 --csv loop.prv | wc -l
prvcut structure --levels 1 --level 1 --json loop.prv | jq -c '[.regions[].kind]'
prvcut signal --bins 1 --iteration 3 loop.prv | cut -d, -f1
prvcut signal --bins 1 --region 1.1 --csv loop.prv | cut -d, -f1
# What there is not, and what cannot be both.
refused() {
    words=$(prvcut "$@" 2>&1 >/dev/null)
    echo "$? $words"
}
refused --iterations 60-63 loop.prv
refused --iteration 0 loop.prv
refused --iteration 4-3 loop.prv
refused --iteration 62 loop.prv
refused --region 1.9 loop.prv
refused --region 2.1 loop.prv
refused --region 1.4.1 loop.prv
refused --region 1.1 --iteration 3 --iterations 2 loop.prv
refused --iteration 3 --outliers 1 loop.prv
refused --iteration 3 --region all loop.prv
refused --level 2 --region 1.1 loop.prv
refused cut --region 1.1 --from 1ms loop.prv
refused cut --iteration 3 --to 1ms loop.prv
refused cut --region 1.1,1.2 loop.prv
refused cut --iteration 62 loop.prv
refused structure --level 7 loop.prv
refused structure --region 1.9 --csv loop.prv
refused cut --from 1.5 loop.prv
