#include "analysis/efficiency/replay_state.h"

void rpl_leave_head(struct prvcut_replay *r, uint32_t lane, struct rpl_ready ready)
{
    struct rpl_lane *l = &r->lane[lane];
    struct rpl_call *c = rpl_at(l, l->head);

    const bool waits = ready.time > l->ideal;

    l->ideal = rpl_later(l->ideal, ready.time);
    l->recorded = c->end;
    l->head++;
    r->waiting--;
    if (c->group)
        rpl_group_leave(r, c);
    if (r->options.left)
        r->options.left(r->options.ctx, &(struct prvcut_replay_left){
                                            .recorded = { c->begin, c->end },
                                            .ideal = { c->enter, l->ideal },
                                            .value = c->value,
                                            .lane = lane,
                                            .waited = waits ? ready.lane : PRVCUT_NOBODY });
}

static void rpl_enter_head(struct prvcut_replay *r, struct rpl_lane *l, struct rpl_call *c)
{
    l->ideal += c->begin - l->recorded;
    l->recorded = c->begin;
    c->enter = l->ideal;
    rpl_tell(r, c);
    rpl_group_entered(r, c);
}

/* The head of a lane's queue; *gone: it has been left. */
static enum prvcut_status rpl_step(struct prvcut_replay *r, uint32_t lane, bool *gone,
                                   struct prvcut_error *err)
{
    struct rpl_lane *l = &r->lane[lane];
    struct rpl_call *c = rpl_at(l, l->head);
    struct rpl_ready ready = { 0, PRVCUT_NOBODY };
    enum prvcut_status st = PRVCUT_OK;

    r->counts.steps++;
    *gone = false;
    if (c->enter == RPL_NEVER)
        rpl_enter_head(r, l, c);
    if (c->end == RPL_NEVER)
        return PRVCUT_OK;
    if (c->end < r->horizon && (c->cut || (c->posts == 0 && c->missing == 0))) {
        *gone = true;
        if (!c->cut && c->group)
            st = rpl_group_ready(r, (struct rpl_ref){ l->head, lane }, gone, &ready, err);
    }
    if (!c->cut && c->ready >= ready.time)
        ready = (struct rpl_ready){ c->ready, c->latest };
    if (st == PRVCUT_OK && *gone)
        rpl_leave_head(r, lane, ready);
    else if (st == PRVCUT_OK && r->releasing)
        st = rpl_heap(r, lane, err);
    return st;
}

enum prvcut_status rpl_advance(struct prvcut_replay *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (r->todos > 0 && st == PRVCUT_OK) {
        const uint32_t lane = r->todo[--r->todos];
        struct rpl_lane *l = &r->lane[lane];
        bool gone = true;

        l->queued = false;
        while (l->head < l->next && !l->before && gone && st == PRVCUT_OK)
            st = rpl_step(r, lane, &gone, err);
    }
    return st;
}
