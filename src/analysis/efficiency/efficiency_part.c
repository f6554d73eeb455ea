#include "analysis/efficiency/efficiency_feed.h"

#include "base/buffer.h"
#include "model/calls.h"
#include "model/roles.h"

#include <string.h>

void prvcut_efficiency_join(uint32_t *program, uint32_t a, uint32_t b)
{
    while (program[a] != a)
        a = program[a];
    while (program[b] != b)
        b = program[b];
    program[a > b ? a : b] = a > b ? b : a;
}

enum prvcut_status eff_worker_init(struct eff_worker *w, const struct prvcut_objects *objects,
                                   uint64_t until, struct prvcut_error *err)
{
    const uint32_t threads = objects->threads;
    const size_t applications = (size_t)objects->applications + 1;
    enum prvcut_status st = prvcut_rows_init(&w->seen, threads, err);

    if (st == PRVCUT_OK)
        st = prvcut_rows_init(&w->stated, threads, err);
    w->objects = objects;
    w->until = until;
    w->reach = prvcut_zeroed((size_t)threads + 1, sizeof *w->reach, "threads", err);
    w->any = prvcut_zeroed(applications, sizeof *w->any, "applications", err);
    w->program = prvcut_zeroed(applications, sizeof *w->program, "applications", err);
    for (uint32_t i = 0; w->program && i < objects->applications; i++)
        w->program[i] = i;
    return w->reach && w->any && w->program ? st : PRVCUT_ENOMEM;
}

void eff_worker_fini(struct eff_worker *w)
{
    prvcut_rows_fini(&w->seen);
    prvcut_rows_fini(&w->stated);
    free(w->reach);
    free(w->any);
    free(w->program);
    memset(w, 0, sizeof *w);
}

void eff_worker_begin(struct eff_worker *w)
{
    prvcut_rows_begin(&w->seen);
    prvcut_rows_begin(&w->stated);
}

void eff_part_clear(struct eff_part *p)
{
    p->runs = p->events = p->messages = p->firsts = 0;
    p->line_call = 0;
}

void eff_part_fini(struct eff_part *p)
{
    free(p->run);
    free(p->event);
    free(p->message);
    free(p->first);
    memset(p, 0, sizeof *p);
}

/* --- How far ---------------------------------------------------------------------------------- */

static enum prvcut_status eff_first(struct eff_part *p, struct prvcut_rows *rows, uint32_t thread,
                                    uint64_t time, bool state, struct prvcut_error *err)
{
    struct eff_first *f;

    if (prvcut_rows_has(rows, thread))
        return PRVCUT_OK;
    f = prvcut_rows_make(rows, thread, (void **)&p->first, &p->firsts, &p->first_room, sizeof *f,
                         err);
    if (!f)
        return PRVCUT_ENOMEM;
    *f = (struct eff_first){ time, thread, state };
    return PRVCUT_OK;
}

/* A record of a thread: from begin to end, which may be the same. */
static inline enum prvcut_status eff_reach(struct eff_worker *w, struct eff_part *p,
                                           uint32_t thread, uint64_t begin, uint64_t end,
                                           struct prvcut_error *err)
{
    struct prvcut_efficiency_reach *r = &w->reach[thread];
    const uint64_t inside = end < w->until ? end : w->until;

    if (!r->seen || begin < r->first)
        r->first = begin;
    r->seen = true;
    r->last = end > r->last ? end : r->last;
    if (begin <= w->until && inside > r->inside)
        r->inside = inside;
    return prvcut_rows_has(&w->seen, thread) ? PRVCUT_OK
                                             : eff_first(p, &w->seen, thread, begin, false, err);
}

static void eff_merge_reach(struct prvcut_efficiency_reach *to,
                            const struct prvcut_efficiency_reach *from)
{
    if (from->seen && (!to->seen || from->first < to->first))
        to->first = from->first;
    if (from->states && (!to->states || from->first_state < to->first_state))
        to->first_state = from->first_state;
    to->last = from->last > to->last ? from->last : to->last;
    to->inside = from->inside > to->inside ? from->inside : to->inside;
    to->last_state = from->last_state > to->last_state ? from->last_state : to->last_state;
    to->seen |= from->seen;
    to->states |= from->states;
}

void eff_merge(struct prvcut_efficiency_found *f, const struct eff_worker *w)
{
    for (uint32_t i = 0; i < f->objects->applications; i++) {
        f->any_of[i] |= w->any[i];
        prvcut_efficiency_join(f->program, i, w->program[i]);
    }
    f->messages += w->messages;
    for (uint32_t i = 0; i < f->threads; i++)
        eff_merge_reach(&f->reach[i], &w->reach[i]);
}

/* --- States ----------------------------------------------------------------------------------- */

static inline void eff_any(struct eff_worker *w, uint32_t thread, uint32_t bits)
{
    w->any[prvcut_efficiency_application(w->objects, thread)] |= bits;
}

/* What a state counts as; -1: as nothing. */
static int eff_kind(const struct prvcut_state *s, bool told)
{
    if (s->running)
        return EFF_RUNNING;
    if (told)
        return s->number == PRVCUT_STATE_SYNCHRONIZATION ? EFF_WAIT : -1;
    return s->number == PRVCUT_STATE_TRACING_DISABLED ? EFF_OFF : EFF_OTHER;
}

static enum prvcut_status eff_state(struct eff_worker *w, struct eff_part *p,
                                    const struct prvcut_state *s, bool told,
                                    struct prvcut_error *err)
{
    struct prvcut_efficiency_reach *r = &w->reach[s->thread];
    const int kind = eff_kind(s, told);
    enum prvcut_status st;

    if (s->begin >= s->end)
        return PRVCUT_OK;
    if (!r->states || s->begin < r->first_state)
        r->first_state = s->begin;
    r->states = true;
    r->last_state = s->end > r->last_state ? s->end : r->last_state;
    eff_any(w, s->thread, PRVCUT_EFFICIENCY_ANY_STATE);
    st = eff_reach(w, p, s->thread, s->begin, s->end, err);
    if (st == PRVCUT_OK && !prvcut_rows_has(&w->stated, s->thread))
        st = eff_first(p, &w->stated, s->thread, s->begin, true, err);
    if (st < 0 || kind < 0)
        return st;
    if (kind == EFF_RUNNING)
        eff_any(w, s->thread, PRVCUT_EFFICIENCY_ANY_RUNNING);
    if (p->runs == p->run_room &&
        prvcut_grow((void **)&p->run, &p->run_room, p->runs + 1, sizeof *p->run, err) < 0)
        return PRVCUT_ENOMEM;
    p->run[p->runs++] = (struct eff_run){ s->begin, s->end, s->thread, (uint32_t)kind };
    return PRVCUT_OK;
}

/* --- Events ----------------------------------------------------------------------------------- */

/* The communicator and the root stand in the line of the call, before or behind it. */
static void eff_detail(struct eff_part *p, const struct prvcut_event *e)
{
    struct eff_event *call = p->line_call > 0 ? &p->event[p->line_call - 1] : NULL;

    if (e->role == PRVCUT_ROLE_COMMUNICATOR)
        p->communicator = (uint32_t)e->value;
    else
        p->root = e->value == 1;
    if (call) {
        call->communicator = p->communicator;
        call->root = p->root;
    }
}

static bool eff_counts(uint32_t role)
{
    return role == PRVCUT_ROLE_INSTRUCTIONS || role == PRVCUT_ROLE_CYCLES;
}

/* That counters were read is known already. */
static bool eff_is_read(const struct eff_part *p, const struct prvcut_event *e)
{
    const struct eff_event *last = p->events > 0 ? &p->event[p->events - 1] : NULL;

    return last && p->read && !eff_counts(e->role) && prvcut_role_is_counter(last->role) &&
           last->thread == e->thread && last->time == e->time;
}

static enum prvcut_status eff_event(struct eff_part *p, const struct prvcut_event *e, bool mpi,
                                    struct prvcut_error *err)
{
    if (prvcut_role_is_counter(e->role) && eff_is_read(p, e))
        return PRVCUT_OK;
    if (p->events == p->event_room &&
        prvcut_grow((void **)&p->event, &p->event_room, p->events + 1, sizeof *p->event, err) < 0)
        return PRVCUT_ENOMEM;
    p->event[p->events++] = (struct eff_event){ .time = e->time,
                                                .value = e->value,
                                                .type = e->type,
                                                .thread = e->thread,
                                                .role = e->role,
                                                .communicator = p->communicator,
                                                .root = mpi ? p->root : !p->read };
    p->read |= prvcut_role_is_counter(e->role);
    if (mpi && e->value != 0)
        p->line_call = p->events;
    return PRVCUT_OK;
}

static enum prvcut_status eff_line(struct eff_worker *w, struct eff_part *p,
                                   const struct prvcut_event *e, struct prvcut_error *err)
{
    const bool mpi = PRVCUT_ROLES_MPI >> e->role & 1;

    if (e->head) {
        p->line_call = 0;
        p->communicator = PRVCUT_NOBODY;
        p->root = p->read = false;
    }
    if (e->role == PRVCUT_ROLE_COMMUNICATOR || e->role == PRVCUT_ROLE_ROOT)
        eff_detail(p, e);
    if (eff_counts(e->role))
        eff_any(w, e->thread,
                e->role == PRVCUT_ROLE_CYCLES ? PRVCUT_EFFICIENCY_ANY_CYCLES
                                              : PRVCUT_EFFICIENCY_ANY_INSTRUCTIONS);
    return mpi || prvcut_role_is_counter(e->role) || e->role == PRVCUT_ROLE_FLUSH
               ? eff_event(p, e, mpi, err)
               : PRVCUT_OK;
}

/* Who sends to whom, between applications. */
static void eff_messages(struct eff_worker *w, const struct prvcut_batch *b)
{
    const struct prvcut_objects *o = w->objects;

    if (o->applications < 2)
        w->any[0] |= PRVCUT_EFFICIENCY_ANY_MESSAGE;
    for (size_t i = 0; o->applications > 1 && i < b->messages; i++) {
        const uint32_t from = prvcut_efficiency_application(o, b->message[i].sender);
        const uint32_t to = prvcut_efficiency_application(o, b->message[i].receiver);

        w->any[from] |= PRVCUT_EFFICIENCY_ANY_MESSAGE;
        if (from != to)
            prvcut_efficiency_join(w->program, from, to);
    }
}

enum prvcut_status eff_take(struct eff_worker *w, struct eff_part *p, bool told,
                            const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->states && st == PRVCUT_OK; i++)
        st = eff_state(w, p, &b->state[i], told, err);
    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];

        st = eff_reach(w, p, e->thread, e->time, e->time, err);
        if (st == PRVCUT_OK)
            st = eff_line(w, p, e, err);
    }
    if (st == PRVCUT_OK && b->messages > 0)
        st = prvcut_grow((void **)&p->message, &p->message_room, p->messages + b->messages,
                         sizeof *p->message, err);
    if (st < 0 || b->messages == 0)
        return st;
    eff_messages(w, b);
    w->messages += b->messages;
    memcpy(p->message + p->messages, b->message, b->messages * sizeof *b->message);
    p->messages += b->messages;
    return st;
}
