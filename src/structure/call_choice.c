#include "structure/call_choice.h"

#include <math.h>

/*
 * Found by hand: the benchmarks' traces (tests/accuracy) are right with them, and random calls have
 * no loop (tests/api/check_levels).
 *
 * name            value    unit         decides
 */
#define CHOICE_EVIDENCE 8     /* nats wanted beyond what the choice of start and distance costs */
#define CHOICE_ENOUGH   0.75  /* of the best score, with which a longer period wins */
#define CHOICE_LEVEL    0.75  /* of a period: what is nearly as long belongs to the same level */
#define CHOICE_EXACT    0.999 /* likeness of iterations that are equal */
#define CHOICE_EDGE     0.05  /* of a whole loop, by which its parts may be out of place */
#define CHOICE_ROUGH    0.35  /* by which a loop may be out of place or step in a coarse look */
#define CHOICE_WHOLE    0.8   /* of a loop's iterations that two parts must have to be all of it */
#define CHOICE_MANY     8     /* beats that do not keep step by chance */

/* Where beats are missing, the mean exceeds what is usual. */
double prvcut_call_score(const struct call_anchor *a)
{
    double missing = a->pace > 0 ? fmin(1, 1.1 / a->pace) : 1;

    return a->cover * a->alike * (0.5 + 0.5 * a->regular) * (1 - fmin(a->deviation, 0.5)) * missing;
}

/*
 * May this anchor be a loop's beat? Where most of the iteration repeats inside it, some rare call
 * could mark off iterations by chance; it has to do so at the more equal distances the fewer
 * there are.
 */
static bool choice_plausible(const struct call_anchor *a, double evidence, bool known)
{
    if (a->evidence < evidence)
        return false;
    if (a->alike < 0.3 || a->regular < 0.5)
        return false;
    /* One or two calls again and again are a loop only if they also keep time, somewhere. */
    if (a->gap < 4 && ((!known && a->pace > 1.4) || (double)a->count < 6 / a->gap))
        return false;
    if (a->cover < 0.3 && (a->count < 5 || a->deviation > 0 || a->alike < 0.999 || a->cover < 0.22))
        return false;
    if (a->support >= 0.5)
        return true;
    if (a->count < CHOICE_MANY)
        return a->purity >= 0.6 && a->deviation <= 0.01 * (double)(a->count - 2);
    return a->deviation <= 0.1 || a->regular >= 0.75;
}

static bool choice_exact(const struct call_anchor *a)
{
    return a->alike >= CHOICE_EXACT && a->regular >= 1 && a->deviation <= 0;
}

/*
 * Which of several anchors of one loop is its best beat: one that many others keep step with. What
 * repeats to the call needs no others.
 */
static double choice_rank(const struct call_anchor *a)
{
    return prvcut_call_score(a) * (choice_exact(a) ? 1 : 0.5 + 0.5 * a->support);
}

/* Does alphabet a tell partners or call paths that b does not, and all that b does? */
static bool choice_finer(const struct call_alphabet *a, const struct call_alphabet *b)
{
    return a->peer >= b->peer && a->site >= b->site && (a->peer > b->peer || a->site > b->site);
}

/* Is p a part of the loop `whole`, as far as whoever looks closer sees it? */
static bool choice_inside(const struct call_anchor *p, const struct call_anchor *whole)
{
    double slack = (whole->to - whole->from) * CHOICE_EDGE;

    return choice_finer(p->cut.alphabet, whole->cut.alphabet) && p->count < whole->count &&
           fabs(p->gap - whole->gap) <= CHOICE_EDGE * whole->gap &&
           p->from >= whole->from - slack && p->to <= whole->to + slack;
}

/*
 * Two sweeps look like one loop as long as only the calls are looked at, not their partners or
 * where they come from. The best of such parts, if there are parts that make up the whole.
 */
static const struct call_anchor *choice_part(const struct call_anchors *pool,
                                             const struct call_anchor *whole, double evidence,
                                             bool known)
{
    const struct call_anchor *part = NULL;
    size_t rest = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (choice_inside(&pool->at[i], whole) && choice_plausible(&pool->at[i], evidence, known) &&
            (!part || choice_rank(&pool->at[i]) > choice_rank(part)))
            part = &pool->at[i];
    for (size_t i = 0; part && i < pool->count; i++)
        if (choice_inside(&pool->at[i], whole) &&
            (pool->at[i].from > part->to || pool->at[i].to < part->from) &&
            pool->at[i].count > rest)
            rest = pool->at[i].count;
    if (rest == 0 || (double)(part->count + rest) < CHOICE_WHOLE * (double)whole->count)
        return whole;
    return part;
}

/*
 * What comes before or after a loop often looks like one more iteration, as long as one does not
 * look closely. The finest exact beat of the loop with one iteration less, if there is one.
 */
static const struct call_anchor *choice_refine(const struct call_anchors *pool,
                                               const struct call_anchor *loop, double evidence,
                                               bool known)
{
    const struct call_anchor *out = loop;

    for (size_t i = 0; i < pool->count; i++) {
        const struct call_anchor *a = &pool->at[i];
        double slack = CHOICE_ROUGH * (loop->to - loop->from);

        if (a->count + 1 >= loop->count && a->count <= loop->count && choice_exact(a) &&
            choice_finer(a->cut.alphabet, out->cut.alphabet) &&
            fabs(a->gap - loop->gap) <= CHOICE_ROUGH * loop->gap && a->from >= loop->from - slack &&
            a->to <= loop->to + slack && choice_plausible(a, evidence, known))
            out = a;
    }
    return out;
}

const struct call_anchor *prvcut_call_outermost(const struct call_anchors *pool, double evidence,
                                                bool known)
{
    const struct call_anchor *out = NULL;
    double best = 0, longest = 0;

    for (size_t i = 0; i < pool->count; i++)
        if (choice_plausible(&pool->at[i], evidence, known))
            best = fmax(best, prvcut_call_score(&pool->at[i]));
    for (size_t i = 0; i < pool->count; i++)
        if (choice_plausible(&pool->at[i], evidence, known) &&
            prvcut_call_score(&pool->at[i]) >= CHOICE_ENOUGH * best)
            longest = fmax(longest, pool->at[i].time_gap);
    for (size_t i = 0; i < pool->count; i++)
        if (pool->at[i].time_gap >= CHOICE_LEVEL * longest &&
            choice_plausible(&pool->at[i], evidence, known) &&
            (!out || choice_rank(&pool->at[i]) > choice_rank(out)))
            out = &pool->at[i];
    if (!out)
        return NULL;
    return choice_refine(pool, choice_part(pool, out, evidence, known), evidence, known);
}

double prvcut_call_evidence_wanted(size_t calls)
{
    return 2 * log((double)calls) + CHOICE_EVIDENCE;
}
