# What comes back: where each loop's body stands once, and in the calls as they are; text, CSV, JSON.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
prvcut patterns --repeats lu.prv
prvcut patterns --repeats --min-length 5 --csv lu.prv
prvcut patterns --repeats --raw --min-length 40 --csv --tasks 1 lu.prv | cut -c1-120 | head -n 8
prvcut patterns --repeats --json -T 3 lu.prv | grep -A 40 '"repeats_left"'
# Figure 5 of Alawneh 2011: S2 S3 R2 S5 (S2 S3 R2)x3 S4 S2 S3 R2: one stretch, five times.
{
    echo '#Paraver (28/11/2026 at 00:00):100000_ns:1(1):1:1(1:1)'
    at=0
    for call in 1 2 3 7 1 2 3 1 2 3 1 2 3 8 1 2 3; do
        at=$((at + 1000))
        echo "2:1:1:1:1:$at:50000002:$call"
        echo "2:1:1:1:1:$((at + 500)):50000002:0"
    done
} >figure.prv
printf 'EVENT_TYPE\n9 50000002 MPI Collective Comm\nVALUES\n1 S2\n2 S3\n3 R2\n7 S5\n8 S4\n0 Outside MPI\n' >figure.pcf
prvcut patterns --repeats --raw figure.prv
prvcut patterns --repeats --raw --json figure.prv | tr -d ' \n' | grep -o '"positions":[^]]*'
prvcut patterns --repeats figure.prv
# Nothing comes back; not with points; not without.
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:1(1):1:1(1:1)'
    echo 1:1:1:1:1:0:1000:1
} >one.prv
prvcut patterns --repeats one.prv; echo $?
prvcut patterns --repeats --poi lu.prv; echo $?
prvcut patterns --raw lu.prv; echo $?
prvcut patterns --repeats --min-length 0 lu.prv; echo $?
