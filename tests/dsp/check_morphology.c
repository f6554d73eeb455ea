#include "dsp/morphology.h"
#include "tests/support/runner.h"

#include <math.h>
#include <string.h>

enum { ROOM = 257 };

/** A repeatable random number in [0, 1). */
static double draw(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0;
}

static void fill(double *at, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        at[i] = floor(20 * draw(&seed)) - 10;
}

static double direct(const double *in, size_t n, size_t i, size_t width, bool least)
{
    const ptrdiff_t low = least ? (ptrdiff_t)(width / 2) : (ptrdiff_t)(width - 1 - width / 2);
    double best = in[i];

    for (ptrdiff_t j = (ptrdiff_t)i - low; j < (ptrdiff_t)(i + width) - low; j++)
        if (j >= 0 && j < (ptrdiff_t)n)
            best = least ? fmin(best, in[j]) : fmax(best, in[j]);
    return best;
}

static const size_t widths[] = { 1, 2, 3, 4, 7, 16, 101, 256, 257, 1000, SIZE_MAX };
enum { WIDTHS = sizeof widths / sizeof *widths };

START_TEST(test_slide_extremum_equals_direct_search)
{
    double in[ROOM], low[ROOM], high[ROOM];
    const size_t width = widths[_i] > 4 * ROOM ? 4 * ROOM : widths[_i];

    fill(in, ROOM, (unsigned)_i + 1);
    ck_assert_int_eq(prvcut_erode(low, in, ROOM, widths[_i], NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_dilate(high, in, ROOM, widths[_i], NULL), PRVCUT_OK);
    for (size_t i = 0; i < ROOM; i++) {
        ck_assert_double_eq(low[i], direct(in, ROOM, i, width, true));
        ck_assert_double_eq(high[i], direct(in, ROOM, i, width, false));
    }
}
END_TEST

START_TEST(test_order_filters_erosion_opening_identity_closing_dilation)
{
    double in[ROOM], e[ROOM], o[ROOM], c[ROOM], d[ROOM];

    fill(in, ROOM, (unsigned)_i + 7);
    prvcut_erode(e, in, ROOM, widths[_i], NULL);
    prvcut_opening(o, in, ROOM, widths[_i], NULL);
    prvcut_closing(c, in, ROOM, widths[_i], NULL);
    prvcut_dilate(d, in, ROOM, widths[_i], NULL);
    for (size_t i = 0; i < ROOM; i++) {
        ck_assert_double_le(e[i], in[i]);
        ck_assert_double_le(e[i], o[i]);
        ck_assert_double_le(o[i], in[i]);
        ck_assert_double_le(in[i], c[i]);
        ck_assert_double_le(c[i], d[i]);
    }
}
END_TEST

START_TEST(test_repeat_opening_and_closing_changes_nothing)
{
    double in[ROOM], once[ROOM], twice[ROOM];

    fill(in, ROOM, (unsigned)_i + 17);
    prvcut_opening(once, in, ROOM, widths[_i], NULL);
    prvcut_opening(twice, once, ROOM, widths[_i], NULL);
    ck_assert_mem_eq(once, twice, sizeof once);
    prvcut_closing(once, in, ROOM, widths[_i], NULL);
    prvcut_closing(twice, once, ROOM, widths[_i], NULL);
    ck_assert_mem_eq(once, twice, sizeof once);
}
END_TEST

START_TEST(test_negate_mirror_dual_turns_erosion_into_dilation)
{
    double in[ROOM], back[ROOM], low[ROOM], high[ROOM];

    fill(in, ROOM, (unsigned)_i + 27);
    for (size_t i = 0; i < ROOM; i++)
        back[i] = -in[ROOM - 1 - i];
    prvcut_erode(low, in, ROOM, widths[_i], NULL);
    prvcut_dilate(high, back, ROOM, widths[_i], NULL);
    for (size_t i = 0; i < ROOM; i++)
        ck_assert_double_eq(low[i], -high[ROOM - 1 - i]);
}
END_TEST

START_TEST(test_filter_pulses_by_their_length)
{
    double in[40] = { 0 }, out[40];

    in[5] = in[6] = 3;                     /* shorter than the filter */
    in[15] = in[16] = in[17] = in[18] = 2; /* longer */
    in[22] = in[23] = in[24] = in[25] = 2; /* three samples apart from the one before */
    prvcut_opening(out, in, 40, 4, NULL);
    for (size_t i = 0; i < 40; i++)
        ck_assert_double_eq(out[i], i < 10 ? 0 : in[i]);
    prvcut_closing(out, in, 40, 4, NULL);
    for (size_t i = 15; i < 26; i++)
        ck_assert_double_eq(out[i], 2);
    ck_assert_double_eq(out[26], 0);
    ck_assert_double_eq(out[6], 3);
    ck_assert_double_eq(out[10], 0);
}
END_TEST

START_TEST(test_filter_in_place_gives_the_same)
{
    double in[ROOM], out[ROOM];

    fill(in, ROOM, 99);
    prvcut_closing(out, in, ROOM, 5, NULL);
    prvcut_closing(in, in, ROOM, 5, NULL);
    ck_assert_mem_eq(in, out, sizeof in);
}
END_TEST

START_TEST(test_filter_refuses_width_zero_and_accepts_nothing)
{
    struct prvcut_error err = { 0 };
    double x = 1;

    ck_assert_int_eq(prvcut_erode(&x, &x, 1, 0, &err), PRVCUT_EUSAGE);
    ck_assert_int_eq(prvcut_erode(NULL, NULL, 0, 3, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_opening(&x, &x, 1, 3, NULL), PRVCUT_OK);
    ck_assert_double_eq(x, 1);
}
END_TEST

static Suite *morphology_suite(void)
{
    Suite *suite = suite_create("morphology");
    TCase *tests = tcase_create("all");

    tcase_add_loop_test(tests, test_slide_extremum_equals_direct_search, 0, WIDTHS);
    tcase_add_loop_test(tests, test_order_filters_erosion_opening_identity_closing_dilation, 0,
                        WIDTHS);
    tcase_add_loop_test(tests, test_repeat_opening_and_closing_changes_nothing, 0, WIDTHS);
    tcase_add_loop_test(tests, test_negate_mirror_dual_turns_erosion_into_dilation, 0, WIDTHS);
    tcase_add_test(tests, test_filter_pulses_by_their_length);
    tcase_add_test(tests, test_filter_in_place_gives_the_same);
    tcase_add_test(tests, test_filter_refuses_width_zero_and_accepts_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(morphology_suite());
}
