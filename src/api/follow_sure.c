#include "api/follow.h"

#include <math.h>

/*
 * When a loop is sure. Found on the 105 Paraver traces of the tests, each followed from its first
 * 64 KiB on (18 have no loop, 30 are shorter than two looks): of 22 that become sure in their
 * course, half of them in their first fifth, 18 are the loop of the whole run and none is of a run
 * without a loop. The 4 others are loops in the first iteration of a loop around them, three of
 * these of runs of 3 or 4 iterations, which no beginning can tell; with 10 iterations there are 11
 * such, with any number 16. A third look of the same, in place of so many iterations, leaves 6 of
 * 25 wrong.
 */

/* How sure each of the two looks is at least, 0..1: with 0.9 there are 6 wrong ones in place of 4,
   with 0.5 there are 16. */
#define FSU_CONFIDENCE 0.95
/* Iterations at the second look. */
#define FSU_LEAST 30
/* The loop went on: more iterations by so much, where there is twice as much of the trace. */
#define FSU_GROWS 1.3
/* The same calls in an iteration, relative: iterations may get longer as a run goes on. Where calls
   do not tell, the same period. */
#define FSU_CALLS  0.05
#define FSU_PERIOD 0.07
/* It goes on still: it ends no farther from the end of what is there than so many of its
   iterations, or than that part of what came since the look before. */
#define FSU_LAST_ITERATIONS 2.0
#define FSU_LAST_PART       0.1

static bool fsu_near(double a, double b, double most)
{
    return fabs(b / a - 1) <= most;
}

static bool fsu_is_same(const struct prvcut_look *a, const struct prvcut_look *b)
{
    const bool calls = a->calls_per_iteration > 0 && b->calls_per_iteration > 0;

    return calls ? fsu_near(a->calls_per_iteration, b->calls_per_iteration, FSU_CALLS)
                 : fsu_near(a->period_ns, b->period_ns, FSU_PERIOD);
}

static bool fsu_goes_on(const struct follow_seen *before, const struct follow_seen *now)
{
    const double end = (double)now->look.end_ns;
    const double rest = end - fmin(end, (double)now->loop_end_ns);
    const double came = end - fmin(end, (double)before->look.end_ns);

    return rest <= fmax(FSU_LAST_PART * came, FSU_LAST_ITERATIONS * now->look.period_ns);
}

/* A period that is given is not doubted. */
static bool fsu_is_believed(const struct prvcut_look *l)
{
    return l->periodic && !(l->confidence < FSU_CONFIDENCE);
}

bool follow_is_sure(const struct follow_seen *before, const struct follow_seen *now)
{
    const struct prvcut_look *a = &before->look, *b = &now->look;

    return fsu_is_believed(a) && fsu_is_believed(b) && b->bytes > a->bytes &&
           b->iterations >= FSU_LEAST && b->iterations >= FSU_GROWS * a->iterations &&
           fsu_is_same(a, b) && fsu_goes_on(before, now);
}
