#ifndef PRVCUT_STRUCTURE_STEPS_H
#define PRVCUT_STRUCTURE_STEPS_H

#include "structure/loop.h"

/** The steps that all iterations of a loop are made of. Zeroed is none. */
struct prvcut_steps {
    unsigned each; /**< steps in an iteration; 0: none were found, else 2 or more */
    /** Steps in the first and the last iteration; not each: the loop begins or ends inside one (or
        has something before or behind it that no iteration has), and what is no step is left out.
     */
    unsigned first, last;
    size_t iterations;
    /** Borders of the same threads between steps, each of the loop's among them but for the first
        and the last one where an iteration is not whole; start is NULL. What is from a border to
        the one 2 * each behind it is two whole iterations. Released with prvcut_call_loop_fini. */
    struct prvcut_call_loop calls;
};

/** How many steps an iteration has, and how many all have that are before it: the index of its
    first border. iteration: up to s->iterations */
unsigned prvcut_steps_of(const struct prvcut_steps *s, size_t iteration);
size_t prvcut_steps_before(const struct prvcut_steps *s, size_t iteration);

/**
 * Divide the iterations of a loop at a call that comes equally often in every iteration, on every
 * thread that follows it: of several at the one that makes many steps of about equal length. Calls
 * in a row that are alike count once, or else each; those that only ask whether something has come
 * begin no step. The first and the last iteration may have another number than at least three that
 * have the same.
 *
 * shape   l: with borders by calls of `in`; most: steps in an iteration
 * owns    *out is initialised here; its calls are the caller's, empty after a failure
 * errors  PRVCUT_ENOMEM; none are found: PRVCUT_OK with out->each 0
 */
enum prvcut_status prvcut_steps_find(struct prvcut_steps *out, const struct prvcut_call_loop *l,
                                     const struct prvcut_call_sequence *in, unsigned most,
                                     struct prvcut_error *err);

#endif
