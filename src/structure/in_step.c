#include "structure/in_step.h"

#include "base/memory.h"
#include "dsp/order.h"

#include <math.h>
#include <stdlib.h>

/*
 * Pairs bound the time. Least was found by hand on generated masters and
 * workers.
 *
 * name   value  unit        decides
 */
#define PAIRS 32 /* of followers, at most, that are compared */
#define LEAST 16 /* iterations, fewer than which do not tell a drift */

/* What is added up over pairs of followers, and room for one pair. */
struct stepping {
    double *more;  /* [count] of each iteration on the other thread, ns; work */
    double *apart; /* [PAIRS] shares */
    size_t count, pairs;
    double one, many; /* squares of the distance made in one iteration, in `stride` of them */
    size_t stride;
};

static size_t step_follower(const struct prvcut_call_loop *l, size_t i)
{
    while (i < l->sequences && l->borders[i] == 0)
        i++;
    return i;
}

/* Mean squares of what two threads move apart; a steady difference of clocks is none. */
static void step_add_drift(struct stepping *s)
{
    const size_t n = s->count, m = s->stride;
    double mean = 0, one = 0, many = 0, sum = 0;

    for (size_t k = 0; k < n; k++)
        mean += s->more[k] / (double)n;
    for (size_t k = 0; k < n; k++) {
        const double now = s->more[k] - mean;

        one += now * now / (double)n;
        sum += now;
        if (k >= m)
            sum -= s->more[k - m] - mean;
        if (k + 1 >= m)
            many += sum * sum / (double)(n - m + 1);
    }
    s->one += one;
    s->many += many;
}

static void step_compare(struct stepping *s, const uint64_t *a, const uint64_t *b)
{
    const size_t n = s->count;
    const double mean = (double)(a[n] - a[0]) / (double)n;

    for (size_t k = 0; k < n; k++)
        s->more[k] = (double)(a[k + 1] - a[k]) - (double)(b[k + 1] - b[k]);
    if (n >= LEAST)
        step_add_drift(s);
    for (size_t k = 0; k < n; k++)
        s->more[k] = fabs(s->more[k]);
    s->apart[s->pairs++] = mean > 0 ? prvcut_median(s->more, n) / mean : 0;
}

enum prvcut_status prvcut_call_loop_step(struct prvcut_step *out, const struct prvcut_call_loop *l,
                                         struct prvcut_error *err)
{
    struct stepping s = { .count = 0 };
    double apart[PAIRS];
    size_t a, b;

    *out = (struct prvcut_step){ 0, 0 };
    a = l->loop.found ? step_follower(l, 0) : l->sequences;
    b = a < l->sequences ? step_follower(l, a + 1) : a;
    if (b >= l->sequences || l->borders[a] < 2)
        return PRVCUT_OK;
    s.count = l->borders[a] - 1;
    s.stride = (size_t)sqrt((double)s.count);
    s.apart = apart;
    s.more = prvcut_unset(s.count, sizeof *s.more, "iterations", err);
    if (!s.more)
        return PRVCUT_ENOMEM;
    for (; b < l->sequences && s.pairs < PAIRS; a = b, b = step_follower(l, b + 1))
        step_compare(&s, l->border[a], l->border[b]);
    out->apart = prvcut_median(apart, s.pairs);
    if (s.one > 0)
        out->drift = s.many / ((double)s.stride * s.one);
    free(s.more);
    return PRVCUT_OK;
}
