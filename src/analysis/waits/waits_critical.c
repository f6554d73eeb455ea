#include "analysis/waits/waits_causes.h"

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

enum prvcut_status wts_critical(struct wts_finder *f, struct prvcut_error *err)
{
    struct wcr_job j = { .f = f,
                         .c = f->causes,
                         .err = err,
                         .cells =
                             PRVCUT_TABLE(struct prvcut_waits_critical_cell, ns, "call paths") };
    enum prvcut_status st = f->out->calls > 0 ? wcr_walk(&j) : PRVCUT_OK;

    if (st == PRVCUT_OK)
        st = wcs_status(j.c, err);
    f->out->on_path = prvcut_table_take(&j.cells, &f->out->on_paths);
    if (f->out->on_paths > 0)
        qsort(f->out->on_path, f->out->on_paths, sizeof *f->out->on_path, wcr_most_first);
    prvcut_table_fini(&j.cells);
    return st;
}
