#ifndef PRVCUT_DATABASE_DATABASE_H
#define PRVCUT_DATABASE_DATABASE_H

#include "model/dictionary.h"
#include "model/made.h"
#include "model/trace.h"
#include "prvcut/database.h"

/**
 * A trace as a database of SQLite: its tables, who fills them, and what is asked of them. The
 * columns of all tables stand in schema.c, in the order in which rows are put.
 */

/** The version of these tables. */
#define DBS_SCHEMA      4
#define DBS_SCHEMA_TEXT "4"

enum dbs_table {
    DBS_META,
    DBS_THREADS,
    DBS_COMMUNICATORS,
    DBS_TYPES,
    DBS_TYPE_VALUES,
    DBS_REGIONS,
    DBS_ITERATIONS,
    DBS_CALLS,
    DBS_MESSAGES,
    DBS_COLLECTIVES,
    DBS_COLLECTIVE_MEMBERS,
    DBS_STATES,
    DBS_EVENTS,
    DBS_COUNTERS,
    DBS_PROFILE,
    DBS_ITERATION_COUNTERS,
    DBS_WAITS,
    DBS_WAITING,
    DBS_POINTS,
    DBS_NOTES,
    DBS_TABLES
};

#define DBS_BIT(table) (UINT32_C(1) << (table))
#define DBS_ALL        (DBS_BIT(DBS_TABLES) - 1)
/** Those that the records fill. */
#define DBS_RECORDS                                                                                \
    (DBS_BIT(DBS_CALLS) | DBS_BIT(DBS_MESSAGES) | DBS_BIT(DBS_COLLECTIVES) |                       \
     DBS_BIT(DBS_COLLECTIVE_MEMBERS) | DBS_BIT(DBS_STATES) | DBS_BIT(DBS_EVENTS) |                 \
     DBS_BIT(DBS_COUNTERS))

/** Those that analyses fill. */
#define DBS_ANALYSES                                                                               \
    (DBS_BIT(DBS_PROFILE) | DBS_BIT(DBS_ITERATION_COUNTERS) | DBS_BIT(DBS_WAITS) |                 \
     DBS_BIT(DBS_WAITING) | DBS_BIT(DBS_POINTS))

/** "calls"; constant. */
const char *dbs_table_name(enum dbs_table table);
/** How a table, its indices, and all views are made: SQL; constant. */
const char *dbs_table_sql(enum dbs_table table);
const char *dbs_index_sql(enum dbs_table table);
const char *dbs_views_sql(void);

/** A database under way, or one that is asked. */
struct dbs;

/**
 * Make one with empty tables.
 *
 * shape   file: an empty one that is written; "": one that is gone once it is closed; told: its
 *         name for messages; wanted: bits of the
 *         tables that shall be filled
 * owns    *out is the caller's, released with dbs_close; NULL after a failure; told is borrowed
 * errors  PRVCUT_EIO, PRVCUT_ENOMEM
 */
enum prvcut_status dbs_make(struct dbs **out, const char *file, const char *told, uint32_t wanted,
                            struct prvcut_error *err);

/** Make indices and views, write all of it down. Once, before it is closed. */
enum prvcut_status dbs_finish(struct dbs *d, struct prvcut_error *err);

/** Accepts NULL. */
void dbs_close(struct dbs *d);

/** Leave out what other ranks do; chosen: [ranks], borrowed until it is closed; NULL: nothing. */
void dbs_choose(struct dbs *d, const bool *chosen, uint32_t ranks);
/** Is told what that rank does? */
bool dbs_tells(const struct dbs *d, uint32_t rank);

bool dbs_wants(const struct dbs *d, enum dbs_table table);

/** Rows of a table so far. */
uint64_t dbs_rows(const struct dbs *d, enum dbs_table table);

/**
 * A row on its way into a table: its columns one after the other, all of them; a failure stays
 * until dbs_end tells it.
 */
struct dbs_row {
    struct dbs *of;
    enum dbs_table table;
    int at, rc;
};

/** Begin one; of a table that is not wanted nothing comes. */
struct dbs_row dbs_begin(struct dbs *d, enum dbs_table table);
/** UINT64_MAX is NULL: not told. */
void dbs_u64(struct dbs_row *r, uint64_t value);
void dbs_i64(struct dbs_row *r, int64_t value);
/** UINT32_MAX is NULL. */
void dbs_u32(struct dbs_row *r, uint32_t value);
/** NAN is NULL. */
void dbs_real(struct dbs_row *r, double value);
/** Valid UTF-8 or taken for Latin 1; NULL is NULL; borrowed until dbs_end. */
void dbs_text(struct dbs_row *r, const char *text);
/** 0 is NULL, as of what counts from 1. */
void dbs_number(struct dbs_row *r, uint64_t value);
enum prvcut_status dbs_end(struct dbs_row *r, struct prvcut_error *err);

/** Who is in the trace, what is told of each thread from when till when, and what types are called.
 */
enum prvcut_status dbs_put_objects(struct dbs *d, const struct prvcut_objects *o,
                                   const struct prvcut_dictionary *names,
                                   const struct prvcut_window *told, struct prvcut_error *err);

/** An iteration of the loop, from when till when on each thread. */
struct dbs_iteration {
    uint64_t number;    /**< from 1 */
    const char *region; /**< "1.4"; NULL: it is in none */
    struct prvcut_span span;
    bool disturbed;
    const struct prvcut_window *window;
};

/** What records belong to. */
struct dbs_loop {
    const struct dbs_iteration *at; /**< [count] by time */
    size_t count;
    const struct prvcut_window *only; /**< what lies outside it on its thread is left out, what
                                           reaches out of it is clipped; NULL: everything */
};

#define DBS_NO_ITERATION SIZE_MAX

/** Which iteration a thread is in; *at: where it was last, for times of a thread go on but for
    little; DBS_NO_ITERATION: none. */
size_t dbs_iteration_at(const struct dbs_loop *loop, size_t *at, uint32_t thread, uint64_t time);

/** What is read; borrowed. */
struct dbs_reading {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_dictionary *names;
    const struct dbs_loop *loop;
    struct prvcut_span only; /**< end 0: everything */
    bool known;              /**< the trace can be entered anywhere */
};

/** Calls, messages, collectives, states, events and counters, in one reading. */
enum prvcut_status dbs_put_records(struct dbs *d, const struct dbs_reading *reading,
                                   struct prvcut_error *err);

enum prvcut_status dbs_put_regions(struct dbs *d, const struct prvcut_structure *s,
                                   struct prvcut_error *err);
enum prvcut_status dbs_put_iterations(struct dbs *d, const struct dbs_loop *loop,
                                      struct prvcut_error *err);
enum prvcut_status dbs_put_profile(struct dbs *d, const struct prvcut_profile *p,
                                   struct prvcut_error *err);
enum prvcut_status dbs_put_iteration_counters(struct dbs *d, const struct prvcut_profile *p,
                                              struct prvcut_error *err);
enum prvcut_status dbs_put_waits(struct dbs *d, const struct prvcut_wait_states *w,
                                 struct prvcut_error *err);
/** A wait of a call; of a metric by name. */
struct dbs_wait {
    const char *metric;
    uint64_t begin_ns, end_ns, ns, cause_begin_ns;
    uint32_t thread, cause; /**< thread; UINT32_MAX: nobody's alone */
};

/** at: where the thread was last, as of dbs_iteration_at */
enum prvcut_status dbs_put_wait(struct dbs *d, const struct dbs_wait *w,
                                const struct dbs_loop *loop, size_t *at,
                                const struct prvcut_objects *o, struct prvcut_error *err);
enum prvcut_status dbs_put_points(struct dbs *d, const struct prvcut_patterns *p,
                                  const struct prvcut_objects *o, struct prvcut_error *err);

/** What is to be known of the answers of a command: "waits", "note" or "warning", words. */
enum prvcut_status dbs_put_note(struct dbs *d, const char *about, const char *kind,
                                const char *text, struct prvcut_error *err);

/* --- Questions (query.c) ---------------------------------------------------------------------- */

/** What a statement reads. */
struct dbs_need {
    uint32_t tables; /**< bits */
    bool loop;       /**< iterations or regions, or why there are none */
    bool ends;       /**< when threads end */
    bool part;       /**< which part of the trace is told */
};

/**
 * Of what is asked for, which tables are read?
 *
 * errors  PRVCUT_EUSAGE: no such table, no SQL, more than one statement, or one that writes
 */
enum prvcut_status dbs_need_of(struct dbs_need *out, const char *sql, struct prvcut_error *err);

/** A question to a database; borrowed. */
struct dbs_question {
    const char *told; /**< the database's name */
    const char *sql;
    uint64_t most;  /**< rows */
    double seconds; /**< that it may take */
    const struct prvcut_run *run;
};

/**
 * Ask a database that is finished, which does not change by it.
 *
 * owns    *out: zeroed before; released as a whole by prvcut_query_free, also after a failure
 * errors  PRVCUT_EUSAGE as above; PRVCUT_EINTERRUPTED: it took too long, or was stopped
 */
enum prvcut_status dbs_ask(struct made_query *out, struct dbs *d,
                           const struct dbs_question *question, struct prvcut_error *err);

/** The same of a file of that name. errors: PRVCUT_ENOTRACE: it is no database, or not of prvcut;
    PRVCUT_EFORMAT: it is damaged, or of another version */
enum prvcut_status dbs_ask_file(struct made_query *out, const struct dbs_question *question,
                                struct prvcut_error *err);

/** SQLite's version. */
const char *dbs_library(void);

#endif
