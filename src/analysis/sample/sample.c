#include "analysis/sample/sample.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Shares of a trace that differ by less than this share of them do so by rounding. */
#define ROUNDED 1e-12

/* What a group of bins counted. */
static double smp_sum(const double *at, size_t from, size_t count)
{
    double sum = 0;

    for (size_t i = from; i < from + count; i++)
        sum += at[i];
    return sum;
}

/* An instruction, of each interval: x, and m, by which it is chosen. */
struct smp_rates {
    double *x, *m; /* [count]; owned */
    size_t count;
    bool idle; /* an interval has no instructions */
};

static void smp_rates_fini(struct smp_rates *r)
{
    free(r->x);
    free(r->m);
}

static enum prvcut_status smp_rates_make(struct smp_rates *r, const struct prvcut_sample_asked *a,
                                         size_t group, struct prvcut_error *err)
{
    const struct prvcut_series *s = a->series;

    *r = (struct smp_rates){ .count = s->rows / group };
    r->x = prvcut_zeroed(r->count, sizeof *r->x, "intervals", err);
    r->m = prvcut_zeroed(r->count, sizeof *r->m, "intervals", err);
    if (!r->x || !r->m)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < r->count; i++) {
        const double instructions = smp_sum(s->at[a->instructions], i * group, group);

        r->idle |= !(instructions > 0);
        r->x[i] = smp_sum(s->at[a->predict], i * group, group) / instructions;
        r->m[i] = smp_sum(s->at[a->choose_by], i * group, group) / instructions;
    }
    return PRVCUT_OK;
}

static void smp_judge(const struct made_sample *s, struct made_sample_length *l,
                      const struct smp_rates *r)
{
    for (int t = 0; t < MADE_TECHNIQUES; t++) {
        struct prvcut_sample_choice *c = &l->choice[t];

        c->technique = (enum prvcut_technique)t;
        for (size_t i = 0; i < c->picks; i++)
            c->value += l->pick[t][i].weight * r->x[l->pick[t][i].interval];
        c->error_percent = 100 * fabs(c->value / s->is.whole - 1);
    }
}

/* What a trace counts is divided among bins, and rounded; what a table tells is as it is. */
static double smp_equal(const struct prvcut_series *s)
{
    return s->line && s->rows > 0 && s->line[0] > 0 ? 0 : ROUNDED;
}

static enum prvcut_status smp_choose(const struct made_sample *s, struct made_sample_length *l,
                                     const struct prvcut_sample_asked *a, const struct smp_rates *r,
                                     struct prvcut_error *err)
{
    size_t picks[MADE_TECHNIQUES];
    enum prvcut_status st = PRVCUT_OK;

    for (int t = 0; t < MADE_TECHNIQUES && st == PRVCUT_OK; t++) {
        l->pick[t] = prvcut_zeroed(a->clusters, sizeof **l->pick, "choices", err);
        st = l->pick[t] ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (st == PRVCUT_OK)
        st = prvcut_sample_choose(l->pick, picks, r->m, r->count, smp_equal(a->series), a->clusters,
                                  err);
    for (int t = 0; t < MADE_TECHNIQUES && st == PRVCUT_OK; t++)
        l->choice[t].picks = picks[t];
    if (st == PRVCUT_OK)
        smp_judge(s, l, r);
    return st;
}

/* How many instructions come before each interval of MSP. */
static enum prvcut_status smp_starts(struct made_sample_length *l,
                                     const struct prvcut_sample_asked *a, struct prvcut_error *err)
{
    const size_t picks = l->choice[PRVCUT_TECHNIQUE_MSP].picks;

    l->start = prvcut_zeroed(picks, sizeof *l->start, "choices", err);
    if (!l->start)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < picks; i++)
        l->start[i] = smp_sum(a->series->at[a->instructions], 0,
                              l->pick[PRVCUT_TECHNIQUE_MSP][i].interval * l->is.bins);
    return PRVCUT_OK;
}

static enum prvcut_status smp_length(const struct made_sample *s, struct made_sample_length *l,
                                     const struct prvcut_sample_asked *a, double periods,
                                     struct prvcut_error *err)
{
    const double bins = fmax(1, round(periods * a->period));
    struct smp_rates r = { .x = NULL };
    enum prvcut_status st = PRVCUT_OK;

    l->is = (struct prvcut_sample_length){ .periods = periods };
    if (!(bins <= (double)a->series->rows)) {
        l->is.reason = "the series is shorter";
        return PRVCUT_OK;
    }
    l->is.bins = (uint64_t)bins;
    st = smp_rates_make(&r, a, (size_t)bins, err);
    l->is.intervals = r.count;
    if (st == PRVCUT_OK && r.idle)
        l->is.reason = "an interval has no instructions";
    else if (st == PRVCUT_OK)
        st = smp_choose(s, l, a, &r, err);
    if (st == PRVCUT_OK && !l->is.reason)
        st = smp_starts(l, a, err);
    smp_rates_fini(&r);
    return st;
}

enum prvcut_status prvcut_sample_judge(struct made_sample *out,
                                       const struct prvcut_sample_asked *asked,
                                       struct prvcut_error *err)
{
    const struct prvcut_series *s = asked->series;
    enum prvcut_status st = PRVCUT_OK;

    out->is.bins = s->rows;
    out->is.period = asked->period;
    out->is.clusters = asked->clusters;
    out->is.whole = smp_sum(s->at[asked->predict], 0, s->rows) /
                    smp_sum(s->at[asked->instructions], 0, s->rows);
    out->length = prvcut_zeroed(asked->lengths, sizeof *out->length, "lengths", err);
    if (!out->length)
        return PRVCUT_ENOMEM;
    out->is.lengths = asked->lengths;
    for (size_t i = 0; i < asked->lengths && st == PRVCUT_OK; i++)
        st = smp_length(out, &out->length[i], asked, asked->length[i], err);
    return st;
}
