#include "structure/rounds.h"

#include "base/memory.h"
#include "structure/separate_rounds.h"
#include "structure/spread.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * A solver that goes on until it has converged is closed by a call or two, as steps are by output
 * that comes after 3 of them, or 30: iterations of both hold some number of rounds, and a few calls
 * more. Nothing in the calls tells which of them was meant; but iterations fill a run from its
 * beginning to its end. Where rounds come before the first and behind the last of what should be a
 * loop's beginning or end, 1 of 27 such ones was a loop (of 65 real and hard programs, and of 40
 * generated ones with events): that may be anything. Else a loop is as sure as the count says: of
 * 48 of all these with known truth, programs that nobody had tuned for among them, 39 were one, of
 * 43 without those 39. Of generated ones 95 % are: 0.8 would be too little of these.
 * Of 984 generated programs 31 had rounds outside: 6 of these answers were right. Of 49 that may
 * hold tries, 40 were, 40 of 42 of those whose iterations hold the same single calls, as accepted
 * tries do, and none of 7 others: there something is done in most rounds and left out in some.
 *
 * name      value  unit            decides
 */
#define UNSURE   0.89 /* confidence, at most, ... */
#define OUTSIDE  0.35 /* ... where there are rounds outside, or what is done in most rounds, ... */
#define ACCEPTED 0.85 /* ... where there are tries, all of which end with the same calls, ... */
#define DOUBTED  0.5  /* ... or nobody compared them; where iterations are as long as chance has */
#define EVEN     0.08 /* of the logarithm by which lengths vary: less is no chance */
#define HELD     0.98 /* of the iterations hold the same single calls: all do */
#define TRIED    3    /* rounds of one iteration, at least: it may hold tries, ... */
#define TRIES    0.85 /* ... of which so many as chance has, at least, are the only one */
#define BELIEVED 0.65 /* probability of the loop inside, as SEPARATE_BELIEVED */
#define SAME     0.06 /* of the iterations, or one: the separators' loop */
#define TIMES    2    /* times the iterations, at least: another loop, inside */
#define EMPTY    0.2  /* of its iterations that hold none of another: it is not around that one; */
#define MORE     1.1  /* times the iterations of one that calls tell, at least: one inside */

/* Rounds of one loop in the iterations of another; most 0: none that vary. */
static struct prvcut_rounds rnds_between(const struct prvcut_call_loop *outer,
                                         const struct prvcut_call_loop *inner)
{
    struct prvcut_rounds out = { .median_ns = inner->loop.median_ns };

    for (size_t i = 0; i < outer->sequences && i < inner->sequences; i++) {
        const size_t begun = outer->borders[i] > 0 ? outer->borders[i] - 1 : 0;
        const struct separate_places b = { outer->start[i], begun, begun > 0 ? *outer->start[i] : 0,
                                           true };
        const struct separate_places c = { inner->start[i], inner->borders[i], 0, true };

        if (b.count > 1 && c.count > 1 && !prvcut_separate_rounds_add(&out, &b, &c))
            return (struct prvcut_rounds){ .most = 0 };
    }
    return prvcut_separate_rounds_vary(&out) ? out : (struct prvcut_rounds){ .most = 0 };
}

/* Iterations of one thread that lie within the inner loop, and those that hold no border of it. */
static void rnds_count(double *all, double *none, const struct prvcut_call_loop *outer,
                       const struct prvcut_call_loop *inner, size_t thread)
{
    const uint32_t *o = outer->start[thread], *n = inner->start[thread];
    const size_t borders = inner->borders[thread];

    for (size_t g = 0, k = 0; borders > 0 && g + 1 < outer->borders[thread]; g++) {
        if (o[g] < n[0] || o[g + 1] > n[borders - 1])
            continue;
        while (n[k] < o[g])
            k++;
        *all += 1;
        *none += n[k] >= o[g + 1];
    }
}

bool prvcut_rounds_around(const struct prvcut_call_loop *outer,
                          const struct prvcut_call_loop *inner)
{
    double all = 0, none = 0;

    for (size_t i = 0; i < outer->sequences && i < inner->sequences; i++)
        rnds_count(&all, &none, outer, inner, i);
    return none <= EMPTY * all;
}

/*
 * Most iterations hold one round, some two, few more: tries that are thrown away now and then are
 * ended by what accepts one; or each round is an iteration, and in most of them something more is
 * done. The calls are the same.
 */
static bool rnds_are_tries(const struct prvcut_rounds *r)
{
    return !r->uneven && r->least <= 1 && r->most >= TRIED &&
           (double)r->once * (double)r->held >= TRIES * (double)r->gaps * (double)r->gaps;
}

/*
 * Are its iterations as near and as far from each other as events are? Who found it may not have
 * compared them: rounds lie inside it that are sure, and it is around these.
 */
static enum prvcut_status rnds_by_chance(bool *out, const struct prvcut_call_loop *l,
                                         struct prvcut_error *err)
{
    struct prvcut_spread spread;
    double *length;
    size_t i = 0, n;

    *out = false;
    while (i < l->sequences && l->borders[i] < 2)
        i++;
    if (i == l->sequences)
        return PRVCUT_OK;
    n = l->borders[i] - 1;
    length = prvcut_unset(2 * n, sizeof *length, "iterations", err);
    if (!length)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < n; k++)
        length[k] = log(fmax(1, (double)l->start[i][k + 1] - (double)l->start[i][k]));
    prvcut_spread_find(&spread, length, length + n, n);
    *out = prvcut_spread_by_chance(&spread, n);
    free(length);
    return PRVCUT_OK;
}

/* How sure a loop may be whose iterations hold rounds that vary. own: the separators tell of it. */
static double rnds_most(const struct prvcut_search *s, bool own)
{
    if (s->rounds.outside)
        return s->calls.spread < EVEN ? DOUBTED : OUTSIDE;
    if (!rnds_are_tries(&s->rounds))
        return UNSURE;
    if (!own)
        return DOUBTED;
    return s->separation.held >= HELD ? ACCEPTED : OUTSIDE;
}

static void rnds_doubt(struct prvcut_search *s, double most)
{
    s->confidence = s->verdict.confidence = fmin(s->confidence, most);
}

/* Are x->calls still the separators' loop? They are the witnesses', where the former was taken. */
static bool rnds_are_separators(const struct prvcut_separation *x)
{
    return x->calls.loop.found &&
           fabs(x->calls.loop.iterations - x->iterations) <= fmax(1, SAME * x->iterations);
}

enum prvcut_status prvcut_search_rounds(struct prvcut_search *s, struct prvcut_error *err)
{
    const struct prvcut_separation *x = &s->separation;
    const double own = s->loop.iterations;
    const bool theirs = fabs(own - x->iterations) <= fmax(1, SAME * own);
    enum prvcut_status st;
    bool by_chance;

    if (!s->verdict.found || !s->witness[s->verdict.chosen].calls || !x->looked)
        return PRVCUT_OK;
    if (theirs)
        s->rounds = x->rounds.most > 0 || !s->calls.separated || !x->calls.loop.found ||
                            x->calls.loop.iterations < MORE * own
                        ? x->rounds
                        : rnds_between(&s->calls, &x->calls);
    else if (x->probability >= BELIEVED && !x->events && rnds_are_separators(x) &&
             x->calls.loop.iterations >= TIMES * own)
        s->rounds = rnds_between(&s->calls, &x->calls);
    if (s->rounds.most > 0)
        rnds_doubt(s, rnds_most(s, theirs));
    st = rnds_by_chance(&by_chance, &s->calls, err);
    if (by_chance)
        rnds_doubt(s, DOUBTED);
    return st;
}
