# Make slow.prv in the current folder, as loop.prv but that task 2 computes $longer us (200) longer in each iteration:
# . "$data/slow.sh"
longer=${longer:-200}
{
    echo "#Paraver (01/01/2026 at 12:00):$((25000000 + 20 * longer * 1000))_ns:1(2):1:2(1:1,1:1),1"
    echo 'c:1:1:2:1:2'
    sed "s/period = 1000000/period = $((1000 + longer))000/; s/t + 500000/t + $((500 + longer))000/g
        s/t + 660000/t + $((660 + longer))000/g; s/t + 820000/t + $((820 + longer))000/g
        s/t + 1000000/t + $((1000 + longer))000/g" "$data/loop.awk" >slow.awk
    awk -f slow.awk | sort -s -t: -k6,6n
    rm slow.awk
} >slow.prv
