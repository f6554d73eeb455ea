#ifndef PRVCUT_SIGNAL_SIGNAL_H
#define PRVCUT_SIGNAL_SIGNAL_H

#include "base/error.h"

/** One metric over equal bins: at[i] is its mean over [start + i * width, start + (i + 1) * width).
 */
struct prvcut_signal {
    const char *name, *unit; /**< constant strings */
    uint64_t start;          /**< ns */
    uint64_t width;          /**< ns, a bin */
    double *at;              /**< [bins]; owned; NULL where absent */
    size_t bins;
    const char *absent; /**< why the trace does not hold it; NULL where it does */
};

#endif
