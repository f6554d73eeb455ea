#ifndef PRVCUT_BASE_SPANS_H
#define PRVCUT_BASE_SPANS_H

#include <stdint.h>

/**
 * What [start, end) adds to the union of the spans before it.
 *
 * shape   spans in the order of their starts; *until: 0 before the first, then the greatest end
 */
static inline uint64_t prvcut_union_add(uint64_t *until, uint64_t start, uint64_t end)
{
    const uint64_t from = start > *until ? start : *until;

    if (start >= end || from >= end)
        return 0;
    *until = end;
    return end - from;
}

#endif
