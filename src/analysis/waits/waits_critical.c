#include "analysis/waits/waits_causes.h"

#include "base/memory.h"

#include <stdlib.h>

/*
 * The critical path: back from the end of the run on the thread that came last, to the nearest
 * call that waited, on from there on the thread that it waited for.
 */

struct wcr_job {
    struct wts_finder *f;
    struct wts_causes *c;
    struct prvcut_table cells; /* of prvcut_waits_critical_cell */
    struct prvcut_error *err;
};

static enum prvcut_status wcr_add(struct wcr_job *j, uint32_t thread, uint64_t path, int64_t ns)
{
    const struct prvcut_waits_critical_cell key = { .thread = thread, .path = path };
    struct prvcut_waits_critical_cell *c;

    if (ns == 0)
        return PRVCUT_OK;
    c = prvcut_table_make(&j->cells, &key, j->err);
    if (!c)
        return PRVCUT_ENOMEM;
    c->ns += ns;
    j->f->out->critical += ns;
    return PRVCUT_OK;
}

/* All of a thread between the begins of two calls. */
static enum prvcut_status wcr_between(struct wcr_job *j, uint32_t thread, size_t from, size_t to,
                                      bool begin)
{
    const struct wts_causes *c = j->c;
    const size_t calls = c->thread[thread].calls, last = to < calls ? to : calls - 1;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = from; i < to && st == PRVCUT_OK; i++) {
        const struct wcs_call each = wcs_call(c, thread, i);

        st = wcr_add(j, thread, each.path, (int64_t)(each.end - each.begin));
    }
    if (st == PRVCUT_OK && calls > 0)
        st = wcr_add(j, thread, 0,
                     (int64_t)(wcs_call(c, thread, last).outside -
                               (begin ? 0 : wcs_call(c, thread, from).outside)));
    return st;
}

/* The nearest point before a call that waited for somebody; false: none. */
static bool wcr_waited(const struct wcr_job *j, uint32_t thread, size_t call, struct wcs_point *out)
{
    for (size_t i = wcs_point_at(j->c, thread, call); i-- > 0;) {
        *out = wcs_point(j->c, thread, i);
        if (out->kind > 0 && out->wait > 0)
            return true;
    }
    return false;
}

/* Where it ends: where the last one enters Finalize, else on the thread that goes on longest. */
static void wcr_end(const struct wcr_job *j, uint32_t *thread, size_t *call)
{
    const struct wts_finder *f = j->f;
    const struct wts_call *last = NULL;
    const uint32_t tasks = f->out->objects->tasks;

    for (uint32_t i = 0; i < tasks; i++)
        if (!f->finalize[i].is)
            break;
        else if (i + 1 == tasks)
            last = &f->finalize[0];
    for (uint32_t i = 1; last && i < tasks; i++)
        last = f->finalize[i].begin > last->begin ? &f->finalize[i] : last;
    *thread = last ? last->thread : 0;
    for (uint32_t i = 1; !last && i < j->c->threads; i++)
        *thread = f->span[i].end > f->span[*thread].end ? i : *thread;
    *call = last ? wcs_find(j->c, *thread, last->begin, last->end) : j->c->thread[*thread].calls;
}

/* Behind the last call, where the path does not end with Finalize and the trace goes on. */
static enum prvcut_status wcr_tail(struct wcr_job *j, uint32_t thread, size_t call)
{
    const struct wcs_thread *t = &j->c->thread[thread];
    const struct prvcut_span *span = &j->f->span[thread];
    const uint64_t from = t->calls > 0 ? wcs_call(j->c, thread, t->calls - 1).end : span->start;
    const bool traced = j->f->traced[thread].off <= j->f->traced[thread].on;

    if (!traced || call < t->calls || span->end <= from)
        return PRVCUT_OK;
    return wcr_add(j, thread, 0, (int64_t)(span->end - from));
}

/* Where the thread's part of the path begins: with Init, if nothing was waited for. */
static bool wcr_init(const struct wcr_job *j, uint32_t thread, size_t *call)
{
    const struct wts_call *init = &j->f->init[j->f->out->objects->thread_task[thread]];

    *call = 0;
    if (!init->is || init->thread != thread)
        return false;
    *call = wcs_find(j->c, thread, init->begin, init->end);
    return true;
}

/* A cause that begins when the wait is over: the time between is on the path twice. */
static uint64_t wcr_twice(const struct wcr_job *j, const struct wcs_point *p, uint64_t begin)
{
    const uint64_t over = begin + p->wait;
    const uint64_t cause = wcs_call(j->c, p->cause_thread, p->cause).begin;

    return cause > over ? cause - over : 0;
}

static enum prvcut_status wcr_walk(struct wcr_job *j)
{
    uint32_t thread;
    size_t call, stop;
    enum prvcut_status st = PRVCUT_OK;

    wcr_end(j, &thread, &call);
    st = wcr_tail(j, thread, call);
    while (st == PRVCUT_OK) {
        struct wcs_point p;
        struct wcs_call waited;

        if (!wcr_waited(j, thread, call, &p)) {
            const bool init = wcr_init(j, thread, &stop);

            return wcr_between(j, thread, stop < call ? stop : call, call, !init);
        }
        waited = wcs_call(j->c, thread, p.call);
        st = wcr_between(j, thread, p.call, call, false);
        if (st == PRVCUT_OK)
            st = wcr_add(j, thread, waited.path, -(int64_t)p.wait);
        j->f->seen.twice += wcr_twice(j, &p, waited.begin);
        /* A clock that lies could lead forward again. */
        if (++j->f->out->steps > j->c->waits + 1)
            return st;
        thread = p.cause_thread;
        call = p.cause;
    }
    return st;
}

static int wcr_most_first(const void *a, const void *b)
{
    const struct prvcut_waits_critical_cell *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

/* --- Imbalance ---------------------------------------------------------------------------------
 */

/* The calls of a thread that the path could go through: from Init on, up to Finalize, where all
   ranks have both; else all. false: none, of another thread of a rank. */
static bool wcr_frame(const struct wts_finder *f, uint32_t thread, size_t *from, size_t *to)
{
    const struct wts_causes *c = f->causes;
    const uint32_t task = f->out->objects->thread_task[thread];

    *from = 0;
    *to = c->thread[thread].calls;
    for (uint32_t i = 0; i < f->out->objects->tasks; i++)
        if (!f->init[i].is || !f->finalize[i].is)
            return true;
    if (f->init[task].thread != thread || f->finalize[task].thread != thread)
        return false;
    *from = wcs_find(c, thread, f->init[task].begin, f->init[task].end);
    *to = wcs_find(c, thread, f->finalize[task].begin, f->finalize[task].end);
    return true;
}

/* What a thread has of each call path, without waits, ns. */
static void wcr_have(const struct wts_finder *f, uint32_t thread, double *have)
{
    const struct wts_causes *c = f->causes;
    const struct wcs_thread *t = &c->thread[thread];
    double inside = 0;
    size_t from, to;

    if (!wcr_frame(f, thread, &from, &to))
        return;
    for (size_t k = from; k < to; k++) {
        const struct wcs_call call = wcs_call(c, thread, k);

        have[call.path] += (double)(call.end - call.begin);
        inside += (double)(call.end - call.begin);
    }
    for (size_t k = wcs_point_at(c, thread, from); k < t->points; k++) {
        const struct wcs_point p = wcs_point(c, thread, k);

        if (p.call < to)
            have[wcs_call(c, thread, p.call).path] -= (double)p.wait;
    }
    if (to < t->calls)
        have[0] += (double)(wcs_call(c, thread, to).outside - wcs_call(c, thread, from).outside);
    else
        have[0] += (double)(f->span[thread].end - f->span[thread].start) - inside;
}

static int wcr_most_over(const void *a, const void *b)
{
    const struct prvcut_waits_imbalance_cell *x = a, *y = b;

    if (x->over < y->over || x->over > y->over)
        return x->over > y->over ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

/* Of which call paths the critical path has more than a rank has in the mean. */
static enum prvcut_status wcr_uneven(const struct wts_finder *f, struct prvcut_error *err)
{
    struct prvcut_waits_found *o = f->out;
    double *have = prvcut_zeroed(o->nodes + 1, sizeof *have, "call paths", err);
    int64_t *on = prvcut_zeroed(o->nodes + 1, sizeof *on, "call paths", err);

    o->uneven = prvcut_zeroed(o->on_paths + 1, sizeof *o->uneven, "call paths", err);
    if (have && on && o->uneven) {
        for (uint32_t i = 0; i < f->causes->threads; i++)
            wcr_have(f, i, have);
        for (size_t i = 0; i < o->on_paths; i++)
            on[o->on_path[i].path] += o->on_path[i].ns;
        for (size_t i = 0; i < o->on_paths; i++) {
            const uint64_t path = o->on_path[i].path;
            const double over =
                (double)on[path] - have[path] / (o->objects->tasks > 0 ? o->objects->tasks : 1);

            if (over > 0)
                o->uneven[o->unevens++] =
                    (struct prvcut_waits_imbalance_cell){ path, on[path], over };
            /* Of each call path once. */
            on[path] = INT64_MIN / 2;
        }
        if (o->unevens > 0)
            qsort(o->uneven, o->unevens, sizeof *o->uneven, wcr_most_over);
    }
    free(on);
    free(have);
    return o->uneven && have && on ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status wts_critical(struct wts_finder *f, struct prvcut_error *err)
{
    struct wcr_job j = { .f = f,
                         .c = f->causes,
                         .err = err,
                         .cells =
                             PRVCUT_TABLE(struct prvcut_waits_critical_cell, ns, "call paths") };
    enum prvcut_status st = f->out->calls > 0 ? wcr_walk(&j) : PRVCUT_OK;

    f->out->on_path = prvcut_table_take(&j.cells, &f->out->on_paths);
    if (f->out->on_paths > 0)
        qsort(f->out->on_path, f->out->on_paths, sizeof *f->out->on_path, wcr_most_first);
    prvcut_table_fini(&j.cells);
    if (st == PRVCUT_OK)
        st = wcr_uneven(f, err);
    return st == PRVCUT_OK ? wcs_status(j.c, err) : st;
}
