#include "analysis/efficiency/replay_state.h"

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

        rpl_heap_drop_first(r);
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
