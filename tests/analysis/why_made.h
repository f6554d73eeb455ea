/* Iterations of some threads, one of which is slow. */
#ifndef PRVCUT_TESTS_WHY_MADE_H
#define PRVCUT_TESTS_WHY_MADE_H

#include "analysis/why.h"
#include "tests/support/runner.h"

#include <stdlib.h>

#define ITERATIONS 40
#define THREADS    6
#define CALLS      5
#define WIDTH      (PRVCUT_WHY_COLUMNS + CALLS)
#define USUAL      1e7
#define SLOW       17 /* the iteration */
#define LATE       2  /* the thread */
#define LONGER     5e6

static struct prvcut_error error;
static double at[ITERATIONS][THREADS][WIDTH], length[ITERATIONS];
static const struct prvcut_why_table table = { .iterations = ITERATIONS,
                                               .calls = CALLS,
                                               .threads = THREADS,
                                               .length = length,
                                               .at = &at[0][0][0] };

static double noise(double share)
{
    return 1 + share * ((double)rand() / RAND_MAX - 0.5);
}

/* Threads compute seven tenths of an iteration and spend the rest in the first two calls. */
static void fill(bool counters)
{
    for (size_t i = 0; i < ITERATIONS; i++) {
        length[i] = USUAL * noise(0.02);
        for (size_t t = 0; t < THREADS; t++) {
            double *a = at[i][t];

            for (size_t c = 0; c < WIDTH; c++)
                a[c] = 0;
            a[PRVCUT_WHY_COMPUTING] = 0.7 * length[i] * noise(0.02);
            a[PRVCUT_WHY_OWN] = a[PRVCUT_WHY_COMPUTING];
            a[PRVCUT_WHY_INSTRUCTIONS] = counters ? 1e7 * noise(0.002) : NAN;
            a[PRVCUT_WHY_CYCLES] = counters ? 2 * a[PRVCUT_WHY_COMPUTING] : NAN;
            a[PRVCUT_WHY_COLUMNS] = 0.2 * length[i];
            a[PRVCUT_WHY_COLUMNS + 1] = length[i] - a[PRVCUT_WHY_COMPUTING] - 0.2 * length[i];
        }
    }
}

/* The slow iteration is longer; the others wait in the second call for the late thread. */
static double *slow_down(bool wait)
{
    length[SLOW] += LONGER;
    for (size_t t = 0; wait && t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_COLUMNS + 1] += t == LATE ? 0 : LONGER;
    return at[SLOW][LATE];
}

static void computes(double *a, double longer)
{
    a[PRVCUT_WHY_COMPUTING] += longer;
    a[PRVCUT_WHY_OWN] += longer;
}

static struct prvcut_why why_of(const struct prvcut_why_table *t, size_t iteration)
{
    struct prvcut_why_usual usual;
    struct prvcut_why w;

    ck_assert_int_eq(prvcut_why_usual_init(&usual, t, &error), PRVCUT_OK);
    w = prvcut_why_of(t, &usual, iteration);
    prvcut_why_usual_fini(&usual);
    return w;
}

static struct prvcut_why why(size_t iteration)
{
    return why_of(&table, iteration);
}

#endif
