#include "window_ask.h"

#include "prvcut/objects.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Clocks ----------------------------------------------------------------------------------- */

/* When each thread's first record begins. */
struct firsts {
    double *at; /* [threads]; below 0: none yet */
    uint32_t threads;
};

static enum prvcut_status take(void *ctx, const struct prvcut_record *record, size_t count)
{
    struct firsts *f = ctx;

    for (size_t i = 0; i < count; i++)
        if (record[i].thread < f->threads && f->at[record[i].thread] < 0)
            f->at[record[i].thread] = (double)record[i].begin;
    return PRVCUT_OK;
}

static void take_names(struct window_asked *a, struct prvcut_trace *trace)
{
    struct prvcut_names *names = NULL;
    struct prvcut_error err = { 0 };

    if (prvcut_names_new(&names, trace, &err) == PRVCUT_OK)
        for (uint32_t i = 0; i < a->threads; i++) {
            const char *name = prvcut_names_thread(names, i);

            snprintf(a->kept[i].name, sizeof a->kept[i].name, "%.63s", name ? name : "");
            for (char *c = a->kept[i].name; *c; c++)
                *c = (char)tolower((unsigned char)*c);
        }
    prvcut_names_free(names);
}

static bool first_times(struct window_asked *a, const char *path, bool raw, double *at)
{
    const struct prvcut_open_options options = { .raw_clocks = raw };
    struct firsts f = { at, a->threads };
    const struct prvcut_records_wish wish = { .kinds = PRVCUT_RECORD_STATE | PRVCUT_RECORD_EVENT,
                                              .ctx = &f,
                                              .take = take };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, &options, &err);

    for (uint32_t i = 0; i < a->threads; i++)
        at[i] = -1;
    if (st < 0)
        return false;
    st = prvcut_records_read(trace, NULL, &wish, &err);
    prvcut_trace_close(trace);
    return st >= 0;
}

static bool find_names(struct window_asked *a, const char *path)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;

    if (prvcut_trace_open(&trace, path, NULL, &err) < 0)
        return false;
    take_names(a, trace);
    prvcut_trace_close(trace);
    return true;
}

/* How far each thread's clock was moved: its first record's time with and without. */
static bool find_clocks(struct window_asked *a, const char *path)
{
    double *with = calloc(a->threads + 1, sizeof *with);
    double *without = calloc(a->threads + 1, sizeof *without);
    const bool good =
        with && without && first_times(a, path, false, with) && first_times(a, path, true, without);

    for (uint32_t i = 0; good && i < a->threads; i++)
        a->kept[i].off = with[i] - without[i];
    free(with);
    free(without);
    return good;
}

/* --- The cut ---------------------------------------------------------------------------------- */

static void take_answer(struct answer *a, const struct prvcut_reduction *r)
{
    snprintf(a->why, sizeof a->why, "%.250s", r->reason);
    a->confidence = r->confidence;
    if (!(r->iterations > 0))
        return;
    a->period = r->period_ns;
    a->iterations = r->iterations;
    a->start = (double)r->phase.start;
    a->end = (double)r->phase.end;
    a->mean = (a->end - a->start) / r->iterations;
}

static void take_chop(struct window_asked *a, const struct prvcut_chop *chop)
{
    const uint32_t threads = a->threads;

    a->kept = calloc(threads + 1, sizeof *a->kept);
    if (!a->kept)
        return;
    a->cut = true;
    a->verdict = chop->verdict;
    a->windows = chop->windows;
    a->value = chop->value;
    a->usual = chop->usual;
    if (chop->windows > 0)
        snprintf(a->worst, sizeof a->worst, "%.63s",
                 chop->worst_call ? chop->worst_call : prvcut_quantity_text(chop->worst));
    for (uint32_t i = 0; i < threads; i++) {
        const struct prvcut_span *span =
            chop->thread && i < chop->threads ? &chop->thread[i] : &chop->cut->window;

        a->kept[i].from = (double)span->start;
        a->kept[i].to = (double)span->end;
    }
}

bool window_ask(struct window_asked *a, const char *path)
{
    const struct prvcut_reduce_options options = { .size = sizeof options,
                                                   .iterations = 2,
                                                   .cheap_proof = true,
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    const struct prvcut_run run = { .threads = 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r = NULL;
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_trace_open(&trace, path, NULL, &err);
    bool skewed;

    *a = (struct window_asked){ .cut = false };
    if (st >= 0) {
        a->threads = prvcut_trace_threads(trace);
        st = prvcut_reduce(trace, &run, &options, &r, &err);
        prvcut_trace_close(trace);
    }
    if (r)
        take_answer(&a->answer, r);
    if (st == PRVCUT_OK && r && r->chops > 0)
        take_chop(a, prvcut_reduction_chop(r, 0));
    if (st < 0)
        snprintf(a->answer.why, sizeof a->answer.why, "%.250s", err.text);
    skewed = r && r->clocks && r->clocks->skewed;
    prvcut_reduction_free(r);
    return st >= 0 && (!a->cut || find_names(a, path)) &&
           (!skewed || !a->cut || find_clocks(a, path));
}

void window_asked_fini(struct window_asked *a)
{
    free(a->kept);
    a->kept = NULL;
}
