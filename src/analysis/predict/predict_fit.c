#include "analysis/predict/predict.h"

#include "dsp/fit.h"

#include <assert.h>
#include <math.h>

/* Which of the two axes of a form is a logarithm. */
static bool pft_across(enum prvcut_fit fit)
{
    return fit == PRVCUT_FIT_SEMILOG || fit == PRVCUT_FIT_POWER;
}

static bool pft_up(enum prvcut_fit fit)
{
    return fit == PRVCUT_FIT_LOGLINEAR || fit == PRVCUT_FIT_POWER;
}

static double pft_scaled(bool logarithm, double x)
{
    return logarithm ? log(x) : x;
}

struct prvcut_predict_fitted prvcut_predict_fit(const double *processes, const double *value,
                                                size_t runs, enum prvcut_fit fit, double at,
                                                double confidence)
{
    const bool across = pft_across(fit), up = pft_up(fit);
    struct prvcut_predict_fitted out;
    double x[PRVCUT_PREDICT_RUNS_MOST] = { 0 }, y[PRVCUT_PREDICT_RUNS_MOST] = { 0 }, middle,
           variance, half;
    struct prvcut_line line;

    assert(runs >= 2 && runs <= PRVCUT_PREDICT_RUNS_MOST && fit != PRVCUT_FIT_QUADRATIC);
    for (size_t i = 0; i < runs; i++) {
        x[i] = pft_scaled(across, processes[i]);
        y[i] = pft_scaled(up, value[i]);
    }
    line = prvcut_line_fit(x, y, runs);
    at = pft_scaled(across, at);
    middle = prvcut_line_at(&line, at);
    variance = prvcut_line_variance(&line, at);
    half = runs > 2 ? prvcut_student(confidence, runs - 2) * sqrt(variance) : (double)NAN;
    out = (struct prvcut_predict_fitted){ middle, middle - half, middle + half,
                                          variance / (middle * middle) };
    if (up)
        out = (struct prvcut_predict_fitted){ exp(middle), exp(middle - half), exp(middle + half),
                                              variance };
    return out;
}
