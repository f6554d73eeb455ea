#include "structure/loop.h"
#include "structure/signal_bands.h"
#include "structure/signal_nest.h"
#include "structure/signal_sights.h"
#include "structure/vote.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 100000, WIDTH = 1024 };

/** A signal under construction; times in bins. */
struct sketch {
    double at[BINS];
    unsigned long long random;
};

static struct sketch *sketch_new(unsigned seed)
{
    struct sketch *s = calloc(1, sizeof *s);

    ck_assert_ptr_nonnull(s);
    s->random = seed * 77777ull + 1;
    return s;
}

static double uniform(struct sketch *s)
{
    s->random = s->random * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

static double normal(struct sketch *s)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += uniform(s);
    return sum;
}

/** Raise [from, to) by height, border bins by their share. */
static void raise(struct sketch *s, double from, double to, double height)
{
    for (size_t i = (size_t)fmax(0, from); i < BINS && (double)i < to; i++)
        s->at[i] += height * (fmin(to, (double)i + 1) - fmax(from, (double)i));
}

/** Irregular activity, as of an initialisation. */
static void scatter(struct sketch *s, double from, double to)
{
    while (from < to) {
        const double length = 300 * pow(30, uniform(s));

        raise(s, from, fmin(to, from + length), 1 + floor(4 * uniform(s)));
        from += 1.5 * length;
    }
}

/** Iterations of three phases each from `from` on; returns their end. */
static double iterate(struct sketch *s, double from, size_t count, double period, double jitter)
{
    for (size_t i = 0; i < count; i++) {
        const double length = period * fmax(0.4, 1 + jitter * normal(s));

        raise(s, from, from + 0.15 * length, 6);
        raise(s, from + 0.25 * length, from + 0.6 * length, 3);
        raise(s, from + 0.7 * length, from + 0.75 * length, 9);
        from += length;
    }
    return from;
}

static struct prvcut_loop find(struct sketch *s, uint64_t start, const struct prvcut_span *mask,
                               size_t masks)
{
    const struct prvcut_signal in = {
        .name = "test", .unit = "", .start = start, .width = WIDTH, .at = s->at, .bins = BINS
    };
    struct prvcut_loop out;

    ck_assert_int_eq(prvcut_signal_loop_find(&out, &in, mask, masks, NULL, NULL), PRVCUT_OK);
    ck_assert_int_eq(out.found, out.why == NULL);
    ck_assert(out.strength >= 0 && out.strength <= 1);
    return out;
}

static void expect(const struct prvcut_loop *l, double period, double count)
{
    ck_assert(l->found);
    ck_assert_double_eq_tol(l->period_ns / WIDTH / period, 1, 0.03);
    ck_assert_double_eq_tol(l->iterations, count, fmax(1.01, 0.1 * count));
}

START_TEST(test_find_loop_between_start_and_end_measures_it)
{
    struct sketch *s = sketch_new(1);
    struct prvcut_loop l;

    scatter(s, 500, 30000);
    iterate(s, 30500, 50, 1200, 0.02);
    scatter(s, 91500, 99000);
    l = find(s, 5000000, NULL, 0);
    expect(&l, 1200, 50);
    ck_assert_double_eq_tol(l.median_ns / WIDTH, 1200, 30);
    ck_assert_double_ge(l.strength, 0.5);
    ck_assert_double_eq_tol((double)(l.span.start - 5000000) / WIDTH, 30500, 1300);
    ck_assert_double_eq_tol((double)(l.span.end - 5000000) / WIDTH, 90500, 1300);
    free(s);
}
END_TEST

START_TEST(test_find_loop_tolerates_jitter)
{
    struct sketch *s = sketch_new((unsigned)_i + 10);
    struct prvcut_loop l;
    double end;

    scatter(s, 500, 20000);
    end = iterate(s, 20500, 60, 1150, 0.12);
    l = find(s, 0, NULL, 0);
    expect(&l, (end - 20500) / 60, 60);
    free(s);
}
END_TEST

START_TEST(test_find_loop_of_few_iterations)
{
    struct sketch *s = sketch_new((unsigned)_i + 20);
    struct prvcut_loop l;

    scatter(s, 500, 40000);
    iterate(s, 42000, 6, 8500, 0.03);
    l = find(s, 0, NULL, 0);
    expect(&l, 8500, 6);
    free(s);
}
END_TEST

START_TEST(test_find_loop_of_short_period)
{
    struct sketch *s = sketch_new(30);
    struct prvcut_loop l;

    iterate(s, 5000, 2000, 40.3, 0.02);
    l = find(s, 0, NULL, 0);
    expect(&l, 40.3, 2000);
    free(s);
}
END_TEST

/* More iterations than are followed one by one: counted by how far the signal goes on alike. */
START_TEST(test_find_loop_of_very_many_iterations)
{
    const size_t bins = 4 * BINS;
    struct sketch *s = sketch_new(35);
    double *at = calloc(bins, sizeof *at);
    struct prvcut_signal in = { .width = 8, .at = at, .bins = bins };
    struct prvcut_signal_borders b;
    struct prvcut_loop l;

    ck_assert_ptr_nonnull(at);
    iterate(s, 0, 100, 29.7, 0.02);
    for (size_t i = 50000; i + 2970 <= 350000; i += 2970)
        memcpy(at + i, s->at, 2970 * sizeof *at);
    ck_assert_int_eq(prvcut_signal_loop_find(&l, &in, NULL, 0, &b, NULL), PRVCUT_OK);
    ck_assert(l.found);
    ck_assert_ptr_null(b.at); /* only some were followed one by one */
    ck_assert_double_eq_tol(l.period_ns / 8, 29.7, 0.6);
    ck_assert_double_eq_tol(l.iterations, 10100, 1000);
    ck_assert_double_eq_tol((double)l.span.start / 8, 50000, 5000);
    ck_assert_double_eq_tol((double)l.span.end / 8, 350000, 5000);
    free(at);
    free(s);
}
END_TEST

START_TEST(test_find_loop_follows_slow_drift)
{
    struct sketch *s = sketch_new(40);
    struct prvcut_loop l;
    double t = 10000;

    for (int i = 0; i < 40; i++)
        t = iterate(s, t, 1, 1600 + 10 * i, 0.01);
    l = find(s, 0, NULL, 0);
    expect(&l, (t - 10000) / 40, 40);
    free(s);
}
END_TEST

START_TEST(test_find_loop_takes_the_outermost)
{
    struct sketch *s = sketch_new((unsigned)_i + 50);
    struct prvcut_loop l;
    double t = 20000;

    scatter(s, 500, 19000);
    for (int i = 0; i < 15; i++) {
        const double length = 5000 * (1 + 0.03 * normal(s));

        t = iterate(s, t, 25, 0.92 / 25 * length, 0);
        raise(s, t + 0.02 * length, t + 0.06 * length, 9);
        t += 0.08 * length;
    }
    l = find(s, 0, NULL, 0);
    expect(&l, (t - 20000) / 15, 15);
    free(s);
}
END_TEST

START_TEST(test_find_loop_across_masked_pauses)
{
    struct sketch *s = sketch_new(60);
    struct prvcut_span mask[2];
    struct prvcut_loop l;
    double t = iterate(s, 10000, 12, 1500, 0.02), pause[2];

    pause[0] = t - 700;
    memmove(s->at + (size_t)pause[0] + 5000, s->at + (size_t)pause[0], 700 * sizeof *s->at);
    memset(s->at + (size_t)pause[0], 0, 5000 * sizeof *s->at);
    t = iterate(s, t + 5000, 20, 1500, 0.02);
    pause[1] = t;
    t = iterate(s, t + 9000, 10, 1500, 0.02);
    for (int i = 0; i < 2; i++)
        mask[i] = (struct prvcut_span){ (uint64_t)pause[i] * WIDTH,
                                        (uint64_t)(pause[i] + (i == 0 ? 5000 : 9000)) * WIDTH };
    l = find(s, 0, mask, 2);
    expect(&l, 1500, 42);
    ck_assert_double_eq_tol((double)l.span.end / WIDTH, t, 3000);
    free(s);
}
END_TEST

static void white_noise(struct sketch *s)
{
    for (size_t i = 0; i < BINS; i++)
        s->at[i] = 5 + normal(s);
}

static void random_steps(struct sketch *s)
{
    for (double t = 0; t < BINS;) {
        const double length = -1500 * log(1 - uniform(s));

        raise(s, t, t + length, floor(8 * uniform(s)));
        t += length;
    }
}

static void random_bursts(struct sketch *s)
{
    for (double t = 0; t < BINS; t -= 1000 * log(1 - uniform(s))) {
        const double length = -600 * log(1 - uniform(s));

        raise(s, t, t + length, 1 + floor(8 * uniform(s)));
        t += length;
    }
}

static void chirp(struct sketch *s)
{
    for (size_t i = 0; i < BINS; i++) {
        const double t = (double)i / BINS;

        s->at[i] = 2 + sin(6.28 * (10 * t + 200 * t * t));
    }
}

static void ramp(struct sketch *s)
{
    for (size_t i = 0; i < BINS; i++)
        s->at[i] = (double)i;
}

static void silence(struct sketch *s)
{
    raise(s, 1000, 1400, 3);
}

START_TEST(test_find_loop_denies_what_does_not_repeat)
{
    static void (*const kinds[])(struct sketch *) = { white_noise, random_steps, random_bursts,
                                                      chirp,       ramp,         silence };
    struct sketch *s = sketch_new((unsigned)_i + 70);
    struct prvcut_loop l;

    kinds[_i % 6](s);
    l = find(s, 0, NULL, 0);
    /* What one signal says is believed to four fifths: too faint. */
    ck_assert_msg(!l.found || 0.8 * l.strength < prvcut_parameter_of(NULL, PRVCUT_SET_CONFIDENCE),
                  "kind %d: strength %g", _i % 6, l.strength);
    free(s);
}
END_TEST

START_TEST(test_find_loop_ignores_start_and_scale)
{
    struct sketch *s = sketch_new(80);
    struct prvcut_loop a, b;

    scatter(s, 500, 20000);
    iterate(s, 20500, 30, 2000, 0.05);
    a = find(s, 0, NULL, 0);
    for (size_t i = 0; i < BINS; i++)
        s->at[i] *= 4096;
    b = find(s, 1 << 20, NULL, 0);
    ck_assert_double_eq_tol(a.period_ns, b.period_ns, 1e-6 * a.period_ns);
    ck_assert_double_eq_tol(a.strength, b.strength, 1e-6);
    ck_assert_uint_eq(a.span.start + (1 << 20), b.span.start);
    free(s);
}
END_TEST

START_TEST(test_find_loop_answers_the_same_twice)
{
    struct sketch *s = sketch_new(90);
    struct prvcut_loop a, b;

    random_steps(s);
    iterate(s, 20500, 30, 2000, 0.1);
    a = find(s, 0, NULL, 0);
    b = find(s, 0, NULL, 0);
    ck_assert_double_eq(a.period_ns, b.period_ns);
    ck_assert_double_eq(a.strength, b.strength);
    ck_assert_double_eq(a.iterations, b.iterations);
    free(s);
}
END_TEST

START_TEST(test_find_loop_accepts_any_length)
{
    double at[200];
    struct prvcut_loop l;

    for (size_t n = 0; n <= 200; n++) {
        const struct prvcut_signal in = { .start = 7, .width = 1, .at = at, .bins = n };

        for (size_t i = 0; i < n; i++)
            at[i] = (double)(i * 7919 % 13);
        ck_assert_int_eq(prvcut_signal_loop_find(&l, &in, NULL, 0, NULL, NULL), PRVCUT_OK);
    }
    ck_assert_int_eq(prvcut_signal_loop_find(&l, &(struct prvcut_signal){ .absent = "no records" },
                                             NULL, 0, NULL, NULL),
                     PRVCUT_OK);
    ck_assert(!l.found);
}
END_TEST

START_TEST(test_find_loop_accepts_masks_over_everything)
{
    struct sketch *s = sketch_new(95);
    const struct prvcut_span all[] = { { 0, 1 }, { 5, 5 }, { 10, (uint64_t)BINS * WIDTH * 2 } };

    iterate(s, 100, 50, 1500, 0);
    ck_assert(!find(s, 0, all, 3).found);
    ck_assert(!find(s, 20, all, 3).found);
    free(s);
}
END_TEST

START_TEST(test_map_place_to_time_skips_masks)
{
    struct sketch *s = sketch_new(97);
    const struct prvcut_signal in = { .start = 100, .width = 10, .at = s->at, .bins = 1000 };
    const struct prvcut_span mask[] = { { 300, 505 }, { 1000, 1100 } };
    struct signal_scales scales;

    ck_assert_int_eq(prvcut_signal_scales_init(&scales, &in, mask, 2, NULL), PRVCUT_OK);
    ck_assert_uint_eq(scales.bins[0], 1000 - 21 - 10);
    ck_assert_uint_eq(prvcut_signal_scales_time(&scales, 0, 0), 100);
    ck_assert_uint_eq(prvcut_signal_scales_time(&scales, 0, 19.5), 295);
    ck_assert_uint_eq(prvcut_signal_scales_time(&scales, 0, 20), 510);
    ck_assert_uint_eq(prvcut_signal_scales_time(&scales, 1, 10), 510);
    ck_assert_uint_eq(prvcut_signal_scales_time(&scales, 0, 69), 1100);
    prvcut_signal_scales_fini(&scales);
    free(s);
}
END_TEST

START_TEST(test_find_nest_by_lengths_of_iterations)
{
    struct sketch *s = sketch_new((unsigned)_i + 100);
    double start[301] = { 0 };
    struct signal_track t = { .start = start, .count = 301, .mean = 42, .median = 40 };
    struct signal_nest nest;

    for (size_t i = 0; i < 300; i++)
        start[i + 1] = start[i] + 40 + normal(s) + (_i > 0 && i % (size_t)_i == 2 ? 12 : 0);
    ck_assert_int_eq(prvcut_signal_nest_by_lengths(&nest, &t, NULL), PRVCUT_OK);
    ck_assert_uint_eq(nest.stride, (size_t)_i);
    if (_i > 0) {
        ck_assert_double_ge(nest.confidence, 0.5);
        ck_assert_uint_eq(nest.first, 3); /* number 2 is the long one */
    }
    free(s);
}
END_TEST

/* A time in bins as a number of iterations and the share of one. */
static double place(const double *start, size_t count, double at)
{
    size_t k = 0;

    while (k + 1 < count && start[k + 1] <= at)
        k++;
    return (double)k + (at - start[k]) / (start[k + 1] - start[k]);
}

/* Nearly all borders lie at the same place of their iterations, wherever that is. */
static void expect_borders(struct sketch *s, const double *start, size_t count)
{
    const struct prvcut_signal in = {
        .name = "test", .unit = "", .width = WIDTH, .at = s->at, .bins = BINS
    };
    struct prvcut_signal_borders b;
    struct prvcut_loop l;
    size_t near = 0;

    ck_assert_int_eq(prvcut_signal_loop_find(&l, &in, NULL, 0, &b, NULL), PRVCUT_OK);
    ck_assert(l.found);
    ck_assert_ptr_nonnull(b.at);
    ck_assert_double_eq_tol((double)b.count, (double)count + 1, 1.01 + 0.1 * (double)count);
    for (size_t i = 0; i < b.count; i++) {
        double from = place(start, count, (double)b.at[b.count / 2] / WIDTH);
        double away = place(start, count, (double)b.at[i] / WIDTH) - from;

        ck_assert(i == 0 || b.at[i] > b.at[i - 1]);
        near += fabs(away - round(away)) < 0.15;
    }
    ck_assert_uint_ge(10 * near, 9 * b.count);
    free(b.at);
    free(s);
}

START_TEST(test_tell_borders_of_uneven_iterations)
{
    struct sketch *s = sketch_new((unsigned)_i + 110);
    double start[61] = { 20500 };

    scatter(s, 500, 20000);
    for (size_t i = 0; i < 60; i++)
        start[i + 1] = iterate(s, start[i], 1, 1150, 0.1);
    expect_borders(s, start, 60);
}
END_TEST

START_TEST(test_tell_borders_of_the_outermost)
{
    struct sketch *s = sketch_new((unsigned)_i + 120);
    double start[16] = { 20000 };

    scatter(s, 500, 19000);
    for (size_t i = 0; i < 15; i++) {
        const double length = 5000 * (1 + 0.03 * normal(s));
        double t = iterate(s, start[i], 25, 0.92 / 25 * length, 0);

        raise(s, t + 0.02 * length, t + 0.06 * length, 9);
        start[i + 1] = t + 0.08 * length;
    }
    expect_borders(s, start, 15);
}
END_TEST

START_TEST(test_tell_no_borders_where_there_is_no_loop)
{
    struct prvcut_signal_borders b = { .count = 7 };
    struct sketch *s = sketch_new(130);
    const struct prvcut_signal in = {
        .name = "test", .unit = "", .width = WIDTH, .at = s->at, .bins = BINS
    };
    struct prvcut_loop l;

    ramp(s);
    ck_assert_int_eq(prvcut_signal_loop_find(&l, &in, NULL, 0, &b, NULL), PRVCUT_OK);
    ck_assert(!l.found);
    ck_assert_ptr_null(b.at);
    ck_assert_uint_eq(b.count, 0);
    free(s);
}
END_TEST

/* What one signal saw of a loop of 10 ms: its iterations, from a time on. */
static struct prvcut_signal_sight sight(double ms, double count, uint64_t from_ms, uint64_t to_ms,
                                        double strength)
{
    return (struct prvcut_signal_sight){ .mean = (double)(to_ms - from_ms) * 1e6 / count,
                                         .median = ms * 1e6,
                                         .start = from_ms * 1000000,
                                         .end = to_ms * 1000000,
                                         .count = count,
                                         .strength = strength,
                                         .gain = 0.5 };
}

/* First iterations that take longer belong to the loop where a sight follows them, too; more that
   are shorter than any, or a sight that is much fainter, do not. */
START_TEST(test_choose_sight_that_goes_on_where_iterations_do)
{
    static struct prvcut_signal_sights s;
    size_t chosen;

    s = (struct prvcut_signal_sights){ .count = 2, .thorough = true };
    s.at[0] = sight(10, 17, 140, 310, 0.6);
    s.at[1] = sight(10, 20, 101, 310, 0.56);
    prvcut_signal_sights_choose(&chosen, &s, 1, NULL);
    ck_assert_uint_eq(chosen, 1);
    s.thorough = false;
    prvcut_signal_sights_choose(&chosen, &s, 1, NULL);
    ck_assert_uint_eq(chosen, 0);
    s.thorough = true;
    s.at[1] = sight(10, 20, 101, 310, 0.5);
    prvcut_signal_sights_choose(&chosen, &s, 1, NULL);
    ck_assert_uint_eq(chosen, 0);
    s.at[1] = sight(10, 20, 120, 310, 0.56);
    prvcut_signal_sights_choose(&chosen, &s, 1, NULL);
    ck_assert_uint_eq(chosen, 0);
    s.at[1] = sight(10.3, 20, 101, 310, 0.56);
    prvcut_signal_sights_choose(&chosen, &s, 1, NULL);
    ck_assert_uint_eq(chosen, 0);
}
END_TEST

static Suite *signal_loop_suite(void)
{
    static const int strides[] = { 0, 5, 13, 26 };
    Suite *suite = suite_create("signal_loop");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, test_find_loop_between_start_and_end_measures_it);
    tcase_add_loop_test(tests, test_find_loop_tolerates_jitter, 0, 4);
    tcase_add_loop_test(tests, test_find_loop_of_few_iterations, 0, 4);
    tcase_add_test(tests, test_find_loop_of_short_period);
    tcase_add_test(tests, test_find_loop_of_very_many_iterations);
    tcase_add_test(tests, test_find_loop_follows_slow_drift);
    tcase_add_loop_test(tests, test_find_loop_takes_the_outermost, 0, 3);
    tcase_add_test(tests, test_find_loop_across_masked_pauses);
    tcase_add_loop_test(tests, test_find_loop_denies_what_does_not_repeat, 0, 18);
    tcase_add_test(tests, test_find_loop_ignores_start_and_scale);
    tcase_add_test(tests, test_find_loop_answers_the_same_twice);
    tcase_add_test(tests, test_find_loop_accepts_any_length);
    tcase_add_test(tests, test_find_loop_accepts_masks_over_everything);
    tcase_add_test(tests, test_map_place_to_time_skips_masks);
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
        tcase_add_loop_test(tests, test_find_nest_by_lengths_of_iterations, strides[i],
                            strides[i] + 1);
    tcase_add_loop_test(tests, test_tell_borders_of_uneven_iterations, 0, 3);
    tcase_add_loop_test(tests, test_tell_borders_of_the_outermost, 0, 3);
    tcase_add_test(tests, test_tell_no_borders_where_there_is_no_loop);
    tcase_add_test(tests, test_choose_sight_that_goes_on_where_iterations_do);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(signal_loop_suite());
}
