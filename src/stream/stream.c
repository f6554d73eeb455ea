#include "stream/flow.h"

#include "base/memory.h"
#include "base/ordered.h"

#include <stdlib.h>

/* Shares of the memory for sorting, in eighths. */
#define DEFAULT_MEMORY ((size_t)64 << 20)
#define SMALL_SHARE    5
#define LARGE_SHARE    1
#define END_SHARE      1

static size_t stream_memory(const struct prvcut_stream *s, size_t share)
{
    return (s->options.memory > 0 ? s->options.memory : DEFAULT_MEMORY) / 8 * share;
}

static enum prvcut_status stream_make_sorter(const struct prvcut_stream *s,
                                             struct prvcut_sorter **out,
                                             struct prvcut_sorter_options o, size_t share,
                                             struct prvcut_error *err)
{
    o.memory = stream_memory(s, share);
    o.scratch = s->options.scratch;
    o.feeds = s->workers;
    o.stop = s->options.run->stop;
    o.stop_ctx = s->options.run->ctx;
    return prvcut_sorter_new(out, &o, err);
}

static enum prvcut_status stream_make_sorters(struct prvcut_stream *s, struct prvcut_error *err)
{
    const bool by_thread = s->options.by_thread;
    const uint32_t threads = s->options.trace->objects.threads;
    const struct prvcut_sorter_options small = {
        .size = sizeof(struct stm_small),
        .compare = by_thread ? stm_small_by_thread : stm_small_by_time,
        .group = by_thread ? stm_small_thread : NULL,
        .groups = threads,
    };
    const struct prvcut_sorter_options large = {
        .size = sizeof(struct stm_large),
        .compare = by_thread ? stm_large_by_thread : stm_large_by_time,
        .group = by_thread ? stm_large_thread : NULL,
        .groups = threads,
    };
    enum prvcut_status st = stream_make_sorter(s, &s->small, small, SMALL_SHARE, err);

    if (st == PRVCUT_OK)
        st = stream_make_sorter(s, &s->large, large, LARGE_SHARE, err);
    if (st == PRVCUT_OK && s->pair)
        st = stm_meeting_init(&s->meeting, s->options.run, stream_memory(s, END_SHARE),
                              s->options.scratch, err);
    return st;
}

static struct prvcut_span stream_window_of(const struct prvcut_stream_plan *o)
{
    struct prvcut_span window = { .end = UINT64_MAX };

    if (o->only.end == 0)
        return window;
    window.start = o->only.start;
    /* The last record of all stands at the trace's very end. */
    if (o->only.end < o->trace->end_ns)
        window.end = o->only.end;
    return window;
}

bool prvcut_stream_window(const struct prvcut_stream_plan *options, uint64_t *from)
{
    const struct prvcut_span window = stream_window_of(options);

    *from = window.start;
    return window.start > 0 || window.end != UINT64_MAX;
}

enum prvcut_status prvcut_stream_new(struct prvcut_stream **out,
                                     const struct prvcut_stream_plan *options,
                                     struct prvcut_error *err)
{
    struct prvcut_stream *s = *out = prvcut_zeroed(1, sizeof *s, "a stream", err);

    if (!s)
        return PRVCUT_ENOMEM;
    s->options = *options;
    s->to = stream_window_of(options).end;
    s->windowed = prvcut_stream_window(options, &s->from);
    s->pair = options->trace->reader->halves && !options->ends &&
              (options->whole_messages || options->met || options->choice || s->windowed);
    s->workers = prvcut_workers(options->run->threads);
    s->worker = prvcut_zeroed(s->workers, sizeof *s->worker, "workers", err);
    if (!s->worker)
        return PRVCUT_ENOMEM;
    return stream_make_sorters(s, err);
}

uint64_t prvcut_stream_length(const struct prvcut_stream *s)
{
    const struct prvcut_trace *t = s->options.trace;
    const struct prvcut_stream_clock *clock = s->options.clock;
    const bool given = t->end_ns > s->last_ns && (t->end_told || s->last_ns == 0);
    const uint64_t end = s->to != UINT64_MAX ? s->to : given ? t->end_ns : s->last_ns;

    if (clock)
        return clock->end_ns > s->last_ns ? clock->end_ns : s->last_ns;
    return end > s->from ? end - s->from : 0;
}

const struct prvcut_stream_counts *prvcut_stream_counts(const struct prvcut_stream *s)
{
    return &s->counts;
}

enum prvcut_status prvcut_stream_gather(struct prvcut_stream *s, struct prvcut_error *err)
{
    const enum prvcut_status st = stm_gather(s, err);

    return st == PRVCUT_OK ? stm_meet(s, err) : st;
}

void prvcut_stream_free(struct prvcut_stream *s)
{
    if (!s)
        return;
    for (unsigned i = 0; s->worker && i < s->workers; i++) {
        struct stm_worker *w = &s->worker[i];

        free(w->small);
        free(w->large);
    }
    free(s->worker);
    prvcut_sorter_free(s->small);
    prvcut_sorter_free(s->large);
    stm_meeting_fini(&s->meeting);
    free(s);
}
