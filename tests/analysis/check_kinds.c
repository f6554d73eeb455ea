/* Kinds of iterations: by calls, by lengths, and what counts where most are disturbed. */
#include "analysis/kinds.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdlib.h>

#define MOST 128

static struct prvcut_error error;

/* Iterations as a test lays them. */
static struct {
    double length[MOST], calls[MOST];
    bool clear[MOST];
    unsigned label[MOST];
    size_t count;
    struct prvcut_kind kind[PRVCUT_KINDS];
    size_t kinds;
} at;

static void start(void)
{
    at.count = at.kinds = 0;
}

/* One more; its length differs a little from those of the same base. */
static void add(double length, double calls, bool clear)
{
    at.length[at.count] = length * (1 + 0.001 * (double)(at.count % 7));
    at.calls[at.count] = calls;
    at.clear[at.count++] = clear;
}

static void find(bool calls, bool clear_alone)
{
    const struct prvcut_kinds_input in = { .length = at.length,
                                           .calls = calls ? at.calls : NULL,
                                           .clear = at.clear,
                                           .clear_alone = clear_alone,
                                           .count = at.count };

    ck_assert_int_eq(prvcut_kinds_find(at.kind, &at.kinds, at.label, &in, &error), PRVCUT_OK);
}

static void near(double have, double want)
{
    ck_assert_double_le(fabs(have - want), 0.01 * want);
}

START_TEST(test_none)
{
    start();
    find(false, false);
    ck_assert_uint_eq(at.kinds, 0);
}
END_TEST

START_TEST(test_alike)
{
    start();
    for (int i = 0; i < 50; i++)
        add(1000, 12, true);
    find(true, false);
    ck_assert_uint_eq(at.kinds, 1);
    ck_assert_uint_eq(at.kind[0].iterations, 50);
    ck_assert_double_eq(at.kind[0].share, 1);
    near(at.kind[0].median_ns, 1000);
}
END_TEST

START_TEST(test_by_lengths)
{
    start();
    for (int i = 0; i < 60; i++)
        add(i % 3 == 0 ? 4000 : 1000, 12, true);
    find(false, false);
    ck_assert_uint_eq(at.kinds, 2);
    ck_assert_uint_eq(at.kind[0].iterations, 40);
    ck_assert_uint_eq(at.kind[1].iterations, 20);
    near(at.kind[0].share, 1.0 / 3);
    for (size_t i = 0; i < at.count; i++)
        ck_assert_uint_eq(at.label[i], i % 3 == 0);
}
END_TEST

/* Few that are longer, or shorter, are a kind where they come regularly, else unusual. */
START_TEST(test_few)
{
    static const struct {
        int count, at[8]; /* of the iterations, and which */
        int disturbed;    /* 0: none */
        double length;
        size_t kinds;
    } known[] = {
        { 40, { 9, 19, 29, 39 }, 0, 3000, 2 },
        { 80, { 9, 19, 29, 39, 49, 59, 69, 79 }, 39, 3000, 2 },
        { 100, { 24, 49, 74, 99 }, 0, 3000, 2 },
        { 100, { 20, 40, 61, 80 }, 0, 3000, 2 },
        { 24, { 7, 15, 23 }, 0, 3000, 2 },
        { 40, { 9, 19, 29, 39 }, 0, 300, 2 },
        { 40, { 5, 17, 23 }, 0, 3000, 1 },
        { 40, { 3, 9, 30, 31 }, 0, 3000, 1 },
        { 24, { 5, 9, 10, 11 }, 0, 3000, 1 },
        { 100, { 30, 60, 89 }, 0, 3000, 1 },
        { 100, { 10, 20, 30, 40 }, 0, 3000, 1 }, /* of a part of the run alone */
        { 60, { 3, 11, 14, 29, 33, 48, 50 }, 0, 3000, 1 },
        { 40, { 9, 29 }, 0, 3000, 1 },
    };

    start();
    for (int i = 0, next = 0; i < known[_i].count; i++) {
        const bool other = i == known[_i].at[next];

        add(other ? known[_i].length : 1000, 12, i == 0 || i != known[_i].disturbed);
        next += other && next < 7;
    }
    find(false, false);
    ck_assert_uint_eq(at.kinds, known[_i].kinds);
    for (int i = 0, next = 0; i < known[_i].count && at.kinds == 2; i++) {
        const bool other = i == known[_i].at[next];

        ck_assert_uint_eq(at.label[i], other == (known[_i].length > 1000));
        next += other && next < 7;
    }
    ck_assert(at.kinds < 2 || at.kind[0].median_ns < at.kind[1].median_ns);
}
END_TEST

/* Lengths overlap, but not what is done. */
START_TEST(test_by_calls)
{
    start();
    for (int i = 0; i < 80; i++)
        add(i % 4 == 0 ? 1400 + 40 * (i % 5) : 1000 + 60 * (i % 6), i % 4 == 0 ? 30 : 12, true);
    find(true, false);
    ck_assert_uint_eq(at.kinds, 2);
    ck_assert_uint_eq(at.kind[0].iterations, 60);
    for (size_t i = 0; i < at.count; i++)
        ck_assert_uint_eq(at.label[i], i % 4 == 0);
}
END_TEST

/* They count, also for the longest; how long an iteration usually is the others tell. */
START_TEST(test_disturbed)
{
    start();
    for (int i = 0; i < 40; i++)
        add(i % 4 == 1 ? 9000 : 1000, 12, i % 4 != 1);
    find(false, false);
    ck_assert_uint_eq(at.kinds, 1);
    ck_assert_uint_eq(at.kind[0].iterations, 40);
    near(at.kind[0].shortest_ns, 1000);
    near(at.kind[0].longest_ns, 9006);
    near(at.kind[0].median_ns, 1003);
}
END_TEST

START_TEST(test_all_disturbed)
{
    start();
    for (int i = 0; i < 20; i++)
        add(2000, 12, false);
    find(false, false);
    ck_assert_uint_eq(at.kinds, 1);
    near(at.kind[0].median_ns, 2000);
    near(at.kind[0].shortest_ns, 2000);
}
END_TEST

START_TEST(test_clear_alone)
{
    double sum = 0;

    start();
    for (int i = 0; i < 90; i++)
        add(i % 3 != 0 ? 2500 : i % 6 == 0 ? 3000 : 1000, 12, i % 3 == 0);
    find(false, true);
    ck_assert_uint_eq(at.kinds, 2);
    for (size_t i = 0; i < at.kinds; i++) {
        ck_assert_uint_eq(at.kind[i].iterations, 15);
        sum += at.kind[i].share;
    }
    ck_assert_double_eq_tol(sum, 1, 1e-12);
    near(at.kind[0].share, 0.25);
    near(at.kind[1].median_ns, 3000);
}
END_TEST

static Suite *kinds_suite(void)
{
    Suite *s = suite_create("kinds");
    TCase *c = tcase_create("kinds");

    tcase_add_test(c, test_none);
    tcase_add_test(c, test_alike);
    tcase_add_test(c, test_by_lengths);
    tcase_add_loop_test(c, test_few, 0, 13);
    tcase_add_test(c, test_by_calls);
    tcase_add_test(c, test_disturbed);
    tcase_add_test(c, test_all_disturbed);
    tcase_add_test(c, test_clear_alone);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(kinds_suite());
}
