#include "structure/separate_judge.h"

#include <math.h>

/*
 * Limits of the measures, found by hand on the same traces as the weights.
 *
 * name    value   unit        decides
 */
#define FEW        8 /* iterations, of which fewer are doubted the more ... */
#define FEW_STEP   5 /* ... by one for so many less */
#define NUMBER     6 /* most that the logarithm of their number counts, ... */
#define ALL_SPREAD 3 /* ... that the spread of their lengths does, ... */
#define USUAL      2 /* ... and that of the usual ones */
/* Where numbers of calls vary less than times do, how much of the spread these tell: machines are
   held up, programs are not. From 0.4 to 0.5 most of 179 traces are right; with all of it random
   work looks like a loop. */
#define BY_CALLS 0.4

/*
 * Logistic regression (ridge 0.01) of 'is the true loop or an accepted multiple' on these measures
 * of 559 traces with known truth; a random program weighs a quarter. accuracy_fit of the tests fits
 * others, to random programs alone, and says how well the answers are by these and by those.
 */
static const double weight[SEPARATE_MEASURES] = {
    -5.569, /* one */
    3.111,  /* mean share of time and calls */
    3.046,  /* share of threads x share of time x of iterations that are like the others */
    1.484,  /* share of the core with a constant number */
    0.983,  /* the same x share of iterations that are like the others */
    1.079,  /* share of iterations with the same single calls */
    0.367,  /* log2(1 + anchors x purity) */
    0.108,  /* ln iterations */
    -2.165, /* (8 - iterations) / 5 x (1 - constant), of fewer than 8 */
    -1.118, /* spread of log lengths */
    -1.677, /* of the usual ones */
    0.251,  /* a single call marks it */
    -0.941, /* only runs of four do */
};

static double swg_evened(double in_time, double in_calls)
{
    return in_calls < in_time ? BY_CALLS * in_calls + (1 - BY_CALLS) * in_time : in_time;
}

void prvcut_separate_measures(const struct separate_candidate *c, double x[SEPARATE_MEASURES])
{
    const struct separate_loop *m = &c->mean;
    const double n = (double)m->count, few = n < FEW ? (FEW - n) / FEW_STEP : 0;

    x[0] = 1;
    x[1] = (m->time + m->calls) / 2;
    x[2] = c->agree * m->time * m->same;
    x[3] = m->constant;
    x[4] = m->constant * m->same;
    x[5] = m->same_calls;
    x[6] = log2(1 + m->anchors * m->purity);
    x[7] = fmin(NUMBER, log(n));
    x[8] = few * (1 - m->constant);
    x[9] = fmin(ALL_SPREAD, swg_evened(m->spread.all, m->in_calls.all));
    x[10] = fmin(USUAL, swg_evened(m->spread.usual, m->in_calls.usual));
    x[11] = (m->lengths & SEPARATE_ONE) != 0;
    x[12] = m->lengths == SEPARATE_FOUR;
}

double prvcut_separate_evidence(const struct separate_candidate *c)
{
    double x[SEPARATE_MEASURES], sum = 0;

    prvcut_separate_measures(c, x);
    for (size_t i = 0; i < SEPARATE_MEASURES; i++)
        sum += weight[i] * x[i];
    return sum;
}
