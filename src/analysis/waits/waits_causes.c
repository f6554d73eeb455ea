#include "analysis/waits/waits_causes.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/* Records that are read from a sorter at a time. */
#define AHEAD 256

static int wca_note_compare(const void *a, const void *b);

struct wts_causes *wts_causes_new(const struct wts_finder *f, struct prvcut_error *err)
{
    const uint32_t threads = f->out->threads;
    struct wts_causes *c = prvcut_zeroed(1, sizeof *c, "causes", err);

    if (!c)
        return NULL;
    c->threads = threads;
    c->sets = (struct prvcut_table)PRVCUT_TABLE(struct wcs_set, first, "sets of threads");
    c->thread = prvcut_zeroed((size_t)threads + 1, sizeof *c->thread, "threads", err);
    if (c->thread &&
        wts_sorter(f, &c->noted, sizeof(struct wcs_note), wca_note_compare, err) == PRVCUT_OK)
        return c;
    wts_causes_free(c);
    return NULL;
}

void wts_causes_free(struct wts_causes *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; c->thread && i < c->threads; i++) {
        free(c->thread[i].call);
        free(c->thread[i].point);
    }
    prvcut_table_fini(&c->sets);
    free(c->thread);
    prvcut_sorter_free(c->noted);
    free(c->with);
    free(c->member);
    free(c->wait);
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
        (struct wcs_note){ .begin = call->begin,
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
        n.many = !t->centre || t->member[i] == t->centre;
        n.with = n.many ? set : t->centre->call.thread;
        st = wca_note(c, n, err);
    }
    return st;
}

enum prvcut_status wts_causes_call(struct wts_finder *f, const struct wts_skeleton *s,
                                   struct prvcut_error *err)
{
    struct wcs_thread *t;
    const struct wcs_call *last;
    uint64_t outside;

    if (!f->causes)
        return PRVCUT_OK;
    t = &f->causes->thread[s->thread];
    last = t->calls > 0 ? &t->call[t->calls - 1] : NULL;
    outside = last ? last->outside + (s->begin > last->end ? s->begin - last->end : 0)
                   : s->begin - f->span[s->thread].start;
    if (prvcut_grow((void **)&t->call, &t->room, t->calls + 1, sizeof *t->call, err) < 0)
        return PRVCUT_ENOMEM;
    t->call[t->calls++] = (struct wcs_call){ s->begin, s->end, outside, s->path };
    return PRVCUT_OK;
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
    if (prvcut_grow((void **)&c->wait, &c->wait_room, c->waits + 1, sizeof *c->wait, err) < 0)
        return PRVCUT_ENOMEM;
    c->wait[c->waits++] = (struct wcs_wait){ .call = c->thread[b->thread].calls - 1,
                                             .ns = b->ns,
                                             .cause_begin = b->cause_begin,
                                             .cause_end = b->cause_end,
                                             .thread = b->thread,
                                             .cause_thread = b->cause,
                                             .kind = (uint32_t)kind };
    return PRVCUT_OK;
}

/* --- All is told ------------------------------------------------------------------------------ */

size_t wcs_find(const struct wcs_thread *t, uint64_t begin, uint64_t end)
{
    size_t i = prvcut_lower_u64(t->call, t->calls, sizeof *t->call,
                                offsetof(struct wcs_call, begin), begin);

    while (i + 1 < t->calls && t->call[i].end != end && t->call[i + 1].begin == begin)
        i++;
    return i;
}

size_t wcs_point_at(const struct wcs_thread *t, size_t call)
{
    return prvcut_lower_u64(t->point, t->points, sizeof *t->point, offsetof(struct wcs_point, call),
                            call);
}

static int wca_note_compare(const void *a, const void *b)
{
    const struct wcs_note *x = a, *y = b;
    const uint64_t keys[4][2] = {
        { x->thread, y->thread }, { x->begin, y->begin }, { x->end, y->end }, { x->order, y->order }
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static bool wca_same_call(const struct wcs_note *a, const struct wcs_note *b)
{
    return a->thread == b->thread && a->begin == b->begin && a->end == b->end;
}

/* Notes of one call are one point; the first one stands, unless a later one waits and it did not.
 */
static enum prvcut_status wca_take_note(struct wts_causes *c, const struct wcs_note *n, bool more,
                                        struct prvcut_error *err)
{
    struct wcs_thread *t = &c->thread[n->thread];
    struct wcs_point *p;

    if (prvcut_grow((void **)&c->with, &c->with_room, c->notes + 1, sizeof *c->with, err) < 0 ||
        prvcut_grow((void **)&t->point, &t->point_room, t->points + 1, sizeof *t->point, err) < 0)
        return PRVCUT_ENOMEM;
    if (!more)
        t->point[t->points++] = (struct wcs_point){ .call = wcs_find(t, n->begin, n->end),
                                                    .wait = n->wait,
                                                    .completion = n->completion,
                                                    .note = (uint32_t)c->notes };
    p = &t->point[t->points - 1];
    if (n->wait > 0 && p->wait == 0) {
        p->wait = n->wait;
        p->completion = n->completion;
    }
    p->notes++;
    c->with[c->notes++] = n->with | (n->many ? WCS_MANY : 0);
    return PRVCUT_OK;
}

enum prvcut_status wcs_settle(struct wts_causes *c, struct prvcut_error *err)
{
    struct wcs_note note[AHEAD], last = { .order = 0 };
    size_t count = 0;
    enum prvcut_status st = prvcut_sorter_finish(c->noted, err);

    c->notes = 0;
    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(c->noted, note, AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
            st = wca_take_note(c, &note[i], c->notes > 0 && wca_same_call(&note[i], &last), err);
            last = note[i];
        }
    if (st < 0)
        return st;
    prvcut_sorter_free(c->noted);
    c->noted = NULL;
    for (size_t i = 0; i < c->waits; i++) {
        struct wcs_wait *w = &c->wait[i];

        w->cause = wcs_find(&c->thread[w->cause_thread], w->cause_begin, w->cause_end);
    }
    return PRVCUT_OK;
}
