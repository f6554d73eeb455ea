#include "api/entries.h"
#include "api/sample.h"

#include "analysis/sample/bins.h"
#include "api/answers.h"
#include "api/called.h"
#include "api/opening.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "model/texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bins of an iteration. */
#define BINS_EACH 20
/* Bins of all of the window where no structure tells an iteration. */
#define BINS_BLIND ((size_t)1 << 14)
/* Groups of counters in a plan. */
#define GROUPS_MOST 64

enum prvcut_status api_sample_warn(struct made_sample *s, struct prvcut_error *err,
                                   const char *format, ...)
{
    enum prvcut_status st;
    va_list args;

    va_start(args, format);
    st = prvcut_texts_say(&s->warning, &s->is.warnings, err, format, args);
    va_end(args);
    return st;
}

/* --- Where, and how long an iteration is ------------------------------------------------------ */

/* The window, and the period in ns; 0: none is known. */
struct ast_place {
    struct prvcut_span span;
    double period;
    uint64_t start; /* ns, of the first iteration after the initialisation */
};

static const struct made_region *smt_longest(const struct made_structure *s, unsigned level,
                                             const struct made_region **first)
{
    const struct made_region *best = NULL;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *r = &s->region[i].is;

        if (r->number == 0 || r->level != level || r->group > 0)
            continue;
        if (!best || r->span.end - r->span.start > best->is.span.end - best->is.span.start)
            best = &s->region[i];
    }
    *first = best;
    for (size_t i = 0; best && i < s->is.regions; i++)
        if (s->region[i].is.loop == best->is.loop &&
            s->region[i].is.span.start < (*first)->is.span.start)
            *first = &s->region[i];
    return best;
}

static uint64_t smt_begin(const struct made_region *r)
{
    return r->is.borders > 0 ? r->is.border[0] : r->is.span.start;
}

static enum prvcut_status smt_search(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_sample_options *o, struct ast_place *p,
                                     struct prvcut_error *err)
{
    const unsigned level = o->level > 0 ? o->level : 1;
    const struct prvcut_structure_options wanted = { .size = sizeof wanted,
                                                     .only = o->only,
                                                     .levels = level };
    struct made_structure *s = prvcut_zeroed(1, sizeof *s, "a structure", err);
    const struct made_region *r, *first;
    enum prvcut_status st = s ? api_structure_find(trace, run, &wanted, s, err) : PRVCUT_ENOMEM;

    if (st >= 0 && (r = smt_longest(s, level, &first)) != NULL) {
        p->period = r->is.period_ns;
        p->start = smt_begin(first);
        if (o->only.end == 0)
            p->span = (struct prvcut_span){ smt_begin(r), r->is.borders > 1
                                                              ? r->is.border[r->is.borders - 1]
                                                              : r->is.span.end };
    }
    /* Where there is a loop at all, its levels are told; else the counters may show one. */
    if (st >= 0 && p->period == 0 && level > 1 && s->is.levels > 0) {
        prvcut_instead(err, "--level %u", s->is.levels);
        st = prvcut_fail(err, PRVCUT_EUSAGE, "no loop at level %u; the deepest is %u", level,
                         s->is.levels);
    }
    if (s)
        api_structure_fini(s);
    free(s);
    return st < 0 ? st : PRVCUT_OK;
}

static enum prvcut_status smt_find(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_sample_options *o, struct ast_place *p,
                                   struct prvcut_error *err)
{
    p->span = o->only.end > 0 ? o->only : (struct prvcut_span){ 0, trace->end_ns };
    p->period = o->period;
    p->start = p->span.start;
    return o->period > 0 ? PRVCUT_OK : smt_search(trace, run, o, p, err);
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* given: the period is */
static enum prvcut_status smt_bins(const struct ast_place *p, bool given, size_t *bins,
                                   struct prvcut_error *err)
{
    const double wanted = p->period > 0
                              ? round(BINS_EACH * (double)(p->span.end - p->span.start) / p->period)
                              : (double)BINS_BLIND;

    if (!(wanted >= 1))
        return prvcut_fail(err, PRVCUT_EUSAGE, "the window is shorter than a part of an iteration");
    if (wanted > (double)PRVCUT_BINS_MOST && given)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a period of %.0fns comes %.0f times; at most %zu are looked at: name a "
                           "longer one, or a shorter window",
                           p->period, wanted / BINS_EACH, PRVCUT_BINS_MOST / BINS_EACH);
    if (wanted > (double)PRVCUT_BINS_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT,
                           "%.0f iterations are too many: name a window of %zu at most",
                           wanted / BINS_EACH, PRVCUT_BINS_MOST / BINS_EACH);
    *bins = (size_t)wanted;
    return PRVCUT_OK;
}

/* Most of the time is counted in longer pieces than a bin. */
static enum prvcut_status smt_sparse(struct made_sample *out, const struct prvcut_bins_found *f,
                                     struct prvcut_error *err)
{
    char text[32], bin[32];

    if (f->wide == 0 || f->wide_ns < f->ns / 2)
        return PRVCUT_OK;
    return api_sample_warn(out, err,
                           "counters are read once in %s, and what happens inside a bin of %s is "
                           "not known",
                           prvcut_time_text(text, (double)f->wide_ns / (double)f->wide),
                           prvcut_time_text(bin, out->is.bin_ns));
}

static enum prvcut_status smt_uncounted(struct made_sample *out, const char *called,
                                        struct prvcut_error *err)
{
    out->called = prvcut_copied_text(called, "a name", err);
    out->is.name = out->called;
    out->is.reason = "no hardware counters";
    return out->called ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status smt_sample(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_sample_options *options,
                                     const struct ast_place *p, struct made_sample *out,
                                     struct prvcut_error *err)
{
    struct prvcut_sample_options o = *options;
    struct prvcut_bins_found f = { .ns = 0 };
    size_t bins = 0;
    char *called = NULL;
    enum prvcut_status st = smt_bins(p, options->period > 0, &bins, err);

    out->is.span = p->span;
    out->is.end_ns = trace->end_ns;
    out->is.bin_ns = bins > 0 ? (double)(p->span.end - p->span.start) / (double)bins : 0;
    if (st == PRVCUT_OK)
        st = prvcut_bins_read(&f, trace, run, &p->span, bins, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_called(&called, trace, err);
    o.period = p->period > 0 ? p->period / out->is.bin_ns : 0;
    if (st == PRVCUT_OK && f.series.columns == 0)
        st = smt_uncounted(out, called, err);
    else if (st == PRVCUT_OK)
        st = api_sample_of(&f.series, called, 0, &o, out, err);
    out->is.of_time = true;
    out->is.period_given = options->period > 0;
    out->is.iterations = out->is.period > 0 ? (double)out->is.bins / out->is.period : 0;
    if (st == PRVCUT_OK)
        st = smt_sparse(out, &f, err);
    prvcut_bins_found_fini(&f);
    free(called);
    return st;
}

/* --- The plan --------------------------------------------------------------------------------- */

static enum prvcut_status smt_plan_add(struct made_sample *out, size_t *room, const char *at,
                                       size_t length, struct prvcut_error *err)
{
    struct prvcut_sample_plan *p;

    if (prvcut_grow((void **)&out->plan, room, out->is.planned + 1, sizeof *out->plan, err) < 0)
        return PRVCUT_ENOMEM;
    p = &out->plan[out->is.planned];
    *p = (struct prvcut_sample_plan){ .group = out->is.groups - 1,
                                      .counted = (double)NAN,
                                      .run = (double)NAN,
                                      .loop = (double)NAN,
                                      .real = (double)NAN,
                                      .error_percent = (double)NAN,
                                      .counter =
                                          prvcut_copied(at, length, "a counter's name", err) };
    if (!p->counter)
        return PRVCUT_ENOMEM;
    out->is.planned++;
    return PRVCUT_OK;
}

/* "A,B;C,D" */
static enum prvcut_status smt_plan_parse(struct made_sample *out, const char *plan,
                                         struct prvcut_error *err)
{
    size_t room = 0;

    out->is.groups = 1;
    for (const char *at = plan;; at++) {
        const size_t length = strcspn(at, ",;");

        if (length == 0)
            return prvcut_fail(err, PRVCUT_EUSAGE,
                               "'%.200s': groups of counters are written A,B;C,D", plan);
        if (smt_plan_add(out, &room, at, length, err) < 0)
            return PRVCUT_ENOMEM;
        at += length;
        out->is.groups += *at == ';';
        if (out->is.groups > GROUPS_MOST)
            return prvcut_fail(err, PRVCUT_EUSAGE, "more than %d groups of counters", GROUPS_MOST);
        if (*at == '\0')
            return PRVCUT_OK;
    }
}

/* counted: a bin a group; all: one bin, the run. */
static void smt_plan_fill(struct made_sample *out, const struct prvcut_series *counted,
                          const struct prvcut_series *all, const struct ast_place *p)
{
    for (size_t i = 0; i < out->is.planned; i++) {
        struct prvcut_sample_plan *l = &out->plan[i];
        const size_t column = api_sample_column(counted, l->counter);
        const size_t real = api_sample_column(all, l->counter);
        const double begin = (double)p->start + (double)l->group * p->period;

        l->window = (struct prvcut_span){ (uint64_t)begin, (uint64_t)(begin + p->period) };
        if (column != SIZE_MAX) {
            l->counted = counted->at[column][l->group];
            l->run = l->counted * (double)out->is.end_ns / p->period;
            l->loop = l->counted * out->is.iterations;
        }
        if (real != SIZE_MAX)
            l->real = all->at[real][0];
        if (l->real > 0)
            l->error_percent = 100 * fabs(l->run / l->real - 1);
    }
}

static enum prvcut_status smt_plan(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const char *plan, const struct ast_place *p,
                                   struct made_sample *out, struct prvcut_error *err)
{
    const struct prvcut_span whole = { 0, trace->end_ns };
    struct prvcut_bins_found counted = { .ns = 0 }, all = { .ns = 0 };
    struct prvcut_span windows = { p->start, 0 };
    enum prvcut_status st = smt_plan_parse(out, plan, err);

    windows.end = p->start + (uint64_t)((double)out->is.groups * p->period);
    if (st == PRVCUT_OK && windows.end > trace->end_ns)
        st = prvcut_fail(err, PRVCUT_EUSAGE,
                         "%zu groups need as many iterations from %" PRIu64 "ns on, and the run "
                         "ends before",
                         out->is.groups, p->start);
    if (st == PRVCUT_OK)
        st = prvcut_bins_read(&counted, trace, run, &windows, out->is.groups, err);
    if (st == PRVCUT_OK)
        st = prvcut_bins_read(&all, trace, run, &whole, 1, err);
    if (st == PRVCUT_OK)
        smt_plan_fill(out, &counted.series, &all.series, p);
    prvcut_bins_found_fini(&counted);
    prvcut_bins_found_fini(&all);
    return st;
}

enum prvcut_status api_sample_trace(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_sample_options *options,
                                    struct made_sample *out, struct prvcut_error *err)
{
    struct ast_place p = { .period = 0 };
    enum prvcut_status st = api_sample_check(options, err);

    if (st == PRVCUT_OK && options->only.end > 0 && options->only.end <= options->only.start)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "the window is empty");
    if (st == PRVCUT_OK)
        st = smt_find(trace, run, options, &p, err);
    if (st == PRVCUT_OK)
        st = smt_sample(trace, run, options, &p, out, err);
    p.period = p.period > 0 ? p.period : out->is.period * out->is.bin_ns;
    if (st == PRVCUT_OK && options->plan && !out->is.reason)
        st = smt_plan(trace, run, options->plan, &p, out, err);
    return prvcut_trace_outcome(trace, st, err);
}
