#include "prvcut/reduce.h"

#include "api/job.h"

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

struct prvcut_span job_span(const struct job *j)
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
                               .span = job_span(j),
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

static enum prvcut_status decide(struct job *j, struct prvcut_error *err)
{
    enum prvcut_status st = job_find_loops(j, err);

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
        st = job_find_masks(j, err);
        if (st == PRVCUT_OK)
            st = job_phases(j, err);
        return st < 0 ? st : PRVCUT_END;
    }
    return job_choose_and_cut(j, err);
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum prvcut_status known_alignment(const char *align, struct prvcut_error *err)
{
    static const char *const known[] = { "auto", "calls", "straight" };

    for (size_t i = 0; align && i < sizeof known / sizeof *known; i++)
        if (strcmp(align, known[i]) == 0)
            return PRVCUT_OK;
    return !align ? PRVCUT_OK
                  : prvcut_fail(err, PRVCUT_EUSAGE,
                                "alignment '%s' is none of: auto calls straight", align);
}

static void report_clocks(struct prvcut_reduction *r, const struct prvcut_clocks *c)
{
    r->clocks = (struct prvcut_clock_report){ .skewed = c->skewed, .source = "" };
    if (!c->skewed)
        return;
    r->clocks.spread_ns = (uint64_t)(c->most - c->least);
    r->clocks.doubt_ns = c->doubt;
    r->clocks.residual_ns = c->residual;
    r->clocks.unknown = c->unknown;
    r->clocks.source = c->source;
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
    if (!t->reader->cut)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a trace in format %s cannot be written; convert it first", t->path,
                           t->reader->name);
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it ends at %" PRIu64 " ns and begins at %" PRIu64
                           " ns",
                           o->only.end, o->only.start);
    return known_alignment(o->align, err);
}

enum prvcut_status prvcut_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_reduce_options *options,
                                 struct prvcut_reduction *out, struct prvcut_error *err)
{
    const double start = seconds();
    struct job j = { .trace = trace, .run = run, .options = options, .out = out };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    out->reason = out->window_why = out->align = out->align_why = "";
    report_clocks(out, &trace->clocks);
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
