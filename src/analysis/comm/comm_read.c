#include "analysis/comm/comm.h"

#include "base/checked.h"
#include "base/memory.h"
#include "stream/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct cmr_reader {
    struct prvcut_comm_found *out;
    const struct prvcut_objects *objects;
    struct prvcut_comm_places places;
};

/* --- Where ------------------------------------------------------------------------------------ */

enum prvcut_status prvcut_comm_places_init(struct prvcut_comm_places *p,
                                           const struct prvcut_proof_cells *cells, uint32_t threads,
                                           struct prvcut_error *err)
{
    p->cells = cells;
    p->place = prvcut_zeroed((size_t)threads + 1, sizeof *p->place, "threads", err);
    p->slot =
        prvcut_zeroed((size_t)threads + 1, (cells->deepest + 1) * sizeof *p->slot, "threads", err);
    return p->place && p->slot ? PRVCUT_OK : PRVCUT_ENOMEM;
}

void prvcut_comm_places_fini(struct prvcut_comm_places *p)
{
    free(p->place);
    free(p->slot);
}

const uint32_t *prvcut_comm_places_find(struct prvcut_comm_places *p, uint32_t thread,
                                        uint64_t time, uint32_t *count)
{
    struct prvcut_proof_place *place = &p->place[thread];
    uint32_t *slot = p->slot + thread * p->cells->deepest;

    if (time - place->lo >= place->hi - place->lo)
        prvcut_proof_cells_find(p->cells, thread, time, place, slot);
    *count = place->slots;
    return slot;
}

/* What one thing adds to sums, before it is added to any. */
static enum prvcut_status cmr_fits(struct prvcut_comm_found *f, uint64_t bytes, uint64_t ns,
                                   struct prvcut_error *err)
{
    if (!prvcut_ckd_add_u64(&f->bytes, f->bytes, bytes))
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "messages and collectives carry more than %" PRIu64 " bytes in all",
                           UINT64_MAX);
    if (!prvcut_ckd_add_u64(&f->ns, f->ns, ns))
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "messages and collectives last more than %" PRIu64 "ns in all",
                           UINT64_MAX);
    return PRVCUT_OK;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* Bytes of a message; 0 where its size is none. */
static uint64_t cmr_bytes(const struct prvcut_stream_message *m)
{
    return m->size <= PRVCUT_MESSAGE_MOST ? m->size : 0;
}

static enum prvcut_status cmr_size(struct prvcut_comm_found *f, uint32_t slot, uint32_t of,
                                   uint64_t bytes, struct prvcut_error *err)
{
    const struct prvcut_comm_size like = { .key = { slot, of, bytes } };
    struct prvcut_comm_size *s = prvcut_table_make(&f->size, &like.key, err);

    if (!s)
        return PRVCUT_ENOMEM;
    s->messages++;
    return PRVCUT_OK;
}

/* Between tasks of one application, or of a task to itself. */
static enum prvcut_status cmr_add(struct cmr_reader *r, const struct prvcut_stream_message *m,
                                  struct prvcut_comm_cell *like, uint64_t ns, bool timed,
                                  struct prvcut_error *err)
{
    const struct prvcut_objects *o = r->objects;
    struct prvcut_comm_cell *c = prvcut_table_make(&r->out->cell, &like->key, err);
    const uint32_t of = like->key.alone ? o->applications + like->key.from
                                        : prvcut_objects_application(o, like->key.from);

    if (!c)
        return PRVCUT_ENOMEM;
    c->messages++;
    c->bytes += cmr_bytes(m);
    c->ns += ns;
    c->timed += timed;
    return cmr_size(r->out, like->key.slot, of, cmr_bytes(m), err);
}

/* What is in no matrix. false: it is in one. */
static bool cmr_apart(struct cmr_reader *r, const struct prvcut_stream_message *m, uint32_t slot)
{
    const struct prvcut_objects *o = r->objects;
    const uint32_t known = m->sender != PRVCUT_NOBODY ? m->sender : m->receiver;
    const uint32_t application = prvcut_objects_application(o, o->thread_task[known]);
    struct prvcut_comm_sum *s = &r->out->sum[(size_t)slot * o->applications + application];

    if (m->sender == PRVCUT_NOBODY || m->receiver == PRVCUT_NOBODY) {
        s->unknown++;
        s->unknown_bytes += cmr_bytes(m);
        return true;
    }
    if (application == prvcut_objects_application(o, o->thread_task[m->receiver]))
        return false;
    s->outside++;
    s->outside_bytes += cmr_bytes(m);
    return true;
}

static enum prvcut_status cmr_message(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                      struct prvcut_error *err)
{
    struct cmr_reader *r = ctx;
    const bool alone = m->sent == PRVCUT_NEVER;
    const uint32_t thread = alone ? m->receiver : m->sender;
    const bool whole = !alone && m->completed != PRVCUT_NEVER;
    const bool timed = whole && m->completed >= m->sent;
    const uint64_t ns = timed ? m->completed - m->sent : 0;
    const uint32_t *slot;
    uint32_t slots;
    enum prvcut_status st;

    if (!begins || thread == PRVCUT_NOBODY)
        return PRVCUT_OK;
    if (!alone)
        r->out->sends[r->objects->thread_task[m->sender]] = true;
    r->out->acausal += whole && !timed;
    r->out->sizeless += m->size > PRVCUT_MESSAGE_MOST;
    st = cmr_fits(r->out, cmr_bytes(m), ns, err);
    slot = prvcut_comm_places_find(&r->places, thread, alone ? m->completed : m->sent, &slots);
    for (uint32_t i = 0; i < slots && st == PRVCUT_OK; i++) {
        struct prvcut_comm_cell like = { .key = { .slot = slot[i], .alone = alone } };

        if (cmr_apart(r, m, slot[i]))
            continue;
        like.key.from = r->objects->thread_task[m->sender];
        like.key.to = r->objects->thread_task[m->receiver];
        st = cmr_add(r, m, &like, ns, timed, err);
    }
    return st;
}

/* --- Collectives ------------------------------------------------------------------------------ */

/* Bytes that stay among some of the ranks of an application. */
static void cmr_group(const struct cmr_reader *r, struct prvcut_comm_call *c, uint32_t ranks,
                      uint64_t sent)
{
    const uint32_t *first = &r->objects->application_first_task[c->key.application];

    if (ranks >= first[1] - first[0])
        return;
    c->apart += sent;
    c->least = c->least == 0 || ranks < c->least ? ranks : c->least;
    c->most = ranks > c->most ? ranks : c->most;
}

static enum prvcut_status cmr_member(struct cmr_reader *r, const struct prvcut_stream_member *m,
                                     uint32_t ranks, struct prvcut_error *err)
{
    const struct prvcut_stream_call *call = m->call;
    const uint64_t sent = m->sent > 0 ? (uint64_t)m->sent : 0;
    const uint64_t received = m->received > 0 ? (uint64_t)m->received : 0;
    uint32_t slots;
    const uint32_t *slot =
        prvcut_comm_places_find(&r->places, call->thread, call->span.start, &slots);

    if (cmr_fits(r->out, sent, 0, err) < 0 ||
        cmr_fits(r->out, received, call->span.end - call->span.start, err) < 0)
        return PRVCUT_ELIMIT;
    for (uint32_t i = 0; i < slots; i++) {
        const struct prvcut_comm_call like = { .key = { .slot = slot[i],
                                                        .application = prvcut_objects_application(
                                                            r->objects, m->task),
                                                        .type = call->type,
                                                        .value = call->value } };
        struct prvcut_comm_call *c = prvcut_table_make(&r->out->call, &like.key, err);

        if (!c)
            return PRVCUT_ENOMEM;
        c->calls++;
        c->ns += call->span.end - call->span.start;
        c->endless += call->no_end;
        c->sent += sent;
        c->received += received;
        c->sent_told += m->sent >= 0;
        c->received_told += m->received >= 0;
        cmr_group(r, c, ranks, sent);
    }
    return PRVCUT_OK;
}

static enum prvcut_status cmr_collective(void *ctx, const struct prvcut_stream_collective *c,
                                         bool begins, struct prvcut_error *err)
{
    struct cmr_reader *r = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (!begins)
        return PRVCUT_OK;
    if (c->fate == PRVCUT_FATE_UNLIKE)
        r->out->unlike += c->members;
    for (uint32_t i = 0; i < c->members && st == PRVCUT_OK; i++)
        st = cmr_member(r, prvcut_stream_member(c, i), c->members, err);
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status cmr_init(struct cmr_reader *r, struct prvcut_trace *t,
                                   const struct prvcut_proof_region *stretch, size_t stretches,
                                   struct prvcut_error *err)
{
    struct prvcut_comm_found *f = r->out;
    const struct prvcut_objects *o = &t->objects;
    enum prvcut_status st = t->reader->describe(t, &f->names, err);

    if (st == PRVCUT_OK)
        st = prvcut_proof_cells_init(&f->cells, stretch, stretches, o->threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_comm_places_init(&r->places, &f->cells, o->threads, err);
    f->sum = prvcut_zeroed(stretches, ((size_t)o->applications + 1) * sizeof *f->sum,
                           "applications", err);
    f->sends = prvcut_zeroed((size_t)o->tasks + 1, sizeof *f->sends, "tasks", err);
    return f->sum && f->sends ? st : PRVCUT_ENOMEM;
}

static enum prvcut_status cmr_start(struct cmr_reader *r, struct prvcut_comm_found *f,
                                    struct prvcut_trace *t,
                                    const struct prvcut_proof_region *stretch, size_t stretches,
                                    struct prvcut_error *err)
{
    *r = (struct cmr_reader){ .out = f, .objects = &t->objects };
    *f = (struct prvcut_comm_found){
        .cell = PRVCUT_TABLE(struct prvcut_comm_cell, messages, "pairs of ranks"),
        .size = PRVCUT_TABLE(struct prvcut_comm_size, messages, "sizes of messages"),
        .call = PRVCUT_TABLE(struct prvcut_comm_call, calls, "collective calls"),
    };
    return cmr_init(r, t, stretch, stretches, err);
}

/* between: without sorting; PRVCUT_NONE: it is to be done with. All is added up: in which order
   threads tell it is all the same. */
static enum prvcut_status cmr_read(struct prvcut_comm_found *f, struct prvcut_trace *t,
                                   const struct prvcut_run *run,
                                   const struct prvcut_proof_region *stretch, size_t stretches,
                                   bool between, struct prvcut_error *err)
{
    struct cmr_reader r;
    const struct prvcut_stream_sink sink = { .ctx = &r,
                                             .message = cmr_message,
                                             .collective = cmr_collective };
    const struct prvcut_stream_plan plan = {
        .trace = t, .run = run, .by_thread = true, .between = between
    };
    enum prvcut_status st = cmr_start(&r, f, t, stretch, stretches, err);

    if (st == PRVCUT_OK)
        st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, false, &sink, err);
    f->end_ns = t->end_ns;
    prvcut_comm_places_fini(&r.places);
    return st;
}

enum prvcut_status prvcut_comm_read(struct prvcut_comm_found *f, struct prvcut_trace *t,
                                    const struct prvcut_run *run,
                                    const struct prvcut_proof_region *stretch, size_t stretches,
                                    struct prvcut_error *err)
{
    const enum prvcut_status st = cmr_read(f, t, run, stretch, stretches, true, err);

    if (st != PRVCUT_NONE)
        return st;
    prvcut_comm_found_fini(f);
    return cmr_read(f, t, run, stretch, stretches, false, err);
}

/* --- What others are told, too ---------------------------------------------------------------- */

struct prvcut_comm_hearing {
    struct cmr_reader reader;
    const struct prvcut_trace *trace;
    struct prvcut_stream_sink sink;
    bool too_much;
};

/* What is too much is no matter of the others. */
static enum prvcut_status cmr_heard(struct prvcut_comm_hearing *h, enum prvcut_status st,
                                    struct prvcut_error *err)
{
    if (st != PRVCUT_ELIMIT)
        return st;
    h->too_much = true;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_OK;
}

static enum prvcut_status cmr_hear_message(void *ctx, const struct prvcut_stream_message *m,
                                           bool begins, struct prvcut_error *err)
{
    struct prvcut_comm_hearing *h = ctx;

    return h->too_much ? PRVCUT_OK : cmr_heard(h, cmr_message(&h->reader, m, begins, err), err);
}

static enum prvcut_status cmr_hear_collective(void *ctx, const struct prvcut_stream_collective *c,
                                              bool begins, struct prvcut_error *err)
{
    struct prvcut_comm_hearing *h = ctx;

    return h->too_much ? PRVCUT_OK : cmr_heard(h, cmr_collective(&h->reader, c, begins, err), err);
}

enum prvcut_status prvcut_comm_hear(struct prvcut_comm_hearing **out, struct prvcut_comm_found *f,
                                    struct prvcut_trace *t,
                                    const struct prvcut_proof_region *stretch, size_t stretches,
                                    struct prvcut_error *err)
{
    struct prvcut_comm_hearing *h = *out = prvcut_zeroed(1, sizeof *h, "messages", err);

    if (!h)
        return PRVCUT_ENOMEM;
    h->trace = t;
    h->sink = (struct prvcut_stream_sink){ .ctx = h,
                                           .message = cmr_hear_message,
                                           .collective = cmr_hear_collective };
    return cmr_start(&h->reader, f, t, stretch, stretches, err);
}

void prvcut_comm_hearing_free(struct prvcut_comm_hearing *h)
{
    if (h)
        prvcut_comm_places_fini(&h->reader.places);
    free(h);
}

const struct prvcut_stream_sink *prvcut_comm_hearing_sink(const struct prvcut_comm_hearing *h)
{
    return &h->sink;
}

bool prvcut_comm_heard(struct prvcut_comm_hearing *h)
{
    h->reader.out->end_ns = h->trace->end_ns;
    return !h->too_much;
}

void prvcut_comm_found_fini(struct prvcut_comm_found *f)
{
    prvcut_proof_cells_fini(&f->cells);
    prvcut_dictionary_fini(&f->names);
    prvcut_table_fini(&f->cell);
    prvcut_table_fini(&f->size);
    prvcut_table_fini(&f->call);
    free(f->sum);
    free(f->sends);
}
