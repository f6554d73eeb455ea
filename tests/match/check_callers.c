/* Which calls of a window are one collective, by hand. */
#include "match/callers.h"

#include "model/batch.h"
#include "runner.h"

static uint32_t member[] = { 4, 5, 6, 7, 9 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = 1, .first = 0, .count = 2 }, /* 4, 5 */
    { .application = 1, .id = 1, .first = 2, .count = 3 }, /* 6, 7, 9 */
    { .application = 0, .id = 2, .first = 0, .count = 1 },
};
static const struct prvcut_objects objects = {
    .communicator = communicator, .communicators = 3, .member = member, .members = 5
};

static struct prvcut_whole whole[5];
static uint64_t split;

static void judge(struct prvcut_caller *caller, size_t count, prvcut_callers_known *known)
{
    struct prvcut_error err = { 0 };

    for (size_t i = 0; i < count; i++)
        caller[i].whole = &whole[i];
    ck_assert_int_eq(prvcut_callers_judge(caller, count, known, &objects, &split, &err), PRVCUT_OK);
}

static void expect(size_t i, uint64_t low, uint64_t high)
{
    ck_assert_uint_eq(whole[i].low, low);
    ck_assert_uint_eq(whole[i].high, high);
}

START_TEST(test_callers_of_nobody_split_nothing)
{
    judge(NULL, 0, prvcut_callers_are_tasks);
    ck_assert_uint_eq(split, 0);
}
END_TEST

/* The same id in two applications, and what is nonblocking beside what is not. */
START_TEST(test_callers_of_a_communicator_are_judged_together)
{
    struct prvcut_caller caller[] = {
        { .communicator = 1, .application = 1, .member = 9, .taking = { 3, 4, false } },
        { .communicator = 1, .application = 0, .member = 5, .taking = { 2, 9, false } },
        { .communicator = 1, .application = 1, .member = 6, .taking = { 2, 4, false } },
        { .communicator = 1, .application = 0, .member = 4, .taking = { 1, 9, false } },
        { .communicator = 1, .member = 4, .nonblocking = true, .taking = { 0, 5, false } },
    };

    judge(caller, 5, prvcut_callers_are_tasks);
    expect(0, 3, 6);
    expect(2, 3, 6);
    expect(1, 2, 10);
    expect(3, 2, 10);
    expect(4, 0, 5);
    ck_assert_uint_eq(split, 4);
}
END_TEST

/* Who is no member, or calls on what is not defined, is not known to call together. */
START_TEST(test_callers_that_are_not_known_keep_all)
{
    struct prvcut_caller caller[] = {
        { .communicator = 1, .application = 1, .member = 7, .taking = { 0, 1, false } },
        { .communicator = 1, .application = 1, .member = 8, .taking = { 5, 1, false } },
        { .communicator = 3, .application = 0, .member = 4, .taking = { 5, 1, false } },
        { .communicator = 2, .application = 0, .member = 4, .taking = { 5, 1, false } },
        { .communicator = 1, .member = PRVCUT_NOBODY, .taking = { 5, 1, false } },
    };

    judge(caller, 5, prvcut_callers_are_tasks);
    for (size_t i = 0; i < 5; i++)
        expect(i, 0, UINT64_MAX);
    ck_assert_uint_eq(split, 0);
}
END_TEST

static bool one_is_absent(const void *ctx, const struct prvcut_caller *caller, size_t count,
                          bool *absent)
{
    *absent = true;
    return prvcut_callers_are_tasks(ctx, caller, count, absent);
}

/* One that has not called yet has all of them behind the window. */
START_TEST(test_caller_that_may_still_come_splits_all)
{
    struct prvcut_caller caller[] = {
        { .communicator = 1, .application = 1, .member = 6, .taking = { 0, 3, false } },
        { .communicator = 1, .application = 1, .member = 7, .taking = { 1, 3, false } },
    };

    judge(caller, 2, one_is_absent);
    ck_assert_uint_eq(whole[0].low, whole[0].high);
    ck_assert_uint_eq(split, 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("callers");
    TCase *t = tcase_create("callers");

    tcase_add_test(t, test_callers_of_nobody_split_nothing);
    tcase_add_test(t, test_callers_of_a_communicator_are_judged_together);
    tcase_add_test(t, test_callers_that_are_not_known_keep_all);
    tcase_add_test(t, test_caller_that_may_still_come_splits_all);
    suite_add_tcase(s, t);
    return run_suite(s);
}
