# Two groups of ranks, each with a loop of its own that nothing ties to the other's: one cut each, and none called sound.
awk 'function call(task, at, type, value, length_) {
    printf "%d 2:%d:1:%d:1:%d:%d:%d\n", at, task, task, at, type, value
    printf "%d 2:%d:1:%d:1:%d:%d:0\n", at + length_, task, task, at + length_, type
}
function swap(a, b, at) {
    call(a, at, 50000001, 1, 4000)
    call(b, at, 50000001, 2, 6000)
    printf "%d 3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:64:7\n", at, a, a, at, at, b, b, at, at + 6000
}
BEGIN {
    for (i = 0; i < 40; i++) {
        t = 3000000 + i * 1000000 + i * 7919 % 90000
        swap(1, 2, t)
        swap(2, 1, t + 20000)
        swap(1, 2, t + 40000)
    }
    for (i = 0; i < 15; i++) {
        t = 3100000 + i * 2600000 + i * 5003 % 90000
        swap(3, 4, t)
        swap(4, 3, t + 30000)
    }
}' | sort -n | { echo '#Paraver (01/01/2026 at 12:00):45000000_ns:1(4):1:4(1:1,1:1,1:1,1:1),0'; cut -d' ' -f2-; } >two.prv
prvcut -n two.prv
prvcut -n --json two.prv | grep '"sound"'
. "$data/loop.sh"
prvcut -n --json loop.prv | grep '"sound"'
prvcut structure two.prv
# What an index keeps is told as before.
prvcut -n --json two.prv >without.json
prvcut index two.prv >/dev/null
prvcut -n --json two.prv >with.json
for file in without with; do grep -v -e elapsed_s -e '"index"' $file.json >$file.told; done
cmp without.told with.told && echo 'the same with an index'
prvcut two.prv >/dev/null
prvcut --iterations 3 -o cut.prv two.prv | head -n 4
ls
