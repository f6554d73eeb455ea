#include "analysis/waits/waits_find.h"

#include "base/memory.h"

#include <stdlib.h>

/*
 * Critical sections and locks as Extrae records them: a thread asks for one, has it, gives it back.
 * What it waits until it has it counts as far as another thread of the process had it meanwhile;
 * the rest is what it takes to get one that is free. Locks are told apart by their address, which
 * stands beside the event that says that the thread has it; critical sections without a name are
 * one a process.
 */

#define LOCK_NAMED   60000006u /* locks, and critical sections with a name */
#define LOCK_UNNAMED 60000007u
#define LOCK_ADDRESS 60000032u

#define AHEAD        256
/* Locks that a thread has inside each other, and that are followed. */
#define DEEPEST 16

/* Values of the events. */
enum { LOCK_ASKED = 3, LOCK_GIVES_BACK = 5, LOCK_HAD = 6 };

struct wlk_had {
    uint64_t asked, had, lock;
};

/* Locks of a kind that a thread has, the latest last. */
struct wts_holding {
    struct wlk_had at[DEEPEST]; /* [count] */
    uint32_t count, beyond;     /* beyond: that are not followed */
    uint64_t asked;
    bool asks, gives; /* gives: it has begun to give one back */
};

/* In this order where they are at once. */
enum wlk_what { WLK_LEAVES, WLK_ASKS, WLK_HAS, WLK_TOUCHES };
struct wlk_record {
    uint64_t lock, time;
    uint32_t task, thread, kind, what;
};

static int wlk_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int wlk_compare(const void *a, const void *b)
{
    const struct wlk_record *x = a, *y = b;
    const uint64_t keys[5][2] = { { x->kind, y->kind },
                                  { x->task, y->task },
                                  { x->lock, y->lock },
                                  { x->time, y->time },
                                  { x->what, y->what } };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return wlk_order(x->thread, y->thread);
}

bool wts_locks_listed(const struct wts_finder *f)
{
    return prvcut_dictionary_type(&f->names, LOCK_NAMED) ||
           prvcut_dictionary_type(&f->names, LOCK_UNNAMED);
}

enum prvcut_status wts_locks_start(struct wts_finder *f, struct prvcut_error *err)
{
    if (!wts_locks_listed(f))
        return PRVCUT_OK;
    f->holding = prvcut_zeroed(2 * (size_t)f->out->threads + 1, sizeof *f->holding, "threads", err);
    if (!f->holding)
        return PRVCUT_ENOMEM;
    return wts_sorter(f, &f->lock, sizeof(struct wlk_record), wlk_compare, err);
}

void wts_locks_end(struct wts_finder *f)
{
    free(f->holding);
    prvcut_sorter_free(f->lock);
}

static struct wts_holding *wlk_holding(const struct wts_finder *f, uint32_t kind, uint32_t thread)
{
    return &f->holding[(size_t)kind * f->out->threads + thread];
}

/* A thread had a lock until then. */
static enum prvcut_status wlk_put(struct wts_finder *f, uint32_t kind, uint32_t thread,
                                  const struct wlk_had *h, uint64_t until, struct prvcut_error *err)
{
    const struct wlk_record base = { .lock = h->lock,
                                     .task = f->out->objects->thread_task[thread],
                                     .thread = thread,
                                     .kind = kind };
    struct wlk_record r[3] = { base, base, base };

    f->seen.locks[kind] = true;
    r[0].time = h->asked;
    r[0].what = WLK_ASKS;
    r[1].time = h->had;
    r[1].what = until > h->had ? WLK_HAS : WLK_TOUCHES;
    r[2].time = until;
    r[2].what = WLK_LEAVES;
    return prvcut_sorter_add(f->lock, 0, r, until > h->had ? 3 : 2, err);
}

static void wlk_has(struct wts_holding *h, uint64_t time)
{
    if (h->count == DEEPEST || !h->asks)
        h->beyond++;
    else
        h->at[h->count++] = (struct wlk_had){ h->asked, time, 0 };
    h->asks = false;
}

static enum prvcut_status wlk_leaves(struct wts_finder *f, uint32_t kind, uint32_t thread,
                                     uint64_t time, struct prvcut_error *err)
{
    struct wts_holding *h = wlk_holding(f, kind, thread);

    if (h->beyond > 0) {
        h->beyond--;
        return PRVCUT_OK;
    }
    return h->count > 0 ? wlk_put(f, kind, thread, &h->at[--h->count], time, err) : PRVCUT_OK;
}

enum prvcut_status wts_lock_note(struct wts_finder *f, const struct prvcut_item *i,
                                 struct prvcut_error *err)
{
    const uint32_t type = i->event.type, kind = type != LOCK_UNNAMED;
    struct wts_holding *h;

    if (!f->holding || (type != LOCK_NAMED && type != LOCK_UNNAMED && type != LOCK_ADDRESS))
        return PRVCUT_OK;
    h = wlk_holding(f, kind, i->thread);
    if (type == LOCK_ADDRESS) {
        if (h->count > 0 && h->at[h->count - 1].had == i->time && h->beyond == 0)
            h->at[h->count - 1].lock = (uint64_t)i->event.value;
        return PRVCUT_OK;
    }
    if (i->event.value == LOCK_ASKED) {
        h->asks = true;
        h->asked = i->time;
    } else if (i->event.value == LOCK_HAD) {
        wlk_has(h, i->time);
    } else if (i->event.value == LOCK_GIVES_BACK || !h->gives) {
        h->gives = i->event.value == LOCK_GIVES_BACK;
        return wlk_leaves(f, kind, i->thread, i->time, err);
    } else {
        h->gives = false;
    }
    return PRVCUT_OK;
}

/* --- Sums ------------------------------------------------------------------------------------- */

struct wlk_sums {
    struct wts_finder *f;
    uint64_t *before;    /* [threads] what others had had the lock when it asked, ns */
    uint64_t since, had; /* ns */
    uint32_t having;     /* threads that have the lock */
    struct wlk_record last;
    bool any;
    uint64_t sum; /* of the process */
};

static uint64_t wlk_had_by(const struct wlk_sums *s, uint64_t time)
{
    return s->had + (s->having > 0 ? time - s->since : 0);
}

static enum prvcut_status wlk_end_task(struct wlk_sums *s, struct prvcut_table *cells,
                                       struct prvcut_error *err)
{
    const struct wlk_record *l = &s->last;
    const uint32_t first = s->f->out->objects->task_first_thread[l->task];
    const uint8_t *looked = s->f->asked->thread;
    const uint64_t ns = s->sum;

    s->sum = 0;
    if (ns == 0 || (looked && !looked[first]))
        return PRVCUT_OK;
    return wts_cell_add(cells, l->kind ? PRVCUT_WAIT_OMP_LOCK : PRVCUT_WAIT_OMP_CRITICAL, first, 0,
                        ns, err);
}

/* What a thread waited is what others had the lock since it asked. */
static void wlk_take(struct wlk_sums *s, const struct wlk_record *r)
{
    const uint64_t had = wlk_had_by(s, r->time);

    if (r->what == WLK_ASKS) {
        s->before[r->thread] = had;
        return;
    }
    s->had = had;
    s->since = r->time;
    if (r->what == WLK_LEAVES) {
        s->having -= s->having > 0;
        return;
    }
    s->sum += had - s->before[r->thread];
    s->f->seen.shared[r->kind] |= s->having > 0;
    s->having += r->what == WLK_HAS;
}

static enum prvcut_status wlk_next(struct wlk_sums *s, const struct wlk_record *r,
                                   struct prvcut_table *cells, struct prvcut_error *err)
{
    const bool same_task = s->any && r->kind == s->last.kind && r->task == s->last.task;
    enum prvcut_status st = PRVCUT_OK;

    if (s->any && !same_task)
        st = wlk_end_task(s, cells, err);
    if (!same_task || r->lock != s->last.lock) {
        s->had = s->since = 0;
        s->having = 0;
    }
    s->any = true;
    s->last = *r;
    wlk_take(s, r);
    return st;
}

/* Those that are not given back. */
static enum prvcut_status wlk_leave_all(struct wts_finder *f, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t kind = 0; kind < 2; kind++)
        for (uint32_t i = 0; i < f->out->threads; i++)
            for (struct wts_holding *h = wlk_holding(f, kind, i); h->count > 0 && st == PRVCUT_OK;)
                st = wlk_put(f, kind, i, &h->at[--h->count], UINT64_MAX, err);
    return st;
}

enum prvcut_status wts_locks_sum(struct wts_finder *f, struct prvcut_table *cells,
                                 struct prvcut_error *err)
{
    const size_t threads = (size_t)f->out->threads + 1;
    struct wlk_sums s = { .f = f };
    struct wlk_record r[AHEAD];
    size_t count = 0;
    enum prvcut_status st;

    if (!f->holding)
        return PRVCUT_OK;
    st = wlk_leave_all(f, err);
    if (st == PRVCUT_OK)
        st = prvcut_sorter_finish(f->lock, err);
    s.before = prvcut_zeroed(threads, sizeof *s.before, "threads", err);
    if (!s.before)
        st = PRVCUT_ENOMEM;
    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(f->lock, r, AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
            st = wlk_next(&s, &r[i], cells, err);
    if (st >= 0 && s.any)
        st = wlk_end_task(&s, cells, err);
    free(s.before);
    return st < 0 ? st : PRVCUT_OK;
}
