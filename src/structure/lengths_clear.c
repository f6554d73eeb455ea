#include "dsp/order.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <stdlib.h>

/*
 * Lengths are often not normal: now and then something takes a little longer, on any of many
 * threads, and of the others the longest then lies far off by chance. How far tells what lies
 * behind it: of an exponential tail the distances from one value to the next, each times the values
 * beyond it, are alike. (Their mean is of few, so that it takes more, as Fisher's F has it.)
 *
 * name          value  unit            decides
 */
#define CLEAR_BEHIND                                                                               \
    8                   /* values          behind those that stand out, whose distances are alike  \
                         */
#define CLEAR_LEAST 2   /* the same        of fewer nothing can be told */
#define CLEAR_PART  4   /* of all one part so many at most stand out together */
#define CLEAR_SURE  5.0 /* minus logarithm of how likely it is by chance, at most, ... */
#define CLEAR_GREAT                                                                                \
    0.3 /* ... over how much longer it is: who is by a lot may be so with others in a tail */

static int clear_compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The mean of the distances behind the first g, as of an exponential tail. far: [count] ascending,
   the farthest first, negative */
static double clear_scale(const double *far, size_t g, size_t behind)
{
    double sum = 0;

    for (size_t i = g; i < g + behind; i++)
        sum += (double)(i + 1) * (far[i + 1] - far[i]);
    return sum / (double)behind;
}

/* Do the first g stand clear of those behind? */
static bool clear_is(const double *far, size_t g, size_t behind)
{
    const double m = (double)behind, sure = fmin(CLEAR_SURE, CLEAR_GREAT / -far[g - 1]);

    return (double)g * (far[g] - far[g - 1]) > clear_scale(far, g, behind) * m * expm1(sure / m);
}

/* far: [count], the farthest `known` of them in order before the others */
static double clear_bound(const double *far, size_t count, size_t beyond, size_t known)
{
    double bound = HUGE_VAL;

    for (size_t g = 1; g <= beyond && g <= (count + CLEAR_PART - 1) / CLEAR_PART; g++) {
        const size_t upper = count / 2 > g + CLEAR_LEAST ? count / 2 - g : CLEAR_LEAST;
        size_t behind = upper < CLEAR_BEHIND ? upper : CLEAR_BEHIND;

        behind = g + behind < known ? behind : known - g - 1;
        if (behind < CLEAR_LEAST || g + behind >= known)
            break;
        if (clear_is(far, g, behind))
            bound = -far[g - 1];
    }
    return bound;
}

void prvcut_lengths_clear(struct lengths_list *l, double least, double *room)
{
    for (int s = 0; s < 2; s++) {
        size_t beyond = 0, known;

        l->clear[s] = HUGE_VAL;
        for (size_t i = 0; i < l->count; i++) {
            room[i] = s ? l->at[i] : -l->at[i];
            beyond += -room[i] > least;
        }
        known = beyond + CLEAR_BEHIND + 1 < l->count ? beyond + CLEAR_BEHIND + 1 : l->count;
        if (beyond == 0)
            continue;
        (void)prvcut_select(room, l->count, known - 1);
        qsort(room, known, sizeof *room, clear_compare);
        l->clear[s] = clear_bound(room, l->count, beyond, known);
    }
}
