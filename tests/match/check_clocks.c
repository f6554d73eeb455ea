#include "match/clocks.h"
#include "model/batch.h"
#include "tests/support/runner.h"

#include <stdlib.h>
#include <string.h>

enum { TASKS = 24 };

/* A small program that runs in true time, seen by clocks that are each off by -truth. */
struct world {
    struct prvcut_clock_notes *notes;
    struct prvcut_clocks clocks;
    struct prvcut_error err;
    int64_t truth[TASKS]; /* ns to add to a clock to get the true time */
    uint64_t now[TASKS];  /* true time of each process */
    unsigned seed;
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (w->seed >> 8) % below;
}

static void world_init(struct world *w, unsigned seed, uint32_t spread)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    ck_assert_int_eq(prvcut_clock_notes_new(&w->notes, TASKS, &w->err), PRVCUT_OK);
    for (uint32_t i = 0; i < TASKS; i++) {
        w->truth[i] = spread > 0 ? (int64_t)draw(w, spread) : 0;
        w->now[i] = 1000000000;
    }
}

static void world_fini(struct world *w)
{
    prvcut_clocks_fini(&w->clocks);
    prvcut_clock_notes_free(w->notes);
}

static uint64_t seen(const struct world *w, uint32_t task)
{
    return w->now[task] - (uint64_t)w->truth[task];
}

static void send(struct world *w, uint32_t from, uint32_t to, int64_t tag)
{
    const uint64_t sent = w->now[from] += 100 + draw(w, 1000);
    const uint64_t arrives = sent + 500 + draw(w, 3000);

    ck_assert_int_eq(prvcut_clock_note_send(w->notes, from, to, tag, seen(w, from), &w->err),
                     PRVCUT_OK);
    w->now[to] = (w->now[to] > arrives ? w->now[to] : arrives) + draw(w, 200);
    ck_assert_int_eq(prvcut_clock_note_receive(w->notes, to, from, tag, seen(w, to), &w->err),
                     PRVCUT_OK);
}

static void collective(struct world *w, enum prvcut_clock_flow flow, uint32_t root,
                       uint32_t members)
{
    uint64_t begin[TASKS], last = 0;

    for (uint32_t i = 0; i < members; i++) {
        w->now[i] += draw(w, 2000);
        begin[i] = seen(w, i);
        last = w->now[i] > last ? w->now[i] : last;
    }
    for (uint32_t i = 0; i < members; i++) {
        if (flow == PRVCUT_CLOCK_ALL || (flow == PRVCUT_CLOCK_TO_ROOT && i == root))
            w->now[i] = last;
        else if (flow == PRVCUT_CLOCK_FROM_ROOT && w->now[i] < w->now[root])
            w->now[i] = w->now[root];
        w->now[i] += 1 + draw(w, 500);
        ck_assert_int_eq(
            prvcut_clock_note_collective(w->notes, i, 3, members, flow,
                                         flow == PRVCUT_CLOCK_ALL ? PRVCUT_NOBODY : root, begin[i],
                                         seen(w, i), &w->err),
            PRVCUT_OK);
    }
}

static void solve(struct world *w)
{
    ck_assert_int_eq(prvcut_clocks_solve(&w->clocks, w->notes, &w->err), PRVCUT_OK);
}

/* Largest error of an offset against the truth, both taken relative to process 0. */
static uint64_t worst_error(const struct world *w, uint32_t tasks)
{
    uint64_t worst = 0;

    for (uint32_t i = 0; i < tasks; i++) {
        const int64_t e = (w->clocks.offset[i] - w->clocks.offset[0]) - (w->truth[i] - w->truth[0]);

        if ((uint64_t)llabs(e) > worst)
            worst = (uint64_t)llabs(e);
    }
    return worst;
}

static void check_shape(const struct world *w)
{
    int64_t least = INT64_MAX, most = INT64_MIN;

    for (uint32_t i = 0; i < TASKS; i++) {
        least = w->clocks.offset[i] < least ? w->clocks.offset[i] : least;
        most = w->clocks.offset[i] > most ? w->clocks.offset[i] : most;
    }
    ck_assert_int_eq(least, 0);
    ck_assert_int_eq(w->clocks.least, 0);
    ck_assert_int_eq(w->clocks.most, most);
}

START_TEST(test_solve_clocks_messages_undoes_skew)
{
    struct world w;

    world_init(&w, (unsigned)_i, 50000000);
    for (int k = 0; k < 2000; k++) {
        const uint32_t from = draw(&w, TASKS), to = draw(&w, TASKS);

        if (from != to)
            send(&w, from, to, (int64_t)draw(&w, 3));
    }
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_uint_eq(w.clocks.unknown, 0);
    ck_assert_int_eq(w.clocks.source, PRVCUT_CLOCK_SOURCE_MESSAGES);
    ck_assert_uint_gt(w.clocks.messages, 1000);
    check_shape(&w);
    /* The truth lies within the range of each. */
    ck_assert_uint_le(worst_error(&w, TASKS), w.clocks.doubt + 1);
    ck_assert_uint_lt(w.clocks.doubt, 100000);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_collectives_undoes_skew)
{
    struct world w;

    world_init(&w, (unsigned)_i + 100, 50000000);
    for (int k = 0; k < 30; k++)
        collective(&w, PRVCUT_CLOCK_ALL, 0, TASKS);
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_int_eq(w.clocks.source, PRVCUT_CLOCK_SOURCE_COLLECTIVES);
    ck_assert_uint_eq(w.clocks.collectives, 30);
    check_shape(&w);
    ck_assert_uint_le(worst_error(&w, TASKS), w.clocks.doubt + 1);
    ck_assert_uint_lt(w.clocks.doubt, 10000);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_rooted_collectives_bound_both_ways)
{
    struct world w;

    world_init(&w, (unsigned)_i + 200, 50000000);
    for (int k = 0; k < 20; k++) {
        collective(&w, PRVCUT_CLOCK_FROM_ROOT, 5, TASKS);
        collective(&w, PRVCUT_CLOCK_TO_ROOT, 5, TASKS);
    }
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_uint_le(worst_error(&w, TASKS), 2 * (w.clocks.doubt + 1));
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_agreeing_is_not_skewed)
{
    struct world w;

    world_init(&w, 5, 0);
    for (int k = 0; k < 500; k++)
        send(&w, (uint32_t)k % TASKS, (uint32_t)(k + 1) % TASKS, 1);
    collective(&w, PRVCUT_CLOCK_ALL, 0, TASKS);
    solve(&w);
    ck_assert(!w.clocks.skewed);
    ck_assert_ptr_null(w.clocks.offset);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_int_eq(w.clocks.source, PRVCUT_CLOCK_SOURCE_BOTH);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_untied_processes_are_unknown)
{
    struct world w;

    world_init(&w, 9, 50000000);
    for (int k = 0; k < 2000; k++)
        send(&w, draw(&w, 10), 10 + draw(&w, 6), 1), send(&w, 10 + draw(&w, 6), draw(&w, 10), 1);
    /* 16 and 17 know each other, 18.. nobody. */
    for (int k = 0; k < 50; k++)
        send(&w, 16, 17, 1), send(&w, 17, 16, 1);
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.unknown, TASKS - 16);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_uint_le(worst_error(&w, 16), w.clocks.doubt + 1);
    for (uint32_t i = 18; i < TASKS; i++)
        ck_assert_int_eq(w.clocks.offset[i], 0);
    ck_assert_int_lt(
        llabs((w.clocks.offset[17] - w.clocks.offset[16]) - (w.truth[17] - w.truth[16])), 100000);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_one_way_ties_contradict_nothing)
{
    struct world w;

    world_init(&w, 11, 50000000);
    for (int k = 0; k < 40; k++)
        for (uint32_t i = 0; i + 1 < TASKS; i++)
            if (i != 7)
                send(&w, i, i + 1, 1);
    /* Two chains that meet in one process. */
    for (int k = 0; k < 40; k++)
        send(&w, 7, TASKS - 1, 2);
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_uint_eq(w.clocks.unknown, 0);
    check_shape(&w);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_drift_leaves_the_least_residual)
{
    struct world w;
    struct prvcut_error err = { 0 };

    world_init(&w, 1, 0);
    /* 0's clock is first 10 ms before 1's, later 10.06 ms: no offset suits both. */
    prvcut_clock_note_send(w.notes, 0, 1, 1, 20000000, &err);
    prvcut_clock_note_receive(w.notes, 1, 0, 1, 10000000, &err);
    prvcut_clock_note_send(w.notes, 1, 0, 1, 20000000, &err);
    prvcut_clock_note_receive(w.notes, 0, 1, 1, 29940000, &err);
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 30000);
    ck_assert_int_eq(w.clocks.offset[1] - w.clocks.offset[0], 9970000);
    ck_assert_uint_eq(w.clocks.unknown, TASKS - 2);
    world_fini(&w);
}
END_TEST

/* One message of wrong ends, 20 ms backwards, would set clocks apart that a hundred agree on. */
START_TEST(test_solve_clocks_one_at_odds_with_all_is_not_believed)
{
    struct world w;
    struct prvcut_error err = { 0 };

    world_init(&w, 1, 0);
    prvcut_clock_note_send(w.notes, 0, 1, 1, 40000000, &err);
    prvcut_clock_note_receive(w.notes, 1, 0, 1, 20000000, &err);
    for (uint64_t k = 0; k < 100; k++) {
        prvcut_clock_note_send(w.notes, 1, 0, 2, 1000000 * k, &err);
        prvcut_clock_note_receive(w.notes, 0, 1, 2, 1000000 * k + 1000, &err);
    }
    solve(&w);
    ck_assert(!w.clocks.skewed);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_nonsense_is_not_believed)
{
    struct world w;
    struct prvcut_error err = { 0 };

    world_init(&w, 1, 0);
    prvcut_clock_note_send(w.notes, 0, 1, 1, UINT64_MAX, &err);
    prvcut_clock_note_receive(w.notes, 1, 0, 1, 0, &err);
    prvcut_clock_note_send(w.notes, 1, 0, 1, UINT64_MAX, &err);
    prvcut_clock_note_receive(w.notes, 0, 1, 1, 0, &err);
    solve(&w);
    ck_assert(!w.clocks.skewed);
    ck_assert_uint_gt(w.clocks.residual, 0);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_wrong_collectives_yield_to_messages)
{
    struct world w;

    world_init(&w, 21, 50000000);
    for (int k = 0; k < 3000; k++)
        send(&w, draw(&w, 12), 12 + draw(&w, 12), 1), send(&w, 12 + draw(&w, 12), draw(&w, 12), 1);
    /* Members disagree on which barrier is which. */
    for (uint32_t i = 0; i < TASKS; i++)
        for (uint64_t k = 0; k < 5; k++) {
            const uint64_t at = seen(&w, i) + (k + i % 3) * 100000000;

            prvcut_clock_note_collective(w.notes, i, 0, TASKS, PRVCUT_CLOCK_ALL, PRVCUT_NOBODY, at,
                                         at + 1000, &w.err);
        }
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_int_eq(w.clocks.source, PRVCUT_CLOCK_SOURCE_MESSAGES);
    ck_assert_uint_le(worst_error(&w, TASKS), w.clocks.doubt + 1);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_unlike_collectives_are_left_out)
{
    struct world w;

    world_init(&w, 23, 0);
    collective(&w, PRVCUT_CLOCK_ALL, 0, TASKS);
    for (uint32_t i = 0; i < TASKS; i++)
        prvcut_clock_note_collective(w.notes, i, 3, TASKS,
                                     i == 4 ? PRVCUT_CLOCK_ALL : PRVCUT_CLOCK_FROM_ROOT, 0,
                                     i * 1000000, i * 1000000 + 1, &w.err);
    solve(&w);
    ck_assert(!w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.collectives, 1);
    world_fini(&w);
}
END_TEST

START_TEST(test_solve_clocks_unrecorded_receives_do_no_harm)
{
    struct world w;

    world_init(&w, 31, 50000000);
    for (int k = 0; k < 4000; k++) {
        const uint32_t from = draw(&w, TASKS), to = (from + 1 + draw(&w, TASKS - 1)) % TASKS;

        if (draw(&w, 3) == 0) {
            w.now[from] += 1000;
            ck_assert_int_eq(prvcut_clock_note_send(w.notes, from, to, 1, seen(&w, from), &w.err),
                             PRVCUT_OK);
        } else {
            send(&w, from, to, 1);
        }
    }
    solve(&w);
    ck_assert(w.clocks.skewed);
    ck_assert_uint_eq(w.clocks.residual, 0);
    ck_assert_uint_le(worst_error(&w, TASKS), w.clocks.doubt + 1);
    world_fini(&w);
}
END_TEST

START_TEST(test_note_clocks_is_full_at_last)
{
    struct world w;
    uint64_t k = 0;

    world_init(&w, 1, 0);
    while (!prvcut_clock_notes_full(w.notes, 2) && k < 10000000)
        prvcut_clock_note_send(w.notes, 2, 3, 1, k++, &w.err);
    ck_assert_uint_lt(k, 1000000);
    ck_assert(!prvcut_clock_notes_full(w.notes, 3));
    ck_assert(prvcut_clock_notes_full(w.notes, TASKS));
    solve(&w);
    ck_assert(!w.clocks.skewed);
    world_fini(&w);
}
END_TEST

/* Sparse neighbours in a plane, many processes: must not take long. */
START_TEST(test_solve_clocks_many_processes)
{
    enum { SIDE = 180, MANY = SIDE * SIDE };
    struct prvcut_clock_notes *notes;
    struct prvcut_clocks clocks;
    struct prvcut_error err = { 0 };
    struct world w = { .seed = 77 };
    int64_t *truth = calloc(MANY, sizeof *truth);

    ck_assert_ptr_nonnull(truth);
    ck_assert_int_eq(prvcut_clock_notes_new(&notes, MANY, &err), PRVCUT_OK);
    for (uint32_t i = 0; i < MANY; i++)
        truth[i] = (int64_t)draw(&w, 1000000);
    for (uint32_t i = 0; i < MANY; i++)
        for (uint32_t side = 0; side < 4; side++) {
            const uint32_t step = side % 2 == 0 ? 1 : SIDE;
            const uint32_t to = (side < 2 ? i + step : i + MANY - step) % MANY;
            const uint64_t at = 1000000000 + draw(&w, 1000000);

            prvcut_clock_note_send(notes, i, to, side, at - (uint64_t)truth[i], &err);
            prvcut_clock_note_receive(notes, to, i, side,
                                      at + 1000 + draw(&w, 3000) - (uint64_t)truth[to], &err);
        }
    ck_assert_int_eq(prvcut_clocks_solve(&clocks, notes, &err), PRVCUT_OK);
    ck_assert(clocks.skewed);
    ck_assert_uint_eq(clocks.residual, 0);
    ck_assert_uint_eq(clocks.unknown, 0);
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_uint_le(
            (uint64_t)llabs((clocks.offset[i] - clocks.offset[0]) - (truth[i] - truth[0])),
            clocks.doubt + 1);
    prvcut_clocks_fini(&clocks);
    prvcut_clock_notes_free(notes);
    free(truth);
}
END_TEST

static Suite *clocks_suite(void)
{
    Suite *s = suite_create("clocks");
    TCase *t = tcase_create("clocks");

    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, test_solve_clocks_messages_undoes_skew, 0, 20);
    tcase_add_loop_test(t, test_solve_clocks_collectives_undoes_skew, 0, 20);
    tcase_add_loop_test(t, test_solve_clocks_rooted_collectives_bound_both_ways, 0, 5);
    tcase_add_test(t, test_solve_clocks_agreeing_is_not_skewed);
    tcase_add_test(t, test_solve_clocks_untied_processes_are_unknown);
    tcase_add_test(t, test_solve_clocks_one_way_ties_contradict_nothing);
    tcase_add_test(t, test_solve_clocks_drift_leaves_the_least_residual);
    tcase_add_test(t, test_solve_clocks_one_at_odds_with_all_is_not_believed);
    tcase_add_test(t, test_solve_clocks_nonsense_is_not_believed);
    tcase_add_test(t, test_solve_clocks_wrong_collectives_yield_to_messages);
    tcase_add_test(t, test_solve_clocks_unlike_collectives_are_left_out);
    tcase_add_test(t, test_solve_clocks_unrecorded_receives_do_no_harm);
    tcase_add_test(t, test_note_clocks_is_full_at_last);
    tcase_add_test(t, test_solve_clocks_many_processes);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(clocks_suite());
}
