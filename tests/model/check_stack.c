#include "runner.h"

#include "model/stack.h"

static enum prvcut_status enter(struct prvcut_stack *s, uint32_t type, int64_t value)
{
    struct prvcut_error err = { 0 };

    return prvcut_stack_enter(s, &(struct prvcut_frame){ .type = type, .value = value }, &err);
}

START_TEST(test_leave_ends_innermost_of_its_type)
{
    struct prvcut_stack s = { 0 };
    struct prvcut_frame f;
    size_t index;

    for (int64_t i = 1; i <= 4; i++)
        ck_assert_int_eq(enter(&s, i % 2 ? 7 : 8, i), PRVCUT_OK);
    ck_assert(!prvcut_stack_leave(&s, 9, &index));
    ck_assert(prvcut_stack_pop(&s, 7, &f));
    ck_assert_int_eq(f.value, 3);
    ck_assert_uint_eq(f.depth, 2);
    ck_assert_uint_eq(s.count, 3);
    ck_assert_int_eq(s.at[2].value, 4);
    ck_assert(prvcut_stack_leave(&s, 7, &index));
    ck_assert_uint_eq(index, 0);
    prvcut_stack_fini(&s);
}
END_TEST

START_TEST(test_enter_follows_only_so_deep)
{
    struct prvcut_stack s = { 0 };
    size_t index;

    for (uint32_t i = 0; i < PRVCUT_STACK_DEEPEST; i++)
        ck_assert_int_eq(enter(&s, 1, i + 1), PRVCUT_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(enter(&s, 1, 1), PRVCUT_END);
    for (int i = 0; i < 3; i++)
        ck_assert(!prvcut_stack_leave(&s, 1, &index));
    ck_assert(prvcut_stack_leave(&s, 1, &index));
    ck_assert_uint_eq(index, PRVCUT_STACK_DEEPEST - 1);
    prvcut_stack_fini(&s);
}
END_TEST

/* Also where an end is not that of the innermost, and where time goes backwards. */
START_TEST(test_spend_gives_time_to_innermost)
{
    struct prvcut_stack s = { .since = 100 };
    struct prvcut_frame f;

    prvcut_stack_spend(&s, 110);
    enter(&s, 1, 1);
    prvcut_stack_spend(&s, 120);
    enter(&s, 2, 1);
    prvcut_stack_spend(&s, 150);
    ck_assert(prvcut_stack_pop(&s, 1, &f));
    ck_assert_uint_eq(f.own, 10);
    prvcut_stack_spend(&s, 130);
    prvcut_stack_spend(&s, 160);
    ck_assert(prvcut_stack_pop(&s, 2, &f));
    ck_assert_uint_eq(f.own, 40);
    prvcut_stack_fini(&s);
}
END_TEST

/* Ends that name what they end, as in archives; a copy has memory of its own. */
START_TEST(test_find_value_of_a_type)
{
    struct prvcut_stack s = { 0 }, copy;
    struct prvcut_frame f = { .type = 2, .value = 1, .note = 9 };
    size_t index;

    for (int64_t i = 1; i <= 4; i++)
        ck_assert_int_eq(enter(&s, 1, i % 2), PRVCUT_OK);
    ck_assert_int_eq(prvcut_stack_push(&s, &f, NULL), PRVCUT_OK);
    ck_assert(prvcut_stack_find_value(&s, 1, 1, &index));
    ck_assert_uint_eq(index, 2);
    ck_assert(!prvcut_stack_find_value(&s, 2, 0, &index));
    ck_assert_int_eq(prvcut_stack_copy(&copy, &s, NULL), PRVCUT_OK);
    prvcut_stack_remove(&s, 2);
    ck_assert(prvcut_stack_find_value(&s, 1, 1, &index));
    ck_assert_uint_eq(index, 0);
    ck_assert_uint_eq(copy.count, 5);
    ck_assert_uint_eq(copy.at[4].note, 9);
    ck_assert_int_eq(enter(&copy, 1, 7), PRVCUT_OK);
    prvcut_stack_fini(&s);
    prvcut_stack_fini(&copy);
}
END_TEST

static Suite *stack_suite(void)
{
    Suite *s = suite_create("stack");
    TCase *tests = tcase_create("tests");

    tcase_add_test(tests, test_leave_ends_innermost_of_its_type);
    tcase_add_test(tests, test_enter_follows_only_so_deep);
    tcase_add_test(tests, test_spend_gives_time_to_innermost);
    tcase_add_test(tests, test_find_value_of_a_type);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    return run_suite(stack_suite());
}
