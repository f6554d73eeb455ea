#include "database/records.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/regions.h"
#include "model/roles.h"

#include <stdlib.h>
#include <string.h>

static void rec_put_who(const struct rec_job *j, struct dbs_row *r, uint32_t thread)
{
    dbs_i64(r, (int64_t)thread + 1);
    dbs_i64(r, j->trace->objects.thread_task[thread]);
}

static void rec_put_rank(const struct rec_job *j, struct dbs_row *r, uint32_t thread)
{
    dbs_u32(r, thread < j->trace->objects.threads ? j->trace->objects.thread_task[thread]
                                                  : UINT32_MAX);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The innermost MPI call; NULL: the thread is in none. */
static struct rec_call *rec_mpi(const struct rec_thread *t)
{
    for (size_t i = t->mpi > 0 ? t->calls : 0; i-- > 0;)
        if (t->held[i].mpi)
            return &t->held[i];
    return NULL;
}

/* The innermost call has the time up to there, as far as it is told, and the innermost of MPI. */
static void rec_pass(struct rec_job *j, uint32_t thread, uint64_t time)
{
    struct rec_thread *t = &j->thread[thread];
    struct rec_call *c = t->calls > 0 ? &t->held[t->calls - 1] : NULL, *mpi = rec_mpi(t);
    struct prvcut_span s = { t->seen, time };

    if (time <= t->seen)
        return;
    if (c && dbs_rec_clip(j, thread, &s)) {
        if (!c->mpi)
            c->own_ns += s.end - s.start;
        if (mpi && !mpi->over)
            mpi->own_ns += s.end - s.start;
    }
    t->seen = time;
}

/* A thread is in one MPI call at a time: those that it is in are over. */
static void rec_over(const struct rec_job *j, struct rec_thread *t)
{
    for (size_t i = 0; i < t->calls && t->mpi > 0 && !prvcut_trace_calls_nest(j->trace); i++)
        t->held[i].over = t->held[i].mpi;
}

static enum prvcut_status rec_call_begins(struct rec_job *j, const struct prvcut_stream_call *c,
                                          struct prvcut_error *err)
{
    struct rec_thread *t = &j->thread[c->thread];
    struct prvcut_span own = c->span;
    /* What began nobody knows where is no call that has a name. */
    const bool takes = !(c->no_begin && c->value == 0) && dbs_rec_clip(j, c->thread, &own);
    const size_t iteration = dbs_rec_iteration(j, c->thread, own.start);
    const bool mpi = (PRVCUT_ROLES_MPI & PRVCUT_ROLE_BIT(c->role)) != 0;

    rec_pass(j, c->thread, c->span.start);
    if (mpi)
        rec_over(j, t);
    if (prvcut_grow((void **)&t->held, &t->room, t->calls + 1, sizeof *t->held, err) < 0)
        return PRVCUT_ENOMEM;
    t->held[t->calls] = (struct rec_call){ .id = takes ? ++j->calls : 0,
                                           .begin = c->span.start,
                                           .own = own,
                                           .value = c->value,
                                           .type = c->type,
                                           .iteration = iteration,
                                           .mpi = mpi,
                                           .partner = UINT32_MAX,
                                           .communicator = UINT32_MAX,
                                           .sent = UINT64_MAX,
                                           .received = UINT64_MAX };
    t->mpi += mpi;
    dbs_rec_expected(j, t, &t->held[t->calls++]);
    return PRVCUT_OK;
}

static enum prvcut_status rec_put_call(struct rec_job *j, const struct rec_call *o,
                                       const struct prvcut_stream_call *c, struct prvcut_error *err)
{
    struct dbs_row r = dbs_begin(j->d, DBS_CALLS);
    const bool begun = !c->no_begin && o->own.start == c->span.start;

    dbs_u64(&r, o->id);
    rec_put_who(j, &r, c->thread);
    dbs_i64(&r, c->type);
    dbs_i64(&r, c->value);
    dbs_text(&r, prvcut_value_text(j->names, c->type, c->value));
    dbs_text(&r, prvcut_role_text(c->role));
    dbs_u64(&r, o->own.start);
    dbs_u64(&r, o->own.end);
    dbs_u64(&r, o->own.end - o->own.start);
    dbs_u64(&r, o->own_ns);
    dbs_i64(&r, begun);
    dbs_i64(&r, begun && !c->no_end && o->own.end == c->span.end);
    dbs_rec_put_iteration(j, &r, o->iteration);
    rec_put_rank(j, &r, o->partners == 1 ? o->partner : UINT32_MAX);
    dbs_i64(&r, o->partners);
    dbs_u64(&r, o->sent);
    dbs_u64(&r, o->received);
    dbs_u32(&r, o->communicator);
    dbs_number(&r, o->collective);
    return dbs_end(&r, err);
}

static enum prvcut_status rec_call(void *ctx, const struct prvcut_stream_call *c, bool begins,
                                   struct prvcut_error *err)
{
    struct rec_job *j = ctx;
    struct rec_thread *t = &j->thread[c->thread];
    struct rec_call *o = begins ? NULL : dbs_rec_find(j, c), ended;

    if (begins)
        return rec_call_begins(j, c, err);
    if (!o)
        return PRVCUT_OK;
    rec_pass(j, c->thread, c->span.end);
    ended = *o;
    t->calls--;
    t->mpi -= ended.mpi;
    memmove(o, o + 1, (size_t)(t->held + t->calls - o) * sizeof *o);
    return ended.id > 0 ? rec_put_call(j, &ended, c, err) : PRVCUT_OK;
}

/* A call talks to one more. */
static void rec_talks(struct rec_call *c, uint32_t partner, uint32_t communicator)
{
    if (c->partners == 0 || c->partner != partner)
        c->partners++;
    c->partner = partner;
    if (c->communicator == UINT32_MAX)
        c->communicator = communicator;
}

/* Bytes of a message; UINT64_MAX where its size is none. */
static uint64_t rec_size(const struct prvcut_stream_message *m)
{
    return m->size <= PRVCUT_MESSAGE_MOST ? m->size : UINT64_MAX;
}

static void rec_add(uint64_t *sum, uint64_t size)
{
    if (size == UINT64_MAX)
        return;
    *sum = (*sum == UINT64_MAX ? 0 : *sum) + size;
}

/* --- Messages --------------------------------------------------------------------------------- */

static enum prvcut_status rec_message_begins(struct rec_job *j,
                                             const struct prvcut_stream_message *m,
                                             struct prvcut_error *err)
{
    const bool known = m->sender < j->trace->objects.threads && m->sent != PRVCUT_NEVER;
    const uint32_t whose = known ? m->sender : m->receiver;
    const uint64_t when = known ? m->sent : m->completed;
    const bool known_when = whose < j->trace->objects.threads && when != PRVCUT_NEVER;
    struct rec_call *send = dbs_rec_find(j, m->send);
    struct rec_message *at;

    if (prvcut_grow((void **)&j->message, &j->message_room, (size_t)m->number + 1,
                    sizeof *j->message, err) < 0)
        return PRVCUT_ENOMEM;
    at = &j->message[m->number];
    at->iteration = known_when ? dbs_rec_iteration(j, whose, when) : DBS_NO_ITERATION;
    at->id = (dbs_rec_tells(j, m->sender) || dbs_rec_tells(j, m->receiver)) &&
                     (!j->loop->only || (known_when && dbs_rec_takes(j, whose, when)))
                 ? ++j->messages
                 : 0;
    at->send_call = send ? send->id : 0;
    if (send) {
        rec_talks(send, m->receiver, m->communicator);
        rec_add(&send->sent, rec_size(m));
    }
    return PRVCUT_OK;
}

static uint32_t rec_number(uint32_t thread)
{
    return thread == UINT32_MAX ? UINT32_MAX : thread + 1;
}

static enum prvcut_status rec_put_message(struct rec_job *j, const struct rec_message *at,
                                          const struct prvcut_stream_message *m, uint64_t complete,
                                          struct prvcut_error *err)
{
    struct dbs_row r = dbs_begin(j->d, DBS_MESSAGES);

    dbs_u64(&r, at->id);
    rec_put_rank(j, &r, m->sender);
    rec_put_rank(j, &r, m->receiver);
    dbs_u32(&r, rec_number(m->sender));
    dbs_u32(&r, rec_number(m->receiver));
    dbs_u64(&r, rec_size(m));
    dbs_i64(&r, m->tag);
    dbs_u32(&r, m->communicator);
    dbs_u64(&r, m->sent);
    dbs_u64(&r, m->transferred);
    dbs_u64(&r, m->posted);
    dbs_u64(&r, m->completed);
    dbs_number(&r, at->send_call);
    dbs_number(&r, complete);
    dbs_text(&r, prvcut_fate_text(m->fate));
    dbs_rec_put_iteration(j, &r, at->iteration);
    return dbs_end(&r, err);
}

static enum prvcut_status rec_message(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                      struct prvcut_error *err)
{
    struct rec_job *j = ctx;
    struct rec_call *complete = begins ? NULL : dbs_rec_find(j, m->complete);

    if (begins)
        return rec_message_begins(j, m, err);
    if (complete) {
        rec_talks(complete, m->sender, m->communicator);
        rec_add(&complete->received, rec_size(m));
    }
    if (j->message[m->number].id == 0)
        return PRVCUT_OK;
    return rec_put_message(j, &j->message[m->number], m, complete ? complete->id : 0, err);
}

/* --- States and events ------------------------------------------------------------------------ */

static enum prvcut_status rec_state(struct rec_job *j, const struct prvcut_item *s,
                                    struct prvcut_error *err)
{
    struct prvcut_span own = { s->time, s->state.end };
    const bool takes = dbs_rec_clip(j, s->thread, &own);
    const size_t iteration = dbs_rec_iteration(j, s->thread, own.start);
    const struct prvcut_state_name *name = prvcut_dictionary_state(j->names, s->state.number);
    struct dbs_row r = dbs_begin(j->d, DBS_STATES);

    if (!takes)
        return PRVCUT_OK;
    rec_put_who(j, &r, s->thread);
    dbs_i64(&r, s->state.number);
    dbs_text(&r, name ? name->text : NULL);
    dbs_u64(&r, own.start);
    dbs_u64(&r, own.end);
    dbs_rec_put_iteration(j, &r, iteration);
    return dbs_end(&r, err);
}

static enum prvcut_status rec_event(struct rec_job *j, const struct prvcut_item *e,
                                    struct prvcut_error *err)
{
    const size_t iteration = dbs_rec_iteration(j, e->thread, e->time);
    struct dbs_row r = dbs_begin(j->d, prvcut_role_is_counter(e->role) ? DBS_COUNTERS : DBS_EVENTS);

    if (!dbs_rec_tells(j, e->thread) || !dbs_rec_takes(j, e->thread, e->time))
        return PRVCUT_OK;
    rec_put_who(j, &r, e->thread);
    dbs_u64(&r, e->time);
    dbs_i64(&r, e->event.type);
    dbs_i64(&r, e->event.value);
    dbs_rec_put_iteration(j, &r, iteration);
    return dbs_end(&r, err);
}

static enum prvcut_status rec_records(void *ctx, struct prvcut_item *item, size_t count,
                                      struct prvcut_error *err)
{
    struct rec_job *j = ctx;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        if (item[i].kind == PRVCUT_ITEM_STATE)
            st = rec_state(j, &item[i], err);
        else if (item[i].kind == PRVCUT_ITEM_EVENT)
            st = rec_event(j, &item[i], err);
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

#define REC_SINGLE   (DBS_BIT(DBS_STATES) | DBS_BIT(DBS_EVENTS) | DBS_BIT(DBS_COUNTERS))
#define REC_TOGETHER (DBS_BIT(DBS_COLLECTIVES) | DBS_BIT(DBS_COLLECTIVE_MEMBERS))
/* Events are what neither calls nor collectives take. */
#define REC_CALLS       (DBS_RECORDS & ~(DBS_BIT(DBS_STATES) | DBS_BIT(DBS_COUNTERS)))
#define REC_COLLECTIVES (DBS_BIT(DBS_CALLS) | DBS_BIT(DBS_EVENTS) | REC_TOGETHER)

/* Tables that records fill and that are wanted. */
static uint32_t rec_told(const struct dbs *d)
{
    uint32_t told = 0;

    for (unsigned t = 0; t < DBS_TABLES; t++)
        if (DBS_RECORDS & DBS_BIT(t) && dbs_wants(d, (enum dbs_table)t))
            told |= DBS_BIT(t);
    return told;
}

static void rec_fini(struct rec_job *j)
{
    for (uint32_t t = 0; j->thread && t < j->trace->objects.threads; t++) {
        free(j->thread[t].held);
        free(j->thread[t].coming);
    }
    for (size_t i = 0; i < j->collective_room; i++)
        free(j->collective[i].call);
    free(j->thread);
    free(j->message);
    free(j->collective);
}

enum prvcut_status dbs_put_records(struct dbs *d, const struct dbs_reading *reading,
                                   struct prvcut_error *err)
{
    struct rec_job j = {
        .d = d, .trace = reading->trace, .names = reading->names, .loop = reading->loop
    };
    const uint32_t told = rec_told(d);
    const struct prvcut_stream_plan plan = { .trace = reading->trace,
                                             .run = reading->run,
                                             .only = reading->only,
                                             .states = (told & (DBS_BIT(DBS_CALLS) |
                                                                DBS_BIT(DBS_STATES))) != 0,
                                             .inner = true };
    const struct prvcut_stream_sink sink = {
        .ctx = &j,
        .records = told & REC_SINGLE ? rec_records : NULL,
        .call = told & REC_CALLS ? rec_call : NULL,
        .message = told & (DBS_BIT(DBS_CALLS) | DBS_BIT(DBS_MESSAGES)) ? rec_message : NULL,
        .collective = told & REC_COLLECTIVES ? dbs_rec_collective : NULL,
    };
    enum prvcut_status st = PRVCUT_OK;

    if (told == 0)
        return PRVCUT_OK;
    j.thread = prvcut_zeroed(j.trace->objects.threads, sizeof *j.thread, "threads", err);
    if (!j.thread)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION),
                                reading->known, &sink, err);
    rec_fini(&j);
    return st;
}
