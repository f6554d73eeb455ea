#ifndef TESTS_ANALYSIS_TOY_CALLS_H
#define TESTS_ANALYSIS_TOY_CALLS_H

/* An analysis of its own, added as CONTRIBUTING.md says ("Add an analysis"): how often each thread
   makes each MPI call, in one reading, by as many workers as there are. */

#include "base/memory.h"
#include "base/table.h"
#include "pass/pass.h"

#include <stdlib.h>

/** How often a thread makes a call; the key comes first, without padding. */
struct toy_row {
    uint32_t thread, type;
    int64_t value;
    uint64_t calls;
};

static inline struct prvcut_table toy_rows(void)
{
    return (struct prvcut_table)PRVCUT_TABLE(struct toy_row, calls, "calls");
}

static enum prvcut_status toy_add(struct prvcut_table *rows, const struct toy_row *more,
                                  struct prvcut_error *err)
{
    struct toy_row *r = prvcut_table_make(rows, more, err);

    if (!r)
        return PRVCUT_ENOMEM;
    r->calls += more->calls;
    return PRVCUT_OK;
}

static enum prvcut_status toy_worker(void *ctx, void *worker, struct prvcut_error *err)
{
    (void)ctx, (void)err;
    *(struct prvcut_table *)worker = toy_rows();
    return PRVCUT_OK;
}

static void toy_worker_fini(void *worker)
{
    prvcut_table_fini(worker);
}

static enum prvcut_status toy_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    (void)ctx, (void)part;
    for (size_t i = 0; i < b->events && st == PRVCUT_OK; i++) {
        const struct prvcut_event *e = &b->event[i];

        if (PRVCUT_ROLES_MPI >> e->role & 1 && e->value != 0)
            st = toy_add(worker, &(struct toy_row){ e->thread, e->type, e->value, 1 }, err);
    }
    return st;
}

static enum prvcut_status toy_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    const struct prvcut_table *rows = worker;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < rows->count && st == PRVCUT_OK; i++)
        st = toy_add(ctx, (const struct toy_row *)rows->at + i, err);
    return st;
}

static int toy_order(const void *a, const void *b)
{
    const struct toy_row *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/** Count; owns: rows, initialised here, is released by the caller. */
static enum prvcut_status toy_count(struct prvcut_table *rows, struct prvcut_trace *t,
                                    const struct prvcut_run *run, struct prvcut_error *err)
{
    const struct prvcut_listener listener = {
        .roles = PRVCUT_ROLES_MPI,
        .ctx = rows,
        .worker = { sizeof(struct prvcut_table), "workers", toy_worker, toy_worker_fini },
        .batch = toy_batch,
        .merge = toy_merge,
    };
    enum prvcut_status st;

    *rows = toy_rows();
    st = prvcut_pass_run(t, run, NULL, (const struct prvcut_listener *[]){ &listener }, 1, NULL,
                         err);
    /* Which worker saw what first is chance. */
    if (st == PRVCUT_OK && rows->count > 0)
        qsort(rows->at, rows->count, sizeof(struct toy_row), toy_order);
    return st;
}

#endif
