#ifndef PRVCUT_PROFILE_H
#define PRVCUT_PROFILE_H

#include "prvcut/reduce.h"
#include "prvcut/waits.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What rows of a profile are told apart by, as bits. Numbered once and for ever. */
enum prvcut_profile_by {
    PRVCUT_PROFILE_BY_CALL = 1,
    PRVCUT_PROFILE_BY_STATE = 2,         /**< not with calls */
    PRVCUT_PROFILE_BY_RANK = 4,          /**< of MPI: with all its threads */
    PRVCUT_PROFILE_BY_THREAD = 8,        /**< not with ranks */
    PRVCUT_PROFILE_BY_REGION = 16,       /**< periodic ones, of one level */
    PRVCUT_PROFILE_BY_ITERATION = 32,    /**< of one loop; not with regions, which they name */
    PRVCUT_PROFILE_BY_COMMUNICATOR = 64, /**< collectives; with calls, not with states */
    PRVCUT_PROFILE_BY_PEER = 128,        /**< who sends to whom: with regions or iterations only */
    PRVCUT_PROFILE_BY_FUNCTION = 256,    /**< functions, of which the innermost has the time; where
                                              only the callers of MPI calls are recorded, the time in
                                              these; with calls, what each makes;
                                              not with states */
    PRVCUT_PROFILE_BY_LINE = 512 /**< source lines, the time in MPI calls made from each; not
                                      with calls, states or functions */
};

/** Stands for a number that the trace does not tell. */
#define PRVCUT_PROFILE_UNTOLD UINT64_MAX

/** What prvcut_profile_make is told; zeroed is valid. */
struct prvcut_profile_options {
    size_t size;             /**< sizeof this struct; 0: the fields up to last */
    uint32_t by;             /**< bits; 0: by call */
    struct prvcut_span only; /**< ns, look only there; end 0 = everything */
    size_t top;              /**< rows, the others are left out; 0: all */
    const char *region;   /**< "1.4", "longest": look only there; NULL: everywhere, or in the loop
                             that is cut by default; "all": by region, too */
    uint64_t first, last; /**< iterations of its loop, from 1: look only there; 0: all */
    bool waiting;         /**< also tell how long calls wait, what they send and receive: one more
                             reading, as of communicators and peers */
    uint64_t why;         /**< in place of rows, why iterations are slow: those that first and last
                             name, or else as many at most, the longest first, of those that stand
                             out, or are disturbed and longer than usual; 0: rows */
};

/**
 * A row, of the threads and the time that it is of. A view, which grows at its end.
 *
 * Of calls and states `ns` is what lies inside the window. A call is entered where it begins; one
 * that was open at the window's start has its time there, but is not entered.
 */
struct prvcut_profile_row {
    const char *name;        /**< of a call or a state; NULL: the row is of all */
    uint32_t type;           /**< of a call: its event type */
    int64_t value;           /**< of a call: of that type, INT64_MIN: none is recorded, or it has no
                                  name; of a state: its number */
    uint32_t rank;           /**< from 0, dense over all applications; UINT32_MAX: of several */
    uint32_t thread;         /**< dense, from 0; UINT32_MAX: of several */
    const char *thread_name; /**< "1.4.1", or as an archive calls it; NULL: of several */
    const char *region;      /**< "1.4"; NULL: the view does not tell them apart, or none */
    uint64_t iteration;      /**< from 1 through its loop; 0: the view does not tell them apart */
    struct prvcut_span span; /**< ns, of the region or the iteration, on the thread that leads */
    bool disturbed;          /**< a region or an iteration that a flush, say, fell into */
    uint32_t threads;        /**< whose row it is */
    uint64_t window_ns;      /**< of these threads together: what shares are of */
    /* Of one call or state, or of all calls. */
    uint64_t entered;                     /**< UNTOLD of a state */
    uint64_t open;                        /**< calls without an end: they last to the thread's
                                               last record */
    uint64_t ns;                          /**< of calls inside calls the innermost has it */
    double mean_ns;                       /**< of those with a part inside; NAN: of none */
    uint64_t least_ns, most_ns;           /**< of whole calls, as far as they lie inside */
    uint64_t median_ns, percentile_95_ns; /**< from a histogram, at most 0.8 % wrong */
    /* Of all that threads did; UNTOLD in rows of a call or state, but for messages of a call, which
       are told with waiting_ns. */
    uint64_t recorded_ns; /**< from the window's start to each thread's last
                               record inside; the sum of the next three */
    uint64_t computing_ns, calls_ns, rest_ns;
    uint64_t sent, sent_bytes;         /**< point to point, where they are sent */
    uint64_t received, received_bytes; /**< where they are received */
    const uint64_t *counter;           /**< [counters], UNTOLD: no reading of these threads tells;
                                            NULL in rows of a call or state */
    /* UNTOLD unless asked for. Of a call sent_bytes and received_bytes are told, too: of messages
       that it sends or completes, and of collectives. */
    uint64_t waiting_ns;   /**< for the partner: until the last message that a call completes was
                              sent, or the last member came to a collective that waits for all */
    uint32_t communicator; /**< its id; UINT32_MAX: of all, or all tasks' */
    uint32_t sender, receiver; /**< ranks, of a peer: sent and sent_bytes are from one to the other,
                                  waiting_ns is the receiver's; UINT32_MAX: of all */
    const uint64_t *rest;      /**< [rests] ns of rest_ns, which they add up to; NULL: not told */
    uint64_t inclusive_ns; /**< of a function with all that it calls, what calls itself once; UNTOLD
                              of all else, and where only the callers of MPI calls are recorded */
    const char *function;  /**< that makes the call; NULL: the view does not tell them apart */
    int64_t function_value; /**< its value; INT64_MIN: it is not recorded, or has no name */
    const char *file;       /**< where the function stands in the source; NULL: it is not told */
    uint32_t line;          /**< on which it begins; 0: it is not told */
};

/** Why something is not told, or what else is to be known of it. Closed. */
struct prvcut_profile_reason {
    const char *what; /**< constant: a field of JSON: "received", "counters" */
    const char *text; /**< constant */
};

/** Why an iteration is slow. A view, which grows at its end. */
struct prvcut_profile_slow {
    uint64_t iteration;      /**< from 1 through its loop */
    const char *region;      /**< "1.4"; NULL: it lies between regions */
    struct prvcut_span span; /**< ns, on the thread that leads */
    bool disturbed;
    double excess_ns; /**< more than the median of the loop, or of a kind; below 0: less */
    size_t causes;    /**< of prvcut_profile_cause; 0: it is not longer than usual, as text tells */
    const char *text; /**< a sentence */
    unsigned beside_kind; /**< it is compared with that kind of iterations, from 1, beside which it
                               is unusual; 0: with all of the loop */
};

/** Where the time goes: a view, which grows at its end. */
struct prvcut_profile {
    const char *name;        /**< of the trace, as people call it */
    uint32_t by;             /**< bits */
    struct prvcut_span span; /**< ns, the window */
    uint64_t end_ns;         /**< of the run */
    uint32_t tasks, threads;
    size_t rows;           /**< of prvcut_profile_row: calls and states by their time, all else in
                                order */
    size_t rows_all;       /**< with those that are left out */
    size_t counters;       /**< of prvcut_profile_counter */
    size_t reasons;        /**< of prvcut_profile_reason */
    const char *computing; /**< constant: "running", as states tell; "outside" calls; NULL: it is
                                not told */
    const char *no_loop;   /**< why there is none; NULL where nobody asked, or there is */
    uint64_t lost;         /**< ends of calls without a begin, which are left out */
    size_t rests;          /**< of prvcut_profile_rest */
    bool waiting;          /**< it was asked how long calls wait */
    uint64_t skipped;      /**< damaged records that were left out (lenient) */
    bool why;              /**< it was asked why iterations are slow: there are no rows, and nothing
                                is told in the total */
    size_t slow;           /**< of prvcut_profile_slow: as they are named, or the longest first */
    uint64_t iterations;   /**< of the loop, that were told one by one; 0: nobody asked why */
    double median_ns;      /**< how long they are */
    uint64_t unusual; /**< unusual ones, and longer ones that are disturbed, also those that are not
                           told; 0 where some were named */
    bool named;       /**< some were named */
};

/**
 * Add up what threads did: calls, states, messages, counters, in one reading; another one searches
 * for the loop where regions or iterations are asked for. Each thread has its own borders of these,
 * where its calls tell them, as an aligned cut has.
 *
 * - Computing is the running state. Where no states are recorded it is, of a thread that makes
 *   calls, all time up to its last record that is not in calls, nor, in an archive, in a wait of
 *   OpenMP; of one that makes none what its regions tell.
 * - Counters count in calls, too: a value is spread evenly over the time since the thread's reading
 *   before it (since 0, of its first one).
 *
 * owns    *out is the caller's, released with prvcut_profile_free; NULL after a failure
 * errors  PRVCUT_NONE: regions or iterations are asked for and there is no loop, as err tells; *out
 * is there all the same, with the total of the window; PRVCUT_EUSAGE: views that do not go
 * together, an empty window, no such region or iteration; else as a scan
 */
PRVCUT_API enum prvcut_status prvcut_profile_make(struct prvcut_trace *trace,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_profile_options *options,
                                                  struct prvcut_profile **out,
                                                  struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_profile_free(struct prvcut_profile *p);

/** Row i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_profile_row *prvcut_profile_row(const struct prvcut_profile *p,
                                                               size_t i);
/** All threads in all of the window, as one row. */
PRVCUT_API const struct prvcut_profile_row *prvcut_profile_total(const struct prvcut_profile *p);

/** Name of a row's counter i: "instructions", "PAPI_L1_DCM"; NULL beyond the last. */
PRVCUT_API const char *prvcut_profile_counter(const struct prvcut_profile *p, size_t i);

/** In which state threads are for i of a row's rest: "Not created"; the last one, where there is
    any, is what no state tells: "no state". NULL beyond the last. */
PRVCUT_API const char *prvcut_profile_rest(const struct prvcut_profile *p, size_t i);

/** Why iteration i of `slow` is slow; NULL beyond the last. */
PRVCUT_API const struct prvcut_profile_slow *prvcut_profile_slow(const struct prvcut_profile *p,
                                                                 size_t i);
/** Its cause k, the largest first; NULL beyond the last. */
PRVCUT_API const struct prvcut_slow_cause *prvcut_profile_cause(const struct prvcut_profile *p,
                                                                size_t i, size_t k);

/** What the clocks are worth, which are not bent: of messages and, where it is asked how long calls
    wait, collectives; borrowed. checked 0: nothing was compared, as archives tell both ends of
    messages only where that is asked. */
PRVCUT_API const struct prvcut_waits_clock *prvcut_profile_clock(const struct prvcut_profile *p);

/** NULL beyond the last. */
PRVCUT_API const struct prvcut_profile_reason *prvcut_profile_reason(const struct prvcut_profile *p,
                                                                     size_t i);

/**
 * "call", "rank,call": the bits; NULL: 0, which is by call.
 *
 * errors  PRVCUT_EUSAGE: unknown views (*by is 0; the text lists the known), or such that do not go
 *         together (*by has them; the text says which do)
 */
PRVCUT_API enum prvcut_status prvcut_profile_views(const char *text, uint32_t *by,
                                                   struct prvcut_error *err);

/** For a person: what takes the time, then a table of the rows. Free *text. */
PRVCUT_API enum prvcut_status prvcut_profile_text(const struct prvcut_profile *p, char **text,
                                                  struct prvcut_error *err);
/** One line a row; a column is empty where nothing is told. Free *text. */
PRVCUT_API enum prvcut_status prvcut_profile_csv(const struct prvcut_profile *p, char **text,
                                                 struct prvcut_error *err);
/** Schema "prvcut-profile". Free *text. */
PRVCUT_API enum prvcut_status prvcut_profile_json(const struct prvcut_profile *p, char **text,
                                                  struct prvcut_error *err);

/**
 * Write time, visits, MPI, messages and bytes by call and thread as a report for CUBE: NAME.cubex
 * (CUBE 4) or NAME.cube (CUBE 3), whole or not at all. It reads the trace twice.
 *
 * shape   options: by is 0 or by call and thread, top is 0; path: as prvcut_file_name gives it for
 *         PRVCUT_FILE_CUBEX or PRVCUT_FILE_CUBE
 * errors  PRVCUT_NONE: a region or iterations are asked for and there is no loop: err tells why,
 *         nothing is written; PRVCUT_EEXIST, PRVCUT_EIO; PRVCUT_ELIMIT: more than 8 GiB of a
 *         metric; else as prvcut_profile_make
 */
PRVCUT_API enum prvcut_status prvcut_profile_cube(struct prvcut_trace *trace,
                                                  const struct prvcut_run *run,
                                                  const struct prvcut_profile_options *options,
                                                  const char *path, bool force,
                                                  struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
