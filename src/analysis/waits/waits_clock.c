#include "analysis/waits/waits_find.h"

/* Clocks that contradict each other though each has its offset: they are bent, and all is read
   once more. */

uint64_t wts_time(const struct wts_finder *f, uint32_t thread, uint64_t given)
{
    return f->drift && given != UINT64_MAX
               ? prvcut_drift_time(f->drift, f->out->objects->thread_task[thread], given)
               : given;
}

static bool wcl_state(const void *ctx, struct prvcut_state *s)
{
    s->begin = wts_time(ctx, s->thread, s->begin);
    s->end = wts_time(ctx, s->thread, s->end);
    return true;
}

static uint64_t wcl_event(const void *ctx, uint32_t thread, uint64_t time)
{
    return wts_time(ctx, thread, time);
}

static bool wcl_message(const void *ctx, struct prvcut_message *m)
{
    m->logical_send = wts_time(ctx, m->sender, m->logical_send);
    m->physical_send = wts_time(ctx, m->sender, m->physical_send);
    m->logical_receive = wts_time(ctx, m->receiver, m->logical_receive);
    m->physical_receive = wts_time(ctx, m->receiver, m->physical_receive);
    return true;
}

static void wcl_half(const void *ctx, struct prvcut_half *h)
{
    h->time = wts_time(ctx, h->thread, h->time);
    if (h->other != 0)
        h->other = prvcut_other(wts_time(ctx, h->thread, prvcut_other_time(h, 0)));
}

struct prvcut_stream_clock wts_clock(const struct wts_finder *f)
{
    return (struct prvcut_stream_clock){
        .ctx = f, .state = wcl_state, .event = wcl_event, .message = wcl_message, .half = wcl_half
    };
}

enum prvcut_status wts_note_order(struct wts_finder *f, struct wts_when cause,
                                  struct wts_when effect, struct prvcut_error *err)
{
    return f->clocks
               ? prvcut_drift_note(f->clocks, cause.rank, cause.time, effect.rank, effect.time, err)
               : PRVCUT_OK;
}

enum prvcut_status wts_bend(const struct wts_finder *f, struct prvcut_drift *drift,
                            struct prvcut_error *err)
{
    const struct prvcut_causality *o = &f->out->order;

    return f->clocks && o->violations > o->matching && !f->trace->once
               ? prvcut_drift_solve(drift, f->clocks, err)
               : PRVCUT_OK;
}

void wts_unbend_one(const struct wts_finder *f, struct prvcut_waits_long *l)
{
    const uint32_t *task = f->out->objects->thread_task;

    if (!f->drift)
        return;
    l->begin = prvcut_drift_given(f->drift, task[l->thread], l->begin);
    l->end = prvcut_drift_given(f->drift, task[l->thread], l->end);
    if (l->cause != PRVCUT_NOBODY)
        l->cause_begin = prvcut_drift_given(f->drift, task[l->cause], l->cause_begin);
}

void wts_unbend(const struct wts_finder *f)
{
    for (size_t i = 0; i < f->out->longests; i++)
        wts_unbend_one(f, &f->out->longest[i]);
}
