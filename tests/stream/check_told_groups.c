#include "stream/told.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/*
 * Parts of collectives go in as they are drawn, in any order; what they become is compared with
 * what a look at all parts says of it.
 */

#define TASKS 4u
#define ROOM  400u

enum { ALL = 1, PAIR = 2, UNKNOWN = 9 };

static uint32_t application_first[] = { 0, TASKS, TASKS + 2 };
static uint32_t member[] = { 0, 1, 2, 3, 0, 1, 4, 5 };
static struct prvcut_communicator communicator[] = {
    { .application = 0, .id = ALL, .first = 0, .count = TASKS },
    { .application = 0, .id = PAIR, .first = TASKS, .count = 2 },
    { .application = 1, .id = ALL, .first = TASKS + 2, .count = 2 },
};
static struct prvcut_trace trace;
static const struct prvcut_run run = { .threads = 1 };
static struct prvcut_stream_plan plan;
static struct told told;
static struct told_part part[ROOM];
static size_t parts;
static struct told_group group[3 * ROOM];
static size_t groups;

/* By collective: its begin, its members by task, its end. */
static int by_id(const void *a, const void *b)
{
    const struct told_group *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->key.kind != y->key.kind)
        return x->key.kind < y->key.kind ? -1 : 1;
    if (x->key.kind != TOLD_GROUP_MEMBER)
        return 0;
    return (x->part.of.task > y->part.of.task) - (x->part.of.task < y->part.of.task);
}

static void setup(void)
{
    memset(&trace, 0, sizeof trace);
    trace.objects = (struct prvcut_objects){ .applications = 2,
                                             .tasks = TASKS + 2,
                                             .application_first_task = application_first,
                                             .communicator = communicator,
                                             .communicators = 3,
                                             .member = member };
    plan = (struct prvcut_stream_plan){ .trace = &trace, .run = &run };
    told = (struct told){ .plan = &plan, .to = UINT64_MAX };
    parts = groups = 0;
    ck_assert_int_eq(told_sorter(&told, &told.part, sizeof *part, told_part_by_member, NULL),
                     PRVCUT_OK);
    ck_assert_int_eq(told_sorter(&told, &told.group, sizeof *group, by_id, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    prvcut_sorter_free(told.part);
    prvcut_sorter_free(told.group);
}

static struct told_part *add(uint32_t task, uint32_t comm, uint64_t begin, uint64_t end)
{
    struct told_part *p = &part[parts++];

    ck_assert_uint_lt(parts, ROOM);
    *p = (struct told_part){
        .of = { .application = task >= TASKS, .communicator = comm, .task = task },
        .order = { 10 * begin, 10 * end },
        .call = { .thread = task, .type = 5, .span = { begin, end } }
    };
    return p;
}

static void tell(void)
{
    size_t got = 0;
    enum prvcut_status st;

    for (size_t i = parts; i > 0; i--) {
        const size_t k = (size_t)rand() % i;
        const struct told_part p = part[k];

        ck_assert_int_eq(prvcut_sorter_add(told.part, 0, &p, 1, NULL), PRVCUT_OK);
        part[k] = part[i - 1];
        part[i - 1] = p;
    }
    ck_assert_int_eq(told_groups(&told, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_finish(told.group, NULL), PRVCUT_OK);
    while ((st = prvcut_sorter_next(told.group, group + groups, 3 * ROOM - groups, &got, NULL)) ==
           PRVCUT_OK)
        groups += got;
    ck_assert_int_eq(st, PRVCUT_END);
}

/* The collective that a part was told in: its begin; NULL: in none. */
static const struct told_group *group_of(const struct told_part *p)
{
    const struct told_group *begin = NULL, *found = NULL;

    for (size_t i = 0; i < groups; i++) {
        const struct told_part *m = &group[i].part;

        if (group[i].key.kind == TOLD_GROUP_BEGINS)
            begin = &group[i];
        if (group[i].key.kind != TOLD_GROUP_MEMBER || m->of.task != p->of.task ||
            m->order[0] != p->order[0] || m->of.communicator != p->of.communicator)
            continue;
        ck_assert_ptr_null(found);
        found = begin;
    }
    return found;
}

static size_t number_of_groups(void)
{
    size_t n = 0;

    for (size_t i = 0; i < groups; i++)
        n += group[i].key.kind == TOLD_GROUP_BEGINS;
    return n;
}

static bool same_sequence(const struct told_part *a, const struct told_part *b)
{
    return a->of.application == b->of.application && a->of.communicator == b->of.communicator &&
           a->of.nonblocking == b->of.nonblocking;
}

/* Its task's parts in the sequence that come before. */
static unsigned ordinal(const struct told_part *p)
{
    unsigned n = 0;

    for (size_t i = 0; i < parts; i++)
        n += part[i].of.task == p->of.task && same_sequence(&part[i], p) &&
             part[i].order[0] < p->order[0];
    return n;
}

/* All that belongs to the collective of a part, and no more, is told in it. */
static void expect_collective(const struct told_part *p)
{
    const struct told_group *g = group_of(p);
    uint64_t first_begin = UINT64_MAX, last_begin = 0, first_end = UINT64_MAX, last_end = 0;
    uint32_t members = 0;

    ck_assert_ptr_nonnull(g);
    for (size_t i = 0; i < parts; i++) {
        const struct prvcut_span *s = &part[i].call.span;

        if (!same_sequence(&part[i], p) || ordinal(&part[i]) != ordinal(p))
            continue;
        ck_assert_ptr_eq(group_of(&part[i]), g);
        members++;
        first_begin = s->start < first_begin ? s->start : first_begin;
        last_begin = s->start > last_begin ? s->start : last_begin;
        first_end = s->end < first_end ? s->end : first_end;
        last_end = s->end > last_end ? s->end : last_end;
    }
    ck_assert_uint_eq(g->collective.members, members);
    ck_assert_uint_eq(g->collective.first_begin, first_begin);
    ck_assert_uint_eq(g->collective.last_begin, last_begin);
    ck_assert_uint_eq(g->collective.first_end, first_end);
    ck_assert_uint_eq(g->collective.last_end, last_end);
    ck_assert_uint_eq(g->key.time, first_begin);
    ck_assert_uint_eq(g[members + 1].key.kind, TOLD_GROUP_ENDS);
    ck_assert_uint_eq(g[members + 1].id, g->id);
    if (!plan.by_thread)
        ck_assert_uint_eq(g[members + 1].key.time, last_end);
    ck_assert_int_eq(g->collective.fate,
                     members < g->collective.expected ? PRVCUT_FATE_ALONE : PRVCUT_FATE_WHOLE);
}

START_TEST(test_group_nothing_tells_nothing)
{
    tell();
    ck_assert_uint_eq(groups, 0);
}
END_TEST

/* The k-th of one member is the k-th of all others, of each communicator by itself. */
START_TEST(test_group_parts_by_their_ordinals)
{
    static const uint32_t comms[] = { ALL, PAIR, UNKNOWN };
    size_t collectives = 0;

    srand((unsigned)_i + 1);
    plan.by_thread = _i % 2;
    for (uint32_t t = 0; t < TASKS + 2; t++)
        for (unsigned c = 0; c < 3; c++)
            for (unsigned k = 0, n = 5 + (unsigned)rand() % 8; k < n; k++) {
                const uint64_t begin = 1000 * k + 1 + 10 * ((uint64_t)rand() % 90) + c;
                struct told_part *p = add(t, comms[c], begin, begin + 1 + (uint64_t)rand() % 900);

                p->of.nonblocking = c == 2 && k % 2;
            }
    tell();
    for (size_t i = 0; i < parts; i++) {
        bool first = true;

        expect_collective(&part[i]);
        for (size_t k = 0; k < i && first; k++)
            first = !same_sequence(&part[k], &part[i]) || ordinal(&part[k]) != ordinal(&part[i]);
        collectives += first;
    }
    ck_assert_uint_eq(number_of_groups(), collectives);
    ck_assert_uint_eq(groups, 2 * collectives + parts);
}
END_TEST

/* Of a communicator all tasks are expected; of an unknown one those that call. */
START_TEST(test_group_expects_the_tasks_of_the_communicator)
{
    static const struct {
        uint32_t task, comm, expected;
    } cases[] = { { 0, ALL, TASKS },      { 0, PAIR, 2 }, { 4, ALL, 2 },
                  { 0, UNKNOWN, 1 },      { 4, PAIR, 1 }, { 0, PRVCUT_NOBODY, TASKS },
                  { 4, PRVCUT_NOBODY, 2 } };

    add(cases[_i].task, cases[_i].comm, 10, 20);
    tell();
    ck_assert_uint_eq(number_of_groups(), 1);
    ck_assert_uint_eq(group[0].collective.members, 1);
    ck_assert_uint_eq(group[0].collective.expected, cases[_i].expected);
    ck_assert_uint_eq(group[0].collective.application, cases[_i].task >= TASKS);
    ck_assert_int_eq(group[0].collective.fate,
                     cases[_i].expected > 1 ? PRVCUT_FATE_ALONE : PRVCUT_FATE_WHOLE);
}
END_TEST

/* Calls that do not tell their communicator are together only if all tasks have as many. */
START_TEST(test_group_calls_without_a_communicator)
{
    for (uint32_t t = 0; t < TASKS; t++) {
        add(t, PRVCUT_NOBODY, 10 + t, 20);
        if (_i == 0 || t > 0)
            add(t, PRVCUT_NOBODY, 30 + t, 40);
    }
    tell();
    ck_assert_uint_eq(number_of_groups(), _i == 0 ? 2 : 2 * TASKS - 1);
    ck_assert_uint_eq(group[0].collective.members, _i == 0 ? TASKS : 1);
}
END_TEST

/* Once members called different things, the order of calls says nothing any more. */
START_TEST(test_group_of_unlike_calls)
{
    for (uint32_t t = 0; t < TASKS; t++)
        for (uint64_t k = 0; k < 3; k++)
            add(t, ALL, 100 * k + t, 100 * k + 50)->call.value = k == 1 && t == 2 ? 8 : 7;
    tell();
    ck_assert_uint_eq(number_of_groups(), 3);
    for (size_t i = 0, k = 0; i < groups; i++)
        if (group[i].key.kind == TOLD_GROUP_BEGINS)
            ck_assert_int_eq(group[i].collective.fate,
                             k++ == 0 ? PRVCUT_FATE_WHOLE : PRVCUT_FATE_UNLIKE);
}
END_TEST

/* What does not touch the window is not told; what reaches out of it is, and its members' parts. */
START_TEST(test_group_in_a_window)
{
    for (uint32_t t = 0; t < TASKS; t++)
        for (uint64_t k = 0; k < 5; k++)
            add(t, ALL, 100 * k + 10 * t, 100 * k + 10 * t + 55);
    told.from = 120;
    told.to = _i ? 285 : 310; /* the third one ends at 285 */
    tell();
    ck_assert_uint_eq(number_of_groups(), _i ? 2 : 3);
    for (size_t i = 0; i < groups; i++) {
        const struct told_group *g = &group[i];
        const uint64_t k = 1 + i / (TASKS + 2);
        const uint64_t begin = 100 * k + 10 * g->part.of.task;

        if (g->key.kind == TOLD_GROUP_BEGINS) {
            ck_assert_uint_eq(g->collective.first_begin, 100 * k);
            ck_assert_int_eq(g->collective.fate,
                             k == 2 && !_i ? PRVCUT_FATE_WHOLE : PRVCUT_FATE_CROSSES);
        }
        if (g->key.kind != TOLD_GROUP_MEMBER)
            continue;
        ck_assert_int_eq(g->inside, begin < told.to && begin + 55 >= 120);
        ck_assert_int_eq(g->part.call.no_begin, g->inside && begin < 120);
        ck_assert_int_eq(g->part.call.no_end, g->inside && begin + 55 > told.to);
    }
}
END_TEST

/* Thread by thread it ends with the call of who began it; the root is who says so. */
START_TEST(test_group_by_thread_ends_with_who_began_it)
{
    plan.by_thread = true;
    add(0, ALL, 12, 30);
    add(1, ALL, 11, 25);
    add(2, ALL, 13, 60)->root = true;
    add(3, ALL, 14, 40);
    tell();
    ck_assert_uint_eq(groups, TASKS + 2);
    ck_assert_uint_eq(group[0].key.time, 11);
    ck_assert_uint_eq(group[0].key.thread, 1);
    ck_assert_uint_eq(group[TASKS + 1].key.time, 25);
    ck_assert_uint_eq(group[TASKS + 1].key.thread, 1);
    ck_assert_uint_eq(group[0].collective.root, 2);
}
END_TEST

static Suite *told_groups_suite(void)
{
    Suite *s = suite_create("told_groups");
    TCase *t = tcase_create("group");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_group_nothing_tells_nothing);
    tcase_add_loop_test(t, test_group_parts_by_their_ordinals, 0, 10);
    tcase_add_loop_test(t, test_group_expects_the_tasks_of_the_communicator, 0, 7);
    tcase_add_loop_test(t, test_group_calls_without_a_communicator, 0, 2);
    tcase_add_test(t, test_group_of_unlike_calls);
    tcase_add_loop_test(t, test_group_in_a_window, 0, 2);
    tcase_add_test(t, test_group_by_thread_ends_with_who_began_it);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(told_groups_suite());
}
