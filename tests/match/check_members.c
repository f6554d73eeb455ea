/* Which calls of two members are one collective, in a piece of the run: calls are numbers, and
   those that are equal may be one. */
#include "match/members.h"

#include "runner.h"

#define CALLS 40

/* Each member's calls, 0 behind the last; the first and last of a piece may be alone. */
static int call[2][CALLS + 2];
static bool reach_out;

static void setup(void)
{
    memset(call, 0, sizeof call);
    reach_out = false;
}

/* From the k-th of the run's on; all: what is not to be told apart. */
static void make(unsigned member, int first, int calls, bool all)
{
    for (int k = 0; k < calls; k++)
        call[member][k] = all ? 1 : first + k;
}

static const void *next_call(const void *ctx, unsigned member, const void *after)
{
    const int *at = after ? (const int *)after + 1 : call[member];

    (void)ctx;
    return *at != 0 ? at : NULL;
}

static bool fit(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return *(const int *)a == *(const int *)b;
}

static bool alone(const void *ctx, const void *one, bool at_end)
{
    (void)ctx;
    return reach_out || (at_end && *(const int *)one == CALLS + 1);
}

/* The other's part of the k-th call of member 0; -1: none is told. */
static int part_of(int k)
{
    const struct prvcut_members m = { .next = next_call, .fit = fit, .alone = alone };
    const int *part = prvcut_members_part(&m, &call[0][k]);

    return part ? (int)(part - call[1]) : -1;
}

/* One of them has made up to three calls before the other one's first. */
START_TEST(test_members_are_found_by_their_order)
{
    const int before = _i;

    make(0, before < 0 ? 1 - before : 1, CALLS - 5, false);
    make(1, before > 0 ? 1 + before : 1, CALLS - 5, false);
    reach_out = true;
    for (int k = 5; k < CALLS - 10; k++)
        ck_assert_int_eq(part_of(k), k - before);
}
END_TEST

/* Beyond four calls none is looked for. */
START_TEST(test_members_that_are_too_far_apart_are_not_told)
{
    reach_out = true;
    make(0, 1, CALLS - 5, false);
    make(1, 5, CALLS - 5, false);
    ck_assert_int_eq(part_of(20), 16);
    make(1, 6, CALLS - 5, false);
    ck_assert_int_eq(part_of(20), -1);
}
END_TEST

/* Where any order does, none is told; where calls may not lack the other's part, one does. */
START_TEST(test_members_of_several_orders_are_told_where_the_ends_say_which)
{
    make(0, 1, CALLS, true);
    make(1, 1, CALLS, true);
    reach_out = true;
    ck_assert_int_eq(part_of(20), -1);
    reach_out = false;
    ck_assert_int_eq(part_of(20), 20);
    /* One of the other's is missing somewhere. */
    call[1][CALLS - 1] = 0;
    ck_assert_int_eq(part_of(20), -1);
}
END_TEST

/* The last one of a member is outside of the other's piece: that is no misfit, of which there may
   be one among ten. */
START_TEST(test_members_may_lack_what_reaches_out_of_the_piece)
{
    make(0, CALLS - 4, 5 + (_i == 0), false);
    make(1, CALLS - 4, 5 + (_i == 1), false);
    ck_assert_int_eq(part_of(3), 3);
    call[_i][5] = CALLS + 2;
    ck_assert_int_eq(part_of(3), -1);
}
END_TEST

START_TEST(test_members_may_have_a_misfit_among_ten)
{
    make(0, 1, CALLS, false);
    make(1, 1, CALLS, false);
    for (int k = 7; k < 10; k++)
        call[1][k] = CALLS + 2;
    ck_assert_int_eq(part_of(20), 20);
    ck_assert_int_eq(part_of(7), -1);
    call[1][10] = CALLS + 2;
    ck_assert_int_eq(part_of(20), -1);
}
END_TEST

static Suite *members_suite(void)
{
    Suite *s = suite_create("members");
    TCase *t = tcase_create("members");

    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_loop_test(t, test_members_are_found_by_their_order, -3, 4);
    tcase_add_test(t, test_members_that_are_too_far_apart_are_not_told);
    tcase_add_test(t, test_members_of_several_orders_are_told_where_the_ends_say_which);
    tcase_add_loop_test(t, test_members_may_lack_what_reaches_out_of_the_piece, 0, 2);
    tcase_add_test(t, test_members_may_have_a_misfit_among_ten);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(members_suite());
}
