#include "structure/vote.h"

#include <math.h>

/* Periods within this ratio of each other are the same. */
#define SAME 0.07
/* A period that is longer than the best one by this factor and has this share of its support is
   the loop around it: inner loops correlate more strongly. */
#define AROUND 3.0
#define OUTER  0.4
/* A signal with this share of the greatest strength is as good a witness. */
#define COMPARABLE 0.7
/* Iterations by which such a one must have followed the loop longer. */
#define LONGER 2
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

bool prvcut_vote_same(double a, double b)
{
    return a > 0 && b > 0 && same(a, b);
}

/* k >= 2 with a = k b, about; 0: none. */
static unsigned multiple(double a, double b)
{
    const double k = round(a / b);

    return k >= 2 && k <= MULTIPLE && fabs(a / b - k) < SAME * k && fabs(a / b / k - 1) < SAME
               ? (unsigned)k
               : 0;
}

static double weight(const struct prvcut_witness *w)
{
    /* Strong answers are right nearly always, faint ones about half the time. */
    return w->loop.found ? w->loop.strength * w->loop.strength : 0;
}

/* Weight of all signals that support the period of witness i. */
static double support(const struct prvcut_witness *w, size_t count, size_t i)
{
    double sum = 0;

    for (size_t k = 0; k < count && w[i].loop.found; k++)
        if (w[k].loop.found && same(w[k].loop.period_ns, w[i].loop.period_ns))
            sum += weight(&w[k]);
    return sum;
}

/* The signal whose period most weight supports; count: no signal saw a loop. */
static size_t best_supported(const struct prvcut_witness *w, size_t count)
{
    size_t best = count;
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        const double s = support(w, count, i);

        if (s > most || (best < count && s == most && weight(&w[i]) > weight(&w[best]))) {
            most = s;
            best = i;
        }
    }
    return best;
}

/* A loop around the best one, if it has enough support of its own. */
static size_t outer(const struct prvcut_witness *w, size_t count, size_t best)
{
    const double least = OUTER * support(w, count, best);
    size_t found = best;

    for (size_t i = 0; i < count; i++)
        if (w[i].loop.found && w[i].loop.period_ns > AROUND * w[best].loop.period_ns &&
            support(w, count, i) >= least &&
            (found == best || support(w, count, i) > support(w, count, found)))
            found = i;
    return found;
}

static double length(const struct prvcut_witness *w)
{
    return (double)(w->loop.span.end - w->loop.span.start);
}

/* Of those that share a period the strongest; one that is not much fainter, where it followed the
   loop for clearly more iterations. */
static size_t longest(const struct prvcut_witness *w, size_t count, size_t best)
{
    size_t strongest = best, found;

    for (size_t i = 0; i < count; i++)
        if (w[i].loop.found && same(w[i].loop.period_ns, w[best].loop.period_ns) &&
            w[i].loop.strength > w[strongest].loop.strength)
            strongest = i;
    found = strongest;
    for (size_t i = 0; i < count; i++)
        if (w[i].loop.found && same(w[i].loop.period_ns, w[best].loop.period_ns) &&
            w[i].loop.strength >= COMPARABLE * w[strongest].loop.strength &&
            length(&w[i]) > length(&w[found]) + LONGER * w[strongest].loop.period_ns)
            found = i;
    return found;
}

static size_t choose(const struct prvcut_witness *w, size_t count)
{
    size_t best;

    for (size_t i = 0; i < count; i++)
        if (w[i].calls && w[i].loop.found)
            return i;
    best = best_supported(w, count);
    return best == count ? count : longest(w, count, outer(w, count, best));
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
    *out = (struct prvcut_verdict){ .why = "no signal shows a loop that repeats at least 3 times" };
    out->chosen = choose(w, count);
    for (size_t i = 0; i < count; i++)
        w[i].stand = out->chosen == count ? PRVCUT_STAND_NONE
                                          : stand_of(&w[i].loop, w[out->chosen].loop.period_ns);
    if (out->chosen == count)
        return;
    w[out->chosen].stand = PRVCUT_STAND_CHOSEN;
    out->confidence = confidence(w, count, out->chosen);
    if (out->confidence < PRVCUT_CONFIDENCE_LEAST) {
        out->why = "the signals repeat too faintly to be trusted";
        return;
    }
    out->found = true;
    out->why = NULL;
}
