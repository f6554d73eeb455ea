#include "dsp/fit.h"
#include "tests/support/runner.h"

#include <math.h>

/* Abramowitz and Stegun, table 26.10; the first ones are those of the specification. */
START_TEST(test_student_has_the_tables_values)
{
    static const struct {
        double one_sided;
        size_t freedom;
        double t;
    } row[] = {
        { 0.9, 1, 3.077684 },     { 0.975, 1, 12.706205 },  { 0.9, 2, 1.885618 },
        { 0.995, 1, 63.656741 },  { 0.95, 3, 2.353363 },    { 0.999, 4, 7.173182 },
        { 0.75, 5, 0.726687 },    { 0.9, 10, 1.372184 },    { 0.975, 30, 2.042272 },
        { 0.9995, 60, 3.460200 }, { 0.975, 120, 1.979930 }, { 0.975, 100000, 1.959988 },
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        ck_assert_double_eq_tol(prvcut_student(2 * row[i].one_sided - 1, row[i].freedom), row[i].t,
                                5e-7 * row[i].t + 5e-7);
}
END_TEST

/* The half-way of what is within, for any number of degrees of freedom: t rises with it. */
START_TEST(test_student_rises_with_the_probability_and_falls_with_the_freedom)
{
    for (size_t freedom = 1; freedom < 400; freedom++)
        for (double within = 0.001; within < 0.9999; within += 0.0371) {
            const double t = prvcut_student(within, freedom);

            ck_assert(t > 0 && isfinite(t));
            ck_assert_double_gt(prvcut_student(within + 0.0001, freedom), t);
            ck_assert_double_lt(prvcut_student(within, freedom + 1), t);
        }
}
END_TEST

/* y = 1, 3, 2 at 0, 1, 2: slope 0.5, start 1.5, residuals -0.5, 1, -0.5: RSS 1.5. */
START_TEST(test_line_has_the_values_worked_out_by_hand)
{
    const double x[] = { 0, 1, 2 }, y[] = { 1, 3, 2 };
    const struct prvcut_line l = prvcut_line_fit(x, y, 3);

    ck_assert_double_eq_tol(l.slope, 0.5, 1e-15);
    ck_assert_double_eq_tol(l.start, 1.5, 1e-15);
    ck_assert_double_eq_tol(l.variance, 1.5, 1e-14);
    ck_assert_double_eq_tol(prvcut_line_at(&l, 4), 3.5, 1e-14);
    ck_assert_double_eq_tol(prvcut_line_variance(&l, 4), 1.5 * (1 + 1.0 / 3 + 9.0 / 2), 1e-13);
    ck_assert(isnan(prvcut_line_fit(x, y, 2).variance));
}
END_TEST

START_TEST(test_parabola_goes_through_three_points_and_between_four)
{
    const double x[] = { 1, 2, 4, 8 }, y[] = { 3, 8, 24, 80 }; /* x^2 + 2 x */
    const double off[] = { 3 - 1, 8 + 3, 24 - 3, 80 + 1 };

    ck_assert_double_eq_tol(prvcut_parabola_at(x, y, 3, 16), 16 * 16 + 2 * 16, 1e-9);
    ck_assert_double_eq_tol(prvcut_parabola_at(x, y, 4, 16), 16 * 16 + 2 * 16, 1e-9);
    ck_assert(isnan(prvcut_parabola_at(x, y, 2, 16)));
    /* Of least squares: residuals are orthogonal to 1, x and x^2. */
    for (int power = 0; power < 3; power++) {
        double sum = 0;

        for (size_t i = 0; i < 4; i++)
            sum += (off[i] - prvcut_parabola_at(x, off, 4, x[i])) * pow(x[i], power);
        ck_assert_double_eq_tol(sum, 0, 1e-9);
    }
}
END_TEST

START_TEST(test_parabola_of_two_places_is_none)
{
    const double x[] = { 1, 2, 2, 1 }, y[] = { 1, 2, 2.1, 1.1 };

    ck_assert(isnan(prvcut_parabola_at(x, y, 4, 3)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit");
    TCase *tc = tcase_create("all");

    tcase_add_test(tc, test_student_has_the_tables_values);
    tcase_add_test(tc, test_student_rises_with_the_probability_and_falls_with_the_freedom);
    tcase_add_test(tc, test_line_has_the_values_worked_out_by_hand);
    tcase_add_test(tc, test_parabola_goes_through_three_points_and_between_four);
    tcase_add_test(tc, test_parabola_of_two_places_is_none);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
