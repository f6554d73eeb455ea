/*
 * How often is the loop right that one signal alone shows, on random signals, drawn anew at each
 * run; and is none told where there is none?
 *
 * usage   accuracy_signals [CASES [SEED]]
 *         so many of each kind (20), from a seed on (of the clock), with each wrong answer
 * exit    1 where a limit (see LIMITS) does not hold
 */
#include "made.h"
#include "runner.h"
#include "structure/loop.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CASES 20
#define WIDTH 1000 /* ns, of a bin */
#define ROOM  0.05 /* of the period */
#define COUNT 0.1  /* of the iterations, or one */
#define SURE  0.5  /* strength that a vote believes */

/* LIMITS: shares that hold but for chance */
#define RIGHT      0.90 /* of the signals with a loop */
#define NONE       0.95 /* of those without one: none is told, or not surely */
#define DEVIATIONS 3    /* of the number of right ones, that are chance */

static const char *const names[MADE_KINDS] = { "plain",   "nested", "turns", "counters",
                                               "sampled", "bursts", "steps", "walk" };

static struct made made;

static bool is_right(const struct prvcut_loop *l)
{
    const double period = (made.end - made.start) / made.iterations;

    if (made.iterations == 0)
        return !l->found || l->strength < SURE;
    return l->found && fabs(l->period_ns / WIDTH / period - 1) < ROOM &&
           fabs(l->iterations - made.iterations) <= fmax(1, COUNT * made.iterations);
}

/* A false one could not be asked. */
static bool ask(enum made_kind kind, uint64_t seed, bool *right)
{
    const struct prvcut_signal in = {
        .name = "made", .unit = "", .width = WIDTH, .at = made.at, .bins = MADE_BINS
    };
    struct prvcut_loop l;

    made_make(&made, kind, seed);
    if (prvcut_signal_loop_find(&l, &in, NULL, 0, NULL, NULL) < 0)
        return false;
    *right = is_right(&l);
    if (!*right)
        printf("  %-10s%-12llu%8.1f of %8.1f bins%8.1f of %6.0f  strength %.2f\n", names[kind],
               (unsigned long long)seed, l.period_ns / WIDTH,
               made.iterations > 0 ? (made.end - made.start) / made.iterations : 0, l.iterations,
               made.iterations, l.strength);
    return true;
}

static bool share_holds(const char *what, double right, double all, double limit)
{
    const double least = all * limit - DEVIATIONS * sqrt(all * limit * (1 - limit));

    printf("%s: %.0f of %.0f, %.0f are chance\n", what, right, all, fmax(0, ceil(least)));
    return right >= least;
}

int main(int argc, char **argv)
{
    const unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : CASES;
    const unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : (unsigned long)time(NULL);
    unsigned right[MADE_KINDS] = { 0 }, with = 0, without = 0;
    bool good;

    printf("seed %lu\n", seed);
    for (unsigned kind = 0; kind < MADE_KINDS; kind++)
        for (unsigned long k = 0; k < cases; k++) {
            bool own;

            if (!ask((enum made_kind)kind, seed + k, &own))
                return test_status(false);
            right[kind] += own;
            *(kind < MADE_LOOPS ? &with : &without) += own;
        }
    for (unsigned kind = 0; kind < MADE_KINDS; kind++)
        printf("%-10s%4u of %lu\n", names[kind], right[kind], cases);
    good = share_holds("with a loop", with, (double)(MADE_LOOPS * cases), RIGHT);
    good =
        share_holds("without", without, (double)((MADE_KINDS - MADE_LOOPS) * cases), NONE) && good;
    return test_status(good);
}
