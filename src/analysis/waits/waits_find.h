#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_FIND_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_FIND_H

#include "analysis/waits/waits.h"
#include "analysis/waits/waits_kinds.h"
#include "analysis/waits/waits_own.h"
#include "base/sorter.h"
#include "base/table.h"
#include "model/clock_drift.h"
#include "stream/stream.h"

/*
 * What the steps of one reading share: the walk (waits_walk.c) assembles calls with their paths and
 * hands messages and collectives to the patterns (waits_patterns.c), which book what they find; the
 * books are balanced when all is read (waits_books.c).
 */

/** A call of MPI; kind: bits of enum wts_kind. */
struct wts_call {
    uint64_t begin, end;
    uint32_t thread, kind;
    uint32_t what; /**< place among the finder's kinds of calls */
    bool is;       /**< else it is not known */
};

/** A message, with all that is known of it. */
struct wts_message {
    struct wts_call send, done, post, receive; /**< done completes the send */
    uint64_t at, got;                          /**< ns, of the records */
    uint32_t from, to;                         /**< ranks */
};

/** A member of a collective. */
struct wts_member {
    struct wts_call call;
    struct wts_call done; /**< of one that does not block: what completes it */
    uint64_t begin, end;
    uint32_t rank;
    int64_t sent, received; /**< bytes; -1: not told */
    bool root;
};

/** A collective whose members are all known, in the order of their ranks in the communicator. */
struct wts_group {
    struct wts_member *at; /**< [count] */
    size_t count;
    uint32_t kind;
};

/** What an event is about (prvcut/waits_patterns.h). */
struct wts_told {
    const struct wts_message *message;
    const struct wts_group *group;
    const struct wts_call *call;
    uint64_t ns;
};

/** Severity of one call. */
struct wts_booking {
    uint64_t begin, end; /**< of the call */
    uint32_t thread, metric;
    uint64_t ns, cause_begin, cause_end;
    uint32_t cause; /**< thread; PRVCUT_NOBODY: nobody alone */
    uint32_t zero;
};

/** A call in the order of its thread, with its path. */
struct wts_skeleton {
    uint64_t begin, end, path;
    uint32_t thread, kind;
};

/** A late sender that may yet turn out to have been in the wrong order. */
struct wts_late {
    uint64_t at, ns;
    struct wts_call receive, send;
    uint32_t from;
};

/* So many are kept of a thread. */
#define WTS_LATE 100

/** What a Waitall that completes sends waits for at most; its key is the call. */
struct wts_many {
    uint64_t begin, end;
    uint64_t ns;
    struct wts_message message;
};

/** What patterns remember of a thread. */
struct wts_thread {
    struct wts_late *late; /**< [lates] from `late_first` on, at most WTS_LATE; owned */
    size_t late_first, lates, late_room;
    uint64_t latest;         /**< the latest `at` of these; 0: there are none */
    struct wts_message most; /**< of a Waitall: what it waits for most */
    uint64_t most_ns;
    struct wts_call late_call; /**< the latest Waitall with a late sender */
    struct prvcut_table many;  /**< of wts_many */
};

/** Nodes are numbered as they come thread by thread: the thread, and how many it had before. */
#define WTS_FIRST(thread, before) ((uint64_t)(thread) << 40 | (before))

/** When the tracing of a thread was last switched on, and off, ns and 1; 0: never. */
struct wts_traced {
    uint64_t on, off;
};

/** What there is, and what is missing. */
struct wts_seen {
    uint64_t sends;      /**< that another call completes, or that return late */
    uint64_t unfinished; /**< of these, whose completion is not recorded */
    uint64_t unposted;   /**< messages whose receive was posted nobody knows where */
    uint64_t unordered;  /**< that may be the message before them of their channel */
    uint64_t callless;   /**< messages outside of all calls */
    uint64_t groups[PRVCUT_WAITS], bare[PRVCUT_WAITS]; /**< collectives; without bytes or root */
    uint64_t talking;                                  /**< calls that communicate */
    uint64_t moving;                                   /**< of these, that send or receive */
    uint64_t exchanges;                                /**< of these, that do both */
    uint64_t exchanged;                                /**< ends of messages in such calls */
    uint64_t started;                                  /**< non-blocking collectives */
    uint64_t posted;        /**< of these, whose completion is not told on every rank */
    uint64_t twice;         /**< ns of the critical path that clocks put there twice */
    bool regions, barriers; /**< of OpenMP */
    bool uneven;            /**< threads of a process have different numbers of parallel regions */
    bool uneven_barriers;   /**< the same of barriers */
    bool mixed;             /**< of which of several regions at once a thread is, is not told */
    bool unreached;         /**< OpenMP is there, but not from where threads exist */
    bool locks[2];          /**< critical sections, locks */
    bool shared[2];         /**< of these, one that several threads have at once */
};

struct wts_causes;

/* Places of what is looked for once per call. */
#define WTS_BITS 10

struct wts_finder {
    struct prvcut_waits_found *out;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_waits_asked *asked;
    struct prvcut_dictionary names;
    struct prvcut_table kinds; /**< of calls, by type and value (waits_walk.c) */
    struct prvcut_table nodes; /**< of prvcut_waits_node */
    /** Where those stand that were looked for last, by a few bits of their keys. */
    uint32_t kind_at[1 << WTS_BITS], node_at[1 << WTS_BITS];
    struct prvcut_table channels; /**< where nothing tells when receives were posted */
    uint64_t *first;              /**< [nodes] who had it first, thread by thread: WTS_FIRST */
    size_t first_room;
    struct prvcut_sorter *booking, *skeleton, *omp;
    struct wts_seen seen;
    struct wts_call *init, *finalize; /**< [tasks] */
    struct wts_member *member;        /**< [member_room] of the present collective */
    size_t member_room;
    const struct wts_member **chosen; /**< [chosen_room] those of them that synchronise */
    size_t chosen_room;
    struct wts_causes *causes;              /**< NULL: not asked for */
    struct prvcut_drift_notes *clocks;      /**< NULL: clocks are not to be bent */
    const struct prvcut_drift *drift;       /**< that times are bent by; NULL: as they are */
    uint64_t last;                          /**< ns, of all calls */
    struct prvcut_span *span;               /**< [threads] ns, of its calls and regions */
    struct wts_traced *traced;              /**< [threads] when tracing was switched */
    struct prvcut_waits_member *own_member; /**< of a collective, for a program's own patterns */
    const struct prvcut_waits_member **own_at;
    size_t own_room[2];
    uint64_t *omp_counts; /**< [WTS_OMP_COUNTED][threads] of OpenMP, so far */
    bool omp_noted;
    struct wts_holding *holding; /**< [2][threads] of locks (waits_locks.c) */
    struct prvcut_sorter *lock;
    struct wts_thread *each; /**< [threads] */
    struct wts_thread *now;  /**< the present one */
    bool between;            /**< threads come in between each other (prvcut_stream_plan) */
};

/* --- Patterns (waits_patterns.c) -------------------------------------------------------------- */

/** Tell those who listen. */
enum prvcut_status wts_tell(struct wts_finder *f, enum prvcut_waits_event event,
                            const struct wts_told *told, struct prvcut_error *err);
/** A call lost time; 0 ns is nothing (waits_booking.c). cause: NULL where it is nobody's alone. */
enum prvcut_status wts_book(struct wts_finder *f, uint32_t metric, const struct wts_call *call,
                            uint64_t ns, const struct wts_call *cause, struct prvcut_error *err);
/** Add to a cell (waits_booking.c); the cells stand in a table until they are sorted. */
enum prvcut_status wts_cell_add(struct prvcut_table *cells, uint32_t metric, uint32_t thread,
                                uint64_t path, uint64_t ns, struct prvcut_error *err);
/** Tell a program's own patterns (waits_own.c). */
enum prvcut_status wts_tell_own(struct wts_finder *f, enum prvcut_waits_event event,
                                const struct wts_told *told, struct prvcut_error *err);
/** Two calls synchronised (waits_causes.c); nothing where causes are not asked for. */
enum prvcut_status wts_point(struct wts_finder *f, const struct wts_call *call,
                             const struct wts_call *with, uint64_t wait, struct prvcut_error *err);

/** Members of a collective that synchronise: all with all, or all with the centre. */
struct wts_together {
    const struct wts_member *const *member; /**< [count] */
    size_t count;
    const struct wts_member *centre; /**< one of them; NULL: all with all */
    uint64_t until, first_end;
    bool no_wait; /**< what they lose before is no wait */
};
enum prvcut_status wts_points(struct wts_finder *f, const struct wts_together *t,
                              struct prvcut_error *err);

/** A message that is whole, in the order of its channel (waits_channels.c). */
void wts_channels_start(struct wts_finder *f);
enum prvcut_status wts_channels_note(struct wts_finder *f, const struct prvcut_stream_message *m,
                                     const struct wts_message *own, struct prvcut_error *err);

/** When something happens in a process. */
struct wts_when {
    uint64_t time;
    uint32_t rank;
};

/** Does an effect come before its cause? Then clocks contradict, or, within one clock, the trace.
 */
enum prvcut_status wts_compare(struct wts_finder *f, struct wts_when cause, struct wts_when effect,
                               struct prvcut_error *err);
/** That one comes before the other is known of the clocks, and is no contradiction that counts. */
enum prvcut_status wts_note_order(struct wts_finder *f, struct wts_when cause,
                                  struct wts_when effect, struct prvcut_error *err);
/** A time that the trace gives, on a thread, as all of this has it. */
uint64_t wts_time(const struct wts_finder *f, uint32_t thread, uint64_t given);
/** The clock of the reading (waits_clock.c). */
struct prvcut_stream_clock wts_clock(const struct wts_finder *f);
/** Bend the clocks, if they contradict and that helps. owns: *drift, zeroed, is the caller's */
enum prvcut_status wts_bend(const struct wts_finder *f, struct prvcut_drift *drift,
                            struct prvcut_error *err);
/** A wait has the times that the trace gives; the longest have. */
void wts_unbend_one(const struct wts_finder *f, struct prvcut_waits_long *l);
void wts_unbend(const struct wts_finder *f);

/** Keep where a call waits (waits_marks.c); nothing where it is not asked for. */
enum prvcut_status wts_mark(const struct wts_finder *f, const struct wts_booking *b,
                            struct prvcut_error *err);

/** Patterns of collectives (waits_groups.c). */
enum prvcut_status wts_find_group(struct wts_finder *f, const struct wts_told *t,
                                  struct prvcut_error *err);
enum prvcut_status wts_find_init(struct wts_finder *f, const struct wts_told *t,
                                 struct prvcut_error *err);
enum prvcut_status wts_find_finalize(struct wts_finder *f, const struct wts_told *t,
                                     struct prvcut_error *err);

/* --- Steps ------------------------------------------------------------------------------------ */

/** Read all, book all (waits_walk.c). */
enum prvcut_status wts_walk(struct wts_finder *f, struct prvcut_error *err);

/** A sorter of records of that size (waits_sorter.c); by: group: of a thread's own; NULL: what it
    sorts is of no one's. */
enum prvcut_status wts_sorter(const struct wts_finder *f, struct prvcut_sorter **out, size_t size,
                              int (*compare)(const void *, const void *), struct prvcut_error *err);
enum prvcut_status wts_sorter_by(const struct wts_finder *f, struct prvcut_sorter **out,
                                 size_t size, int (*compare)(const void *, const void *),
                                 uint32_t (*group)(const void *), struct prvcut_error *err);

/** Add up what is booked, by call path (waits_books.c). */
enum prvcut_status wts_balance(struct wts_finder *f, struct prvcut_error *err);
int wts_booking_compare(const void *a, const void *b);
int wts_skeleton_compare(const void *a, const void *b);
int wts_long_compare(const void *a, const void *b);

/** Are OpenMP's waits asked for? They have no call, so that no window or iteration has them. */
bool wts_omp_asked(const struct prvcut_waits_asked *a);
/** OpenMP (waits_omp.c): what a thread's region or body is. */
enum wts_omp_kind {
    WTS_OMP_REGION, /**< Extrae's, on its master; the body of it on each thread */
    WTS_OMP_BODY,
    WTS_OMP_OF_TEAM,  /**< Extrae's explicit barrier */
    WTS_OMP_BARRIER,  /**< from here on each thread's have numbers; explicit */
    WTS_OMP_IMPLICIT, /**< as a region of its own, in archives */
    WTS_OMP_PARALLEL, /**< on each thread, in archives; not inside another one */
    WTS_OMP_NONE
};
#define WTS_OMP_COUNTED (WTS_OMP_NONE - WTS_OMP_BARRIER)
struct wts_omp {
    uint64_t begin, end;
    uint64_t number; /**< on its thread */
    uint32_t task, thread, kind, zero;
};
int wts_omp_compare(const void *a, const void *b);
/** What a region of an archive is by its name; WTS_OMP_NONE: none of OpenMP's that wait. */
enum wts_omp_kind wts_omp_of_name(const char *name);

/** What a call's value means. */
struct wts_meaning {
    uint64_t type; /**< the key */
    int64_t value;
    uint32_t kind;
    const char *name; /**< of the dictionary; NULL: none */
    enum wts_omp_kind omp;
};

/** What a call is: out->kind, what. */
enum prvcut_status wts_meaning_of(struct wts_finder *f, const struct prvcut_stream_call *c,
                                  struct wts_call *out, struct prvcut_error *err);

/** A call's name in the trace; NULL: it has none. */
static inline const char *wts_call_name(const struct wts_finder *f, const struct wts_call *c)
{
    return ((const struct wts_meaning *)f->kinds.at)[c->what].name;
}

/** named: as its name says. */
enum prvcut_status wts_omp_note(struct wts_finder *f, const struct prvcut_stream_call *c,
                                enum wts_omp_kind named, struct prvcut_error *err);
enum prvcut_status wts_omp_sum(struct wts_finder *f, struct prvcut_table *cells,
                               struct prvcut_error *err);

/** Calls that may wait, of which no metric tells (waits_unsought.c). */
enum prvcut_status wts_unsought(struct wts_finder *f, struct prvcut_error *err);

/** Critical sections and locks (waits_locks.c). Are they named in the trace? */
bool wts_locks_listed(const struct wts_finder *f);
enum prvcut_status wts_locks_start(struct wts_finder *f, struct prvcut_error *err);
void wts_locks_end(struct wts_finder *f);
/** An event of a thread; nothing if it is not of a lock. */
enum prvcut_status wts_lock_note(struct wts_finder *f, const struct prvcut_item *i,
                                 struct prvcut_error *err);
enum prvcut_status wts_locks_sum(struct wts_finder *f, struct prvcut_table *cells,
                                 struct prvcut_error *err);

/** Read once more from where and up to where threads exist; f->span (waits_reach.c). */
enum prvcut_status wts_reach(struct wts_finder *f, struct prvcut_error *err);

/** Say of each metric whether the trace tells it (waits_why.c). */
void wts_explain(struct wts_finder *f);

#endif
