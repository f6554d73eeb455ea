#include "database/database.h"

/* Roles of MPI's calls. */
#define DBS_MPI "IN ('p2p', 'collective', 'mpi')"
/* Calls that commands count: those of MPI; of a trace without any, functions and regions. */
#define DBS_COUNTED "(role " DBS_MPI " OR NOT EXISTS (SELECT 1 FROM calls WHERE role " DBS_MPI "))"

/* Messages that comm counts: those that are sent in the window, to or from unknown ranks, too; a
   receive without its send only where no send of its sender is told, else it might be one of those
   that met none. */
#define DBS_SENT                                                                                   \
    "ifnull(sent_ns, completed_ns) >= (SELECT value FROM meta WHERE key = 'begin_ns') AND"         \
    " (sent_ns IS NOT NULL OR sender IS NULL OR sender NOT IN (SELECT sender FROM messages"        \
    " WHERE sent_ns IS NOT NULL AND sender IS NOT NULL))"
/* Ranks of one application, as far as they are known. */
#define DBS_WITHIN                                                                                 \
    "ifnull((SELECT application FROM threads WHERE rank = sender LIMIT 1) ="                       \
    " (SELECT application FROM threads WHERE rank = receiver LIMIT 1), 1)"

#define NAMES "thread INTEGER NOT NULL, rank INTEGER NOT NULL"

struct dbs_schema {
    const char *name, *sql, *index;
};

/* Columns stand in the order in which rows are put. Times are ns from the start of the trace;
   ranks count from 0, threads, iterations and all keys from 1; NULL is what is not told. */
static const struct dbs_schema dbs_schema[DBS_TABLES] = {
    [DBS_META] = { "meta", "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;", "" },
    [DBS_THREADS] = { "threads",
                      "CREATE TABLE threads(thread INTEGER PRIMARY KEY, name TEXT NOT NULL,"
                      " rank INTEGER NOT NULL, application INTEGER NOT NULL,"
                      " number INTEGER NOT NULL, node TEXT,"
                      " begin_ns INTEGER, end_ns INTEGER);",
                      "CREATE INDEX threads_by_rank ON threads(rank);" },
    [DBS_COMMUNICATORS] = { "communicators",
                            "CREATE TABLE communicators(application INTEGER NOT NULL,"
                            " communicator INTEGER NOT NULL, position INTEGER NOT NULL,"
                            " rank INTEGER NOT NULL);",
                            "CREATE INDEX communicators_by_id ON"
                            " communicators(application, communicator, position);" },
    [DBS_TYPES] = { "types",
                    "CREATE TABLE types(type INTEGER PRIMARY KEY, name TEXT, role TEXT NOT NULL,"
                    " belongs_to TEXT, unit TEXT);",
                    "" },
    [DBS_TYPE_VALUES] = { "type_values",
                          "CREATE TABLE type_values(type INTEGER NOT NULL, value INTEGER NOT NULL,"
                          " name TEXT, file TEXT, line INTEGER, PRIMARY KEY(type, value))"
                          " WITHOUT ROWID;",
                          "" },
    [DBS_REGIONS] = { "regions",
                      "CREATE TABLE regions(region TEXT, level INTEGER NOT NULL,"
                      " begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, iterations REAL,"
                      " first INTEGER, period_ns REAL, median_ns REAL, spread_ns REAL,"
                      " sure REAL);",
                      "" },
    [DBS_ITERATIONS] = { "iterations",
                         "CREATE TABLE iterations(iteration INTEGER PRIMARY KEY,"
                         " region TEXT, begin_ns INTEGER NOT NULL,"
                         " end_ns INTEGER NOT NULL, length_ns INTEGER NOT NULL,"
                         " disturbed INTEGER NOT NULL);",
                         "" },
    [DBS_CALLS] = { "calls",
                    "CREATE TABLE calls(call INTEGER PRIMARY KEY, " NAMES ","
                    " type INTEGER NOT NULL, value INTEGER NOT NULL, name TEXT,"
                    " role TEXT NOT NULL, begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL,"
                    " duration_ns INTEGER NOT NULL, own_ns INTEGER NOT NULL,"
                    " begun INTEGER NOT NULL, whole INTEGER NOT NULL, iteration INTEGER,"
                    " partner INTEGER, partners INTEGER NOT NULL, sent_bytes INTEGER,"
                    " received_bytes INTEGER, communicator INTEGER, collective INTEGER);",
                    "CREATE INDEX calls_by_time ON calls(thread, begin_ns);" },
    [DBS_MESSAGES] = { "messages",
                       "CREATE TABLE messages(message INTEGER PRIMARY KEY, sender INTEGER,"
                       " receiver INTEGER, sender_thread INTEGER, receiver_thread INTEGER,"
                       " bytes INTEGER, tag INTEGER, communicator INTEGER, sent_ns INTEGER,"
                       " transferred_ns INTEGER, posted_ns INTEGER, completed_ns INTEGER,"
                       " send_call INTEGER, complete_call INTEGER, fate TEXT NOT NULL,"
                       " iteration INTEGER);",
                       "CREATE INDEX messages_by_ranks ON messages(sender, receiver);" },
    [DBS_COLLECTIVES] = { "collectives",
                          "CREATE TABLE collectives(collective INTEGER PRIMARY KEY, name TEXT,"
                          " application INTEGER NOT NULL, communicator INTEGER, root INTEGER,"
                          " members INTEGER NOT NULL, expected INTEGER NOT NULL,"
                          " nonblocking INTEGER NOT NULL, first_begin_ns INTEGER NOT NULL,"
                          " last_begin_ns INTEGER NOT NULL, first_end_ns INTEGER NOT NULL,"
                          " last_end_ns INTEGER NOT NULL, fate TEXT NOT NULL,"
                          " iteration INTEGER, begun INTEGER NOT NULL);",
                          "" },
    [DBS_COLLECTIVE_MEMBERS] = { "collective_members",
                                 "CREATE TABLE collective_members(collective INTEGER NOT NULL,"
                                 " rank INTEGER NOT NULL, call INTEGER, sent_bytes INTEGER,"
                                 " received_bytes INTEGER, PRIMARY KEY(collective, rank))"
                                 " WITHOUT ROWID;",
                                 "" },
    [DBS_STATES] = { "states",
                     "CREATE TABLE states(" NAMES ", state INTEGER NOT NULL, name TEXT,"
                     " begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, iteration INTEGER);",
                     "" },
    [DBS_EVENTS] = { "events",
                     "CREATE TABLE events(" NAMES ", time_ns INTEGER NOT NULL,"
                     " type INTEGER NOT NULL, value INTEGER NOT NULL, iteration INTEGER);",
                     "" },
    [DBS_COUNTERS] = { "counters",
                       "CREATE TABLE counters(" NAMES ", time_ns INTEGER NOT NULL,"
                       " type INTEGER NOT NULL, value INTEGER NOT NULL, iteration INTEGER);",
                       "" },
    [DBS_PROFILE] = { "profile",
                      "CREATE TABLE profile(rank INTEGER NOT NULL, call TEXT NOT NULL,"
                      " calls INTEGER, ns INTEGER NOT NULL, mean_ns REAL, least_ns INTEGER,"
                      " most_ns INTEGER);",
                      "" },
    [DBS_ITERATION_COUNTERS] = { "counters_by_iteration",
                                 "CREATE TABLE counters_by_iteration(iteration INTEGER NOT NULL,"
                                 " rank INTEGER NOT NULL, name TEXT NOT NULL,"
                                 " value INTEGER NOT NULL);",
                                 "" },
    [DBS_WAITS] = { "waits",
                    "CREATE TABLE waits(metric TEXT NOT NULL, rank INTEGER NOT NULL, path TEXT,"
                    " ns INTEGER NOT NULL);",
                    "" },
    [DBS_WAITING] = { "waiting",
                      "CREATE TABLE waiting(metric TEXT NOT NULL, " NAMES ","
                      " begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, ns INTEGER NOT NULL,"
                      " cause_thread INTEGER, cause INTEGER, cause_begin_ns INTEGER,"
                      " iteration INTEGER);",
                      "" },
    [DBS_POINTS] = { "points",
                     "CREATE TABLE points(iteration INTEGER, thread INTEGER NOT NULL,"
                     " rank INTEGER NOT NULL, begin_ns INTEGER NOT NULL,"
                     " length_ns INTEGER NOT NULL, median_ns INTEGER NOT NULL, factor REAL,"
                     " alike INTEGER NOT NULL, outlier INTEGER NOT NULL, call TEXT,"
                     " cause TEXT, cause_thread INTEGER, cause_rank INTEGER,"
                     " excess_ns INTEGER, mask TEXT);",
                     "" },
    [DBS_NOTES] = { "notes",
                    "CREATE TABLE notes(about TEXT NOT NULL, kind TEXT NOT NULL,"
                    " text TEXT NOT NULL);",
                    "" },
};

/* What people ask first. */
static const char dbs_views[] =
    "CREATE VIEW time_by_call AS SELECT name, sum(begun) AS calls, sum(duration_ns) AS total_ns,"
    " sum(own_ns) AS own_ns, avg(duration_ns) AS mean_ns, max(duration_ns) AS most_ns FROM calls"
    " WHERE " DBS_COUNTED " GROUP BY name ORDER BY own_ns DESC;"
    /* Threads that make no calls have their time, too. */
    "CREATE VIEW time_by_rank AS SELECT t.rank, count(*) AS threads,"
    " ifnull(sum(c.calls), 0) AS calls, ifnull(sum(c.ns), 0) AS calls_ns,"
    " sum(t.end_ns - t.begin_ns) - ifnull(sum(c.ns), 0) AS outside_ns FROM threads t"
    " LEFT JOIN (SELECT thread, sum(begun) AS calls, sum(own_ns) AS ns FROM calls"
    " WHERE " DBS_COUNTED " GROUP BY thread) c USING (thread)"
    " WHERE t.begin_ns IS NOT NULL GROUP BY t.rank ORDER BY t.rank;"
    "CREATE VIEW time_by_iteration AS SELECT iteration, name, sum(begun) AS calls,"
    " sum(duration_ns) AS total_ns, sum(own_ns) AS own_ns FROM calls WHERE iteration IS NOT NULL"
    " AND " DBS_COUNTED " GROUP BY iteration, name ORDER BY iteration, own_ns DESC;"
    "CREATE VIEW slowest_calls AS SELECT * FROM calls WHERE " DBS_COUNTED
    " ORDER BY duration_ns DESC LIMIT 20;"
    "CREATE VIEW slowest_iterations AS SELECT * FROM iterations ORDER BY length_ns DESC LIMIT 20;"
    "CREATE VIEW traffic AS SELECT sender, receiver, count(*) AS messages,"
    " ifnull(sum(bytes), 0) AS bytes FROM messages WHERE " DBS_SENT
    " GROUP BY sender, receiver HAVING " DBS_WITHIN " ORDER BY bytes DESC;"
    "CREATE VIEW message_sizes AS SELECT bytes, sum(messages) AS messages FROM"
    " (SELECT sender, receiver, bytes, count(*) AS messages FROM messages WHERE " DBS_SENT
    " GROUP BY sender, receiver, bytes HAVING " DBS_WITHIN ") GROUP BY bytes"
    " ORDER BY messages DESC;"
    /* What waits counts, clocks included: of calls inside each other the outermost, which comes
       first; a time that was bent and came back may be 1 ns early. */
    "CREATE VIEW late_senders AS SELECT w.cause AS sender, w.rank AS receiver,"
    " w.cause_thread AS sender_thread, w.thread AS receiver_thread,"
    " w.cause_begin_ns AS send_begin_ns, w.begin_ns, w.end_ns, w.ns AS late_ns,"
    " (SELECT c.call FROM calls c WHERE c.thread = w.cause_thread AND c.begin_ns"
    " BETWEEN w.cause_begin_ns AND w.cause_begin_ns + 1 AND c.role " DBS_MPI
    " ORDER BY c.begin_ns, c.call LIMIT 1) AS send_call,"
    " (SELECT c.call FROM calls c WHERE c.thread = w.thread AND c.begin_ns"
    " BETWEEN w.begin_ns AND w.begin_ns + 1 AND c.role " DBS_MPI
    " ORDER BY c.begin_ns, c.call LIMIT 1) AS complete_call, w.iteration"
    " FROM waiting w WHERE w.metric = 'late_sender' ORDER BY late_ns DESC;"
    "CREATE VIEW late_collectives AS SELECT *, last_begin_ns - first_begin_ns AS apart_ns"
    " FROM collectives WHERE begun > 0 OR members = 0 ORDER BY apart_ns DESC;";

const char *dbs_table_name(enum dbs_table table)
{
    return dbs_schema[table].name;
}

const char *dbs_table_sql(enum dbs_table table)
{
    return dbs_schema[table].sql;
}

const char *dbs_index_sql(enum dbs_table table)
{
    return dbs_schema[table].index;
}

const char *dbs_views_sql(void)
{
    return dbs_views;
}
