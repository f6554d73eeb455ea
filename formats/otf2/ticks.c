#include "base/search.h"
#include "otf2/otf2.h"

struct moment {
    const struct o2_trace *t;
    uint32_t thread;
    uint64_t ns;
};

uint64_t o2_time(const struct o2_trace *t, uint32_t thread, uint64_t tick)
{
    const uint64_t ns = tick > t->defs.offset ? o2_ns(&t->scale, tick - t->defs.offset) : 0;
    const int64_t *offset = t->base.clocks.offset;
    int64_t add = offset ? offset[t->defs.location[thread].task] : 0;

    if (add < 0)
        return ns > (uint64_t)-add ? ns - (uint64_t)-add : 0;
    return ns + (uint64_t)add;
}

static bool ticks_is_reached(const void *ctx, size_t tick)
{
    const struct moment *m = ctx;

    return o2_time(m->t, m->thread, tick) >= m->ns;
}

uint64_t o2_tick(const struct o2_trace *t, uint32_t thread, uint64_t ns)
{
    _Static_assert(sizeof(size_t) == sizeof(uint64_t), "ticks are searched as places");
    /* Time rises with the ticks, so a search is exact whatever the rounding does. */
    return prvcut_first(t->defs.offset, UINT64_MAX, ticks_is_reached,
                        &(struct moment){ t, thread, ns });
}
