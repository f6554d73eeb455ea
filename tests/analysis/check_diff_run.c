/* One loop that was seen at two lengths, or two loops, on numbers made by hand. */
#include "tests/analysis/diff_made.h"

START_TEST(test_halves_of_iterations_are_taken_together)
{
    for (unsigned s = 0; s < 2; s++) {
        struct prvcut_diff_run run[2];
        unsigned together[2];
        struct made_diff *d;

        run[s] = made(41, 1e6, calls, 2);
        run[1 - s] = made(20, 2e6, calls, 2);
        for (size_t i = 0; i <= 20; i++)
            for (uint32_t t = 0; t < ROWS; t++)
                for (size_t c = 2; c < 4; c++)
                    prvcut_diff_at(&run[1 - s], i, t)[PRVCUT_DIFF_AT_COLUMNS + c] *= 2;
        prvcut_diff_together(run, together);
        ck_assert_uint_eq(together[s], 2);
        ck_assert_uint_eq(together[1 - s], 1);
        ck_assert_uint_eq(run[s].iterations, 20);
        d = compared(run);
        ck_assert_uint_eq(d->is.changes, 0);
        ck_assert_double_eq(row(d, PRVCUT_DIFF_LENGTH, NULL)->median[s], 2e6);
        released(d);
    }
}
END_TEST

/* Half as many iterations that make the same calls are fewer iterations. */
START_TEST(test_fewer_iterations_are_not_taken_together)
{
    struct prvcut_diff_run run[2] = { made(40, 1e6, calls, 2), made(20, 1e6, calls, 2) };
    unsigned together[2];
    struct made_diff *d;

    prvcut_diff_together(run, together);
    ck_assert(together[0] == 1 && together[1] == 1);
    d = compared(run);
    ck_assert_uint_eq(d->is.changes, 1);
    ck_assert_int_eq(row(d, PRVCUT_DIFF_ITERATIONS, NULL)->turn, PRVCUT_DIFF_BETTER);
    ck_assert_double_eq(d->is.worst, 0);
    released(d);
}
END_TEST

/* Each iteration makes a call so many times as often. */
static void call_more(struct prvcut_diff_run *r, size_t call, double times)
{
    for (size_t i = 0; i <= r->iterations; i++)
        for (uint32_t t = 0; t < ROWS; t++)
            prvcut_diff_at(r, i, t)[PRVCUT_DIFF_AT_COLUMNS + r->calls + call] *= times;
}

/* Ten steps, then a file is written: that is compared with ten steps, however many either runs. */
START_TEST(test_steps_are_taken_together_as_calls_tell)
{
    static const char *const more[] = { "MPI_Send", "MPI_Recv", "MPI_File_write" };
    static const size_t steps[] = { 80, 20, 200 };

    for (unsigned s = 0; s < 6; s++) {
        struct prvcut_diff_run run[2];
        unsigned together[2];
        struct made_diff *d;
        double times;

        run[s % 2] = made(steps[s / 2], 1e6, calls, 2);
        run[1 - s % 2] = made(20, 10.4e6, more, 3);
        call_more(&run[1 - s % 2], 0, 10);
        call_more(&run[1 - s % 2], 1, 10);
        prvcut_diff_together(run, together);
        if (steps[s / 2] == 20) { /* which may as well do ten times as much in each */
            ck_assert(together[0] == 1 && together[1] == 1);
            ck_assert(!prvcut_diff_unlike(run, &times));
            released(compared(run));
            continue;
        }
        ck_assert_uint_eq(together[s % 2], 10);
        ck_assert_uint_eq(together[1 - s % 2], 1);
        ck_assert(!prvcut_diff_unlike(run, &times));
        d = compared(run);
        ck_assert_double_eq(row(d, PRVCUT_DIFF_LENGTH, NULL)->median[s % 2], 10e6);
        ck_assert_int_eq(row(d, PRVCUT_DIFF_ENTERED, "MPI_Send")->way, PRVCUT_DIFF_SAME);
        ck_assert_int_eq(row(d, PRVCUT_DIFF_ENTERED, "MPI_File_write")->way, PRVCUT_DIFF_MEDIAN);
        released(d);
    }
}
END_TEST

/* 2.5 times the calls, and as long, are no number of iterations, unless both run as often. */
START_TEST(test_other_loops_are_told)
{
    for (unsigned s = 0; s < 4; s++) {
        struct prvcut_diff_run run[2] = { made(40, 1e6, calls, 2), made(40, 1e6, calls, 2) };
        const bool as_often = s >= 2;
        unsigned together[2];
        double times;

        prvcut_diff_run_fini(&run[s % 2]);
        run[s % 2] = made(as_often ? 39 : 12, 2.5e6, calls, 2);
        call_more(&run[s % 2], 0, 2);
        call_more(&run[s % 2], 1, 3);
        prvcut_diff_together(run, together);
        ck_assert(together[0] == 1 && together[1] == 1);
        ck_assert(prvcut_diff_unlike(run, &times) == !as_often);
        ck_assert(fabs(times - (s % 2 ? 2.5 : 0.4)) < 1e-9);
        prvcut_diff_run_fini(&run[0]);
        prvcut_diff_run_fini(&run[1]);
    }
}
END_TEST

static Suite *diff_run_suite(void)
{
    Suite *s = suite_create("diff_run");
    TCase *c = tcase_create("diff_run");

    tcase_add_test(c, test_halves_of_iterations_are_taken_together);
    tcase_add_test(c, test_fewer_iterations_are_not_taken_together);
    tcase_add_test(c, test_steps_are_taken_together_as_calls_tell);
    tcase_add_test(c, test_other_loops_are_told);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(diff_run_suite());
}
