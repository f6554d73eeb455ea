/* Who is at the root of a collective of which the root alone tells that it is, against what was
 * drawn. */
#include "match/rooted.h"

#include "model/batch.h"
#include "runner.h"
#include "tests/match/two_communicators.h"

#include <stdlib.h>

#define CALLS 60

static struct prvcut_rooted rooted;

static void setup(void)
{
    ck_assert_int_eq(prvcut_rooted_init(&rooted, &objects, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    prvcut_rooted_fini(&rooted);
}

static void add(uint32_t task, uint32_t id, bool root)
{
    struct prvcut_rooted_member *m = prvcut_rooted_member(&rooted, task, id);

    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(prvcut_rooted_add(&rooted, m, root, NULL), PRVCUT_OK);
}

/* Members are read one after the other, the last one first where `back`; roots change in runs or at
 * each call. */
static void draw(uint32_t root[2][CALLS], bool back, unsigned run)
{
    for (unsigned c = 0; c < 2; c++) {
        const struct prvcut_communicator *k = &two_communicators[c];

        for (unsigned i = 0; i < CALLS; i++)
            root[c][i] =
                i % run == 0 ? two_members[k->first + (uint32_t)rand() % k->count] : root[c][i - 1];
        for (uint32_t m = 0; m < k->count; m++) {
            const uint32_t task = two_members[k->first + (back ? k->count - 1 - m : m)];

            for (unsigned i = 0; i < CALLS; i++)
                add(task, k->id, root[c][i] == task);
        }
    }
}

START_TEST(test_roots_are_those_drawn)
{
    uint32_t root[2][CALLS];

    srand(17 + (unsigned)_i);
    draw(root, _i % 2 != 0, 1 + (unsigned)_i % 7);
    prvcut_rooted_settle(&rooted);
    for (uint32_t c = 0; c < 2; c++) {
        for (unsigned i = 0; i < CALLS; i++)
            ck_assert_uint_eq(prvcut_rooted_root(&rooted, c, i), root[c][i]);
        ck_assert_uint_eq(prvcut_rooted_root(&rooted, c, CALLS), PRVCUT_NOBODY);
    }
}
END_TEST

START_TEST(test_no_member_has_no_place)
{
    ck_assert_ptr_nonnull(prvcut_rooted_member(&rooted, 3, SOME));
    ck_assert_ptr_null(prvcut_rooted_member(&rooted, 2, SOME));
    ck_assert_ptr_null(prvcut_rooted_member(&rooted, 2, 8));
    ck_assert_ptr_null(prvcut_rooted_member(&rooted, 2, -1));
    ck_assert_ptr_null(prvcut_rooted_member(&rooted, 2, INT64_C(1) << 32));
}
END_TEST

/* A call that one member lacks moves all behind it: which one it was is not known. The other
 * communicator's stay. */
START_TEST(test_members_that_count_unlike_have_no_roots)
{
    uint32_t root[2][CALLS];

    srand(3);
    draw(root, false, 4);
    add(3, SOME, false);
    prvcut_rooted_settle(&rooted);
    ck_assert_uint_eq(prvcut_rooted_root(&rooted, 0, 5), root[0][5]);
    ck_assert_uint_eq(prvcut_rooted_root(&rooted, 1, 5), PRVCUT_NOBODY);
}
END_TEST

/* Two that both say they are the root of one. */
START_TEST(test_two_roots_of_one_are_none)
{
    for (uint32_t task = 0; task < TASKS; task++)
        for (unsigned i = 0; i < 3; i++)
            add(task, WORLD, task == 2 || (task == 4 && i == 1));
    prvcut_rooted_settle(&rooted);
    ck_assert_uint_eq(prvcut_rooted_root(&rooted, 0, 0), PRVCUT_NOBODY);
}
END_TEST

/* A root that was not recorded; the others are known. */
START_TEST(test_a_collective_without_a_root_has_none)
{
    for (uint32_t task = 0; task < TASKS; task++)
        for (unsigned i = 0; i < 5; i++)
            add(task, WORLD, task == 1 && i != 2);
    prvcut_rooted_settle(&rooted);
    for (unsigned i = 0; i < 5; i++)
        ck_assert_uint_eq(prvcut_rooted_root(&rooted, 0, i), i == 2 ? PRVCUT_NOBODY : 1);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("rooted");
    Suite *suite = suite_create("rooted");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_roots_are_those_drawn, 0, 14);
    tcase_add_test(tests, test_no_member_has_no_place);
    tcase_add_test(tests, test_members_that_count_unlike_have_no_roots);
    tcase_add_test(tests, test_two_roots_of_one_are_none);
    tcase_add_test(tests, test_a_collective_without_a_root_has_none);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
