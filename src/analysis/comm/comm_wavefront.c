#include "analysis/comm/comm.h"

#include "analysis/comm/wavefront.h"
#include "base/memory.h"
#include "stream/stream.h"

#include <stdlib.h>

/* More ranks, of all matrices, are not looked at: 1 GiB. */
#define RANKS_MOST ((uint64_t)1 << 21)

struct cmw_reader {
    const struct prvcut_objects *objects;
    struct prvcut_comm_places places;
    struct prvcut_wavefront **wave; /* [matrices]; NULL: not asked of that one */
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
static void cmw_end(struct cmw_reader *r, const struct prvcut_stream_message *m, bool send)
{
    const struct prvcut_objects *o = r->objects;
    const uint32_t from = o->thread_task[m->sender], to = o->thread_task[m->receiver];
    const uint32_t application = prvcut_objects_application(o, from);
    const uint32_t first = o->application_first_task[application];
    const uint64_t time = send ? m->sent : m->completed;
    uint32_t slots;
    const uint32_t *slot;

    if (application != prvcut_objects_application(o, to))
        return;
    slot = prvcut_comm_places_find(&r->places, send ? m->sender : m->receiver, time, &slots);
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
        cmw_end(ctx, m, begins);
    return PRVCUT_OK;
}

static enum prvcut_status cmw_read(struct cmw_reader *r, struct made_comm *c,
                                   struct prvcut_trace *t, const struct prvcut_run *run,
                                   struct prvcut_error *err)
{
    const struct prvcut_stream_sink sink = { .ctx = r, .message = cmw_message };
    const struct prvcut_stream_plan plan = { .trace = t, .run = run };
    const enum prvcut_status st = prvcut_stream_tell(&plan, PRVCUT_ROLES_MPI, true, &sink, err);

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
