#ifndef PRVCUT_ANALYSIS_PATTERNS_ENDS_H
#define PRVCUT_ANALYSIS_PATTERNS_ENDS_H

#include "analysis/patterns/given.h"
#include "analysis/patterns/tolerant.h"

/**
 * The iterations of a tolerant loop, with those of the structure before and behind it: an iteration
 * that sets something up, or leaves something out, is none of the nest's.
 */
struct pat_ends {
    uint64_t *border; /**< [count + 1] the places of their first calls; owned */
    uint64_t count;   /**< not less than the loop's */
};

/**
 * The loop alone, unless the structure is sure, and each border of the loop is the next to one of
 * its borders, and these follow each other.
 *
 * shape   given: NULL: nobody asked
 * owns    *out is initialised here, released with pat_ends_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_ends_make(struct pat_ends *out, const struct pat_tolerant *loop,
                                 const struct pat_given *given, const struct pat_thread *t,
                                 struct prvcut_error *err);
void pat_ends_fini(struct pat_ends *e);

#endif
