# Make long.prv in the current folder, loop.awk's loop with 1200 iterations: . "$data/long.sh"
{
    echo '#Paraver (01/01/2026 at 12:00):1205000000_ns:1(2):1:2(1:1,1:1),1'
    echo 'c:1:1:2:1:2'
    sed 's/iterations = 20$/iterations = 1200/' "$data/loop.awk" | awk -f - | sort -s -t: -k6,6n
} >long.prv
