#ifndef PRVCUT_ANALYSIS_WAITS_WAITS_H
#define PRVCUT_ANALYSIS_WAITS_WAITS_H

#include "model/causality.h"
#include "model/clock_drift.h"
#include "model/made.h"
#include "model/trace.h"
#include "prvcut/waits.h"

/**
 * Wait states by successive refinement, in one reading: records become calls (stream), calls and
 * their ends become messages and collectives (stream), and patterns that are listed in a table
 * (waits_patterns.c) find in these who waits for whom. What they find is tied to the call that it
 * happens in, sorted on disk, and added up where the call's path is known.
 */

/** A call path: a tree, whose root, 0, is the path outside all calls and functions. */
struct prvcut_waits_node {
    uint64_t parent; /**< of the nodes */
    uint64_t type;   /**< with value: a function, a caller, or an MPI call */
    int64_t value;
};

/** Beside the metrics: what threads spend, for tables of severities by call path. */
enum prvcut_waits_extra {
    PRVCUT_WAITS_TIME =
        UINT32_MAX >> 1 /**< ns in the call, count: how often; outside calls at the root */
};

/** Severity of a metric on a call path of a thread: the table that CUBE files are made of. */
struct prvcut_waits_cell {
    uint32_t metric; /**< of the sums, or prvcut_waits_extra */
    uint32_t thread; /**< dense, of the trace's objects */
    uint64_t path;   /**< of the nodes */
    uint64_t ns, count;
};

struct prvcut_waits_long {
    uint32_t metric, thread, cause; /**< cause: thread; PRVCUT_NOBODY: none */
    uint64_t path, ns, begin, end, cause_begin;
};

/** Delay costs that a call path of a thread has, ns: of what others waited for it, and of what
    followed from that. */
struct prvcut_waits_delay_cell {
    uint32_t kind; /**< enum prvcut_delay */
    uint32_t thread;
    uint64_t path;
    double shorter, longer;
};

/** What of a call path of a thread is on the critical path, ns. */
struct prvcut_waits_critical_cell {
    uint64_t thread, path;
    int64_t ns;
};

/** What of a call path is on the critical path, of all threads, and how much more that is than a
    rank has of it in the mean, waits left out. */
struct prvcut_waits_imbalance_cell {
    uint64_t path;
    int64_t ns;
    double over;
};

struct prvcut_waits_delay_sum {
    double shorter, longer; /**< ns */
};

#define PRVCUT_WAITS_LONGEST 10

/** What is known of a metric beside its cells. */
struct prvcut_waits_sum {
    uint64_t ns, count, most, median2; /**< median2: twice the median */
    bool told;                         /**< else why is a reason */
    bool absent;                       /**< what it is about is not in the trace */
    char why[120];                     /**< empty where it is told wholly */
};

/** Who is told messages and collectives, too, with the times of the trace. */
struct prvcut_waits_beside {
    const struct prvcut_stream_sink *sink; /**< constant; their functions are set */
    bool begun;                            /**< once */
    bool told;                             /**< it has been told all */
};

struct prvcut_waits_asked {
    struct prvcut_span only;             /**< calls that begin there; end 0: all */
    const struct prvcut_window *stretch; /**< [stretches] summed up apart, each thread's own */
    size_t stretches;
    bool causes; /**< delay costs and the critical path, too, in memory that grows with the calls */
    bool flat;   /**< a call path is the call alone, as where callers and functions are not known */
    const struct prvcut_waits_patterns *patterns; /**< a program's own; NULL: none */
    bool openmp;           /**< OpenMP's waits are told of the run, though stretches have none */
    bool constant;         /**< clocks that contradict each other have a constant offset, if any */
    const uint8_t *thread; /**< [threads] whose waits count; NULL: all */
    bool within;           /**< only what begins in one of the stretches counts at all */
    bool marks;            /**< where calls wait is kept, to be marked */
    bool each;             /**< each wait of a call is kept, on disk */
    struct prvcut_waits_beside *beside; /**< NULL: nobody */
};

struct prvcut_waits_found {
    const struct prvcut_objects *objects;
    struct prvcut_waits_node *node; /**< [nodes]; owned */
    size_t nodes;
    uint32_t threads;
    struct prvcut_waits_cell *cell; /**< [cells] by metric, path, thread; owned */
    size_t cells;
    struct prvcut_waits_sum *sum; /**< [metrics] enum prvcut_wait, then a program's own; owned */
    size_t metrics;
    struct prvcut_waits_long longest[PRVCUT_WAITS_LONGEST]; /**< [longests] longest first */
    size_t longests;
    uint64_t *part; /**< [stretches][metrics] ns; owned */
    uint64_t messages, no_receive, no_send, bad_rank;
    uint64_t collectives, incomplete, unlike;
    struct prvcut_causality order;
    uint64_t doubt;            /**< of offsets, ns */
    bool offset;               /**< clocks were brought together */
    const int64_t *constant;   /**< [tasks] the constant ones; borrowed of the trace; NULL: none */
    struct prvcut_drift drift; /**< knots > 0: piece by piece; released with the rest */
    uint64_t calls, end_ns;
    struct prvcut_waits_delay_sum delay[PRVCUT_DELAYS];
    struct prvcut_waits_delay_cell *delayed; /**< [delays] most first; owned */
    size_t delays;
    double unexplained;                         /**< ns of waits that nobody can be blamed for */
    struct prvcut_waits_critical_cell *on_path; /**< [on_paths] most first; owned */
    size_t on_paths;
    struct prvcut_waits_imbalance_cell *uneven; /**< [unevens] most over first, > 0; owned */
    size_t unevens;
    int64_t critical;  /**< ns */
    uint64_t steps;    /**< from one thread to another */
    char no_path[120]; /**< why the critical path is not told; empty: it is */
    struct made_unsought unsought[MADE_UNSOUGHT]; /**< most first; no name: there are no more */
    struct prvcut_mark_list *mark; /**< [threads] where calls wait, as the trace has times, and up
                                        to when; NULL: not asked for; owned */
    struct prvcut_sorter *each; /**< of prvcut_waits_long, of all metrics, by thread and begin, as
                                     the trace has times; NULL: not asked for; owned */
};

/**
 * Find them.
 *
 * shape   asked: borrowed for the call
 * owns    *f is initialised here, released with prvcut_waits_found_fini, also after a failure
 * errors  as prvcut_stream_tell
 */
enum prvcut_status prvcut_waits_find(struct prvcut_waits_found *f, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_waits_asked *asked,
                                     struct prvcut_error *err);
void prvcut_waits_found_fini(struct prvcut_waits_found *f);

/** Release the marks of so many threads. */
void prvcut_waits_marks_free(struct prvcut_mark_list *mark, uint32_t threads);

/** The metric whose waits a kind of delay is blamed for. */
enum prvcut_wait prvcut_waits_of_delay(enum prvcut_delay kind);

/** A metric as CUBE files name and nest it. */
struct prvcut_waits_metric_name {
    const char *cube;  /**< "mpi_latesender" */
    const char *title; /**< for people, "Late sender" */
    const char *help;
    int parent; /**< metric that it is a part of; -1: none */
};
extern const struct prvcut_waits_metric_name prvcut_waits_metric_names[PRVCUT_WAITS];

#endif
