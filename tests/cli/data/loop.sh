# Make loop.prv (data/loop.awk) in the current folder: . "$data/loop.sh"
{
    echo '#Paraver (01/01/2026 at 12:00):25000000_ns:1(2):1:2(1:1,1:1),1'
    echo 'c:1:1:2:1:2'
    awk -f "$data/loop.awk" | sort -s -t: -k6,6n
} >loop.prv
