#include "otf2/own.h"
#include "otf2/share.h"
#include "otf2/walk.h"

#include "base/memory.h"
#include "scan/scan.h"

#include <stdlib.h>

/* A pass over all locations, or over those that have a part of a window. */
struct scan {
    struct prvcut_scan base;
    struct o2_plan plan;
    OTF2_Reader **reader;      /* [workers], opened by the first location that needs it */
    struct o2_walker **walker; /* [workers] */
    uint32_t next;             /* location */
};

static bool scan_goes_on(void *ctx)
{
    return prvcut_scan_goes_on(ctx);
}

/* Nothing of the window happens on it. */
static bool scan_is_outside(const struct scan *s, uint32_t thread)
{
    const struct o2_trace *t = s->plan.trace;
    const struct o2_marks *m = &t->marks[thread];

    return s->plan.windowed && t->scanned &&
           (m->first > m->last || o2_time(t, thread, m->last) < s->plan.from ||
            o2_time(t, thread, m->first) >= s->plan.to);
}

static enum prvcut_status scan_o2_next(struct prvcut_scan *base, struct prvcut_part *p,
                                       struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;

    (void)err;
    while (s->next < s->plan.trace->defs.locations && scan_is_outside(s, s->next))
        s->next++;
    if (s->next == s->plan.trace->defs.locations)
        return PRVCUT_END;
    p->number = s->next++;
    return PRVCUT_OK;
}

static enum prvcut_status scan_o2_decode(struct prvcut_scan *base, unsigned worker,
                                         struct prvcut_part *p, struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;
    struct o2_walked walked = { .counts = { 0 } };
    enum prvcut_status st = PRVCUT_OK;

    if (!s->walker[worker])
        st = o2_walker_new(&s->walker[worker], &s->plan, worker, err);
    if (st == PRVCUT_OK)
        st = o2_walk(s->walker[worker], &s->reader[worker], (uint32_t)p->number, p->state, &walked,
                     err);
    p->counts = walked.counts;
    return st;
}

static enum prvcut_status scan_o2_joined(struct prvcut_scan *base, struct prvcut_part *p,
                                         struct prvcut_error *err)
{
    (void)p;
    (void)err;
    base->position = base->counts.bytes;
    return PRVCUT_OK;
}

static void scan_o2_begin(struct prvcut_scan *base, uint64_t number)
{
    ((struct scan *)base)->next = (uint32_t)number;
}

static const struct prvcut_parts locations = { .room = sizeof(struct prvcut_part),
                                               .what = "a location",
                                               .next = scan_o2_next,
                                               .decode = scan_o2_decode,
                                               .joined = scan_o2_joined,
                                               .count = o2_share_count,
                                               .begin = scan_o2_begin,
                                               .pieces = &o2_share_marks };

static void scan_o2_fini(struct scan *s)
{
    for (unsigned i = 0; i < s->base.workers; i++) {
        if (s->reader)
            o2_reader_close(s->reader[i]);
        if (s->walker)
            o2_walker_free(s->walker[i]);
    }
    free(s->reader);
    free(s->walker);
    o2_plan_fini(&s->plan);
    prvcut_scan_fini(&s->base);
}

static enum prvcut_status scan_o2_run(struct scan *s, struct prvcut_error *err)
{
    enum prvcut_status st;

    prvcut_scan_init(&s->base, s->plan.trace->defs.locations);
    s->plan.go_on = scan_goes_on;
    s->plan.ctx = &s->base;
    s->reader = prvcut_zeroed(s->base.workers, sizeof(OTF2_Reader *), "workers", err);
    s->walker = prvcut_zeroed(s->base.workers, sizeof *s->walker, "workers", err);
    if (!s->reader || !s->walker)
        return PRVCUT_ENOMEM;
    st = o2_plan_init(&s->plan, err);
    if (st == PRVCUT_OK)
        st = prvcut_scan_run(&s->base, err);
    return st;
}

enum prvcut_status o2_scan(struct prvcut_trace *base, const struct prvcut_run *run,
                           const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                           struct prvcut_error *err)
{
    struct o2_trace *t = (struct o2_trace *)base;
    struct scan s = {
        .base = { .trace = base, .parts = &locations, .run = run, .consumer = consumer },
        .plan = { .trace = t,
                  .consumer = consumer,
                  .counting = counts != NULL,
                  .marking = !t->scanned }
    };
    enum prvcut_status st;

    if (!t->scanned)
        o2_forget_marks(t);
    if (t->own)
        return o2_own_scan(t, run, consumer, (struct prvcut_span){ 0, UINT64_MAX }, counts, err);
    st = scan_o2_run(&s, err);
    if (st == PRVCUT_OK) {
        t->scanned = true;
        if (s.base.counts.last_ns > base->end_ns)
            base->end_ns = s.base.counts.last_ns;
    }
    prvcut_scan_counts(&s.base, counts);
    scan_o2_fini(&s);
    return st;
}

enum prvcut_status o2_scan_window(struct prvcut_trace *base, const struct prvcut_run *run,
                                  uint64_t from, uint64_t to,
                                  const struct prvcut_consumer *consumer, struct prvcut_error *err)
{
    struct scan s = { .base = { .trace = base,
                                .parts = &locations,
                                .run = run,
                                .consumer = consumer,
                                .windowed = true,
                                .from = from,
                                .to = to },
                      .plan = { .trace = (struct o2_trace *)base,
                                .consumer = consumer,
                                .windowed = true,
                                .from = from,
                                .to = to } };
    enum prvcut_status st;

    if (s.plan.trace->own)
        return o2_own_scan(s.plan.trace, run, consumer, (struct prvcut_span){ from, to }, NULL,
                           err);
    st = scan_o2_run(&s, err);
    scan_o2_fini(&s);
    return st;
}
