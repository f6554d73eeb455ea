#include "analysis/waits/waits_causes.h"

#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

/*
 * Delay costs: a wait is caused by what the other did more than the one that waits, since the two
 * met last; as far as the other waited itself, the cost goes on to whom it waited for. Waits are
 * gone through backwards, so that all of a wait's cost is there before it goes on.
 */

/* Time by call path between two calls of a thread, ns. */
struct wdl_times {
    double *path;    /* [nodes] */
    uint64_t *touch; /* [touched] paths that may not be 0 */
    size_t touched;
    double *waits; /* [nodes] of which waits */
};

/* From the point where two threads met to a call. */
struct wdl_interval {
    size_t first, end;           /* calls */
    size_t point;                /* the first point behind the meeting */
    const struct wcs_point *met; /* NULL: they never did */
    double waits;                /* ns */
};

struct wdl_job {
    struct wts_finder *f;
    struct wts_causes *c;
    struct wdl_times mine, theirs;
    struct prvcut_table cells; /* of prvcut_waits_delay_cell */
    struct prvcut_table costs; /* of wcs_cost */
    struct prvcut_error *err;
};

/* --- Where they met --------------------------------------------------------------------------- */

static bool wdl_is_with(const struct wts_causes *c, uint32_t with, uint32_t thread)
{
    const struct wcs_set *s;

    if (!(with & WCS_MANY))
        return with == thread;
    s = (const struct wcs_set *)c->sets.at + (with & ~WCS_MANY);
    return prvcut_index_u32(c->member + s->first, s->count, sizeof *c->member, 0, thread) <
           s->count;
}

/* The last point of a thread before a call at which it met the other. */
static const struct wcs_point *wdl_met(const struct wts_causes *c, uint32_t thread, size_t call,
                                       uint32_t other)
{
    const struct wcs_thread *t = &c->thread[thread];

    for (size_t i = wcs_point_at(t, call); i-- > 0;)
        for (size_t k = 0; k < t->point[i].notes; k++)
            if (wdl_is_with(c, c->with[t->point[i].note + k], other))
                return &t->point[i];
    return NULL;
}

/* --- Time ------------------------------------------------------------------------------------- */

static void wdl_add(struct wdl_times *t, uint64_t path, double ns)
{
    if (t->path[path] == 0 && ns != 0)
        t->touch[t->touched++] = path;
    t->path[path] += ns;
}

static void wdl_clear(struct wdl_times *t)
{
    for (size_t i = 0; i < t->touched; i++)
        t->path[t->touch[i]] = t->waits[t->touch[i]] = 0;
    t->touched = 0;
}

static double wdl_less(double a, double b)
{
    return a > b ? a - b : 0;
}

/* What calls wait in between is no time of theirs. */
static void wdl_take_waits(const struct wcs_thread *t, struct wdl_times *to, struct wdl_interval *v)
{
    for (size_t i = v->point; i < t->points && t->point[i].call < v->end; i++) {
        to->waits[t->call[t->point[i].call].path] += (double)t->point[i].wait;
        v->waits += (double)t->point[i].wait;
    }
    for (size_t i = 0; i < to->touched; i++)
        to->path[to->touch[i]] = wdl_less(to->path[to->touch[i]], to->waits[to->touch[i]]);
}

/* What the first call did before it synchronised is before the interval. */
static void wdl_take_first(const struct wcs_thread *t, struct wdl_times *to,
                           const struct wdl_interval *v)
{
    const struct wcs_call *c;
    double *ns;

    if (!v->met)
        return;
    c = &t->call[v->met->call];
    ns = &to->path[c->path];
    *ns = *ns - (double)(c->end - c->begin) + (double)v->met->completion;
    *ns = *ns > 0 ? *ns : 0;
}

static struct wdl_interval wdl_between(const struct wdl_job *j, uint32_t thread, size_t call,
                                       uint32_t other, struct wdl_times *to)
{
    const struct wcs_thread *t = &j->c->thread[thread];
    struct wdl_interval v = { .end = call, .met = wdl_met(j->c, thread, call, other) };
    uint64_t outside;

    v.first = v.met ? v.met->call : 0;
    v.point = v.met ? (size_t)(v.met - t->point) + 1 : 0;
    wdl_clear(to);
    for (size_t i = v.first; i < call; i++)
        wdl_add(to, t->call[i].path, (double)(t->call[i].end - t->call[i].begin));
    outside = t->call[call].outside - (v.met ? t->call[v.first].outside : 0);
    wdl_add(to, 0, (double)outside);
    wdl_take_waits(t, to, &v);
    wdl_take_first(t, to, &v);
    return v;
}

/* --- Costs ------------------------------------------------------------------------------------ */

static enum prvcut_status wdl_book(struct wdl_job *j, uint32_t kind, uint32_t thread, uint64_t path,
                                   double shorter, double longer)
{
    const struct prvcut_waits_delay_cell key = { .kind = kind, .thread = thread, .path = path };
    struct prvcut_waits_delay_cell *c;

    if (shorter == 0 && longer == 0)
        return PRVCUT_OK;
    c = prvcut_table_make(&j->cells, &key, j->err);
    if (!c)
        return PRVCUT_ENOMEM;
    c->shorter += shorter;
    c->longer += longer;
    j->f->out->delay[kind].shorter += shorter;
    j->f->out->delay[kind].longer += longer;
    return PRVCUT_OK;
}

/* What the causer did more, by call path, is to blame. */
static enum prvcut_status wdl_blame(struct wdl_job *j, const struct wcs_wait *w, double scale,
                                    const double per[PRVCUT_DELAYS])
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < j->mine.touched && st == PRVCUT_OK; i++) {
        const uint64_t path = j->mine.touch[i];
        const double d = wdl_less(j->mine.path[path], j->theirs.path[path]);

        if (d <= 0)
            continue;
        st = wdl_book(j, w->kind, w->cause_thread, path, scale * d, 0);
        for (uint32_t k = 0; k < PRVCUT_DELAYS && st == PRVCUT_OK; k++)
            st = wdl_book(j, k, w->cause_thread, path, 0, per[k] * d);
    }
    return st;
}

/* What the causer waited is to blame on those whom it waited for. */
static enum prvcut_status wdl_hand_on(struct wdl_job *j, const struct wcs_wait *w,
                                      const struct wdl_interval *v, double scale,
                                      const double per[PRVCUT_DELAYS])
{
    const struct wcs_thread *t = &j->c->thread[w->cause_thread];

    for (size_t i = v->point; i < t->points && t->point[i].call < v->end; i++) {
        const struct wcs_point *p = &t->point[i];
        const struct wcs_cost key = { .thread = w->cause_thread, .point = i };
        struct wcs_cost *c;

        if (p->wait == 0)
            continue;
        c = prvcut_table_make(&j->costs, &key, j->err);
        if (!c)
            return PRVCUT_ENOMEM;
        c->ns[w->kind] += scale * (double)p->wait;
        for (uint32_t k = 0; k < PRVCUT_DELAYS; k++)
            c->ns[k] += per[k] * (double)p->wait;
    }
    return PRVCUT_OK;
}

/* Take what was handed to the wait of a call, for each ns of `total`. */
static void wdl_take_cost(struct wdl_job *j, uint32_t thread, size_t call, double total,
                          double per[PRVCUT_DELAYS])
{
    const struct wcs_thread *t = &j->c->thread[thread];
    const size_t i = wcs_point_at(t, call);
    const struct wcs_cost key = { .thread = thread, .point = i };
    const struct wcs_cost *c =
        i < t->points && t->point[i].call == call ? prvcut_table_find(&j->costs, &key) : NULL;

    if (!c)
        return;
    for (uint32_t k = 0; k < PRVCUT_DELAYS; k++)
        per[k] = c->ns[k] / total;
    prvcut_table_drop(&j->costs, &key);
}

static enum prvcut_status wdl_wait(struct wdl_job *j, const struct wcs_wait *w)
{
    const bool two = w->kind == PRVCUT_DELAY_LATE_SENDER || w->kind == PRVCUT_DELAY_LATE_RECEIVER;
    const struct wdl_interval v = wdl_between(j, w->cause_thread, w->cause, w->thread, &j->mine);
    double total = v.waits, scale, per[PRVCUT_DELAYS] = { 0 };
    enum prvcut_status st;

    wdl_between(j, w->thread, w->call, w->cause_thread, &j->theirs);
    for (size_t i = 0; i < j->mine.touched; i++)
        total += wdl_less(j->mine.path[j->mine.touch[i]], j->theirs.path[j->mine.touch[i]]);
    if (total <= 0) {
        j->f->out->unexplained += (double)w->ns;
        return PRVCUT_OK;
    }
    scale = (double)w->ns / total;
    if (two && scale > 1) {
        j->f->out->unexplained += (double)w->ns - total;
        scale = 1;
    }
    wdl_take_cost(j, w->thread, w->call, total, per);
    st = wdl_blame(j, w, scale, per);
    return st == PRVCUT_OK ? wdl_hand_on(j, w, &v, scale, per) : st;
}

/* What was handed on to waits that nobody is to blame for, or that were gone through before. */
static void wdl_remains(struct wdl_job *j)
{
    const struct wcs_cost *c = j->costs.at;

    for (size_t i = 0; i < j->costs.count; i++)
        for (uint32_t k = 0; k < PRVCUT_DELAYS; k++)
            j->f->out->unexplained += c[i].ns[k];
}

/* --- All of them ------------------------------------------------------------------------------ */

/* The latest causes first. */
static int wdl_order(const void *a, const void *b)
{
    const struct wcs_wait *x = a, *y = b;
    const uint64_t keys[5][2] = { { y->cause_begin, x->cause_begin },
                                  { x->kind, y->kind },
                                  { x->cause_thread, y->cause_thread },
                                  { x->thread, y->thread },
                                  { x->call, y->call } };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static int wdl_most_first(const void *a, const void *b)
{
    const struct prvcut_waits_delay_cell *x = a, *y = b;
    const double p = x->shorter + x->longer, q = y->shorter + y->longer;

    if (p < q || p > q)
        return p > q ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

static enum prvcut_status wdl_times(struct wdl_times *t, size_t nodes, struct prvcut_error *err)
{
    t->path = prvcut_zeroed(nodes + 1, sizeof *t->path, "call paths", err);
    t->touch = prvcut_zeroed(2 * nodes + 2, sizeof *t->touch, "call paths", err);
    t->waits = prvcut_zeroed(nodes + 1, sizeof *t->waits, "call paths", err);
    return t->path && t->touch && t->waits ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void wdl_times_fini(struct wdl_times *t)
{
    free(t->path);
    free(t->touch);
    free(t->waits);
}

enum prvcut_status wts_delays(struct wts_finder *f, struct prvcut_error *err)
{
    struct wdl_job j = { .f = f,
                         .c = f->causes,
                         .err = err,
                         .cells = PRVCUT_TABLE(struct prvcut_waits_delay_cell, shorter, "delays"),
                         .costs = PRVCUT_TABLE(struct wcs_cost, ns, "delays") };
    struct prvcut_waits_found *o = f->out;
    enum prvcut_status st = wdl_times(&j.mine, o->nodes, err);

    if (st == PRVCUT_OK)
        st = wdl_times(&j.theirs, o->nodes, err);
    if (st == PRVCUT_OK && j.c->waits > 0)
        qsort(j.c->wait, j.c->waits, sizeof *j.c->wait, wdl_order);
    for (size_t i = 0; i < j.c->waits && st == PRVCUT_OK; i++)
        st = wdl_wait(&j, &j.c->wait[i]);
    wdl_remains(&j);
    o->delayed = prvcut_table_take(&j.cells, &o->delays);
    if (o->delays > 0)
        qsort(o->delayed, o->delays, sizeof *o->delayed, wdl_most_first);
    prvcut_table_fini(&j.cells);
    prvcut_table_fini(&j.costs);
    wdl_times_fini(&j.mine);
    wdl_times_fini(&j.theirs);
    return st;
}
