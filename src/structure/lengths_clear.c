#include "dsp/order.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Lengths are often not normal: now and then something takes a little longer, on any of many
 * threads, and of the others the longest then lies far off by chance. How far tells what lies
 * behind it: of an exponential tail the distances from one value to the next, each times the values
 * beyond it, are alike. (Their mean is of few, so that it takes more, as Fisher's F has it.) Before
 * any is seen each is expected to be a standard deviation of the others: this counts as some
 * of them, so that few that happen to be close do not make the next one stand clear, and few that
 * are not hide it.
 *
 * Set by random runs of 8 to 400 (normal, uniform, exponential, log-normal, Student's, drifting,
 * correlated), judged by others.
 *
 * name          value  unit            decides
 */
#define CLEAR_BEHIND                                                                               \
    8                 /* values          behind those that stand out, whose distances are alike    \
                       */
#define CLEAR_LEAST 2 /* the same        of fewer nothing can be told */
#define CLEAR_PRIOR                                                                                \
    4.0 /* the same        that are expected, each a standard deviation of the others */
#define CLEAR_PART 4   /* of all one part so many at most stand out together */
#define CLEAR_SURE 6.0 /* minus logarithm of how likely it is by chance, at most, ... */
#define CLEAR_GREAT                                                                                \
    0.3 /* ... over how much longer it is: who is by a lot may be so with others in a tail, ... */
#define CLEAR_TAIL 1.5 /* ... the same      where that is seen: */
#define CLEAR_SEEN 3   /* values            so many behind it are in the tail, ... */
#define CLEAR_OUT  3.0 /* deviations        ... none of the others */

static int clear_compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* What is to be judged. */
struct clear {
    const double
        *far; /* [count] ascending, the farthest first, negative; `known` of them in order */
    size_t count, known;
    double deviation; /* of the others */
    size_t among;     /* as of lengths_list */
};

/* The sum of the distances behind the first g, as of an exponential tail. */
static double clear_sum(const struct clear *c, size_t g, size_t behind)
{
    double sum = CLEAR_PRIOR * c->deviation;

    for (size_t i = g; i < g + behind; i++)
        sum += (double)(i + 1) * (c->far[i + 1] - c->far[i]);
    return sum;
}

/* Is there a tail behind the first g, of those that are none of the others? */
static bool clear_has_tail(const struct clear *c, size_t g)
{
    return g + CLEAR_SEEN <= c->known && -c->far[g + CLEAR_SEEN - 1] > CLEAR_OUT * c->deviation;
}

/* Do the first g stand clear of those behind? */
static bool clear_is(const struct clear *c, size_t g, size_t behind)
{
    const double m = CLEAR_PRIOR + (double)behind;
    const double great = c->among > 1 || clear_has_tail(c, g) ? CLEAR_TAIL : CLEAR_GREAT;
    const double sure = fmin(CLEAR_SURE + log(fmax(1, (double)c->among)), great / -c->far[g - 1]);

    return (double)g * (c->far[g] - c->far[g - 1]) > clear_sum(c, g, behind) * expm1(sure / m);
}

/* Between those that stand clear and the next. */
static double clear_bound(const struct clear *c, size_t beyond)
{
    double bound = HUGE_VAL;

    for (size_t g = 1; g <= beyond && g <= (c->count + CLEAR_PART - 1) / CLEAR_PART; g++) {
        const size_t upper = c->count / 2 > g + CLEAR_LEAST ? c->count / 2 - g : CLEAR_LEAST;
        size_t behind = upper < CLEAR_BEHIND ? upper : CLEAR_BEHIND;

        behind = g + behind < c->known ? behind : c->known - g - 1;
        if (behind < CLEAR_LEAST || g + behind >= c->known)
            break;
        if (clear_is(c, g, behind))
            bound = -(c->far[g - 1] + c->far[g]) / 2;
    }
    return bound;
}

/* room: [l->count] */
static double clear_deviation(const struct lengths_list *l, double *room)
{
    if (l->deviation > 0)
        return l->deviation;
    memcpy(room, l->at, l->count * sizeof *room);
    return PRVCUT_MAD_SCALE * prvcut_mad(room, l->count, 0);
}

void prvcut_lengths_clear(struct lengths_list *l, double least, double *room)
{
    const double deviation = clear_deviation(l, room);

    for (int s = 0; s < 2; s++) {
        struct clear c = {
            .far = room, .count = l->count, .deviation = deviation, .among = l->among
        };
        size_t beyond = 0;

        l->clear[s] = HUGE_VAL;
        for (size_t i = 0; i < l->count; i++) {
            room[i] = s ? l->at[i] : -l->at[i];
            beyond += -room[i] > least;
        }
        c.known = beyond + CLEAR_BEHIND + 1 < l->count ? beyond + CLEAR_BEHIND + 1 : l->count;
        if (beyond == 0)
            continue;
        (void)prvcut_select(room, l->count, c.known - 1);
        qsort(room, c.known, sizeof *room, clear_compare);
        l->clear[s] = clear_bound(&c, beyond);
    }
}
