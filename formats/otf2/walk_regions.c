#include "otf2/walk_state.h"

#include <string.h>

void o2_walker_begin_flush(struct o2_walker *w, uint64_t time)
{
    if (w->now.flush++ == 0)
        o2_put_line(w, time, PRVCUT_TYPE_FLUSH, 1, PRVCUT_ROLE_FLUSH);
    o2_hold(w, time, PRVCUT_STATE_OTHERS);
}

void o2_walker_end_flush(struct o2_walker *w, uint64_t time)
{
    if (--w->now.flush == 0)
        o2_put_line(w, time, PRVCUT_TYPE_FLUSH, 0, PRVCUT_ROLE_FLUSH);
    o2_release(w, time);
}

void o2_walker_begin_off(struct o2_walker *w, uint64_t time)
{
    if (w->now.off++ == 0)
        o2_put_line(w, time, PRVCUT_TYPE_TRACING, 0, PRVCUT_ROLE_TRACING);
    o2_hold(w, time, PRVCUT_STATE_TRACING_DISABLED);
}

void o2_walker_end_off(struct o2_walker *w, uint64_t time)
{
    if (--w->now.off == 0)
        o2_put_line(w, time, PRVCUT_TYPE_TRACING, 1, PRVCUT_ROLE_TRACING);
    o2_release(w, time);
}

static void walk_region_begin_mpi(struct o2_walker *w, uint64_t time, const struct o2_region *r)
{
    const uint32_t details = PRVCUT_ROLE_BIT(PRVCUT_ROLE_SIZE) | PRVCUT_ROLE_BIT(PRVCUT_ROLE_ROOT) |
                             PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR);

    o2_hold(w, time, r->state);
    /* What a wrapper calls is its own affair. */
    if (w->now.mpi++ > 0) {
        o2_put_line(w, time, PRVCUT_TYPE_USER_FUNCTION, r->user_value, PRVCUT_ROLE_REGION);
        return;
    }
    o2_put_line(w, time, r->type, r->value, r->role);
    if (r->role == PRVCUT_ROLE_COLLECTIVE && o2_wanted(w, r->role) && (w->wants & details) != 0) {
        w->line = w->batch.events - 1;
        w->line_end = w->batch.events;
        while (w->batch.event[w->line].head == 0)
            w->line--;
    }
}

enum prvcut_status o2_walker_room(struct o2_walker *w, size_t want)
{
    if (want <= w->open_room)
        return PRVCUT_OK;
    w->status = prvcut_grow((void **)&w->open, &w->open_room, want, sizeof *w->open, w->err);
    return w->status;
}

void o2_walker_enter(struct o2_walker *w, uint64_t time, const struct o2_region *r)
{
    if (w->now.depth >= w->open_room && o2_walker_room(w, w->now.depth + (size_t)1) < 0)
        return;
    w->open[w->now.depth++] = r;
    switch (r->kind) {
    case O2_USER:
        o2_put_line(w, time, r->type, r->value, r->role);
        break;
    case O2_MPI:
        walk_region_begin_mpi(w, time, r);
        break;
    case O2_IO:
    case O2_SYNC:
        o2_hold(w, time, r->state);
        o2_put_line(w, time, r->type, r->value, r->role);
        break;
    case O2_FLUSH:
        o2_walker_begin_flush(w, time);
        break;
    case O2_OFF:
        o2_walker_begin_off(w, time);
        break;
    }
}

/* The innermost open region ends. */
static inline void walk_region_close_region(struct o2_walker *w, uint64_t time,
                                            const struct o2_region *r)
{
    w->now.depth--;
    switch (r->kind) {
    case O2_USER:
        o2_put_line(w, time, r->type, 0, r->role);
        break;
    case O2_MPI:
        if (--w->now.mpi > 0)
            o2_put_line(w, time, PRVCUT_TYPE_USER_FUNCTION, 0, PRVCUT_ROLE_REGION);
        else
            o2_put_line(w, time, r->type, 0, r->role);
        o2_release(w, time);
        break;
    case O2_IO:
    case O2_SYNC:
        o2_put_line(w, time, r->type, 0, r->role);
        o2_release(w, time);
        break;
    case O2_FLUSH:
        o2_walker_end_flush(w, time);
        break;
    case O2_OFF:
        o2_walker_end_off(w, time);
        break;
    }
}

/* An MPI call, a wait or the like that has lost its end, somewhere among the open regions. */
static void walk_region_close_inner(struct o2_walker *w, uint64_t time, size_t at)
{
    const struct o2_region *r = w->open[at];

    memmove(w->open + at, w->open + at + 1, (w->now.depth - at - 1) * sizeof *w->open);
    w->open[w->now.depth - 1] = r;
    walk_region_close_region(w, time, r);
    if (w->batch.events >= EVENTS_FULL || w->batch.states >= STATES_FULL)
        o2_walker_deliver(w);
}

/*
 * Not the innermost one. User functions inside it may overlap it (EZTrace's last region does), and
 * stay open; anything else inside it, or too many of them, have lost their ends. Not open at all: a
 * lost begin.
 */
static void walk_region_leave_other(struct o2_walker *w, uint64_t time, const struct o2_region *r)
{
    size_t at = w->now.depth;
    bool all;

    while (at > 0 && w->open[at - 1] != r)
        at--;
    if (at == 0) {
        w->out->unmatched++;
        return;
    }
    all = w->now.depth - at > OVERLAP_MOST;
    for (size_t i = w->now.depth; i > at && w->status == PRVCUT_OK; i--)
        if (all || w->open[i - 1]->kind != O2_USER)
            walk_region_close_inner(w, time, i - 1);
    if (w->status == PRVCUT_OK)
        walk_region_close_inner(w, time, at - 1);
}

void o2_walker_leave(struct o2_walker *w, uint64_t time, const struct o2_region *r)
{
    if (w->now.depth > 0 && w->open[w->now.depth - 1] == r)
        walk_region_close_region(w, time, r);
    else
        walk_region_leave_other(w, time, r);
}
