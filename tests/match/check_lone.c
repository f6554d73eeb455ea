#include "runner.h"

#include "match/lone.h"

/* Two threads of task 0, one of task 1. */
static uint32_t tasks[] = { 0, 0, 1 };
static const struct prvcut_objects objects = { .threads = 3, .tasks = 2, .thread_task = tasks };

static void note(struct prvcut_lone *l, uint32_t thread, uint32_t peer, int64_t tag, bool receive)
{
    const struct prvcut_half h = {
        .thread = thread, .peer = peer, .tag = tag, .communicator = 5, .receive = receive
    };

    ck_assert_int_eq(prvcut_lone_note(l, &h, 1, NULL), PRVCUT_OK);
}

START_TEST(test_count_ends_of_tasks)
{
    struct prvcut_lone l = prvcut_lone_none(&objects, 0);
    const struct prvcut_lone_channel *at;
    size_t count;
    bool sends;

    note(&l, 0, 2, 1, false);
    note(&l, 1, 2, 1, false);
    note(&l, 2, 0, 1, true);
    note(&l, 2, 1, 1, true);
    note(&l, 2, 0, -2, false);
    note(&l, 2, 0, -2, false);
    note(&l, 1, 2, -2, true);
    note(&l, 1, 2, 3, true);
    note(&l, 1, PRVCUT_NOBODY, 3, true);
    at = prvcut_lone_channels(&l, &count);
    ck_assert_uint_eq(count, 3);
    ck_assert_uint_eq(prvcut_lone_ends(&at[0], &sends), 0);
    ck_assert_uint_eq(prvcut_lone_ends(&at[1], &sends), 1);
    ck_assert(sends && at[1].sender == 1 && at[1].receiver == 0 && at[1].tag == -2);
    ck_assert_uint_eq(prvcut_lone_ends(&at[2], &sends), 1);
    ck_assert(!sends && at[2].communicator == 5);
    prvcut_lone_fini(&l);
}
END_TEST

START_TEST(test_too_many_channels_tell_nothing)
{
    struct prvcut_lone l = prvcut_lone_none(&objects, 2);
    size_t count;

    for (int64_t tag = 0; tag < 2; tag++)
        note(&l, 0, 2, tag, false);
    prvcut_lone_channels(&l, &count);
    ck_assert_uint_eq(count, 2);
    for (int64_t tag = 2; tag < 9; tag++)
        note(&l, 0, 2, tag, false);
    prvcut_lone_channels(&l, &count);
    ck_assert_uint_eq(count, 0);
    prvcut_lone_fini(&l);
}
END_TEST

static Suite *lone_suite(void)
{
    Suite *s = suite_create("lone");
    TCase *tests = tcase_create("tests");

    tcase_add_test(tests, test_count_ends_of_tasks);
    tcase_add_test(tests, test_too_many_channels_tell_nothing);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    return run_suite(lone_suite());
}
