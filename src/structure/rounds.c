#include "structure/rounds.h"

#include "structure/separate_rounds.h"

#include <math.h>
#include <stdint.h>

/*
 * A solver that goes on until it has converged is closed by a call or two, as steps are by output
 * that comes after 3 of them, or 30: iterations of both hold some number of rounds, and a few calls
 * more. Nothing in the calls tells which of them was meant; but iterations fill a run from its
 * beginning to its end. Where rounds come before the first and behind the last of what should be a
 * loop's beginning or end, 1 of 27 such ones was a loop (of 65 real and hard programs, and of 40
 * generated ones with events): that may be anything. Else a loop is as sure as the count says: of
 * 48 of all these with known truth, programs that nobody had tuned for among them, 39 were one, of
 * 43 without those 39. Of generated ones 95 % are: 0.8 would be too little of these.
 *
 * name      value  unit            decides
 */
#define UNSURE   0.89 /* confidence, at most, ... */
#define OUTSIDE  0.5  /* ... and where there are rounds outside */
#define BELIEVED 0.65 /* probability of the loop inside, as SEPARATE_BELIEVED */
#define SAME     0.06 /* of the iterations, or one: the separators' loop */
#define TIMES    2    /* times the iterations, at least: another loop, inside */

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

void prvcut_search_rounds(struct prvcut_search *s)
{
    const struct prvcut_separation *x = &s->separation;
    const double own = s->loop.iterations;

    if (!s->verdict.found || !s->witness[s->verdict.chosen].calls || !x->looked)
        return;
    if (fabs(own - x->iterations) <= fmax(1, SAME * own))
        s->rounds = x->rounds;
    else if (x->probability >= BELIEVED && !x->events && !s->calls.separated &&
             x->calls.loop.found && x->calls.loop.iterations >= TIMES * own)
        s->rounds = rnds_between(&s->calls, &x->calls);
    if (s->rounds.most > 0)
        s->confidence = s->verdict.confidence =
            fmin(s->confidence, s->rounds.outside ? OUTSIDE : UNSURE);
}
