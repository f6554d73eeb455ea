#include "structure/vote.h"

#include <math.h>

/* Periods within this ratio of each other are the same. */
#define SAME 0.05
/* A multiple with this share of the support of the best period is the outer loop. */
#define OUTER 0.6
/* How much of its strength a signal puts into agreement, and into contradiction. */
#define FOR     0.5
#define AGAINST 0.3
/* Highest multiple that is recognised as one. */
#define MULTIPLE 200
/* A signal alone does not convince fully: inner loops often correlate most strongly. */
#define ALONE 0.8

static bool same(double a, double b)
{
    return fabs(a / b - 1) < SAME;
}

/* k >= 2 with a = k b, about; 0: none. */
static unsigned multiple(double a, double b)
{
    const double k = round(a / b);

    return k >= 2 && k <= MULTIPLE && fabs(a / b - k) < SAME * k && fabs(a / b / k - 1) < SAME
               ? (unsigned)k
               : 0;
}

/* Weight of all signals that support the period of witness i. */
static double support(const struct prvcut_witness *w, size_t count, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        if (w[k].loop.found && same(w[k].loop.period_ns, w[i].loop.period_ns))
            sum += w[k].loop.strength;
    return sum;
}

static size_t strongest(const struct prvcut_witness *w, size_t count)
{
    size_t best = count;
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        if (w[i].calls && w[i].loop.found)
            return i;
    }
    for (size_t i = 0; i < count; i++) {
        const double s = w[i].loop.found ? support(w, count, i) : 0;

        if (s > most || (s == most && best < count && w[i].loop.strength > w[best].loop.strength)) {
            most = s;
            best = i;
        }
    }
    for (size_t i = 0; i < count && best < count; i++)
        if (w[i].loop.found && multiple(w[i].loop.period_ns, w[best].loop.period_ns) > 0 &&
            support(w, count, i) >= OUTER * most)
            best = i;
    return best;
}

static enum prvcut_stand stand_of(const struct prvcut_loop *l, double period)
{
    if (!l->found)
        return PRVCUT_STAND_NONE;
    if (same(l->period_ns, period))
        return PRVCUT_STAND_AGREES;
    if (multiple(period, l->period_ns) > 0)
        return PRVCUT_STAND_INNER;
    if (multiple(l->period_ns, period) > 0)
        return PRVCUT_STAND_MULTIPLE;
    return PRVCUT_STAND_DIFFERS;
}

static double confidence(struct prvcut_witness *w, size_t count, size_t chosen)
{
    double doubt = 1 - w[chosen].loop.strength * (w[chosen].calls ? 1 : ALONE);
    double against = 0;

    for (size_t i = 0; i < count; i++) {
        if (i == chosen)
            continue;
        if (w[i].stand == PRVCUT_STAND_AGREES)
            doubt *= 1 - FOR * w[i].loop.strength;
        else if (w[i].stand == PRVCUT_STAND_DIFFERS || w[i].stand == PRVCUT_STAND_MULTIPLE)
            against = fmax(against, w[i].loop.strength);
    }
    return (1 - doubt) * (1 - AGAINST * against);
}

void prvcut_vote(struct prvcut_verdict *out, struct prvcut_witness *w, size_t count)
{
    *out = (struct prvcut_verdict){ .why = "no metric shows a loop that repeats at least 3 times" };
    out->chosen = strongest(w, count);
    for (size_t i = 0; i < count; i++)
        w[i].stand = out->chosen == count ? PRVCUT_STAND_NONE
                                          : stand_of(&w[i].loop, w[out->chosen].loop.period_ns);
    if (out->chosen == count)
        return;
    w[out->chosen].stand = PRVCUT_STAND_CHOSEN;
    out->confidence = confidence(w, count, out->chosen);
    if (out->confidence < PRVCUT_CONFIDENCE_LEAST) {
        out->why = "what repeats does so too faintly to be trusted";
        return;
    }
    out->found = true;
    out->why = NULL;
}
