/* How long an iteration of a table of counters is: for `sample` and for `structure` the same. */
#include "prvcut/sample.h"
#include "prvcut/structure.h"
#include "prvcut/trace.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What cycles an instruction do within an iteration. */
enum shape { BURST, RAMP, WAVE, RANDOM, SHAPES };

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *seed)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += uniform(seed);
    return sum;
}

/* Cycles an instruction at place i of an iteration of `period` intervals; 1 to 2. */
static double shaped(enum shape shape, size_t i, size_t period)
{
    const double x = (double)i / (double)period;
    uint64_t seed = (i * 64 + period) * 0x9e3779b97f4a7c15u;

    if (shape == BURST)
        return x < 0.34 ? 2 : 1;
    if (shape == RAMP)
        return 1 + x;
    if (shape == WAVE)
        return 1.5 + 0.5 * sin(2 * acos(-1) * x + 1);
    seed = (seed ^ seed >> 31) * 0xbf58476d1ce4e5b9u;
    seed ^= seed >> 29;
    return i == 0 ? 2 : i == 1 ? 1 : 1 + uniform(&seed);
}

static const char *table(const double *cpi, size_t count)
{
    static char path[300];
    FILE *f;

    snprintf(path, sizeof path, "%s/prvcut-series-period-%ld.csv",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
    f = fopen(path, "w");
    ck_assert(f != NULL);
    fputs("instructions;cycles\n", f);
    for (size_t i = 0; i < count; i++)
        fprintf(f, "1000000;%.0f\n", 1e6 * cpi[i]);
    fclose(f);
    return path;
}

/* In intervals; 0: none. */
static double by_sample(const char *path)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_sample *s = NULL;
    const enum prvcut_status st = prvcut_sample_series(path, NULL, NULL, &s, &err);
    double period;

    ck_assert_msg(st >= 0, "%s", err.text);
    period = s->no_loop ? 0 : s->period;
    prvcut_sample_free(s);
    return period;
}

static double by_structure(const char *path)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_series_told told = { .timed = false };
    struct prvcut_structure_options o = { .size = sizeof o };
    struct prvcut_trace *trace = NULL;
    struct prvcut_structure *s = NULL;
    enum prvcut_status st = prvcut_trace_open_series(&trace, path, NULL, NULL, &told, &err);
    double period = 0;

    ck_assert_msg(st == PRVCUT_OK, "%s", err.text);
    o.metrics = told.metric;
    st = prvcut_structure_find(trace, NULL, &o, &s, &err);
    ck_assert_msg(st >= 0, "%s", err.text);
    if (s->main < s->regions)
        period = prvcut_structure_region(s, s->main)->period_ns / 1000;
    prvcut_structure_free(s);
    prvcut_trace_close(trace);
    return period;
}

/* A table of `count` iterations; what it says of itself. */
struct told {
    double sample, structure; /* intervals an iteration; 0: none */
};

static struct told of_table(const double *cpi, size_t rows)
{
    const char *path = table(cpi, rows);
    struct told t = { .sample = by_sample(path) };

    t.structure = by_structure(path);
    unlink(path);
    return t;
}

static struct told of_shape(enum shape shape, size_t period, size_t count, double noise)
{
    const size_t rows = count * period;
    double *cpi = calloc(rows, sizeof *cpi);
    uint64_t seed = 31 * period + 7 * shape + count + (uint64_t)(100 * noise);
    struct told t;

    ck_assert(cpi != NULL);
    for (size_t i = 0; i < rows; i++)
        cpi[i] = shaped(shape, i % period, period) * (1 + noise * normal(&seed));
    t = of_table(cpi, rows);
    free(cpi);
    return t;
}

static void expect(struct told t, enum shape shape, size_t period, size_t count, double noise)
{
    const double near = 0.02 * (double)period;

    ck_assert_msg(fabs(t.sample - (double)period) < near,
                  "sample: %g for %zu, %zu times, shape %d, noise %g", t.sample, period, count,
                  (int)shape, noise);
    ck_assert_msg(fabs(t.structure - (double)period) < near,
                  "structure: %g for %zu, %zu times, shape %d, noise %g", t.structure, period,
                  count, (int)shape, noise);
}

/* Every period without noise and with little; of many iterations some, for they take longer. */
START_TEST(test_period_of_2_to_64_is_found_by_both)
{
    static const size_t counts[] = { 5, 7, 20 };
    const size_t step = traces_take() == TRACES_ALL ? 1 : 9;

    for (size_t period = 2; period <= 64; period++) {
        const enum shape shape = (enum shape)(period % SHAPES);
        const size_t count = counts[period % 3];
        const double noise = period % 5 == 0 ? 0.02 : 0;

        expect(of_shape(shape, period, count, noise), shape, period, count, noise);
    }
    for (size_t period = 2; period <= 64; period += step)
        for (enum shape shape = 0; shape < SHAPES; shape++) {
            expect(of_shape(shape, period, 20, 0.1), shape, period, 20, 0.1);
            if (period % 4 == (size_t)shape)
                expect(of_shape(shape, period, 200, 0.02), shape, period, 200, 0.02);
        }
}
END_TEST

/* --- What does not repeat --------------------------------------------------------------------- */

enum plain { NOISE, CONSTANT, LINE, CURVE, GROWTH, WALK, STEP, ONE, PLAINS };

static void fill_plain(double *cpi, size_t rows, enum plain plain, uint64_t seed)
{
    double at = 1;

    for (size_t i = 0; i < rows; i++) {
        const double x = (double)i / (double)rows;

        at *= plain == WALK ? 1 + 0.02 * normal(&seed) : 1;
        cpi[i] = plain == NOISE    ? 1.5 + 0.2 * normal(&seed)
                 : plain == LINE   ? 1 + x
                 : plain == CURVE  ? 1 + x * x
                 : plain == GROWTH ? exp(3 * x)
                 : plain == STEP   ? 1 + (x > 0.4)
                 : plain == ONE    ? 1 + 9 * (i == rows / 3)
                                   : at;
    }
}

static void expect_none(size_t rows, enum plain plain, uint64_t seed)
{
    double cpi[3000];
    struct told t;

    fill_plain(cpi, rows, plain, 1000 * seed + rows);
    t = of_table(cpi, rows);
    ck_assert_msg(!(t.sample > 0), "sample: %g of %zu rows of kind %d", t.sample, rows, (int)plain);
    ck_assert_msg(!(t.structure > 0), "structure: %g of %zu rows of kind %d", t.structure, rows,
                  (int)plain);
}

START_TEST(test_no_period_of_what_does_not_repeat)
{
    static const size_t rows[] = { 1, 2, 3, 6, 10, 16, 33, 50, 100, 400, 3000 };

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (enum plain plain = 0; plain < PLAINS; plain++)
            if (plain != NOISE || rows[r] >= 400 || rows[r] <= 6)
                expect_none(rows[r], plain, 1);
    for (uint64_t seed = 2; seed < 12; seed++) {
        expect_none(400, NOISE, seed);
        expect_none(400, WALK, seed);
    }
}
END_TEST

/* In few intervals chance repeats itself now and then: of 160 tables no more than one in twenty. */
START_TEST(test_period_of_little_noise_is_rare)
{
    static const size_t rows[] = { 10, 16, 25, 60 };
    size_t seen = 0, sure = 0;

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            double cpi[60];
            struct told t;

            fill_plain(cpi, rows[r], NOISE, 7919 * seed + rows[r]);
            t = of_table(cpi, rows[r]);
            seen += t.sample > 0;
            sure += t.structure > 0;
        }
    ck_assert_uint_le(seen, 8);
    ck_assert_uint_le(sure, 8);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("series_period");
    TCase *tc = tcase_create("all");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, test_period_of_2_to_64_is_found_by_both);
    tcase_add_test(tc, test_no_period_of_what_does_not_repeat);
    tcase_add_test(tc, test_period_of_little_noise_is_rare);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
