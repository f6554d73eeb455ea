#include "prvcut/reduce.h"

#include "api/job.h"
#include "api/names.h"

#include "base/ordered.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void prvcut_reduction_fini(struct prvcut_reduction *r)
{
    for (size_t i = 0; i < r->masks; i++)
        free(r->mask[i].thread);
    for (unsigned i = 0; i < r->notes; i++)
        free(r->note[i]);
    free(r->path);
    free(r->vote);
    free(r->mask);
    free(r->phases);
    prvcut_cut_summary_fini(&r->cut);
    memset(r, 0, sizeof *r);
}

/* --- What the witnesses see ------------------------------------------------------------------ */

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

static const struct prvcut_signal *signal_of(const struct job *j, const char *name)
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
    signal = signal_of(j, w->name);
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

static enum prvcut_status find_loops(struct job *j, struct prvcut_error *err)
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

/* --- Choice and cut ----------------------------------------------------------------------------
 */

static struct prvcut_span trace_span(const struct job *j)
{
    const struct prvcut_span *only = &j->options->only;
    struct prvcut_span all = { 0, j->end_ns };

    if (only->end > 0)
        all = (struct prvcut_span){ only->start, only->end < j->end_ns ? only->end : j->end_ns };
    return all;
}

/* Less than this share of the span is not worth following another witness. */
#define EXTENSION 0.05

/*
 * A signal follows the loop as far as it is clear in it, and call sequences that are too long are
 * known from the run's beginning only: where others saw clearly more of it, it goes on as far.
 */
static void extend_loop(struct job *j)
{
    const bool calls = j->witness[j->verdict.chosen].calls;
    struct prvcut_span span = j->loop.span;

    for (size_t i = 0; i < j->witnesses; i++) {
        const struct prvcut_loop *l = &j->witness[i].loop;

        if (j->witness[i].stand != PRVCUT_STAND_AGREES)
            continue;
        if (l->span.start < span.start)
            span.start = l->span.start;
        if (l->span.end > span.end)
            span.end = l->span.end;
    }
    if (calls)
        span.start = j->loop.span.start;
    if ((calls && !j->data.calls_cut_short) ||
        (double)(span.end - span.start) <
            (1 + EXTENSION) * (double)(j->loop.span.end - j->loop.span.start))
        return;
    j->loop.span = span;
    j->loop.iterations = round((double)(span.end - span.start) / j->loop.period_ns);
}

/* A period given by hand that differs from this share of the calls' own is another loop. */
#define SAME 0.05

bool job_borders_known(const struct job *j)
{
    const struct prvcut_witness *w = &j->witness[j->verdict.chosen];

    return j->verdict.found && w->calls && fabs(w->loop.period_ns / j->loop.period_ns - 1) < SAME;
}

/* Borders that are laid by a given period: far more than a run's bins could show. */
#define ITERATIONS_MOST 1048576.0

/* A period given by hand: the loop is wherever the signals see the computation phase. */
static enum prvcut_status given_loop(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_witness *seen = NULL;
    struct prvcut_loop *l = &j->loop;

    *l = (struct prvcut_loop){ .found = true,
                               .period_ns = (double)j->options->period_ns,
                               .median_ns = (double)j->options->period_ns,
                               .span = trace_span(j),
                               .strength = 1 };
    if (j->verdict.found)
        seen = &j->witness[j->verdict.chosen];
    for (size_t i = 0; i < j->witnesses && !seen; i++)
        if (j->witness[i].loop.found)
            seen = &j->witness[i];
    if (seen)
        l->span = seen->loop.span;
    l->iterations = (double)(l->span.end - l->span.start) / l->period_ns;
    if (l->iterations > ITERATIONS_MOST)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a period of %" PRIu64 " ns would repeat %.0f times, more than %.0f",
                           j->options->period_ns, l->iterations, ITERATIONS_MOST);
    return PRVCUT_OK;
}

static enum prvcut_status find_masks(struct job *j, struct prvcut_error *err)
{
    const uint64_t period = (uint64_t)j->loop.period_ns;
    const uint64_t useful = period * j->options->iterations;
    enum prvcut_status st = prvcut_masks_find(&j->masks, &j->data, useful, period, err);

    for (size_t i = 0; st == PRVCUT_OK && i < j->masks.count; i++)
        if (j->masks.at[i].span.end > j->end_ns)
            j->masks.at[i].span.end = j->end_ns;
    /* A compressed trace would be read from its beginning for every mask. */
    if (st == PRVCUT_OK && j->trace->seekable)
        st = prvcut_masks_affected(&j->masks, j->trace, j->run, err);
    return st < 0 ? st : prvcut_masks_spans(&j->masks, &j->mask, &j->mask_spans, err);
}

static const struct prvcut_signal *reference(const struct job *j)
{
    const struct prvcut_signal *best = NULL;
    double strength = -1;

    for (size_t i = 0; i < j->witnesses; i++) {
        const struct prvcut_witness *w = &j->witness[i];
        const double s = w->stand == PRVCUT_STAND_CHOSEN || w->stand == PRVCUT_STAND_AGREES
                             ? w->loop.strength
                             : 0;

        if (w->calls || !signal_of(j, w->name)->at || s <= strength)
            continue;
        best = signal_of(j, w->name);
        strength = s;
    }
    return best;
}

static uint64_t within(uint64_t t, const struct prvcut_span *all)
{
    return t < all->start ? all->start : t > all->end ? all->end : t;
}

/* Neither a bin's width nor a border's freedom leads out of what was to be analysed. */
static void keep_inside(struct prvcut_choice *c, struct prvcut_span all)
{
    struct prvcut_span *const span[] = { &c->window, &c->left, &c->right };

    for (size_t i = 0; i < sizeof span / sizeof *span; i++) {
        span[i]->start = within(span[i]->start, &all);
        span[i]->end = within(span[i]->end, &all);
    }
}

static enum prvcut_status choose(struct job *j, struct prvcut_choice *choice,
                                 struct prvcut_error *err)
{
    const bool by_calls = job_borders_known(j);
    const struct prvcut_choice_input in = { .loop = &j->loop,
                                            .calls = by_calls ? &j->calls : NULL,
                                            .signal = reference(j),
                                            .mask = j->mask,
                                            .masks = j->mask_spans,
                                            .iterations = j->options->iterations };
    enum prvcut_status st = prvcut_choose(choice, &in, err);

    if (st == PRVCUT_OK && choice->found)
        keep_inside(choice, trace_span(j));
    if (st == PRVCUT_OK && choice->found && !j->trace->once)
        st = prvcut_choice_refine(choice, j->trace, j->run, err);
    return st;
}

static enum prvcut_status cut(struct job *j, const struct prvcut_choice *choice,
                              struct prvcut_error *err)
{
    const struct prvcut_window window = { .from = choice->window.start, .to = choice->window.end };
    struct prvcut_cut_options o = j->options->cut;
    char *path = NULL;
    enum prvcut_status st;

    if (!o.path) {
        st = prvcut_output_name(&path, j->trace->path, "chop1", o.compress, err);
        if (st < 0)
            return st;
        o.path = path;
    }
    st = j->trace->reader->cut(j->trace, j->run, &window, &o, &j->out->cut, err);
    free(path);
    return st;
}

static enum prvcut_status choose_and_cut(struct job *j, struct prvcut_error *err)
{
    struct prvcut_choice choice;
    enum prvcut_status st = find_masks(j, err);

    if (st == PRVCUT_OK)
        st = job_phases(j, err);
    if (st == PRVCUT_OK)
        st = choose(j, &choice, err);
    if (st < 0)
        return st;
    j->out->window_iterations = j->options->iterations;
    j->out->window_why = choice.why;
    j->out->similarity = choice.similarity;
    if (!choice.found)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%u iterations were asked for, but the periodic phase holds only %.0f",
                           j->options->iterations, j->loop.iterations);
    return cut(j, &choice, err);
}

/* --- The whole job ------------------------------------------------------------------------------
 */

static enum prvcut_status decide(struct job *j, struct prvcut_error *err)
{
    enum prvcut_status st = find_loops(j, err);

    if (st < 0)
        return st;
    prvcut_vote(&j->verdict, j->witness, j->witnesses);
    if (j->options->period_ns > 0)
        st = given_loop(j, err);
    else if (j->verdict.found) {
        j->loop = j->witness[j->verdict.chosen].loop;
        extend_loop(j);
    }
    if (st == PRVCUT_OK)
        st = job_votes(j, err);
    if (st < 0)
        return st;
    if (!j->loop.found) {
        j->out->reason = j->verdict.why;
        st = find_masks(j, err);
        if (st == PRVCUT_OK)
            st = job_phases(j, err);
        return st < 0 ? st : PRVCUT_END;
    }
    return choose_and_cut(j, err);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum prvcut_status usable(const struct prvcut_trace *t,
                                 const struct prvcut_reduce_options *o, struct prvcut_error *err)
{
    if (o->iterations == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "0 iterations are nothing to keep");
    if (t->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a reduction reads the trace twice and cannot take it from a pipe; "
                           "save it to a file first",
                           t->path);
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it ends at %" PRIu64 " ns and begins at %" PRIu64
                           " ns",
                           o->only.end, o->only.start);
    return PRVCUT_OK;
}

enum prvcut_status prvcut_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_reduce_options *options,
                                 struct prvcut_reduction *out, struct prvcut_error *err)
{
    const double start = seconds();
    struct job j = { .trace = trace, .run = run, .options = options, .out = out };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    out->reason = out->window_why = "";
    out->dry_run = options->cut.dry_run;
    st = usable(trace, options, err);
    if (st == PRVCUT_OK)
        st = job_collect(&j, err);
    if (st == PRVCUT_OK)
        st = decide(&j, err);
    if (st >= 0)
        job_hand_over(&j);
    job_fini(&j);
    out->elapsed_s = seconds() - start;
    return st;
}
