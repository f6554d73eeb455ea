#ifndef PRVCUT_API_CENSUS_H
#define PRVCUT_API_CENSUS_H

#include "base/checked.h"
#include "base/table.h"
#include "model/trace.h"
#include "pass/pass.h"
#include "signal/track.h"

/** What was seen of one number: an event type, a state or a function (census_function). */
struct census_entry {
    uint64_t number; /**< the key of a table of entries */
    uint64_t count;  /**< function: calls that begin */
    uint8_t role;    /**< event type: prvcut_role; state: 1 = running */
    uint64_t sum;    /**< event type: values other than 0; else ns, at most UINT64_MAX */
};

/** Entries, by ascending number. */
struct census_table {
    struct census_entry *at;
    size_t count;
};

/** Different event types (and states) that are kept apart; more are counted together. */
#define CENSUS_TYPES ((size_t)1 << 16)

/** Sizes of messages; bucket k: those of [2^(k-1), 2^k) bytes, bucket 0: of no bytes. */
struct census_messages {
    uint64_t count, bytes; /**< bytes: at most UINT64_MAX */
    uint64_t receives;     /**< of formats that record both ends apart; else 0 */
    /** Sends without a receive and receives without a send, of each pair of processes, communicator
        and tag by itself. */
    uint64_t lone_sends, lone_receives;
    uint64_t least, most; /**< bytes, valid if count > 0 */
    uint64_t bucket[65];
};

/** Threads writing their trace buffers; times in ns. */
struct census_flushes {
    uint64_t count;   /**< all of them */
    uint64_t looked;  /**< the first ones, which the rest is about */
    uint32_t threads; /**< with at least one */
    uint64_t total, longest;
    uint32_t longest_thread;
    uint64_t last;       /**< of these: a thread's last one, after its last MPI call */
    uint64_t last_total; /**< their time */
};

/** Messages and collectives of the whole run that were compared, and those whose times contradict
    each other with the clocks as they are told. Where the two ends are recorded apart, else 0. */
struct census_clocks {
    uint64_t checked, contradictions, worst_ns;
};

/** What is in a trace. */
struct census {
    struct prvcut_counts counts;
    uint64_t end_ns; /**< the later of the header's end and the last record */
    struct census_table types, states;
    uint64_t other_values, other_states; /**< beyond CENSUS_TYPES */
    /** Where a thread's functions are recorded as such; time in one is without that in those it
        calls. Of any other trace MPI calls; one that is open at the end lasts to its thread's last
        record. */
    struct census_table functions;
    uint64_t other_calls; /**< beyond CENSUS_TYPES */
    uint32_t threads;
    uint64_t functions_ns; /**< of all threads, each from its first to its last of them */
    struct census_messages messages;
    struct census_flushes flushes;
    struct census_clocks clocks;
};

/** Functions stand for event types and states in such a trace: it has names of its own. */
bool census_is_named(const struct prvcut_trace *t);

/** A value of an event type as a number, and back; all values that have no room for are one: 0. */
#define CENSUS_VALUES (INT64_C(1) << 32)
static inline uint64_t census_function(uint32_t type, int64_t value)
{
    return (uint64_t)type << 32 | (uint64_t)(value > 0 && value < CENSUS_VALUES ? value : 0);
}

void census_function_of(uint64_t number, uint32_t *type, int64_t *value);

/** Is an entry of functions an MPI call? */
bool census_is_call(const struct census_entry *e);

/** Time of all threads, ns, of which each call has its share. */
double census_threads_time(const struct census *c);

/** An empty table of entries. */
struct prvcut_table census_entries(const char *what);

/** The table's entry of a number, made where there is none yet; NULL: out of memory. */
struct census_entry *census_entry_of(struct prvcut_table *t, uint64_t number, uint8_t role,
                                     struct prvcut_error *err);

/** Entries that add up once per record: the latest ones beside the table, until they are settled.
 */
#define CENSUS_LATEST_BITS 6
#define CENSUS_LATEST      (1 << CENSUS_LATEST_BITS)
struct census_sums {
    struct prvcut_table table;                 /**< of census_entry */
    struct census_entry latest[CENSUS_LATEST]; /**< by their number */
};

/** owns: *s is initialised here: no sums; released with census_sums_fini */
void census_sums_init(struct census_sums *s, const char *what);
void census_sums_clear(struct census_sums *s);
void census_sums_fini(struct census_sums *s);

/** An entry of another number takes the place of one of the latest. */
enum prvcut_status census_replace(struct census_sums *s, struct census_entry *latest,
                                  uint64_t number, uint8_t role, struct prvcut_error *err);

/** All is in the table; errors: PRVCUT_ENOMEM */
enum prvcut_status census_sums_settle(struct census_sums *s, struct prvcut_error *err);

/** Where a number's count and sum grow; NULL: out of memory. Valid until another one is wanted. */
static inline struct census_entry *census_grow(struct census_sums *s, uint64_t number, uint8_t role,
                                               struct prvcut_error *err)
{
    struct census_entry *e = &s->latest[prvcut_table_place(number, CENSUS_LATEST_BITS)];

    if (e->number == number)
        return e;
    return census_replace(s, e, number, role, err) == PRVCUT_OK ? e : NULL;
}

/** Add a part's entries; those beyond CENSUS_TYPES to others. */
enum prvcut_status census_join_table(struct prvcut_table *all, const struct prvcut_table *part,
                                     uint64_t *others, struct prvcut_error *err);

/** Move the entries of a table to where they are told from; the table is then empty. */
void census_settle(struct census_table *out, struct prvcut_table *from);

/** Read a trace once. owns: out is initialised here, released with census_fini */
enum prvcut_status census_take(struct prvcut_trace *trace, const struct prvcut_run *run,
                               struct census *out, struct prvcut_error *err);

/**
 * The same by a listener to a reading of all of the trace that somebody else makes.
 *
 * shape   census: borrowed until finish; counts: of that reading
 * owns    *out is released with census_taker_free, also after a failure, *census as by census_take
 */
struct census_taker;
enum prvcut_status census_taker_new(struct census_taker **out, const struct prvcut_trace *trace,
                                    struct census *census, struct prvcut_error *err);
const struct prvcut_listener *census_taker_listener(const struct census_taker *t);
enum prvcut_status census_taker_finish(struct census_taker *t, const struct prvcut_counts *counts,
                                       struct prvcut_error *err);
void census_taker_free(struct census_taker *t);

void census_fini(struct census *c);

/** Most bytes that the smaller half of the messages can have; exact to a power of two. */
uint64_t census_median(const struct census_messages *m);

/** Time of all threads in all states, ns, of which each state has its share: threads need not be in
    any state all the time. */
double census_states_time(const struct census *c);

/** The time that states have their share of: in all states, or where they leave more than a
    twentieth of the threads' time open (long bursts only were recorded), all of that. */
double census_whole_time(const struct census *c);

/** Time of all threads in all functions, and outside of them, ns. */
double census_functions_time(const struct census *c);

/** Tasks that follow each other and are alike; 0-based, half open. */
struct census_tasks {
    uint32_t application, first, end, threads, node;
};

/** Like tasks from `first` on. */
struct census_tasks census_tasks(const struct prvcut_objects *o, uint32_t first);

/** Text of a label; "" where there is none. label: ascending numbers. */
const char *census_label(const struct prvcut_label *label, size_t labels, uint64_t number);

/** Of all files of the trace, on disk. */
uint64_t census_bytes(const struct prvcut_trace *t);

/** "gzip", "zstd", or NULL. */
const char *census_codec(const struct prvcut_trace *t);

/** What is left out one after the other, until the first screen has no more than 10 lines. */
enum census_terse {
    CENSUS_ALL,
    CENSUS_FEW_CALLS,  /**< of MPI */
    CENSUS_NO_LACK,    /**< of counters or metrics */
    CENSUS_FEW_SHARES, /**< of the time */
    CENSUS_FEW_WATCHED,
    CENSUS_NO_FOUND, /**< files that belong to it, all in order */
    CENSUS_ONE_WATCHED,
    CENSUS_ONE_NEXT, /**< command */
    CENSUS_LEAST
};

/** What there is to tell. */
struct census_story {
    const struct census *census;
    const struct prvcut_trace *trace;
    const struct prvcut_dictionary *names;
    const char *called;               /**< prvcut_trace_called */
    const char *typed;                /**< prvcut_trace_typed */
    const char *cuts;                 /**< prvcut_output_pattern */
    const struct prvcut_again *again; /**< struct prvcut_run */
    unsigned columns;                 /**< of the screen, 60 at least */
    enum census_terse terse;
};

/** The ways to tell it: the first screen or all, and as JSON. Free *text. */
enum prvcut_status census_brief(const struct census_story *s, char **text,
                                struct prvcut_error *err);
enum prvcut_status census_text(const struct census_story *s, char **text, struct prvcut_error *err);
enum prvcut_status census_json(const struct census_story *s, char **text, struct prvcut_error *err);
enum prvcut_status census_csv(const struct census_story *s, char **text, struct prvcut_error *err);

#endif
