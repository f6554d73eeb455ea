#include "api/signals_lag.h"

#include "base/lasting.h"
#include "base/memory.h"
#include "base/print.h"
#include "dsp/correlation.h"
#include "structure/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer bins tell no period. */
#define BINS_LEAST 16

/* What the peaks of one autocorrelation say. */
struct lag_peaks {
    const double *at; /* [lags] */
    size_t lags;
    size_t highest, period; /* 0: there is none */
    double rival;           /* of the highest one: the highest that is no harmonic of the period */
};

static bool lag_is_peak(const struct lag_peaks *p, size_t k)
{
    return k >= 2 && k + 1 < p->lags && p->at[k] > 0 && p->at[k - 1] < p->at[k] &&
           p->at[k] > p->at[k + 1];
}

static bool lag_is_harmonic(size_t lag, size_t period, double share)
{
    const double ratio = (double)lag / (double)period, whole = round(ratio);

    return whole >= 1 && fabs(ratio / whole - 1) < share;
}

static void lag_judge(struct lag_peaks *p, const struct prvcut_parameters *set)
{
    const double harmonic = prvcut_parameter_of(set, PRVCUT_SET_HARMONIC);
    double most = 0, least;
    size_t lobe = 0;

    /* What is left of lag 0 is no peak. */
    while (lobe < p->lags && p->at[lobe] > 0)
        lobe++;
    lobe = lobe < p->lags ? lobe : 0;
    for (size_t k = lobe; k < p->lags; k++)
        if (lag_is_peak(p, k) && p->at[k] > most) {
            most = p->at[k];
            p->highest = k;
        }
    least = prvcut_parameter_of(set, PRVCUT_SET_RIVAL) * most;
    for (size_t k = lobe; k < p->lags && p->period == 0; k++)
        if (lag_is_peak(p, k) && p->at[k] >= least)
            p->period = k;
    for (size_t k = p->period; k < p->lags && p->period > 0; k++)
        if (lag_is_peak(p, k) && !lag_is_harmonic(k, p->period, harmonic))
            p->rival = fmax(p->rival, p->at[k] / most);
}

static enum prvcut_status lag_tell(struct signal_period *out, const struct lag_peaks *p,
                                   const struct prvcut_signal *in, struct prvcut_error *err)
{
    char text[200], period[32];

    snprintf(text, sizeof text,
             "repeats every %s, %sclearly: the next peak is %.0f%% of the highest%s",
             prvcut_time_text(period, out->bins * (double)in->width), out->clear ? "" : "not ",
             100 * p->rival, out->clear ? "" : ", however it is smoothed");
    out->note = prvcut_lasting_text(text, err);
    return out->note ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status api_signal_lag(struct signal_period *out, const struct prvcut_signal *in,
                                  const struct prvcut_parameters *set, struct prvcut_error *err)
{
    size_t n = in->bins;
    double *at = prvcut_unset(n + 1, sizeof *at, "an autocorrelation", err);
    double *lag = prvcut_unset(n + 1, sizeof *lag, "an autocorrelation", err);
    struct lag_peaks told = { .period = 0 };
    enum prvcut_status st = at && lag ? PRVCUT_OK : PRVCUT_ENOMEM;

    *out = (struct signal_period){ .bins = 0 };
    if (st == PRVCUT_OK)
        memcpy(at, in->at, n * sizeof *at);
    for (unsigned halved = 0; st == PRVCUT_OK && !out->clear; halved++) {
        struct lag_peaks p = { .at = lag, .lags = (n + 1) / 2 };

        st = prvcut_autocorrelate(lag, p.lags, at, n, err);
        if (st < 0)
            break;
        lag_judge(&p, set);
        out->clear = p.period > 0 && p.rival < prvcut_parameter_of(set, PRVCUT_SET_RIVAL);
        if (halved == 0 || out->clear) {
            told = p;
            out->bins = ldexp((double)(out->clear ? p.period : p.highest), (int)halved);
        }
        if (n < 2 * BINS_LEAST)
            break;
        n >>= 1;
        for (size_t i = 0; i < n; i++)
            at[i] = 0.5 * (at[2 * i] + at[2 * i + 1]);
    }
    if (st == PRVCUT_OK && out->bins > 0)
        st = lag_tell(out, &told, in, err);
    free(at);
    free(lag);
    return st;
}
