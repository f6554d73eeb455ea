#ifndef PRVCUT_WAITS_H
#define PRVCUT_WAITS_H

#include "prvcut/cut.h"
#include "prvcut/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Wait states: time that ranks lose in calls of MPI, and threads in OpenMP, because others come
 * late. Names and definitions are those of EXPERT and Scalasca (prvcut-waits(1)). Numbered once and
 * for ever; new ones come behind.
 */
enum prvcut_wait {
    PRVCUT_WAIT_LATE_SENDER = 0,
    PRVCUT_WAIT_WRONG_ORDER_DIFF =
        1, /**< part of late sender: messages of another source came first */
    PRVCUT_WAIT_WRONG_ORDER_SAME = 2, /**< the same, of the same source */
    PRVCUT_WAIT_LATE_RECEIVER = 3,
    PRVCUT_WAIT_BARRIER = 4,
    PRVCUT_WAIT_BARRIER_COMPLETION = 5,
    PRVCUT_WAIT_NXN = 6,
    PRVCUT_WAIT_NXN_COMPLETION = 7,
    PRVCUT_WAIT_EARLY_REDUCE = 8,
    PRVCUT_WAIT_LATE_BCAST = 9,
    PRVCUT_WAIT_EARLY_SCAN = 10,
    PRVCUT_WAIT_INIT_COMPLETION = 11,
    PRVCUT_WAIT_FINALIZE = 12,
    PRVCUT_WAIT_NXN_V = 13, /**< an upper bound: a rank need not wait for the last one */
    PRVCUT_WAIT_NB_BARRIER =
        14, /**< of non-blocking collectives, in the call that completes them */
    PRVCUT_WAIT_NB_NXN = 15,
    PRVCUT_WAIT_NB_LATE_BCAST = 16,
    PRVCUT_WAIT_NB_EARLY_REDUCE = 17,
    PRVCUT_WAIT_OMP_FORK = 18,
    PRVCUT_WAIT_OMP_IBARRIER = 19, /**< implicit barriers at the ends of parallel regions */
    PRVCUT_WAIT_OMP_EBARRIER = 20, /**< explicit barriers */
    PRVCUT_WAIT_OMP_IDLE = 21,     /**< threads outside of parallel regions */
    PRVCUT_WAIT_OMP_CRITICAL = 22, /**< critical sections without a name, as others are in them */
    PRVCUT_WAIT_OMP_LOCK = 23,     /**< locks and critical sections with a name, likewise */
    PRVCUT_WAITS,                  /**< how many this header knows */
    PRVCUT_WAIT_OWN = 1000         /**< the first one of a program (prvcut/waits_patterns.h) */
};

/** "late_sender", the name in JSON; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_wait_text(enum prvcut_wait wait);

/** Whose waits a delay causes. Numbered once and for ever. */
enum prvcut_delay {
    PRVCUT_DELAY_LATE_SENDER = 0,
    PRVCUT_DELAY_LATE_RECEIVER = 1,
    PRVCUT_DELAY_BARRIER = 2,
    PRVCUT_DELAY_N2N = 3, /**< of all with all: Allreduce */
    PRVCUT_DELAY_12N = 4, /**< of one with all: Bcast */
    PRVCUT_DELAY_N21 = 5, /**< of all with one: Reduce */
    PRVCUT_DELAYS         /**< how many this header knows */
};

/** "late_sender", the name in JSON; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_delay_text(enum prvcut_delay delay);

/** What the rows of the table are. Numbered once and for ever. */
enum prvcut_waits_by {
    PRVCUT_WAITS_BY_METRIC = 0,
    PRVCUT_WAITS_BY_RANK = 1,
    PRVCUT_WAITS_BY_PATH = 2,
    PRVCUT_WAITS_BY_REGION = 3,
    PRVCUT_WAITS_BY_ITERATION = 4
};

/** "rank"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_waits_by_text(enum prvcut_waits_by by);

struct prvcut_waits_patterns;

/** What is done to clocks that contradict each other, unless the trace was opened with raw_clocks.
    Numbered once and for ever. */
enum prvcut_waits_clocks {
    PRVCUT_WAITS_CLOCKS_PIECEWISE = 0, /**< offsets that bend, where constant ones are not enough;
                                            the trace is read once more for that */
    PRVCUT_WAITS_CLOCKS_CONSTANT = 1   /**< a constant offset each */
};

/** "piecewise"; constant; NULL: no such number. */
PRVCUT_API const char *prvcut_waits_clocks_text(enum prvcut_waits_clocks clocks);

/** What prvcut_waits_make is told. Filled in; zeroed is valid. */
struct prvcut_waits_options {
    size_t size; /**< sizeof this struct; 0: the fields up to top */
    enum prvcut_waits_by by;
    struct prvcut_span only; /**< ns: calls that begin there; end 0: all */
    const char *region;   /**< only there: "longest", "1.4"; NULL: everywhere; "all", by metric: by
                             region */
    uint64_t first, last; /**< only these iterations, from 1; first 0: all; last 0: first alone */
    size_t top;           /**< rows of the text's tables; 0: 10 */
    /** Delay costs: whom waits are to blame on, and what follows from them. These two are of a
       whole run, whatever else is asked for; of a long one much of it lies in temporary files. */
    bool causes;
    bool critical;                                /**< the critical path */
    const struct prvcut_waits_patterns *patterns; /**< of the program's own; NULL: none */
    const char *tasks; /**< "1-4,7", from 1: only what these wait, for whomever; NULL: all */
    enum prvcut_waits_clocks clocks;
    size_t marks; /**< nonzero: where calls wait is kept, for prvcut_waits_mark, in memory that
                       grows with the calls that wait */
};

/** How one kind of waiting is spread. A view, which grows at its end. */
struct prvcut_waits_metric {
    enum prvcut_wait wait;   /**< a program's own from PRVCUT_WAIT_OWN on */
    const char *name;        /**< as prvcut_wait_text */
    const char *reason;      /**< why the trace does not tell it; NULL: it does */
    const char *partial;     /**< what is missing; NULL: nothing */
    uint64_t severity_ns;    /**< of all ranks; 0 where there is a reason */
    uint64_t instances;      /**< calls that lost time */
    double share;            /**< of the threads' time in the window */
    const uint64_t *rank_ns; /**< [ranks] */
    uint32_t worst_rank;     /**< UINT32_MAX: none lost any */
    size_t worst_path;       /**< where most of it is, of prvcut_waits_frame; SIZE_MAX: nowhere */
    uint64_t worst_path_ns;
    double mean_ns, median_ns; /**< of an instance; NAN: there is none */
    uint64_t most_ns;
    size_t paths;                         /**< of prvcut_waits_path */
    const char *title;                    /**< for people, "Late sender" */
    const struct prvcut_waits_metric *of; /**< the metric that this one is a part of; NULL: none */
};

/** One kind of waiting on one call path. A view, which grows at its end. */
struct prvcut_waits_path {
    size_t path; /**< of prvcut_waits_frame */
    uint64_t severity_ns, instances;
    const uint64_t *rank_ns; /**< [ranks] */
};

/** A call that lost time. A view, which grows at its end. */
struct prvcut_waits_instance {
    enum prvcut_wait wait;
    uint32_t rank, thread;
    size_t path;             /**< of prvcut_waits_frame */
    struct prvcut_span call; /**< ns */
    uint64_t severity_ns;
    uint32_t cause;    /**< rank that it waited for; UINT32_MAX: not one alone */
    uint64_t cause_ns; /**< when that rank's call began */
};

/** How much all waits of a kind are blamed on what others did, ns. A view, which grows at its end.
 */
struct prvcut_waits_delay {
    enum prvcut_delay kind;
    double short_ns;    /**< on what the one that was waited for did meanwhile */
    double long_ns;     /**< on what made that one wait before */
    const char *reason; /**< why it is not told; NULL: it is */
};

/** How much of it is blamed on a call path of a rank. A view, which grows at its end. */
struct prvcut_waits_cost {
    enum prvcut_delay kind;
    uint32_t rank, thread;
    size_t path; /**< of prvcut_waits_frame; 0: outside of calls */
    double short_ns, long_ns;
};

/** What of a call path of a rank is on the critical path. A view, which grows at its end. */
struct prvcut_waits_stretch {
    uint32_t rank, thread;
    size_t path; /**< of prvcut_waits_frame; 0: outside of calls */
    int64_t ns;  /**< clocks that contradict each other can make it negative */
};

/** A call path of which the critical path has more than a rank has of it in the mean, waits left
   out. A view, which grows at its end. */
struct prvcut_waits_imbalance {
    size_t path;    /**< of prvcut_waits_frame; 0: outside of calls */
    int64_t ns;     /**< of it on the critical path, of all ranks */
    double over_ns; /**< more than in the mean; > 0 */
};

/** One region or iteration. A view, which grows at its end. */
struct prvcut_waits_part {
    const char *region;      /**< "1.4"; NULL: an iteration of the run */
    uint64_t iteration;      /**< from 1; 0: a region */
    struct prvcut_span span; /**< ns */
    bool disturbed;
    const uint64_t *severity_ns; /**< [metrics] */
};

/** What contradicts the order of time. A view, which grows at its end. */
struct prvcut_waits_clock {
    uint64_t checked;                            /**< messages, and members of collectives */
    uint64_t violations, worst_ns;               /**< after what was done to the clocks */
    uint64_t before_violations, before_worst_ns; /**< as recorded */
    uint64_t matching;  /**< of violations: messages between threads that share a clock, so that the
                             trace ties the wrong ends together */
    const char *source; /**< "as recorded", "constant", "piecewise"; constant text */
    uint64_t doubt_ns; /**< of the offsets, at most: each wait for another rank may be so far off */
    size_t offsets;    /**< of prvcut_waits_offset */
};

/** What is added to the times of a rank: from there on to the next, in a straight line. A view,
    which grows at its end. */
struct prvcut_waits_offset {
    uint32_t rank;
    uint64_t at_ns; /**< 0 of a constant one */
    int64_t offset_ns;
};

/** The wait states of a run: a view, which grows at its end. */
struct prvcut_wait_states {
    const char *name;
    enum prvcut_waits_by by;
    uint32_t ranks, threads;                          /**< threads: that are looked at */
    struct prvcut_span span;                          /**< ns, what was looked at */
    uint64_t end_ns;                                  /**< of the run */
    uint64_t messages, no_receive, no_send, bad_rank; /**< whole ones; ends without the other one;
                                                           of a rank that does not exist */
    uint64_t collectives, incomplete;                 /**< whole ones; those that lack members */
    uint64_t unlike;  /**< whose members called different things: left out */
    size_t metrics;   /**< of prvcut_waits_metric: PRVCUT_WAITS, and the program's own */
    size_t instances; /**< of prvcut_waits_instance: the longest, at most ten */
    size_t parts;     /**< of prvcut_waits_part */
    size_t top;       /**< rows of the text's tables */
    const char
        *no_loop; /**< why there are no iterations; NULL: there are, or none were asked for */
    bool causes, critical; /**< were asked for */
    size_t delays;         /**< of prvcut_waits_delay: PRVCUT_DELAYS; 0: not asked for */
    size_t costs;          /**< of prvcut_waits_cost */
    double unexplained_ns; /**< waits that nobody can be blamed for */
    size_t stretches;      /**< of prvcut_waits_stretch */
    int64_t critical_ns;   /**< the critical path is so long */
    uint64_t steps;        /**< from one rank to another on it */
    const char
        *no_path; /**< why the critical path is not told; NULL: it is, or was not asked for */
    const uint8_t *looked;   /**< [ranks] is the rank looked at? NULL: all are */
    uint32_t lookeds;        /**< ranks that are looked at */
    size_t imbalances;       /**< of prvcut_waits_imbalance */
    uint64_t skipped;        /**< damaged records that were left out (lenient) */
    uint64_t unsorted;       /**< lines that were out of order in time, and put in order; of
                                  archives: records, taken as late as those before them */
    uint64_t first_unsorted; /**< the first of them, a line from 1; 0: none, or not known */
    uint64_t unsorted_ns;    /**< that the furthest of them stood behind */
};

/**
 * Find the wait states of a trace, in one reading.
 *
 * owns    *out is the caller's, released with prvcut_wait_states_free; NULL after a failure
 * errors  those of the reader; PRVCUT_NONE: no loop was found, as err tells (*out is there all the
 * same); PRVCUT_EUSAGE: no such region or iteration, an empty window; PRVCUT_EIO source  Wolf et
 * al. 2004, as Scalasca 2.6 has it
 */
PRVCUT_API enum prvcut_status prvcut_waits_make(struct prvcut_trace *trace,
                                                const struct prvcut_run *run,
                                                const struct prvcut_waits_options *options,
                                                struct prvcut_wait_states **out,
                                                struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_wait_states_free(struct prvcut_wait_states *w);

/** Metric i, in the order of enum prvcut_wait, a program's own behind; borrowed; NULL beyond the
    last. */
PRVCUT_API const struct prvcut_waits_metric *prvcut_waits_metric(const struct prvcut_wait_states *w,
                                                                 size_t i);
/** Call path k of metric i, the one with the most first; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_waits_path *prvcut_waits_path(const struct prvcut_wait_states *w,
                                                             size_t i, size_t k);
/** What is open at depth k of a call path, the outermost at 0, the MPI call last; borrowed; NULL
    beyond the last. */
PRVCUT_API const char *prvcut_waits_frame(const struct prvcut_wait_states *w, size_t path,
                                          size_t k);
/** One of the longest instances; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_waits_instance *prvcut_waits_instance(
    const struct prvcut_wait_states *w, size_t i);
/** Region or iteration i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_waits_part *prvcut_waits_part(const struct prvcut_wait_states *w,
                                                             size_t i);
/** Delay costs by kind; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_waits_delay *prvcut_waits_delay(const struct prvcut_wait_states *w,
                                                               size_t i);
/** Delay costs by call path and rank, the greatest first; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_waits_cost *prvcut_waits_cost(const struct prvcut_wait_states *w,
                                                             size_t i);
/** The critical path by call path and rank, the most first; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_waits_stretch *prvcut_waits_stretch(
    const struct prvcut_wait_states *w, size_t i);
/** The imbalance on the critical path by call path, the most first; borrowed; NULL beyond the last.
 */
PRVCUT_API const struct prvcut_waits_imbalance *prvcut_waits_imbalance(
    const struct prvcut_wait_states *w, size_t i);
/** What the clocks are worth; borrowed. */
PRVCUT_API const struct prvcut_waits_clock *prvcut_waits_clock(const struct prvcut_wait_states *w);

/** What was added to the clocks, rank by rank, each by time; borrowed; NULL beyond the last. Of
    many some are told. */
PRVCUT_API const struct prvcut_waits_offset *prvcut_waits_offset(const struct prvcut_wait_states *w,
                                                                 size_t i);

/** For a person: the metrics, where and when, the longest instances. Free *text. */
PRVCUT_API enum prvcut_status prvcut_waits_text(const struct prvcut_wait_states *w, char **text,
                                                struct prvcut_error *err);
/** The rows of the view. Free *text. */
PRVCUT_API enum prvcut_status prvcut_waits_csv(const struct prvcut_wait_states *w, char **text,
                                               struct prvcut_error *err);
/** Schema "prvcut-waits". Free *text. */
PRVCUT_API enum prvcut_status prvcut_waits_json(const struct prvcut_wait_states *w, char **text,
                                                struct prvcut_error *err);

/**
 * Write severities by call path and thread as a report for CUBE, under the names of Scalasca:
 * NAME.cubex (CUBE 4) or NAME.cube (CUBE 3), whole or not at all. What the trace does not tell is
 * left out.
 *
 * shape   options: by is 0; path: as prvcut_file_name gives it for PRVCUT_FILE_CUBEX or
 *         PRVCUT_FILE_CUBE
 * errors  PRVCUT_NONE: a region or iterations are asked for and there is no loop: err tells why,
 *         nothing is written; PRVCUT_EEXIST, PRVCUT_EIO; else as prvcut_waits_make
 */
PRVCUT_API enum prvcut_status prvcut_waits_cube(struct prvcut_trace *trace,
                                                const struct prvcut_run *run,
                                                const struct prvcut_waits_options *options,
                                                const char *path, bool force,
                                                struct prvcut_error *err);

struct prvcut_marking;

/**
 * Copy the trace with an event of type PRVCUT_MARK_WAIT_TYPE (prvcut/mark.h) where a call that `w`
 * counts begins to wait: value k is metric k - 1 of enum prvcut_wait; 0 where it waits no more. Of
 * a wait and a part of it the part is marked. What has no call, OpenMP's waits, is not.
 *
 * shape   w was made of this trace, with marks in its options
 * owns    *out is the caller's, released with prvcut_marking_free; NULL after a failure
 * errors  PRVCUT_NONE: nothing waits, nothing was written; PRVCUT_EUSAGE: marks were not kept, a
 *         format that is only read, a pipe; PRVCUT_EEXIST, PRVCUT_EIO, PRVCUT_EFORMAT: nothing is
 *         left behind
 */
PRVCUT_API enum prvcut_status prvcut_waits_mark(
    const struct prvcut_wait_states *w, struct prvcut_trace *trace, const struct prvcut_run *run,
    const struct prvcut_cut_options *to, struct prvcut_marking **out, struct prvcut_error *err);
/** What was written, in a line. Free *text. */
PRVCUT_API enum prvcut_status prvcut_waits_marked_text(const struct prvcut_marking *m, char **text,
                                                       struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
