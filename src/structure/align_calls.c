#include "structure/align_calls.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "pass/pass.h"

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
    struct marks *marks;      /* [threads], of a mixed piece */
    struct prvcut_span span;  /* what is read */
    struct prvcut_span known; /* what the piece holds already; empty: nothing */
    size_t bytes, most;
    bool too_much; /* this and bytes: of all workers */
    bool disorder; /* the piece is mixed, but that was not known */
};

/* What a part holds of the piece, until it is joined. */
struct held {
    struct prvcut_event *event;
    struct prvcut_half *half;
    struct prvcut_message *message;
    size_t events, event_room, halves, half_room, messages, message_room;
};

static uint32_t calls_hash(uint32_t type, int64_t value)
{
    uint64_t x = ((uint64_t)type + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)value;

    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(x >> 32) | 1u;
}

static bool calls_inside(const struct prvcut_span *s, uint64_t time)
{
    return time >= s->start && time < s->end;
}

static enum prvcut_status calls_put(void **at, size_t *count, size_t *room, const void *item,
                                    size_t size, struct prvcut_error *err)
{
    if (*count == *room && prvcut_grow(at, room, *count + 1, size, err) < 0)
        return PRVCUT_ENOMEM;
    memcpy((char *)*at + *count * size, item, size);
    ++*count;
    return PRVCUT_OK;
}

/* --- By workers ------------------------------------------------------------------------------- */

static enum prvcut_status calls_hold_event(struct held *h, const struct prvcut_event *e,
                                           size_t *bytes, struct prvcut_error *err)
{
    *bytes += e->role == PRVCUT_ROLE_COMMUNICATOR ? 0 : sizeof(struct mark);
    return calls_put((void **)&h->event, &h->events, &h->event_room, e, sizeof *e, err);
}

static enum prvcut_status calls_hold_half(struct held *h, const struct prvcut_half *half,
                                          size_t *bytes, struct prvcut_error *err)
{
    *bytes += 2 * sizeof(struct align_half);
    return calls_put((void **)&h->half, &h->halves, &h->half_room, half, sizeof *half, err);
}

static enum prvcut_status calls_hold_message(struct held *h, const struct prvcut_message *m,
                                             size_t *bytes, struct prvcut_error *err)
{
    *bytes += 2 * sizeof *m;
    return calls_put((void **)&h->message, &h->messages, &h->message_room, m, sizeof *m, err);
}

static bool calls_wants(const struct prvcut_event *e)
{
    return e->role == PRVCUT_ROLE_COMMUNICATOR || (PRVCUT_ROLES_MPI >> e->role & 1) != 0;
}

/* Is any of a message in a span? */
static bool calls_reaches(const struct prvcut_span *s, const struct prvcut_message *m)
{
    return calls_inside(s, m->logical_send) || calls_inside(s, m->physical_receive);
}

static enum prvcut_status calls_hold_batch(const struct reading *r, struct held *h,
                                           const struct prvcut_batch *b, size_t *bytes,
                                           struct prvcut_error *err)
{
    const struct prvcut_span *s = &r->span;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++)
        if (calls_inside(s, b->event[i].time) && calls_wants(&b->event[i]))
            st = calls_hold_event(h, &b->event[i], bytes, err);
    for (size_t i = 0; i < b->halves && st == PRVCUT_OK; i++)
        if (calls_inside(s, b->half[i].time) && b->half[i].peer != PRVCUT_NOBODY)
            st = calls_hold_half(h, &b->half[i], bytes, err);
    for (size_t i = 0; i < b->messages && st == PRVCUT_OK; i++)
        if (calls_reaches(s, &b->message[i]) && !calls_reaches(&r->known, &b->message[i]))
            st = calls_hold_message(h, &b->message[i], bytes, err);
    return st;
}

static bool calls_is_too_much(const struct reading *r)
{
    return __atomic_load_n(&r->bytes, __ATOMIC_RELAXED) > r->most;
}

static enum prvcut_status calls_batch(void *ctx, void *worker, void *part,
                                      const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct reading *r = ctx;
    size_t bytes = 0;
    enum prvcut_status st;

    (void)worker;
    if (calls_is_too_much(r)) {
        __atomic_store_n(&r->too_much, true, __ATOMIC_RELAXED);
        return PRVCUT_OK;
    }
    st = calls_hold_batch(r, part, batch, &bytes, err);
    __atomic_add_fetch(&r->bytes, bytes, __ATOMIC_RELAXED);
    return st;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Begins at one time are one call: Extrae writes some on several lines. */
static enum prvcut_status calls_put_begin(struct align_thread *t, uint64_t time, uint32_t call,
                                          struct prvcut_error *err)
{
    struct align_call *c = t->count > 0 ? &t->call[t->count - 1] : NULL;
    const struct align_call new = { .time = time, .end = time, .call = call };

    if (!c || c->time != time)
        return calls_put((void **)&t->call, &t->count, &t->room, &new, sizeof new, err);
    c->call += call;
    return PRVCUT_OK;
}

static void calls_put_end(struct align_thread *t, uint64_t time)
{
    struct align_call *c = t->count > 0 ? &t->call[t->count - 1] : NULL;

    if (c && c->end == c->time)
        c->end = time;
}

static void calls_put_communicator(struct align_thread *t, uint32_t communicator)
{
    struct align_call *c = &t->call[t->count - 1];

    c->collective = true;
    c->communicator = communicator;
}

/* --- In the order of the input ---------------------------------------------------------------- */

static uint32_t calls_of_event(const struct prvcut_event *e)
{
    return e->value != 0 ? calls_hash(e->type, e->value) : 0;
}

static enum prvcut_status calls_add_mark(struct reading *r, const struct prvcut_event *e,
                                         struct prvcut_error *err)
{
    struct marks *m = &r->marks[e->thread];
    struct mark *last = m->count > 0 ? &m->at[m->count - 1] : NULL;
    const struct mark mark = { .time = e->time,
                               .call = calls_of_event(e),
                               .collective = e->role == PRVCUT_ROLE_COLLECTIVE };

    if (e->role != PRVCUT_ROLE_COMMUNICATOR)
        return calls_put((void **)&m->at, &m->count, &m->room, &mark, sizeof mark, err);
    /* The communicator stands behind the call on its line. */
    if (last && last->time == e->time && last->call != 0) {
        last->communicator = (uint32_t)e->value;
        last->has_communicator = true;
    }
    return PRVCUT_OK;
}

/* Where a thread's records are in the order of time, they are calls as they come. */
static enum prvcut_status calls_add_event(struct reading *r, const struct prvcut_event *e,
                                          struct prvcut_error *err)
{
    struct align_thread *t = &r->piece->thread[e->thread];
    const uint32_t call = calls_of_event(e);

    if (r->piece->mixed)
        return calls_add_mark(r, e, err);
    if (e->role == PRVCUT_ROLE_COMMUNICATOR) {
        if (t->begun && t->collective && t->latest == e->time)
            calls_put_communicator(t, (uint32_t)e->value);
        return PRVCUT_OK;
    }
    r->disorder |= e->time < t->latest;
    t->latest = e->time;
    t->begun = call != 0;
    t->collective = e->role == PRVCUT_ROLE_COLLECTIVE;
    if (t->begun)
        return calls_put_begin(t, e->time, call, err);
    calls_put_end(t, e->time);
    return PRVCUT_OK;
}

static enum prvcut_status calls_add_half(struct align_piece *p, const struct prvcut_half *h,
                                         struct prvcut_error *err)
{
    const struct align_half half = { .time = h->time,
                                     .tag = h->tag,
                                     .thread = h->thread,
                                     .peer = h->peer,
                                     .size = calls_hash(h->receive, (int64_t)h->size),
                                     .receive = h->receive };

    return calls_put((void **)&p->half, &p->halves, &p->half_room, &half, sizeof half, err);
}

static enum prvcut_status calls_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct reading *r = ctx;
    struct align_piece *p = r->piece;
    const struct held *h = part;
    enum prvcut_status st = PRVCUT_OK;

    if (__atomic_load_n(&r->too_much, __ATOMIC_RELAXED) || r->disorder)
        return PRVCUT_OK;
    for (size_t i = 0; i < h->events && st == PRVCUT_OK; i++)
        st = calls_add_event(r, &h->event[i], err);
    for (size_t i = 0; i < h->halves && st == PRVCUT_OK; i++)
        st = calls_add_half(p, &h->half[i], err);
    for (size_t i = 0; i < h->messages && st == PRVCUT_OK; i++)
        st = calls_put((void **)&p->message, &p->messages, &p->message_room, &h->message[i],
                       sizeof *p->message, err);
    return st;
}

static void calls_held_clear(void *part)
{
    struct held *h = part;

    h->events = h->halves = h->messages = 0;
}

static void calls_held_fini(void *part)
{
    struct held *h = part;

    free(h->event);
    free(h->half);
    free(h->message);
}

/* --- When all is there ------------------------------------------------------------------------ */

/* Ends first of what comes at one time, then by what it is. */
static int calls_by_time(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

/* Of a mixed piece. */
static enum prvcut_status calls_put_together(struct align_thread *t, struct marks *m,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    bool sorted = true;

    for (size_t i = 1; i < m->count; i++)
        sorted &= m->at[i - 1].time <= m->at[i].time;
    if (!sorted)
        qsort(m->at, m->count, sizeof *m->at, calls_by_time);
    for (size_t i = 0; i < m->count && st == PRVCUT_OK; i++) {
        const struct mark *at = &m->at[i];

        if (at->call == 0)
            calls_put_end(t, at->time);
        else
            st = calls_put_begin(t, at->time, at->call, err);
        if (at->call != 0 && st == PRVCUT_OK && at->collective && at->has_communicator)
            calls_put_communicator(t, at->communicator);
    }
    return st;
}

/* Hashes of the messages of one call are added: they come in any order. */
static void calls_add_end(struct align_piece *p, uint32_t thread, uint64_t time, uint32_t size,
                          uint32_t peer)
{
    const uint32_t n = prvcut_align_calls_near(&p->thread[thread], time);

    if (n == 0)
        return;
    p->thread[thread].call[n - 1].size += size;
    p->thread[thread].call[n - 1].peer += peer;
}

static void calls_add_ends(struct align_piece *p)
{
    for (size_t i = 0; i < p->halves; i++) {
        const struct align_half *h = &p->half[i];

        calls_add_end(p, h->thread, h->time, h->size, calls_hash(h->peer, h->tag));
    }
    for (size_t i = 0; i < p->messages; i++) {
        const struct prvcut_message *m = &p->message[i];

        calls_add_end(p, m->sender, m->logical_send, calls_hash(0, (int64_t)m->size),
                      calls_hash(m->receiver, m->tag));
        calls_add_end(p, m->receiver, m->logical_receive, calls_hash(1, (int64_t)m->size),
                      calls_hash(m->sender, m->tag));
    }
}

static enum prvcut_status calls_finish(struct reading *r, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; r->piece->mixed && i < r->piece->threads && st == PRVCUT_OK; i++) {
        st = calls_put_together(&r->piece->thread[i], &r->marks[i], err);
        free(r->marks[i].at);
        r->marks[i] = (struct marks){ 0 };
    }
    if (st == PRVCUT_OK)
        calls_add_ends(r->piece);
    return st;
}

static void calls_tell_applications(struct align_piece *p, const struct prvcut_objects *o)
{
    uint32_t application = 0;

    for (uint32_t i = 0; i < p->threads; i++) {
        while (application + 1 < o->applications &&
               o->application_first_task[application + 1] <= o->thread_task[i])
            application++;
        p->application[i] = application;
    }
}

/* --- A piece ---------------------------------------------------------------------------------- */

/* Calls from a time on; what messages told of them is told again. */
static void calls_keep_thread(struct align_thread *t, uint64_t from)
{
    const size_t before = prvcut_align_calls_until(t, from, false);

    t->count -= before;
    t->near = 0;
    if (t->count > 0)
        memmove(t->call, t->call + before, t->count * sizeof *t->call);
    for (size_t i = 0; i < t->count; i++)
        t->call[i].size = t->call[i].peer = 0;
}

static void calls_keep_ends(struct align_piece *p, const struct prvcut_span *span)
{
    size_t halves = 0, messages = 0;

    for (size_t i = 0; i < p->halves; i++)
        if (calls_inside(span, p->half[i].time))
            p->half[halves++] = p->half[i];
    for (size_t i = 0; i < p->messages; i++)
        if (calls_reaches(span, &p->message[i]))
            p->message[messages++] = p->message[i];
    p->halves = halves;
    p->messages = messages;
}

static void calls_forget(struct align_piece *p)
{
    for (uint32_t i = 0; i < p->threads; i++)
        p->thread[i] =
            (struct align_thread){ .call = p->thread[i].call, .room = p->thread[i].room };
    p->halves = p->messages = 0;
}

/* The piece becomes the one of another span, as far as it holds it; the rest is to be read. */
static void calls_keep(struct reading *r, const struct prvcut_span *span)
{
    struct align_piece *p = r->piece;
    const struct prvcut_span had = p->span;

    r->span = p->span = *span;
    if (p->too_much || p->mixed || span->start < had.start || span->start >= had.end ||
        span->end < had.end) {
        calls_forget(p);
        return;
    }
    r->span.start = had.end;
    r->known = had;
    calls_keep_ends(p, span);
    r->bytes = 2 * p->halves * sizeof *p->half + 2 * p->messages * sizeof *p->message;
    for (uint32_t i = 0; i < p->threads; i++) {
        calls_keep_thread(&p->thread[i], span->start);
        r->bytes += 2 * p->thread[i].count * sizeof(struct mark);
    }
}

static enum prvcut_status calls_make_room(struct align_piece *p, const struct prvcut_objects *o,
                                          struct prvcut_error *err)
{
    if (p->thread)
        return PRVCUT_OK;
    p->threads = o->threads;
    p->thread = prvcut_zeroed((size_t)p->threads + 1, sizeof *p->thread, "threads", err);
    p->application = prvcut_zeroed((size_t)p->threads + 1, sizeof *p->application, "threads", err);
    if (!p->thread || !p->application)
        return PRVCUT_ENOMEM;
    calls_tell_applications(p, o);
    return PRVCUT_OK;
}

static enum prvcut_status calls_read(struct reading *r, struct prvcut_trace *t,
                                     const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_listener listener = {
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLE_BIT(PRVCUT_ROLE_COMMUNICATOR),
        .messages = true,
        .ctx = r,
        .part = { sizeof(struct held), "calls", NULL, calls_held_fini },
        .batch = calls_batch,
        .join = calls_join,
        .clear = calls_held_clear,
    };
    const struct prvcut_listener *const all[] = { &listener };
    enum prvcut_status st = PRVCUT_OK;

    if (r->span.start < r->span.end)
        st = prvcut_pass_run(t, run, &r->span, all, 1, NULL, err);
    r->piece->too_much = r->too_much;
    return st == PRVCUT_OK && !r->too_much && !r->disorder ? calls_finish(r, err) : st;
}

enum prvcut_status prvcut_align_piece_read(struct align_piece *out, struct prvcut_trace *t,
                                           const struct prvcut_run *run, struct prvcut_span span,
                                           size_t most, struct prvcut_error *err)
{
    struct reading r = { .piece = out, .most = most };
    enum prvcut_status st = calls_make_room(out, &t->objects, err);

    r.marks = prvcut_zeroed((size_t)out->threads + 1, sizeof *r.marks, "threads", err);
    if (st < 0 || !r.marks) {
        free(r.marks);
        return PRVCUT_ENOMEM;
    }
    calls_keep(&r, &span);
    st = calls_read(&r, t, run, err);
    for (uint32_t i = 0; i < out->threads; i++)
        free(r.marks[i].at);
    free(r.marks);
    if (st < 0 || !r.disorder || r.too_much)
        return st;
    out->mixed = true;
    return prvcut_align_piece_read(out, t, run, span, most, err);
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

uint32_t prvcut_align_calls_near(struct align_thread *t, uint64_t time)
{
    size_t low = t->near < t->count ? t->near : t->count, high = low;

    if (time == UINT64_MAX)
        return (uint32_t)t->count;
    for (size_t step = 1; high < t->count && t->call[high].time <= time; step *= 2) {
        low = high + 1;
        high = t->count - high > step ? high + step : t->count;
    }
    for (size_t step = 1; low > 0 && t->call[low - 1].time > time; step *= 2) {
        high = low - 1;
        low = low > step ? low - step : 0;
    }
    t->near = low;
    if (low < high)
        t->near += prvcut_lower_u64(t->call + low, high - low, sizeof *t->call,
                                    offsetof(struct align_call, time), time + 1);
    return (uint32_t)t->near;
}
