# What cannot be compared is refused with what can.
. "$data/loop.sh"
. "$data/slow.sh"
try() {
    prvcut diff "$@"
    echo $?
}
{
    try
    try loop.prv
    try loop.prv slow.prv other.prv
    try loop.prv missing.prv
    try missing.prv slow.prv
    for limit in 5 x -3% 5%% 1e9% ''; do
        try --fail-above "$limit" loop.prv slow.prv
    done
    head -c 3000 slow.prv >cut.prv
    try loop.prv cut.prv
    try cut.prv loop.prv
    try --lenient -q loop.prv cut.prv
    echo nothing >no.prv
    try loop.prv no.prv
    try --level 1,2 loop.prv slow.prv
    try --level 1 --region 1.1 loop.prv slow.prv
    try --region all loop.prv slow.prv
    try --region 1.1,1.1,1.1 loop.prv slow.prv
    try --region 1.1,1.7 loop.prv slow.prv
    try --region 1.7 loop.prv slow.prv
    try - slow.prv <loop.prv
    try loop.prv - <slow.prv
    try --json --csv loop.prv slow.prv
    try -o loop.prv loop.prv slow.prv
    try --json loop.prv cut.prv
} 2>&1
