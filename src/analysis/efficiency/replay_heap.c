#include "analysis/efficiency/replay_state.h"

#include "base/buffer.h"

/*
 * Heads that wait, the earliest recorded end first, then the lowest lane. What has left since stays
 * until it comes to the top, or until most have.
 */

static bool rhp_before(const struct rpl_waiting *a, const struct rpl_waiting *b)
{
    return a->end != b->end ? a->end < b->end : a->call.lane < b->call.lane;
}

static void rhp_swap(struct rpl_waiting *a, struct rpl_waiting *b)
{
    const struct rpl_waiting x = *a;

    *a = *b;
    *b = x;
}

static void rhp_put(struct prvcut_replay *r, struct rpl_waiting w)
{
    r->heap[r->heaped] = w;
    for (size_t i = r->heaped++; i > 0 && rhp_before(&r->heap[i], &r->heap[(i - 1) / 2]);
         i = (i - 1) / 2) {
        rhp_swap(&r->heap[i], &r->heap[(i - 1) / 2]);
        r->counts.steps++;
    }
}

/* Only those that still wait: one a lane at most. */
static void rhp_clean(struct prvcut_replay *r)
{
    const size_t count = r->heaped;

    r->heaped = 0;
    for (size_t i = 0; i < count; i++)
        if (rpl_pending(r, r->heap[i].call))
            rhp_put(r, r->heap[i]);
    r->counts.steps += count;
}

enum prvcut_status rpl_heap(struct prvcut_replay *r, uint32_t lane, struct prvcut_error *err)
{
    const struct rpl_lane *l = &r->lane[lane];
    struct rpl_call *c = rpl_at(l, l->head);

    if (c->heaped)
        return PRVCUT_OK;
    if (r->heaped >= 2 * (size_t)r->options.lanes)
        rhp_clean(r);
    if (prvcut_grow((void **)&r->heap, &r->heap_room, r->heaped + 1, sizeof *r->heap, err) < 0)
        return PRVCUT_ENOMEM;
    c->heaped = true;
    rhp_put(r, (struct rpl_waiting){ c->end, { l->head, lane } });
    return PRVCUT_OK;
}

void rpl_heap_drop_first(struct prvcut_replay *r)
{
    size_t i = 0;

    r->heap[0] = r->heap[--r->heaped];
    for (;;) {
        size_t first = i;

        for (size_t k = 2 * i + 1; k < 2 * i + 3 && k < r->heaped; k++)
            if (rhp_before(&r->heap[k], &r->heap[first]))
                first = k;
        if (first == i)
            return;
        rhp_swap(&r->heap[i], &r->heap[first]);
        r->counts.steps++;
        i = first;
    }
}
