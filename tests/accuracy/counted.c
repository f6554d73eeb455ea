/*
 * How often is the loop right that sampled counters show, without options?
 *
 * usage   accuracy_counted [CASES [SEED]]
 *         random runs (12), drawn anew at each run, from a seed on (of the clock), with each wrong
 *         answer
 * exit    1 where a limit (see LIMITS) does not hold
 */
#include "answer.h"
#include "counted_run.h"
#include "runner.h"
#include "tests/base/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CASES 12
#define ROOM  0.03 /* of the period */
#define NEAR  1.5  /* periods beside its begin and end that the loop is told to begin and end */

/* LIMITS: shares that hold but for chance */
#define RIGHT      0.95
#define DEVIATIONS 3 /* of the number of right ones, that are chance */

struct tally {
    unsigned all, right, near, exact, failed;
};

static double period_of(const struct counted_run *r)
{
    return (r->end - r->start) / r->iterations;
}

/* By the rule for traces: the period may be the mean or the median length. */
static bool is_right(const struct counted_run *r, const struct answer *a)
{
    const struct truth t = { .kind = TRUTH_PERIODIC,
                             .low = fmin(r->median, period_of(r)),
                             .high = fmax(r->median, period_of(r)),
                             .factor = { 1 },
                             .factors = 1,
                             .iterations = r->iterations };

    return answer_is_right(&t, a, ROOM);
}

static bool is_near(const struct counted_run *r, const struct answer *a)
{
    return fabs(a->start - r->start) < NEAR * period_of(r) &&
           fabs(a->end - r->end) < NEAR * period_of(r);
}

static void print_wrong(unsigned long seed, const struct counted_run *r, const struct answer *a,
                        const char *what)
{
    const double period = period_of(r);

    printf("  %-12lu%u threads, %5.1f readings, jitter %.3f: %6.0f of %5.0f, period %.3f of it, "
           "begins %+.2f, ends %+.2f, confidence %.2f  %s %s\n",
           seed, r->threads, r->readings, r->jitter, a->iterations, r->iterations,
           a->period / period, (a->start - r->start) / period, (a->end - r->end) / period,
           a->confidence, what, a->period > 0 ? "" : a->why);
    fflush(stdout);
}

static void run_case(struct tally *t, unsigned long seed)
{
    struct counted_run r;
    struct answer a = { .period = 0 };
    bool right;

    t->all++;
    if (!counted_run_make(&r, seed, "counted") || !answer_ask(&a, "counted.prv")) {
        printf("  %lu FAILED: %s\n", seed, a.why);
        t->failed++;
        return;
    }
    right = is_right(&r, &a);
    t->right += right;
    t->near += right && is_near(&r, &a);
    t->exact += right && fabs(a.iterations - r.iterations) < 0.5;
    if (!right || !is_near(&r, &a))
        print_wrong(seed, &r, &a, right ? "right" : "WRONG");
}

static bool judge(unsigned long cases, unsigned long seed)
{
    struct tally t = { .all = 0 };
    double least;

    printf("seed %lu\n", seed);
    for (unsigned long k = 0; k < cases; k++)
        run_case(&t, seed + k);
    least = RIGHT * t.all - DEVIATIONS * sqrt(RIGHT * (1 - RIGHT) * t.all);
    printf("%u of %u right, %.0f but for chance; of these %u begin and end within %.1f periods, %u "
           "have all iterations\n",
           t.right, t.all, fmax(0, ceil(least)), t.near, NEAR, t.exact);
    return t.failed == 0 && t.all > 0 && t.right >= least;
}

int main(int argc, char **argv)
{
    const unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : CASES;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : (unsigned long)time(NULL);
    bool good;

    scratch_begin();
    good = chdir(scratch_root) == 0 && judge(cases, seed);
    scratch_end();
    return test_status(good);
}
