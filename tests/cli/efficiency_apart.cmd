# An application that has no part in the loop has no factors of its iterations, and the reason why.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
{
    sed -n '1s/:1:\(8([^)]*)\),[0-9]*$/:2:\1,2(1:1,1:1)/p' lu.prv
    {
        grep '^[123]:' lu.prv
        # Calls of MPI at times that repeat nothing, on two ranks.
        awk -v OFS=: 'BEGIN {
            for (t = 1000000; t < 128000000; t += d + x % 7 * 900000 + 50000) {
                x = (x * 1103 + 12345) % 65537; d = 100000 + x * 40
                for (k = 1; k < 3; k++) {
                    print 2, k, 2, k, 1, t, 50000002, 10
                    print 2, k, 2, k, 1, t + d, 50000002, 0
                }
            }
        }'
    } | sort -s -t : -n -k 6,6
} >two.prv
for by in iteration region; do
    prvcut efficiency --by $by --csv two.prv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n[$at["application"]]++; told[$at["application"]] += $at["parallel"] != "" }
        END { for (a in n) print a, n[a], told[a] }' | sort
    prvcut efficiency --by $by two.prv | grep -A1 'all factors'
done
prvcut efficiency --by iteration --json two.prv | grep -c "a loop that the application has no part in"
