#include "otf/walk.h"

#include "base/ordered.h"

#include <stdlib.h>

/* Streams in parallel; a part is a stream. */
struct scan {
    struct otf_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_consumer *consumer;
    struct otf_walk *walk; /* [workers] */
    unsigned workers;
    uint32_t next;
    bool windowed;
    uint64_t from, to;
    struct otf_counts counts;
    uint64_t done; /* bytes on disk */
    pthread_mutex_t lock;
};

struct item {
    uint32_t stream;
    void *part;
    bool begun;
    struct otf_counts counts;
};

/* Callbacks of the caller come one at a time. */
static enum prvcut_status scan_pause(void *ctx, uint64_t bytes, struct prvcut_error *err)
{
    struct scan *s = ctx;
    bool stop;

    pthread_mutex_lock(&s->lock);
    s->done += bytes;
    if (s->run->progress)
        s->run->progress(s->run->ctx, s->windowed ? "focusing" : "reading", s->done,
                         s->trace->base.bytes);
    stop = s->run->stop && s->run->stop(s->run->ctx);
    pthread_mutex_unlock(&s->lock);
    return stop ? prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted") : PRVCUT_OK;
}

static enum prvcut_status scan_take(void *ctx, unsigned worker, void **out,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    struct item *i;

    (void)worker;
    if (s->next == s->trace->streams)
        return PRVCUT_END;
    i = calloc(1, sizeof *i);
    if (!i)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for a stream");
    i->stream = s->next++;
    *out = i;
    return PRVCUT_OK;
}

static enum prvcut_status scan_work(void *ctx, unsigned worker, void *item,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    struct item *i = item;
    struct otf_walk *w = &s->walk[worker];
    enum prvcut_status st = scan_pause(s, 0, err);

    if (st == PRVCUT_OK && s->consumer->begin) {
        st = s->consumer->begin(s->consumer->ctx, worker, i->stream, &i->part, err);
        i->begun = st == PRVCUT_OK;
    }
    w->part = i->part;
    if (st == PRVCUT_OK)
        st = otf_walk_stream(w, &s->trace->stream[i->stream], err);
    i->counts = w->counts;
    return st;
}

static void add_counts(struct otf_counts *to, const struct otf_counts *c)
{
    to->base.states += c->base.states;
    to->base.events += c->base.events;
    to->base.pairs += c->base.pairs;
    to->base.comments += c->base.comments;
    to->base.skipped += c->base.skipped;
    to->base.lines += c->base.lines;
    to->base.bytes += c->base.bytes;
    to->base.beyond_end += c->base.beyond_end;
    to->base.no_last_newline |= c->base.no_last_newline;
    if (c->base.first_ns < to->base.first_ns)
        to->base.first_ns = c->base.first_ns;
    if (c->base.last_ns > to->base.last_ns)
        to->base.last_ns = c->base.last_ns;
    to->sends += c->sends;
    to->receives += c->receives;
}

static enum prvcut_status scan_join(void *ctx, void *item, enum prvcut_status failed,
                                    struct prvcut_error *err)
{
    struct scan *s = ctx;
    struct item *i = item;

    if (failed < 0)
        return failed;
    add_counts(&s->counts, &i->counts);
    return s->consumer->join ? s->consumer->join(s->consumer->ctx, i->part, err) : PRVCUT_OK;
}

static void scan_drop(void *ctx, void *item)
{
    struct scan *s = ctx;
    struct item *i = item;

    if (i->begun && s->consumer->discard)
        s->consumer->discard(s->consumer->ctx, i->part);
    free(i);
}

static enum prvcut_status scan_run(struct scan *s, struct prvcut_error *err)
{
    const struct prvcut_ordered work = {
        .ctx = s, .take = scan_take, .work = scan_work, .join = scan_join, .drop = scan_drop
    };
    enum prvcut_status st = PRVCUT_OK;

    s->counts.base.first_ns = UINT64_MAX;
    s->workers = prvcut_workers(s->run->threads);
    s->walk = calloc(s->workers, sizeof *s->walk);
    if (!s->walk)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %u workers", s->workers);
    pthread_mutex_init(&s->lock, NULL);
    for (unsigned i = 0; i < s->workers && st == PRVCUT_OK; i++) {
        s->walk[i] = (struct otf_walk){ .trace = s->trace,
                                        .consumer = s->consumer,
                                        .worker = i,
                                        .pause = scan_pause,
                                        .pause_ctx = s,
                                        .windowed = s->windowed,
                                        .from = s->from,
                                        .to = s->to };
        st = otf_walk_init(&s->walk[i], err);
    }
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, s->workers, err);
    for (unsigned i = 0; i < s->workers; i++)
        otf_walk_fini(&s->walk[i]);
    free(s->walk);
    pthread_mutex_destroy(&s->lock);
    return st;
}

enum prvcut_status otf_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                            const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                            struct prvcut_error *err)
{
    struct scan s = { .trace = (struct otf_trace *)t, .run = run, .consumer = consumer };
    enum prvcut_status st = scan_run(&s, err);

    if (counts) {
        *counts = s.counts.base;
        counts->messages = s.counts.sends > s.counts.receives ? s.counts.sends : s.counts.receives;
        if (counts->first_ns == UINT64_MAX)
            counts->first_ns = 0;
    }
    return st;
}

enum prvcut_status otf_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                   uint64_t from, uint64_t to,
                                   const struct prvcut_consumer *consumer, struct prvcut_error *err)
{
    struct scan s = { .trace = (struct otf_trace *)t,
                      .run = run,
                      .consumer = consumer,
                      .windowed = true,
                      .from = from,
                      .to = to };

    return scan_run(&s, err);
}
