#include "prvcut/signals.h"

#include "api/entries.h"
#include "api/signals_lag.h"
#include "base/lasting.h"
#include "base/memory.h"
#include "dsp/correlation.h"
#include "dsp/morphology.h"
#include "dsp/wavelet.h"
#include "structure/parameters.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is done, to which signal: out has as many bins as in, and its name. */
struct step_task {
    const struct prvcut_signal *in;
    struct prvcut_signal *out;
    uint64_t number; /* 0: none was given */
    const struct prvcut_parameters *set;
};

static double step_set(const struct step_task *t, enum prvcut_set which)
{
    return prvcut_parameter_of(t->set, which);
}

struct step_kind {
    const char *name, *help;
    enum prvcut_status (*make)(struct step_task *t, struct prvcut_error *err);
};

static size_t step_width(const struct step_task *t)
{
    const size_t share = (size_t)((double)t->in->bins * step_set(t, PRVCUT_SET_WIDTH));

    return t->number > 0 ? (size_t)t->number : share > 0 ? share : 1;
}

static enum prvcut_status step_erosion(struct step_task *t, struct prvcut_error *err)
{
    return prvcut_erode(t->out->at, t->in->at, t->in->bins, step_width(t), err);
}

static enum prvcut_status step_dilation(struct step_task *t, struct prvcut_error *err)
{
    return prvcut_dilate(t->out->at, t->in->at, t->in->bins, step_width(t), err);
}

static enum prvcut_status step_opening(struct step_task *t, struct prvcut_error *err)
{
    return prvcut_opening(t->out->at, t->in->at, t->in->bins, step_width(t), err);
}

static enum prvcut_status step_closing(struct step_task *t, struct prvcut_error *err)
{
    return prvcut_closing(t->out->at, t->in->at, t->in->bins, step_width(t), err);
}

static double step_most(const double *at, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(at[i]));
    return most;
}

/* Of n samples transformed down to `levels`: the finest level that says anything beside the others.
 */
static unsigned step_finest(const struct step_task *t, const double *at, size_t n, unsigned levels)
{
    const double significant = step_set(t, PRVCUT_SET_SIGNIFICANT);
    double most = 0;
    unsigned level = 1;

    for (unsigned k = 1; k <= levels; k++)
        most = fmax(most, step_most(at + (n >> k), n >> k));
    while (level < levels && step_most(at + (n >> level), n >> level) < significant * most)
        level++;
    return level;
}

/* Coefficients of one level without their sign, each as wide as what it stands for. The last bin is
   repeated up to a power of two. */
static enum prvcut_status step_wavelet(struct step_task *t, struct prvcut_error *err)
{
    const size_t bins = t->in->bins;
    unsigned levels = 0, level = (unsigned)t->number;
    size_t n = 1;
    double *room;
    enum prvcut_status st;

    while (n < bins) {
        n *= 2;
        levels++;
    }
    if (level > levels || levels == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "level %u of a wavelet; %zu bins have %u", level,
                           bins, levels);
    room = prvcut_unset(n, sizeof *room, "a wavelet", err);
    if (!room)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < n; i++)
        room[i] = t->in->at[i < bins ? i : bins - 1];
    st = prvcut_haar(room, n, levels, err);
    if (st == PRVCUT_OK && level == 0)
        level = step_finest(t, room, n, levels);
    for (size_t i = 0; i < bins && st == PRVCUT_OK; i++)
        t->out->at[i] = fabs(room[(n >> level) + (i >> level)]);
    free(room);
    t->number = level;
    return st;
}

/* 1 where coefficients of the finest significant level are large, or stand beside large ones. */
static enum prvcut_status step_selection(struct step_task *t, struct prvcut_error *err)
{
    const uint64_t neighbours = t->number > 0 ? t->number : (uint64_t)step_set(t, PRVCUT_SET_DELTA);
    const double lambda = step_set(t, PRVCUT_SET_LAMBDA);
    double *const at = t->out->at, most;
    enum prvcut_status st;

    t->number = 0;
    st = step_wavelet(t, err);
    most = st == PRVCUT_OK ? step_most(at, t->in->bins) : 0;
    for (size_t i = 0; i < t->in->bins && st == PRVCUT_OK; i++)
        at[i] = most > 0 && at[i] >= lambda * most;
    if (st == PRVCUT_OK)
        st = prvcut_dilate(at, at, t->in->bins, (size_t)((2 * neighbours) << t->number) + 1, err);
    t->out->unit = "";
    t->number = neighbours;
    return st;
}

static enum prvcut_status step_period(struct step_task *t, double *period, struct prvcut_error *err)
{
    struct signal_period found;
    const enum prvcut_status st = api_signal_lag(&found, t->in, t->set, err);

    *period = found.bins;
    if (st == PRVCUT_OK && found.bins > 0)
        t->out->note = found.note;
    return st;
}

/* By lag in place of time. */
static enum prvcut_status step_autocorrelation(struct step_task *t, struct prvcut_error *err)
{
    double period;
    enum prvcut_status st = step_period(t, &period, err);

    if (st < 0)
        return st;
    t->out->start = 0;
    t->out->unit = "";
    t->out->bins =
        t->number > 0 && t->number < t->in->bins ? (size_t)t->number : (t->in->bins + 1) / 2;
    return prvcut_autocorrelate(t->out->at, t->out->bins, t->in->at, t->in->bins, err);
}

/* With sine waves of the signal's own period; 0 where they reach beyond the signal. */
static enum prvcut_status step_crosscorrelation(struct step_task *t, struct prvcut_error *err)
{
    size_t count = 0;
    double period;
    enum prvcut_status st = step_period(t, &period, err);

    t->out->unit = "";
    t->number = t->number > 0 ? t->number : (uint64_t)step_set(t, PRVCUT_SET_SINES);
    if (st == PRVCUT_OK && period > 0)
        st = prvcut_sine_match(t->out->at, &count, t->in->at, t->in->bins, period,
                               (unsigned)t->number, err);
    for (size_t i = count; i < t->in->bins; i++)
        t->out->at[i] = 0;
    if (st == PRVCUT_OK && count == 0) {
        free(t->out->at);
        t->out->at = NULL;
        t->out->absent =
            period > 0 ? "it is shorter than the sine waves" : "its autocorrelation has no peak";
    }
    return st;
}

static const struct step_kind step_kind[] = {
    { "closing", "fills what is lower, but shorter than N bins", step_closing },
    { "opening", "removes what is higher, but shorter than N bins", step_opening },
    { "dilation", "largest of N bins", step_dilation },
    { "erosion", "least of N bins", step_erosion },
    { "wavelet", "coefficients of the Haar wavelet at level N, without sign", step_wavelet },
    { "selection", "1 where these are large, or N of them away", step_selection },
    { "autocorrelation", "by lag, up to N bins", step_autocorrelation },
    { "crosscorrelation", "with N sine waves of the period", step_crosscorrelation },
};

#define STEPS (sizeof step_kind / sizeof *step_kind)

const char *prvcut_signal_step_name(size_t i)
{
    return i < STEPS ? step_kind[i].name : NULL;
}

const char *prvcut_signal_step_help(size_t i)
{
    return i < STEPS ? step_kind[i].help : NULL;
}

/* "closing" or "closing:N". */
static const struct step_kind *step_parse(const char *step, uint64_t *number,
                                          struct prvcut_error *err)
{
    const size_t length = strcspn(step, ":");
    char *rest = NULL;

    *number = 0;
    if (step[length] == ':') {
        *number = strtoull(step + length + 1, &rest, 10);
        if (step[length + 1] < '0' || step[length + 1] > '9' || *rest != '\0' || *number == 0 ||
            *number > PRVCUT_SIGNAL_STEP_MOST) {
            prvcut_fail(err, PRVCUT_EUSAGE, "'%.80s': N is a number from 1 to %d", step,
                        PRVCUT_SIGNAL_STEP_MOST);
            return NULL;
        }
    }
    for (size_t i = 0; i < STEPS; i++)
        if (strlen(step_kind[i].name) == length && strncmp(step_kind[i].name, step, length) == 0)
            return &step_kind[i];
    prvcut_fail(err, PRVCUT_EUSAGE,
                "no step '%.80s'; there are: closing opening dilation erosion wavelet selection "
                "autocorrelation crosscorrelation, each with or without :N",
                step);
    return NULL;
}

static enum prvcut_status step_name(struct prvcut_signal *out, const struct step_kind *kind,
                                    uint64_t number, const char *of, struct prvcut_error *err)
{
    char text[256];

    if (number > 0)
        snprintf(text, sizeof text, "%s:%" PRIu64 " of %.200s", kind->name, number, of);
    else
        snprintf(text, sizeof text, "%s of %.200s", kind->name, of);
    out->name = prvcut_lasting_text(text, err);
    return out->name ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* asked: what is done, to whichever signal. */
static enum prvcut_status step_one(const struct step_kind *kind, const struct step_task *asked,
                                   const struct prvcut_signal *in, struct prvcut_signal *out,
                                   struct prvcut_error *err)
{
    struct step_task t = *asked;
    enum prvcut_status st = PRVCUT_OK;

    t.in = in;
    t.out = out;
    *out = *in;
    out->at = NULL;
    if (in->at) {
        out->at = prvcut_unset(in->bins + 1, sizeof *out->at, "a signal", err);
        st = out->at ? kind->make(&t, err) : PRVCUT_ENOMEM;
    }
    return st == PRVCUT_OK ? step_name(out, kind, t.number, in->name, err) : st;
}

enum prvcut_status api_signals_step(const struct prvcut_signals *in, const char *step,
                                    const struct prvcut_parameters *set, struct made_signals *out,
                                    struct prvcut_error *err)
{
    struct step_task asked = { .set = set };
    const struct step_kind *kind = step_parse(step, &asked.number, err);
    enum prvcut_status st = PRVCUT_OK;

    if (!kind)
        return PRVCUT_EUSAGE;
    out->is.clock = in->clock;
    st = prvcut_parameters_told(&out->is.set, set, err);
    if (st < 0)
        return st;
    out->at = prvcut_zeroed(in->count + 1, sizeof *out->at, "signals", err);
    if (!out->at)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < in->count && st == PRVCUT_OK; i++) {
        out->is.count++;
        st = step_one(kind, &asked, prvcut_signals_at(in, i), &out->at[i], err);
    }
    return st;
}
