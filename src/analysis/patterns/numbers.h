#ifndef PRVCUT_ANALYSIS_PATTERNS_NUMBERS_H
#define PRVCUT_ANALYSIS_PATTERNS_NUMBERS_H

#include "analysis/patterns/points.h"

/**
 * What iterations of a nest are called. The search for the structure of the run numbers the
 * iterations of its loop for all commands; a nest's are numbered so where they are the same ones.
 */

/** Iterations of the structure's loop, in order. */
struct pat_numbered {
    const struct prvcut_window *window; /**< [count] */
    const uint64_t *number;             /**< [count] from 1, ascending */
    size_t count;
};

struct pat_numbers {
    bool same;     /**< the loop of the tracks is the structure's */
    int64_t shift; /**< then: an iteration's place, from 0, and this is its number */
};

/** Does an iteration of the tracks, almost everywhere, lie where one of the structure does? errors:
    PRVCUT_ENOMEM */
enum prvcut_status pat_numbers_compare(struct pat_numbers *out, const struct pat_points *p,
                                       const struct pat_numbered *structure,
                                       struct prvcut_error *err);

/** The structure's iterations that lie in a stretch of a thread for their greater part, else that
   which the stretch lies in so. false: none */
bool pat_numbers_within(const struct pat_numbered *structure, uint32_t thread,
                        struct prvcut_span stretch, uint64_t *first, uint64_t *last);

#endif
