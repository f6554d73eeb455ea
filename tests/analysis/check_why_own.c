/* What a thread does itself: several things at once; on its own borders, whatever the others do. */
#include "tests/analysis/why_made.h"

#include <math.h>

/* A thread computes more, and loses its processor: each is told with its own time, and together
   they explain it though neither does by half. */
START_TEST(test_two_at_once)
{
    static const double lost[] = { 0.4, 0.55 };
    struct prvcut_why w;
    double *a, grows;

    fill(true);
    a = slow_down(true);
    grows = (a[PRVCUT_WHY_COMPUTING] + (1 - lost[_i]) * LONGER) / a[PRVCUT_WHY_COMPUTING];
    computes(a, LONGER);
    a[PRVCUT_WHY_INSTRUCTIONS] *= grows;
    a[PRVCUT_WHY_CYCLES] *= grows;
    a[PRVCUT_WHY_STOLEN] = lost[_i] * LONGER;
    length[SLOW] += 0.15 * LONGER;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const bool stolen = i == (lost[_i] > 0.5 ? 0 : 1);

        ck_assert_int_eq(w.one[i].cause,
                         stolen ? PRVCUT_SLOW_PREEMPTION : PRVCUT_SLOW_INSTRUCTIONS);
        ck_assert_uint_eq(w.one[i].thread, LATE);
        ck_assert_double_eq_tol(w.one[i].ns, (stolen ? lost[_i] : 1 - lost[_i]) * LONGER,
                                0.05 * LONGER);
    }
}
END_TEST

/* Why the one computes longer on its own borders, whatever the others do at that time. */
START_TEST(test_own_reason)
{
    static const enum prvcut_slow how[] = { PRVCUT_SLOW_INSTRUCTIONS, PRVCUT_SLOW_IPC,
                                            PRVCUT_SLOW_PREEMPTION, PRVCUT_SLOW_INSTRUCTIONS };
    const double lost = _i == 2 ? 1 : _i == 3 ? 0.4 : 0;
    struct prvcut_why_usual usual;
    struct prvcut_why_own own;
    double room[ITERATIONS], grows, *a = at[SLOW][LATE];

    fill(true);
    for (size_t i = 0; i < ITERATIONS; i++)
        for (size_t t = 0; t < THREADS; t++)
            at[i][t][PRVCUT_WHY_LENGTH] = length[i];
    grows = (a[PRVCUT_WHY_OWN] + (1 - lost) * LONGER) / a[PRVCUT_WHY_OWN];
    a[PRVCUT_WHY_LENGTH] += LONGER;
    a[PRVCUT_WHY_OWN] += LONGER;
    a[PRVCUT_WHY_STOLEN] = lost * LONGER;
    a[PRVCUT_WHY_CYCLES] *= grows;
    a[PRVCUT_WHY_INSTRUCTIONS] *= _i == 1 ? 1 : grows;
    ck_assert_int_eq(prvcut_why_usual_init(&usual, &table, &error), PRVCUT_OK);
    own = prvcut_why_own_of(&table, &usual, SLOW, 5, room);
    prvcut_why_usual_fini(&usual);
    ck_assert_uint_eq(own.thread, LATE);
    ck_assert_int_eq(own.how, how[_i]);
    ck_assert_double_eq_tol(own.stolen, _i == 3 ? 0.4 * LONGER : 0, 0.01 * LONGER);
}
END_TEST

/* Of threads whose own iteration is longer than theirs vary: the one that computes longer itself,
   not the one that is longest as it waits for it. */
START_TEST(test_own)
{
    struct prvcut_why_usual usual;
    struct prvcut_why_own own;
    double room[ITERATIONS];

    fill(true);
    for (size_t i = 0; i < ITERATIONS; i++)
        for (size_t t = 0; t < THREADS; t++)
            at[i][t][PRVCUT_WHY_LENGTH] = length[i];
    ck_assert_int_eq(prvcut_why_usual_init(&usual, &table, &error), PRVCUT_OK);
    own = prvcut_why_own_of(&table, &usual, SLOW, 5, room);
    ck_assert(!(own.longer > 0));
    at[SLOW][LATE][PRVCUT_WHY_LENGTH] += LONGER;
    at[SLOW][LATE][PRVCUT_WHY_OWN] += LONGER;
    at[SLOW][LATE + 1][PRVCUT_WHY_LENGTH] += 1.1 * LONGER;
    own = prvcut_why_own_of(&table, &usual, SLOW, 5, room);
    ck_assert_uint_eq(own.thread, LATE);
    ck_assert_double_eq_tol(own.longer, LONGER, 0.02 * USUAL);
    ck_assert_double_eq_tol(own.computes, LONGER, 0.02 * USUAL);
    at[SLOW][LATE][PRVCUT_WHY_OWN] -= LONGER;
    own = prvcut_why_own_of(&table, &usual, SLOW, 5, room);
    ck_assert_uint_eq(own.thread, LATE + 1);
    at[SLOW][LATE][PRVCUT_WHY_OUTSIDE] += LONGER;
    at[SLOW][LATE][PRVCUT_WHY_OWN_FLUSHING] += 0.6 * LONGER;
    own = prvcut_why_own_of(&table, &usual, SLOW, 5, room);
    ck_assert_uint_eq(own.thread, LATE);
    ck_assert_double_eq_tol(own.itself, LONGER, 0.02 * USUAL);
    ck_assert_double_eq_tol(own.flushes, 0.6 * LONGER, 0.02 * USUAL);
    ck_assert_double_eq_tol(prvcut_why_idle(&table, &usual, SLOW, LATE), 0.4 * LONGER,
                            0.02 * USUAL);
    prvcut_why_usual_fini(&usual);
}
END_TEST

static Suite *own_suite(void)
{
    Suite *s = suite_create("why_own");
    TCase *c = tcase_create("why_own");

    tcase_add_loop_test(c, test_two_at_once, 0, 2);
    tcase_add_loop_test(c, test_own_reason, 0, 4);
    tcase_add_test(c, test_own);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(own_suite());
}
