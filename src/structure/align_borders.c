#include "structure/align_borders.h"

#include "base/memory.h"

#include <stdlib.h>

uint64_t prvcut_align_follower(const struct aligner *a, size_t sequence, bool right)
{
    const struct prvcut_call_loop *c = a->in->calls;
    const size_t k = a->k + (right ? a->in->iterations : 0);

    return a->k != SIZE_MAX && c->border[sequence] && k < c->borders[sequence]
               ? c->border[sequence][k]
               : 0;
}

enum prvcut_status prvcut_align_borders_init(struct align_border side[2], uint32_t threads,
                                             struct prvcut_error *err)
{
    bool ok = true;

    for (int i = 0; i < 2; i++) {
        side[i].pos =
            prvcut_zeroed((size_t)threads + 1, sizeof *side[i].pos, "threads' borders", err);
        side[i].expected =
            prvcut_zeroed((size_t)threads + 1, sizeof *side[i].expected, "threads' borders", err);
        side[i].known =
            prvcut_zeroed((size_t)threads + 1, sizeof *side[i].known, "threads' borders", err);
        side[i].low =
            prvcut_zeroed((size_t)threads + 1, sizeof *side[i].low, "threads' borders", err);
        side[i].high =
            prvcut_zeroed((size_t)threads + 1, sizeof *side[i].high, "threads' borders", err);
        ok &= side[i].pos && side[i].expected && side[i].known && side[i].low && side[i].high;
    }
    return ok ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_align_borders_fini(struct align_border side[2])
{
    for (int i = 0; i < 2; i++) {
        free(side[i].pos);
        free(side[i].expected);
        free(side[i].known);
        free(side[i].low);
        free(side[i].high);
    }
}

uint64_t prvcut_align_time(const struct aligner *a, const struct align_border *b, uint32_t t)
{
    const struct align_thread *thread = &a->piece.thread[t];
    const struct align_call *last = b->pos[t] > 0 ? &thread->call[b->pos[t] - 1] : NULL;

    const uint64_t next = b->pos[t] < thread->count ? thread->call[b->pos[t]].time : UINT64_MAX;
    /* The end of a loop is known, too, and it is no call's begin. */
    const bool ends =
        b->known[t] && b->pos[t] == prvcut_align_calls_until(thread, b->expected[t], false);

    if (next <= b->expected[t] || (!ends && next - b->expected[t] <= a->period + b->apart))
        return next;
    /* There is no call soon behind it: where it is expected, but after the last one. */
    return last && last->end >= b->expected[t] ? last->end + 1 : b->expected[t];
}
