#include "dsp/correlation.h"
#include "tests/support/runner.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 700 };

static const double two_pi = 6.283185307179586;

static void fill(double *at, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (double)(seed >> 8) / 16777216.0;
    }
}

static double direct(const double *x, size_t n, size_t lag)
{
    double product = 0, head = 0, tail = 0;

    for (size_t i = 0; i + lag < n; i++) {
        product += x[i] * x[i + lag];
        head += x[i] * x[i];
        tail += x[i + lag] * x[i + lag];
    }
    return product / sqrt(head * tail);
}

START_TEST(test_detrend_removes_any_line_and_only_that)
{
    double x[SAMPLES], y[SAMPLES], sum = 0, moment = 0;

    fill(x, SAMPLES, 1);
    for (size_t i = 0; i < SAMPLES; i++)
        y[i] = x[i] + 1000 - 3.5 * (double)i;
    prvcut_detrend(x, SAMPLES);
    prvcut_detrend(y, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++) {
        ck_assert_double_eq_tol(x[i], y[i], 1e-9);
        sum += x[i];
        moment += x[i] * (double)i;
    }
    ck_assert_double_eq_tol(sum, 0, 1e-9);
    ck_assert_double_eq_tol(moment, 0, 1e-6);
}
END_TEST

START_TEST(test_autocorrelate_equals_direct_sum)
{
    double x[SAMPLES], out[SAMPLES];

    fill(x, SAMPLES, 2);
    ck_assert_int_eq(prvcut_autocorrelate(out, SAMPLES, x, SAMPLES, NULL), PRVCUT_OK);
    prvcut_detrend(x, SAMPLES);
    for (size_t k = 0; k + 2 < SAMPLES; k++)
        ck_assert_double_eq_tol(out[k], direct(x, SAMPLES, k), 1e-8);
    ck_assert_double_eq_tol(out[0], 1, 1e-12);
}
END_TEST

START_TEST(test_autocorrelate_ignores_scale_offset_and_trend)
{
    double x[SAMPLES], a[200], b[200];

    fill(x, SAMPLES, 3);
    prvcut_autocorrelate(a, 200, x, SAMPLES, NULL);
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = 40 * x[i] + 7 + 0.25 * (double)i;
    prvcut_autocorrelate(b, 200, x, SAMPLES, NULL);
    for (size_t k = 0; k < 200; k++)
        ck_assert_double_eq_tol(a[k], b[k], 1e-9);
}
END_TEST

START_TEST(test_autocorrelate_sine_follows_cosine_without_fading)
{
    double x[SAMPLES], out[600];

    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = sin(two_pi * (double)i / 25);
    prvcut_autocorrelate(out, 600, x, SAMPLES, NULL);
    for (size_t k = 25; k < 600; k += 25)
        ck_assert_double_ge(out[k], 0.99);
    for (size_t k = 0; k < 500; k++)
        ck_assert_double_eq_tol(out[k], cos(two_pi * (double)k / 25), 0.1);
}
END_TEST

START_TEST(test_autocorrelate_flat_signal_gives_zeros)
{
    double x[SAMPLES], out[100];

    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = 1e9 + 0.1 * (double)i;
    ck_assert_int_eq(prvcut_autocorrelate(out, 100, x, SAMPLES, NULL), PRVCUT_OK);
    for (size_t k = 0; k < 100; k++)
        ck_assert_double_eq(out[k], 0);
}
END_TEST

START_TEST(test_autocorrelate_refuses_more_lags_than_samples)
{
    double x[4] = { 1, 2, 1, 2 }, out[8];
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_autocorrelate(out, 5, x, 4, &err), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_autocorrelate(out, 4, x, 4, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_autocorrelate(out, 0, x, 0, NULL), PRVCUT_OK);
}
END_TEST

START_TEST(test_match_sine_equals_direct_coefficient)
{
    const double period = 17.3;
    const size_t length = 52; /* three periods, rounded */
    double x[SAMPLES], out[SAMPLES], wave[52];
    size_t count;

    fill(x, SAMPLES, 4);
    ck_assert_int_eq(prvcut_sine_match(out, &count, x, SAMPLES, period, 3, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, SAMPLES - length + 1);
    for (size_t t = 0; t < count; t++) {
        double mean[2] = { 0 }, product = 0, energy[2] = { 0 };

        for (size_t j = 0; j < length; j++) {
            wave[j] = sin(two_pi * (double)j / period);
            mean[0] += x[t + j] / (double)length;
            mean[1] += wave[j] / (double)length;
        }
        for (size_t j = 0; j < length; j++) {
            product += (x[t + j] - mean[0]) * (wave[j] - mean[1]);
            energy[0] += (x[t + j] - mean[0]) * (x[t + j] - mean[0]);
            energy[1] += (wave[j] - mean[1]) * (wave[j] - mean[1]);
        }
        ck_assert_double_eq_tol(out[t], product / sqrt(energy[0] * energy[1]), 1e-7);
    }
}
END_TEST

START_TEST(test_match_sine_finds_the_sine_in_noise)
{
    double x[SAMPLES], out[SAMPLES];
    size_t count, best = 0;

    fill(x, SAMPLES, 5);
    for (size_t j = 0; j < 80; j++)
        x[333 + j] += 5 * sin(two_pi * (double)j / 40);
    prvcut_sine_match(out, &count, x, SAMPLES, 40, 2, NULL);
    for (size_t t = 1; t < count; t++)
        best = out[t] > out[best] ? t : best;
    ck_assert_uint_ge(best, 331);
    ck_assert_uint_le(best, 335);
    ck_assert_double_ge(out[best], 0.95);
}
END_TEST

START_TEST(test_match_sine_refuses_what_cannot_be)
{
    double x[8] = { 0 }, out[8];
    size_t count;

    ck_assert_int_eq(prvcut_sine_match(out, &count, x, 8, 1.5, 1, NULL), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_sine_match(out, &count, x, 8, 4, 0, NULL), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_sine_match(out, &count, x, 8, NAN, 1, NULL), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_sine_match(out, &count, x, 8, 4, 3, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(prvcut_sine_match(out, &count, x, 8, 4, 1, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, 5);
    ck_assert_double_eq(out[0], 0); /* no variance, no match */
}
END_TEST

static Suite *correlation_suite(void)
{
    Suite *suite = suite_create("correlation");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, test_detrend_removes_any_line_and_only_that);
    tcase_add_test(tests, test_autocorrelate_equals_direct_sum);
    tcase_add_test(tests, test_autocorrelate_ignores_scale_offset_and_trend);
    tcase_add_test(tests, test_autocorrelate_sine_follows_cosine_without_fading);
    tcase_add_test(tests, test_autocorrelate_flat_signal_gives_zeros);
    tcase_add_test(tests, test_autocorrelate_refuses_more_lags_than_samples);
    tcase_add_test(tests, test_match_sine_equals_direct_coefficient);
    tcase_add_test(tests, test_match_sine_finds_the_sine_in_noise);
    tcase_add_test(tests, test_match_sine_refuses_what_cannot_be);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(correlation_suite());
}
