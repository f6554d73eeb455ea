#include "analysis/waits/waits_causes.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Records that are read from a sorter at a time. */
#define AHEAD 256

/* Bytes of what is kept in memory of calls, of points, of whom they are with. */
#define CALLS  ((size_t)24 << 20)
#define POINTS ((size_t)16 << 20)
#define WITHS  ((size_t)4 << 20)

static int wca_note_compare(const void *a, const void *b);
static int wca_told_compare(const void *a, const void *b);

static enum prvcut_status wca_open(const struct wts_finder *f, struct wts_causes *c,
                                   struct prvcut_error *err)
{
    const struct {
        struct prvcut_paged **to;
        struct prvcut_paged_options o;
    } kept[] = {
        { &c->call, { .size = sizeof(struct wcs_call), .memory = CALLS, .what = "calls" } },
        { &c->point, { .size = sizeof(struct wcs_point), .memory = POINTS, .what = "points" } },
        { &c->with, { .size = sizeof(uint32_t), .memory = WITHS, .what = "points" } },
    };
    enum prvcut_status st =
        wts_sorter(f, &c->noted, sizeof(struct wcs_note), wca_note_compare, err);

    if (st == PRVCUT_OK)
        st = wts_sorter(f, &c->told, sizeof(struct wcs_told), wca_told_compare, err);
    for (size_t i = 0; i < sizeof kept / sizeof *kept && st == PRVCUT_OK; i++)
        st = prvcut_paged_new(kept[i].to, &kept[i].o, err);
    return st;
}

struct wts_causes *wts_causes_new(const struct wts_finder *f, struct prvcut_error *err)
{
    const uint32_t threads = f->out->threads;
    struct wts_causes *c = prvcut_zeroed(1, sizeof *c, "causes", err);

    if (!c)
        return NULL;
    c->threads = threads;
    c->sets = (struct prvcut_table)PRVCUT_TABLE(struct wcs_set, first, "sets of threads");
    c->thread = prvcut_zeroed((size_t)threads + 1, sizeof *c->thread, "threads", err);
    if (c->thread && wca_open(f, c, err) == PRVCUT_OK)
        return c;
    wts_causes_free(c);
    return NULL;
}

void wts_causes_free(struct wts_causes *c)
{
    if (!c)
        return;
    prvcut_table_fini(&c->sets);
    free(c->thread);
    prvcut_paged_free(c->call);
    prvcut_paged_free(c->point);
    prvcut_paged_free(c->with);
    prvcut_sorter_free(c->noted);
    prvcut_sorter_free(c->told);
    free(c->member);
    free(c->chosen);
    free(c);
}

/* --- What is told ----------------------------------------------------------------------------- */

static enum prvcut_status wca_note(struct wts_causes *c, struct wcs_note n,
                                   struct prvcut_error *err)
{
    if (c->notes >= UINT32_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "too many synchronisations to find their causes");
    n.order = (uint32_t)c->notes++;
    return prvcut_sorter_add(c->noted, 0, &n, 1, err);
}

enum prvcut_status wts_point(struct wts_finder *f, const struct wts_call *call,
                             const struct wts_call *with, uint64_t wait, struct prvcut_error *err)
{
    if (!f->causes)
        return PRVCUT_OK;
    return wca_note(
        f->causes,
        (struct wcs_note){ .by = f->between ? (uint32_t)(f->now - f->each) : 0,
                           .begin = call->begin,
                           .end = call->end,
                           .wait = wait,
                           .completion = call->end > with->end ? call->end - with->end : 0,
                           .thread = call->thread,
                           .with = with->thread },
        err);
}

static int wca_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* The set of these threads, the same one for the same threads. */
static enum prvcut_status wca_set(struct wts_causes *c, uint32_t *thread, size_t count,
                                  uint32_t *out, struct prvcut_error *err)
{
    struct wcs_set key = { .fewer = 0 }, *s = NULL;

    qsort(thread, count, sizeof *thread, wca_number);
    for (size_t i = 0; i < count; i++) {
        key.thread = thread[i];
        s = prvcut_table_make(&c->sets, &key, err);
        if (!s)
            return PRVCUT_ENOMEM;
        key.fewer = (uint64_t)(s - (const struct wcs_set *)c->sets.at) + 1;
    }
    *out = (uint32_t)key.fewer - 1;
    if (!s || s->count > 0)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&c->member, &c->member_room, c->members + count, sizeof *c->member,
                    err) < 0)
        return PRVCUT_ENOMEM;
    s->first = c->members;
    s->count = count;
    memcpy(c->member + c->members, thread, count * sizeof *thread);
    c->members += count;
    return PRVCUT_OK;
}

/* What one of them waits, and how long it stays after it could have left. */
static struct wcs_note wca_of_member(const struct wts_member *m, uint64_t until, uint64_t first_end)
{
    const uint64_t upto = until < m->end ? until : m->end;
    const uint64_t done = first_end > upto ? first_end : upto;

    return (struct wcs_note){ .begin = m->call.begin,
                              .end = m->call.end,
                              .wait = upto > m->begin ? upto - m->begin : 0,
                              .completion = m->end > done ? m->end - done : 0,
                              .thread = m->call.thread };
}

enum prvcut_status wts_points(struct wts_finder *f, const struct wts_together *t,
                              struct prvcut_error *err)
{
    struct wts_causes *c = f->causes;
    uint32_t set = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!c || t->count < 2)
        return PRVCUT_OK;
    st = prvcut_grow((void **)&c->chosen, &c->chosen_room, t->count, sizeof *c->chosen, err);
    for (size_t i = 0; i < t->count && st == PRVCUT_OK; i++)
        c->chosen[i] = t->member[i]->call.thread;
    if (st == PRVCUT_OK)
        st = wca_set(c, c->chosen, t->count, &set, err);
    for (size_t i = 0; i < t->count && st == PRVCUT_OK; i++) {
        struct wcs_note n = wca_of_member(t->member[i], t->until, t->first_end);

        n.wait = t->no_wait ? 0 : n.wait;
        n.together = true;
        n.many = !t->centre || t->member[i] == t->centre;
        n.with = n.many ? set : t->centre->call.thread;
        st = wca_note(c, n, err);
    }
    return st;
}

enum prvcut_status wts_causes_call(struct wts_finder *f, const struct wts_skeleton *s,
                                   struct prvcut_error *err)
{
    struct wts_causes *c = f->causes;
    struct wcs_call call = { .begin = s->begin, .end = s->end, .path = s->path };
    struct wcs_thread *t;

    if (!c)
        return PRVCUT_OK;
    t = &c->thread[s->thread];
    if (t->calls > 0) {
        const struct wcs_call last = wcs_call(c, s->thread, t->calls - 1);

        call.outside = last.outside + (s->begin > last.end ? s->begin - last.end : 0);
    } else {
        t->first = prvcut_paged_count(c->call);
        call.outside = s->begin - f->span[s->thread].start;
    }
    if (t->calls >= UINT32_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "a thread has too many calls to find their causes");
    t->calls++;
    return prvcut_paged_add(c->call, &call, err);
}

enum prvcut_wait prvcut_waits_of_delay(enum prvcut_delay kind)
{
    static const enum prvcut_wait of[PRVCUT_DELAYS] = {
        [PRVCUT_DELAY_LATE_SENDER] = PRVCUT_WAIT_LATE_SENDER,
        [PRVCUT_DELAY_LATE_RECEIVER] = PRVCUT_WAIT_LATE_RECEIVER,
        [PRVCUT_DELAY_BARRIER] = PRVCUT_WAIT_BARRIER,
        [PRVCUT_DELAY_N2N] = PRVCUT_WAIT_NXN,
        [PRVCUT_DELAY_12N] = PRVCUT_WAIT_LATE_BCAST,
        [PRVCUT_DELAY_N21] = PRVCUT_WAIT_EARLY_REDUCE,
    };

    return of[kind];
}

/* Which kind of delay a metric's waits are of; -1: none. */
static int wca_kind(uint32_t metric)
{
    for (int i = 0; i < PRVCUT_DELAYS; i++)
        if (prvcut_waits_of_delay((enum prvcut_delay)i) == metric)
            return i;
    return -1;
}

enum prvcut_status wts_causes_wait(struct wts_finder *f, const struct wts_booking *b,
                                   struct prvcut_error *err)
{
    struct wts_causes *c = f->causes;
    const int kind = wca_kind(b->metric);

    if (!c || kind < 0 || b->cause == PRVCUT_NOBODY)
        return PRVCUT_OK;
    c->waits++;
    return prvcut_sorter_add(c->told, 0,
                             &(struct wcs_told){ .cause_begin = b->cause_begin,
                                                 .cause_end = b->cause_end,
                                                 .ns = b->ns,
                                                 .call = (uint32_t)c->thread[b->thread].calls - 1,
                                                 .thread = b->thread,
                                                 .cause_thread = b->cause,
                                                 .kind = (uint32_t)kind },
                             1, err);
}

/* --- All is told ------------------------------------------------------------------------------ */

/* Where a time, or a call, is sought on a thread. */
struct wca_sought {
    const struct wts_causes *c;
    uint32_t thread;
    uint64_t key;
};

static bool wca_begins_by(const void *ctx, size_t i)
{
    const struct wca_sought *s = ctx;

    return wcs_call(s->c, s->thread, i).begin >= s->key;
}

static bool wca_is_at(const void *ctx, size_t i)
{
    const struct wca_sought *s = ctx;

    return wcs_point(s->c, s->thread, i).call >= s->key;
}

size_t wcs_find(const struct wts_causes *c, uint32_t thread, uint64_t begin, uint64_t end)
{
    const struct wca_sought s = { .c = c, .thread = thread, .key = begin };
    const size_t calls = c->thread[thread].calls;
    size_t i = prvcut_first(0, calls, wca_begins_by, &s);

    while (i + 1 < calls && wcs_call(c, thread, i).end != end &&
           wcs_call(c, thread, i + 1).begin == begin)
        i++;
    return i;
}

size_t wcs_point_at(const struct wts_causes *c, uint32_t thread, size_t call)
{
    const struct wca_sought s = { .c = c, .thread = thread, .key = call };

    return prvcut_first(0, c->thread[thread].points, wca_is_at, &s);
}

static int wca_note_compare(const void *a, const void *b)
{
    const struct wcs_note *x = a, *y = b;
    const uint64_t keys[5][2] = { { x->thread, y->thread },
                                  { x->begin, y->begin },
                                  { x->end, y->end },
                                  { x->by, y->by },
                                  { x->order, y->order } };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static bool wca_same_call(const struct wcs_note *a, const struct wcs_note *b)
{
    return a->thread == b->thread && a->begin == b->begin && a->end == b->end;
}

/* The latest causes first. */
static int wca_told_compare(const void *a, const void *b)
{
    const struct wcs_told *x = a, *y = b;
    const uint64_t keys[7][2] = { { y->cause_begin, x->cause_begin },
                                  { x->kind, y->kind },
                                  { x->cause_thread, y->cause_thread },
                                  { x->thread, y->thread },
                                  { x->call, y->call },
                                  { x->ns, y->ns },
                                  { x->cause_end, y->cause_end } };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* Notes of one call are one point; the first one stands, unless a later one waits and it did not.
 *point: of the call at hand */
static enum prvcut_status wca_take_note(struct wts_causes *c, const struct wcs_note *n,
                                        struct wcs_point *point, struct prvcut_error *err)
{
    const uint32_t with = n->with | (n->many ? WCS_MANY : 0);

    if (point->notes == 0)
        *point = (struct wcs_point){ .wait = n->wait,
                                     .completion = n->completion,
                                     .call = (uint32_t)wcs_find(c, n->thread, n->begin, n->end),
                                     .note = (uint32_t)prvcut_paged_count(c->with) };
    if (n->wait > 0 && point->wait == 0) {
        point->wait = n->wait;
        point->completion = n->completion;
    }
    point->notes++;
    return prvcut_paged_add(c->with, &with, err);
}

/* A call's notes are all there. */
static enum prvcut_status wca_put_point(struct wts_causes *c, uint32_t thread,
                                        struct wcs_point *point, struct prvcut_error *err)
{
    struct wcs_thread *t = &c->thread[thread];
    enum prvcut_status st;

    if (point->notes == 0)
        return PRVCUT_OK;
    if (t->points == 0)
        t->first_point = prvcut_paged_count(c->point);
    t->points++;
    st = prvcut_paged_add(c->point, point, err);
    point->notes = 0;
    return st;
}

enum prvcut_status wcs_settle(struct wts_causes *c, bool between, struct prvcut_error *err)
{
    struct wcs_note note[AHEAD], last = { .order = 0 };
    struct wcs_point point = { .notes = 0 };
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(c->noted, err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(c->noted, note, AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
            if (!wca_same_call(&note[i], &last))
                st = wca_put_point(c, last.thread, &point, err);
            else if (between && note[i].together != last.together)
                st = PRVCUT_NONE;
            if (st == PRVCUT_OK)
                st = wca_take_note(c, &note[i], &point, err);
            last = note[i];
        }
    if (st == PRVCUT_END)
        st = wca_put_point(c, last.thread, &point, err);
    prvcut_sorter_free(c->noted);
    c->noted = NULL;
    return st == PRVCUT_OK ? prvcut_sorter_finish(c->told, err) : st;
}

/* --- Waits ------------------------------------------------------------------------------------ */

/* Of several waits of a call the one of the last kind is the one that its point has. */
static void wca_blame(struct wts_causes *c, const struct wcs_wait *w)
{
    const struct wcs_thread *t = &c->thread[w->thread];
    const size_t i = wcs_point_at(c, w->thread, w->call);
    struct wcs_point *p;

    if (i >= t->points || wcs_point(c, w->thread, i).call != w->call)
        return;
    p = prvcut_paged_change(c->point, t->first_point + i);
    if (w->kind + 1 < p->kind)
        return;
    p->kind = w->kind + 1;
    p->cause_thread = w->cause_thread;
    p->cause = w->cause;
}

enum prvcut_status wcs_next(struct wts_causes *c, struct wcs_wait *out, struct prvcut_error *err)
{
    struct wcs_told t;
    size_t got;
    const enum prvcut_status st = prvcut_sorter_next(c->told, &t, 1, &got, err);

    if (st != PRVCUT_OK)
        return st;
    *out = (struct wcs_wait){
        .ns = t.ns,
        .call = t.call,
        .cause = (uint32_t)wcs_find(c, t.cause_thread, t.cause_begin, t.cause_end),
        .thread = t.thread,
        .cause_thread = t.cause_thread,
        .kind = t.kind,
    };
    wca_blame(c, out);
    return wcs_status(c, err);
}

enum prvcut_status wcs_status(const struct wts_causes *c, struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_paged_status(c->call, err);

    if (st == PRVCUT_OK)
        st = prvcut_paged_status(c->point, err);
    return st == PRVCUT_OK ? prvcut_paged_status(c->with, err) : st;
}
