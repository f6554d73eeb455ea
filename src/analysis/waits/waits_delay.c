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
    size_t first, end; /* calls */
    size_t point;      /* the first point behind the meeting */
    bool any;          /* else they never met */
    struct wcs_point met;
    double waits; /* ns */
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

static bool wdl_meets(const struct wts_causes *c, const struct wcs_point *p, uint32_t other)
{
    for (size_t k = 0; k < p->notes; k++)
        if (wdl_is_with(c, *(const uint32_t *)prvcut_paged_at(c->with, p->note + k), other))
            return true;
    return false;
}

/* The last point of a thread before a call at which it met the other. */
static void wdl_find_met(struct wdl_interval *v, const struct wts_causes *c, uint32_t thread,
                         uint32_t other)
{
    for (size_t i = wcs_point_at(c, thread, v->end); i-- > 0;) {
        v->met = wcs_point(c, thread, i);
        v->any = wdl_meets(c, &v->met, other);
        if (v->any) {
            v->point = i + 1;
            v->first = v->met.call;
            return;
        }
    }
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
static void wdl_take_waits(const struct wts_causes *c, uint32_t thread, struct wdl_times *to,
                           struct wdl_interval *v)
{
    for (size_t i = v->point; i < c->thread[thread].points; i++) {
        const struct wcs_point p = wcs_point(c, thread, i);

        if (p.call >= v->end)
            break;
        to->waits[wcs_call(c, thread, p.call).path] += (double)p.wait;
        v->waits += (double)p.wait;
    }
    for (size_t i = 0; i < to->touched; i++)
        to->path[to->touch[i]] = wdl_less(to->path[to->touch[i]], to->waits[to->touch[i]]);
}

/* What the first call did before it synchronised is before the interval. */
static void wdl_take_first(const struct wts_causes *c, uint32_t thread, struct wdl_times *to,
                           const struct wdl_interval *v)
{
    struct wcs_call first;
    double *ns;

    if (!v->any)
        return;
    first = wcs_call(c, thread, v->first);
    ns = &to->path[first.path];
    *ns = *ns - (double)(first.end - first.begin) + (double)v->met.completion;
    *ns = *ns > 0 ? *ns : 0;
}

static struct wdl_interval wdl_between(const struct wdl_job *j, uint32_t thread, size_t call,
                                       uint32_t other, struct wdl_times *to)
{
    const struct wts_causes *c = j->c;
    struct wdl_interval v = { .end = call };
    uint64_t outside;

    wdl_find_met(&v, c, thread, other);
    wdl_clear(to);
    for (size_t i = v.first; i < call; i++) {
        const struct wcs_call each = wcs_call(c, thread, i);

        wdl_add(to, each.path, (double)(each.end - each.begin));
    }
    outside =
        wcs_call(c, thread, call).outside - (v.any ? wcs_call(c, thread, v.first).outside : 0);
    wdl_add(to, 0, (double)outside);
    wdl_take_waits(c, thread, to, &v);
    wdl_take_first(c, thread, to, &v);
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
    for (size_t i = v->point; i < j->c->thread[w->cause_thread].points; i++) {
        const struct wcs_point p = wcs_point(j->c, w->cause_thread, i);
        const struct wcs_cost key = { .thread = w->cause_thread, .point = i };
        struct wcs_cost *c;

        if (p.call >= v->end)
            break;
        if (p.wait == 0)
            continue;
        c = prvcut_table_make(&j->costs, &key, j->err);
        if (!c)
            return PRVCUT_ENOMEM;
        c->ns[w->kind] += scale * (double)p.wait;
        for (uint32_t k = 0; k < PRVCUT_DELAYS; k++)
            c->ns[k] += per[k] * (double)p.wait;
    }
    return PRVCUT_OK;
}

/* Take what was handed to the wait of a call, for each ns of `total`. */
static void wdl_take_cost(struct wdl_job *j, uint32_t thread, size_t call, double total,
                          double per[PRVCUT_DELAYS])
{
    const size_t i = wcs_point_at(j->c, thread, call);
    const struct wcs_cost key = { .thread = thread, .point = i };
    const bool is = i < j->c->thread[thread].points && wcs_point(j->c, thread, i).call == call;
    const struct wcs_cost *c = is ? prvcut_table_find(&j->costs, &key) : NULL;

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
    struct wcs_wait w;
    enum prvcut_status st = wdl_times(&j.mine, o->nodes, err);

    if (st == PRVCUT_OK)
        st = wdl_times(&j.theirs, o->nodes, err);
    while (st == PRVCUT_OK && (st = wcs_next(j.c, &w, err)) == PRVCUT_OK)
        st = wdl_wait(&j, &w);
    if (st >= 0)
        st = wcs_status(j.c, err);
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
