# A trace as a database, and questions to it: typical iterations, all, windows; text, CSV, JSON.
zstd -qd "$samples/lu.S.8.prv.zst" -o lu.prv
zstd -qd "$samples/lu.S.8.pcf.zst" -o lu.pcf
cp "$samples/lu.S.8.row" lu.row
prvcut convert lu.prv lu.sqlite
prvcut convert lu.prv lu.sqlite; echo $?
prvcut sql lu.sqlite 'SELECT * FROM time_by_call'
# As the commands say.
prvcut profile --csv --top 5 lu.prv | cut -d, -f1-4
prvcut sql --csv lu.sqlite 'SELECT sender, receiver, messages, bytes FROM traffic ORDER BY 1, 2' >sql.csv
prvcut comm --csv lu.prv | cut -d, -f1-4 | sed 1d >comm.csv && sed 1d sql.csv | diff - comm.csv && echo traffic as comm
prvcut structure --csv lu.prv | head -n 3
prvcut sql --csv lu.sqlite 'SELECT iteration, begin_ns, length_ns FROM iterations LIMIT 2'
prvcut waits --csv lu.prv | sed -n 2p | cut -d, -f1,2,4
prvcut sql lu.sqlite "SELECT sum(ns) FROM waits WHERE metric = 'late_sender'"
# Each view has rows, or the trace nothing of the kind.
for view in time_by_call time_by_rank time_by_iteration slowest_calls slowest_iterations traffic message_sizes late_senders late_collectives counters_by_iteration; do
    prvcut sql --csv lu.sqlite "SELECT '$view', count(*) FROM $view" | tail -n 1
done
# Keys lead to each other.
prvcut sql lu.sqlite 'SELECT count(*) FROM messages m JOIN calls s ON s.call = m.send_call JOIN calls r ON r.call = m.complete_call WHERE s.rank = m.sender AND r.rank = m.receiver AND m.sent_ns BETWEEN s.begin_ns AND s.end_ns AND m.completed_ns BETWEEN r.begin_ns AND r.end_ns'
prvcut sql lu.sqlite 'SELECT count(*) FROM collective_members m JOIN calls c USING (call) WHERE c.collective = m.collective AND c.rank = m.rank'
# Of a trace: its typical iterations, all, some, a window, a region.
prvcut sql lu.prv 'SELECT count(*) AS calls, min(iteration), max(iteration) FROM calls'
prvcut sql --all lu.prv 'SELECT count(*) AS calls FROM calls'
prvcut sql --iteration 3-4 --json lu.prv 'SELECT iteration, count(*) AS messages FROM messages GROUP BY 1' | grep -vE '"(program|command)"'
prvcut sql --region 1.4 --csv lu.prv 'SELECT DISTINCT iteration FROM calls ORDER BY 1'
# Of a trace as of its database, whatever names the tables and columns.
alike() {
    prvcut sql --csv --all lu.prv "$1" | sed 1d >sql.csv
    prvcut sql --csv lu.sqlite "$1" | sed 1d | diff sql.csv - && cat sql.csv
}
alike 'SELECT count(*), sum(c.own_ns) FROM calls c JOIN collective_members m USING (call)'
alike 'SELECT count(*) FROM messages JOIN iterations USING (iteration)'
alike 'SELECT count(*) FROM messages NATURAL JOIN iterations'
alike 'SELECT count(*), sum(value) FROM events'
# Of iterations and regions each rank has its own part, as commands count it.
same() {
    prvcut sql --csv "$@" lu.prv 'SELECT name, calls, total_ns FROM time_by_call ORDER BY 1' | sed 1d >sql.csv
    prvcut profile --csv --iteration "${2:-13-14}" lu.prv | sed 1d | cut -d, -f1-3 | sort | diff sql.csv - && echo "as profile: $*"
}
same
same --iteration 3-4
prvcut sql --csv --region 2.1 lu.prv 'SELECT name, calls, total_ns FROM time_by_call ORDER BY 1' | sed 1d >sql.csv
prvcut profile --csv --region 2.1 lu.prv | sed 1d | cut -d, -f1-3 | sort | diff sql.csv - && wc -l <sql.csv
prvcut sql --csv --from 7300us --to 8000us lu.prv 'SELECT name, sum(begun), sum(members) FROM late_collectives GROUP BY name'
prvcut comm --from 7300us --to 8000us --json lu.prv | sed -n '/"collectives"/,/\]/p' | grep -E '"(name|calls)"'
prvcut sql --csv --from 40% --to 50% lu.prv 'SELECT sum(messages), sum(bytes) FROM traffic' | tail -n 1
prvcut comm --from 40% --to 50% --csv lu.prv | sed 1d | awk -F, '{ m += $3; b += $4 } END { print m "," b }'
# A database of a region, of iterations, of a window, of tasks: as commands tell these.
parts() {
    prvcut convert -q -f "$@" lu.prv part.sqlite && prvcut sql --csv part.sqlite 'SELECT name, calls, own_ns FROM time_by_call ORDER BY 1' | sed 1d
}
for part in '--region longest' '--iteration 7-9'; do
    parts $part >sql.csv
    prvcut profile --csv $part lu.prv | sed 1d | cut -d, -f1-3 | sort | diff sql.csv - && echo "as profile: $part"
done
parts --tasks 2-3 >sql.csv
prvcut sql --csv part.sqlite 'SELECT rank, threads, calls, calls_ns FROM time_by_rank'
prvcut profile --csv --by rank lu.prv | sed -n '1p;3,4p' | cut -d, -f1-5,7
prvcut sql --csv part.sqlite 'SELECT count(*), sum(sender IN (1, 2) OR receiver IN (1, 2)) FROM messages'
prvcut sql --csv lu.sqlite 'SELECT count(*) FROM messages WHERE sender IN (1, 2) OR receiver IN (1, 2)'
for table in calls states events waits waiting profile collective_members; do
    prvcut sql --csv part.sqlite "SELECT count(*), min(rank), max(rank) FROM $table" | tail -n 1
    prvcut sql --csv lu.sqlite "SELECT count(*), 1, 2 FROM $table WHERE rank IN (1, 2)" | tail -n 1
done | uniq -c
prvcut sql --csv part.sqlite 'SELECT group_concat(rank), count(begin_ns) FROM threads'
# What is to be known of the answers.
prvcut sql --csv part.sqlite 'SELECT * FROM notes'
# What began nobody knows when is left out, as commands do.
{
    echo '#Paraver (01/01/2026 at 12:00):1000_ns:2(1,1):1:2(1:1,1:2)'
    echo '2:1:1:1:1:100:50000001:0'
    printf '2:%s:1:%s:1:%s:50000001:%s\n' 1 1 200 1 2 2 200 2 1 1 300 0 2 2 400 0
} >odd.prv
prvcut sql --csv odd.prv --all 'SELECT name, calls FROM time_by_call ORDER BY 1'
prvcut profile --csv odd.prv | cut -d, -f1,2
prvcut sql --csv lu.sqlite 'SELECT cause, cause_thread, cause_rank, excess_ns, mask FROM points WHERE cause IS NOT NULL ORDER BY begin_ns LIMIT 2'
prvcut sql --from 40% --to 41% lu.prv 'SELECT count(*), min(begin_ns), max(end_ns) FROM calls'
prvcut sql --rows 2 lu.prv 'SELECT name FROM types ORDER BY type'
# Without labels calls of MPI have their names all the same, in each answer.
ln -s lu.prv bare.prv
prvcut sql --csv bare.prv 'SELECT name FROM time_by_call LIMIT 2'
prvcut waits bare.prv | sed -n 2p
# What is told of is the window, also where only that is asked.
prvcut sql --csv lu.prv "SELECT * FROM meta WHERE key IN ('begin_ns', 'end_ns', 'iterations')"
prvcut sql --csv lu.prv 'SELECT count(*), min(begin_ns), max(end_ns) FROM threads' | tail -n 1
prvcut sql --csv --all lu.prv 'SELECT count(*), min(begin_ns), max(end_ns) FROM threads' | tail -n 1
# All of it goes into a database: who only looks is told so.
prvcut convert -n lu.prv other.sqlite; echo $?
prvcut convert -n --json lu.prv other.sqlite | grep -E '"(from|to|lost)"'
prvcut convert -n lu.prv lu.sqlite; echo $?
prvcut convert -n --tasks 99 lu.prv other.sqlite; echo $?
# A database of other tables is told with the command that makes it anew; what nobody has can not be asked.
LC_ALL=C sed 's/schema\x04/schema\x03/' lu.sqlite >old.sqlite
prvcut sql old.sqlite 'SELECT count(*) FROM calls'; echo $?
mkdir of && mv old.sqlite of && prvcut sql of/old.sqlite 'SELECT 1'; mv lu.prv of && prvcut sql of/old.sqlite 'SELECT 1'
mv of/lu.prv elsewhere.prv && prvcut sql of/old.sqlite 'SELECT 1'; mv elsewhere.prv lu.prv && rm -r of
prvcut sql nope.sqlite 'SELECT 1'; echo $?
prvcut convert --iteration 3-4 lu.prv some.prv; echo $?
# What is refused.
prvcut sql lu.prv; echo $?
prvcut sql lu.prv 'DROP TABLE calls'; echo $?
prvcut sql lu.sqlite 'DELETE FROM calls'; echo $?
prvcut sql lu.prv 'SELECT 1; SELECT 2'; echo $?
prvcut sql lu.prv 'SELECT nix FROM calls'; echo $?
# Double quotes are for names; what is none is no text.
prvcut sql --csv lu.sqlite 'SELECT "name", "calls" AS "of it" FROM "time_by_call" LIMIT 1'
prvcut sql lu.prv 'SELECT count(*) FROM calls WHERE name = "MPI_Send"'; echo $?
prvcut sql lu.sqlite 'SELECT "nam" FROM calls'; echo $?
prvcut sql lu.sqlite "SELECT \"it's\" FROM calls"; echo $?
# A comment behind a question is none.
prvcut sql --csv lu.sqlite 'SELECT 1; -- one'; prvcut sql --csv lu.prv 'SELECT 2 AS n /* two */;; /* and */
-- no more'
prvcut sql lu.sqlite 'SELECT 1; /* one */ SELECT 2'; echo $?
# A text with a NUL would end there.
prvcut sql --json lu.sqlite "SELECT 'a' || char(0) || 'b'"; echo $?; prvcut sql --csv lu.sqlite "SELECT hex('a' || char(0) || 'b') AS x"
mkdir f.sqlite && prvcut sql f.sqlite 'SELECT 1'; echo $?; rmdir f.sqlite
prvcut sql lu.prv ''; echo $?
prvcut sql --all lu.sqlite 'SELECT 1'; echo $?
prvcut sql --all --from 1ms lu.prv 'SELECT 1'; echo $?
prvcut sql --time-limit 50ms lu.sqlite 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r'; echo $?
# What is refused when it runs, not before.
prvcut sql lu.sqlite "VACUUM INTO 'other.sqlite'"; echo $?; ls other.sqlite 2>/dev/null
prvcut sql - 'SELECT 1' <lu.prv; echo $?
cp lu.row no.sqlite && prvcut sql no.sqlite 'SELECT 1'; echo $?
prvcut convert --region 1.4 lu.prv some.paje; echo $?
prvcut convert --iteration 90 lu.prv some.sqlite; echo $?
prvcut convert --tasks 9 lu.prv some.sqlite; echo $?
printf '#Paraver (01/01/2026 at 12:00):25000000_ns:1(1):1:1(1:1),0\n1:1:1:1:1:0:9:1\n' >none.prv
prvcut sql none.prv 'SELECT count(*) FROM calls'; echo $?
prvcut sql --csv --all none.prv "SELECT value FROM meta WHERE key = 'no_loop'"
prvcut sql --iteration 3 none.prv 'SELECT count(*) FROM calls'; echo $?
rm -f part.sqlite
ls
# What stopped it is told, and nothing that does not help.
prvcut sql --rows 0 lu.sqlite 'SELECT 1'; echo $?
timeout --preserve-status -s INT 1 prvcut sql --time-limit 60s lu.sqlite 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r'; echo $?
# The typical iterations are those that are cut.
prvcut -n lu.prv | grep '^Cut' | cut -d, -f1
# More rows than are printed.
prvcut sql --csv --rows 1 lu.sqlite 'SELECT thread FROM threads'
