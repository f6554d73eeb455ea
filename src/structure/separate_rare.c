#include "structure/separate_rare.h"

#include "structure/separate_around.h"
#include "structure/separate_judge.h"
#include "structure/separate_rounds.h"

#include <math.h>
#include <stdint.h>

/*
 * What tells an event from an iteration. Around solvers' passes lies a loop, around time steps lie
 * events, and both look the same from one to the next; but iterations fill the run from its
 * beginning to its end. Found on 185 real and hard programs: of the loops that were taken there 60
 * have a varying number of a believed one inside; this holds for the 3 of them that are events.
 *
 * name       value   unit            decides
 */
#define GAPS    5    /* between places of an event, at least: of few the least says little */
#define VARIES  0.2  /* of their mean number: so far are least and most apart; else any is right */
#define OUTSIDE 2    /* places of the same event that may lie before or behind the loop */
#define ALL     0.95 /* of the calls of b that c has: what b leaves out is no part of it */

/* Iterations of c among places of b, on one thread. */
struct rare_count {
    size_t lead, trail; /* before the first and behind the last place */
    size_t least, most; /* between two */
    double mean;
    bool lead_known, trail_known;
};

static struct rare_count rare_count(const struct separate_loop *b, const struct separate_loop *c)
{
    const uint32_t first = prvcut_separate_places_of(b).first;
    struct rare_count n = { .least = SIZE_MAX,
                            .lead_known = b->before <= 1 && c->before <= 1 && c->begins,
                            .trail_known = b->after == 0 && c->ends };
    size_t k = 0, from;

    while (k < c->count && c->place[k] < first)
        k++;
    n.lead = k + (c->before == 1 && prvcut_separate_places_of(c).first < first);
    while (k < c->count && c->place[k] < b->place[0])
        k++;
    from = k;
    for (size_t g = 0; g + 1 < b->count; g++) {
        size_t held = k;

        while (k < c->count && c->place[k] < b->place[g + 1])
            k++;
        held = k - held;
        n.least = held < n.least ? held : n.least;
        n.most = held > n.most ? held : n.most;
    }
    n.mean = (double)(k - from) / (double)(b->count - 1);
    n.trail = c->count - k + c->after;
    return n;
}

/* One is not told from none. */
static bool rare_is_short(size_t piece, size_t least)
{
    return piece > 1 && piece < least;
}

/* Does a piece at an end lack some of an iteration, which the one at the other end does not hold?
 */
static bool rare_lacks(const struct rare_count *n)
{
    const size_t both = n->lead + n->trail;

    /* A separator stands somewhere in its iteration: one more or less is the same. */
    if (n->lead > 0 && n->trail > 0 && both + 1 >= n->least && both <= n->most + 1)
        return false;
    return (n->lead_known && rare_is_short(n->lead, n->least)) ||
           (n->trail_known && rare_is_short(n->trail, n->least));
}

static bool rare_on(const struct separate_loop *b, const struct separate_loop *c)
{
    const struct rare_count n = rare_count(b, c);
    const struct separate_places x = prvcut_separate_places_of(b), y = prvcut_separate_places_of(c);

    return (double)(n.most - n.least) >= VARIES * n.mean && rare_lacks(&n) &&
           prvcut_separate_adds(&x, &y);
}

bool prvcut_separate_is_rare(const struct separate_candidate *b, const struct separate_candidate *c)
{
    const struct separate_loop *x = &b->mean, *y = &c->mean;
    bool any = false;

    if (x->common != y->common || x->count <= GAPS || x->count >= y->count ||
        prvcut_separate_near(x->count, y->count) || !prvcut_separate_believed(c) ||
        c->agree < SEPARATE_WIDE || (y->lengths & SEPARATE_ONE) == 0 || y->calls < ALL * x->calls)
        return false;
    for (unsigned i = 0; i < SEPARATE_THREADS; i++) {
        if (!b->of[i] || !c->of[i])
            continue;
        if (!rare_on(b->of[i], c->of[i]))
            return false;
        any = true;
    }
    return any;
}

bool prvcut_separate_is_same_event(const struct separate_candidate *b,
                                   const struct separate_candidate *x)
{
    return b->mean.count > x->mean.count && b->mean.count <= x->mean.count + OUTSIDE &&
           b->mean.common == x->mean.common && prvcut_separate_surrounds(x, b);
}
