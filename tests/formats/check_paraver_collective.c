#include "paraver/cut.h"

#include "runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Calls are told as a cut tells them: each one that begins inside the window, or is open at its
 * left border, and where it ends.
 */

#define TASKS 4u

enum { BCAST = 7, BARRIER = 8, ALLREDUCE = 10 };

static uint32_t application_first[] = { 0, TASKS, TASKS + 2 };
static uint32_t thread_task[] = { 0, 1, 2, 3, 4, 5 };
static uint32_t member[] = { 0, 1, 2, 3, 4, 5, 1, 2, 0 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = 1, .first = 0, .count = TASKS },
    { .application = 1, .id = 1, .first = TASKS, .count = 2 },
    { .application = 0, .id = 2, .first = TASKS + 2, .count = 2 },
    { .application = 0, .id = 3, .first = TASKS + 4, .count = 1 },
};
static struct prv_header header;
/* The other types are known by their numbers. */
static struct prv_type mpi = {
    .label = { .number = 50000002, .role = PRVCUT_ROLE_COLLECTIVE, .region = true }
};
static struct prv_labels labels = { .type = &mpi, .types = 1 };
static struct prv_cutter cutter;
static struct prv_collectives *calls;

static void setup(void)
{
    header = (struct prv_header){ 0 };
    header.objects = (struct prvcut_objects){ .applications = 2,
                                              .tasks = TASKS + 2,
                                              .threads = TASKS + 2,
                                              .application_first_task = application_first,
                                              .thread_task = thread_task,
                                              .communicator = communicator,
                                              .communicators = 4,
                                              .member = member,
                                              .members = 9 };
    cutter = (struct prv_cutter){ .plan = { .header = &header, .labels = &labels } };
    ck_assert_int_eq(prv_collectives_new(&calls, &cutter, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    prv_collectives_free(calls);
}

static void begin_on(uint32_t thread, uint64_t comm, int call, uint64_t time)
{
    char text[128];
    struct prv_cut_line l = { .event = { .thread = thread & 0xffffff, .time = time } };

    snprintf(text, sizeof text, "50000002:%d:50100001:64:50100004:%" PRIu64, call, comm);
    l.pairs = (struct prv_fields){ .at = text, .end = text + strlen(text), .next = text };
    ck_assert_int_eq(prv_collectives_begin(calls, &l, time, NULL), PRVCUT_OK);
}

static void begin(uint32_t thread, int call, uint64_t time)
{
    begin_on(thread, 1, call, time);
}

static void end(uint32_t thread, uint64_t time)
{
    prv_collectives_end(calls, thread, time);
}

static void whole(uint32_t thread, int call, uint64_t at)
{
    begin(thread, call, at);
    end(thread, at + 50);
}

static void expect_split(uint64_t want)
{
    ck_assert_uint_eq(prv_collectives_split(calls), want);
}

START_TEST(test_split_of_nothing_is_none)
{
    expect_split(0);
}
END_TEST

/* The last task has its barrier behind the right border. */
START_TEST(test_split_at_the_right_border)
{
    for (uint32_t t = 0; t < TASKS; t++)
        whole(t, BARRIER, 100);
    for (uint32_t t = 0; t + 1 < TASKS; t++)
        begin(t, BARRIER, 200);
    expect_split(1);
}
END_TEST

/*
 * The first task left the barrier before the left border: its first one begins when others have
 * ended theirs, so it is the next one.
 */
START_TEST(test_split_at_the_left_border)
{
    for (uint32_t t = 1; t < TASKS; t++) {
        begin(t, BARRIER, 100);
        end(t, 120);
    }
    for (uint32_t t = 0; t < TASKS; t++)
        whole(t, BARRIER, 200);
    expect_split(1);
}
END_TEST

/* The same where it has no other one: what it calls next follows the barrier that it left. */
START_TEST(test_split_at_the_left_border_alone)
{
    for (uint32_t t = 1; t < TASKS; t++) {
        begin(t, BARRIER, 100);
        end(t, 120);
    }
    for (uint32_t t = 0; t < TASKS; t++)
        whole(t, BCAST, 200);
    expect_split(1);
}
END_TEST

/* Calls that let tasks go are told apart by their number before the first that holds them. */
START_TEST(test_split_of_calls_that_hold_nobody)
{
    whole(0, BCAST, 100);
    whole(1, BCAST, 100);
    for (uint32_t t = 0; t < TASKS; t++)
        whole(t, ALLREDUCE, 200);
    whole(2, BCAST, 300);
    expect_split(2);
}
END_TEST

/* One of the two members has one more; who is no member does not count. */
START_TEST(test_split_counts_members_of_the_communicator)
{
    begin_on(1, 2, BARRIER, 100);
    begin_on(2, 2, BARRIER, 110);
    end(1, 120);
    end(2, 120);
    begin_on(2, 2, BARRIER, 200);
    begin_on(3, 2, BARRIER, 200);
    expect_split(1);
}
END_TEST

/* A communicator's number is its application's own. */
START_TEST(test_split_counts_each_application)
{
    for (uint32_t t = 0; t < TASKS + 2; t++)
        whole(t, BARRIER, 100);
    expect_split(0);
    begin(TASKS + 1, BARRIER, 300);
    expect_split(1);
}
END_TEST

/* Of one member alone, of nobody knows whom, and without a number. */
START_TEST(test_split_of_a_communicator_without_members_is_none)
{
    static const uint64_t numbers[] = { 3, 9, 0, (UINT64_C(1) << 32) + 1 };

    begin_on(0, numbers[_i], BARRIER, 100);
    end(0, 110);
    begin_on(0, numbers[_i], BARRIER, 120);
    expect_split(0);
}
END_TEST

/* An instance: when each task is in it. */
struct instance {
    int call;
    uint64_t begin[TASKS], end[TASKS];
};

/* Every second one holds its tasks until the last has come. */
static void draw(struct instance *x, uint64_t base, bool holds)
{
    uint64_t last = 0;

    x->call = holds ? ALLREDUCE : BCAST;
    for (uint32_t t = 0; t < TASKS; t++) {
        x->begin[t] = base + (uint64_t)rand() % 400;
        last = x->begin[t] > last ? x->begin[t] : last;
    }
    for (uint32_t t = 0; t < TASKS; t++)
        x->end[t] = (holds ? last : x->begin[t]) + 1 + (uint64_t)rand() % 200;
}

/* Straight borders anywhere, at least one whole instance that holds between them. */
START_TEST(test_split_is_what_some_have_inside)
{
    struct instance all[12];
    uint64_t from, to, split = 0;

    srand((unsigned)_i + 1);
    from = 2000 + (uint64_t)rand() % 2000;
    to = 8000 + (uint64_t)rand() % 3000;
    for (unsigned k = 0; k < 12; k++) {
        unsigned inside = 0;

        draw(&all[k], 1000 * k, k % 2);
        for (uint32_t t = 0; t < TASKS; t++) {
            if (all[k].end[t] <= from || all[k].begin[t] >= to)
                continue;
            inside++;
            begin(t, all[k].call, all[k].begin[t] > from ? all[k].begin[t] : from);
            if (all[k].end[t] < to)
                end(t, all[k].end[t]);
        }
        split += inside > 0 && inside < TASKS;
    }
    expect_split(split);
}
END_TEST

static Suite *collective_suite(void)
{
    Suite *s = suite_create("paraver_collective");
    TCase *t = tcase_create("split");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_split_of_nothing_is_none);
    tcase_add_test(t, test_split_at_the_right_border);
    tcase_add_test(t, test_split_at_the_left_border);
    tcase_add_test(t, test_split_at_the_left_border_alone);
    tcase_add_test(t, test_split_of_calls_that_hold_nobody);
    tcase_add_test(t, test_split_counts_members_of_the_communicator);
    tcase_add_test(t, test_split_counts_each_application);
    tcase_add_loop_test(t, test_split_of_a_communicator_without_members_is_none, 0, 4);
    tcase_add_loop_test(t, test_split_is_what_some_have_inside, 0, 200);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(collective_suite());
}
