#ifndef PRVCUT_STRUCTURE_SPREAD_H
#define PRVCUT_STRUCTURE_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/** How much lengths vary, in the logarithm. */
struct prvcut_spread {
    double all;   /**< standard deviation */
    double usual; /**< median deviation from the median */
};

/**
 * By themselves or about their trend, whichever is less: rounds may double, factorisations shrink.
 *
 * shape   log_length, work: [count], count >= 1; both are changed
 */
void prvcut_spread_find(struct prvcut_spread *out, double *log_length, double *work, size_t count);

/**
 * Are these the distances of events, which are few, and as near or far as chance has it? Those of a
 * loop's iterations vary less, or they are many.
 *
 * shape   s: of the numbers of calls in `count` distances
 */
bool prvcut_spread_by_chance(const struct prvcut_spread *s, size_t count);

#endif
