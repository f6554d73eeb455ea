#ifndef PRVCUT_STRUCTURE_DIVIDE_JUDGE_H
#define PRVCUT_STRUCTURE_DIVIDE_JUDGE_H

#include "structure/divide.h"
#include "structure/lengths_list.h"

/** Iterations that are judged by each other. */
struct divide_judged {
    const struct prvcut_known_loop *loop;
    const uint64_t *border; /**< [borders] */
    size_t borders, whole;  /**< all, and those of iterations that were seen whole */
    bool begins, ends;      /**< the loop begins with the first one; ends with the last one */
};

/**
 * Judge each iteration by the others; a last one that was not seen whole counts for none of them,
 * and one that is shorter by no more than what may lead to a next one is as usual, and so is one
 * that is longer behind its last call alone, or one of the first only because threads begin the
 * loop late: what led to the loop, or follows it, is no part of it. One that is shorter on the
 * thread that leads alone is as usual, too.
 *
 * shape   masked: the last one is touched by a mask
 * owns    out is initialised here, released with prvcut_lengths_drop
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status divide_judge(struct lengths_list *out, const struct divide_judged *j,
                                const struct prvcut_search_input *in, bool masked,
                                struct prvcut_error *err);

#endif
