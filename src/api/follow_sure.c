#include "api/follow.h"

#include <math.h>

/*
 * When a loop is sure. Wrong is worse than late: who stops a run because of it does not get it
 * back, and who waits has at its end what the job finds.
 *
 * A loop in the first iteration of another one looks like the loop of the run, until the other one
 * shows: its iterations end, and begin again behind calls that are none of its own. So it is sure
 * that lasts as long as all that came before it, and of which no iteration departs from the calls
 * of the others, but the last one, which ends where the trace does so far: where these are unlike,
 * none could. Nor may anything else lie between its parts. A checkpoint now and then looks the same
 * as a loop around it: of that the end of the run decides.
 *
 * Found on the 105 Paraver traces of the tests and on 37 of their archives, converted, each
 * followed from its first 64 KiB on; right is what the job finds in the whole run. 17 become sure
 * in their course, all of them right. Without the last two rules, and with 30 iterations, 23 are
 * right and 11 wrong, all of these loops in a loop; with the last two rules and 30 iterations 19
 * are right, 1 wrong; with 50 iterations and without them 17 right, 7 wrong.
 *
 * Now the last iteration may depart only by calls that it lacks, and nothing may lie between parts
 * of the loop. 102 of these traces are of 6 MB at most, packed: in their first 40 MB, through a
 * pipe, 8 became sure without that, 7 with it, at the same look; that of lulesh.8, which is right,
 * has one call too many in its last iteration.
 *
 * The border of a loop around it that came just before the look leaves the loop's end a little
 * before the end of what is there. So it may end no more than an iteration and a half before, where
 * 2 iterations were taken before, or a tenth of what came since the last look; and no thread may
 * make calls behind it that its iterations do not make there (follow_calls.h). Of 54 made runs with
 * a loop of 50 to 1000 iterations in another one, looked at where the other one's first border is
 * over, 23 were sure and wrong (12 of 25, by which these rules were chosen, and 11 of 29 others),
 * now none is; 13 are without the rule of calls, and 1 with that alone. From 2 iterations behind
 * the border on, as many are right as before. Of those 102 traces the same 7 are sure, at the same
 * looks; with first looks at 45 and at 92 kB 8 and 6 of 9 and 7: the one that is lost was sure
 * when 97 % of its run were over. None of them was wrong, or is. While no border has come, nothing
 * tells a loop in another one from one that has none around it.
 */

/* How sure each of the two looks is at least, 0..1. */
#define FSU_CONFIDENCE 0.95
/* Iterations at the second look. */
#define FSU_LEAST 50
/* Part of the run so far in which it goes on, at least: from there on all of the runs above with
   1/3 to 3/5 are right. */
#define FSU_PART 0.5
/* The loop went on: more iterations by so much, where there is twice as much of the trace. */
#define FSU_GROWS 1.3
/* The same calls in an iteration, relative: iterations may get longer as a run goes on. Where calls
   do not tell, the same period. */
#define FSU_CALLS  0.05
#define FSU_PERIOD 0.07
/* Of the duration that the header promises, at least: a finished trace that comes through a pipe
   has the true one. Set by hand. */
#define FSU_PROMISED 0.25
/* It goes on still: it ends no farther from the end of what is there than so many of its
   iterations, one that is under way. */
#define FSU_LAST_ITERATIONS 1.5

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

static bool fsu_goes_on(const struct follow_seen *now)
{
    const double end = (double)now->look.end_ns;
    const double rest = end - fmin(end, (double)now->loop_end_ns);

    return !now->strays && rest <= FSU_LAST_ITERATIONS * now->look.period_ns;
}

/* A period that is given is not doubted. */
static bool fsu_is_believed(const struct prvcut_look *l)
{
    return l->periodic && !(l->confidence < FSU_CONFIDENCE);
}

/* Nothing tells of a loop around it. */
static bool fsu_is_outermost(const struct follow_seen *s)
{
    const double length = (double)(s->loop_end_ns - s->loop_start_ns);

    return isnan(s->look.confidence) || (length >= FSU_PART * (double)s->look.end_ns &&
                                         !s->unlike && s->departures == 0 && !s->parted);
}

/* So short a part of what is promised may be its beginning alone. */
static bool fsu_is_enough(const struct follow_seen *s)
{
    return (double)s->look.end_ns >= FSU_PROMISED * (double)s->promised_ns;
}

bool follow_is_sure(const struct follow_seen *before, const struct follow_seen *now)
{
    return now->look.iterations >= FSU_GROWS * before->look.iterations && fsu_is_enough(now) &&
           follow_stays_sure(before, now);
}

bool follow_stays_sure(const struct follow_seen *sure, const struct follow_seen *now)
{
    const struct prvcut_look *a = &sure->look, *b = &now->look;

    return fsu_is_believed(a) && fsu_is_believed(b) && b->bytes > a->bytes &&
           b->iterations >= FSU_LEAST && b->iterations >= a->iterations && fsu_is_same(a, b) &&
           fsu_goes_on(now) && fsu_is_outermost(now);
}
