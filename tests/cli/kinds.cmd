# Kinds of iterations are named: 12 iterations of 1 ms, 12 of 3 ms, two collectives in each.
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):60000000_ns:1(2):1:2(1:1,1:1),0"
    t = 4000000
    for (i = 0; i < 24; i++) {
        for (task = 1; task <= 2; task++) {
            printf "%d 2:%d:1:%d:1:%d:50000002:10\n", t, task, task, t
            printf "%d 2:%d:1:%d:1:%d:50000002:0\n", t + 5000, task, task, t + 5000
            printf "%d 2:%d:1:%d:1:%d:50000002:8\n", t + 400000, task, task, t + 400000
            printf "%d 2:%d:1:%d:1:%d:50000002:0\n", t + 405000, task, task, t + 405000
        }
        t += (i * 7 % 24 < 12 ? 1000000 : 3000000) + i * 7919 % 20000
    }
}' | awk 'NR == 1 { print "0 " $0; next } { print }' | sort -s -n | cut -d' ' -f2- >two.prv
prvcut -n two.prv
prvcut -n --json two.prv | jq -c .kinds
prvcut -n --json two.prv | jq -c '.chops[].holds_kinds'
# A cut of one kind does not tell of the other.
prvcut -n --iteration 15-16 two.prv | sed -n '/^Stands for/,/^Time/p'
prvcut -n --json --iteration 15-16 two.prv | jq -c '.chops[] | {holds_kinds, of_kind}'
echo '--- one cut of each'
prvcut -n --kinds two.prv
prvcut -q --kinds two.prv
ls two.kind*.prv
prvcut -n -f --kinds --iterations 3 -v two.prv | sed -n '/^Cut 1/,/^estimated/p'
prvcut -n -f --kinds --iterations 3 two.prv | grep Note
prvcut -n -f --kinds --proof two.prv | sed -n '/^Stands for/,$p'
prvcut -n -f --kinds --json two.prv |
    jq -c '(.chops[] | {name, kind, of_kind, stands_for, weight, share, verdict, windows, first_iteration, last_iteration}), .totals[]'
# One of two kinds is named in vain where a cut stands already; regions, levels and iterations are no kinds.
prvcut -q --kinds two.prv
for options in '--region 1.1' '--level 1' '--iteration 2' --quick --no-proof; do
    prvcut -n -f --kinds $options two.prv
done
echo '--- one kind'
. "$data/loop.sh"
prvcut -n --json loop.prv | jq -c .kinds
prvcut -n --kinds loop.prv
prvcut -n --kinds --json loop.prv | jq -c '(.chops[] | {name, of_kind, stands_for, weight, share}), (.totals[] | select(.unit != "ns"))'
echo '--- of no kind: the 13th of 2 ms'
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):90000000_ns:1(2):1:2(1:1,1:1),0"
    t = 4000000
    for (i = 0; i < 30; i++) {
        for (task = 1; task <= 2; task++) {
            printf "%d 2:%d:1:%d:1:%d:50000002:10\n", t, task, task, t
            printf "%d 2:%d:1:%d:1:%d:50000002:0\n", t + 5000, task, task, t + 5000
            printf "%d 2:%d:1:%d:1:%d:50000002:8\n", t + 400000, task, task, t + 400000
            printf "%d 2:%d:1:%d:1:%d:50000002:0\n", t + 405000, task, task, t + 405000
        }
        t += (i == 12 ? 2000000 : i * 7 % 24 < 12 ? 1000000 : 3000000) + i * 7919 % 20000
    }
}' | awk 'NR == 1 { print "0 " $0; next } { print }' | sort -s -n | cut -d' ' -f2- >single.prv
prvcut -n --outliers 2 single.prv
echo '--- the same are unusual to all who tell of them, also where one is shorter than any'
awk -F: -v OFS=: '
    function sooner(at) { return at > 5500000 ? at - 500000 : at }
    /^#/ { print; next }
    { $6 = sooner($6); print }' single.prv >both.prv
for trace in single two both; do
    prvcut structure --json $trace.prv | jq -c '[.regions[].outliers[].iteration] | sort'
    prvcut -n --outliers 9 --json $trace.prv |
        jq -c '[.chops[] | select(.kind == "outlier").first_iteration] | sort'
    prvcut profile --why outliers -v --json $trace.prv | jq -c '[.why.slow[].iteration] | sort'
done
prvcut profile --why outliers both.prv
echo '--- more iterations than are measured'
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):9000000000_ns:1(2):1:2(1:1,1:1),0"
    t = 4000000
    s = 7
    for (i = 0; i < 3000; i++) {
        s = s * 16807 % 2147483647
        for (task = 1; task <= 2; task++) {
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:10\n", t, task, task, t
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:0\n", t + 5000, task, task, t + 5000
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:8\n", t + 400000, task, task, t + 400000
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:0\n", t + 405000, task, task, t + 405000
        }
        t += (s % 100 < 60 ? 1000000 : 3000000) + i * 7919 % 20000
    }
}' | awk 'NR == 1 { print "0 " $0; next } { print }' | sort -s -n | cut -d' ' -f2- >long.prv
prvcut -n --kinds --json long.prv |
    jq -c '(.chops[] | {name, weight, share, verdict, windows, iterations: .window.iterations}), .totals[]'
echo '--- kinds in stretches: the cut is of the one that takes most of the time, and is told beside it; from a pipe, too'
awk 'BEGIN {
    print "#Paraver (01/01/2026 at 12:00):500000000_ns:1(2):1:2(1:1,1:1),0"
    t = 4000000
    s = 7
    for (i = 0; i < 126; i++) {
        long = substr("011002201100220110", int(i / 7) + 1, 1) + 0
        s = s * 16807 % 2147483647
        each = long ? 3500000 + s % 3000000 : 1000000 + s % 20000
        call = each * (long == 1 ? 0.3 : long == 2 ? 0.7 : 0.5)
        for (task = 1; task <= 2; task++) {
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:10\n", t, task, task, t
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:0\n", t + 5000, task, task, t + 5000
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:8\n", t + each - call, task, task, t + each - call
            printf "%.0f 2:%d:1:%d:1:%.0f:50000002:0\n", t + each - 1000, task, task, t + each - 1000
        }
        t += each
    }
}' | awk 'NR == 1 { print "0 " $0; next } { print }' | sort -s -n | cut -d' ' -f2- >turns.prv
prvcut -n turns.prv
prvcut -n --iterations 1 turns.prv | grep '^Stands'
prvcut --follow -f -o piped.prv - <turns.prv 2>/dev/null | sed -n '/^Cut/,/^Time/p'
# What is asked for is told beside its own kind; what holds both beside all.
for iterations in 2-3 21-22; do
    prvcut -n --iteration $iterations turns.prv | sed -n '/^Stands/,/^Time/p'
    prvcut -n --json --iteration $iterations turns.prv | jq -c '.chops[] | {holds_kinds, beside_kind, verdict, windows}'
done
prvcut -n --proof turns.prv | sed -n '/^Stands for its/,$p'
