#include "otf/walk.h"

#include "base/memory.h"
#include "scan/scan.h"

#include <limits.h>
#include <stdlib.h>

/* Streams in parallel; a part is a stream. */
struct scan {
    struct prvcut_scan base;
    struct otf_walk *walk; /* [workers] */
    uint32_t next;
    uint64_t sends, receives;
};

struct item {
    struct prvcut_part base;
    uint64_t sends, receives;
};

static enum prvcut_status scan_pause(void *ctx, uint64_t bytes, struct prvcut_error *err)
{
    return prvcut_scan_pause(ctx, bytes, err);
}

static enum prvcut_status scan_otf_next(struct prvcut_scan *base, struct prvcut_part *p,
                                        struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;

    (void)err;
    if (s->next == ((const struct otf_trace *)base->trace)->streams)
        return PRVCUT_END;
    p->number = s->next++;
    return PRVCUT_OK;
}

static enum prvcut_status scan_otf_decode(struct prvcut_scan *base, unsigned worker,
                                          struct prvcut_part *p, struct prvcut_error *err)
{
    struct otf_trace *t = (struct otf_trace *)base->trace;
    struct otf_walk *w = &((struct scan *)base)->walk[worker];
    struct item *i = (struct item *)p;
    enum prvcut_status st;

    w->part = p->state;
    st = otf_walk_stream(w, &t->stream[p->number], err);
    p->counts = w->counts.base;
    i->sends = w->counts.sends;
    i->receives = w->counts.receives;
    return st;
}

static enum prvcut_status scan_otf_joined(struct prvcut_scan *base, struct prvcut_part *p,
                                          struct prvcut_error *err)
{
    struct scan *s = (struct scan *)base;
    const struct item *i = (const struct item *)p;

    (void)err;
    s->sends += i->sends;
    s->receives += i->receives;
    return PRVCUT_OK;
}

/* --- Shared with other processes ---------------------------------------------------------------
 */

static const char *scan_otf_count(struct prvcut_scan *base, uint64_t *out)
{
    *out = ((const struct otf_trace *)base->trace)->streams;
    return NULL;
}

static void scan_otf_begin(struct prvcut_scan *base, uint64_t number)
{
    ((struct scan *)base)->next = (uint32_t)number;
}

static void scan_otf_put(struct prvcut_scan *base, struct prvcut_put *out)
{
    const struct scan *s = (struct scan *)base;

    prvcut_put_u64(out, s->sends);
    prvcut_put_u64(out, s->receives);
}

static void scan_otf_get(struct prvcut_scan *base, struct prvcut_get *in)
{
    struct scan *s = (struct scan *)base;

    s->sends = prvcut_get_u64(in);
    s->receives = prvcut_get_u64(in);
}

static const struct prvcut_parts streams = { .room = sizeof(struct item),
                                             .what = "a stream",
                                             .next = scan_otf_next,
                                             .decode = scan_otf_decode,
                                             .joined = scan_otf_joined,
                                             .count = scan_otf_count,
                                             .begin = scan_otf_begin,
                                             .put = scan_otf_put,
                                             .get = scan_otf_get };

static enum prvcut_status scan_otf_run(struct scan *s, struct prvcut_error *err)
{
    struct prvcut_scan *base = &s->base;
    enum prvcut_status st = PRVCUT_OK;

    prvcut_scan_init(base, UINT_MAX);
    s->walk = prvcut_zeroed(base->workers, sizeof *s->walk, "workers", err);
    for (unsigned i = 0; s->walk && i < base->workers && st == PRVCUT_OK; i++) {
        s->walk[i] = (struct otf_walk){ .trace = (struct otf_trace *)base->trace,
                                        .consumer = base->consumer,
                                        .worker = i,
                                        .pause = scan_pause,
                                        .pause_ctx = base,
                                        .windowed = base->windowed,
                                        .from = base->from,
                                        .to = base->to };
        st = otf_walk_init(&s->walk[i], err);
    }
    if (!s->walk)
        st = PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = prvcut_scan_run(base, err);
    for (unsigned i = 0; s->walk && i < base->workers; i++)
        otf_walk_fini(&s->walk[i]);
    free(s->walk);
    prvcut_scan_fini(base);
    return st;
}

enum prvcut_status otf_scan(struct prvcut_trace *t, const struct prvcut_run *run,
                            const struct prvcut_consumer *consumer, struct prvcut_counts *counts,
                            struct prvcut_error *err)
{
    struct scan s = { .base = { .trace = t, .parts = &streams, .run = run, .consumer = consumer } };
    enum prvcut_status st = scan_otf_run(&s, err);

    s.base.counts.messages = s.sends > s.receives ? s.sends : s.receives;
    prvcut_scan_counts(&s.base, counts);
    return st;
}

enum prvcut_status otf_scan_window(struct prvcut_trace *t, const struct prvcut_run *run,
                                   uint64_t from, uint64_t to,
                                   const struct prvcut_consumer *consumer, struct prvcut_error *err)
{
    struct scan s = { .base = { .trace = t,
                                .parts = &streams,
                                .run = run,
                                .consumer = consumer,
                                .windowed = true,
                                .from = from,
                                .to = to } };

    return scan_otf_run(&s, err);
}
