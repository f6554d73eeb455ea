#include "dsp/order.h"
#include "dsp/peaks.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 500 };

static void fill(double *at, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i] = floor((double)(seed >> 8) / 16777216.0 * 12);
    }
}

/** By the definition: walk out on both sides until something higher. */
static double direct_prominence(const double *in, size_t n, size_t at)
{
    double left = in[at], right = in[at];

    for (size_t i = at; i > 0 && in[i - 1] <= in[at]; i--)
        left = fmin(left, in[i - 1]);
    for (size_t i = at; i + 1 < n && in[i + 1] <= in[at]; i++)
        right = fmin(right, in[i + 1]);
    return in[at] - fmax(left, right);
}

static size_t direct_count(const double *in, size_t n)
{
    size_t count = 0;

    for (size_t i = 1; i + 1 < n; i++) {
        size_t end = i;

        while (end + 1 < n && in[end + 1] == in[i])
            end++;
        count += in[i - 1] < in[i] && end + 1 < n && in[end + 1] < in[i];
    }
    return count;
}

START_TEST(test_find_peaks_equals_definition)
{
    double in[SAMPLES];
    struct prvcut_peak *peaks;
    size_t count;

    fill(in, SAMPLES, (unsigned)_i + 1);
    ck_assert_int_eq(prvcut_peaks(&peaks, &count, in, SAMPLES, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, direct_count(in, SAMPLES));
    for (size_t i = 0; i < count; i++) {
        ck_assert_double_eq(peaks[i].prominence, direct_prominence(in, SAMPLES, peaks[i].at));
        if (i > 0)
            ck_assert_uint_gt(peaks[i].at, peaks[i - 1].at);
    }
    free(peaks);
}
END_TEST

START_TEST(test_find_peaks_refines_a_parabola_exactly)
{
    double in[21];
    struct prvcut_peak *peaks;
    size_t count;

    for (size_t i = 0; i < 21; i++)
        in[i] = 3 - 0.2 * ((double)i - 9.3) * ((double)i - 9.3);
    prvcut_peaks(&peaks, &count, in, 21, NULL);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(peaks[0].at, 9);
    ck_assert_double_eq_tol(peaks[0].place, 9.3, 1e-12);
    ck_assert_double_eq_tol(peaks[0].height, 3, 1e-12);
    free(peaks);
}
END_TEST

START_TEST(test_find_peaks_takes_the_middle_of_a_plateau_and_no_border)
{
    const double in[] = { 9, 1, 4, 4, 4, 2, 8 };
    struct prvcut_peak *peaks;
    size_t count;

    prvcut_peaks(&peaks, &count, in, 7, NULL);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(peaks[0].at, 3);
    ck_assert_double_eq(peaks[0].place, 3);
    ck_assert_double_eq(peaks[0].prominence, 2);
    free(peaks);
    for (size_t n = 0; n < 3; n++) {
        ck_assert_int_eq(prvcut_peaks(&peaks, &count, in, n, NULL), PRVCUT_OK);
        ck_assert_ptr_null(peaks);
        ck_assert_uint_eq(count, 0);
    }
}
END_TEST

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

START_TEST(test_select_rank_equals_sorting)
{
    double in[101], sorted[101], copy[101];

    fill(in, 101, (unsigned)_i + 40);
    memcpy(sorted, in, sizeof in);
    qsort(sorted, 101, sizeof *sorted, ascending);
    for (size_t k = 0; k < 101; k++) {
        memcpy(copy, in, sizeof in);
        ck_assert_double_eq(prvcut_select(copy, 101, k), sorted[k]);
    }
}
END_TEST

START_TEST(test_median_and_mad_are_those_of_small_sets)
{
    double odd[] = { 5, 1, 9 }, even[] = { 4, 1, 2, 100 }, one[] = { 3 };
    double spread[] = { 1, 2, 4, 8, 16 };

    ck_assert_double_eq(prvcut_median(odd, 3), 5);
    ck_assert_double_eq(prvcut_median(even, 4), 3);
    ck_assert_double_eq(prvcut_median(one, 1), 3);
    ck_assert_double_eq(prvcut_median(NULL, 0), 0);
    ck_assert_double_eq(prvcut_mad(spread, 5, 4), 3);
}
END_TEST

/* Of so many normal values one lies beyond in about one of ten runs. */
START_TEST(test_far_among_is_that_of_the_normal_distribution)
{
    const double values[] = { 1, 22, 100, 1000, 100000 };

    ck_assert_double_eq(prvcut_far_among(3, 0), 3);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double far = prvcut_far_among(3, values[i]);

        ck_assert_double_eq_tol(prvcut_far_among(6, values[i]), 2 * far, 1e-9);
        if (values[i] > 22) {
            ck_assert_double_le(values[i] * erfc(far / sqrt(2)), 0.12);
            ck_assert_double_ge(values[i] * erfc(far / sqrt(2)), 0.03);
        }
    }
}
END_TEST

/* Distances from the middle of a ramp rise from both ends of it: the worst case of a selection that
   looks at fixed places. */
START_TEST(test_median_of_what_falls_and_rises_takes_no_square)
{
    const size_t n = 1000001;
    double *at = malloc(n * sizeof *at);

    ck_assert_ptr_nonnull(at);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)i;
    ck_assert_double_eq(prvcut_median(at, n), 500000);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)i;
    ck_assert_double_eq(prvcut_mad(at, n, 500000), 250000);
    for (size_t i = 0; i < n; i++)
        at[i] = (double)(i < n / 2 ? i : n - 1 - i);
    ck_assert_double_eq(prvcut_mad(at, n, 0), 250000);
    free(at);
}
END_TEST

static Suite *peaks_suite(void)
{
    Suite *suite = suite_create("peaks");
    TCase *tests = tcase_create("all");

    tcase_add_loop_test(tests, test_find_peaks_equals_definition, 0, 20);
    tcase_add_test(tests, test_find_peaks_refines_a_parabola_exactly);
    tcase_add_test(tests, test_find_peaks_takes_the_middle_of_a_plateau_and_no_border);
    tcase_add_loop_test(tests, test_select_rank_equals_sorting, 0, 5);
    tcase_add_test(tests, test_median_and_mad_are_those_of_small_sets);
    tcase_add_test(tests, test_far_among_is_that_of_the_normal_distribution);
    tcase_add_test(tests, test_median_of_what_falls_and_rises_takes_no_square);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(peaks_suite());
}
