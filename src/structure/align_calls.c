#include "structure/align_calls.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One pair of an MPI event as it comes; lines are put together when all are there. */
struct mark {
    uint64_t time;
    uint32_t call; /* hash; 0: a call ends */
    uint32_t communicator;
    bool collective, has_communicator;
};

struct marks {
    struct mark *at;
    size_t count, room;
};

struct reading {
    struct align_piece *piece;
    struct marks *marks; /* [threads] */
    size_t bytes, most;
    pthread_mutex_t lock;
};

static uint32_t hash(uint32_t type, int64_t value)
{
    uint64_t x = ((uint64_t)type + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)value;

    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(x >> 32) | 1u;
}

static bool inside(const struct prvcut_span *s, uint64_t time)
{
    return time >= s->start && time < s->end;
}

static enum prvcut_status add_mark(struct reading *r, const struct prvcut_event *e,
                                   struct prvcut_error *err)
{
    struct marks *m = &r->marks[e->thread];
    struct mark *last = m->count > 0 ? &m->at[m->count - 1] : NULL;

    /* The communicator stands behind the call on its line. */
    if (e->role == PRVCUT_ROLE_COMMUNICATOR) {
        if (last && last->time == e->time && last->call != 0) {
            last->communicator = (uint32_t)e->value;
            last->has_communicator = true;
        }
        return PRVCUT_OK;
    }
    if (!(PRVCUT_ROLES_MPI >> e->role & 1))
        return PRVCUT_OK;
    if (m->count == m->room &&
        prvcut_grow((void **)&m->at, &m->room, m->count + 1, sizeof *m->at, err) < 0)
        return PRVCUT_ENOMEM;
    m->at[m->count] = (struct mark){ .time = e->time,
                                     .call = e->value != 0 ? hash(e->type, e->value) : 0,
                                     .collective = e->role == PRVCUT_ROLE_COLLECTIVE };
    m->count++;
    r->bytes += sizeof *m->at;
    return PRVCUT_OK;
}

static enum prvcut_status add_half(struct reading *r, const struct prvcut_half *h,
                                   struct prvcut_error *err)
{
    struct align_piece *p = r->piece;

    if (h->peer == PRVCUT_NOBODY)
        return PRVCUT_OK;
    if (p->halves == p->half_room &&
        prvcut_grow((void **)&p->half, &p->half_room, p->halves + 1, sizeof *p->half, err) < 0)
        return PRVCUT_ENOMEM;
    p->half[p->halves++] = (struct align_half){ .time = h->time,
                                                .tag = h->tag,
                                                .thread = h->thread,
                                                .peer = h->peer,
                                                .size = hash(h->receive, (int64_t)h->size),
                                                .receive = h->receive };
    r->bytes += 2 * sizeof *p->half;
    return PRVCUT_OK;
}

static enum prvcut_status add_message(struct reading *r, const struct prvcut_message *m,
                                      struct prvcut_error *err)
{
    struct align_piece *p = r->piece;

    if (p->messages == p->message_room && prvcut_grow((void **)&p->message, &p->message_room,
                                                      p->messages + 1, sizeof *p->message, err) < 0)
        return PRVCUT_ENOMEM;
    p->message[p->messages++] = *m;
    r->bytes += 2 * sizeof *p->message;
    return PRVCUT_OK;
}

static enum prvcut_status add_batch(struct reading *r, const struct prvcut_batch *b,
                                    struct prvcut_error *err)
{
    const struct prvcut_span *s = &r->piece->span;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++)
        if (inside(s, b->event[i].time))
            st = add_mark(r, &b->event[i], err);
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++)
        if (inside(s, b->half[i].time))
            st = add_half(r, &b->half[i], err);
    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++)
        if (inside(s, b->message[i].logical_send) || inside(s, b->message[i].physical_receive))
            st = add_message(r, &b->message[i], err);
    return st;
}

/* Workers share the lists: the piece is small, and lists of calls are sorted at the end. */
static enum prvcut_status on_batch(void *ctx, unsigned worker, void *state,
                                   const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct reading *r = ctx;
    enum prvcut_status st = PRVCUT_OK;

    (void)worker;
    (void)state;
    pthread_mutex_lock(&r->lock);
    r->piece->too_much |= r->bytes > r->most;
    if (!r->piece->too_much)
        st = add_batch(r, batch, err);
    pthread_mutex_unlock(&r->lock);
    return st;
}

/* What comes at one time may have come from several workers: ends first, then by what it is. */
static int by_time(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* Begins at one time are one call: Extrae writes some on several lines. */
static void put_begin(struct align_thread *t, const struct mark *m)
{
    struct align_call *c = t->count > 0 ? &t->call[t->count - 1] : NULL;

    if (!c || c->time != m->time) {
        c = &t->call[t->count++];
        *c = (struct align_call){ .time = m->time, .end = m->time };
    }
    c->call += m->call;
    if (m->collective && m->has_communicator) {
        c->collective = true;
        c->communicator = m->communicator;
    }
}

static enum prvcut_status put_together(struct align_thread *t, struct marks *m,
                                       struct prvcut_error *err)
{
    size_t begins = 0;
    bool sorted = true;

    for (size_t i = 0; i < m->count; i++) {
        begins += m->at[i].call != 0;
        sorted &= i == 0 || m->at[i - 1].time <= m->at[i].time;
    }
    if (!sorted)
        qsort(m->at, m->count, sizeof *m->at, by_time);
    if (begins == 0)
        return PRVCUT_OK;
    t->call = prvcut_unset(begins, sizeof *t->call, "calls", err);
    if (!t->call)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < m->count; i++)
        if (m->at[i].call != 0)
            put_begin(t, &m->at[i]);
        else if (t->count > 0 && t->call[t->count - 1].end == t->call[t->count - 1].time)
            t->call[t->count - 1].end = m->at[i].time;
    return PRVCUT_OK;
}

/* Hashes of the messages of one call are added: they come in any order. */
static void add_end(struct align_piece *p, uint32_t thread, uint64_t time, uint32_t size,
                    uint32_t peer)
{
    const uint32_t n = prvcut_align_calls_until(&p->thread[thread], time, true);

    if (n == 0)
        return;
    p->thread[thread].call[n - 1].size += size;
    p->thread[thread].call[n - 1].peer += peer;
}

static void add_ends(struct align_piece *p)
{
    for (size_t i = 0; i < p->halves; i++) {
        const struct align_half *h = &p->half[i];

        add_end(p, h->thread, h->time, h->size, hash(h->peer, h->tag));
    }
    for (size_t i = 0; i < p->messages; i++) {
        const struct prvcut_message *m = &p->message[i];

        add_end(p, m->sender, m->logical_send, hash(0, (int64_t)m->size),
                hash(m->receiver, m->tag));
        add_end(p, m->receiver, m->logical_receive, hash(1, (int64_t)m->size),
                hash(m->sender, m->tag));
    }
}

static enum prvcut_status finish(struct reading *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < r->piece->threads && st == PRVCUT_OK; i++) {
        st = put_together(&r->piece->thread[i], &r->marks[i], err);
        free(r->marks[i].at);
        r->marks[i] = (struct marks){ 0 };
    }
    if (st == PRVCUT_OK)
        add_ends(r->piece);
    return st;
}

static void tell_applications(struct align_piece *p, const struct prvcut_objects *o)
{
    uint32_t application = 0;

    for (uint32_t i = 0; i < p->threads; i++) {
        while (application + 1 < o->applications &&
               o->application_first_task[application + 1] <= o->thread_task[i])
            application++;
        p->application[i] = application;
    }
}

enum prvcut_status prvcut_align_piece_read(struct align_piece *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run, struct prvcut_span span,
                                           size_t most, struct prvcut_error *err)
{
    struct reading r = { .piece = out, .most = most };
    const struct prvcut_consumer k = { .ctx = &r,
                                       .roles = PRVCUT_ROLES_MPI |
                                                PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR),
                                       .messages = true,
                                       .batch = on_batch };
    enum prvcut_status st;

    *out = (struct align_piece){ .span = span, .threads = t->objects.threads };
    out->thread = calloc((size_t)out->threads + 1, sizeof *out->thread);
    out->application = calloc((size_t)out->threads + 1, sizeof *out->application);
    r.marks = calloc((size_t)out->threads + 1, sizeof *r.marks);
    if (!out->thread || !out->application || !r.marks) {
        free(r.marks);
        return prvcut_no_memory(err, "threads");
    }
    tell_applications(out, &t->objects);
    pthread_mutex_init(&r.lock, NULL);
    st = t->reader->scan_window(t, run, span.start, span.end, &k, err);
    if (st == PRVCUT_OK && !out->too_much)
        st = finish(&r, err);
    pthread_mutex_destroy(&r.lock);
    for (uint32_t i = 0; i < out->threads; i++)
        free(r.marks[i].at);
    free(r.marks);
    return st;
}

void prvcut_align_piece_fini(struct align_piece *p)
{
    for (uint32_t i = 0; p->thread && i < p->threads; i++)
        free(p->thread[i].call);
    free(p->thread);
    free(p->application);
    free(p->half);
    free(p->message);
    memset(p, 0, sizeof *p);
}

uint32_t prvcut_align_calls_until(const struct align_thread *t, uint64_t time, bool with)
{
    if (with && time == UINT64_MAX)
        return (uint32_t)t->count;
    return (uint32_t)prvcut_lower_u64(t->call, t->count, sizeof *t->call,
                                      offsetof(struct align_call, time), time + with);
}
