#include "base/search.h"
#include "structure/call_anchor.h"
#include "structure/call_walk.h"

#include <math.h>

/*
 * Pairs and calls bound the time. The others were found by hand on the benchmarks' traces; what a
 * leap costs is the logarithm of how many there are to choose from.
 *
 * name          value    unit           decides
 */
#define COMPARE_BARE  0.6  /* likeness of iterations of one call: equal by definition */
#define COMPARE_PAIRS 32   /* pairs of iterations compared, at most */
#define COMPARE_CALLS 8192 /* calls compared, if two pairs have not more */
#define COMPARE_REACH 16   /* calls left out or put in, after which iterations meet again */
#define COMPARE_LEAP  7    /* nats that one such leap costs: there are many to choose from */
#define COMPARE_GOOD  0.9  /* likeness that needs no second look, with repeats left out, */
#define COMPARE_LONG  8    /* and calls of an iteration from which on one is taken */
#define COMPARE_FOLD  2    /* symbols of the longest repeat that it leaves out */
#define COMPARE_FEW   4    /* calls in an iteration that are few */

/* First gram at or after a call. */
static size_t compare_find(const struct call_grams *g, uint32_t place)
{
    return prvcut_lower_u32(g->place, g->count, sizeof *g->place, 0, place);
}

/* Walk through iterations i and i + 1 side by side; adds the grams that i has. */
static size_t compare_pair(const struct call_anchor *a, const struct call_grams *g, size_t i,
                           struct call_walk *w)
{
    size_t from = compare_find(g, a->place[i]), end = compare_find(g, a->place[i + 1]);

    w->kind = g->kind;
    w->count = i + 2 < a->count ? compare_find(g, a->place[i + 2]) : g->count;
    w->x = from;
    w->y = end;
    w->reach = (end - from) / 4 < COMPARE_REACH ? (end - from) / 4 : COMPARE_REACH;
    prvcut_call_walk(w, end);
    return end - from;
}

static double compare_nats(const struct call_walk *w, double gain)
{
    return (double)w->matched * gain - COMPARE_LEAP * (double)w->leaps;
}

/* Chance that two symbols are equal; never quite 0 or 1. */
static double compare_chance(const struct call_grams *g)
{
    double sum = 0, n = (double)g->count;

    for (size_t k = 0; k < g->kinds; k++)
        sum += pow((double)(g->first[k + 1] - g->first[k]) / n, 2);
    return fmin(sum, 0.95);
}

static bool compare_near(const struct prvcut_call_sequence *s, uint32_t from, uint32_t to,
                         double want)
{
    return fabs((double)(s->at[to].time - s->at[from].time) - want) <= 0.3 * want;
}

/*
 * What the clock adds where an iteration has few calls: that they keep time. It says nothing where
 * all calls are equally far apart.
 */
static double compare_time(const struct call_anchor *a, const struct prvcut_call_sequence *s)
{
    size_t step = (a->count - 1) / COMPARE_PAIRS + 1, single = 0, all = 0;
    double beats = 0;

    if (a->gap >= COMPARE_FEW)
        return 0;
    for (size_t i = 0; i + 1 < a->count; i += step) {
        const double usual = prvcut_call_usual(a->place, a->count, i, s);

        beats += compare_near(s, a->place[i], a->place[i + 1], usual) ? 1 : -1;
        for (uint32_t k = a->place[i]; k < a->place[i + 1]; k++, all++)
            single += compare_near(s, k, k + 1, usual / a->gap);
    }
    return a->deviation <= 0 && a->gap < 1.5 ? beats : beats * (1 - (double)single / (double)all);
}

/* Likeness and evidence by the symbols of one cut; kept if better than what is known. */
static void compare_cut(struct call_anchor *a, const struct call_grams *g, double gain,
                        const struct prvcut_call_sequence *s)
{
    size_t pairs = a->count - 2, all = 0, n = (size_t)(COMPARE_CALLS / a->gap) + 2;
    struct call_walk w = { 0 }, last = { 0 };
    double alike, evidence;

    n = n < COMPARE_PAIRS ? n : COMPARE_PAIRS;
    n = n < pairs ? n : pairs;
    for (size_t i = 0; i < n; i++)
        all += compare_pair(a, g, i * pairs / n, &w);
    /* What follows the last beat may or may not be a whole iteration: it can only speak for it. */
    compare_pair(a, g, pairs, &last);
    alike = all > 0 ? (double)w.matched / (double)all : 0;
    evidence = compare_nats(&w, gain) + fmax(0, compare_nats(&last, gain)) + compare_time(a, s);
    a->alike = fmax(a->alike, a->gap < 1.5 ? COMPARE_BARE * alike : alike);
    a->evidence = fmax(a->evidence, evidence);
}

/* Does the likeness of an anchor want a second look, with repeats left out? */
static bool compare_again(const struct call_anchor *a)
{
    return a->alike < COMPARE_GOOD && a->gap >= COMPARE_LONG && a->cut.fold > 0;
}

/* Compare the anchors of one alphabet by its symbols, which are cut once for all of them. */
static enum prvcut_status compare_all(struct call_anchors *pool, struct call_grams *g,
                                      const struct prvcut_call_sequence *s,
                                      const struct call_cut *cut, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    double gain = -1;

    for (size_t i = 0; i < pool->count && st == PRVCUT_OK; i++) {
        struct call_anchor *a = &pool->at[i];

        if (a->cut.alphabet != cut->alphabet || (cut->fold > 0 && !compare_again(a)))
            continue;
        if (gain < 0 && (st = prvcut_call_grams_make(g, s->at, s->count, cut, err)) == PRVCUT_OK)
            gain = -log(compare_chance(g));
        if (st == PRVCUT_OK)
            compare_cut(a, g, gain, s);
    }
    return st;
}

enum prvcut_status prvcut_call_anchors_compare(struct call_anchors *pool, struct call_grams *g,
                                               const struct prvcut_call_sequence *s,
                                               struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < pool->count; i++)
        pool->at[i].alike = pool->at[i].evidence = 0;
    for (size_t i = 0; i < 2 * (size_t)CALL_ALPHABETS && st == PRVCUT_OK; i++) {
        const struct call_cut cut = { .alphabet = &prvcut_call_alphabets[i / 2],
                                      .length = 1,
                                      .fold = i % 2 * COMPARE_FOLD };

        st = compare_all(pool, g, s, &cut, err);
    }
    return st;
}
