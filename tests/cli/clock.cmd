# Instructions as the clock: a loop is as many of them long whatever time it takes. A reading each million, 16 in an iteration,
# four of them slow; and a pause of up to 20 ms anywhere, which spoils the times.
awk 'function draw(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }
BEGIN {
    seed = 5
    for (i = 0; i < 560; i++) {
        k = (i - 40) % 16
        slow = i < 40 ? draw(2) : i < 520 && k < 4
        t += (slow ? 1000000 : 400000) + (draw(3) == 0 ? draw(20000) * 1000 : 0)
        rows = rows sprintf("2:1:1:1:1:%.0f:42000050:1000000:42000059:%.0f:42000000:%d\n", t, slow ? 2500000 : 1000000, k == 7 ? 9000 : 10)
    }
    printf "#Paraver (01/01/2026 at 12:00):%.0f_ns:1(1):1:1(1:1)\n%s", t + 1, rows
}' >counted.prv
printf 'EVENT_TYPE\n7 42000000 PAPI_L1_DCM [L1D cache misses]\n7 42000050 PAPI_TOT_INS [Instr completed]\n7 42000059 PAPI_TOT_CYC [Total cycles]\n' >counted.pcf
prvcut structure counted.prv | head -n 1
prvcut structure --clock instructions counted.prv
prvcut structure --clock instructions=500000 --metric counter:PAPI_L1_DCM counted.prv 2>&1 | head -n 2
prvcut structure --clock instructions --json counted.prv 2>/dev/null | grep -E '"(clock|end_ns)"' | head -n 2
prvcut structure --clock instructions --iteration 3 counted.prv
prvcut structure --clock time counted.prv | head -n 1
# Its signals: per instruction, in bins of instructions.
prvcut signal --clock instructions --bins 4 counted.prv
prvcut signal --clock instructions --metric counter:PAPI_L1_DCM --from 40ms --to 56ms --bins 4 counted.prv
prvcut signal --clock instructions --region 1.1 --bins 1 counted.prv
prvcut signal --clock instructions --plot ipc.svg counted.prv && grep -oE 'instructions for time[^<)]*|Instructions as time[^<]*' ipc.svg
prvcut signal --clock instructions --show autocorrelation --json --bins 560 counted.prv 2>/dev/null | grep '"clock"'
# Of a table, too.
(echo 'time_ms;instructions;cycles'; awk -F: '/^2/ { print $6 / 1e6 ";" $8 ";" $10 }' counted.prv) >counted.csv
prvcut structure --clock instructions --series counted.csv | head -n 1
# What it needs.
grep -v 42000059 counted.pcf >no.pcf
sed 's/:42000059:[0-9]*//; s/:42000000:[0-9]*//' counted.prv >no.prv
. "$data/loop.sh"
for refused in 'no.prv' '--metric instructions counted.prv' '--metric counter:none counted.prv' loop.prv \
    '--metric cycles --series counted.csv' '-'; do
    # shellcheck disable=SC2086 # words
    prvcut signal --clock instructions $refused <counted.prv; echo $?
done
for step in 0 1 99999999999 1e6 x; do prvcut signal --clock instructions=$step counted.prv; echo $?; done
prvcut structure --clock seconds counted.prv; echo $?
# A format that is only read is not cut by time: that part of it is converted.
cp "$data/../../fuzz/corpus/litl/golden" log.trace
prvcut cut --from 100ns --to 50% log.trace; echo $?
