# Two ranks that send a message to and fro, so many times: awk -v times=N -f ping_pong.awk
BEGIN {
    end = times * 40 + 100
    printf "#Paraver (28/11/2026 at 00:00):%.0f_ns:1(2):1:2(1:1,1:1)\n", end
    for (i = 0; i < times; i++) {
        t = i * 40 + 10
        printf "2:1:1:1:1:%.0f:50000001:1\n2:2:1:2:1:%.0f:50000001:2\n", t, t
        printf "2:1:1:1:1:%.0f:50000001:0\n3:1:1:1:1:%.0f:%.0f:2:1:2:1:%.0f:%.0f:1024:1\n", t + 5, t, t, t + 10, t + 10
        printf "2:1:1:1:1:%.0f:50000001:2\n", t + 6
        printf "2:2:1:2:1:%.0f:50000001:0\n2:2:1:2:1:%.0f:50000001:1\n", t + 10, t + 12
        printf "3:2:1:2:1:%.0f:%.0f:1:1:1:1:%.0f:%.0f:1024:1\n", t + 12, t + 12, t + 20, t + 20
        printf "2:2:1:2:1:%.0f:50000001:0\n2:1:1:1:1:%.0f:50000001:0\n", t + 17, t + 20
    }
}
