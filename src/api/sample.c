#include "prvcut/sample.h"
#include "api/entries.h"
#include "prvcut/structure.h"

#include "analysis/sample/sample.h"
#include "api/sample.h"
#include "base/memory.h"
#include "structure/loop.h"
#include "structure/vote.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLUSTERS 4
/* The search looks for 16 bins an iteration and more: of an interval it is given that many, so that
   one of two intervals is seen well, ... */
#define BINS_EACH 32
/* ... but of all no more than a trace has. */
#define BINS_ALL ((size_t)1 << 19)
/* Bins whose instructions differ less than this share are of as many instructions. */
#define SAME_WORK 0.01
/* Iterations whose lengths differ less than this share are of one loop: that of the structure,
   which one column tells finer. */
#define SAME_PERIOD 0.03

static const double asp_lengths[] = { 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2 };

/* --- The period ------------------------------------------------------------------------------- */

static bool sample_of_time(const struct prvcut_series *s, size_t instructions)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < s->rows; i++) {
        least = fmin(least, s->at[instructions][i]);
        most = fmax(most, s->at[instructions][i]);
    }
    return most > least * (1 + SAME_WORK);
}

/* What is predicted, an instruction, in one interval. */
static double sample_rate(const struct prvcut_sample_asked *a, size_t row)
{
    const double instructions = a->series->at[a->instructions][row];

    return instructions > 0 ? a->series->at[a->predict][row] / instructions : 0;
}

/* The same in several bins of 1 ns an interval, on straight lines from middle to middle of the
   intervals: steps at all of their borders would be a loop of one interval. */
static enum prvcut_status sample_signal(struct prvcut_signal *out,
                                        const struct prvcut_sample_asked *a, size_t each,
                                        struct prvcut_error *err)
{
    const size_t rows = a->series->rows;

    *out = (struct prvcut_signal){ .size = sizeof *out, .name = "series", .unit = "", .width = 1 };
    out->bins = rows * each;
    out->at = prvcut_zeroed(out->bins, sizeof *out->at, "a signal", err);
    for (size_t i = 0; out->at && i < out->bins; i++) {
        const double place = ((double)i + 0.5) / (double)each - 0.5;
        const double low = fmin(fmax(floor(place), 0), (double)(rows - 1));
        const double share = fmin(fmax(place - low, 0), 1);
        const size_t row = (size_t)low, next = row + 1 < rows ? row + 1 : row;

        out->at[i] = (1 - share) * sample_rate(a, row) + share * sample_rate(a, next);
    }
    return out->at ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* The loop of a series, in intervals. */
static enum prvcut_status sample_period(const struct prvcut_sample_asked *a,
                                        struct prvcut_loop *loop, struct prvcut_error *err)
{
    const size_t rows = a->series->rows, fit = BINS_ALL / rows;
    const size_t each = fit < 1 ? 1 : fit < BINS_EACH ? fit : BINS_EACH;
    struct prvcut_signal signal;
    enum prvcut_status st = sample_signal(&signal, a, each, err);

    if (st == PRVCUT_OK)
        st = prvcut_table_loop_find(loop, &signal, err);
    free(signal.at);
    loop->period_ns /= (double)each;
    return st;
}

/* The loop that the structure of the table has, in intervals; 0: it has none. It looks at all
   columns, so that it is believed before one of them. */
static enum prvcut_status sample_structure(double *out, const char *path,
                                           const struct prvcut_series *s,
                                           const struct prvcut_run *run, struct prvcut_error *err)
{
    struct prvcut_structure_options first = { .size = sizeof first, .levels = 1 };
    struct prvcut_series_told told;
    struct prvcut_error unread = { .status = PRVCUT_OK };
    const struct prvcut_region *main;
    struct prvcut_trace *trace = NULL;
    struct prvcut_structure *found = NULL;
    enum prvcut_status st;

    *out = 0;
    st = api_trace_open_series(&trace, path, NULL, NULL, &told, &unread);
    if (st == PRVCUT_OK) {
        first.metrics = told.metric;
        st = prvcut_structure_find(trace, run, &first, &found, &unread);
    }
    main = st == PRVCUT_OK && found->main != SIZE_MAX ? prvcut_structure_region(found, found->main)
                                                      : NULL;
    if (main && prvcut_trace_end(trace) > 0)
        *out = main->period_ns * (double)s->rows / (double)prvcut_trace_end(trace);
    prvcut_structure_free(found);
    prvcut_trace_close(trace);
    /* What a trace cannot hold, such as values beyond 64 bits, is no mistake here. */
    return st == PRVCUT_ENOMEM || st == PRVCUT_EINTERRUPTED ? prvcut_fail_as(err, st, &unread)
                                                            : PRVCUT_OK;
}

/* Both found the same. */
static bool sample_agrees(const struct prvcut_loop *loop, double structure)
{
    return loop->found && fabs(loop->period_ns / structure - 1) < SAME_PERIOD;
}

/* --- All of it -------------------------------------------------------------------------------- */

enum prvcut_status api_sample_check(const struct prvcut_sample_options *o, struct prvcut_error *err)
{
    if (o->clusters > PRVCUT_SAMPLE_CLUSTERS)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%" PRIu32 " clusters; at most %d are possible",
                           o->clusters, PRVCUT_SAMPLE_CLUSTERS);
    if (!(o->period >= 0))
        return prvcut_fail(err, PRVCUT_EUSAGE, "a period is more than 0 intervals");
    for (size_t i = 0; i < o->lengths; i++)
        if (!(o->length[i] > 0))
            return prvcut_fail(err, PRVCUT_EUSAGE, "a length is more than 0 periods");
    return PRVCUT_OK;
}

static enum prvcut_status sample_names(struct made_sample *out, const struct prvcut_sample_asked *a,
                                       const char *called, struct prvcut_error *err)
{
    out->called = prvcut_copied_text(called, "a name", err);
    out->chosen = prvcut_copied_text(a->series->name[a->choose_by], "a name", err);
    out->predicted = prvcut_copied_text(a->series->name[a->predict], "a name", err);
    out->is.name = out->called;
    out->is.choose_by = out->chosen;
    out->is.predict = out->predicted;
    return out->called && out->chosen && out->predicted ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static enum prvcut_status sample_no_loop(struct made_sample *out, const char *why,
                                         struct prvcut_error *err)
{
    out->no_loop = prvcut_copied_text(why, "a reason", err);
    out->is.no_loop = out->no_loop;
    return out->no_loop ? PRVCUT_NONE : PRVCUT_ENOMEM;
}

/* Without a period in o it is sought. */
enum prvcut_status api_sample_of(const struct prvcut_series *s, const char *called,
                                 double structure, const struct prvcut_sample_options *o,
                                 struct made_sample *out, struct prvcut_error *err)
{
    struct prvcut_sample_asked a = {
        .series = s,
        .period = o->period,
        .clusters = o->clusters > 0 ? o->clusters : CLUSTERS,
        .length = o->lengths > 0 ? o->length : asp_lengths,
        .lengths = o->lengths > 0 ? o->lengths : sizeof asp_lengths / sizeof *asp_lengths,
    };
    struct prvcut_loop loop = { .why = "" };
    enum prvcut_status st = api_sample_columns(s, o, &a, err);

    if (st == PRVCUT_OK)
        st = sample_names(out, &a, called, err);
    if (st < 0)
        return st;
    out->is.bins = s->rows;
    out->is.of_time = sample_of_time(s, a.instructions);
    out->is.period_given = o->period > 0;
    if (!out->is.period_given) {
        st = sample_period(&a, &loop, err);
        a.period = loop.period_ns;
        if (structure > 0 && !sample_agrees(&loop, structure))
            a.period = structure;
        if (structure > 0 && st == PRVCUT_OK)
            return prvcut_sample_judge(out, &a, err);
        if (st == PRVCUT_OK && !loop.found)
            return sample_no_loop(out, loop.why ? loop.why : "nothing repeats", err);
        /* What is alone must be as sure as what several agree on. */
        if (st == PRVCUT_OK && loop.strength < prvcut_parameter_of(NULL, PRVCUT_SET_CONFIDENCE))
            return sample_no_loop(out, "what repeats may do so by chance", err);
    }
    return st == PRVCUT_OK ? prvcut_sample_judge(out, &a, err) : st;
}

enum prvcut_status api_sample_series(const char *path, const struct prvcut_run *run,
                                     const struct prvcut_sample_options *options,
                                     struct made_sample *out, struct prvcut_error *err)
{
    const char *slash = strrchr(path, '/');
    struct prvcut_series s = { .name = NULL };
    double structure = 0;
    enum prvcut_status st = api_sample_check(options, err);

    if (st == PRVCUT_OK)
        st = prvcut_series_read(&s, path, err);
    if (st == PRVCUT_OK && !(options->period > 0) && strcmp(path, "-") != 0)
        st = sample_structure(&structure, path, &s, run, err);
    if (st == PRVCUT_OK)
        st = api_sample_of(&s, slash && slash[1] ? slash + 1 : path, structure, options, out, err);
    prvcut_series_fini(&s);
    return st;
}

void prvcut_sample_free(struct prvcut_sample *s)
{
    struct made_sample *made = (struct made_sample *)s;

    for (size_t i = 0; made && i < made->is.lengths; i++) {
        for (int t = 0; t < MADE_TECHNIQUES; t++)
            free(made->length[i].pick[t]);
        free(made->length[i].start);
    }
    for (size_t i = 0; made && i < made->is.warnings; i++)
        free(made->warning[i]);
    if (made) {
        for (size_t i = 0; i < made->is.planned; i++)
            free((char *)(uintptr_t)made->plan[i].counter);
        free(made->plan);
        free(made->length);
        free(made->warning);
        free(made->called);
        free(made->chosen);
        free(made->predicted);
        free(made->no_loop);
    }
    free(made);
}

/* --- What is asked of it ---------------------------------------------------------------------- */

const struct prvcut_sample_length *prvcut_sample_length(const struct prvcut_sample *s, size_t i)
{
    return i < s->lengths ? &made_sample_of(s)->length[i].is : NULL;
}

/* A length that has choices; NULL: there is none. */
static const struct made_sample_length *sample_chosen(const struct prvcut_sample *s, size_t i,
                                                      enum prvcut_technique t)
{
    return i < s->lengths && t < MADE_TECHNIQUES && !made_sample_of(s)->length[i].is.reason
               ? &made_sample_of(s)->length[i]
               : NULL;
}

const struct prvcut_sample_choice *prvcut_sample_choice(const struct prvcut_sample *s, size_t i,
                                                        enum prvcut_technique technique)
{
    const struct made_sample_length *l = sample_chosen(s, i, technique);

    return l ? &l->choice[technique] : NULL;
}

const struct prvcut_sample_pick *prvcut_sample_picks(const struct prvcut_sample *s, size_t i,
                                                     enum prvcut_technique technique)
{
    const struct made_sample_length *l = sample_chosen(s, i, technique);

    return l ? l->pick[technique] : NULL;
}

/* Does it leave anything out? What takes all is right, and no sample. */
static bool sample_samples(const struct prvcut_sample *s, size_t i,
                           const struct prvcut_sample_choice *c)
{
    return c->picks < prvcut_sample_length(s, i)->intervals;
}

size_t prvcut_sample_best(const struct prvcut_sample *s, enum prvcut_technique technique)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < s->lengths; i++) {
        const struct prvcut_sample_choice *c = prvcut_sample_choice(s, i, technique);

        c = c && sample_samples(s, i, c) ? c : NULL;
        if (c && (best == SIZE_MAX ||
                  c->error_percent < prvcut_sample_choice(s, best, technique)->error_percent))
            best = i;
    }
    return best;
}

const char *prvcut_sample_warning(const struct prvcut_sample *s, size_t i)
{
    return i < s->warnings ? made_sample_of(s)->warning[i] : NULL;
}

const struct prvcut_sample_plan *prvcut_sample_plan(const struct prvcut_sample *s, size_t i)
{
    return i < s->planned ? &made_sample_of(s)->plan[i] : NULL;
}

struct prvcut_span prvcut_sample_window(const struct prvcut_sample *s, size_t length,
                                        uint64_t interval)
{
    const struct prvcut_sample_length *l = prvcut_sample_length(s, length);
    const double bin = l ? (double)l->bins * s->bin_ns : 0;

    if (!(bin > 0) || interval >= l->intervals)
        return (struct prvcut_span){ 0, 0 };
    return (struct prvcut_span){ s->span.start + (uint64_t)((double)interval * bin),
                                 s->span.start + (uint64_t)((double)(interval + 1) * bin) };
}
