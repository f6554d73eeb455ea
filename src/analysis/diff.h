#ifndef PRVCUT_ANALYSIS_DIFF_H
#define PRVCUT_ANALYSIS_DIFF_H

#include "model/made.h"

/**
 * Two runs side by side: what each of their threads did in each iteration of their loops, and what
 * of it differs by more than iterations of one run do.
 */

/** What is measured of a thread in an iteration, on its own borders; NAN: the trace does not tell.
 */
enum prvcut_diff_column {
    PRVCUT_DIFF_AT_LENGTH,  /**< ns */
    PRVCUT_DIFF_AT_RUNNING, /**< ns of computing, as states tell */
    PRVCUT_DIFF_AT_OUTSIDE, /**< ns of computing, as calls tell: all that is recorded outside them
                             */
    PRVCUT_DIFF_AT_CALLS,   /**< ns */
    PRVCUT_DIFF_AT_WAITING, /**< ns of these, for a partner */
    PRVCUT_DIFF_AT_FLUSHING,
    PRVCUT_DIFF_AT_OFF,
    PRVCUT_DIFF_AT_SENT, /**< messages */
    PRVCUT_DIFF_AT_BYTES,
    PRVCUT_DIFF_AT_TOGETHER,     /**< bytes sent and received in collectives */
    PRVCUT_DIFF_AT_INSTRUCTIONS, /**< outside calls; NAN where no reading tells of the thread */
    PRVCUT_DIFF_AT_CYCLES,
    PRVCUT_DIFF_AT_COLUMNS /**< behind these the time in each call, then how often it is made */
};

/** One run. */
struct prvcut_diff_run {
    size_t iterations; /**< that are looked at; of a whole run 1 */
    size_t calls;
    uint32_t rows;    /**< threads; 1: they are not told apart, and the row is the sum of all */
    uint32_t threads; /**< that there are */
    size_t *number;   /**< [iterations] through the loop, ascending; owned */
    bool *clear;      /**< [iterations] nothing disturbs it; owned */
    char **call;      /**< [calls] names; owned */
    double *at;       /**< [iterations + 1][rows][width], the last of all of the loop; owned */
    double count;     /**< iterations of the loop */
    bool loop;        /**< false: the whole run is taken as one iteration */
};

static inline size_t prvcut_diff_width(const struct prvcut_diff_run *r)
{
    return PRVCUT_DIFF_AT_COLUMNS + 2 * r->calls;
}

/** Is it a counter's? Of these some threads may tell and others not. */
static inline bool prvcut_diff_counted(size_t column)
{
    return column == PRVCUT_DIFF_AT_INSTRUCTIONS || column == PRVCUT_DIFF_AT_CYCLES;
}

/** The columns of a row. shape: iteration <= r->iterations, row < r->rows */
static inline double *prvcut_diff_at(const struct prvcut_diff_run *r, size_t iteration,
                                     uint32_t row)
{
    return r->at + (iteration * r->rows + row) * prvcut_diff_width(r);
}

void prvcut_diff_run_fini(struct prvcut_diff_run *r);

/**
 * Where an iteration of one run holds k of the other's, calls and all, take those k as one: the
 * search saw the same loop at two lengths. They make as many calls in all, or are about as long.
 *
 * returns how many of each run's iterations are one now: at least one of the two is 1
 */
void prvcut_diff_together(struct prvcut_diff_run run[2], unsigned together[2]);

/**
 * Are these two loops, not one that does more? An iteration of one makes 1.5 times the calls of the
 * other's, or more, is as much longer, and the loops do not run as often.
 *
 * times   calls of an iteration of B for each of A; 1: not told
 */
bool prvcut_diff_unlike(const struct prvcut_diff_run run[2], double *times);

/**
 * The rows, changes and causes of a comparison, and what the worst of them is.
 *
 * shape   out: zeroed but for limited and above; task: [rows of A] rank of each thread
 * owns    what out points to, released by whoever made it, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_diff_compare(struct made_diff *out, const struct prvcut_diff_run run[2],
                                       const uint32_t *task, struct prvcut_error *err);

#endif
