#include "analysis/profile/profile_meet.h"

#include "base/checked.h"
#include "base/memory.h"
#include "model/calls.h"
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* A call in which a thread receives; its messages come one after the other. */
struct pme_call {
    struct prvcut_stream_call call;
    uint64_t sent;   /* ns, when the last of its messages was */
    uint32_t sender; /* of that: task */
    bool is;
};

struct pme_meeting {
    struct prvcut_table *out;
    struct prvcut_causality order;
    const struct prvcut_trace *trace;
    const struct prvcut_profile_found *found;
    const struct prvcut_objects *objects;
    struct prvcut_error *err;
    struct prvcut_proof_place *place; /* [threads] */
    uint32_t *slot;                   /* [threads * deepest] */
    struct pme_call *call;            /* [threads] */
};

/* --- Where ------------------------------------------------------------------------------------ */

static const struct prvcut_proof_place *pme_find(struct pme_meeting *m, uint32_t thread,
                                                 uint64_t time)
{
    const struct prvcut_proof_cells *c = &m->found->cells;
    struct prvcut_proof_place *p = &m->place[thread];

    if (time - p->lo >= p->hi - p->lo)
        prvcut_proof_cells_find(c, thread, time, p, m->slot + thread * c->deepest);
    return p;
}

static struct prvcut_profile_met *pme_cell(struct pme_meeting *m, struct prvcut_profile_met *like,
                                           uint32_t slot)
{
    like->key.slot = slot;
    return prvcut_table_make(m->out, &like->key, m->err);
}

/* Where a time of a thread lies, its numbers are added. */
static enum prvcut_status pme_happen(struct pme_meeting *m, uint32_t thread, uint64_t time,
                                     const struct prvcut_profile_met *what)
{
    const struct prvcut_proof_place *p = pme_find(m, thread, time);
    const uint32_t *slot = m->slot + thread * m->found->cells.deepest;
    struct prvcut_profile_met like = *what;

    for (uint32_t i = 0; i < p->slots; i++) {
        struct prvcut_profile_met *c = pme_cell(m, &like, slot[i]);

        if (!c)
            return PRVCUT_ENOMEM;
        c->count += what->count;
        prvcut_add_most(&c->sent, what->sent);
        prvcut_add_most(&c->received, what->received);
        c->sends += what->sends;
        c->receives += what->receives;
    }
    return PRVCUT_OK;
}

/* A span of a thread's time goes to where it lies: as waiting, or as time in a call. */
static enum prvcut_status pme_spend(struct pme_meeting *m, uint32_t thread, struct prvcut_span span,
                                    bool waiting, const struct prvcut_profile_met *what)
{
    struct prvcut_profile_met like = *what;

    while (span.start < span.end) {
        const struct prvcut_proof_place *p = pme_find(m, thread, span.start);
        const uint32_t *slot = m->slot + thread * m->found->cells.deepest;
        const uint64_t stop = span.end < p->hi ? span.end : p->hi;

        for (uint32_t i = 0; i < p->slots; i++) {
            struct prvcut_profile_met *c = pme_cell(m, &like, slot[i]);

            if (!c)
                return PRVCUT_ENOMEM;
            *(waiting ? &c->waiting : &c->ns) += stop - span.start;
        }
        span.start = stop;
    }
    return PRVCUT_OK;
}

/* --- Messages --------------------------------------------------------------------------------- */

static struct prvcut_profile_met pme_of_call(const struct pme_meeting *m,
                                             const struct prvcut_stream_call *c)
{
    struct prvcut_proof_key of = { PRVCUT_PROOF_CALL, c->type, c->value };

    prvcut_proof_key_settle(&of, &m->found->names);
    return (struct prvcut_profile_met){
        .key = { .thread = c->thread, .what = PRVCUT_PROFILE_MET_CALL, .of = of }
    };
}

static struct prvcut_profile_met pme_of_peers(uint32_t sender, uint32_t receiver)
{
    return (struct prvcut_profile_met){
        .key = { .thread = sender, .other = receiver, .what = PRVCUT_PROFILE_MET_PEER }
    };
}

static struct prvcut_happening pme_happening(const struct pme_meeting *m, uint32_t thread,
                                             uint64_t time)
{
    return (struct prvcut_happening){ time, m->objects->thread_task[thread] };
}

/* All messages of the call that a thread received in are known. */
static enum prvcut_status pme_received(struct pme_meeting *m, uint32_t thread)
{
    struct pme_call *c = &m->call[thread];
    struct prvcut_span span = c->call.span;
    const struct prvcut_profile_met call = pme_of_call(m, &c->call);
    const struct prvcut_profile_met peers =
        pme_of_peers(c->sender, m->objects->thread_task[thread]);
    enum prvcut_status st;

    if (!c->is)
        return PRVCUT_OK;
    c->is = false;
    span.end = c->sent < span.end ? c->sent : span.end;
    st = pme_spend(m, thread, span, true, &call);
    return st == PRVCUT_OK ? pme_spend(m, thread, span, true, &peers) : st;
}

/* Does it tell until when its receiver waits? Not where the trace ties wrong ends together. */
static bool pme_tells(const struct pme_meeting *m, const struct prvcut_stream_message *g)
{
    const uint32_t *task = m->objects->thread_task;

    return g->sent != PRVCUT_NEVER && g->sender != PRVCUT_NOBODY &&
           (g->sent <= g->completed ||
            !prvcut_causality_one_clock(m->trace, task[g->sender], task[g->receiver]));
}

static enum prvcut_status pme_receive(struct pme_meeting *m, const struct prvcut_stream_message *g)
{
    struct pme_call *c = &m->call[g->receiver];
    struct prvcut_profile_met what = pme_of_call(m, g->complete);
    enum prvcut_status st = PRVCUT_OK;

    if (!c->is || c->call.span.start != g->complete->span.start ||
        c->call.span.end != g->complete->span.end) {
        st = pme_received(m, g->receiver);
        *c = (struct pme_call){ .call = *g->complete, .is = true };
    }
    if (pme_tells(m, g) && g->sent >= c->sent) {
        c->sent = g->sent;
        c->sender = m->objects->thread_task[g->sender];
    }
    what.received = g->size;
    what.receives = 1;
    return st == PRVCUT_OK ? pme_happen(m, g->receiver, g->completed, &what) : st;
}

static enum prvcut_status pme_message(void *ctx, const struct prvcut_stream_message *g, bool begins,
                                      struct prvcut_error *err)
{
    struct pme_meeting *m = ctx;
    enum prvcut_status st = PRVCUT_OK;

    m->err = err;
    if (begins && g->sent != PRVCUT_NEVER && g->sender != PRVCUT_NOBODY && g->send) {
        struct prvcut_profile_met what = pme_of_call(m, g->send);

        what.sent = g->size;
        what.sends = 1;
        st = pme_happen(m, g->sender, g->sent, &what);
    }
    if (begins && st == PRVCUT_OK && g->sent != PRVCUT_NEVER && g->sender != PRVCUT_NOBODY &&
        g->receiver != PRVCUT_NOBODY) {
        struct prvcut_profile_met what =
            pme_of_peers(m->objects->thread_task[g->sender], m->objects->thread_task[g->receiver]);

        what.count = 1;
        what.sent = g->size;
        st = pme_happen(m, g->sender, g->sent, &what);
        if (g->completed != PRVCUT_NEVER && m->trace->reader->halves)
            prvcut_causality_note(&m->order, m->trace, pme_happening(m, g->sender, g->sent),
                                  pme_happening(m, g->receiver, g->completed));
    }
    if (!begins && g->complete && g->receiver != PRVCUT_NOBODY && g->completed != PRVCUT_NEVER)
        st = pme_receive(m, g);
    return st;
}

/* --- Collectives ------------------------------------------------------------------------------ */

static enum prvcut_status pme_member(struct pme_meeting *m,
                                     const struct prvcut_stream_collective *c,
                                     const struct prvcut_stream_member *member)
{
    const struct prvcut_stream_call *call = member->call;
    const struct prvcut_mpi_call *kind = prvcut_mpi_call_by_value(call->type, call->value);
    const bool waits =
        kind && kind->flow == PRVCUT_CLOCK_ALL && !c->nonblocking && c->fate == PRVCUT_FATE_WHOLE;
    const struct prvcut_span wait = { call->span.start, c->last_begin < call->span.end
                                                            ? c->last_begin
                                                            : call->span.end };
    struct prvcut_profile_met what = pme_of_call(m, call), group = what;
    enum prvcut_status st;

    what.sent = member->sent > 0 ? (uint64_t)member->sent : 0;
    what.received = member->received > 0 ? (uint64_t)member->received : 0;
    group.sent = what.sent;
    group.received = what.received;
    group.count = 1;
    group.key.what = PRVCUT_PROFILE_MET_GROUP;
    group.key.other = c->communicator;
    st = pme_happen(m, call->thread, call->span.start, &what);
    if (st == PRVCUT_OK)
        st = pme_happen(m, call->thread, call->span.start, &group);
    if (st == PRVCUT_OK)
        st = pme_spend(m, call->thread, call->span, false, &group);
    if (st == PRVCUT_OK && waits)
        st = pme_spend(m, call->thread, wait, true, &what);
    return st == PRVCUT_OK && waits ? pme_spend(m, call->thread, wait, true, &group) : st;
}

/* Nobody ends before the last one has come: who gets no data may, but for a barrier. */
static void pme_order(struct pme_meeting *m, const struct prvcut_stream_collective *c)
{
    const struct prvcut_stream_call *last = NULL;
    const struct prvcut_mpi_call *kind = prvcut_mpi_call_by_value(c->type, c->value);
    bool all;

    if (!kind || kind->flow != PRVCUT_CLOCK_ALL || c->nonblocking || c->fate != PRVCUT_FATE_WHOLE)
        return;
    all = c->first_end > c->last_begin || strcmp(kind->name, "MPI_Barrier") == 0;
    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_call *call = prvcut_stream_member(c, i)->call;

        last = !last || call->span.start > last->span.start ? call : last;
    }
    for (uint32_t i = 0; i < c->members; i++) {
        const struct prvcut_stream_member *member = prvcut_stream_member(c, i);

        if (member->call != last && (all || member->received > 0))
            prvcut_causality_note(&m->order, m->trace,
                                  pme_happening(m, last->thread, last->span.start),
                                  pme_happening(m, member->call->thread, member->call->span.end));
    }
}

static enum prvcut_status pme_collective(void *ctx, const struct prvcut_stream_collective *c,
                                         bool begins, struct prvcut_error *err)
{
    struct pme_meeting *m = ctx;
    enum prvcut_status st = PRVCUT_OK;

    m->err = err;
    if (!begins)
        pme_order(m, c);
    for (uint32_t i = 0; !begins && i < c->members && st == PRVCUT_OK; i++)
        st = pme_member(m, c, prvcut_stream_member(c, i));
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status prvcut_profile_meet(struct prvcut_profile_found *f, struct prvcut_trace *t,
                                       const struct prvcut_run *run, struct prvcut_error *err)
{
    const size_t threads = (size_t)f->threads + 1;
    struct pme_meeting m = {
        .out = &f->met, .trace = t, .found = f, .objects = &t->objects, .err = err
    };
    const struct prvcut_stream_sink sink = { .ctx = &m,
                                             .message = pme_message,
                                             .collective = pme_collective };
    const struct prvcut_stream_plan plan = { .trace = t, .run = run, .by_thread = true };
    enum prvcut_status st = PRVCUT_ENOMEM;

    m.place = prvcut_zeroed(threads, sizeof *m.place, "threads", err);
    m.slot = prvcut_zeroed(threads, (f->cells.deepest + 1) * sizeof *m.slot, "threads", err);
    m.call = prvcut_zeroed(threads, sizeof *m.call, "threads", err);
    if (m.place && m.slot && m.call)
        st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, true, &sink, err);
    for (uint32_t i = 0; i < f->threads && st == PRVCUT_OK; i++)
        st = pme_received(&m, i);
    prvcut_causality_add(&f->order, &m.order);
    free(m.place);
    free(m.slot);
    free(m.call);
    return st;
}
