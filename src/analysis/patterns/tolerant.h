#ifndef PRVCUT_ANALYSIS_PATTERNS_TOLERANT_H
#define PRVCUT_ANALYSIS_PATTERNS_TOLERANT_H

#include "analysis/patterns/choose.h"
#include "analysis/patterns/tree.h"

/**
 * The outermost loop of a thread whose inner loops go round more or less often: loops are compared
 * without their counts, and repeats of one call are one.
 */
struct pat_tolerant {
    enum pat_alphabet alphabet;
    uint64_t count;   /**< iterations; 0: there is no such loop */
    uint64_t *border; /**< [count + 1] the places of their first calls; owned */
    double cover;     /**< of the thread's calls */
    double time;      /**< of its time */
    uint64_t steps;   /**< what it cost */
    uint64_t within;  /**< iterations of an inner loop whose ramps these are; 0: of none */
    /* An iteration as a nest of its own, with from how often to how often each goes round. */
    struct pat_bodies bodies;
    uint64_t *row; /**< [length] its elements; owned */
    size_t length;
    uint32_t *least, *most;             /**< [length]; owned */
    uint32_t *inner_least, *inner_most; /**< [bodies.elements]; owned */
};

/**
 * shape   alphabet: PAT_NONE: that which covers most, and of those that cover nearly as much the
 * one with the longest iteration; then a loop that covers little is none owns    *out is released
 * with pat_tolerant_fini, also after a failure errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_tolerant_find(struct pat_tolerant *out, const struct pat_thread *t,
                                     enum pat_alphabet alphabet, struct prvcut_error *err);
void pat_tolerant_fini(struct pat_tolerant *p);

/**
 * The whole thread as a tree: what is before the loop and behind it, folded exactly, and the loop.
 *
 * shape   symbol: of the thread in the loop's alphabet; n: is used
 */
enum prvcut_status pat_tolerant_tree(struct pat_tree *out, const struct pat_tolerant *p,
                                     const uint32_t *symbol, size_t count, struct pat_nest *n,
                                     struct prvcut_error *err);

/** The same of a row of symbols, without times; nothing is told of cover. */
enum prvcut_status pat_tolerant_loop(struct pat_tolerant *out, const uint32_t *symbol, size_t count,
                                     struct prvcut_error *err);

#endif
