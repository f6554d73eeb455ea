#include "dsp/wavelet.h"
#include "tests/support/runner.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 1 << 10 };

static void fill(double *at, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = (double)(seed >> 8) / 16777216.0;
    }
}

static double energy(const double *at, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += at[i] * at[i];
    return sum;
}

START_TEST(test_transform_haar_keeps_energy)
{
    double at[SAMPLES];
    double before;

    fill(at, SAMPLES, 3);
    before = energy(at, SAMPLES);
    ck_assert_int_eq(prvcut_haar(at, SAMPLES, (unsigned)_i, NULL), PRVCUT_OK);
    ck_assert_double_eq_tol(energy(at, SAMPLES), before, 1e-9);
}
END_TEST

START_TEST(test_invert_haar_reconstructs)
{
    double at[SAMPLES], copy[SAMPLES];

    fill(at, SAMPLES, 5);
    memcpy(copy, at, sizeof at);
    prvcut_haar(at, SAMPLES, (unsigned)_i, NULL);
    if (_i > 0)
        ck_assert_mem_ne(at, copy, sizeof at);
    ck_assert_int_eq(prvcut_haar_inverse(at, SAMPLES, (unsigned)_i, NULL), PRVCUT_OK);
    for (size_t i = 0; i < SAMPLES; i++)
        ck_assert_double_eq_tol(at[i], copy[i], 1e-12);
}
END_TEST

START_TEST(test_transform_haar_is_linear)
{
    double a[SAMPLES], b[SAMPLES], sum[SAMPLES];

    fill(a, SAMPLES, 7);
    fill(b, SAMPLES, 8);
    for (size_t i = 0; i < SAMPLES; i++)
        sum[i] = 2 * a[i] - 3 * b[i];
    prvcut_haar(a, SAMPLES, 6, NULL);
    prvcut_haar(b, SAMPLES, 6, NULL);
    prvcut_haar(sum, SAMPLES, 6, NULL);
    for (size_t i = 0; i < SAMPLES; i++)
        ck_assert_double_eq_tol(sum[i], 2 * a[i] - 3 * b[i], 1e-12);
}
END_TEST

START_TEST(test_transform_haar_locates_a_step)
{
    double at[SAMPLES];

    for (size_t i = 0; i < SAMPLES; i++)
        at[i] = i < 301 ? 1 : 5;
    prvcut_haar(at, SAMPLES, 2, NULL);
    for (size_t i = 0; i < SAMPLES / 2; i++) /* the finest details: only the pair (300, 301) */
        ck_assert_double_eq_tol(at[SAMPLES / 2 + i], i == 150 ? -4 * sqrt(0.5) : 0, 1e-12);
    for (size_t i = 0; i < SAMPLES / 4; i++)
        ck_assert_double_eq_tol(fabs(at[SAMPLES / 4 + i]), i == 75 ? 2 : 0, 1e-12);
}
END_TEST

START_TEST(test_transform_haar_refuses_odd_lengths)
{
    double at[12] = { 0 };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_haar(at, 12, 2, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_haar(at, 12, 3, &err), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_haar_inverse(at, 12, 64, NULL), PRVCUT_EUSAGE);
}
END_TEST

static Suite *wavelet_suite(void)
{
    Suite *suite = suite_create("wavelet");
    TCase *tests = tcase_create("all");

    tcase_add_loop_test(tests, test_transform_haar_keeps_energy, 0, 11);
    tcase_add_loop_test(tests, test_invert_haar_reconstructs, 0, 11);
    tcase_add_test(tests, test_transform_haar_is_linear);
    tcase_add_test(tests, test_transform_haar_locates_a_step);
    tcase_add_test(tests, test_transform_haar_refuses_odd_lengths);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(wavelet_suite());
}
