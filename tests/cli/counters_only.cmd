# A trace of nothing but counters: a reading every million instructions, four of them slow in each of 30 iterations of
# 16. With an index it is the same.
awk 'BEGIN {
    for (i = 0; i < 560; i++) {
        k = (i - 40) % 16; slow = i < 40 ? substr("0110001011101000110101100100111010010110", i + 1, 1) : i < 520 && k < 4
        t += slow ? 1000000 : 400000
        rows = rows sprintf("2:1:1:1:1:%.0f:42000050:1000000:42000059:%.0f\n", t, slow ? 2500000 : 1000000)
    }
    printf "#Paraver (01/01/2026 at 12:00):%.0f_ns:1(1):1:1(1:1)\n%s", t + 1, rows
}' >counted.prv
printf 'EVENT_TYPE\n7 42000050 PAPI_TOT_INS [Instr completed]\n7 42000059 PAPI_TOT_CYC [Total cycles]\n' >counted.pcf
prvcut structure counted.prv | tee plain.txt
prvcut index -q counted.prv
prvcut structure counted.prv | cmp - plain.txt
prvcut -n counted.prv | head -2
prvcut structure --metric computing counted.prv | head -1
