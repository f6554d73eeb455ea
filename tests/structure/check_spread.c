#include "runner.h"

#include "structure/spread.h"

#include <math.h>
#include <string.h>

static struct prvcut_spread spread_of(const double *length, size_t count)
{
    struct prvcut_spread out;
    double at[16], work[16];

    for (size_t i = 0; i < count; i++)
        at[i] = log(length[i]);
    prvcut_spread_find(&out, at, work, count);
    return out;
}

START_TEST(test_spread_is_of_the_logarithms)
{
    const double length[] = { 1, 1, 10, 10 };
    const struct prvcut_spread s = spread_of(length, 4);

    ck_assert_double_eq_tol(s.all, log(10) / 2, 1e-9);
}
END_TEST

/* Rounds that double are even, from five on: four may look so by chance. */
START_TEST(test_spread_is_about_a_trend)
{
    const double length[] = { 24, 50, 98, 194, 386, 770 };

    ck_assert_double_lt(spread_of(length, 6).all, 0.05);
    ck_assert_double_lt(spread_of(length, 5).all, 0.05);
    ck_assert_double_gt(spread_of(length, 4).all, 0.5);
}
END_TEST

/* Five that go up and down have a trend by chance. */
START_TEST(test_spread_of_five_needs_an_even_trend)
{
    const double length[] = { 20, 90, 40, 200, 150 };

    ck_assert_double_gt(spread_of(length, 5).all, 0.8);
}
END_TEST

/* One that is far longer is not usual. */
START_TEST(test_spread_of_the_usual_ones)
{
    const double length[] = { 10, 11, 10, 500, 10, 11, 10, 11 };
    const struct prvcut_spread s = spread_of(length, 8);

    ck_assert_double_gt(s.all, 1);
    ck_assert_double_lt(s.usual, 0.11);
}
END_TEST

static Suite *spread_suite(void)
{
    Suite *s = suite_create("spread");
    TCase *t = tcase_create("spread");

    tcase_add_test(t, test_spread_is_of_the_logarithms);
    tcase_add_test(t, test_spread_is_about_a_trend);
    tcase_add_test(t, test_spread_of_five_needs_an_even_trend);
    tcase_add_test(t, test_spread_of_the_usual_ones);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(spread_suite());
}
