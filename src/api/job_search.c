#include "api/job.h"

#include "base/buffer.h"
#include "base/ordered.h"

#include <inttypes.h>
#include <math.h>
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
        return prvcut_signal_loop_find(&w->loop, signal, s->mask, s->masks, NULL, err);
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

static enum prvcut_status find_masks(struct job *j, struct prvcut_error *err)
{
    const uint64_t period = (uint64_t)j->loop.period_ns;
    const uint64_t useful = period * (j->options ? j->options->iterations : 2);
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

        if (w->calls || !job_signal(j, w->name)->at || s <= strength)
            continue;
        best = job_signal(j, w->name);
        strength = s;
    }
    return best;
}

static const char *const stand_names[] = {
    [PRVCUT_STAND_NONE] = "none",         [PRVCUT_STAND_CHOSEN] = "chosen",
    [PRVCUT_STAND_AGREES] = "agrees",     [PRVCUT_STAND_INNER] = "inner",
    [PRVCUT_STAND_MULTIPLE] = "multiple", [PRVCUT_STAND_DIFFERS] = "differs",
};

/* Absent: the trace does not hold what the metric is made of. */
static const char *status_of(const struct job *j, const struct prvcut_witness *w)
{
    for (unsigned i = 0; i < PRVCUT_METRICS; i++) {
        const struct prvcut_signal *s = &j->data.signal[i];

        if (s->name && strcmp(s->name, w->name) == 0 && !s->at)
            return "absent";
    }
    return stand_names[w->stand];
}

static enum prvcut_status votes(struct job *j, struct prvcut_error *err)
{
    struct prvcut_reduction *r = j->out;

    r->vote = calloc(j->witnesses + 1, sizeof *r->vote);
    if (!r->vote)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for votes");
    r->votes = j->witnesses;
    for (size_t i = 0; i < j->witnesses; i++) {
        const struct prvcut_witness *w = &j->witness[i];

        r->vote[i] = (struct prvcut_vote){ .metric = w->name,
                                           .status = status_of(j, w),
                                           .period_ns = w->loop.found ? w->loop.period_ns : 0,
                                           .iterations = w->loop.iterations,
                                           .strength = w->loop.strength,
                                           .span = w->loop.span,
                                           .why = w->loop.why ? w->loop.why : "" };
    }
    r->periodic = j->loop.found;
    r->period_ns = j->loop.found ? j->loop.period_ns : 0;
    r->median_ns = j->loop.median_ns;
    r->iterations = j->loop.iterations;
    r->phase = j->loop.span;
    r->confidence = j->wish.period_ns > 0 ? 1 : j->verdict.confidence;
    if (job_borders_known(j))
        r->calls_per_iteration = (double)j->calls.calls_per_iteration;
    return PRVCUT_OK;
}

static enum prvcut_status add_phase(struct job *j, size_t *room, const char *kind, uint64_t start,
                                    uint64_t end, const char *cause, struct prvcut_error *err)
{
    struct prvcut_structure *s = &j->out->structure;
    struct prvcut_region *p;

    if (end <= start)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&s->region, room, s->regions + 1, sizeof *s->region, err) < 0)
        return PRVCUT_ENOMEM;
    p = &s->region[s->regions++];
    *p = (struct prvcut_region){ .kind = kind,
                                 .span = { start, end },
                                 .cause = cause,
                                 .level = 1,
                                 .parent = SIZE_MAX,
                                 .source = "",
                                 .alphabet = "" };
    if (strcmp(kind, "periodic") == 0) {
        p->period_ns = j->loop.period_ns;
        p->iterations = (double)(end - start) / j->loop.period_ns;
    }
    return PRVCUT_OK;
}

/* Cause of the mask that covers a time. */
static const char *cause_at(const struct job *j, uint64_t t)
{
    for (size_t i = 0; i < j->masks.count; i++)
        if (j->masks.at[i].span.start <= t && t < j->masks.at[i].span.end)
            return j->masks.at[i].cause;
    return "";
}

/* One stretch of the run, its masked parts apart. */
static enum prvcut_status add_stretch(struct job *j, size_t *room, const char *kind, uint64_t start,
                                      uint64_t end, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < j->mask_spans && st == PRVCUT_OK; i++) {
        struct prvcut_span m = j->mask[i];

        if (m.end <= start || m.start >= end)
            continue;
        m.start = m.start < start ? start : m.start;
        m.end = m.end > end ? end : m.end;
        st = add_phase(j, room, kind, start, m.start, "", err);
        if (st == PRVCUT_OK)
            st = add_phase(j, room, "masked", m.start, m.end, cause_at(j, m.start), err);
        start = m.end;
    }
    return st < 0 ? st : add_phase(j, room, kind, start, end, "", err);
}

static enum prvcut_status phases(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_loop *l = &j->loop;
    size_t room = 0;
    enum prvcut_status st;

    if (!l->found)
        return add_stretch(j, &room, "aperiodic", 0, j->end_ns, err);
    st = add_stretch(j, &room, "initialisation", 0, l->span.start, err);
    if (st == PRVCUT_OK)
        st = add_stretch(j, &room, "periodic", l->span.start, l->span.end, err);
    return st < 0 ? st : add_stretch(j, &room, "end", l->span.end, j->end_ns, err);
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
                               .period_ns = (double)j->wish.period_ns,
                               .median_ns = (double)j->wish.period_ns,
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
                           j->wish.period_ns, l->iterations, ITERATIONS_MOST);
    return PRVCUT_OK;
}

/* The longest periodic region is what is cut by default. */
static enum prvcut_status number_regions(struct job *j, struct prvcut_error *err)
{
    struct prvcut_structure *s = &j->out->structure;
    struct prvcut_known_loops *f = &j->known;
    uint64_t longest = 0;

    s->main = SIZE_MAX;
    f->of_region = malloc((s->regions + 1) * sizeof *f->of_region);
    f->at = calloc(1, sizeof *f->at);
    if (!f->of_region || !f->at)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu regions", s->regions);
    f->count = f->room = 1;
    f->at[0].loop = j->loop;
    if (job_borders_known(j)) {
        f->at[0].calls = j->calls;
        memset(&j->calls, 0, sizeof j->calls);
        f->at[0].sequence = j->data.sequence;
    }
    if (reference(j))
        f->at[0].signal = *reference(j);
    for (size_t i = 0; i < s->regions; i++) {
        struct prvcut_region *r = &s->region[i];
        const bool periodic = strcmp(r->kind, "periodic") == 0;

        f->of_region[i] = periodic ? 0 : SIZE_MAX;
        if (!periodic)
            continue;
        r->loop = 1;
        s->loops = s->levels = 1;
        r->number = s->main == SIZE_MAX ? 1 : r->number;
        if (r->span.end - r->span.start > longest) {
            longest = r->span.end - r->span.start;
            s->main = i;
        }
    }
    return PRVCUT_OK;
}

enum prvcut_status job_divide(struct job *j, struct prvcut_error *err)
{
    enum prvcut_status st = find_loops(j, err);

    j->out->structure.end_ns = j->end_ns;
    j->out->structure.span = job_span(j);
    j->out->structure.reason = "";
    if (st < 0)
        return st;
    prvcut_vote(&j->verdict, j->witness, j->witnesses);
    if (j->wish.period_ns > 0)
        st = given_loop(j, err);
    else if (j->verdict.found) {
        j->loop = j->witness[j->verdict.chosen].loop;
        extend_loop(j);
    }
    if (st == PRVCUT_OK)
        st = votes(j, err);
    if (st == PRVCUT_OK)
        st = find_masks(j, err);
    if (st == PRVCUT_OK)
        st = phases(j, err);
    if (st == PRVCUT_OK)
        st = number_regions(j, err);
    j->out->structure.mask = j->masks.at;
    j->out->structure.masks = j->masks.count;
    j->masks = (struct prvcut_masks){ 0 };
    if (st < 0 || j->loop.found)
        return st;
    j->out->reason = j->out->structure.reason = j->verdict.why;
    return PRVCUT_END;
}
