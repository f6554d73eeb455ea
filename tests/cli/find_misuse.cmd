# What find refuses, and what it says then.
. "$data/loop.sh"
prvcut find loop.prv; echo $?
prvcut find --like iteration=0 loop.prv; echo $?
prvcut find --like iteration=9999 loop.prv; echo $?
prvcut find --like pattern=0 loop.prv; echo $?
prvcut find --like pattern=9999 loop.prv; echo $?
prvcut find --like iteration=2 --mark loop.prv loop.prv; echo $?
prvcut find --like iteration=2 --cut loop.prv loop.prv; echo $?
prvcut find --like iteration=2 --cut best.otf2 loop.prv; echo $?
prvcut find --like 0%..100% --cut all.prv loop.prv | tail -n 1; test -e all.prv && echo there
prvcut find --like 5ms..3ms loop.prv; echo $?
prvcut find --like 0..0 loop.prv; echo $?
prvcut find --like 1.5..2.5 loop.prv; echo $?
prvcut find --like no-such.prv loop.prv; echo $?
prvcut find --like region=1.1 loop.prv; echo $?
prvcut find --like loop.prv --in loop.prv loop.prv; echo $?
prvcut find --like iteration=2 --max-distance 100% loop.prv; echo $?
prvcut find --like iteration=2 --max-distance 10000 loop.prv; echo $?
prvcut find --like iteration=2 --max-distance much loop.prv; echo $?
prvcut find --like iteration=2 --symbols colour loop.prv; echo $?
prvcut find --like 5ms..6ms --region 1.1 loop.prv; echo $?
# More calls than can be looked for.
{
    echo '#Paraver (28/11/2026 at 00:00):1000000_ns:1(1):1:1(1:1)'
    awk 'BEGIN { for (i = 0; i < 65537; i++) printf "2:1:1:1:1:%d:50000002:8\n2:1:1:1:1:%d:50000002:0\n", 10 * i, 10 * i + 5 }'
} >long.prv
prvcut find --like 0%..100% long.prv; echo $?
prvcut find --like iteration=2 - <loop.prv; echo $?
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:1(1):1:1(1:1)'
    echo 1:1:1:1:1:0:1000:1
} >one.prv
prvcut find --like 0%..50% one.prv; echo $?
prvcut find --like iteration=1 one.prv; echo $?
# With a call, but without a loop.
{
    echo '#Paraver (28/11/2026 at 00:00):1000_ns:1(1):1:1(1:1)'
    echo 2:1:1:1:1:300:50000002:8
    echo 2:1:1:1:1:400:50000002:0
} >two.prv
prvcut find --like 0%..10% two.prv; echo $?
prvcut find --like iteration=1 two.prv; echo $?
prvcut find --like pattern=1 two.prv; echo $?
