#include "otf2/own.h"
#include "otf2/walk.h"

#include "base/ordered.h"

#include <pthread.h>
#include <stdlib.h>

/* A pass over all locations, or over those that have a part of a window. */
struct scan {
    struct o2_plan plan;
    const struct prvcut_run *run;
    OTF2_Reader **reader;      /* [workers], opened by the first location that needs it */
    struct o2_walker **walker; /* [workers] */
    unsigned workers;
    uint32_t next; /* location */
    struct o2_walked all;
    uint64_t done; /* bytes */
    struct item *idle;
    pthread_mutex_t lock;   /* of idle */
    pthread_mutex_t caller; /* the caller's functions are called by one at a time */
};

/* One location on its way from take to join. */
struct item {
    struct item *next;
    uint32_t thread;
    void *part;
    bool begun;
    struct o2_walked walked;
};

static struct item *item_get(struct scan *s)
{
    struct item *i;

    pthread_mutex_lock(&s->lock);
    i = s->idle;
    if (i)
        s->idle = i->next;
    pthread_mutex_unlock(&s->lock);
    return i ? i : calloc(1, sizeof *i);
}

static void item_put(struct scan *s, struct item *i)
{
    pthread_mutex_lock(&s->lock);
    i->next = s->idle;
    s->idle = i;
    pthread_mutex_unlock(&s->lock);
}

static bool go_on(void *ctx)
{
    struct scan *s = ctx;
    bool stop = false;

    if (s->run->stop) {
        pthread_mutex_lock(&s->caller);
        stop = s->run->stop(s->run->ctx);
        pthread_mutex_unlock(&s->caller);
    }
    return !stop;
}

/* Nothing of the window happens on it. */
static bool is_outside(const struct scan *s, uint32_t thread)
{
    const struct o2_trace *t = s->plan.trace;
    const struct o2_marks *m = &t->marks[thread];

    return s->plan.windowed && t->scanned &&
           (m->first > m->last || o2_time(t, thread, m->last) < s->plan.from ||
            o2_time(t, thread, m->first) >= s->plan.to);
}

static enum prvcut_status scan_take(void *ctx, unsigned worker, void **out,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    struct item *i;

    (void)worker;
    if (!go_on(s))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    while (s->next < s->plan.trace->defs.locations && is_outside(s, s->next))
        s->next++;
    if (s->next == s->plan.trace->defs.locations)
        return PRVCUT_END;
    i = item_get(s);
    if (!i)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for a location");
    *i = (struct item){ .thread = s->next++ };
    *out = i;
    return PRVCUT_OK;
}

static enum prvcut_status scan_work(void *ctx, unsigned worker, void *item,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    const struct prvcut_consumer *c = s->plan.consumer;
    struct item *i = item;
    enum prvcut_status st = PRVCUT_OK;

    if (!s->walker[worker])
        st = o2_walker_new(&s->walker[worker], &s->plan, worker, err);
    if (st == PRVCUT_OK && c->begin) {
        st = c->begin(c->ctx, worker, i->thread, &i->part, err);
        i->begun = st == PRVCUT_OK;
    }
    if (st < 0)
        return st;
    return o2_walk(s->walker[worker], &s->reader[worker], i->thread, i->part, &i->walked, err);
}

static void add(struct o2_walked *all, const struct o2_walked *one)
{
    struct prvcut_counts *c = &all->counts;

    c->states += one->counts.states;
    c->events += one->counts.events;
    c->pairs += one->counts.pairs;
    c->messages += one->counts.messages;
    c->skipped += one->counts.skipped;
    if (one->counts.unsorted > 0 && c->first_unsorted == 0)
        c->first_unsorted = c->lines + one->counts.first_unsorted;
    c->unsorted += one->counts.unsorted;
    c->lines += one->counts.lines;
    c->bytes += one->counts.bytes;
    if (one->counts.first_ns < c->first_ns)
        c->first_ns = one->counts.first_ns;
    if (one->counts.last_ns > c->last_ns)
        c->last_ns = one->counts.last_ns;
    all->unmatched += one->unmatched;
    all->undefined += one->undefined;
}

static enum prvcut_status scan_join(void *ctx, void *item, enum prvcut_status failed,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    const struct prvcut_consumer *c = s->plan.consumer;
    struct item *i = item;

    if (failed < 0)
        return failed;
    add(&s->all, &i->walked);
    s->done += i->walked.counts.bytes;
    if (s->run->progress && s->plan.trace->base.bytes > 0) {
        pthread_mutex_lock(&s->caller);
        s->run->progress(s->run->ctx, s->plan.windowed ? "focusing" : "reading", s->done,
                         s->plan.trace->base.bytes);
        pthread_mutex_unlock(&s->caller);
    }
    return c->join ? c->join(c->ctx, i->part, err) : PRVCUT_OK;
}

static void scan_drop(void *ctx, void *item)
{
    struct scan *s = ctx;
    struct item *i = item;

    if (i->begun && s->plan.consumer->discard)
        s->plan.consumer->discard(s->plan.consumer->ctx, i->part);
    item_put(s, i);
}

static void scan_fini(struct scan *s)
{
    while (s->idle) {
        struct item *i = s->idle;

        s->idle = i->next;
        free(i);
    }
    for (unsigned i = 0; i < s->workers; i++) {
        if (s->reader)
            o2_reader_close(s->reader[i]);
        if (s->walker)
            o2_walker_free(s->walker[i]);
    }
    free(s->reader);
    free(s->walker);
    o2_plan_fini(&s->plan);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->caller);
}

static enum prvcut_status scan_run(struct scan *s, struct prvcut_error *err)
{
    const struct prvcut_ordered work = {
        .ctx = s, .take = scan_take, .work = scan_work, .join = scan_join, .drop = scan_drop
    };
    enum prvcut_status st;

    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->caller, NULL);
    s->plan.go_on = go_on;
    s->plan.ctx = s;
    s->all.counts.first_ns = UINT64_MAX;
    s->workers = prvcut_workers(s->run->threads);
    if (s->workers > s->plan.trace->defs.locations)
        s->workers = s->plan.trace->defs.locations;
    s->reader = calloc(s->workers, sizeof(OTF2_Reader *));
    s->walker = calloc(s->workers, sizeof *s->walker);
    if (!s->reader || !s->walker)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %u workers", s->workers);
    st = o2_plan_init(&s->plan, err);
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, s->workers, err);
    return st;
}

static void forget_marks(struct o2_trace *t)
{
    for (uint32_t i = 0; i < t->defs.locations; i++) {
        t->marks[i].count = 0;
        t->marks[i].state.count = 0;
    }
}

enum prvcut_status o2_scan(struct prvcut_trace *base, const struct prvcut_run *run,
                           const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                           struct prvcut_error *err)
{
    struct o2_trace *t = (struct o2_trace *)base;
    struct scan s = { .plan = { .trace = t,
                                .consumer = consumer,
                                .counting = counts != NULL,
                                .marking = !t->scanned },
                      .run = run };
    enum prvcut_status st;

    if (t->own)
        return o2_own_scan(t, run, consumer, UINT64_MAX, counts, err);
    if (!t->scanned)
        forget_marks(t);
    st = scan_run(&s, err);
    if (st == PRVCUT_OK) {
        t->scanned = true;
        if (s.all.counts.last_ns > base->end_ns)
            base->end_ns = s.all.counts.last_ns;
    }
    if (counts) {
        *counts = s.all.counts;
        if (counts->first_ns == UINT64_MAX)
            counts->first_ns = 0;
    }
    scan_fini(&s);
    return st;
}

enum prvcut_status o2_scan_window(struct prvcut_trace *base, const struct prvcut_run *run,
                                  uint64_t from, uint64_t to,
                                  const struct prvcut_consumer *consumer, struct prvcut_error *err)
{
    struct scan s = { .plan = { .trace = (struct o2_trace *)base,
                                .consumer = consumer,
                                .windowed = true,
                                .from = from,
                                .to = to },
                      .run = run };
    enum prvcut_status st;

    if (s.plan.trace->own)
        return o2_own_scan(s.plan.trace, run, consumer, to, NULL, err);
    st = scan_run(&s, err);
    scan_fini(&s);
    return st;
}
