/* What is a change between two runs, on numbers made by hand: the rule and its limits, what has no
   counterpart. */
#include "tests/analysis/diff_made.h"

/* --- The rule --------------------------------------------------------------------------------- */

START_TEST(test_equal_runs_have_no_change)
{
    struct prvcut_diff_run run[2] = { made(20, 1e6, calls, 2), made(20, 1e6, calls, 2) };
    struct made_diff *d = compared(run);

    ck_assert_uint_eq(d->is.changes, 0);
    ck_assert_uint_eq(d->is.causes, 0);
    ck_assert_double_eq(d->is.worst, 0);
    ck_assert_str_eq(d->is.computing, "running");
    ck_assert(isnan(row(d, PRVCUT_DIFF_IPC, NULL)->median[0]));
    released(d);
}
END_TEST

/* 1 % of an iteration, 5 % where fewer than four tell nothing of chance. */
START_TEST(test_small_differences_are_none)
{
    static const struct {
        size_t iterations;
        double length;
        bool changed;
    } cases[] = { { 20, 1.009e6, false }, { 20, 1.011e6, true }, { 20, 0.989e6, true },
                  { 4, 1.011e6, true },   { 3, 1.049e6, false }, { 3, 1.051e6, true } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prvcut_diff_run run[2] = { made(cases[i].iterations, 1e6, calls, 2),
                                          made(cases[i].iterations, cases[i].length, calls, 2) };
        struct made_diff *d = compared(run);

        ck_assert_msg((d->row[0].way == PRVCUT_DIFF_MEDIAN) == cases[i].changed, "case %zu", i);
        released(d);
    }
}
END_TEST

/* Both runs have 200 iterations of 0.9, 1 and 1.1 ms: a spread of 0.148 ms, of which four standard
   errors are 0.074 ms. The spread itself is a limit only of few. */
START_TEST(test_differences_within_the_errors_are_none)
{
    static const struct {
        size_t iterations;
        double more;
        bool changed;
    } cases[] = { { 200, 0.06e6, false }, { 200, 0.1e6, true }, { 63, 0.14e6, false } };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const size_t n = cases[k].iterations;
        struct prvcut_diff_run run[2] = { made(n, 1e6, calls, 2),
                                          made(n, 1e6 + cases[k].more, calls, 2) };
        struct made_diff *d;

        for (unsigned s = 0; s < 2; s++)
            for (size_t i = 0; i < n; i++)
                add_length(&run[s], i, i % 3 == 0 ? -1e5 : i % 3 == 1 ? 1e5 : 0);
        d = compared(run);
        ck_assert_double_eq_tol(d->row[0].spread[0], 148260, 1);
        ck_assert_msg((d->row[0].way == PRVCUT_DIFF_MEDIAN) == cases[k].changed, "case %zu", k);
        released(d);
    }
}
END_TEST

/* What both runs do is no drift, though each becomes half as long; what one does alone may be
   chance, whether it goes up, or up and down. */
START_TEST(test_runs_that_drift)
{
    for (int which = 0; which < 3; which++) {
        struct prvcut_diff_run run[2] = { made(160, 1e6, calls, 2), made(160, 1e6, calls, 2) };
        struct made_diff *d;

        for (unsigned s = 0; s < 2; s++)
            for (size_t i = 0; i < 160; i++) {
                const double at = (double)i / 160;
                const double common = -5e5 * at, up = 2e5 * at, wave = i / 40 % 2 ? 2e5 : 0;

                add_length(&run[s], i,
                           1e3 * (double)(i * 7 % 5) + (which == 0   ? common + (s ? 5e4 : 0)
                                                        : s == 0     ? 0
                                                        : which == 1 ? up
                                                                     : wave));
            }
        d = compared(run);
        ck_assert_double_gt(fabs(d->row[0].mean[1] - d->row[0].mean[0]), 4.9e4);
        ck_assert_int_eq(d->row[0].way != PRVCUT_DIFF_SAME, which == 0);
        released(d);
    }
}
END_TEST

/* The same difference, of fewer iterations, may be chance. */
START_TEST(test_few_iterations_prove_less)
{
    for (int many = 0; many < 2; many++) {
        const size_t n = many ? 300 : 6;
        struct prvcut_diff_run run[2] = { made(n, 1e6, calls, 2), made(n, 1.2e6, calls, 2) };
        struct made_diff *d;

        for (unsigned s = 0; s < 2; s++)
            for (size_t i = 0; i < n; i++)
                add_length(&run[s], i, i % 3 == 0 ? -1e5 : i % 3 == 1 ? 1e5 : 0);
        d = compared(run);
        ck_assert_int_eq(d->row[0].way, many ? PRVCUT_DIFF_MEDIAN : PRVCUT_DIFF_SAME);
        released(d);
    }
}
END_TEST

/* Iterations come in two lengths: a few more of the one are chance, though the median jumps. */
START_TEST(test_a_median_that_jumps_is_no_change)
{
    struct prvcut_diff_run run[2] = { made(40, 1e6, calls, 2), made(40, 1e6, calls, 2) };
    struct made_diff *d;

    for (unsigned s = 0; s < 2; s++)
        for (size_t i = 0; i < 40; i++)
            add_length(&run[s], i, (i * 7 % 40 < (s ? 22 : 18) ? 1e6 : 0) + 100 * (double)(i % 5));
    d = compared(run);
    ck_assert_double_gt(d->row[0].median[1] - d->row[0].median[0], 0.9e6);
    ck_assert_int_eq(d->row[0].way, PRVCUT_DIFF_SAME);
    released(d);
}
END_TEST

/* Every third is twice as long: the median is as before, the mean is not. One is an accident. */
START_TEST(test_some_longer_iterations_are_told_by_the_mean)
{
    for (unsigned every = 3; every <= 90; every += 87) {
        struct prvcut_diff_run run[2] = { made(90, 1e6, calls, 2), made(90, 1e6, calls, 2) };
        struct made_diff *d;

        for (size_t i = 0; i < 90; i += every)
            add_length(&run[1], i, 1e6);
        d = compared(run);
        ck_assert_int_eq(d->row[0].way, every == 3 ? PRVCUT_DIFF_MEAN : PRVCUT_DIFF_SAME);
        ck_assert_double_eq(d->row[0].median[1], 1e6);
        ck_assert_double_eq_tol(d->row[0].mean[1], 1e6 + 1e6 / every, 1);
        if (every == 3)
            ck_assert_double_eq_tol(d->is.worst, 1.0 / 3, 1e-9);
        released(d);
    }
}
END_TEST

static double random_to(double most)
{
    return most * (double)rand() / (double)RAND_MAX;
}

static struct prvcut_diff_stat random_stat(void)
{
    const double median = rand() % 8 ? random_to(100) : 0, half = random_to(5);

    return (struct prvcut_diff_stat){ .median = median,
                                      .spread = random_to(10),
                                      .low = fmax(0, median - half),
                                      .high = median + random_to(5),
                                      .below = random_to(5),
                                      .above = random_to(5),
                                      .mean = median + random_to(30),
                                      .deviation = random_to(30),
                                      .clear = 1 + rand() % 200,
                                      .all = 200,
                                      .told = true };
}

/* Whichever run comes first: what changed, how it was seen, by how much. */
START_TEST(test_the_rule_is_the_same_both_ways)
{
    unsigned changed[3] = { 0 };

    srand(7);
    for (unsigned i = 0; i < 20000; i++) {
        const struct prvcut_diff_stat a = random_stat(), b = random_stat();
        const enum prvcut_diff_way only = (enum prvcut_diff_way)(i % 3);
        const struct prvcut_diff_verdict v = prvcut_diff_judge(&a, &b, 10, i % 2, i % 5 == 0, only);
        const struct prvcut_diff_verdict w = prvcut_diff_judge(&b, &a, 10, i % 2, i % 5 == 0, only);

        ck_assert_int_eq(v.way, w.way);
        ck_assert(only == PRVCUT_DIFF_SAME || v.way == PRVCUT_DIFF_SAME || v.way == only);
        ck_assert_double_eq(v.difference, -w.difference);
        ck_assert_double_eq(v.least, w.least);
        changed[v.way]++;
    }
    ck_assert(changed[0] > 100 && changed[1] > 100 && changed[2] > 100);
}
END_TEST

/* What a difference is measured by is the smaller of both, so that these changed both ways: of
   computing 0.04 ms, where an iteration is of 8 ms, and of 2 ms; of instructions a hundredth. */
START_TEST(test_what_changed_does_not_depend_on_the_order)
{
    for (unsigned swapped = 0; swapped < 2; swapped++) {
        struct prvcut_diff_run run[2] = { made(20, swapped ? 2e6 : 8e6, calls, 2),
                                          made(20, swapped ? 8e6 : 2e6, calls, 2) };
        const struct prvcut_diff_row *r;
        struct made_diff *d;

        for (unsigned s = 0; s < 2; s++)
            for (size_t i = 0; i <= 20; i++)
                for (uint32_t t = 0; t < ROWS; t++) {
                    double *at = prvcut_diff_at(&run[s], i, t);
                    const double times = i < 20 ? 1 : 20;

                    at[PRVCUT_DIFF_AT_RUNNING] = times * (s == swapped ? 111e3 : 72e3);
                    at[PRVCUT_DIFF_AT_INSTRUCTIONS] = times * (s == swapped ? 1.0101e6 : 1e6);
                }
        d = compared(run);
        r = row(d, PRVCUT_DIFF_COMPUTING, NULL);
        ck_assert_int_eq(r->way, PRVCUT_DIFF_MEDIAN);
        ck_assert_double_eq_tol(fabs(r->difference), 39e3, 1);
        ck_assert_int_eq(row(d, PRVCUT_DIFF_INSTRUCTIONS, NULL)->way, PRVCUT_DIFF_MEDIAN);
        released(d);
    }
}
END_TEST

/* One thread is 0.3 ms longer in all iterations, the other 2 ms in every fourth: of means the
   second is named, of medians the first; a cause and its row are of one kind. */
START_TEST(test_a_cause_has_the_figures_of_its_row)
{
    struct prvcut_diff_run run[2] = { made(400, 1e6, calls, 2), made(400, 1e6, calls, 2) };
    const struct prvcut_diff_row *r;
    struct made_diff *d;

    for (size_t i = 0; i < 400; i++) {
        add_length(&run[1], i, 3e5 + 1e3 * (double)(i % 7));
        for (uint32_t t = 0; t < ROWS; t++)
            add(&run[1], i, t, PRVCUT_DIFF_AT_RUNNING,
                t == 0       ? 3e5 + 1e3 * (double)(i % 7)
                : i % 4 == 0 ? 2e6
                             : 0);
    }
    d = compared(run);
    r = row(d, PRVCUT_DIFF_COMPUTING, NULL);
    ck_assert(r->overall);
    ck_assert_uint_eq(d->is.causes, 1);
    ck_assert_int_eq(d->cause[0].what, PRVCUT_SLOW_COMPUTING);
    ck_assert_uint_eq(d->cause[0].thread, r->thread);
    ck_assert_uint_eq(d->cause[0].threads, r->threads);
    ck_assert_double_eq_tol(d->cause[0].ns, r->of_thread[1] - r->of_thread[0], 1e-6);
    ck_assert_uint_eq(r->thread, r->way == PRVCUT_DIFF_MEAN ? 1 : 0);
    released(d);
}
END_TEST

/* Of few iterations one that waits in all of them is sure to, one that computes in some was not. */
START_TEST(test_who_waits_is_not_the_cause)
{
    struct prvcut_diff_run run[2] = { made(40, 1e6, calls, 2), made(40, 1e6, calls, 2) };
    struct made_diff *d;

    for (size_t i = 0; i < 40; i++) {
        add_length(&run[1], i, 1.5e5);
        add(&run[1], i, 1, PRVCUT_DIFF_AT_RUNNING, i % 2 ? 3e5 : 0);
        add(&run[1], i, 0, PRVCUT_DIFF_AT_COLUMNS + 1, 1.5e5);
    }
    d = compared(run);
    ck_assert_int_eq(d->cause[0].what, PRVCUT_SLOW_COMPUTING);
    ck_assert_uint_eq(d->cause[0].thread, 1);
    released(d);
}
END_TEST

/* What a run takes in all counts though no change is proven: a few long iterations, a part of the
   run, iterations of one number each by a fifth; what is twice as long even where one iteration
   makes it. An accident does not count, nor does chance. */
START_TEST(test_what_is_hardly_chance_is_worse)
{
    static const struct {
        size_t iterations;
        enum { CHANCE, EVERY_EIGHTH, SECOND_HALF, ACCIDENT, TWICE, A_FIFTH, FASTER_BUT_SOME } what;
        enum prvcut_diff_way way;
        bool likely;
        double worst;
    } cases[] = {
        { 80, CHANCE, PRVCUT_DIFF_SAME, false, 0 },
        { 80, EVERY_EIGHTH, PRVCUT_DIFF_SAME, true, 0.125 },
        { 80, SECOND_HALF, PRVCUT_DIFF_SAME, true, 0.1 },
        { 80, ACCIDENT, PRVCUT_DIFF_SAME, false, 0 },
        { 80, TWICE, PRVCUT_DIFF_SAME, false, 1.25 },
        { 20, A_FIFTH, PRVCUT_DIFF_SAME, true, 0.2 },
        { 80, FASTER_BUT_SOME, PRVCUT_DIFF_MEDIAN, true, 0.735 },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const size_t n = cases[k].iterations;
        struct prvcut_diff_run run[2] = { made(n, 1e6, calls, 2), made(n, 1e6, calls, 2) };
        struct made_diff *d;

        for (size_t i = 0; i < n; i++) {
            const bool eighth = i % 8 == 0;
            const double more[] = { [CHANCE] = 0,
                                    [EVERY_EIGHTH] = eighth ? 1e6 : 0,
                                    [SECOND_HALF] = i >= n / 2 ? 2e5 : 0,
                                    [ACCIDENT] = i == 40 ? 1e7 : 0,
                                    [TWICE] = i == 40 ? 1e8 : 0,
                                    [A_FIFTH] = 2e5 + 2e6 * (double)(i % 7),
                                    [FASTER_BUT_SOME] = -1.5e4 + (eighth ? 6e6 : 0) };
            const double noise = 1e3 * (double)(i * 7 % 5);

            add_length(&run[0], i, cases[k].what == A_FIFTH ? 1e7 * (double)(i % 7) : noise);
            add_length(&run[1], i,
                       more[cases[k].what] + (cases[k].what == A_FIFTH
                                                  ? 1e7 * (double)(i % 7)
                                                  : 1e3 * (double)(i * 3 % 5)));
        }
        d = compared(run);
        ck_assert_msg(d->row[0].way == cases[k].way, "case %zu", k);
        ck_assert_msg(d->row[0].likely == cases[k].likely, "case %zu", k);
        ck_assert_msg(fabs(d->is.worst - cases[k].worst) < 5e-3, "case %zu: %g", k, d->is.worst);
        released(d);
    }
}
END_TEST

/* Every third iteration of a thread computes longer, with more instructions: a mean, though all
   iterations are longer. The counters tell it by the mean, too. */
START_TEST(test_counters_are_compared_as_the_computing_that_they_explain)
{
    for (unsigned cycles = 0; cycles < 2; cycles++) {
        struct prvcut_diff_run run[2] = { made(90, 1e6, calls, 2), made(90, 1e6, calls, 2) };
        struct made_diff *d;

        for (unsigned s = 0; s < 2; s++)
            for (size_t i = 0; i <= 90; i++)
                for (uint32_t t = 0; t < ROWS; t++) {
                    const double times = i < 90 ? 1 : 90;

                    prvcut_diff_at(&run[s], i, t)[PRVCUT_DIFF_AT_INSTRUCTIONS] = times * 1e6;
                    prvcut_diff_at(&run[s], i, t)[PRVCUT_DIFF_AT_CYCLES] = times * 1e6;
                }
        for (size_t i = 0; i < 90; i++) {
            add_length(&run[1], i, 1e5);
            if (i % 3 != 0)
                continue;
            add(&run[1], i, 1, PRVCUT_DIFF_AT_RUNNING, 3e5);
            add(&run[1], i, 1, PRVCUT_DIFF_AT_CYCLES, 0.375e6);
            add(&run[1], i, 1, PRVCUT_DIFF_AT_INSTRUCTIONS, cycles ? 0 : 0.375e6);
        }
        d = compared(run);
        ck_assert_int_eq(d->row[0].way, PRVCUT_DIFF_MEDIAN);
        ck_assert_int_eq(row(d, PRVCUT_DIFF_COMPUTING, NULL)->way, PRVCUT_DIFF_MEAN);
        ck_assert_uint_eq(d->is.causes, 1);
        ck_assert_int_eq(d->cause[0].what, cycles ? PRVCUT_SLOW_IPC : PRVCUT_SLOW_INSTRUCTIONS);
        ck_assert_uint_eq(d->cause[0].thread, 1);
        released(d);
    }
}
END_TEST

/* What no reading tells of one thread is not nothing: averages are of the other. */
START_TEST(test_counters_are_of_those_that_they_tell_of)
{
    struct prvcut_diff_run run[2] = { made(30, 1e6, calls, 2), made(30, 1e6, calls, 2) };
    struct made_diff *d;

    for (unsigned s = 0; s < 2; s++)
        for (size_t i = 0; i <= 30; i++) {
            prvcut_diff_at(&run[s], i, 1)[PRVCUT_DIFF_AT_INSTRUCTIONS] = i < 30 ? 4e6 : 120e6;
            prvcut_diff_at(&run[s], i, 1)[PRVCUT_DIFF_AT_CYCLES] = i < 30 ? 2e6 : 60e6;
        }
    d = compared(run);
    for (unsigned s = 0; s < 2; s++) {
        ck_assert_double_eq(row(d, PRVCUT_DIFF_INSTRUCTIONS, NULL)->median[s], 4e6);
        ck_assert_double_eq(row(d, PRVCUT_DIFF_INSTRUCTIONS, NULL)->mean[s], 4e6);
        ck_assert_double_eq(row(d, PRVCUT_DIFF_IPC, NULL)->median[s], 2);
        ck_assert_double_eq(row(d, PRVCUT_DIFF_FREQUENCY, NULL)->median[s], 2e6 / 8e5);
    }
    ck_assert_uint_eq(d->is.changes, 0);
    released(d);
}
END_TEST

/* --- What counts ------------------------------------------------------------------------------ */

/* One thread computes longer, the other waits for it: the average changed, and that thread. */
START_TEST(test_one_thread_is_named)
{
    struct prvcut_diff_run run[2] = { made(20, 1e6, calls, 2), made(20, 1e6, calls, 2) };
    const struct prvcut_diff_row *r;
    struct made_diff *d;

    for (size_t i = 0; i < 20; i++) {
        add_length(&run[1], i, 2e5);
        add(&run[1], i, 1, PRVCUT_DIFF_AT_RUNNING, 2e5);
        add(&run[1], i, 0, PRVCUT_DIFF_AT_CALLS, 2e5);
        add(&run[1], i, 0, PRVCUT_DIFF_AT_COLUMNS + 1, 2e5);
    }
    d = compared(run);
    r = row(d, PRVCUT_DIFF_COMPUTING, NULL);
    ck_assert_uint_eq(r->thread, 1);
    ck_assert_uint_eq(r->threads, 1);
    ck_assert_int_eq(r->turn, PRVCUT_DIFF_WORSE);
    ck_assert_double_eq_tol(r->difference, 1e5, 1e-6);
    ck_assert_double_eq_tol(r->worse, 0.2, 1e-9);
    r = row(d, PRVCUT_DIFF_CALL, "MPI_Recv");
    ck_assert_uint_eq(r->thread, 0);
    ck_assert_double_eq(r->worse, 0); /* waiting says why, and does not count */
    ck_assert_uint_eq(d->is.causes, 1);
    ck_assert_int_eq(d->cause[0].what, PRVCUT_SLOW_COMPUTING);
    ck_assert_uint_eq(d->cause[0].thread, 1);
    ck_assert(d->is.slower);
    ck_assert_ptr_eq(&d->row[d->change[0]], &d->row[0]);
    released(d);
}
END_TEST

/* Calls are found by name, in whatever order; one that only A or B has is there 0 times in the
   other. */
START_TEST(test_calls_meet_by_name)
{
    static const char *const other[] = { "MPI_Barrier", "MPI_Send" };
    struct prvcut_diff_run run[2] = { made(20, 1e6, calls, 2), made(20, 1e6, other, 2) };
    struct made_diff *d = compared(run);
    const struct prvcut_diff_row *r = row(d, PRVCUT_DIFF_ENTERED, "MPI_Barrier");

    ck_assert_int_eq(row(d, PRVCUT_DIFF_ENTERED, "MPI_Send")->way, PRVCUT_DIFF_SAME);
    ck_assert_double_eq(r->median[0], 0);
    ck_assert_double_eq(r->median[1], 1);
    ck_assert_int_eq(r->turn, PRVCUT_DIFF_WORSE);
    ck_assert_double_eq(r->worse, 1);
    ck_assert(isnan(r->share));
    r = row(d, PRVCUT_DIFF_ENTERED, "MPI_Recv");
    ck_assert_int_eq(r->turn, PRVCUT_DIFF_BETTER);
    ck_assert_double_eq(r->worse, 0);
    released(d);
}
END_TEST

/* Where a run makes no calls at all, nobody knows how often it makes them. */
START_TEST(test_what_is_not_told_is_no_zero)
{
    struct prvcut_diff_run run[2] = { made(20, 1e6, calls, 2), made(20, 1e6, NULL, 0) };
    const struct prvcut_diff_row *r;
    struct made_diff *d;

    for (size_t i = 0; i <= 20; i++)
        for (uint32_t t = 0; t < ROWS; t++)
            prvcut_diff_at(&run[1], i, t)[PRVCUT_DIFF_AT_CALLS] = NAN;
    d = compared(run);
    r = row(d, PRVCUT_DIFF_ENTERED, "MPI_Send");
    ck_assert(isnan(r->median[1]) && isnan(r->difference));
    ck_assert_int_eq(r->way, PRVCUT_DIFF_SAME);
    ck_assert_uint_eq(d->is.changes, 0);
    released(d);
}
END_TEST

/* Every fourth iteration is longer, of 40, which no test proves: where it is hardly chance, who
   computes so is named by the means, and nobody where nobody does. */
START_TEST(test_means_that_decide_are_explained_by_means)
{
    for (unsigned s = 0; s < 4; s++) {
        const bool computes = s < 2;
        struct prvcut_diff_run run[2] = { made(40, 1e6, calls, 2), made(40, 1e6, calls, 2) };
        struct made_diff *d;

        for (size_t i = 0; i < 40; i++) {
            const double more = i % 4 == 2 ? 1e6 : 0;

            add(&run[s % 2], i, 1, PRVCUT_DIFF_AT_RUNNING, computes ? more : 0);
            add(&run[s % 2], i, computes ? 0 : 1, PRVCUT_DIFF_AT_COLUMNS, more);
            add_length(&run[s % 2], i, more);
        }
        d = compared(run);
        ck_assert(row(d, PRVCUT_DIFF_LENGTH, NULL)->way == PRVCUT_DIFF_SAME);
        ck_assert(row(d, PRVCUT_DIFF_LENGTH, NULL)->likely);
        ck_assert_uint_eq(d->is.causes, computes);
        ck_assert_uint_eq(d->is.changes, computes);
        if (computes) {
            ck_assert_int_eq(d->cause[0].what, PRVCUT_SLOW_COMPUTING);
            ck_assert_uint_eq(d->cause[0].thread, 1);
            ck_assert_uint_eq(d->cause[0].threads, 1);
            ck_assert(fabs(d->cause[0].ns - 0.25e6) < 1);
            ck_assert(d->is.slower == (s == 1));
            ck_assert_int_eq(row(d, PRVCUT_DIFF_COMPUTING, NULL)->way, PRVCUT_DIFF_MEAN);
        }
        released(d);
    }
}
END_TEST

static Suite *diff_stat_suite(void)
{
    Suite *s = suite_create("diff_stat");
    TCase *c = tcase_create("diff_stat");

    tcase_add_test(c, test_equal_runs_have_no_change);
    tcase_add_test(c, test_small_differences_are_none);
    tcase_add_test(c, test_differences_within_the_errors_are_none);
    tcase_add_test(c, test_runs_that_drift);
    tcase_add_test(c, test_few_iterations_prove_less);
    tcase_add_test(c, test_a_median_that_jumps_is_no_change);
    tcase_add_test(c, test_some_longer_iterations_are_told_by_the_mean);
    tcase_add_test(c, test_the_rule_is_the_same_both_ways);
    tcase_add_test(c, test_what_changed_does_not_depend_on_the_order);
    tcase_add_test(c, test_a_cause_has_the_figures_of_its_row);
    tcase_add_test(c, test_who_waits_is_not_the_cause);
    tcase_add_test(c, test_what_is_hardly_chance_is_worse);
    tcase_add_test(c, test_counters_are_compared_as_the_computing_that_they_explain);
    tcase_add_test(c, test_counters_are_of_those_that_they_tell_of);
    tcase_add_test(c, test_one_thread_is_named);
    tcase_add_test(c, test_calls_meet_by_name);
    tcase_add_test(c, test_what_is_not_told_is_no_zero);
    tcase_add_test(c, test_means_that_decide_are_explained_by_means);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(diff_stat_suite());
}
