#include "base/buffer.h"
#include "base/memory.h"
#include "database/database.h"
#include "model/regions.h"
#include "model/roles.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* A call that a thread is in. */
struct rec_call {
    uint64_t id;            /* from 1; 0: it is left out */
    uint64_t begin;         /* as the stream tells it */
    struct prvcut_span own; /* what of it is told */
    int64_t value;
    uint32_t type;
    size_t iteration;
    /* Whom it talks to, gathered until it ends. */
    uint32_t partner, partners, communicator;
    uint64_t sent, received, collective;
};

/* A member's part in a collective that is told before its call. */
struct rec_coming {
    uint64_t begin, slot, sent, received;
    uint32_t type, member, communicator;
};

struct rec_thread {
    struct rec_call *held; /* [calls] the innermost last; owned */
    size_t calls, room;
    struct rec_coming *coming; /* [comings]; owned */
    size_t comings, coming_room;
    size_t iteration; /* where it was last */
};

/* A message under way. */
struct rec_message {
    uint64_t id, send_call;
    size_t iteration;
};

/* A collective under way. */
struct rec_collective {
    uint64_t id;
    uint64_t *call; /* [members] ids, 0: not told, or left out; owned */
    size_t iteration;
};

struct rec_job {
    struct dbs *d;
    struct prvcut_trace *trace;
    const struct prvcut_dictionary *names;
    const struct dbs_loop *loop;
    struct rec_thread *thread; /* [threads]; owned */
    struct rec_message *message;
    size_t message_room;
    struct rec_collective *collective;
    size_t collective_room;
    uint64_t calls, messages, collectives; /* numbers given */
};

/* --- Iterations ------------------------------------------------------------------------------- */

static size_t rec_iteration(struct rec_job *j, uint32_t thread, uint64_t time)
{
    return dbs_iteration_at(j->loop, &j->thread[thread].iteration, thread, time);
}

/* A thread's own part of what is asked for. */
static struct prvcut_span rec_own(const struct rec_job *j, uint32_t thread)
{
    return j->loop->only ? prvcut_window_own(j->loop->only, thread)
                         : (struct prvcut_span){ 0, UINT64_MAX };
}

static bool rec_takes(const struct rec_job *j, uint32_t thread, uint64_t time)
{
    const struct prvcut_span own = rec_own(j, thread);

    return time >= own.start && time < own.end;
}

/* Leave what lies in its thread's part; false: nothing does. */
static bool rec_clip(const struct rec_job *j, uint32_t thread, struct prvcut_span *s)
{
    const struct prvcut_span own = rec_own(j, thread);

    if (s->start >= own.end || (s->end <= own.start && s->start < own.start))
        return false;
    s->start = s->start < own.start ? own.start : s->start;
    s->end = s->end > own.end ? own.end : s->end;
    return true;
}

static void rec_put_iteration(const struct rec_job *j, struct dbs_row *r, size_t iteration)
{
    dbs_number(r, iteration == DBS_NO_ITERATION ? 0 : j->loop->at[iteration].number);
}

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

/* The open call that a message or a collective speaks of; NULL: the thread is not in it. */
static struct rec_call *rec_find(struct rec_job *j, const struct prvcut_stream_call *c)
{
    struct rec_thread *t = c ? &j->thread[c->thread] : NULL;

    for (size_t i = t ? t->calls : 0; i-- > 0;)
        if (t->held[i].type == c->type && t->held[i].begin == c->span.start)
            return &t->held[i];
    return NULL;
}

static void rec_join(struct rec_call *c, const struct rec_collective *of,
                     const struct prvcut_stream_collective *told, uint32_t member)
{
    const struct prvcut_stream_member *m = prvcut_stream_member(told, member);

    c->collective = of->id;
    c->communicator = told->communicator;
    c->sent = m->sent >= 0 ? (uint64_t)m->sent : UINT64_MAX;
    c->received = m->received >= 0 ? (uint64_t)m->received : UINT64_MAX;
    of->call[member] = c->id;
}

/* What a collective said of a call before it began. */
static void rec_expected(struct rec_job *j, struct rec_thread *t, struct rec_call *c)
{
    for (size_t i = 0; i < t->comings; i++) {
        const struct rec_coming *n = &t->coming[i];

        if (n->type != c->type || n->begin != c->begin)
            continue;
        c->collective = j->collective[n->slot].id;
        j->collective[n->slot].call[n->member] = c->id;
        c->communicator = n->communicator;
        c->sent = n->sent;
        c->received = n->received;
        t->coming[i] = t->coming[--t->comings];
        return;
    }
}

static enum prvcut_status rec_call_begins(struct rec_job *j, const struct prvcut_stream_call *c,
                                          struct prvcut_error *err)
{
    struct rec_thread *t = &j->thread[c->thread];
    struct prvcut_span own = c->span;
    /* What began nobody knows where is no call that has a name. */
    const bool takes = !(c->no_begin && c->value == 0) && rec_clip(j, c->thread, &own);
    const size_t iteration = rec_iteration(j, c->thread, own.start);

    if (prvcut_grow((void **)&t->held, &t->room, t->calls + 1, sizeof *t->held, err) < 0)
        return PRVCUT_ENOMEM;
    t->held[t->calls] = (struct rec_call){ .id = takes ? ++j->calls : 0,
                                           .begin = c->span.start,
                                           .own = own,
                                           .value = c->value,
                                           .type = c->type,
                                           .iteration = iteration,
                                           .partner = UINT32_MAX,
                                           .communicator = UINT32_MAX,
                                           .sent = UINT64_MAX,
                                           .received = UINT64_MAX };
    rec_expected(j, t, &t->held[t->calls++]);
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
    dbs_i64(&r, begun);
    dbs_i64(&r, begun && !c->no_end && o->own.end == c->span.end);
    rec_put_iteration(j, &r, o->iteration);
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
    struct rec_call *o = begins ? NULL : rec_find(j, c), ended;

    if (begins)
        return rec_call_begins(j, c, err);
    if (!o)
        return PRVCUT_OK;
    ended = *o;
    t->calls--;
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
    struct rec_call *send = rec_find(j, m->send);
    struct rec_message *at;

    if (prvcut_grow((void **)&j->message, &j->message_room, (size_t)m->number + 1,
                    sizeof *j->message, err) < 0)
        return PRVCUT_ENOMEM;
    at = &j->message[m->number];
    at->iteration = known_when ? rec_iteration(j, whose, when) : DBS_NO_ITERATION;
    at->id = !j->loop->only || (known_when && rec_takes(j, whose, when)) ? ++j->messages : 0;
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
    rec_put_iteration(j, &r, at->iteration);
    return dbs_end(&r, err);
}

static enum prvcut_status rec_message(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                      struct prvcut_error *err)
{
    struct rec_job *j = ctx;
    struct rec_call *complete = begins ? NULL : rec_find(j, m->complete);

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

/* --- Collectives ------------------------------------------------------------------------------ */

/* A member's call takes part, or will once it begins. */
static enum prvcut_status rec_expect(struct rec_job *j, const struct prvcut_stream_collective *c,
                                     uint32_t member, struct prvcut_error *err)
{
    const struct prvcut_stream_member *m = prvcut_stream_member(c, member);
    struct rec_call *call = rec_find(j, m->call);
    struct rec_thread *t;

    if (call) {
        rec_join(call, &j->collective[c->number], c, member);
        return PRVCUT_OK;
    }
    if (!m->call)
        return PRVCUT_OK;
    t = &j->thread[m->call->thread];
    if (prvcut_grow((void **)&t->coming, &t->coming_room, t->comings + 1, sizeof *t->coming, err) <
        0)
        return PRVCUT_ENOMEM;
    t->coming[t->comings++] = (struct rec_coming){
        .begin = m->call->span.start,
        .slot = c->number,
        .type = m->call->type,
        .member = member,
        .communicator = c->communicator,
        .sent = m->sent >= 0 ? (uint64_t)m->sent : UINT64_MAX,
        .received = m->received >= 0 ? (uint64_t)m->received : UINT64_MAX,
    };
    return PRVCUT_OK;
}

static enum prvcut_status rec_collective_begins(struct rec_job *j,
                                                const struct prvcut_stream_collective *c,
                                                struct prvcut_error *err)
{
    const struct prvcut_stream_member *first = c->members > 0 ? prvcut_stream_member(c, 0) : NULL;
    const struct prvcut_stream_call *call = first ? first->call : NULL;
    const size_t had = j->collective_room;
    struct rec_collective *at;
    enum prvcut_status st = PRVCUT_OK;

    if (prvcut_grow((void **)&j->collective, &j->collective_room, (size_t)c->number + 1,
                    sizeof *j->collective, err) < 0)
        return PRVCUT_ENOMEM;
    memset(j->collective + had, 0, (j->collective_room - had) * sizeof *j->collective);
    at = &j->collective[c->number];
    at->iteration = call ? rec_iteration(j, call->thread, call->span.start) : DBS_NO_ITERATION;
    at->id = !j->loop->only || (call && rec_takes(j, call->thread, call->span.start))
                 ? ++j->collectives
                 : 0;
    at->call = prvcut_zeroed(c->members, sizeof *at->call, "members", err);
    if (!at->call)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < c->members && st == PRVCUT_OK; i++)
        st = rec_expect(j, c, i, err);
    return st;
}

static enum prvcut_status rec_put_collective(struct rec_job *j, const struct rec_collective *at,
                                             const struct prvcut_stream_collective *c,
                                             struct prvcut_error *err)
{
    struct dbs_row r = dbs_begin(j->d, DBS_COLLECTIVES);
    enum prvcut_status st;

    dbs_u64(&r, at->id);
    dbs_text(&r, prvcut_value_text(j->names, c->type, c->value));
    dbs_i64(&r, (int64_t)c->application + 1);
    dbs_u32(&r, c->communicator);
    dbs_u32(&r, c->root);
    dbs_i64(&r, c->members);
    dbs_i64(&r, c->expected);
    dbs_i64(&r, c->nonblocking);
    dbs_u64(&r, c->first_begin);
    dbs_u64(&r, c->last_begin);
    dbs_u64(&r, c->first_end);
    dbs_u64(&r, c->last_end);
    dbs_text(&r, prvcut_fate_text(c->fate));
    rec_put_iteration(j, &r, at->iteration);
    st = dbs_end(&r, err);
    for (uint32_t i = 0; i < c->members && st == PRVCUT_OK; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);
        struct dbs_row of = dbs_begin(j->d, DBS_COLLECTIVE_MEMBERS);

        dbs_u64(&of, at->id);
        dbs_i64(&of, m->task);
        dbs_number(&of, at->call[i]);
        dbs_u64(&of, m->sent >= 0 ? (uint64_t)m->sent : UINT64_MAX);
        dbs_u64(&of, m->received >= 0 ? (uint64_t)m->received : UINT64_MAX);
        st = dbs_end(&of, err);
    }
    return st;
}

/* Nobody waits any longer for what it said of calls. */
static void rec_forget(struct rec_job *j, const struct prvcut_stream_collective *c)
{
    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);
        struct rec_thread *t = m->call ? &j->thread[m->call->thread] : NULL;

        for (size_t k = t ? t->comings : 0; k-- > 0;)
            if (t->coming[k].slot == c->number)
                t->coming[k] = t->coming[--t->comings];
    }
}

static enum prvcut_status rec_collective(void *ctx, const struct prvcut_stream_collective *c,
                                         bool begins, struct prvcut_error *err)
{
    struct rec_job *j = ctx;
    struct rec_collective *at;
    enum prvcut_status st = PRVCUT_OK;

    if (begins)
        return rec_collective_begins(j, c, err);
    at = &j->collective[c->number];
    if (at->id > 0)
        st = rec_put_collective(j, at, c, err);
    rec_forget(j, c);
    free(at->call);
    at->call = NULL;
    return st;
}

/* --- States and events ------------------------------------------------------------------------ */

static enum prvcut_status rec_state(struct rec_job *j, const struct prvcut_item *s,
                                    struct prvcut_error *err)
{
    struct prvcut_span own = { s->time, s->state.end };
    const bool takes = rec_clip(j, s->thread, &own);
    const size_t iteration = rec_iteration(j, s->thread, own.start);
    const struct prvcut_state_name *name = prvcut_dictionary_state(j->names, s->state.number);
    struct dbs_row r = dbs_begin(j->d, DBS_STATES);

    if (!takes)
        return PRVCUT_OK;
    rec_put_who(j, &r, s->thread);
    dbs_i64(&r, s->state.number);
    dbs_text(&r, name ? name->text : NULL);
    dbs_u64(&r, own.start);
    dbs_u64(&r, own.end);
    rec_put_iteration(j, &r, iteration);
    return dbs_end(&r, err);
}

static enum prvcut_status rec_event(struct rec_job *j, const struct prvcut_item *e,
                                    struct prvcut_error *err)
{
    const size_t iteration = rec_iteration(j, e->thread, e->time);
    struct dbs_row r = dbs_begin(j->d, prvcut_role_is_counter(e->role) ? DBS_COUNTERS : DBS_EVENTS);

    if (!rec_takes(j, e->thread, e->time))
        return PRVCUT_OK;
    rec_put_who(j, &r, e->thread);
    dbs_u64(&r, e->time);
    dbs_i64(&r, e->event.type);
    dbs_i64(&r, e->event.value);
    rec_put_iteration(j, &r, iteration);
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
                                             .states = dbs_wants(d, DBS_STATES) };
    const struct prvcut_stream_sink sink = {
        .ctx = &j,
        .records = told & REC_SINGLE ? rec_records : NULL,
        .call = told & ~(uint32_t)REC_SINGLE ? rec_call : NULL,
        .message = told & (DBS_BIT(DBS_CALLS) | DBS_BIT(DBS_MESSAGES)) ? rec_message : NULL,
        .collective = told & (DBS_BIT(DBS_CALLS) | REC_TOGETHER) ? rec_collective : NULL,
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
