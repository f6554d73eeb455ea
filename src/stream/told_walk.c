#include "stream/told_walk.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "follow/part.h"
#include "model/calls.h"
#include "model/roles.h"
#include "stream/flow.h"

#include <stdlib.h>
#include <string.h>

/* So many ends wait for a thread's first MPI call, in case that it began before all records. */
#define BEFORE 4096

/* So many of them are kept at most. */
#define STARTED 65536u
#define ALIKE   64u

enum prvcut_status told_walk_new(struct told_walk **out, struct told *t, struct prvcut_error *err)
{
    struct told_walk *w = *out = prvcut_zeroed(1, sizeof *w, "calls", err);

    if (!w)
        return PRVCUT_ENOMEM;
    w->told = t;
    w->now.thread = PRVCUT_NOBODY;
    w->seen = (struct prvcut_table)PRVCUT_TABLE_SET(struct walk_seen, "event types");
    w->posts = (struct prvcut_table)PRVCUT_TABLE(struct walk_post, call, "receives under way");
    w->sends = (struct prvcut_table)PRVCUT_TABLE(struct walk_send, end, "sends under way");
    w->started =
        (struct prvcut_table)PRVCUT_TABLE(struct walk_started, part, "collectives under way");
    return PRVCUT_OK;
}

void told_walk_free(struct told_walk *w)
{
    if (!w)
        return;
    prvcut_stack_fini(&w->now.open);
    free(w->waiting);
    prvcut_table_fini(&w->seen);
    prvcut_table_fini(&w->posts);
    prvcut_table_fini(&w->sends);
    prvcut_table_fini(&w->started);
    free(w->completed);
    free(w->inner);
    free(w);
}

/* --- Ends of messages ------------------------------------------------------------------------- */

static const struct prvcut_mpi_call *walk_kind(struct told *t, uint32_t type, int64_t value)
{
    struct told_known *k = &t->known[(uint64_t)value % TOLD_KNOWN];

    if (!k->is || k->type != type || k->value != value)
        *k = (struct told_known){ true, type, value, prvcut_mpi_call_by_value(type, value) };
    return k->call;
}

/* A call that receives by itself has posted the receive, too; also outside the window. */
static bool walk_posts(const struct told_walk *w, const struct told_in_call *c)
{
    const struct prvcut_mpi_call *call = walk_kind(w->told, c->call.type, c->call.value);

    return call && (call->state == PRVCUT_STATE_WAITING_MESSAGE ||
                    call->state == PRVCUT_STATE_SEND_RECEIVE);
}

/* When and where a receive that is complete was posted. */
static enum prvcut_status walk_settle_post(struct told_walk *w, struct told_end *e,
                                           struct prvcut_error *err)
{
    const struct prvcut_half *h = &e->end.half;
    const uint64_t posted = prvcut_other_time(h, PRVCUT_NEVER);
    const struct told_in_call *c = &e->call;
    const struct walk_post *post =
        w->told->live ? NULL : prvcut_table_find(&w->posts, &e->end.order);

    e->post = (struct told_in_call){ 0 };
    e->posted = posted;
    if (walk_posts(w, c) && (posted == PRVCUT_NEVER || posted >= w->call_begin)) {
        e->post = *c;
        if (posted == PRVCUT_NEVER)
            e->posted = w->call_begin;
    } else if (post) {
        e->post = post->call;
    } else if (posted == h->time) {
        e->post = *c;
    } else if (w->told->live && posted < h->time) {
        const enum prvcut_status st = c->is && posted > w->call_begin
                                          ? PRVCUT_OK
                                          : told_live_post(w->told->live, posted, &e->post, err);

        /* Else it is in the present call, unless that began later. */
        if (!e->post.is && c->is && posted >= w->call_begin)
            e->post = *c;
        return st;
    }
    if (post)
        prvcut_table_drop(&w->posts, &e->end.order);
    return PRVCUT_OK;
}

static enum prvcut_status walk_put_end(const struct told_walk *w, const struct told_end *e,
                                       struct prvcut_error *err)
{
    struct told *t = w->told;

    return t->live ? told_live_end(t->live, e, err)
                   : prvcut_sorter_add(t->end[e->end.half.receive], 0, e, 1, err);
}

static struct walk_send *walk_find_send(const struct told_walk *w, uint64_t sent,
                                        const struct prvcut_half *h, struct walk_send *key)
{
    struct walk_send *found = NULL;

    *key = (struct walk_send){
        .time = sent, .tag = h->tag, .peer = h->peer, .communicator = h->communicator
    };
    for (key->nth = 0; !found && key->nth < ALIKE; key->nth += !found)
        found = prvcut_table_find(&w->sends, key);
    return found;
}

/* It may be told later that it is complete. */
static enum prvcut_status walk_hold_send(struct told_walk *w, const struct told_end *e,
                                         struct prvcut_error *err)
{
    const struct prvcut_half *h = &e->end.half;
    struct walk_send key = {
        .time = h->time, .tag = h->tag, .peer = h->peer, .communicator = h->communicator
    };
    struct walk_send *s;

    while (key.nth < ALIKE && prvcut_table_find(&w->sends, &key))
        key.nth++;
    if (key.nth == ALIKE || w->sends.count >= STARTED)
        return walk_put_end(w, e, err);
    s = prvcut_table_make(&w->sends, &key, err);
    if (!s)
        return PRVCUT_ENOMEM;
    s->end = *e;
    return PRVCUT_OK;
}

static enum prvcut_status walk_release_send(struct told_walk *w, const struct told_end *done,
                                            struct prvcut_error *err)
{
    const struct prvcut_half *h = &done->end.half;
    struct walk_send key, *s = walk_find_send(w, prvcut_other_time(h, 0), h, &key);
    enum prvcut_status st;

    if (!s)
        return PRVCUT_OK;
    s->end.released = h->time;
    s->end.post = done->call;
    st = walk_put_end(w, &s->end, err);
    prvcut_table_drop(&w->sends, &key);
    return st;
}

/* Those of which nothing was told. */
static enum prvcut_status walk_release_all(struct told_walk *w, struct prvcut_error *err)
{
    const struct walk_send *s = w->sends.at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->sends.count && st == PRVCUT_OK; i++)
        st = walk_put_end(w, &s[i].end, err);
    prvcut_table_clear(&w->sends);
    return st;
}

/* Does its call only start it, and may the trace tell when it is complete? */
static bool walk_starts(const struct told_walk *w, const struct told_in_call *c)
{
    const struct prvcut_mpi_call *call =
        w->told->whole ? NULL : walk_kind(w->told, c->call.type, c->call.value);

    return call && call->state == PRVCUT_STATE_IMMEDIATE_SEND;
}

/* The call of an end is known. */
static enum prvcut_status walk_settle(struct told_walk *w, struct told_end *e,
                                      struct prvcut_error *err)
{
    struct walk_post *post;
    enum prvcut_status st = PRVCUT_OK;

    if (e->posts) {
        post = prvcut_table_make(&w->posts, &e->end.order, err);
        if (post)
            post->call = e->call;
        return post ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (e->done)
        return walk_release_send(w, e, err);
    if (!e->end.half.receive && walk_starts(w, &e->call))
        return walk_hold_send(w, e, err);
    if (e->end.half.receive)
        st = walk_settle_post(w, e, err);
    return st == PRVCUT_OK ? walk_put_end(w, e, err) : st;
}

/* All that waited for the end of the present call. */
static enum prvcut_status walk_settle_all(struct told_walk *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < w->ends && st == PRVCUT_OK; i++) {
        struct told_end *e = &w->waiting[i];

        e->call = w->call;
        st = walk_settle(w, e, err);
    }
    w->ends = 0;
    return st;
}

static enum prvcut_status walk_half(struct told_walk *w, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    const bool receive = i->kind == PRVCUT_ITEM_RECEIVE && !i->half.done;
    const bool told = i->half.other != PRVCUT_NEVER;
    const struct told_end e = {
        .end = { .order = i->half.number,
                 .half = { .time = i->time,
                           .other = told ? prvcut_other(i->half.other) : 0,
                           .size = i->half.size,
                           .tag = i->half.tag,
                           .thread = i->thread,
                           .peer = i->half.peer,
                           .communicator = i->half.communicator,
                           .receive = receive } },
        .posts = i->head,
        .done = i->half.done,
        .released = PRVCUT_NEVER,
        .order = w->order,
    };
    enum prvcut_status st = PRVCUT_OK;

    if (!w->told->sink->message)
        return PRVCUT_OK;
    if (w->told->live)
        st = told_live_half(w->told->live, i, err);
    if (!w->told->whole && !i->head && !i->half.done)
        st = prvcut_uses_note(&w->told->uses, &e.end.half, err);
    if (st == PRVCUT_OK)
        st = prvcut_grow((void **)&w->waiting, &w->ends_room, w->ends + 1, sizeof *w->waiting, err);
    if (st < 0)
        return st;
    w->waiting[w->ends++] = e;
    /* Without calls there is nothing to wait for. */
    w->before &= w->ends < BEFORE;
    return w->in_call || w->before ? PRVCUT_OK : walk_settle_all(w, err);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Where it is told while it is read: when it ends is not known yet. */
static enum prvcut_status walk_tell_begin(const struct told_walk *w, const struct prvcut_item *i,
                                          struct prvcut_error *err)
{
    const struct told *t = w->told;
    const struct prvcut_stream_call c = { .thread = i->thread,
                                          .type = i->event.type,
                                          .value = i->event.value,
                                          .span = { i->time, PRVCUT_NEVER },
                                          .role = (enum prvcut_role)i->role };

    return t->live && t->sink->call && t->calls >> i->role & 1
               ? told_live_call(t->live, &c, true, err)
               : PRVCUT_OK;
}

/* The outermost MPI call has ended. */
static enum prvcut_status walk_call_ended(struct told_walk *w, const struct prvcut_stream_call *c,
                                          struct prvcut_error *err)
{
    enum prvcut_status st;

    w->call.call = *c;
    w->call_begin = c->span.start;
    w->call.is = told_clip(w->told, &w->call.call);
    st = walk_settle_all(w, err);
    w->in_call = w->before = false;
    if (st == PRVCUT_OK)
        st = told_complete_parts(w, err);
    if (st == PRVCUT_OK && w->told->live)
        st = told_live_ended(w->told->live, c, err);
    /* What comes before the next one is in none. */
    w->call = (struct told_in_call){ 0 };
    if (st < 0 || !w->told->part || c->role != PRVCUT_ROLE_COLLECTIVE || w->call_order == 0)
        return st;
    w->part.call = *c;
    w->part.order[0] = w->call_order;
    w->part.order[1] = w->order;
    if (w->starts)
        return told_hold_part(w, err);
    return prvcut_sorter_add(w->told->part, 0, &w->part, 1, err);
}

/* An MPI call begins that is in no other one. */
static enum prvcut_status walk_call_begun(struct told_walk *w, const struct prvcut_item *i,
                                          struct prvcut_error *err)
{
    const struct prvcut_mpi_call *call = walk_kind(w->told, i->event.type, i->event.value);
    const struct prvcut_objects *o = &w->told->plan->trace->objects;
    enum prvcut_status st = PRVCUT_OK;

    w->call = (struct told_in_call){ 0 };
    if (w->before)
        st = walk_settle_all(w, err);
    w->before = false;
    w->in_call = true;
    w->starts = false;
    w->completeds = 0;
    w->call_order = w->order;
    w->part = (struct told_part){ .of.communicator = PRVCUT_NOBODY,
                                  .of.nonblocking = call && call->nonblocking,
                                  .of.task = o->thread_task[i->thread],
                                  .sent = -1,
                                  .received = -1 };
    w->part.of.application = prvcut_objects_application(o, w->part.of.task);
    w->call.call.role = i->role;
    w->call.call.span.start = i->time;
    return st;
}

static bool walk_is_mpi(uint32_t role)
{
    return (PRVCUT_ROLES_MPI >> role & 1) != 0;
}

static enum prvcut_status walk_entered(struct told_walk *w, const struct prvcut_item *i,
                                       struct prvcut_error *err)
{
    const struct walk_seen seen = { i->event.type };
    enum prvcut_status st;

    w->now.open.at[w->now.open.count - 1].note = w->order;
    if (!prvcut_table_look(&w->seen, &seen, sizeof seen, sizeof seen) &&
        !prvcut_table_make(&w->seen, &seen, err))
        return PRVCUT_ENOMEM;
    if (!walk_is_mpi(i->role))
        return walk_tell_begin(w, i, err);
    if (w->in_call)
        return PRVCUT_OK;
    st = walk_call_begun(w, i, err);
    return st == PRVCUT_OK ? walk_tell_begin(w, i, err) : st;
}

/* A region has ended, now or with the trace. */
static enum prvcut_status walk_leave(struct told_walk *w, uint64_t begun,
                                     struct prvcut_stream_call c, struct prvcut_error *err)
{
    const uint64_t order[2] = { begun, w->order };
    enum prvcut_status st = PRVCUT_OK;

    if (walk_is_mpi(c.role)) {
        st = told_inner_ends(w, &c, err);
        if (st < 0)
            return st;
        if (!w->in_call || begun != w->call_order)
            return w->told->plan->inner ? told_tell_call(w->told, c, order, err) : PRVCUT_OK;
        st = walk_call_ended(w, &c, err);
    }
    return st == PRVCUT_OK ? told_tell_call(w->told, c, order, err) : st;
}

/* The end of something that had begun before the first record of its thread. */
static enum prvcut_status walk_leave_unseen(struct told_walk *w, struct prvcut_stream_call c,
                                            struct prvcut_error *err)
{
    const struct walk_seen seen = { c.type };

    c.role = (enum prvcut_role)w->role;
    c.span.start = w->told->from;
    c.no_begin = true;
    if (prvcut_table_find(&w->seen, &seen) || (walk_is_mpi(c.role) && !w->before))
        return PRVCUT_OK;
    if (!prvcut_table_make(&w->seen, &seen, err))
        return PRVCUT_ENOMEM;
    if (w->told->live)
        return told_live_give_up(w->told->live, err);
    if (walk_is_mpi(c.role)) {
        w->in_call = true;
        w->call_order = 0;
    }
    return walk_leave(w, 0, c, err);
}

static enum prvcut_status walk_closed(void *ctx, const struct prvcut_followed *f,
                                      struct prvcut_error *err)
{
    struct told_walk *w = ctx;
    const struct prvcut_stream_call c = { .thread = f->thread,
                                          .type = f->type,
                                          .value = f->value,
                                          .span = f->span,
                                          .role = (enum prvcut_role)f->role,
                                          .no_end = f->no_end };
    const enum prvcut_status st =
        f->no_begin ? walk_leave_unseen(w, c, err) : walk_leave(w, f->note, c, err);

    if (f->no_end)
        w->order += 4;
    return st;
}

static const struct prvcut_follow_rules walk_rules = { .in_order = true, .closed = walk_closed };

/* Where a type has one value at a time, what begins while it has one is inside that call. */
static bool walk_is_inside(const struct told_walk *w, const struct prvcut_item *i)
{
    size_t at;

    return i->event.value != 0 && walk_is_mpi(i->role) &&
           !prvcut_trace_calls_nest(w->told->plan->trace) &&
           prvcut_stack_find(&w->now.open, i->event.type, &at);
}

static enum prvcut_status walk_region(struct told_walk *w, const struct prvcut_item *i,
                                      struct prvcut_error *err)
{
    const struct prvcut_step step = { .time = i->time,
                                      .value = i->event.value,
                                      .type = i->event.type,
                                      .thread = i->thread & PRVCUT_THREADS_MAX,
                                      .role = i->role & 127 };
    const size_t open = w->now.open.count;
    enum prvcut_status st;

    if (walk_is_inside(w, i))
        return told_inner_begins(w, i, err);
    w->role = i->role;
    st = prvcut_follow_on(NULL, &w->now, &walk_rules, w, &step, err);
    return st == PRVCUT_OK && w->now.open.count > open ? walk_entered(w, i, err) : st;
}

/* What the line of a collective's begin tells of it. */
static bool walk_detail(struct told_walk *w, const struct prvcut_item *i)
{
    if (!w->in_call || w->call.call.role != PRVCUT_ROLE_COLLECTIVE ||
        w->call.call.span.start != i->time)
        return false;
    if (i->role == PRVCUT_ROLE_COMMUNICATOR)
        w->part.of.communicator = (uint32_t)i->event.value;
    else if (i->role == PRVCUT_ROLE_ROOT)
        w->part.root = i->event.value == 1;
    else if (i->role == PRVCUT_ROLE_SIZE && i->event.type == PRVCUT_TYPE_SIZE_RECEIVED)
        w->part.received = i->event.value;
    else if (i->role == PRVCUT_ROLE_SIZE)
        w->part.sent = i->event.value;
    else
        return false;
    return true;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* How long a call without an end lasts: to the end, or as the profile has it. */
static uint64_t walk_lasts(const struct told_walk *w)
{
    return w->told->plan->inner && !w->told->partly ? w->last : w->told->end_ns;
}

static enum prvcut_status walk_end_thread(struct told_walk *w, struct prvcut_error *err)
{
    const uint64_t end_ns = walk_lasts(w);
    enum prvcut_status st;

    w->order += 4;
    st = prvcut_follow_thread_ends(&w->now, end_ns, &walk_rules, w, err);
    w->call = (struct told_in_call){ 0 };
    if (st == PRVCUT_OK)
        st = walk_settle_all(w, err);
    if (st == PRVCUT_OK)
        st = walk_release_all(w, err);
    if (st == PRVCUT_OK)
        st = told_leave_parts(w, err);
    prvcut_stack_clear(&w->now.open);
    prvcut_table_clear(&w->seen);
    prvcut_table_clear(&w->posts);
    return st;
}

static enum prvcut_status walk_change_thread(struct told_walk *w, uint32_t thread,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (w->now.thread != PRVCUT_NOBODY)
        st = walk_end_thread(w, err);
    w->now.thread = thread;
    w->in_call = w->heard = false;
    w->completeds = 0;
    w->last = 0;
    w->before = true;
    return st;
}

/* Leave what of a state lies in the window; false: nothing does. */
static bool walk_clip_state(const struct told *t, struct prvcut_item *i)
{
    if (i->time >= t->to || (i->state.end <= t->from && i->time < t->from))
        return false;
    i->time = i->time < t->from ? t->from : i->time;
    i->state.end = i->state.end > t->to ? t->to : i->state.end;
    return true;
}

/* Others are told as they are, where they lie in the window. */
static enum prvcut_status walk_item(struct told_walk *w, const struct prvcut_item *i,
                                    struct prvcut_error *err)
{
    const struct told *t = w->told;
    struct told_item item;

    if (!t->sink->records)
        return PRVCUT_OK;
    item.item = *i;
    if (!(i->kind == PRVCUT_ITEM_STATE ? walk_clip_state(t, &item.item)
                                       : told_touches(t, i->time, i->time)))
        return PRVCUT_OK;
    if (t->live)
        return told_live_item(t->live, &item.item, err);
    item.key = (struct told_key){ item.item.time, w->order, i->thread, 0 };
    return prvcut_sorter_add(t->item, 0, &item, 1, err);
}

static enum prvcut_status walk_event(struct told_walk *w, const struct prvcut_item *i,
                                     struct prvcut_error *err)
{
    const struct told *t = w->told;
    const bool followed = (t->calls | PRVCUT_ROLES_MPI) >> i->role & 1;
    enum prvcut_status st = PRVCUT_OK;

    if (walk_is_mpi(i->role) && !w->heard) {
        w->heard = true;
        w->told->heard++;
    }
    if (t->part && i->role == PRVCUT_ROLE_COMMUNICATOR && told_is_completion(i->event.type))
        return told_completion(w, i, err);
    if (followed)
        st = walk_region(w, i, err);
    else if (t->part && walk_detail(w, i))
        return PRVCUT_OK;
    if (st < 0 || (followed && t->sink->call && t->calls >> i->role & 1))
        return st;
    return walk_item(w, i, err);
}

static void walk_reaches(struct told_walk *w, uint64_t time)
{
    w->last = time > w->last ? time : w->last;
}

enum prvcut_status told_walk_records(void *ctx, struct prvcut_item *item, size_t count,
                                     struct prvcut_error *err)
{
    struct told_walk *w = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t n = 0; n < count && st == PRVCUT_OK; n++) {
        const struct prvcut_item *i = &item[n];

        if (i->thread != w->now.thread)
            st = walk_change_thread(w, i->thread, err);
        w->order += 4;
        if (st < 0)
            return st;
        walk_reaches(w, i->kind == PRVCUT_ITEM_STATE ? i->state.end : i->time);
        if (i->kind == PRVCUT_ITEM_STATE)
            st = walk_item(w, i, err);
        else if (i->kind == PRVCUT_ITEM_EVENT)
            st = walk_event(w, i, err);
        else
            st = walk_half(w, i, err);
    }
    return st;
}

enum prvcut_status told_walk_end(struct told_walk *w, struct prvcut_error *err)
{
    return w->now.thread == PRVCUT_NOBODY ? PRVCUT_OK : walk_end_thread(w, err);
}
