#include "model/clock_drift.h"
#include "tests/support/runner.h"

#include <stdlib.h>

enum { TASKS = 4, MESSAGES = 40000 };

#define END UINT64_C(20000000000)

/* Clocks that run at rates of their own; one is set on the way. */
struct world {
    struct prvcut_drift_notes *notes;
    struct prvcut_drift drift;
    struct prvcut_error err;
    int64_t step;
    unsigned seed;
};

static uint32_t draw(struct world *w, uint32_t below)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (w->seed >> 8) % below;
}

/* What a rank's clock shows at a true time. */
static uint64_t seen(const struct world *w, uint32_t task, uint64_t time)
{
    static const double rate[TASKS] = { 0, 40e-6, -30e-6, 15e-6 };
    static const uint64_t from[TASKS] = { 5000000, 800000, 2500000, 1200000 };

    return time + from[task] + (uint64_t)(int64_t)(rate[task] * (double)time) +
           (uint64_t)(task == 2 && time > END / 3 ? w->step : 0);
}

/* The same messages each time: count those that contradict with the clocks as they are then. */
static size_t each_message(struct world *w, bool note)
{
    size_t wrong = 0;

    w->seed = 7;
    for (uint64_t i = 0; i < MESSAGES; i++) {
        const uint64_t sent = END / MESSAGES * i + draw(w, 100000);
        const uint32_t from = draw(w, TASKS), to = (from + 1 + draw(w, TASKS - 1)) % TASKS;
        const uint64_t got = sent + 5000 + draw(w, 200000);
        const uint64_t at = seen(w, from, sent), then = seen(w, to, got);

        if (note)
            ck_assert_int_eq(prvcut_drift_note(w->notes, from, at, to, then, &w->err), PRVCUT_OK);
        else if (w->drift.knots > 0)
            wrong +=
                prvcut_drift_time(&w->drift, from, at) > prvcut_drift_time(&w->drift, to, then);
        else
            wrong += at > then;
    }
    return wrong;
}

static void solve(struct world *w, int64_t step)
{
    w->step = step;
    ck_assert_int_eq(prvcut_drift_notes_new(&w->notes, TASKS, END, &w->err), PRVCUT_OK);
    each_message(w, true);
    ck_assert_int_eq(prvcut_drift_solve(&w->drift, w->notes, &w->err), PRVCUT_OK);
}

static void release(struct world *w)
{
    prvcut_drift_notes_free(w->notes);
    prvcut_drift_fini(&w->drift);
}

START_TEST(test_clocks_that_drift_are_bent)
{
    struct world w = { .seed = 0 };
    const size_t before = each_message(&w, false);
    int64_t worst = 0;

    solve(&w, 0);
    ck_assert_uint_gt(before, MESSAGES / 4);
    ck_assert_uint_ge(w.drift.knots, 16);
    ck_assert_uint_le(each_message(&w, false), MESSAGES / 1000);
    /* As far apart as they are, within what messages leave. */
    for (uint64_t time = END / 10; time < END / 10 * 9; time += END / 100)
        for (uint32_t i = 1; i < TASKS; i++) {
            const int64_t off = (int64_t)(prvcut_drift_time(&w.drift, i, seen(&w, i, time)) -
                                          prvcut_drift_time(&w.drift, 0, seen(&w, 0, time)));

            worst = llabs(off) > worst ? llabs(off) : worst;
        }
    ck_assert_int_le(worst, (int64_t)w.drift.doubt + 40000);
    ck_assert_uint_lt(w.drift.doubt, 150000);
    release(&w);
}
END_TEST

START_TEST(test_a_clock_that_is_set_keeps_the_others)
{
    struct world w = { .seed = 0 };

    solve(&w, 2000000);
    ck_assert_uint_le(each_message(&w, false), MESSAGES / 25);
    release(&w);
}
END_TEST

START_TEST(test_times_keep_their_order_and_come_back)
{
    struct world w = { .seed = 0 };

    solve(&w, 2000000);
    for (uint32_t i = 0; i < TASKS; i++) {
        uint64_t last = 0;

        for (uint64_t time = 0; time < END; time += 7654321) {
            const uint64_t bent = prvcut_drift_time(&w.drift, i, time);
            const uint64_t given = prvcut_drift_given(&w.drift, i, bent);

            ck_assert_uint_ge(bent, time);
            ck_assert(time == 0 || bent > last);
            ck_assert_uint_ge(given, time);
            ck_assert_uint_le(given, time + 1);
            last = bent;
        }
    }
    release(&w);
}
END_TEST

START_TEST(test_clocks_that_agree_are_not_touched)
{
    struct world w = { .seed = 0 };

    ck_assert_int_eq(prvcut_drift_notes_new(&w.notes, 2, END, &w.err), PRVCUT_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_int_eq(prvcut_drift_note(w.notes, 0, i * 1000, 1, i * 1000 + 10, &w.err),
                         PRVCUT_OK);
        ck_assert_int_eq(prvcut_drift_note(w.notes, 1, i * 1000, 0, i * 1000 + 10, &w.err),
                         PRVCUT_OK);
    }
    ck_assert_int_eq(prvcut_drift_solve(&w.drift, w.notes, &w.err), PRVCUT_OK);
    ck_assert_uint_eq(w.drift.knots, 0);
    release(&w);
}
END_TEST

/* Whatever is done, one of each two is wrong: nothing is done. */
START_TEST(test_contradictions_that_nothing_helps_stay)
{
    struct world w = { .seed = 0 };

    ck_assert_int_eq(prvcut_drift_notes_new(&w.notes, 2, END, &w.err), PRVCUT_OK);
    for (uint64_t i = 1; i < 20000; i++) {
        ck_assert_int_eq(prvcut_drift_note(w.notes, 0, i * 1000000, 1, i * 1000000 - 9000, &w.err),
                         PRVCUT_OK);
        ck_assert_int_eq(prvcut_drift_note(w.notes, 1, i * 1000000, 0, i * 1000000 - 9000, &w.err),
                         PRVCUT_OK);
    }
    ck_assert_int_eq(prvcut_drift_solve(&w.drift, w.notes, &w.err), PRVCUT_OK);
    ck_assert_uint_eq(w.drift.knots, 0);
    release(&w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("clock_drift");
    TCase *t = tcase_create("all");

    tcase_add_test(t, test_clocks_that_drift_are_bent);
    tcase_add_test(t, test_a_clock_that_is_set_keeps_the_others);
    tcase_add_test(t, test_times_keep_their_order_and_come_back);
    tcase_add_test(t, test_clocks_that_agree_are_not_touched);
    tcase_add_test(t, test_contradictions_that_nothing_helps_stay);
    suite_add_tcase(s, t);
    return run_suite(s);
}
