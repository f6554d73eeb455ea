#ifndef PRVCUT_ANALYSIS_KINDS_H
#define PRVCUT_ANALYSIS_KINDS_H

#include "model/made.h"

#define PRVCUT_KINDS MADE_KINDS

/** Iterations of one loop, in their order. */
struct prvcut_kinds_input {
    const double *length; /**< [count] ns */
    const double
        *calls;        /**< [count] that a thread makes, the median of the threads; NULL: unknown */
    const bool *clear; /**< [count] nothing disturbs it; NULL: so are all */
    bool clear_alone;  /**< the others are of a kind, but do not count in it */
    size_t count;
};

/**
 * Which iterations are of one kind: those that make as many calls, if these tell lengths apart;
 * else those whose lengths lie in one group, or on one side of a gap. Disturbed iterations are of
 * the kind that they would be of, and count in it with all their length: number, share, shortest
 * and longest are of all. The median, which is what such an iteration usually takes, is that of the
 * clear ones where it has any.
 *
 * shape   kind: the shortest first; label: [in->count] index of each one's kind; *kinds: 1 where
 *         they do not differ, 0 where there are none
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_kinds_find(struct prvcut_kind kind[PRVCUT_KINDS], size_t *kinds,
                                     unsigned *label, const struct prvcut_kinds_input *in,
                                     struct prvcut_error *err);

/** Are kinds more than one with a few others? */
bool prvcut_kinds_differ(const struct prvcut_kind *kind, size_t kinds);

#endif
