#include "api/job.h"

#include "base/ordered.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct job *job;
    const struct prvcut_span *mask;
    size_t masks, left;
};

static enum prvcut_status search_take(void *ctx, unsigned worker, void **item,
                                      struct prvcut_error *err)
{
    struct search *s = ctx;

    (void)worker;
    if (s->job->run->stop && s->job->run->stop(s->job->run->ctx))
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    if (s->left == 0)
        return PRVCUT_END;
    /* The last first: the calls take longest. */
    *item = &s->job->witness[--s->left];
    return PRVCUT_OK;
}

const struct prvcut_signal *job_signal(const struct job *j, const char *name)
{
    for (unsigned i = 0; i < PRVCUT_METRICS; i++)
        if (j->data.signal[i].name && strcmp(j->data.signal[i].name, name) == 0)
            return &j->data.signal[i];
    return NULL;
}

static enum prvcut_status search_work(void *ctx, unsigned worker, void *item,
                                      struct prvcut_error *err)
{
    struct search *s = ctx;
    struct prvcut_witness *w = item;
    struct job *j = s->job;
    const struct prvcut_signal *signal;
    enum prvcut_status st;

    (void)worker;
    if (w->calls) {
        st = prvcut_call_loop_find(&j->calls, j->data.sequence, j->data.sequences, err);
        w->loop = j->calls.loop;
        return st;
    }
    signal = job_signal(j, w->name);
    if (signal->at)
        return prvcut_signal_loop_find(&w->loop, signal, s->mask, s->masks, err);
    w->loop = (struct prvcut_loop){ .why = signal->absent };
    return PRVCUT_OK;
}

static enum prvcut_status search_join(void *ctx, void *item, enum prvcut_status failed,
                                      struct prvcut_error *err)
{
    (void)ctx;
    (void)item;
    (void)err;
    return failed;
}

static void search_drop(void *ctx, void *item)
{
    (void)ctx;
    (void)item;
}

enum prvcut_status job_find_loops(struct job *j, struct prvcut_error *err)
{
    struct search s = { .job = j, .left = j->witnesses };
    const struct prvcut_ordered work = { .ctx = &s,
                                         .take = search_take,
                                         .work = search_work,
                                         .join = search_join,
                                         .drop = search_drop };
    struct prvcut_masks masks;
    struct prvcut_span *mask = NULL;
    enum prvcut_status st = prvcut_masks_find(&masks, &j->data, 0, 0, err);

    if (st < 0)
        return st;
    st = prvcut_masks_spans(&masks, &mask, &s.masks, err);
    s.mask = mask;
    if (j->run->progress)
        j->run->progress(j->run->ctx, "analysing", 0, 0);
    if (st == PRVCUT_OK)
        st = prvcut_ordered_run(&work, prvcut_workers(j->run->threads), err);
    free(mask);
    prvcut_masks_fini(&masks);
    return st;
}
