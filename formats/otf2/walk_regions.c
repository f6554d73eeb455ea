#include "otf2/walk_state.h"

#include "model/roles.h"

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
    const uint32_t details = PRVCUT_ROLES_OF_COLLECTIVE;

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

void o2_walker_push(struct o2_walker *w, uint32_t place)
{
    if (prvcut_stack_push(&w->open, &(struct prvcut_frame){ .type = place }, w->err) < 0)
        w->status = PRVCUT_ENOMEM;
}

void o2_walker_enter(struct o2_walker *w, uint64_t time, const struct o2_region *r)
{
    o2_walker_push(w, o2_region_place(w, r));
    if (w->status < 0)
        return;
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

/* One of the open regions ends. */
static inline void walk_region_close(struct o2_walker *w, uint64_t time, size_t at)
{
    const struct o2_region *r = o2_region_at(w, w->open.at[at].type);

    prvcut_stack_remove(&w->open, at);
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
    walk_region_close(w, time, at);
    if (w->batch.events >= EVENTS_FULL || w->batch.states >= STATES_FULL)
        o2_walker_deliver(w);
}

/*
 * Not the innermost one. User functions inside it may overlap it (EZTrace's last region does), and
 * stay open; anything else inside it, or too many of them, have lost their ends.
 */
static void walk_region_leave_outer(struct o2_walker *w, uint64_t time, size_t at)
{
    const bool all = w->open.count - at > OVERLAP_MOST + 1;

    for (size_t i = w->open.count; i-- > at + 1 && w->status == PRVCUT_OK;)
        if (all || o2_region_at(w, w->open.at[i].type)->kind != O2_USER)
            walk_region_close_inner(w, time, i);
    if (w->status == PRVCUT_OK)
        walk_region_close_inner(w, time, at);
}

void o2_walker_leave(struct o2_walker *w, uint64_t time, const struct o2_region *r)
{
    size_t at;

    /* Not open at all: a lost begin. */
    if (!prvcut_stack_find(&w->open, o2_region_place(w, r), &at))
        w->out->unmatched++;
    else if (at + 1 == w->open.count)
        walk_region_close(w, time, at);
    else
        walk_region_leave_outer(w, time, at);
}
