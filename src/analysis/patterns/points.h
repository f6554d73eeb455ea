#ifndef PRVCUT_ANALYSIS_PATTERNS_POINTS_H
#define PRVCUT_ANALYSIS_PATTERNS_POINTS_H

#include "analysis/patterns/patterns.h"
#include "prvcut/patterns.h"

/**
 * Iterations that are worth a look: of those that are alike one, those that are like no other, none
 * of the usual ones.
 *
 * source  Trahay et al., PDP 2015, IV
 */

/** Where a pattern occurs on one thread, in order. */
struct pat_track {
    uint32_t thread;
    uint64_t count;
    uint64_t *at;     /**< [count] its first call's place */
    uint64_t *begin;  /**< [count] ns */
    uint64_t *length; /**< [count] ns */
    uint64_t *next;   /**< [count] the place behind its last call */
    struct pat_peaks peaks;
};

struct pat_point {
    bool outlier;
    uint64_t iteration; /**< from 0 */
    size_t track;       /**< place */
    uint64_t excess, alike;
    /* Why. */
    enum prvcut_point_cause cause;
    uint32_t cause_thread, type; /**< type UINT32_MAX: computing in all of the iteration */
    int64_t value;               /**< of the call */
    uint64_t cause_excess;
    uint32_t peer; /**< of a call: the first thread of the task at the other end of its message;
                        UINT32_MAX: messages tell none, or several */
    enum prvcut_cause mask;
    uint64_t calls, median_calls; /**< on its thread; of all iterations */
};

struct pat_points {
    struct pat_track *track; /**< [tracks] of threads that have as many */
    size_t tracks, track_room;
    uint64_t iterations;
    struct pat_point *at; /**< [count] by rank */
    size_t count, all;
    size_t pattern; /**< place in pat_found.pattern; SIZE_MAX: none */
    /* Of the outermost loop: threads with calls that have no, or another number of iterations. */
    uint32_t *left; /**< [lefts] ascending; owned */
    size_t lefts;
    uint64_t
        left_ns; /**< from their first call to the end of their last; beside pat_found.span_ns */
};

struct pat_points_options {
    size_t top;                      /**< 0: all */
    bool every;                      /**< every iteration by rank */
    unsigned level;                  /**< 0: the outermost loop */
    const struct pat_options *found; /**< of pat_find: whom to ask; NULL: nobody */
};

/**
 * Of the iterations of the nests; but where a thread shows another number of them, as one call more
 * in one of them is enough for, of those of the structure, if it has them on more threads: what is
 * left out might be what all others wait for.
 *
 * shape   store, f: of pat_find; f->given is asked for if need be
 * owns    *out is released with pat_points_fini, also after a failure
 */
enum prvcut_status pat_points_find(struct pat_points *out, struct pat_store *store,
                                   struct pat_found *f, const struct pat_points_options *options,
                                   struct prvcut_error *err);
void pat_points_fini(struct pat_points *p);

/** Rank iterations whose tracks are there, and choose; `why` is not told. */
enum prvcut_status pat_points_rank(struct pat_points *p, const struct pat_points_options *options,
                                   struct prvcut_error *err);

/** Tell why each point is long: one more walk over the threads. */
enum prvcut_status pat_points_why(struct pat_points *p, struct pat_store *store,
                                  struct prvcut_error *err);

#endif
