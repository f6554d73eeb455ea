/* Which parts are one collective, all of a trace's at hand: random runs, whose collectives are
 * known. */
#include "match/numbered.h"

#include "model/batch.h"
#include "runner.h"
#include "tests/match/two_communicators.h"

#include <stdlib.h>
#include <string.h>

#define KINDS 3 /* the world, some tasks, and a communicator that is not told */
#define CALLS 200

/* A part; `of` is the collective that it was drawn as, from 1 on, and `call` what it called. */
struct part {
    struct prvcut_numbered is;
    uint32_t of, call;
};

static struct prvcut_sorter *sorter[2];
static uint32_t groups, parts, lone, unlike;
static uint32_t seen[KINDS * 2 * CALLS + 1];

static void setup(void)
{
    struct prvcut_sorter_options o = { .size = sizeof(struct part), .memory = 1 << 16, .feeds = 1 };

    o.compare = prvcut_numbered_by_member;
    ck_assert_int_eq(prvcut_sorter_new(&sorter[0], &o, NULL), PRVCUT_OK);
    o.compare = prvcut_numbered_by_place;
    ck_assert_int_eq(prvcut_sorter_new(&sorter[1], &o, NULL), PRVCUT_OK);
    groups = parts = lone = unlike = 0;
    memset(seen, 0, sizeof seen);
}

static void teardown(void)
{
    prvcut_sorter_free(sorter[0]);
    prvcut_sorter_free(sorter[1]);
}

static bool alike(const void *a, const void *b)
{
    return ((const struct part *)a)->call == ((const struct part *)b)->call;
}

/* All parts of a group were drawn as one collective, by task, and are all that were. */
static enum prvcut_status met(void *ctx, const struct prvcut_numbered_group *g,
                              struct prvcut_error *err)
{
    const struct part *at = g->part;

    (void)err;
    ck_assert_ptr_eq(ctx, &groups);
    groups++;
    parts += (uint32_t)g->count;
    lone += g->count == 1;
    unlike += g->unlike;
    for (size_t i = 0; i < g->count; i++) {
        if (!g->unlike)
            ck_assert_uint_eq(at[i].of, at[0].of);
        if (i > 0)
            ck_assert_uint_lt(at[i - 1].is.task, at[i].is.task);
    }
    seen[at->of]++;
    return g->expected < g->count ? PRVCUT_EFORMAT : PRVCUT_OK;
}

static void meet(void)
{
    const struct prvcut_numbered_parts n = { .sorter = { sorter[0], sorter[1] },
                                             .size = sizeof(struct part),
                                             .objects = &objects,
                                             .alike = alike,
                                             .ctx = &groups,
                                             .met = met };

    ck_assert_int_eq(prvcut_numbered_meet(&n, NULL), PRVCUT_OK);
}

static void add(uint32_t task, uint32_t id, bool nonblocking, uint32_t of, uint32_t call)
{
    const struct part p = { .is = { .application = 0,
                                    .communicator = id,
                                    .nonblocking = nonblocking,
                                    .task = task,
                                    .k = 99 },
                            .of = of,
                            .call = call };

    ck_assert_int_eq(prvcut_sorter_add(sorter[0], 0, &p, 1, NULL), PRVCUT_OK);
}

/* Drawn as a run makes them: each task's in its own order, blocking ones and others between each
 * other. */
START_TEST(test_parts_meet_as_drawn)
{
    static const uint32_t ids[KINDS] = { WORLD, SOME, PRVCUT_NOBODY };
    uint32_t all = 0, number = 0;

    srand(5 + (unsigned)_i);
    for (unsigned i = 0; i < CALLS; i++) {
        const unsigned kind = (unsigned)rand() % KINDS;
        const bool nonblocking = rand() % 3 == 0;
        const uint32_t call = (uint32_t)rand() % 4;

        number++;
        for (uint32_t t = 0; t < TASKS; t++)
            if (ids[kind] != SOME || t % 2 == 1 || t == 4) {
                add(t, ids[kind], nonblocking, number, call);
                all++;
            }
    }
    meet();
    ck_assert_uint_eq(groups, number);
    ck_assert_uint_eq(parts, all);
    ck_assert_uint_eq(unlike, 0);
    for (uint32_t i = 1; i <= number; i++)
        ck_assert_uint_eq(seen[i], 1);
}
END_TEST

/* Where a member lacks a call, those up to there are told; from where members did not call the same
 * on, none is sure. */
START_TEST(test_what_is_unlike_stays_so)
{
    const uint32_t lacks = 7;

    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t t = 0; t < TASKS; t++)
            if (t != 2 || i != lacks)
                add(t, WORLD, false, 1 + i, i);
    meet();
    ck_assert_uint_eq(groups, 20);
    ck_assert_uint_eq(unlike, 20 - lacks);
}
END_TEST

/* Without a communicator: all tasks' where they count alike, else nobody's but the caller's. */
START_TEST(test_untold_communicators_want_equal_counts)
{
    for (uint32_t i = 0; i < 10; i++)
        for (uint32_t t = 0; t < TASKS; t++)
            add(t, PRVCUT_NOBODY, false, 1 + i, i);
    add(1, PRVCUT_NOBODY, false, 11, 0);
    meet();
    ck_assert_uint_eq(lone, 10 * TASKS + 1);
    ck_assert_uint_eq(groups, 10 * TASKS + 1);
}
END_TEST

START_TEST(test_nothing_meets_nothing)
{
    meet();
    ck_assert_uint_eq(groups, 0);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("numbered");
    Suite *suite = suite_create("numbered");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_parts_meet_as_drawn, 0, 10);
    tcase_add_test(tests, test_what_is_unlike_stays_so);
    tcase_add_test(tests, test_untold_communicators_want_equal_counts);
    tcase_add_test(tests, test_nothing_meets_nothing);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
