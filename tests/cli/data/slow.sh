# Make slow.prv in the current folder, as loop.prv but that task 2 computes 0.2 ms longer: . "$data/slow.sh"
{
    echo '#Paraver (01/01/2026 at 12:00):29000000_ns:1(2):1:2(1:1,1:1),1'
    echo 'c:1:1:2:1:2'
    sed 's/period = 1000000/period = 1200000/; s/t + 500000/t + 700000/g; s/t + 660000/t + 860000/g
        s/t + 820000/t + 1020000/g; s/t + 1000000/t + 1200000/g' "$data/loop.awk" >slow.awk
    awk -f slow.awk | sort -s -t: -k6,6n
    rm slow.awk
} >slow.prv
