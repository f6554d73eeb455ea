#include "paraver/cut.h"

#include "runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Calls are told as a cut tells them: the index knows how many there are, lines before the left
 * borders and before the right ones are counted, what is open at the left one is told again.
 */

#define TASKS 4u

enum { BCAST = 7, BARRIER = 8, ALLREDUCE = 10, IBARRIER = 1000 };

/* Where a call lies; CUT: it is open at the left border. */
enum place { BEFORE, CUT, INSIDE, AFTER };

struct call {
    uint32_t thread;
    uint64_t communicator;
    int value;
    enum place place;
};

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
static struct prv_index index_of;
static struct call call[256];
static size_t count;

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
    cutter.plan.blocking[BCAST] = cutter.plan.blocking[BARRIER] = true;
    cutter.plan.blocking[ALLREDUCE] = true;
    index_of.called = (struct prvcut_table)PRVCUT_TABLE(struct prv_called, count, "collectives");
    count = 0;
    ck_assert_int_eq(prv_collectives_new(&calls, &cutter, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    prv_collectives_free(calls);
    prvcut_table_fini(&index_of.called);
}

static void add_on(uint32_t thread, uint64_t comm, int value, enum place place)
{
    ck_assert_uint_lt(count, sizeof call / sizeof *call);
    call[count++] = (struct call){ thread, comm, value, place };
}

static void add(uint32_t thread, int value, enum place place)
{
    add_on(thread, 1, value, place);
}

static void add_all(int value, enum place place)
{
    for (uint32_t t = 0; t < TASKS; t++)
        add(t, value, place);
}

static void line_of(const struct call *c, char text[128], struct prv_cut_line *l)
{
    snprintf(text, 128, "50000002:%d:50100001:64:50100004:%" PRIu64, c->value, c->communicator);
    *l = (struct prv_cut_line){ .event = { .thread = c->thread & 0xffffff } };
    l->pairs = (struct prv_fields){ .at = text, .end = text + strlen(text), .next = text };
}

static void note_in_index(const struct call *c)
{
    const struct prv_called key = { .task = c->thread, .communicator = (uint32_t)c->communicator };
    const bool known = c->communicator > 0 && c->communicator <= UINT32_MAX;

    if (known && c->value < PRV_CALLS && cutter.plan.blocking[c->value]) {
        struct prv_called *row = prvcut_table_make(&index_of.called, &key, NULL);

        ck_assert_ptr_nonnull(row);
        row->count++;
    }
}

static void tell(const struct call *c)
{
    struct prv_cut_line l;
    char text[128];

    line_of(c, text, &l);
    if (c->place < INSIDE)
        prv_collectives_count(calls, &l, false);
    if (c->place < AFTER)
        prv_collectives_count(calls, &l, true);
}

static void open_at_border(const struct call *c)
{
    struct prv_cut_line l;
    char text[128];

    line_of(c, text, &l);
    if (c->place == CUT)
        prv_collectives_reopen(calls, &l);
}

static void judge(uint64_t want)
{
    uint64_t split;

    for (size_t i = 0; i < count; i++)
        note_in_index(&call[i]);
    for (unsigned right = 0; right < 2; right++)
        ck_assert_int_eq(prv_collectives_start(calls, &index_of, NULL, right, NULL), PRVCUT_OK);
    for (size_t i = 0; i < count; i++)
        tell(&call[i]);
    for (size_t i = 0; i < count; i++)
        open_at_border(&call[i]);
    ck_assert_int_eq(prv_collectives_judge(calls, true, &split, NULL), PRVCUT_OK);
    ck_assert_uint_eq(split, want);
}

static bool stays(const struct call *c)
{
    struct prv_cut_line l;
    char text[128];

    line_of(c, text, &l);
    return prv_collectives_take(calls, &l) == PRV_ALL_WHOLE;
}

START_TEST(test_split_of_nothing_is_none)
{
    judge(0);
}
END_TEST

/* The last task has its barrier behind the right border. */
START_TEST(test_split_at_the_right_border)
{
    add_all(BARRIER, INSIDE);
    for (uint32_t t = 0; t < TASKS; t++)
        add(t, BARRIER, t + 1 < TASKS ? INSIDE : AFTER);
    judge(1);
    for (size_t i = 0; i < 2 * TASKS - 1; i++)
        ck_assert(stays(&call[i]) == (i < TASKS));
}
END_TEST

/* The first task left the barrier before the left border. */
START_TEST(test_split_at_the_left_border)
{
    add(0, BCAST, BEFORE);
    for (uint32_t t = 1; t < TASKS; t++)
        add(t, BCAST, t == 1 ? CUT : INSIDE);
    add_all(BARRIER, INSIDE);
    judge(1);
    for (size_t i = 1; i < 2 * TASKS; i++)
        ck_assert(stays(&call[i]) == (i >= TASKS));
}
END_TEST

/* What is open at one border for all is inside. */
START_TEST(test_split_of_what_the_border_cuts_through_is_none)
{
    add_all(BARRIER, CUT);
    add_all(BARRIER, AFTER);
    judge(0);
    for (uint32_t t = 0; t < TASKS; t++)
        ck_assert(stays(&call[t]));
}
END_TEST

/* The root is one ahead all the time: in the window all have as many. */
START_TEST(test_split_where_all_have_as_many_inside)
{
    add(0, BCAST, BEFORE);
    for (uint32_t t = 1; t < TASKS; t++)
        add(t, BCAST, INSIDE);
    add_all(BCAST, INSIDE);
    add(0, BCAST, INSIDE);
    for (uint32_t t = 1; t < TASKS; t++)
        add(t, BCAST, AFTER);
    judge(2);
}
END_TEST

/* Who recorded fewer takes none of the others' away: the trace has no more of them. */
START_TEST(test_split_counts_nothing_that_the_trace_has_not)
{
    for (uint32_t t = 0; t + 1 < TASKS; t++)
        add(t, BCAST, INSIDE);
    add_all(BCAST, INSIDE);
    judge(0);
    for (size_t i = 0; i < count; i++)
        ck_assert(stays(&call[i]));
}
END_TEST

/* One of the two members has one more; who is no member makes the communicator unknown. */
START_TEST(test_split_counts_members_of_the_communicator)
{
    add_on(1, 2, BARRIER, INSIDE);
    add_on(2, 2, BARRIER, INSIDE);
    add_on(2, 2, BARRIER, INSIDE);
    add_on(1, 2, BARRIER, AFTER);
    if (_i > 0)
        add_on(3, 2, BARRIER, INSIDE);
    judge(_i > 0 ? 0 : 1);
}
END_TEST

/* A communicator's number is its application's own. */
START_TEST(test_split_counts_each_application)
{
    for (uint32_t t = 0; t < TASKS + 2; t++)
        add(t, BARRIER, INSIDE);
    add(TASKS, BARRIER, AFTER);
    add(TASKS + 1, BARRIER, INSIDE);
    judge(1);
}
END_TEST

/* Of one member alone, of nobody knows whom, and without a number. */
START_TEST(test_split_of_a_communicator_without_members_is_none)
{
    static const uint64_t numbers[] = { 3, 9, 0, (UINT64_C(1) << 32) + 1 };

    add_on(0, numbers[_i], BARRIER, INSIDE);
    add_on(0, numbers[_i], BARRIER, INSIDE);
    add_on(1, numbers[_i], BARRIER, AFTER);
    judge(0);
    ck_assert(stays(&call[0]));
}
END_TEST

/* What does not hold its caller has its place where it is complete. */
START_TEST(test_split_leaves_out_what_does_not_block)
{
    add(0, IBARRIER, INSIDE);
    add_all(BARRIER, INSIDE);
    judge(0);
    ck_assert(stays(&call[0]));
}
END_TEST

/* When each task is in a collective. */
struct instance {
    uint64_t begin[TASKS], end[TASKS];
};

static void draw(struct instance *x, uint64_t base)
{
    for (uint32_t t = 0; t < TASKS; t++) {
        x->begin[t] = base + (uint64_t)rand() % 1400;
        x->end[t] = x->begin[t] + 1 + (uint64_t)rand() % 200;
    }
}

static enum place place_of(const struct instance *x, uint32_t t, uint64_t from, uint64_t to)
{
    if (x->end[t] <= from)
        return BEFORE;
    if (x->begin[t] >= to)
        return AFTER;
    return x->begin[t] < from ? CUT : INSIDE;
}

/* Straight borders anywhere. */
START_TEST(test_split_is_what_some_have_inside)
{
    enum { MANY = 12 };
    bool whole[MANY];
    uint64_t from, to, split = 0;

    srand((unsigned)_i + 1);
    from = 2000 + (uint64_t)rand() % 10000;
    to = from + 1 + (uint64_t)rand() % 15000;
    for (unsigned k = 0; k < MANY; k++) {
        struct instance x;
        unsigned inside = 0;

        draw(&x, 2000 * k);
        for (uint32_t t = 0; t < TASKS; t++) {
            const enum place place = place_of(&x, t, from, to);

            add(t, k % 2 ? ALLREDUCE : BCAST, place);
            inside += place == CUT || place == INSIDE;
        }
        split += inside > 0 && inside < TASKS;
        whole[k] = inside == TASKS;
    }
    judge(split);
    for (size_t i = 0; i < count; i++)
        if (call[i].place == CUT || call[i].place == INSIDE)
            ck_assert(stays(&call[i]) == whole[i / TASKS]);
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
    tcase_add_test(t, test_split_of_what_the_border_cuts_through_is_none);
    tcase_add_test(t, test_split_where_all_have_as_many_inside);
    tcase_add_test(t, test_split_counts_nothing_that_the_trace_has_not);
    tcase_add_loop_test(t, test_split_counts_members_of_the_communicator, 0, 2);
    tcase_add_test(t, test_split_leaves_out_what_does_not_block);
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
