#include "analysis/comm/comm.h"

#include "analysis/comm/wavefront.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "match/crossing.h"
#include "model/pending.h"
#include "pass/pass.h"
#include "stream/stream.h"

#include <stdlib.h>

/* More ranks, of all matrices, are not looked at: 1 GiB. */
#define RANKS_MOST ((uint64_t)1 << 21)

/* Ends that are under way at once: of more, all are sorted. */
#define UNDER_WAY_MOST ((size_t)1 << 19)
/* Parts after which ends of messages are told: Extrae writes a message where the last of its calls
   has ended (as of src/stream/told_live.h). */
#define AHEAD 8

struct cmw_reader {
    const struct prvcut_objects *objects;
    struct prvcut_comm_places places;
    struct prvcut_wavefront **wave; /* [matrices]; NULL: not asked of that one */
    /* As they are read: */
    struct prvcut_pending pending; /* ends of messages, by time */
    uint64_t told;                 /* ns; all ends before it are told */
    uint64_t latest;               /* ns, of all sends so far */
    uint64_t was[AHEAD];           /* the same of the parts before */
    uint64_t parts, messages;
    bool given_up;
};

/* Why it is not asked of a matrix; NULL: it is. */
static const char *cmw_why_not(const struct prvcut_comm_matrix *m)
{
    const enum prvcut_topology t = m->p2p.topology;

    if (m->messages == m->self)
        return "no messages between ranks are recorded";
    if (t != PRVCUT_TOPOLOGY_CHAIN && t != PRVCUT_TOPOLOGY_MESH2D && t != PRVCUT_TOPOLOGY_MESH3D &&
        m->ranks > 2)
        return "work runs across a chain or a mesh, and the ranks are none";
    if (m->ranks <= 2)
        return "it takes three ranks";
    return m->timed == 0 ? "the trace does not tell when messages are complete" : NULL;
}

/* Of the application, where a time of the thread lies in several stretches in all of these. */
static void cmw_end(struct cmw_reader *r, uint32_t sender, uint32_t receiver, uint64_t time,
                    bool send)
{
    const struct prvcut_objects *o = r->objects;
    const uint32_t from = o->thread_task[sender], to = o->thread_task[receiver];
    const uint32_t application = prvcut_objects_application(o, from);
    const uint32_t first = o->application_first_task[application];
    uint32_t slots;
    const uint32_t *slot;

    if (application != prvcut_objects_application(o, to))
        return;
    slot = prvcut_comm_places_find(&r->places, send ? sender : receiver, time, &slots);
    for (uint32_t i = 0; i < slots; i++) {
        struct prvcut_wavefront *w = r->wave[(size_t)slot[i] * o->applications + application];

        if (w && send)
            prvcut_wavefront_send(w, from - first, to - first, time);
        else if (w)
            prvcut_wavefront_receive(w, from - first, to - first, time);
    }
}

static enum prvcut_status cmw_message(void *ctx, const struct prvcut_stream_message *m, bool begins,
                                      struct prvcut_error *err)
{
    (void)err;
    if (m->sender != PRVCUT_NOBODY && m->receiver != PRVCUT_NOBODY &&
        (begins ? m->sent : m->completed) != PRVCUT_NEVER)
        cmw_end(ctx, m->sender, m->receiver, begins ? m->sent : m->completed, begins);
    return PRVCUT_OK;
}

/* --- As they are read ------------------------------------------------------------------------- */

/* Of a whole message. */
struct cmw_whole {
    uint64_t sent, completed; /* ns */
    uint32_t sender, receiver;
};

struct cmw_part {
    struct cmw_whole *at; /* [count]; owned */
    size_t count, room;
};

static enum prvcut_status cmw_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    static const struct prvcut_span all = { 0, UINT64_MAX };
    struct cmw_part *p = part;

    (void)ctx, (void)worker;
    if (prvcut_grow((void **)&p->at, &p->room, p->count + b->messages, sizeof *p->at, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < b->messages; i++) {
        const struct prvcut_message *m = &b->message[i];

        if (m->sender != PRVCUT_NOBODY && m->receiver != PRVCUT_NOBODY &&
            prvcut_message_inside(m, all, all))
            p->at[p->count++] = (struct cmw_whole){ m->logical_send, prvcut_message_complete(m),
                                                    m->sender, m->receiver };
    }
    return PRVCUT_OK;
}

/* Tell all ends before a time. */
static void cmw_tell(struct cmw_reader *r, uint64_t until)
{
    const struct prvcut_pending_end *first;

    while ((first = prvcut_pending_first(&r->pending)) && first->time < until) {
        const struct prvcut_pending_end e = prvcut_pending_take(&r->pending);

        cmw_end(r, e.thread, e.kind >> 1, e.detail, e.kind & 1);
    }
    r->told = until;
}

/* An end, at a time of a thread, in whose order those of one time are told. */
static enum prvcut_status cmw_await(struct cmw_reader *r, const struct cmw_whole *m, bool send,
                                    uint64_t time, uint32_t thread, struct prvcut_error *err)
{
    const uint64_t number = (uint64_t)thread << 40 | (r->messages & ((UINT64_C(1) << 40) - 1));

    return prvcut_pending_add(&r->pending,
                              &(struct prvcut_pending_end){ .time = time,
                                                            .number = number,
                                                            .detail = send ? m->sent : m->completed,
                                                            .thread = m->sender,
                                                            .kind = m->receiver << 1 | send },
                              err);
}

/* No message is complete before it is sent, whatever the clocks say. */
static enum prvcut_status cmw_take(struct cmw_reader *r, const struct cmw_whole *m,
                                   struct prvcut_error *err)
{
    const bool early =
        m->completed < m->sent || (m->completed == m->sent && m->receiver < m->sender);
    enum prvcut_status st;

    if (m->sent < r->told || r->pending.count >= UNDER_WAY_MOST) {
        r->given_up = true;
        return prvcut_fail(err, PRVCUT_ELIMIT, "messages are not in the order of time");
    }
    r->latest = m->sent > r->latest ? m->sent : r->latest;
    r->messages++;
    st = cmw_await(r, m, true, m->sent, m->sender, err);
    if (st == PRVCUT_OK && m->completed != PRVCUT_NEVER)
        st = cmw_await(r, m, false, early ? m->sent : m->completed, early ? m->sender : m->receiver,
                       err);
    return st;
}

static enum prvcut_status cmw_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct cmw_reader *r = ctx;
    const struct cmw_part *p = part;
    uint64_t *was = &r->was[r->parts++ % AHEAD];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->count && st == PRVCUT_OK; i++)
        st = cmw_take(r, &p->at[i], err);
    if (*was > r->told)
        cmw_tell(r, *was);
    *was = r->latest;
    return st;
}

static void cmw_clear(void *part)
{
    ((struct cmw_part *)part)->count = 0;
}

static void cmw_part_fini(void *part)
{
    free(((struct cmw_part *)part)->at);
}

/* PRVCUT_NONE: they do not come in that order; what was told is to be forgotten. */
static enum prvcut_status cmw_read_once(struct cmw_reader *r, struct prvcut_trace *t,
                                        const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_listener messages = {
        .messages = true,
        .ctx = r,
        .part = { sizeof(struct cmw_part), "a part", NULL, cmw_part_fini },
        .batch = cmw_batch,
        .join = cmw_join,
        .clear = cmw_clear,
    };
    enum prvcut_status st;

    if (t->reader->halves || t->reader->by_thread)
        return PRVCUT_NONE;
    st = prvcut_pass_run(t, run, NULL, (const struct prvcut_listener *[]){ &messages }, 1, NULL,
                         err);
    if (st == PRVCUT_OK)
        cmw_tell(r, UINT64_MAX);
    prvcut_pending_fini(&r->pending);
    if (!r->given_up)
        return st;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_NONE;
}

/* --- All of it -------------------------------------------------------------------------------- */

static enum prvcut_status cmw_start_again(struct cmw_reader *r, const struct made_comm *c,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < c->is.matrices && st == PRVCUT_OK; i++) {
        if (!r->wave[i])
            continue;
        prvcut_wavefront_free(r->wave[i]);
        st = prvcut_wavefront_new(&r->wave[i], &c->matrix[i].is.p2p, err);
    }
    return st;
}

static enum prvcut_status cmw_read_sorted(struct cmw_reader *r, const struct made_comm *c,
                                          struct prvcut_trace *t, const struct prvcut_run *run,
                                          struct prvcut_error *err)
{
    const struct prvcut_stream_sink sink = { .ctx = r, .message = cmw_message };
    const struct prvcut_stream_plan plan = { .trace = t, .run = run };
    const enum prvcut_status st = r->given_up ? cmw_start_again(r, c, err) : PRVCUT_OK;

    return st == PRVCUT_OK ? prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, true, &sink, err) : st;
}

static enum prvcut_status cmw_read(struct cmw_reader *r, struct made_comm *c,
                                   struct prvcut_trace *t, const struct prvcut_run *run,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = cmw_read_once(r, t, run, err);

    if (st == PRVCUT_NONE)
        st = cmw_read_sorted(r, c, t, run, err);
    for (size_t i = 0; i < c->is.matrices && st == PRVCUT_OK; i++)
        if (r->wave[i])
            c->matrix[i].is.wavefront =
                prvcut_wavefront_is(r->wave[i]) ? PRVCUT_COMM_HOLDS_TRUE : PRVCUT_COMM_HOLDS_FALSE;
    return st;
}

/* Of which matrices it is asked. */
static enum prvcut_status cmw_ask(struct cmw_reader *r, struct made_comm *c,
                                  const struct prvcut_trace *t, uint64_t *ranks,
                                  struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < c->is.matrices && st == PRVCUT_OK; i++) {
        struct prvcut_comm_matrix *m = &c->matrix[i].is;

        m->no_wavefront = cmw_why_not(m);
        if (!m->no_wavefront && t->once)
            m->no_wavefront = "it takes a second reading, and standard input is read once";
        if (!m->no_wavefront && *ranks + m->ranks > RANKS_MOST)
            m->no_wavefront = "there are too many ranks";
        if (m->no_wavefront)
            continue;
        *ranks += m->ranks;
        st = prvcut_wavefront_new(&r->wave[i], &m->p2p, err);
    }
    return st;
}

enum prvcut_status prvcut_comm_wavefronts(struct made_comm *c, const struct prvcut_comm_found *f,
                                          struct prvcut_trace *t, const struct prvcut_run *run,
                                          struct prvcut_error *err)
{
    struct cmw_reader r = { .objects = &t->objects };
    uint64_t ranks = 0;
    enum prvcut_status st;

    r.wave = prvcut_zeroed(c->is.matrices + 1, sizeof *r.wave, "matrices", err);
    if (!r.wave)
        return PRVCUT_ENOMEM;
    st = cmw_ask(&r, c, t, &ranks, err);
    if (st == PRVCUT_OK && ranks > 0)
        st = prvcut_comm_places_init(&r.places, &f->cells, t->objects.threads, err);
    if (st == PRVCUT_OK && ranks > 0)
        st = cmw_read(&r, c, t, run, err);
    for (size_t i = 0; i < c->is.matrices; i++)
        prvcut_wavefront_free(r.wave[i]);
    prvcut_comm_places_fini(&r.places);
    free(r.wave);
    return st;
}
