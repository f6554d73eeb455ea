#include "structure/signal_steady.h"

#include "base/memory.h"
#include "dsp/correlation.h"
#include "dsp/peaks.h"

#include <math.h>
#include <stdlib.h>

/*
 * Found on tables of 2 to 64 intervals an iteration, 5 to 200 of them, of four shapes with noise of
 * up to 10 %, and on noise, trends and random walks alone: tests/api/check_series_period.
 *
 * name              value  unit             decides
 */
#define STEADY_FINE   512  /* bins             least that an iteration is looked at in */
#define STEADY_COUNT  5    /* iterations       least of what is sure */
#define STEADY_LEAST  0.5  /* correlation      from which a signal is steady */
#define STEADY_LITTLE 0.5  /* share of that    below which a shorter period is none */
#define STEADY_CHANCE 3    /* deviations       by which correlations may differ by chance, ... */
#define STEADY_GRID   5e-3 /* correlation      ... and by what bins do to them without noise */
#define STEADY_RATIO  1.2  /* of two periods   from which one is longer than the other */
#define STEADY_NEAR   0.03 /* share of it      by which a period may miss the peak */
#define STEADY_DIP    0.5  /* share of a peak  below which a correlation falls beside it */
#define STEADY_SURE   0.45 /* strength         of what repeats exactly, where nothing is stronger */
#define STEADY_TURNS  1.5  /* an iteration     least; what comes back rises and falls: two */
#define STEADY_EQUAL  1e-9 /* share of a value by which the next one is another */

/* The stretch of a signal in which a loop was seen. */
struct steady {
    double *at; /* [count] means of `each` bins; owned */
    double *r;  /* [lags] correlation with what is so much later; owned */
    size_t count, lags;
    double width; /* ns of one */
};

static size_t steady_bin(const struct prvcut_signal *in, uint64_t time)
{
    const uint64_t bin = (time - in->start) / in->width;

    return bin < in->bins ? (size_t)bin : in->bins;
}

static void steady_fini(struct steady *s)
{
    free(s->at);
    free(s->r);
}

static enum prvcut_status steady_take(struct steady *s, const struct prvcut_signal *in,
                                      const struct prvcut_signal_sight *of,
                                      struct prvcut_error *err)
{
    const size_t from = steady_bin(in, of->start), to = steady_bin(in, of->end);
    const double fine = of->mean / (double)in->width / STEADY_FINE;
    const size_t each = fine >= 2 ? (size_t)fine : 1;

    *s = (struct steady){ .count = to > from ? (to - from) / each : 0,
                          .width = (double)each * (double)in->width };
    s->at = prvcut_unset(s->count + 1, sizeof *s->at, "a signal", err);
    s->r = prvcut_unset(s->count + 1, sizeof *s->r, "a signal", err);
    if (!s->at || !s->r)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->count; i++) {
        double sum = 0;

        for (size_t k = 0; k < each; k++)
            sum += in->at[from + i * each + k];
        s->at[i] = sum / (double)each;
    }
    return PRVCUT_OK;
}

/* Correlation at one lag: whether it is worth while to ask for all. */
static double steady_once(const struct steady *s, double period)
{
    const size_t lag = (size_t)(period / s->width + 0.5);
    double mean = 0, product = 0, square = 0;

    for (size_t i = 0; i < s->count; i++)
        mean += s->at[i] / (double)s->count;
    for (size_t i = 0; i + lag < s->count; i++) {
        const double a = s->at[i] - mean, b = s->at[i + lag] - mean;

        product += a * b;
        square += 0.5 * (a * a + b * b);
    }
    return square > 0 ? product / square : 0;
}

/* What the correlation reaches near a lag, between two samples of it: at least by a parabola, as of
   what is smooth; at most by a triangle, as of what has steps. */
struct steady_peak {
    double least, most; /* -1: it is beyond what is known */
};

static struct steady_peak steady_apex(const struct steady *s, size_t lag)
{
    const double *r = s->r + lag;
    struct steady_peak out = { .most = fmin(1, r[0] + 0.5 * fabs(r[1] - r[-1])) };
    double place;

    if (r[0] < r[-1] || r[0] < r[1])
        return (struct steady_peak){ r[0], r[0] };
    prvcut_parabola(r[-1], r[0], r[1], &place, &out.least);
    return out;
}

/* The greatest correlation near a lag, in ns. */
static struct steady_peak steady_peak(const struct steady *s, double lag, double near)
{
    const double low = floor((lag - near) / s->width), high = ceil((lag + near) / s->width);
    size_t best = 0;

    for (size_t k = (size_t)fmax(1, low); k + 1 < s->lags && (double)k <= high; k++)
        if (best == 0 || s->r[k] > s->r[best])
            best = k;
    return best > 0 ? steady_apex(s, best) : (struct steady_peak){ -1, -1 };
}

/* What correlations differ by, by chance, if the greatest is that. */
static double steady_slack(double best, double iterations)
{
    return STEADY_GRID + STEADY_CHANCE * sqrt(fmax(0, 1 - best * best) / (2 * iterations));
}

/* Is the signal as much like itself after each multiple of a, of which s was taken, as far as b,
   and after b no more so? */
static bool steady_throughout(const struct steady *s, const struct prvcut_signal_sight *a, double b)
{
    const double near = STEADY_NEAR * a->mean;
    double best = steady_peak(s, b, STEADY_NEAR * b).least, least = 1;

    for (double k = 1; k * a->mean <= b + near; k++) {
        const struct steady_peak r = steady_peak(s, k * a->mean, fmin(k * near, 0.25 * a->mean));

        best = fmax(best, r.least);
        least = fmin(least, r.most);
    }
    return least >= STEADY_LEAST && least >= best - steady_slack(best, a->count);
}

/* The least correlation between two lags, in ns. */
static double steady_dip(const struct steady *s, double from, double to)
{
    double least = 1;

    for (size_t k = (size_t)(from / s->width); k < s->lags && (double)k < to / s->width; k++)
        least = fmin(least, s->r[k]);
    return least;
}

/* What chance leaves of correlations: by how many samples that say something of their own. */
static double steady_chance(const struct steady *s)
{
    size_t lobe = 1;

    while (lobe < s->lags && s->r[lobe] > 0.5)
        lobe++;
    return STEADY_CHANCE * sqrt(2 * (double)lobe / (double)s->count);
}

/* Is the signal like itself after one and after two iterations, and not in between? */
static bool steady_sure(const struct steady *s, const struct prvcut_signal_sight *a)
{
    const double once = steady_peak(s, a->mean, STEADY_NEAR * a->mean).least;
    const double twice = steady_peak(s, 2 * a->mean, STEADY_NEAR * a->mean).least;
    const double both = fmin(once, twice);

    return a->count >= STEADY_COUNT && both > fmax(STEADY_LEAST, steady_chance(s)) &&
           steady_dip(s, 0, a->mean) < STEADY_DIP * both &&
           steady_dip(s, a->mean, 2 * a->mean) < STEADY_DIP * both;
}

/* Does a, of which s was taken, explain b? */
static bool steady_explains(const struct steady *s, const struct prvcut_signal_sight *a,
                            const struct prvcut_signal_sight *b)
{
    if (b->mean > STEADY_RATIO * a->mean)
        return steady_throughout(s, a, b->mean);
    return STEADY_RATIO * b->mean < a->mean &&
           steady_peak(s, b->mean, STEADY_NEAR * b->mean).most <
               STEADY_LITTLE * steady_peak(s, a->mean, STEADY_NEAR * a->mean).most &&
           steady_throughout(s, a, 2 * a->mean);
}

/* What is said of the sights. */
struct steady_sights {
    bool explained[PRVCUT_SIGHTS]; /* by another one, or as stairs */
    bool sure[PRVCUT_SIGHTS];
};

static enum prvcut_status steady_look(struct steady_sights *look,
                                      const struct prvcut_signal_sights *all, size_t which,
                                      const struct prvcut_signal *in, struct prvcut_error *err)
{
    const struct prvcut_signal_sight *a = &all->at[which];
    double longest = 2 * a->mean;
    struct steady s = { .at = NULL };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < all->count; i++)
        if (!look->explained[i])
            longest = fmax(longest, all->at[i].mean);
    st = steady_take(&s, in, a, err);
    s.lags = (size_t)fmin(0.75 * (double)s.count, longest * (1 + 2 * STEADY_NEAR) / s.width + 2);
    if (st == PRVCUT_OK && s.lags > 0 && steady_once(&s, a->mean) > 0.5 * STEADY_LEAST)
        st = prvcut_autocorrelate(s.r, s.lags, s.at, s.count, err);
    else
        s.lags = 0;
    for (size_t i = 0; st == PRVCUT_OK && s.lags > 0 && i < all->count; i++)
        look->explained[i] = look->explained[i] || steady_explains(&s, a, &all->at[i]);
    look->sure[which] = st == PRVCUT_OK && s.lags > 0 && steady_sure(&s, a);
    steady_fini(&s);
    return st;
}

/* How often the signal has turned before each bin, from up to down or from down to up: [bins + 1];
   owned by the caller. */
static uint32_t *steady_turns(const struct prvcut_signal *in, struct prvcut_error *err)
{
    uint32_t *turn = prvcut_zeroed(in->bins + 1, sizeof *turn, "a signal", err), turns = 0;
    int was = 0;

    for (size_t i = 0; turn && i < in->bins; i++) {
        const double step = i > 0 ? in->at[i] - in->at[i - 1] : 0;
        const int goes = fabs(step) <= STEADY_EQUAL * fabs(in->at[i]) ? was : step > 0 ? 1 : -1;

        turns += goes != was && was != 0;
        was = goes;
        turn[i + 1] = turns;
    }
    return turn;
}

/* Stairs, each of which is taken for an iteration, never come back: so do the intervals of a table
   whose values go up. */
static enum prvcut_status steady_stairs(const struct prvcut_signal_sights *s, bool *explained,
                                        const struct prvcut_signal *in, struct prvcut_error *err)
{
    uint32_t *turn = steady_turns(in, err);

    if (!turn)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->count; i++) {
        const struct prvcut_signal_sight *a = &s->at[i];
        const uint32_t turns = turn[steady_bin(in, a->end)] - turn[steady_bin(in, a->start)];

        explained[i] = turns < STEADY_TURNS * (a->count - 1);
    }
    free(turn);
    return PRVCUT_OK;
}

/* Take the explained ones out. What is sure is believed where nothing is stronger. */
static void steady_tell(struct prvcut_signal_sights *s, const struct steady_sights *look)
{
    double strongest = 0;
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++)
        if (!look->explained[i])
            strongest = fmax(strongest, s->at[i].strength);
    for (size_t i = 0; i < s->count; i++) {
        if (look->explained[i]) {
            free(s->at[i].border.at);
            continue;
        }
        s->at[kept] = s->at[i];
        if (look->sure[i] && strongest < STEADY_SURE)
            s->at[kept].strength = STEADY_SURE;
        kept++;
    }
    s->count = kept;
}

enum prvcut_status prvcut_signal_sights_explain(struct prvcut_signal_sights *s,
                                                const struct prvcut_signal *in,
                                                struct prvcut_error *err)
{
    struct steady_sights look = { .sure = { false } };
    enum prvcut_status st = s->count > 0 ? steady_stairs(s, look.explained, in, err) : PRVCUT_OK;

    for (size_t i = 0; i < s->count && st == PRVCUT_OK; i++)
        if (!look.explained[i])
            st = steady_look(&look, s, i, in, err);
    if (st == PRVCUT_OK)
        steady_tell(s, &look);
    return st;
}
