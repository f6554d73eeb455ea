#ifndef PRVCUT_ANALYSIS_PATTERNS_GIVEN_H
#define PRVCUT_ANALYSIS_PATTERNS_GIVEN_H

#include "analysis/patterns/sequences.h"

/** Iterations that are known by their times, each thread's own: as the search for the structure of
    the run tells them, where its calls do not repeat. */
struct pat_given {
    const struct prvcut_window *window; /**< [count] in order; owned by who gives them */
    size_t count;
    const uint8_t *stranger; /**< [threads] nonzero: it does not follow them; NULL: all do */
    bool sure;               /**< else nothing is to be built on them alone */
};

/** The same as a thread's calls: [first[i], end[i]) are of iteration i. */
struct pat_given_loop {
    uint64_t count;        /**< 0: too few of them, or without calls of the thread */
    uint64_t *first, *end; /**< [count]; owned */
    uint64_t calls;        /**< in all of them */
};

/**
 * owns    *out is initialised here, released with pat_given_loop_fini, also after a failure
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_given_loop_make(struct pat_given_loop *out, const struct pat_given *g,
                                       const struct pat_thread *t, struct prvcut_error *err);
void pat_given_loop_fini(struct pat_given_loop *l);

/**
 * The iteration that most others are like, call by call; the first of equals.
 *
 * shape   symbol: [calls] of the thread
 * returns its place; like: how many are so, itself among them
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status pat_given_loop_usual(const struct pat_given_loop *l, const uint32_t *symbol,
                                        uint64_t *usual, uint64_t *like, struct prvcut_error *err);

/**
 * What a thread calls with all others in each iteration: a sum of its collectives there, 0: none.
 *
 * shape   mark: [g->count]
 */
void pat_given_mark(const struct pat_given *g, const struct pat_thread *t, uint64_t *mark);

/** Do two threads call the same with all others in nearly every iteration, and do so in these? */
bool pat_given_in_step(const uint64_t *a, const uint64_t *b, size_t count);

#endif
