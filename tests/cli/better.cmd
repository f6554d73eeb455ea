# A cut that is not typical proposes one of more iterations that is; typed, it says so.
{
    echo '#Paraver (01/01/2026 at 12:00):51000000_ns:1(2):1:2(1:1,1:1),1'
    echo 'c:1:1:2:1:2'
    awk -f "$data/mixed.awk" | sort -s -t: -k6,6n
} >mixed.prv
prvcut mixed.prv | tee report
$(sed -n 's/^Next .*typical: \(prvcut .*\)/\1/p' report) | sed -n '/^Cut/p; /^Stands/p'
verdicts() { jq -c '.chops[0] | [.verdict, .better]'; }
prvcut -n -f --json mixed.prv | verdicts
prvcut -n -f --json --iterations 3 mixed.prv | verdicts
# Only what was chosen is chosen anew.
prvcut -n --json --iteration 4-5 mixed.prv | verdicts
ls
