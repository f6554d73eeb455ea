#include "analysis/waits/waits_find.h"

#include "base/memory.h"
#include "model/calls.h"
#include "pass/pass.h"

#include <stdlib.h>

/* From where and up to where threads exist: their states, of one more reading; and whether tracing
   was off at the end. */

struct wrc_worker {
    struct prvcut_span *span;  /* [threads]; end 0: none */
    struct wts_traced *traced; /* [threads] */
};

static enum prvcut_status wrc_worker_init(void *ctx, void *room, struct prvcut_error *err)
{
    const struct wts_finder *f = ctx;
    struct wrc_worker *w = room;

    w->span = prvcut_zeroed((size_t)f->out->threads + 1, sizeof *w->span, "threads", err);
    w->traced = prvcut_zeroed((size_t)f->out->threads + 1, sizeof *w->traced, "threads", err);
    return w->span && w->traced ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void wrc_worker_fini(void *room)
{
    struct wrc_worker *w = room;

    free(w->span);
    free(w->traced);
}

static void wrc_widen(struct prvcut_span *s, uint64_t begin, uint64_t end)
{
    if (s->end == 0 || begin < s->start)
        s->start = begin;
    s->end = end > s->end ? end : s->end;
}

static void wrc_switch(struct wts_traced *t, const struct wts_traced *by)
{
    t->on = by->on > t->on ? by->on : t->on;
    t->off = by->off > t->off ? by->off : t->off;
}

static enum prvcut_status wrc_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *b, struct prvcut_error *err)
{
    const struct wts_finder *f = ctx;
    struct wrc_worker *w = worker;

    (void)part, (void)err;
    for (size_t i = 0; i < b->states; i++)
        if (b->state[i].number != PRVCUT_STATE_NOT_CREATED)
            wrc_widen(&w->span[b->state[i].thread],
                      wts_time(f, b->state[i].thread, b->state[i].begin),
                      wts_time(f, b->state[i].thread, b->state[i].end));
    for (size_t i = 0; i < b->events; i++) {
        const struct prvcut_event *e = &b->event[i];
        const uint64_t at = e->time + 1;

        if (e->role == PRVCUT_ROLE_TRACING)
            wrc_switch(&w->traced[e->thread],
                       &(struct wts_traced){ e->value != 0 ? at : 0, e->value != 0 ? 0 : at });
    }
    return PRVCUT_OK;
}

static enum prvcut_status wrc_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    const struct wts_finder *f = ctx;
    const struct wrc_worker *w = worker;

    (void)err;
    for (uint32_t i = 0; i < f->out->threads; i++) {
        wrc_switch(&f->traced[i], &w->traced[i]);
        if (w->span[i].end > 0)
            wrc_widen(&f->span[i], w->span[i].start, w->span[i].end);
    }
    return PRVCUT_OK;
}

enum prvcut_status wts_reach(struct wts_finder *f, struct prvcut_error *err)
{
    const struct prvcut_listener states = {
        .roles = PRVCUT_ROLE_BIT(PRVCUT_ROLE_TRACING),
        .states = true,
        .ctx = f,
        .worker = { sizeof(struct wrc_worker), "workers", wrc_worker_init, wrc_worker_fini },
        .batch = wrc_batch,
        .merge = wrc_merge,
    };

    return prvcut_pass_run(f->trace, f->run, NULL, (const struct prvcut_listener *[]){ &states }, 1,
                           NULL, err);
}
