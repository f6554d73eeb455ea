#include "runner.h"

#include "structure/length_groups.h"

#include <stdlib.h>

/* Lengths of random runs whose groups are known. */

enum { ALL = 400 };

static struct prvcut_length_group group[PRVCUT_LENGTH_GROUPS];
static double length[ALL];
static size_t count;

/* So many of about that length: within so much of it. */
static void put(size_t many, double middle, double share)
{
    for (size_t i = 0; i < many; i++)
        length[count++] = middle * (1 + share * (2.0 * rand() / RAND_MAX - 1));
}

static size_t found(void)
{
    const size_t n = prvcut_length_groups_find(group, length, count);

    for (size_t i = 0; i < n; i++) {
        ck_assert_double_le(group[i].shortest, group[i].median);
        ck_assert_double_le(group[i].median, group[i].longest);
        ck_assert(i == 0 || group[i].shortest > group[i - 1].longest);
    }
    return n;
}

static void start(int seed)
{
    srand((unsigned)seed);
    count = 0;
}

START_TEST(test_groups_are_told_the_shortest_first)
{
    start(_i);
    put(64, 415e6, 0.2);
    put(97, 72e6, 0.1);
    put(77, 149e6, 0.1);
    ck_assert_uint_eq(found(), 3);
    ck_assert_uint_eq(group[0].iterations, 97);
    ck_assert_uint_eq(group[1].iterations, 77);
    ck_assert_uint_eq(group[2].iterations, 64);
    ck_assert_double_eq_tol(group[1].median, 149e6, 149e5);
}
END_TEST

/* Single long ones are no group, and one alone is none. */
START_TEST(test_groups_are_not_told_of_one_and_outliers)
{
    start(_i);
    put(100, 1e6, 0.15);
    put(2, 5e6, 0.01);
    put(1, 9e6, 0.01);
    ck_assert_uint_eq(found(), 0);
}
END_TEST

START_TEST(test_groups_are_not_told_of_what_is_spread)
{
    start(_i);
    for (double at = 1e6; count < 200; at *= 1.02)
        length[count++] = at;
    ck_assert_uint_eq(found(), 0);
}
END_TEST

/* Nor where there are five, or a few beside nearly all. */
START_TEST(test_groups_are_few_and_none_holds_nearly_all)
{
    start(_i);
    for (double at = 1e6; at < 4e7; at *= 2)
        put(20, at, 0.02);
    ck_assert_uint_eq(found(), 0);
    start(_i);
    put(90, 1e6, 0.02);
    put(10, 2e6, 0.02);
    ck_assert_uint_eq(found(), 0);
}
END_TEST

START_TEST(test_groups_of_odd_input)
{
    start(_i);
    ck_assert_uint_eq(found(), 0);
    put(11, 1, 0);
    ck_assert_uint_eq(found(), 0);
    start(_i);
    put(20, 0, 0);
    ck_assert_uint_eq(found(), 0);
    start(_i);
    put(20, 1, 0);
    put(20, 1e18, 0);
    ck_assert_uint_eq(found(), 2);
    start(_i);
    put(40, 7, 0);
    ck_assert_uint_eq(found(), 0);
}
END_TEST

static Suite *groups_suite(void)
{
    Suite *s = suite_create("length_groups");
    TCase *t = tcase_create("length_groups");

    tcase_add_loop_test(t, test_groups_are_told_the_shortest_first, 0, 20);
    tcase_add_loop_test(t, test_groups_are_not_told_of_one_and_outliers, 0, 20);
    tcase_add_test(t, test_groups_are_not_told_of_what_is_spread);
    tcase_add_loop_test(t, test_groups_are_few_and_none_holds_nearly_all, 0, 5);
    tcase_add_test(t, test_groups_of_odd_input);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(groups_suite());
}
