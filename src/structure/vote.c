#include "structure/vote.h"

#include <math.h>

/*
 * How signals agree on a loop. Set by hand; WITNESSES while looking at benchmarks of Paraver and
 * OTF2 whose loops are known, asked without calls, at two where one of several signals also counts
 * what is before the loop.
 *
 * name       value  unit         decides
 */
#define COMPARABLE 0.7 /* of the greatest strength: as good a witness of the same period */
#define LONGER     2   /* iterations by which such a one must have followed the loop longer */
#define WITNESSES  3   /* so many that are as good: not the longest, but who confirms it */
#define FOR        0.5 /* of its strength that a signal puts into agreement, ... */
#define AGAINST    0.3 /* ... and into contradiction */
#define MULTIPLE   200 /* times a period: no higher multiple is recognised as one */
#define ALONE      0.8 /* of its strength that a signal convinces: inner loops are the strongest */

/** Who is asked, and how what they say is weighed. */
struct vote_hall {
    const struct prvcut_witness *w; /* [count] */
    size_t count;
    const struct prvcut_parameters *set;
};

static bool vot_same(double a, double b, const struct prvcut_parameters *set)
{
    return fabs(a / b - 1) < prvcut_parameter_of(set, PRVCUT_SET_SAME);
}

bool prvcut_vote_same(double a, double b, const struct prvcut_parameters *set)
{
    return a > 0 && b > 0 && vot_same(a, b, set);
}

/* k >= 2 with a = k b, about; 0: none. */
static unsigned vot_multiple(double a, double b, const struct prvcut_parameters *set)
{
    const double k = round(a / b);

    return k >= 2 && k <= MULTIPLE &&
                   fabs(a / b / k - 1) < prvcut_parameter_of(set, PRVCUT_SET_HARMONIC)
               ? (unsigned)k
               : 0;
}

static double vot_weight(const struct prvcut_witness *w)
{
    /* Strong answers are right nearly always, faint ones about half the time. */
    return w->loop.found ? w->loop.strength * w->loop.strength : 0;
}

/* Weight of all signals that support the period of witness i. */
static double vot_support(const struct vote_hall *h, size_t i)
{
    const struct prvcut_witness *const w = h->w;
    double sum = 0;

    for (size_t k = 0; k < h->count && w[i].loop.found; k++)
        if (w[k].loop.found && vot_same(w[k].loop.period_ns, w[i].loop.period_ns, h->set))
            sum += vot_weight(&w[k]);
    return sum;
}

/* The signal whose period most weight supports; count: no signal saw a loop. */
static size_t vot_best_supported(const struct vote_hall *h)
{
    const struct prvcut_witness *const w = h->w;
    size_t best = h->count;
    double most = 0;

    for (size_t i = 0; i < h->count; i++) {
        const double s = vot_support(h, i);

        if (s > most ||
            (best < h->count && s == most && vot_weight(&w[i]) > vot_weight(&w[best]))) {
            most = s;
            best = i;
        }
    }
    return best;
}

/* A loop around the best one, if it has enough support of its own. */
static size_t vot_outer(const struct vote_hall *h, size_t best)
{
    const double least =
        prvcut_parameter_of(h->set, PRVCUT_SET_AROUND_SHARE) * vot_support(h, best);
    const double longer = prvcut_parameter_of(h->set, PRVCUT_SET_AROUND);
    size_t found = best;

    /* Inner loops correlate more strongly. */
    for (size_t i = 0; i < h->count; i++)
        if (h->w[i].loop.found && h->w[i].loop.period_ns > longer * h->w[best].loop.period_ns &&
            vot_support(h, i) >= least &&
            (found == best || vot_support(h, i) > vot_support(h, found)))
            found = i;
    return found;
}

static double vot_length(const struct prvcut_witness *w)
{
    return (double)(w->loop.span.end - w->loop.span.start);
}

/* Does it share a period with the strongest of those that do, as good a witness? */
static bool vote_shares(const struct vote_hall *h, size_t i, size_t strongest)
{
    const struct prvcut_loop *l = &h->w[i].loop, *best = &h->w[strongest].loop;

    return l->found && vot_same(l->period_ns, best->period_ns, h->set) &&
           l->strength >= COMPARABLE * best->strength;
}

/* Did it follow more iterations, or as many and more clearly? */
static bool vote_is_before(const struct prvcut_loop *a, const struct prvcut_loop *b)
{
    return a->iterations > b->iterations ||
           (a->iterations >= b->iterations && a->strength > b->strength);
}

/* Do several share the period, and just one of them followed it for longer? Who goes on beyond the
   loop, or counts what is beside it, is not followed by the others. */
static bool vote_is_confirmed(const struct vote_hall *h, size_t i, size_t strongest)
{
    size_t all = 0, before = 0;

    for (size_t k = 0; k < h->count; k++)
        if (vote_shares(h, k, strongest)) {
            all++;
            before += k != i && vote_is_before(&h->w[k].loop, &h->w[i].loop);
        }
    return all >= WITNESSES && before == 1;
}

/* Of those that share a period the strongest; one that is not much fainter, where it followed the
   loop for clearly more iterations; of several the longest but one, which that confirms. */
static size_t vot_longest(const struct vote_hall *h, size_t best)
{
    const struct prvcut_witness *const w = h->w;
    const size_t count = h->count;
    size_t strongest = best, found;

    for (size_t i = 0; i < count; i++)
        if (w[i].loop.found && vot_same(w[i].loop.period_ns, w[best].loop.period_ns, h->set) &&
            w[i].loop.strength > w[strongest].loop.strength)
            strongest = i;
    for (size_t i = 0; i < count; i++)
        if (vote_shares(h, i, strongest) && vote_is_confirmed(h, i, strongest))
            return i;
    found = strongest;
    for (size_t i = 0; i < count; i++)
        if (vote_shares(h, i, strongest) &&
            vot_length(&w[i]) > vot_length(&w[found]) + LONGER * w[strongest].loop.period_ns)
            found = i;
    return found;
}

static size_t vot_choose(const struct vote_hall *h)
{
    size_t best;

    for (size_t i = 0; i < h->count; i++)
        if (h->w[i].calls && h->w[i].loop.found)
            return i;
    best = vot_best_supported(h);
    return best == h->count ? best : vot_longest(h, vot_outer(h, best));
}

static enum prvcut_stand vot_stand_of(const struct prvcut_loop *l, double period,
                                      const struct prvcut_parameters *set)
{
    if (!l->found)
        return PRVCUT_STAND_NONE;
    if (vot_same(l->period_ns, period, set))
        return PRVCUT_STAND_AGREES;
    if (vot_multiple(period, l->period_ns, set) > 0)
        return PRVCUT_STAND_INNER;
    if (vot_multiple(l->period_ns, period, set) > 0)
        return PRVCUT_STAND_MULTIPLE;
    return PRVCUT_STAND_DIFFERS;
}

static double vot_confidence(struct prvcut_witness *w, size_t count, size_t chosen)
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

void prvcut_vote(struct prvcut_verdict *out, struct prvcut_witness *w, size_t count,
                 const struct prvcut_parameters *set)
{
    const struct vote_hall hall = { w, count, set };

    *out = (struct prvcut_verdict){ .why = "no signal shows a loop that repeats at least 3 times" };
    out->chosen = vot_choose(&hall);
    for (size_t i = 0; i < count; i++)
        w[i].stand = out->chosen == count
                         ? PRVCUT_STAND_NONE
                         : vot_stand_of(&w[i].loop, w[out->chosen].loop.period_ns, set);
    if (out->chosen == count)
        return;
    w[out->chosen].stand = PRVCUT_STAND_CHOSEN;
    out->confidence = vot_confidence(w, count, out->chosen);
    if (out->confidence < prvcut_parameter_of(set, PRVCUT_SET_CONFIDENCE)) {
        out->why = "the signals repeat too faintly to be trusted";
        return;
    }
    out->found = true;
    out->why = NULL;
}
