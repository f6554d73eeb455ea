#ifndef PRVCUT_STRUCTURE_SIGNAL_NEST_H
#define PRVCUT_STRUCTURE_SIGNAL_NEST_H

#include "structure/signal_track.h"

/** Every `stride`-th iteration of a followed loop differs from the others: a loop around it. */
struct signal_nest {
    size_t stride; /**< iterations of the inner loop in one of the outer; 0: none */
    size_t first;  /**< start that begins an outer iteration: the longest inner one ends there */
    double confidence; /**< 0..1 */
};

/**
 * Look for an outer loop in the lengths and the shapes of the iterations, by their number instead
 * of by time: jitter, which hides the outer loop from the signal itself, has no effect on a number.
 *
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_nest_find(struct signal_nest *out, const struct signal_track *t,
                                           const struct signal_scales *s, struct prvcut_error *err);

/** The same by their lengths alone. */
enum prvcut_status prvcut_signal_nest_by_lengths(struct signal_nest *out,
                                                 const struct signal_track *t,
                                                 struct prvcut_error *err);

#endif
