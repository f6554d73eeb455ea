#include "analysis/efficiency/replay_state.h"

#include "base/buffer.h"

/*
 * Heads that wait, the earliest recorded end first, then the lowest lane. What has left since stays
 * until it comes to the top, or until most have.
 */

static bool rre_before(const struct rpl_waiting *a, const struct rpl_waiting *b)
{
    return a->end != b->end ? a->end < b->end : a->call.lane < b->call.lane;
}

static void rre_swap(struct rpl_waiting *a, struct rpl_waiting *b)
{
    const struct rpl_waiting x = *a;

    *a = *b;
    *b = x;
}

static void rre_put(struct prvcut_replay *r, struct rpl_waiting w)
{
    r->heap[r->heaped] = w;
    for (size_t i = r->heaped++; i > 0 && rre_before(&r->heap[i], &r->heap[(i - 1) / 2]);
         i = (i - 1) / 2) {
        rre_swap(&r->heap[i], &r->heap[(i - 1) / 2]);
        r->counts.steps++;
    }
}

/* Only those that still wait: one a lane at most. */
static void rre_clean(struct prvcut_replay *r)
{
    const size_t count = r->heaped;

    r->heaped = 0;
    for (size_t i = 0; i < count; i++)
        if (rpl_pending(r, r->heap[i].call))
            rre_put(r, r->heap[i]);
    r->counts.steps += count;
}

enum prvcut_status rpl_heap(struct prvcut_replay *r, uint32_t lane, struct prvcut_error *err)
{
    const struct rpl_lane *l = &r->lane[lane];
    struct rpl_call *c = rpl_at(l, l->head);

    if (c->heaped)
        return PRVCUT_OK;
    if (r->heaped >= 2 * (size_t)r->options.lanes)
        rre_clean(r);
    if (prvcut_grow((void **)&r->heap, &r->heap_room, r->heaped + 1, sizeof *r->heap, err) < 0)
        return PRVCUT_ENOMEM;
    c->heaped = true;
    rre_put(r, (struct rpl_waiting){ c->end, { l->head, lane } });
    return PRVCUT_OK;
}

static void rre_drop_first(struct prvcut_replay *r)
{
    size_t i = 0;

    r->heap[0] = r->heap[--r->heaped];
    for (;;) {
        size_t first = i;

        for (size_t k = 2 * i + 1; k < 2 * i + 3 && k < r->heaped; k++)
            if (rre_before(&r->heap[k], &r->heap[first]))
                first = k;
        if (first == i)
            return;
        rre_swap(&r->heap[i], &r->heap[first]);
        r->counts.steps++;
        i = first;
    }
}

/* From the first release on all heads that wait are known. */
static enum prvcut_status rre_begin(struct prvcut_replay *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (r->releasing)
        return PRVCUT_OK;
    r->releasing = true;
    for (uint32_t i = 0; i < r->options.lanes && st == PRVCUT_OK; i++) {
        const struct rpl_lane *l = &r->lane[i];

        if (l->head < l->next && rpl_at(l, l->head)->end != RPL_NEVER)
            st = rpl_heap(r, i, err);
    }
    return st;
}

enum prvcut_status rpl_release(struct prvcut_replay *r, bool *any, struct prvcut_error *err)
{
    enum prvcut_status st = rre_begin(r, err);

    *any = false;
    while (r->heaped > 0 && st == PRVCUT_OK && !*any) {
        const struct rpl_ref ref = r->heap[0].call;
        const struct rpl_call *c = rpl_pending(r, ref);

        rre_drop_first(r);
        if (!c)
            continue;
        *any = true;
        r->counts.released++;
        rpl_leave_head(
            r, ref.lane,
            (struct rpl_ready){
                rpl_later(c->ready_before, c->group ? rpl_group_before(r, c->group, c->end) : 0),
                PRVCUT_NOBODY });
        rpl_wake(r, ref.lane);
        st = rpl_advance(r, err);
    }
    return st;
}
