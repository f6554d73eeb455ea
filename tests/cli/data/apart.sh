# Make apart.prv in the current folder: loop.prv where task 1 runs on another node, whose clock is $ahead us (300) ahead:
# . "$data/apart.sh"
ahead=${ahead:-300}
{
    echo '#Paraver (01/01/2026 at 12:00):26000000_ns:2(1,1):1:2(1:1,1:2),1'
    echo 'c:1:1:2:1:2'
    sed 1,2d loop.prv | awk -F: -v "ahead=${ahead}000" 'BEGIN { OFS = ":" }
        $4 == 1 { $6 += ahead } $4 == 1 && $1 != 2 { $7 += ahead }
        $1 == 3 && $10 == 1 { $12 += ahead; $13 += ahead } { print }' | sort -s -t: -k6,6n
} >apart.prv
