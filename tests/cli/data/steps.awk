# Two ranks: 40 steps of one to three tries of two calls each, and a broadcast once one is accepted, so
# that no two steps need be alike.
function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
function call(type, value, begin, end, r) {
    for (r = 1; r <= 2; r++) {
        printf "2:%d:1:%d:1:%.0f:%d:%d\n", r, r, begin + r, type, value
        printf "2:%d:1:%d:1:%.0f:%d:0\n", r, r, end + r, type
    }
}
BEGIN {
    seed = 7
    at = 1000
    call(50000003, 31, 100, 200)
    for (i = 0; i < 40; i++) {
        for (k = 1 + random(3); k > 0; k--) {
            call(50000002, 8, at + 20000, at + 21000)
            call(50000002, 10, at + 40000, at + 41000)
            at += 50000 + random(500)
        }
        call(50000002, 7, at, at + 800)
        at += 1000
    }
    call(50000003, 32, at + 100, at + 200)
}
