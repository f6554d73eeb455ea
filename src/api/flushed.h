#ifndef PRVCUT_API_FLUSHED_H
#define PRVCUT_API_FLUSHED_H

#include "signal/track.h"

#include <math.h>

/** How long a flush lies in a window of its thread, ns. */
static inline double api_flushed(const struct prvcut_flush *f, uint64_t from, uint64_t to)
{
    const uint64_t begin = f->begin > from ? f->begin : from;
    const uint64_t end = f->end < to ? f->end : to;

    return end > begin ? (double)(end - begin) : 0;
}

/** Where flushes fall into a running state, they are no computing. length: of the window, ns */
static inline void api_flushed_take(double *computing, double calls, double flushing, double length)
{
    const double beyond = fmin(flushing, *computing + calls + flushing - length);

    if (beyond > 0)
        *computing = fmax(0, *computing - beyond);
}

#endif
