#include "base/memory.h"
#include "database/records.h"
#include "model/regions.h"

#include <stdlib.h>
#include <string.h>

static void rcl_join(struct rec_call *c, const struct rec_collective *of,
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
void dbs_rec_expected(struct rec_job *j, struct rec_thread *t, struct rec_call *c)
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

/* A member's call takes part, or will once it begins. */
static enum prvcut_status rcl_expect(struct rec_job *j, const struct prvcut_stream_collective *c,
                                     uint32_t member, struct prvcut_error *err)
{
    const struct prvcut_stream_member *m = prvcut_stream_member(c, member);
    struct rec_call *call = dbs_rec_find(j, m->call);
    struct rec_thread *t;

    if (call) {
        rcl_join(call, &j->collective[c->number], c, member);
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

/* Is a member's call told? Without calls there is nothing that a window could tell apart. */
static bool rcl_takes_member(const struct rec_job *j, const struct prvcut_stream_member *m)
{
    struct prvcut_span own = m->call ? m->call->span : (struct prvcut_span){ 0, 0 };

    return dbs_tells(j->d, m->task) &&
           (!j->loop->only || (m->call && dbs_rec_clip(j, m->call->thread, &own)));
}

/* Told where one of its members is; *iteration: that of the first one to come. */
static bool rcl_takes_collective(struct rec_job *j, const struct prvcut_stream_collective *c,
                                 size_t *iteration)
{
    bool takes = c->members == 0 && !j->loop->only;
    uint64_t first = UINT64_MAX;

    *iteration = DBS_NO_ITERATION;
    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);
        size_t in;

        if (!rcl_takes_member(j, m))
            continue;
        takes = true;
        if (!m->call || m->call->span.start >= first)
            continue;
        in = dbs_rec_iteration(j, m->call->thread, m->call->span.start);
        if (in == DBS_NO_ITERATION)
            continue;
        *iteration = in;
        first = m->call->span.start;
    }
    return takes;
}

static enum prvcut_status rcl_collective_begins(struct rec_job *j,
                                                const struct prvcut_stream_collective *c,
                                                struct prvcut_error *err)
{
    const size_t had = j->collective_room;
    struct rec_collective *at;
    enum prvcut_status st = PRVCUT_OK;

    if (prvcut_grow((void **)&j->collective, &j->collective_room, (size_t)c->number + 1,
                    sizeof *j->collective, err) < 0)
        return PRVCUT_ENOMEM;
    memset(j->collective + had, 0, (j->collective_room - had) * sizeof *j->collective);
    at = &j->collective[c->number];
    at->id = rcl_takes_collective(j, c, &at->iteration) ? ++j->collectives : 0;
    at->call = prvcut_zeroed(c->members, sizeof *at->call, "members", err);
    if (!at->call)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < c->members && st == PRVCUT_OK; i++)
        st = rcl_expect(j, c, i, err);
    return st;
}

/* Members whose call begins in what is told, so that commands count it. */
static uint32_t rcl_begun(const struct rec_job *j, const struct prvcut_stream_collective *c)
{
    uint32_t begun = 0;

    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);

        begun += dbs_tells(j->d, m->task) && m->call && !m->call->no_begin &&
                 dbs_rec_takes(j, m->call->thread, m->call->span.start);
    }
    return begun;
}

static enum prvcut_status rcl_put_collective(struct rec_job *j, const struct rec_collective *at,
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
    dbs_rec_put_iteration(j, &r, at->iteration);
    dbs_i64(&r, rcl_begun(j, c));
    st = dbs_end(&r, err);
    for (uint32_t i = 0; i < c->members && st == PRVCUT_OK; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);
        struct dbs_row of = dbs_begin(j->d, DBS_COLLECTIVE_MEMBERS);

        if (!dbs_tells(j->d, m->task))
            continue;
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
static void rcl_forget(struct rec_job *j, const struct prvcut_stream_collective *c)
{
    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_member *m = prvcut_stream_member(c, i);
        struct rec_thread *t = m->call ? &j->thread[m->call->thread] : NULL;

        for (size_t k = t ? t->comings : 0; k-- > 0;)
            if (t->coming[k].slot == c->number)
                t->coming[k] = t->coming[--t->comings];
    }
}

enum prvcut_status dbs_rec_collective(void *ctx, const struct prvcut_stream_collective *c,
                                      bool begins, struct prvcut_error *err)
{
    struct rec_job *j = ctx;
    struct rec_collective *at;
    enum prvcut_status st = PRVCUT_OK;

    if (begins)
        return rcl_collective_begins(j, c, err);
    at = &j->collective[c->number];
    if (at->id > 0)
        st = rcl_put_collective(j, at, c, err);
    rcl_forget(j, c);
    free(at->call);
    at->call = NULL;
    return st;
}
