#ifndef PRVCUT_BASE_SECONDS_H
#define PRVCUT_BASE_SECONDS_H

#include <time.h>

/** A clock that only goes on, in seconds. */
static inline double prvcut_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
