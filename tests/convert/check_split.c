/* Which collectives a window splits, told by all lines of a trace, in parts. */
#include "convert/split.h"

#include "model/calls.h"
#include "runner.h"

#include <stdlib.h>

#define TASKS 4u
#define FROM  2000u
#define TO    6000u

enum { BCAST = 7, BARRIER = 8 };

static uint32_t application_first[] = { 0, TASKS };
static uint32_t thread_task[] = { 0, 1, 2, 3 };
static uint32_t member[] = { 0, 1, 2, 3, 0, 1 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = 1, .first = 0, .count = TASKS },
    { .application = 0, .id = 2, .first = TASKS, .count = 2 },
};
static const struct prvcut_objects objects = { .applications = 1,
                                               .tasks = TASKS,
                                               .threads = TASKS,
                                               .application_first_task = application_first,
                                               .thread_task = thread_task,
                                               .communicator = communicator,
                                               .communicators = 2,
                                               .member = member,
                                               .members = 6 };
static struct cnv_split split;
static struct cnv_split_list list;

static void begin_part(void)
{
    list = (struct cnv_split_list){ .objects = NULL };
    cnv_split_begin(&list, &objects, (struct prvcut_span){ FROM, TO });
}

static void end_part(void)
{
    ck_assert_int_eq(cnv_split_add(&split, &list, NULL), PRVCUT_OK);
    cnv_split_list_fini(&list);
}

static void setup(void)
{
    split = (struct cnv_split){ .objects = NULL };
    begin_part();
}

static void teardown(void)
{
    cnv_split_fini(&split);
}

static void line(uint32_t thread, uint64_t time, int64_t value, int64_t id)
{
    struct prvcut_event e[] = {
        { .time = time, .value = 8, .type = PRVCUT_TYPE_SIZE_SENT, .role = PRVCUT_ROLE_SIZE },
        { .time = time,
          .value = value,
          .type = PRVCUT_TYPE_MPI_COLLECTIVE,
          .role = PRVCUT_ROLE_COLLECTIVE },
        { .time = time,
          .value = id,
          .type = PRVCUT_TYPE_COMMUNICATOR,
          .role = PRVCUT_ROLE_COMMUNICATOR },
    };
    const struct prvcut_batch b = { .event = e, .events = value != 0 ? 3 : 2 };

    for (size_t i = 0; i < 3; i++)
        e[i].thread = thread & PRVCUT_THREADS_MAX;
    e[0].head = 1;
    ck_assert_int_eq(cnv_split_note(&list, &b, NULL), PRVCUT_OK);
}

static void call(uint32_t thread, uint64_t begin, uint64_t end, int64_t value, int64_t id)
{
    line(thread, begin, value, id);
    line(thread, end, 0, 0);
}

static void settle(void)
{
    end_part();
    ck_assert_int_eq(cnv_split_settle(&split, &objects, NULL), PRVCUT_OK);
}

static bool has(uint32_t thread, int64_t value, int64_t id)
{
    const struct prvcut_item item[] = {
        { .thread = thread,
          .kind = PRVCUT_ITEM_EVENT,
          .role = PRVCUT_ROLE_COLLECTIVE,
          .head = true,
          .event = { .value = value, .type = PRVCUT_TYPE_MPI_COLLECTIVE } },
        { .thread = thread,
          .kind = PRVCUT_ITEM_EVENT,
          .role = PRVCUT_ROLE_COMMUNICATOR,
          .event = { .value = id, .type = PRVCUT_TYPE_COMMUNICATOR } },
    };

    return cnv_split_of(&split, item, 2);
}

/* The root is a call ahead: its first one lies before the window, the others' last one behind. */
START_TEST(test_split_at_both_borders)
{
    for (unsigned k = 0; k < 4; k++) {
        call(0, 1000 + 1200 * k, 1100 + 1200 * k, BCAST, 1);
        for (uint32_t t = 1; t < TASKS; t++)
            call(t, 2300 + 1300 * k, 2400 + 1300 * k, BCAST, 1);
        if (k == 1) {
            end_part();
            begin_part();
        }
    }
    settle();
    for (unsigned k = 1; k < 4; k++)
        ck_assert(has(0, BCAST, 1) == (k == 3));
    for (uint32_t t = 1; t < TASKS; t++)
        for (unsigned k = 0; k < 3; k++)
            ck_assert(has(t, BCAST, 1) == (k == 0));
}
END_TEST

/* What is open at the start for all is whole, and takes its place. */
START_TEST(test_split_counts_what_is_open_at_the_start)
{
    for (uint32_t t = 0; t < TASKS; t++) {
        call(t, 500, 600, BARRIER, 1);
        call(t, 1900 + 10 * t, 2100, BARRIER, 1);
        call(t, 3000, 3100, BARRIER, 1);
    }
    settle();
    for (uint32_t t = 0; t < TASKS; t++)
        ck_assert(!has(t, BARRIER, 1));
}
END_TEST

/* An empty split, calls without a communicator, on one that nobody knows, or from outside it. */
START_TEST(test_split_of_what_is_not_known_is_none)
{
    ck_assert(!has(0, BCAST, 1));
    call(0, 2500, 2600, BCAST, 0);
    call(1, 2500, 2600, BCAST, 9);
    call(0, 2700, 2800, BCAST, 2);
    call(3, 2700, 2800, BCAST, 2);
    call(1, 7000, 7100, BCAST, 2);
    settle();
    ck_assert(!has(0, BCAST, 0));
    ck_assert(!has(1, BCAST, 9));
    ck_assert(!has(0, BCAST, 2));
    ck_assert(!has(2, BCAST, 1));
}
END_TEST

/* Each time at random: those stay that all members have inside. */
START_TEST(test_split_has_what_some_have_outside)
{
    enum { MANY = 9 };
    bool inside[MANY][TASKS], cut[MANY][TASKS];

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < MANY; k++)
        for (uint32_t t = 0; t < TASKS; t++) {
            const uint64_t begin = 1000 * k + (uint64_t)rand() % 700, end = begin + 200;

            call(t, begin, end, k % 2 ? BCAST : BARRIER, 1);
            cut[k][t] = begin < FROM && end >= FROM;
            inside[k][t] = cut[k][t] || (begin >= FROM && begin < TO);
            if (rand() % 4 == 0) {
                end_part();
                begin_part();
            }
        }
    settle();
    for (unsigned k = 0; k < MANY; k++)
        for (uint32_t t = 0; t < TASKS; t++) {
            bool all = true;

            for (uint32_t u = 0; u < TASKS; u++)
                all = all && inside[k][u];
            if (inside[k][t] && !cut[k][t])
                ck_assert(has(t, BCAST, 1) == !all);
        }
}
END_TEST

static Suite *split_suite(void)
{
    Suite *s = suite_create("split");
    TCase *t = tcase_create("split");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_split_at_both_borders);
    tcase_add_test(t, test_split_counts_what_is_open_at_the_start);
    tcase_add_test(t, test_split_of_what_is_not_known_is_none);
    tcase_add_loop_test(t, test_split_has_what_some_have_outside, 0, 100);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(split_suite());
}
