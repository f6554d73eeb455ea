#include "analysis/efficiency/replay_state.h"

#include "base/buffer.h"
#include "base/memory.h"

/* Edges that are made at once. */
#define RED_BLOCK 256u

static enum prvcut_status red_block(struct prvcut_replay *r, struct prvcut_error *err)
{
    struct rpl_edge *e;

    if (prvcut_grow((void **)&r->block, &r->blocks_room, r->blocks + 1, sizeof *r->block, err) < 0)
        return PRVCUT_ENOMEM;
    e = prvcut_zeroed(RED_BLOCK, sizeof *e, "messages under way", err);
    if (!e)
        return PRVCUT_ENOMEM;
    r->block[r->blocks++] = e;
    for (size_t i = 0; i < RED_BLOCK; i++)
        rpl_edge_drop(r, &e[i]);
    return PRVCUT_OK;
}

enum prvcut_status rpl_edge_new(struct prvcut_replay *r, struct rpl_edge **out,
                                struct prvcut_error *err)
{
    if (!r->free_edge && red_block(r, err) < 0)
        return PRVCUT_ENOMEM;
    *out = r->free_edge;
    r->free_edge = r->free_edge->next;
    **out = (struct rpl_edge){ .enter = RPL_NEVER, .waits.lane = PRVCUT_NOBODY };
    return PRVCUT_OK;
}

void rpl_edge_drop(struct prvcut_replay *r, struct rpl_edge *e)
{
    e->next = r->free_edge;
    r->free_edge = e;
}

size_t rpl_messages_memory(const struct prvcut_replay *r)
{
    return r->blocks * RED_BLOCK * sizeof(struct rpl_edge) + r->blocks_room * sizeof *r->block;
}

/* One of a call's is known. */
static void red_fold(struct rpl_call *c, const struct rpl_edge *e)
{
    if (e->enter > c->ready) {
        c->ready = e->enter;
        c->latest = e->from;
    }
    if (e->begin <= c->end)
        c->ready_before = rpl_later(c->ready_before, e->enter);
}

void rpl_edge_meet(struct prvcut_replay *r, struct rpl_edge *e, struct rpl_ref waits)
{
    struct rpl_call *c = rpl_pending(r, waits);

    if (e->enter == RPL_NEVER) {
        /* Told when it is known, if the call still waits then. */
        e->waits = waits;
        if (c)
            c->missing++;
        return;
    }
    if (c)
        red_fold(c, e);
    rpl_edge_drop(r, e);
}

enum prvcut_status rpl_edge_from(struct prvcut_replay *r, struct rpl_ref ref, struct rpl_edge **out,
                                 struct prvcut_error *err)
{
    struct rpl_call *from = rpl_at(&r->lane[ref.lane], ref.number);
    const enum prvcut_status st = rpl_edge_new(r, out, err);

    if (st < 0)
        return st;
    (*out)->from = ref.lane;
    (*out)->begin = from->begin;
    (*out)->enter = from->enter;
    if (from->enter == RPL_NEVER) {
        (*out)->next = from->told;
        from->told = *out;
    }
    return PRVCUT_OK;
}

enum prvcut_status rpl_wait(struct prvcut_replay *r, struct rpl_ref waits, struct rpl_ref for_call,
                            struct prvcut_error *err)
{
    struct rpl_edge *e;
    const enum prvcut_status st = rpl_edge_from(r, for_call, &e, err);

    if (st == PRVCUT_OK)
        rpl_edge_meet(r, e, waits);
    return st;
}

void rpl_tell(struct prvcut_replay *r, struct rpl_call *c)
{
    struct rpl_edge *e = c->told, *next;

    c->told = NULL;
    for (; e; e = next) {
        struct rpl_call *waits;

        r->counts.steps++;
        next = e->next;
        e->enter = c->enter;
        if (e->waits.lane == PRVCUT_NOBODY)
            continue;
        waits = rpl_pending(r, e->waits);
        if (waits) {
            red_fold(waits, e);
            if (--waits->missing == 0)
                rpl_wake(r, e->waits.lane);
        }
        rpl_edge_drop(r, e);
    }
}
