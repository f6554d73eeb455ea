#ifndef PRVCUT_DIFF_H
#define PRVCUT_DIFF_H

#include "prvcut/inspect.h"
#include "prvcut/reduce.h"
#include "prvcut/waits.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is compared, of an iteration and a thread, on average over the threads. Numbered once and
    for ever. */
enum prvcut_diff_quantity {
    PRVCUT_DIFF_LENGTH = 0,        /**< ns; of whole runs, of the run */
    PRVCUT_DIFF_ITERATIONS = 1,    /**< of the loop */
    PRVCUT_DIFF_COMPUTING = 2,     /**< ns */
    PRVCUT_DIFF_CALLS = 3,         /**< ns in all calls: they communicate, or wait for others */
    PRVCUT_DIFF_FLUSHING = 4,      /**< ns that the tracer took to write its buffer */
    PRVCUT_DIFF_OFF = 5,           /**< ns in which tracing was off */
    PRVCUT_DIFF_CALL = 6,          /**< ns in the calls of one name */
    PRVCUT_DIFF_ENTERED = 7,       /**< how often these are made */
    PRVCUT_DIFF_MESSAGES = 8,      /**< point to point, sent */
    PRVCUT_DIFF_BYTES = 9,         /**< in these */
    PRVCUT_DIFF_INSTRUCTIONS = 10, /**< outside calls */
    PRVCUT_DIFF_IPC = 11,          /**< instructions a cycle, outside calls */
    PRVCUT_DIFF_FREQUENCY = 12,    /**< cycles outside calls a ns of computing: GHz */
    PRVCUT_DIFF_WAITING = 13, /**< ns of calls in which the partner was late: as of a profile */
    PRVCUT_DIFF_COLLECTIVE_BYTES = 14 /**< sent and received in collectives */
};

/** What of a quantity changed. Numbered once and for ever. */
enum prvcut_diff_way {
    PRVCUT_DIFF_SAME = 0,   /**< nothing, by more than iterations of one run differ */
    PRVCUT_DIFF_MEDIAN = 1, /**< most iterations; of whole runs, the run */
    PRVCUT_DIFF_MEAN = 2    /**< some iterations, much */
};

/** Whether B is the better for it. Numbered once and for ever. */
enum prvcut_diff_turn {
    PRVCUT_DIFF_NEITHER = 0, /**< nothing changed, or it says why, but is no cost */
    PRVCUT_DIFF_BETTER = 1,
    PRVCUT_DIFF_WORSE = 2
};

/** The words of JSON ("length", "mean", "worse"); constant; NULL: no such number. */
PRVCUT_API const char *prvcut_diff_quantity_text(enum prvcut_diff_quantity quantity);
PRVCUT_API const char *prvcut_diff_way_text(enum prvcut_diff_way way);
PRVCUT_API const char *prvcut_diff_turn_text(enum prvcut_diff_turn turn);

/** What prvcut_diff_make is told; zeroed is valid. */
struct prvcut_diff_options {
    size_t size;        /**< sizeof this struct; 0: the fields up to above */
    unsigned level;     /**< compare the longest loop of that level; 0: of the outermost, or whole
                             runs where one of them has no loop */
    const char *region; /**< "1.4": compare that region's loop; "1.4,2.1": of A, of B; NULL: by
                            the level */
    bool limited;       /**< above counts */
    double above;       /**< what is worse by a greater part fails: 0.05 */
};

/** A quantity in A and in B: a view, which grows at its end. Index 0 is of A, 1 of B; NAN: not
    told. */
struct prvcut_diff_row {
    enum prvcut_diff_quantity quantity;
    const char *call; /**< whose; NULL: of no single call */
    double median[2]; /**< of the iterations that nothing disturbs */
    double spread[2]; /**< of these: 1.4826 times the median distance from the median */
    double mean[2];   /**< of all iterations */
    double total[2];  /**< of the loop, on average over the threads */
    double least;     /**< a difference of medians must be greater to be a change */
    enum prvcut_diff_way way;
    double difference; /**< B less A, of medians; of means where these changed */
    double share;      /**< of it in A; NAN: A has none */
    double of_length;  /**< of a time: the difference as a part of A's iteration; else NAN */
    bool overall;      /**< the average over the threads changed, not only some threads */
    enum prvcut_diff_turn turn;
    double worse; /**< what `above` is compared with; 0: it does not count */
    /* Who it changed on most, in the same direction; where threads are compared and some changed.
     */
    uint32_t rank;    /**< from 0; UINT32_MAX: nobody is named */
    uint32_t thread;  /**< dense, from 0, as of prvcut_diff_thread; UINT32_MAX: the same */
    uint32_t threads; /**< that it changed on */
    double of_thread[2];
    const char *reason; /**< why it is not told; NULL: it is */
    bool likely; /**< of the length, where the medians do not tell it: the means differ by what is
                      hardly chance, though it is not proven */
};

/** Something else to be known. Closed. */
struct prvcut_diff_note {
    const char *what; /**< constant: a field of JSON */
    const char *text;
};

/** Two runs side by side: a view, which grows at its end. Index 0 is of A, 1 of B. */
struct prvcut_diff {
    const char *name[2]; /**< of the trace, as people call it */
    uint32_t tasks[2], threads[2];
    bool whole;             /**< whole runs are compared, as there are no two loops */
    const char *region[2];  /**< "1.4"; NULL: none */
    const char *no_loop[2]; /**< why there is none; NULL: there is */
    uint64_t iterations[2]; /**< of the loop, disturbed ones, too; 0: there is none */
    uint64_t looked_at[2];  /**< of these, evenly spread where there are many */
    uint64_t disturbed[2];  /**< of those that are looked at */
    unsigned together[2];   /**< so many iterations are taken as one, as the other's holds them */
    bool by_thread;         /**< threads are compared one by one */
    const char *computing;  /**< constant: "running", as states tell; "outside" calls; NULL */
    bool slower;            /**< causes are of what takes longer in B; else in A */
    size_t rows;            /**< of prvcut_diff_row: in order, calls by their time */
    size_t changes;         /**< of prvcut_diff_change: the most important first */
    size_t causes;          /**< of prvcut_diff_cause: why an iteration is longer, or shorter */
    size_t notes;           /**< of prvcut_diff_note */
    double worst;           /**< the greatest `worse` of all rows; 0: nothing is worse */
    bool limited;           /**< as asked */
    double above;           /**< as asked */
    bool exceeded;          /**< worst is greater */
    unsigned loop[2];       /**< as of prvcut_region; 0: there is none */
    size_t regions[2];      /**< in which that loop runs: all of them are compared */
    const char *unlike;     /**< why the loops are not the same: rows have figures of each, nothing
                                 is a change, or worse; NULL: they may be, or were named */
};

/**
 * Compare the same loop in two runs, per iteration; whole runs where one of them has no loop. Three
 * readings of each, one more where threads have no borders yet, as there are many.
 *
 * What changed is what differs by more than iterations of one and the same run do: the medians lie
 * apart by more than the spread of either run, and by five standard errors of their difference, and
 * each beyond the middle half of the other run's iterations; of 16 or more, also by what the
 * iterations around the medians, in order, leave open. The means tell where these do and by
 * four standard errors (five, of one thread) while the medians do not, or are apart by less than
 * three quarters of that, as some iterations only changed.
 * Differences of less than 1 % of the smaller value, or of the shorter iteration where they are
 * times, are no changes; of whole runs, and of fewer than four iterations, less than 5 %. Counts
 * (calls, messages, bytes) have no such floor. Of B and A the same changed as of A and B.
 *
 * Threads are judged by what changed on average, medians or means; by either where nothing did.
 * Where the length changed, or is hardly by chance another, also by means that are hardly so and
 * make half of that: what a thread computes, flushes, or is not traced.
 * Causes are made of what changed, thread by thread: their figures are those of the row that tells
 * of them, unless that changed the other way on average.
 *
 * Where the iterations of one run hold the calls of several of the other, these are taken as one;
 * where they hold 1.5 times the calls and are as much longer, without holding several, the loops
 * are not the same, unless they run as often or were named by a region: then nothing is judged.
 *
 * Worse is what costs more: a longer iteration (also where its mean is longer by what is hardly
 * chance, or more than twice as long), more iterations, more computing (as a part of the
 * iteration), calls, messages, bytes, instructions. Time in calls, IPC and frequency say why and do
 * not count.
 *
 * owns    *out is the caller's, released with prvcut_diff_free; NULL after a failure
 * errors  PRVCUT_NONE: a level or region is asked for, and one has no loop; *out is there all the
 *         same; PRVCUT_EUSAGE: no such region; else as a scan; err is of the trace that failed
 */
PRVCUT_API enum prvcut_status prvcut_diff_make(struct prvcut_trace *a, struct prvcut_trace *b,
                                               const struct prvcut_run *run,
                                               const struct prvcut_diff_options *options,
                                               struct prvcut_diff **out, struct prvcut_error *err);

/** Release; accepts NULL. */
PRVCUT_API void prvcut_diff_free(struct prvcut_diff *d);

/** Row i; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_diff_row *prvcut_diff_row(const struct prvcut_diff *d, size_t i);
/** Those of the rows that changed; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_diff_row *prvcut_diff_change(const struct prvcut_diff *d, size_t i);
/** Of an iteration of the slower run beside one of the other; `threads` are those that it changed
    on, `others` are not named; borrowed; NULL beyond the last. */
PRVCUT_API const struct prvcut_slow_cause *prvcut_diff_cause(const struct prvcut_diff *d, size_t i);
/** A thread of A as rows and causes number it: "1.4.1", or as its archive calls it; *rank: from 0,
    may be NULL. NULL beyond the last, and where threads are not compared one by one; borrowed. */
PRVCUT_API const char *prvcut_diff_thread(const struct prvcut_diff *d, uint32_t thread,
                                          uint32_t *rank);
/** NULL beyond the last. */
PRVCUT_API const struct prvcut_diff_note *prvcut_diff_note(const struct prvcut_diff *d, size_t i);

/** What the clocks of a run (0: A, 1: B) are worth, which are not bent; borrowed. checked 0:
    nothing was compared. shape: side < 2 */
PRVCUT_API const struct prvcut_waits_clock *prvcut_diff_clock(const struct prvcut_diff *d,
                                                              unsigned side);

/** For a person: what changed in a sentence, then a table. Free *text. */
PRVCUT_API enum prvcut_status prvcut_diff_text(const struct prvcut_diff *d, enum prvcut_form form,
                                               char **text, struct prvcut_error *err);
/** One line a row; a column is empty where nothing is told. Free *text. */
PRVCUT_API enum prvcut_status prvcut_diff_csv(const struct prvcut_diff *d, char **text,
                                              struct prvcut_error *err);
/** Schema "prvcut-diff". Free *text. */
PRVCUT_API enum prvcut_status prvcut_diff_json(const struct prvcut_diff *d, char **text,
                                               struct prvcut_error *err);

#ifdef __cplusplus
}
#endif

#endif
