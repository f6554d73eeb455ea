#include "convert/flow.h"
#include "base/memory.h"
#include "base/ordered.h"

#include <stdlib.h>

/* Shares of the memory for sorting, in eighths. */
#define DEFAULT_MEMORY ((size_t)64 << 20)
#define SMALL_SHARE    5
#define LARGE_SHARE    1
#define END_SHARE      1

static enum prvcut_status make_sorter(const struct cnv_flow *f, struct prvcut_sorter **out,
                                      struct prvcut_sorter_options o, size_t share,
                                      struct prvcut_error *err)
{
    const size_t memory = f->job->options->memory;

    o.memory = (memory > 0 ? memory : DEFAULT_MEMORY) / 8 * share;
    o.scratch = f->job->options->scratch;
    o.feeds = f->workers;
    o.stop = f->job->run->stop;
    o.stop_ctx = f->job->run->ctx;
    return prvcut_sorter_new(out, &o, err);
}

static enum prvcut_status make_sorters(struct cnv_flow *f, struct prvcut_error *err)
{
    const bool by_thread = f->job->writer->order == PRVCUT_BY_THREAD;
    const uint32_t threads = f->job->trace->objects.threads;
    const struct prvcut_sorter_options small = {
        .size = sizeof(struct cnv_small),
        .compare = by_thread ? cnv_small_by_thread : cnv_small_by_time,
        .group = by_thread ? cnv_small_thread : NULL,
        .groups = threads,
    };
    const struct prvcut_sorter_options large = {
        .size = sizeof(struct cnv_large),
        .compare = by_thread ? cnv_large_by_thread : cnv_large_by_time,
        .group = by_thread ? cnv_large_thread : NULL,
        .groups = threads,
    };
    const struct prvcut_sorter_options end = {
        .size = sizeof(struct cnv_end),
        .compare = cnv_end_by_channel,
    };
    enum prvcut_status st = make_sorter(f, &f->small, small, SMALL_SHARE, err);

    if (st == PRVCUT_OK)
        st = make_sorter(f, &f->large, large, LARGE_SHARE, err);
    for (unsigned i = 0; i < 2 && f->pair && st == PRVCUT_OK; i++)
        st = make_sorter(f, &f->end[i], end, END_SHARE, err);
    return st;
}

enum prvcut_status cnv_flow_init(struct cnv_flow *f, const struct cnv_job *job,
                                 struct prvcut_convert_summary *sum, struct prvcut_error *err)
{
    const struct prvcut_trace *t = job->trace;
    const struct prvcut_span *only = &job->options->only;
    enum prvcut_status st;

    *f = (struct cnv_flow){ .job = job, .sum = sum, .to = UINT64_MAX };
    if (only->end > 0) {
        f->from = only->start;
        /* The last record of all stands at the trace's very end. */
        f->to = only->end >= t->end_ns ? UINT64_MAX : only->end;
        f->windowed = f->from > 0 || f->to != UINT64_MAX;
    }
    f->pair = t->reader->halves && (job->writer->whole_messages || f->windowed);
    f->workers = prvcut_workers(job->run->threads);
    st = cnv_selection_init(&f->selection, &t->objects, job->options->tasks, err);
    if (st < 0)
        return st;
    if (job->writer->wants_roots && (st = cnv_roots_init(&f->roots, &t->objects, err)) < 0)
        return st;
    f->worker = prvcut_zeroed(f->workers, sizeof *f->worker, "workers", err);
    if (!f->worker)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < f->workers; i++)
        f->worker[i].uses = cnv_uses();
    return make_sorters(f, err);
}

uint64_t cnv_flow_length(const struct cnv_flow *f)
{
    const struct prvcut_trace *t = f->job->trace;
    const bool given = t->end_ns > f->last_ns && (t->end_told || f->last_ns == 0);
    const uint64_t end = f->to != UINT64_MAX ? f->to : given ? t->end_ns : f->last_ns;

    return end > f->from ? end - f->from : 0;
}

void cnv_flow_fini(struct cnv_flow *f)
{
    for (unsigned i = 0; f->worker && i < f->workers; i++) {
        struct cnv_worker *w = &f->worker[i];

        free(w->small);
        free(w->large);
        free(w->end[0]);
        free(w->end[1]);
        prvcut_table_fini(&w->uses);
    }
    free(f->worker);
    cnv_roots_fini(&f->roots);
    prvcut_sorter_free(f->small);
    prvcut_sorter_free(f->large);
    prvcut_sorter_free(f->end[0]);
    prvcut_sorter_free(f->end[1]);
    cnv_selection_fini(&f->selection);
}

struct prvcut_table cnv_uses(void)
{
    return (struct prvcut_table)PRVCUT_TABLE(struct cnv_use, sends, "communicators");
}

static enum prvcut_status uses_count(struct prvcut_table *uses, const struct cnv_use *more,
                                     struct prvcut_error *err)
{
    struct cnv_use *use = prvcut_table_make(uses, more, err);

    if (!use)
        return PRVCUT_ENOMEM;
    use->sends += more->sends;
    use->receives += more->receives;
    return PRVCUT_OK;
}

enum prvcut_status cnv_uses_note(struct prvcut_table *uses, uint32_t communicator, bool receive,
                                 struct prvcut_error *err)
{
    const struct cnv_use one = { communicator, !receive, receive };

    return uses_count(uses, &one, err);
}

enum prvcut_status cnv_uses_add(struct prvcut_table *to, const struct prvcut_table *from,
                                struct prvcut_error *err)
{
    const struct cnv_use *use = from->at;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < from->count && st == PRVCUT_OK; i++)
        st = uses_count(to, &use[i], err);
    return st;
}
