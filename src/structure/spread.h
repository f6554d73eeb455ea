#ifndef PRVCUT_STRUCTURE_SPREAD_H
#define PRVCUT_STRUCTURE_SPREAD_H

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

#endif
