#include "analysis/predict/predict.h"

#include "model/factors.h"
#include "model/texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Beyond so many times the largest run nothing is known. */
#define FAR 4
/* An interval that is wider than this factor tells little. */
#define WIDE 2
/* An efficiency that is so far above 1 is none. */
#define SHARE_MOST 1.2

const char *prvcut_predict_name(enum prvcut_factor f)
{
    static const char *const name[] = {
        [PRVCUT_FACTOR_LOAD_BALANCE] = "load balance",
        [PRVCUT_FACTOR_SERIALIZATION] = "serialization",
        [PRVCUT_FACTOR_TRANSFER] = "transfer",
        [PRVCUT_FACTOR_COMMUNICATION] = "communication",
        [PRVCUT_FACTOR_IPC] = "instructions a cycle",
        [PRVCUT_FACTOR_FREQUENCY] = "frequency",
        [PRVCUT_FACTOR_INSTRUCTIONS] = "instructions",
        [PRVCUT_FACTOR_COMPUTING] = "computing time",
    };

    return name[f];
}

static enum prvcut_status prw_put(struct made_prediction *p, struct prvcut_error *err,
                                  const char *format, ...) __attribute__((format(printf, 3, 4)));

static enum prvcut_status prw_put(struct made_prediction *p, struct prvcut_error *err,
                                  const char *format, ...)
{
    enum prvcut_status st;
    va_list args;

    va_start(args, format);
    st = prvcut_texts_say(&p->warning, &p->is.warnings, err, format, args);
    va_end(args);
    return st;
}

/* The last run that is fitted. */
static const struct made_prediction_run *prw_largest(const struct made_prediction *p)
{
    size_t i = p->is.runs;

    while (i > 1 && !p->run[i - 1].is.fitted)
        i--;
    return &p->run[i - 1];
}

static enum prvcut_status prw_far(struct made_prediction *p,
                                  const struct prvcut_prediction_point *at,
                                  struct prvcut_error *err)
{
    const uint32_t largest = prw_largest(p)->is.processes;

    if (at->processes / FAR < largest || at->processes == (uint64_t)FAR * largest)
        return PRVCUT_OK;
    return prw_put(p, err,
                   "%" PRIu32 " processes are %.3g times the largest run that is fitted (%" PRIu32
                   "): no fit reaches that far",
                   at->processes, (double)at->processes / largest, largest);
}

static enum prvcut_status prw_wide(struct made_prediction *p,
                                   const struct prvcut_prediction_point *at,
                                   struct prvcut_error *err)
{
    if (!(at->high / at->low > WIDE))
        return PRVCUT_OK;
    return prw_put(p, err,
                   "%" PRIu32 " processes: the interval ends at %.3g times its start; more runs "
                   "make it narrower",
                   at->processes, at->high / at->low);
}

/* As an efficiency, or as a scalability over the first run. */
static double prw_share(const struct prvcut_prediction_factor *f)
{
    if (f->factor <= PRVCUT_FACTOR_COMMUNICATION)
        return f->value;
    return f->factor == PRVCUT_FACTOR_INSTRUCTIONS || f->factor == PRVCUT_FACTOR_COMPUTING
               ? f->first / f->value
               : f->value / f->first;
}

static enum prvcut_status prw_factors(struct made_prediction *p,
                                      const struct made_prediction_point *at,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->is.factors && st == PRVCUT_OK; i++) {
        const struct prvcut_prediction_factor *f = &at->factor[i];
        const char *name = prvcut_predict_name(f->factor);

        if (f->reason)
            st =
                prw_put(p, err, "%" PRIu32 " processes: %s: %s", at->is.processes, name, f->reason);
        else if (f->capped)
            st = prw_put(p, err, "%" PRIu32 " processes: %s: the fit is %.3g; 1 is taken",
                         at->is.processes, name, at->fitted[i]);
        else if (prw_share(f) > SHARE_MOST)
            st = prw_put(p, err, "%" PRIu32 " processes: %s becomes %.3g times better",
                         at->is.processes, name, prw_share(f));
    }
    return st;
}

/* Without counters: so many times more, or less, computing a step asks for the input. Set by hand:
   runs on more ranks, by one tracer, had 0.74 to 1.08 times as much; memory takes its share. */
#define COMPUTING_OFF 1.5

/* Of a run, of each process where these have the same work. */
static double prw_work(const struct made_prediction *p, const struct made_prediction_run *r,
                       enum prvcut_factor told)
{
    return r->factor[told] / (p->is.weak ? r->is.processes : 1);
}

/* What both runs tell of their work. */
static enum prvcut_factor prw_told(const struct made_prediction_run *a,
                                   const struct made_prediction_run *b)
{
    return isnan(a->factor[PRVCUT_FACTOR_INSTRUCTIONS]) ||
                   isnan(b->factor[PRVCUT_FACTOR_INSTRUCTIONS])
               ? PRVCUT_FACTOR_COMPUTING
               : PRVCUT_FACTOR_INSTRUCTIONS;
}

static bool prw_is_off(double times, enum prvcut_factor told)
{
    if (told != PRVCUT_FACTOR_COMPUTING)
        return fabs(times - 1) > PRVCUT_FACTORS_OTHER_WORK;
    /* Of runs that cannot be of the same work there is no speedup, which is told. */
    return (times > COMPUTING_OFF || times * COMPUTING_OFF < 1) &&
           !prvcut_factors_is_other(times, 1);
}

static enum prvcut_status prw_inputs(struct made_prediction *p, struct prvcut_error *err)
{
    const struct made_prediction_run *before = NULL;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->is.runs && st == PRVCUT_OK; i++) {
        const struct made_prediction_run *r = &p->run[i];
        const enum prvcut_factor told = before ? prw_told(r, before) : PRVCUT_FACTOR_INSTRUCTIONS;
        const double times = before ? prw_work(p, r, told) / prw_work(p, before, told) : 1;

        if (!r->is.fitted)
            continue;
        if (prw_is_off(times, told))
            st = prw_put(p, err,
                         "from %" PRIu32 " to %" PRIu32 " processes the %s%s %s by %+.0f %%: do "
                         "these runs have the same input?",
                         before->is.processes, r->is.processes, prvcut_predict_name(told),
                         p->is.weak ? " of a process" : "",
                         told == PRVCUT_FACTOR_COMPUTING ? "changes" : "change", 100 * (times - 1));
        before = r;
    }
    return st;
}

/* Runs whose numbers are not of the same kind. */
static enum prvcut_status prw_kinds(struct made_prediction *p, struct prvcut_error *err)
{
    const struct made_prediction_run *before = NULL;
    bool computing = false, threads = false;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->is.runs; i++) {
        const struct made_prediction_run *r = &p->run[i];

        if (!r->is.fitted || !r->computing || r->tasks == 0)
            continue;
        computing |= before && strcmp(before->computing, r->computing) != 0;
        threads |= before && (uint64_t)before->is.processes * r->tasks !=
                                 (uint64_t)r->is.processes * before->tasks;
        before = r;
    }
    if (computing)
        st = prw_put(p, err,
                     "computing comes from states in one trace and from calls in another: the runs "
                     "do not compare well");
    if (threads && st == PRVCUT_OK)
        st = prw_put(p, err, "the runs have different numbers of threads a rank");
    return st;
}

/* Nothing can be fitted to it. */
static enum prvcut_status prw_untold(struct made_prediction *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->is.runs && st == PRVCUT_OK; i++)
        if (!p->run[i].is.fitted && isnan(p->run[i].factor[PRVCUT_FACTOR_LOAD_BALANCE]))
            st = prw_put(p, err,
                         "%s: the run on %" PRIu32
                         " processes tells no load balance, and is not fitted",
                         p->run[i].name, p->run[i].is.processes);
    return st;
}

static enum prvcut_status prw_others(struct made_prediction *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->is.runs && st == PRVCUT_OK; i++)
        if (p->run[i].other)
            st = prw_put(p, err, "%s: %s", p->run[i].name, p->run[i].other);
    return st;
}

/* Runs that go round more or less often. */
static enum prvcut_status prw_scaled(struct made_prediction *p, struct prvcut_error *err)
{
    double least = INFINITY, most = 0;

    if (p->is.runs == 0 || !p->run[0].scaled)
        return PRVCUT_OK;
    for (size_t i = 0; i < p->is.runs; i++) {
        least = fmin(least, p->run[i].program->loop.iterations);
        most = fmax(most, p->run[i].program->loop.iterations);
    }
    return prw_put(p, err,
                   "the loop goes round %.0f to %.0f times: times and instructions of all runs are "
                   "those of %.0f iterations",
                   least, most, p->run[0].program->loop.iterations);
}

/* The work of a run over that of the first; of a process where these have the same work. */
static double prw_times(const struct made_prediction *p, const struct made_prediction_run *r)
{
    const enum prvcut_factor f = prw_told(r, &p->run[0]);

    return r->factor[f] / p->run[0].factor[f] /
           (p->is.weak ? (double)r->is.processes / p->run[0].is.processes : 1);
}

/* Were the same calls found as longer or shorter iterations, or some of these not at all? */
static bool prw_is_divided(const struct prvcut_program_loop *a, const struct prvcut_program_loop *b)
{
    return prvcut_factors_is_same(a->calls / b->calls, 1, false) ||
           prvcut_factors_is_same(a->calls * a->iterations / (b->calls * b->iterations), 1, false);
}

static enum prvcut_status prw_unlike(struct made_prediction *p, const struct made_prediction_run *r,
                                     struct prvcut_error *err)
{
    const struct prvcut_program_loop *mine = &r->program->loop, *its = &p->run[0].program->loop;

    if (prvcut_factors_is_same(prw_times(p, r), 1, false) && prw_is_divided(mine, its))
        return PRVCUT_OK;
    return prw_put(p, err,
                   "%s: its loop goes round %.0f times with %.0f calls each, that of %s %.0f times "
                   "with %.0f: they may not be the same, and whole runs are compared",
                   r->name, mine->iterations, mine->calls, p->run[0].name, its->iterations,
                   its->calls);
}

static enum prvcut_status prw_otherwise(struct made_prediction *p,
                                        const struct made_prediction_run *r,
                                        struct prvcut_error *err)
{
    const struct prvcut_program_loop *mine = &r->program->loop, *its = &p->run[0].program->loop;
    const double times = prw_times(p, r) * its->iterations / mine->iterations;

    if (prvcut_factors_is_same(times, 1, false))
        return PRVCUT_OK;
    return prw_put(p, err,
                   "%s: its loop goes round %.0f times, that of %s %.0f times; an iteration%s has "
                   "%+.0f %% %s: do these runs have the same input?",
                   r->name, mine->iterations, p->run[0].name, its->iterations,
                   p->is.weak ? " of a process" : "", 100 * (times - 1),
                   prvcut_predict_name(prw_told(r, &p->run[0])));
}

/* Runs of the same program that do not do the same in an iteration, or not in the same loop. */
static enum prvcut_status prw_loops(struct made_prediction *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 1; i < p->is.runs && st == PRVCUT_OK; i++)
        if (!p->run[0].scaled && !p->run[i].other)
            st = p->run[i].loops == PRVCUT_LOOPS_OTHERWISE ? prw_otherwise(p, &p->run[i], err)
                 : p->run[i].loops == PRVCUT_LOOPS_UNLIKE  ? prw_unlike(p, &p->run[i], err)
                                                           : PRVCUT_OK;
    return st;
}

enum prvcut_status prvcut_predict_warn(struct made_prediction *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    st = prw_others(p, err);
    if (st == PRVCUT_OK)
        st = prw_untold(p, err);
    if (st == PRVCUT_OK)
        st = prw_scaled(p, err);
    if (st == PRVCUT_OK)
        st = prw_loops(p, err);
    if (p->is.weak && st == PRVCUT_OK)
        st = prw_put(p, err,
                     "the work grows with the processes (weak scaling): the speedup counts it");
    if (st == PRVCUT_OK)
        st = prw_kinds(p, err);
    if (st == PRVCUT_OK)
        st = prw_inputs(p, err);
    for (size_t i = 0; i < p->is.points && st == PRVCUT_OK; i++) {
        st = prw_far(p, &p->point[i].is, err);
        if (st == PRVCUT_OK)
            st = prw_wide(p, &p->point[i].is, err);
        if (st == PRVCUT_OK)
            st = prw_factors(p, &p->point[i], err);
    }
    return st;
}
