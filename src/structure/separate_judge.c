#include "structure/separate_judge.h"

#include <math.h>

/*
 * What no weight can make up for. Found on traces with known truth.
 *
 * name       value     unit                 decides
 */
#define DOUBTED   0.45 /* probability, at most, where one of the next holds: */
#define AGREE     0.7  /* fewer of the threads have it, ... */
#define AGREE_FEW 0.9  /* ... or fewer than this, and an iteration has fewer calls than: */
#define FEW_CALLS 5    /* calls an iteration; */
#define ONE_CALL  1.5  /* an iteration has fewer calls than this, ... */
#define FEW_SUCH  12   /* ... there are fewer such iterations than this, ... */
#define MOST      0.5  /* ... and they make less of the calls or of the time, as set-up does; */
#define FEWEST    4    /* fewer iterations than this, and their calls are not as many in each: */
#define CONSTANT  0.8  /* of the core that must come equally often there; */
#define LITTLE_OF 10   /* fewer iterations than this, ... */
#define LITTLE    0.33 /* ... and they take less of time and calls; */
#define ANY_TIME  0.6  /* spread of the usual log lengths, from which ... */
#define ANY_CALLS 0.9  /* ... so many iterations must hold the same single calls */

bool prvcut_separate_doubted(const struct separate_candidate *c)
{
    const struct separate_loop *m = &c->mean;

    return c->agree < AGREE || (c->agree < AGREE_FEW && m->gap < FEW_CALLS) ||
           (m->gap < ONE_CALL && m->count < FEW_SUCH && fmin(m->time, m->calls) < MOST) ||
           (m->count < FEWEST && m->constant < CONSTANT) ||
           (m->spread.usual >= ANY_TIME && m->same_calls < ANY_CALLS) ||
           (m->count < LITTLE_OF && (m->time + m->calls) / 2 < LITTLE);
}

double prvcut_separate_probability(const struct separate_candidate *c)
{
    const double p = 1 / (1 + exp(-prvcut_separate_evidence(c)));

    return prvcut_separate_doubted(c) ? fmin(p, DOUBTED) : p;
}

bool prvcut_separate_believed(const struct separate_candidate *c)
{
    return c->probability >= SEPARATE_BELIEVED;
}
