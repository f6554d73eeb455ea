#include "model/clock_system.h"

#include "runner.h"

#include <stdlib.h>

static struct prvcut_clock_system s;
static struct prvcut_clock_solution x;

static void setup(void)
{
    s = (struct prvcut_clock_system){ 0 };
    x = (struct prvcut_clock_solution){ 0 };
}

static void teardown(void)
{
    prvcut_clock_solution_fini(&x);
    prvcut_clock_system_fini(&s);
}

static void tie(uint32_t from, uint32_t to, int64_t weight, bool slack)
{
    const struct prvcut_clock_edge e = { weight, from, to, slack };

    ck_assert_int_eq(prvcut_clock_system_add(&s, &e, NULL), PRVCUT_OK);
}

static void solve(uint32_t tasks, uint32_t nodes)
{
    s.tasks = tasks;
    s.nodes = nodes;
    ck_assert_int_eq(prvcut_clock_system_solve(&x, &s, NULL), PRVCUT_OK);
}

/* One is 10 to 20 later than the other: 15, and an offset may be wrong by 5. */
START_TEST(test_solve_takes_the_middle_of_what_is_left)
{
    tie(0, 1, 10, true);
    tie(1, 0, -20, true);
    solve(2, 2);
    ck_assert_int_eq(x.offset[0], 0);
    ck_assert_int_eq(x.offset[1], 15);
    ck_assert_uint_eq(x.doubt, 5);
    ck_assert_uint_eq(x.relaxation, 0);
    ck_assert_uint_eq(x.residual, 0);
    ck_assert_uint_eq(x.unknown, 0);
}
END_TEST

START_TEST(test_solve_least_offset_is_zero)
{
    tie(0, 1, -30, true);
    tie(1, 0, 30, true);
    solve(2, 2);
    ck_assert_int_eq(x.offset[0], 30);
    ck_assert_int_eq(x.offset[1], 0);
    ck_assert_uint_eq(x.doubt, 0);
}
END_TEST

/* At least 10 later, and at most 6: both give way by 2. */
START_TEST(test_solve_contradiction_is_relaxed_by_its_mean)
{
    tie(0, 1, 10, true);
    tie(1, 0, -6, true);
    solve(2, 2);
    ck_assert_uint_eq(x.relaxation, 2);
    ck_assert_int_eq(x.offset[1] - x.offset[0], 8);
}
END_TEST

START_TEST(test_solve_counts_who_is_tied_to_nobody)
{
    tie(0, 1, 10, true);
    tie(1, 0, -10, true);
    solve(4, 4);
    ck_assert_uint_eq(x.unknown, 2);
    ck_assert_int_eq(x.offset[1] - x.offset[0], 10);
}
END_TEST

/* Nodes beyond the processes: both began before an instant, which was before both ends. */
START_TEST(test_solve_instants_tie_processes)
{
    for (uint32_t t = 0; t < 2; t++) {
        tie(t, 2, t == 0 ? 0 : 100, true);
        tie(2, t, t == 0 ? -4 : -104, true);
    }
    solve(2, 3);
    ck_assert_int_eq(x.offset[0] - x.offset[1], 100);
    ck_assert_uint_eq(x.unknown, 0);
    ck_assert_uint_eq(x.doubt, 4);
}
END_TEST

/* Constraints that hidden offsets keep have solutions: what is found keeps them, too. */
START_TEST(test_solve_keeps_every_constraint_that_can_be_kept)
{
    int64_t hidden[12];
    const uint32_t tasks = 2 + (uint32_t)_i % 11;

    srand((unsigned)_i + 1);
    for (uint32_t t = 0; t < tasks; t++)
        hidden[t] = rand() % 100000 - 50000;
    for (unsigned k = 0; k < 5 * tasks; k++) {
        const uint32_t from = (uint32_t)rand() % tasks, to = (uint32_t)rand() % tasks;

        if (from != to)
            tie(from, to, hidden[to] - hidden[from] - rand() % 1000, true);
    }
    solve(tasks, tasks);
    ck_assert_uint_eq(x.relaxation, 0);
    ck_assert_uint_eq(x.residual, 0);
    for (size_t k = 0; k < s.edges && x.unknown == 0; k++)
        ck_assert_int_ge(x.offset[s.edge[k].to], x.offset[s.edge[k].from] + s.edge[k].weight);
}
END_TEST

static Suite *clock_system_suite(void)
{
    Suite *suite = suite_create("clock_system");
    TCase *t = tcase_create("solve");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_solve_takes_the_middle_of_what_is_left);
    tcase_add_test(t, test_solve_least_offset_is_zero);
    tcase_add_test(t, test_solve_contradiction_is_relaxed_by_its_mean);
    tcase_add_test(t, test_solve_counts_who_is_tied_to_nobody);
    tcase_add_test(t, test_solve_instants_tie_processes);
    tcase_add_loop_test(t, test_solve_keeps_every_constraint_that_can_be_kept, 0, 200);
    suite_add_tcase(suite, t);
    return suite;
}

int main(void)
{
    return run_suite(clock_system_suite());
}
