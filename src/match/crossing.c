#include "match/crossing.h"

#include "base/spans.h"

static uint64_t crossing_end(const struct prvcut_taking *t)
{
    return t->before + t->inside;
}

uint64_t prvcut_all_inside(const struct prvcut_taking *taking, size_t count,
                           struct prvcut_whole *out)
{
    uint64_t low = 0, high = UINT64_MAX, last = 0, until = 0, any = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t end = crossing_end(&taking[i]);

        low = taking[i].before > low ? taking[i].before : low;
        high = !taking[i].done && end < high ? end : high;
        last = end > last ? end : last;
        any += prvcut_union_add(&until, taking[i].before, end);
    }
    *out = (struct prvcut_whole){ low, high > low ? high : low };
    high = high < last ? high : last;
    return any - (high > low ? high - low : 0);
}
