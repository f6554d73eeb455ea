#ifndef PRVCUT_STRUCTURE_SIGNAL_ENDS_H
#define PRVCUT_STRUCTURE_SIGNAL_ENDS_H

#include "base/error.h"

#include <stddef.h>

/**
 * Which of the iterations that were followed are the loop's? What comes before a loop or after it
 * may rise and fall with it, at another level: at either end goes what is less like the usual
 * iteration than any other is.
 *
 * shape   at: [samples] of the signal, not whitened; start: [count] samples, ascending; range: the
 *         iterations [range[0], range[1]) that are left, at least half of them
 * units   length: of the last iteration, samples
 * errors  PRVCUT_ENOMEM
 */
enum prvcut_status prvcut_signal_ends_trim(size_t range[2], const double *at, size_t samples,
                                           const double *start, size_t count, double length,
                                           struct prvcut_error *err);

#endif
