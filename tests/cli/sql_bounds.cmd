# Questions that end in their time whatever function they call; databases of others, and damaged ones.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
prvcut convert -q lu.prv lu.sqlite
ask() {
    prvcut sql --csv --time-limit 1s "$@"
    echo $?
}
# 900,000 zeros; a printf() that long takes its room character by character from the half of the limit on.
many='hex(zeroblob(450000))'
# What one call would need gigabytes or hours for is refused; what many calls need time for ends.
ask lu.sqlite 'SELECT length(randomblob(1000000000))'
ask lu.sqlite 'SELECT length(hex(zeroblob(500000000)))'
ask lu.sqlite "SELECT length(printf('%.*c', 900000000, 'x'))"
ask lu.sqlite "SELECT length(format('%.2000000000c', 'x'))"
ask lu.sqlite "SELECT instr($many, printf('%.*c', 400000, '0') || 'y')"
ask lu.sqlite "SELECT length(replace($many, '0', printf('%.*c', 400000, 'x')))"
ask lu.sqlite "SELECT $many LIKE printf('%%%.*c', 900, '0') || 'y%'"
ask lu.sqlite "SELECT $many GLOB printf('*%.*c', 5000, '0') || 'y*'"
ask lu.sqlite "SELECT length(trim($many, printf('%.*c0', 400000, 'y')))"
ask lu.sqlite "SELECT sum(instr($many, printf('%.*c', 200 - call % 2, '0') || 'y')) FROM calls"
ask lu.sqlite "SELECT sum($many LIKE printf('%%%.*c', 200 - call % 2, '0') || 'y%') FROM calls"
# These are SQLite's own otherwise.
ask lu.sqlite "SELECT name FROM calls WHERE name LIKE 'mpi\\_r%' ESCAPE '\\' AND name GLOB 'MPI_R*' LIMIT 1"
ask lu.sqlite "SELECT NULL LIKE 'a', 'a' LIKE NULL, instr(NULL, 1), 'aB' LIKE 'Ab', 'aB' GLOB 'Ab', 'é_' LIKE '__'"
ask lu.sqlite "SELECT replace('abcabc', 'b', 'xy'), instr('äbc', 'c'), trim('  a '), trim('xxaxx', 'x'), ltrim('xa', 'x'), rtrim('ax', 'x')"
ask lu.sqlite "SELECT printf('%d %% %s %5.1f %-4s|', 1, 'a', 2.25, 'b'), format('%,d', 12345), printf(NULL), printf('%*d', 4, 7)"
ask lu.sqlite "SELECT 'a' LIKE 'b' ESCAPE 'cd'"
# Of a trace as of its database.
ask --all lu.prv 'SELECT length(randomblob(1000000000))'
# Databases of others are not asked, whatever their tables are called.
LC_ALL=C sed 's/schema\x04/scheme\x04/' lu.sqlite >other.sqlite && ask other.sqlite 'SELECT count(*) FROM calls'
LC_ALL=C sed 's/prvcut [0-9]/places 7/' lu.sqlite >other.sqlite && ask other.sqlite 'SELECT count(*) FROM calls'
: >other.sqlite && ask other.sqlite 'SELECT 1'
prvcut sql --json other.sqlite 'SELECT 1' | grep -E '"(status|text)"'
# Damage is status 3, wherever it is found.
all="SELECT $(for table in meta threads types iterations calls messages states events profile waits; do printf "(SELECT count(*) FROM (SELECT DISTINCT * FROM %s)) + " $table; done) 0"
pages=$(($(wc -c <lu.sqlite) / 8192))
for part in 0 1 2 3 4 5 6 7 8 9; do
    cp lu.sqlite damaged.sqlite && dd if=/dev/zero of=damaged.sqlite bs=8192 count=$((pages / 10)) seek=$((pages * part / 10)) conv=notrunc status=none
    prvcut sql --csv damaged.sqlite "$all" >damaged.csv 2>damaged.txt
    echo "$? $(sed 's/: [^:]*; try.*//' damaged.txt)"
done | sort | uniq -c
for part in 1 4 7 9; do
    dd if=lu.sqlite of=damaged.sqlite bs=8192 count=$((pages * part / 10)) status=none
    ask damaged.sqlite "$all" 2>&1
done
head -c 50 lu.sqlite >damaged.sqlite && ask damaged.sqlite 'SELECT 1'
rm -f damaged.* other.sqlite
