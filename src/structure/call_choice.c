#include "structure/call_choice.h"

#include <math.h>

#define CHOICE_EVIDENCE 8    /* nats wanted beyond what the choice of start and distance costs */
#define CHOICE_ENOUGH   0.75 /* of the best score, with which a longer period wins */
#define CHOICE_LEVEL    0.75 /* of a period: what is nearly as long belongs to the same level */
#define CHOICE_MANY     8    /* beats that do not keep step by chance */

/* Where beats are missing, the mean exceeds the median. */
double prvcut_call_score(const struct call_anchor *a)
{
    double missing = a->time_mean > 0 ? fmin(1, 1.1 * a->time_gap / a->time_mean) : 1;

    return a->cover * a->alike * (0.5 + 0.5 * a->regular) * (1 - fmin(a->deviation, 0.5)) * missing;
}

/*
 * May this anchor be a loop's beat? Where most of the iteration repeats inside it, some rare call
 * could mark off iterations by chance; it has to do so at the more equal distances the fewer
 * there are.
 */
static bool choice_plausible(const struct call_anchor *a, double evidence)
{
    if (a->evidence < evidence)
        return false;
    if (a->alike < 0.3 || a->regular < 0.5)
        return false;
    /* One or two calls again and again are a loop only if they also keep time. */
    if (a->gap < 4 && (a->time_mean > 1.4 * a->time_gap || (double)a->count < 6 / a->gap))
        return false;
    if (a->cover < 0.3 && (a->count < 5 || a->deviation > 0 || a->alike < 0.999 || a->cover < 0.22))
        return false;
    if (a->support >= 0.5)
        return true;
    if (a->count < CHOICE_MANY)
        return a->purity >= 0.6 && a->deviation <= 0.01 * (double)(a->count - 2);
    return a->deviation <= 0.1 || a->regular >= 0.75;
}

/* Which of several anchors of one loop is its best beat: one that many others keep step with. */
static double choice_rank(const struct call_anchor *a)
{
    return prvcut_call_score(a) * (0.5 + 0.5 * a->support);
}

const struct call_anchor *prvcut_call_outermost(const struct call_anchors *pool, double evidence)
{
    const struct call_anchor *out = NULL;
    double best = 0, longest = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (choice_plausible(&pool->at[i], evidence))
            best = fmax(best, prvcut_call_score(&pool->at[i]));
    for (size_t i = 0; i < pool->count; i++)
        if (choice_plausible(&pool->at[i], evidence) &&
            prvcut_call_score(&pool->at[i]) >= CHOICE_ENOUGH * best)
            longest = fmax(longest, pool->at[i].time_gap);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->at[i].time_gap >= CHOICE_LEVEL * longest &&
            choice_plausible(&pool->at[i], evidence) &&
            (!out || choice_rank(&pool->at[i]) > choice_rank(out)))
            out = &pool->at[i];
    return out;
}

double prvcut_call_evidence_wanted(size_t calls)
{
    return 2 * log((double)calls) + CHOICE_EVIDENCE;
}
