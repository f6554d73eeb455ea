#include "analysis/predict/predict.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "dsp/fit.h"
#include "model/factors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.8
/* Instructions that grow more than this share of the processes do belong to work that grows. */
#define WEAK 0.9

/* The runs that are fitted, as fits take them. */
struct prd_model {
    const struct made_prediction *of;
    const struct made_prediction_run *run[PRVCUT_PREDICT_RUNS_MOST]; /* [runs], fewest first */
    double processes[PRVCUT_PREDICT_RUNS_MOST];
    double value[MADE_FACTORS][PRVCUT_PREDICT_RUNS_MOST]; /* of factor i of the prediction */
    double speedup[PRVCUT_PREDICT_RUNS_MOST];
    size_t runs;
    double confidence;
    bool plain; /* speedups are known */
    bool other; /* they are of unlike programs */
};

/* The more of these there are, the slower it is. */
static bool prd_costs(enum prvcut_factor f)
{
    return f == PRVCUT_FACTOR_INSTRUCTIONS || f == PRVCUT_FACTOR_COMPUTING;
}

/* Efficiencies, which 1 is the best of. */
static bool prd_is_share(enum prvcut_factor f)
{
    return f <= PRVCUT_FACTOR_COMMUNICATION;
}

/* What a factor makes of the speedup when it changes. */
static double prd_effect(enum prvcut_factor f, double first, double value)
{
    return prd_costs(f) ? first / value : value / first;
}

/* --- Which runs and factors ------------------------------------------------------------------- */

static int prd_compare(const void *a, const void *b)
{
    const struct made_prediction_run *x = a, *y = b;

    return (x->is.processes > y->is.processes) - (x->is.processes < y->is.processes);
}

static bool prd_has(const uint32_t *list, size_t count, uint32_t n)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == n)
            return true;
    return count == 0;
}

/* Runs of unlike programs have no common fit. */
static enum prvcut_status prd_one_program(const struct made_prediction *p, struct prvcut_error *err)
{
    for (size_t i = 1; i < p->is.runs; i++) {
        if (p->run[i].application == p->run[0].application)
            continue;
        prvcut_instead(err, p->run[0].computing ? "prvcut filter --only-threads '1.*.*' TRACE"
                                                : "prvcut help predict");
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%.200s: several applications, which have no common fit; which one?",
                           p->run[p->run[i].application > 0 ? i : 0].name);
    }
    return PRVCUT_OK;
}

static enum prvcut_status prd_all_there(const struct made_prediction *p,
                                        const struct prvcut_predict_options *o,
                                        struct prvcut_error *err)
{
    for (size_t i = 0; i < o->fitted_count; i++) {
        size_t k = 0;

        while (k < p->is.runs && p->run[k].is.processes != o->fitted[i])
            k++;
        if (k < p->is.runs)
            continue;
        if (p->is.runs > 1)
            prvcut_instead(err, "--from-runs %" PRIu32 ",%" PRIu32, p->run[0].is.processes,
                           p->run[p->is.runs - 1].is.processes);
        return prvcut_fail(err, PRVCUT_EUSAGE, "no run on %" PRIu32 " processes was read",
                           o->fitted[i]);
    }
    return PRVCUT_OK;
}

static bool prd_told(const struct prd_model *m, enum prvcut_factor f)
{
    for (size_t i = 0; i < m->runs; i++)
        if (isnan(m->run[i]->factor[f]))
            return false;
    return true;
}

static bool prd_all_told(const struct prd_model *m, const enum prvcut_factor *f, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!prd_told(m, f[i]))
            return false;
    return true;
}

/* The finer factors where all runs tell them, else the one that they are the parts of. */
static enum prvcut_status prd_choose(struct made_prediction *p, const struct prd_model *m,
                                     struct prvcut_error *err)
{
    static const enum prvcut_factor balance[] = { PRVCUT_FACTOR_LOAD_BALANCE };
    static const enum prvcut_factor fine[] = { PRVCUT_FACTOR_SERIALIZATION,
                                               PRVCUT_FACTOR_TRANSFER };
    static const enum prvcut_factor coarse[] = { PRVCUT_FACTOR_COMMUNICATION };
    static const enum prvcut_factor counted[] = { PRVCUT_FACTOR_IPC, PRVCUT_FACTOR_FREQUENCY,
                                                  PRVCUT_FACTOR_INSTRUCTIONS };
    static const enum prvcut_factor timed[] = { PRVCUT_FACTOR_COMPUTING };
    static const struct {
        const enum prvcut_factor *at;
        size_t count;
        const enum prvcut_factor *instead;
        const char *what;
    } part[] = { { balance, 1, balance, "load balance" },
                 { fine, 2, coarse, "communication efficiency" },
                 { counted, 3, timed, "useful duration" } };

    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const bool all = prd_all_told(m, part[i].at, part[i].count);
        const enum prvcut_factor *from = all ? part[i].at : part[i].instead;
        const size_t count = all ? part[i].count : 1;

        if (!all && !prd_told(m, *part[i].instead))
            return prvcut_fail(err, PRVCUT_EUSAGE, "nothing to fit: not every run tells its %s",
                               part[i].what);
        for (size_t k = 0; k < count; k++)
            p->factor[p->is.factors++] = from[k];
    }
    return PRVCUT_OK;
}

/* --- Scaling and speedups of the runs --------------------------------------------------------- */

/* As basicanalysis decides it. */
static bool prd_is_weak(const struct prd_model *m)
{
    double sum = 0;
    size_t others = 0;

    if (!prd_told(m, PRVCUT_FACTOR_INSTRUCTIONS))
        return false;
    for (size_t i = 1; i < m->runs; i++, others++)
        sum += m->run[i]->factor[PRVCUT_FACTOR_INSTRUCTIONS] /
               m->run[0]->factor[PRVCUT_FACTOR_INSTRUCTIONS] * m->processes[0] / m->processes[i];
    return sum / (double)others > WEAK;
}

/* How much more work than the first run. */
static double prd_work(const struct made_prediction *p, double first, double processes)
{
    return p->is.weak ? processes / first : 1;
}

static void prd_speedups(struct made_prediction *p, const struct made_prediction_run *first)
{
    for (size_t i = 0; i < p->is.runs; i++) {
        struct made_prediction_run *r = &p->run[i];

        r->is.speedup = prd_work(p, first->is.processes, r->is.processes) * first->is.runtime_ns /
                        r->is.runtime_ns;
        if (isnan(r->is.speedup))
            r->is.speedup = r->speedup / first->speedup;
    }
}

/* --- What limits ------------------------------------------------------------------------------ */

/* The factor that changes most; values: [factors]. */
static void prd_limit(const struct made_prediction *p, const double *first, const double *value,
                      enum prvcut_factor *limit, double *change)
{
    *limit = p->factor[0];
    *change = (double)NAN;
    for (size_t i = 0; i < p->is.factors; i++) {
        const double effect = prd_effect(p->factor[i], first[i], value[i]);

        if (!isnan(effect) && (isnan(*change) || fabs(log(effect)) > fabs(log(*change)))) {
            *limit = p->factor[i];
            *change = effect;
        }
    }
}

static void prd_run_limits(struct made_prediction *p, const struct made_prediction_run *first)
{
    for (size_t i = 0; i < p->is.runs; i++) {
        double from[MADE_FACTORS], to[MADE_FACTORS];

        for (size_t k = 0; k < p->is.factors; k++) {
            from[k] = first->factor[p->factor[k]];
            to[k] = p->run[i].factor[p->factor[k]];
        }
        prd_limit(p, from, to, &p->run[i].is.limit, &p->run[i].is.limit_change);
        if (&p->run[i] == first)
            p->run[i].is.limit_change = (double)NAN;
    }
}

/* --- One point -------------------------------------------------------------------------------- */

static const char prd_negative[] = "the fit falls to 0 or below";
static const char prd_other[] =
    "the runs cannot be of the same work: another program, or another input";
static const char prd_two[] = "two runs leave nothing to judge the fit by";

/* A speedup and the variance of its logarithm. */
struct prd_sum {
    double speedup, ln_variance;
    const char *reason;
};

static struct prvcut_prediction_factor prd_factor(const struct prd_model *m, size_t i,
                                                  enum prvcut_fit fit, double at,
                                                  struct prvcut_predict_fitted *as)
{
    const enum prvcut_factor f = m->of->factor[i];
    const struct prvcut_predict_fitted y =
        prvcut_predict_fit(m->processes, m->value[i], m->runs, fit, at, m->confidence);
    struct prvcut_prediction_factor out = {
        .factor = f, .first = m->value[i][0], .value = y.value, .low = y.low, .high = y.high
    };

    *as = y;
    if (!(y.value > 0 && isfinite(y.value))) {
        out.value = out.low = out.high = (double)NAN;
        out.reason = prd_negative;
    } else if (prd_is_share(f)) {
        out.capped = y.value > 1;
        out.value = fmin(y.value, 1);
        out.low = isnan(y.low) ? y.low : fmin(y.low, 1);
        out.high = isnan(y.high) ? y.high : fmin(y.high, 1);
    }
    return out;
}

/* The product of all factors; out: where these go, may be NULL. */
static struct prd_sum prd_product(const struct prd_model *m, enum prvcut_fit fit, double at,
                                  struct made_prediction_point *out)
{
    struct prd_sum s = { .speedup = at / m->processes[0] * prd_work(m->of, m->processes[0], at) };

    for (size_t i = 0; i < m->of->is.factors; i++) {
        struct prvcut_predict_fitted as;
        const struct prvcut_prediction_factor f = prd_factor(m, i, fit, at, &as);

        s.speedup *= prd_effect(f.factor, f.first, f.value);
        s.ln_variance += as.ln_variance;
        s.reason = f.reason ? f.reason : s.reason;
        if (out) {
            out->factor[i] = f;
            out->fitted[i] = as.value;
        }
    }
    return s;
}

static struct prvcut_prediction_form prd_plain(const struct prd_model *m, enum prvcut_fit fit,
                                               double at)
{
    struct prvcut_prediction_form f = { .fit = fit, .plain = true, .speedup = (double)NAN };

    if (!m->plain) {
        f.reason = "not every run tells its runtime";
    } else if (fit == PRVCUT_FIT_QUADRATIC) {
        f.speedup = prvcut_parabola_at(m->processes, m->speedup, m->runs, at);
        if (isnan(f.speedup))
            f.reason = "a parabola needs three numbers of processes";
    } else {
        f.speedup =
            prvcut_predict_fit(m->processes, m->speedup, m->runs, fit, at, m->confidence).value;
    }
    if (!f.reason && !(f.speedup > 0 && isfinite(f.speedup))) {
        f.speedup = (double)NAN;
        f.reason = isfinite(f.speedup) ? prd_negative : "the fit leaves all bounds";
    }
    return f;
}

static void prd_forms(const struct prd_model *m, double at, struct made_prediction_point *out)
{
    static const enum prvcut_fit plain[] = { PRVCUT_FIT_LINEAR, PRVCUT_FIT_QUADRATIC,
                                             PRVCUT_FIT_LOGLINEAR, PRVCUT_FIT_SEMILOG,
                                             PRVCUT_FIT_POWER };
    size_t n = 0;

    for (enum prvcut_fit fit = PRVCUT_FIT_LOGLINEAR; fit <= PRVCUT_FIT_LINEAR; fit++, n++) {
        const struct prd_sum s = prd_product(m, fit, at, NULL);

        out->form[n] =
            (struct prvcut_prediction_form){ .fit = fit, .speedup = s.speedup, .reason = s.reason };
    }
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        out->form[n++] = prd_plain(m, plain[i], at);
    for (size_t i = 0; m->other && i < n; i++) {
        out->form[i].speedup = (double)NAN;
        out->form[i].reason = prd_other;
    }
}

static double prd_real(const struct made_prediction *p, uint32_t processes)
{
    for (size_t i = 0; i < p->is.runs; i++)
        if (p->run[i].is.processes == processes)
            return p->run[i].is.speedup;
    return (double)NAN;
}

static void prd_point(struct made_prediction *p, const struct prd_model *m,
                      struct made_prediction_point *out)
{
    struct prvcut_prediction_point *is = &out->is;
    const double at = is->processes;
    const struct prd_sum s = prd_product(m, p->is.fit, at, out);
    double first[MADE_FACTORS], value[MADE_FACTORS], half = (double)NAN;

    is->speedup = m->other ? (double)NAN : s.speedup;
    is->reason = m->other ? prd_other : s.reason;
    if (m->runs > 2)
        half = prvcut_student(m->confidence, m->runs - 2) * sqrt(s.ln_variance);
    else
        is->no_interval = prd_two;
    is->no_interval = is->reason ? is->reason : is->no_interval;
    is->low = is->speedup * exp(-half);
    is->high = is->speedup * exp(half);
    is->runtime_ns = m->run[0]->is.runtime_ns * prd_work(p, m->processes[0], at) / is->speedup;
    is->real = prd_real(p, is->processes);
    for (size_t i = 0; i < p->is.factors; i++) {
        first[i] = out->factor[i].first;
        value[i] = out->factor[i].value;
    }
    prd_limit(p, first, value, &is->limit, &is->limit_change);
    if (is->reason)
        is->limit_change = (double)NAN;
    prd_forms(m, at, out);
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Which runs are fitted: those that were named, else all that tell what they lose. */
static bool prd_is_fitted(const struct made_prediction_run *r,
                          const struct prvcut_predict_options *o)
{
    return prd_has(o->fitted, o->fitted_count, r->is.processes) &&
           (o->fitted_count > 0 || !isnan(r->factor[PRVCUT_FACTOR_LOAD_BALANCE]));
}

static enum prvcut_status prd_take_runs(struct made_prediction *p, struct prvcut_predict_runs *r,
                                        struct prd_model *m, const struct prvcut_predict_options *o,
                                        struct prvcut_error *err)
{
    bool untold = false;

    p->run = r->at;
    p->is.runs = r->count;
    *r = (struct prvcut_predict_runs){ .at = NULL };
    if (p->is.runs > 0)
        qsort(p->run, p->is.runs, sizeof *p->run, prd_compare);
    for (size_t i = 0; i < p->is.runs; i++) {
        p->run[i].is.fitted = prd_is_fitted(&p->run[i], o);
        untold |= isnan(p->run[i].factor[PRVCUT_FACTOR_LOAD_BALANCE]);
        if (!p->run[i].is.fitted)
            continue;
        m->processes[m->runs] = p->run[i].is.processes;
        m->run[m->runs++] = &p->run[i];
    }
    if (prd_one_program(p, err) < 0 || prd_all_there(p, o, err) < 0)
        return PRVCUT_EUSAGE;
    if (m->runs < 2 || m->processes[0] == m->processes[m->runs - 1]) {
        prvcut_instead(err, "prvcut help predict");
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a fit needs runs on at least two different numbers of processes%s",
                           untold ? " that tell their load balance" : "");
    }
    return PRVCUT_OK;
}

/* Are runs of other programs among them? */
static bool prd_has_other(const struct prd_model *m)
{
    const bool counted = prd_told(m, PRVCUT_FACTOR_INSTRUCTIONS);
    const enum prvcut_factor f = counted ? PRVCUT_FACTOR_INSTRUCTIONS : PRVCUT_FACTOR_COMPUTING;

    for (size_t i = 1; i < m->runs; i++)
        if (m->run[i]->other)
            return true;
    for (size_t i = 1; i < m->runs && prd_told(m, f); i++)
        if (prvcut_factors_is_other(m->run[i]->factor[f] / m->run[0]->factor[f],
                                    m->processes[i] / m->processes[0]))
            return true;
    return false;
}

/* Which runs are not of the program of the first one that is fitted? */
static enum prvcut_status prd_tell_apart(struct made_prediction *p, const struct prd_model *m,
                                         struct prvcut_error *err)
{
    const struct made_prediction_run *base = m->run[0];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->is.runs && st == PRVCUT_OK; i++)
        if (&p->run[i] != base && p->run[i].program && base->program)
            st = prvcut_program_other(p->run[i].program, base->program, base->name,
                                      &p->run[i].other, err);
    return st;
}

static void prd_values(const struct made_prediction *p, struct prd_model *m)
{
    m->plain = true;
    for (size_t k = 0; k < m->runs; k++) {
        for (size_t i = 0; i < p->is.factors; i++)
            m->value[i][k] = m->run[k]->factor[p->factor[i]];
        m->speedup[k] = m->run[k]->is.speedup;
        m->plain = m->plain && m->speedup[k] > 0;
    }
}

static enum prvcut_status prd_points(struct made_prediction *p, const struct prd_model *m,
                                     const struct prvcut_predict_options *o,
                                     struct prvcut_error *err)
{
    p->point = prvcut_zeroed(o->processes_count, sizeof *p->point, "predictions", err);
    if (!p->point)
        return PRVCUT_ENOMEM;
    p->is.points = o->processes_count;
    p->is.forms = MADE_FORMS;
    for (size_t i = 0; i < p->is.points; i++) {
        p->point[i].is.processes = o->processes[i];
        prd_point(p, m, &p->point[i]);
    }
    return PRVCUT_OK;
}

static enum prvcut_status prd_make(struct made_prediction *p, struct prd_model *m,
                                   struct prvcut_predict_runs *r,
                                   const struct prvcut_predict_options *o, struct prvcut_error *err)
{
    enum prvcut_status st = prd_take_runs(p, r, m, o, err);

    p->is.fit = o->fit;
    p->is.confidence = m->confidence = o->confidence > 0 ? o->confidence : CONFIDENCE;
    m->of = p;
    if (st == PRVCUT_OK)
        st = prd_choose(p, m, err);
    if (st == PRVCUT_OK)
        st = prd_tell_apart(p, m, err);
    if (st < 0)
        return st;
    p->is.weak = prd_is_weak(m);
    m->other = prd_has_other(m);
    prd_speedups(p, m->run[0]);
    prd_run_limits(p, m->run[0]);
    prd_values(p, m);
    for (size_t i = 0; m->other && i < p->is.runs; i++)
        if (&p->run[i] != m->run[0])
            p->run[i].is.speedup = p->run[i].is.limit_change = (double)NAN;
    st = prd_points(p, m, o, err);
    return st == PRVCUT_OK ? prvcut_predict_warn(p, err) : st;
}

enum prvcut_status prvcut_predict(struct made_prediction *out, struct prvcut_predict_runs *r,
                                  const struct prvcut_predict_options *o, struct prvcut_error *err)
{
    struct prd_model *m = prvcut_zeroed(1, sizeof *m, "fits", err);
    const enum prvcut_status st = m ? prd_make(out, m, r, o, err) : PRVCUT_ENOMEM;

    free(m);
    return st;
}
