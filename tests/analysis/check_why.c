/* Why an iteration is slow: one cause is planted in each of many random runs, and must be named. */
#include "tests/analysis/why_made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check_one(enum prvcut_slow cause)
{
    const struct prvcut_why w = why(SLOW);

    ck_assert_uint_eq(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, cause);
    ck_assert_uint_eq(w.one[0].thread, LATE);
    ck_assert_uint_eq(w.one[0].threads, 1);
    ck_assert_double_eq_tol(w.one[0].ns, LONGER, 0.05 * LONGER);
    ck_assert_double_eq_tol(w.excess, LONGER, 0.05 * LONGER);
    ck_assert(w.one[0].share > 0.9);
}

START_TEST(test_time_of_the_tracer)
{
    fill(_i & 1);
    slow_down(true)[_i & 2 ? PRVCUT_WHY_FLUSHING : PRVCUT_WHY_OFF] = LONGER;
    check_one(_i & 2 ? PRVCUT_SLOW_FLUSH : PRVCUT_SLOW_OFF);
}
END_TEST

START_TEST(test_computes_longer)
{
    static const enum prvcut_slow cause[] = {
        PRVCUT_SLOW_COMPUTING, PRVCUT_SLOW_PREEMPTION, PRVCUT_SLOW_INSTRUCTIONS,
        PRVCUT_SLOW_IPC,       PRVCUT_SLOW_CLOCK,
    };
    double *a, longer;

    fill(_i > 0);
    a = slow_down(true);
    longer = (a[PRVCUT_WHY_COMPUTING] + LONGER) / a[PRVCUT_WHY_COMPUTING];
    a[PRVCUT_WHY_COMPUTING] += LONGER;
    /* On its own borders that may be the iteration before. */
    a = at[SLOW - _i % 2][LATE];
    a[PRVCUT_WHY_OWN] += LONGER;
    a[PRVCUT_WHY_STOLEN] = _i == 1 ? LONGER : 0;
    a[PRVCUT_WHY_INSTRUCTIONS] *= _i == 2 ? longer : 1;
    a[PRVCUT_WHY_CYCLES] *= _i == 2 || _i == 3 ? longer : 1;
    check_one(cause[_i]);
}
END_TEST

/* All compute as usual and are longer in a call. */
START_TEST(test_call)
{
    struct prvcut_why w;

    fill(true);
    slow_down(false);
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_COLUMNS + 2] += t == LATE ? LONGER : 0.6 * LONGER;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_CALL);
    ck_assert_uint_eq(w.one[0].call, 2);
    ck_assert_uint_eq(w.one[0].thread, LATE);
    ck_assert_uint_eq(w.one[0].threads, THREADS);
}
END_TEST

/* One thread is longer in a call of its own; the others wait for it, in one call or in two, both of
   which are told, the one that more wait in first. Where as many wait in one as in another, only
   that the call of its own waits for nobody tells it. */
START_TEST(test_others_wait)
{
    static const bool alone[CALLS] = { true };
    static const struct {
        size_t until; /* threads before that wait in the second call, the others in the third */
        bool alone;
    } cases[] = { { 0, false }, { THREADS, false }, { 0, true }, { 1, true },
                  { 2, true },  { 4, true },        { 5, true }, { THREADS, true } };
    struct prvcut_why_table some = table;
    uint32_t waits[2] = { 0 };
    struct prvcut_why w;

    fill(true);
    slow_down(false);
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_COLUMNS + (t == LATE             ? 0
                                          : t < cases[_i].until ? 1
                                                                : 2)] +=
            t == LATE ? (rand() % 2 ? 1.02 : 0.98) * LONGER : LONGER;
    some.alone = cases[_i].alone ? alone : NULL;
    w = why_of(&some, SLOW);
    for (size_t t = 0; t < THREADS; t++)
        if (t != LATE)
            waits[t < cases[_i].until ? 0 : 1]++;
    ck_assert_uint_eq(w.count, 1U + (waits[0] > 0) + (waits[1] > 0));
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_CALL);
    ck_assert_uint_eq(w.one[0].call, 0);
    ck_assert_uint_eq(w.one[0].thread, LATE);
    ck_assert_uint_eq(w.one[0].threads, 1);
    ck_assert(!w.one[0].meanwhile);
    for (size_t i = 1; i < w.count; i++) {
        ck_assert_int_eq(w.one[i].cause, PRVCUT_SLOW_CALL);
        ck_assert(w.one[i].meanwhile);
        ck_assert(w.one[i].call == 1 || w.one[i].call == 2);
        ck_assert_uint_eq(w.one[i].threads, waits[w.one[i].call - 1]);
        ck_assert_uint_eq(w.one[i].others, waits[w.one[i].call - 1] - 1);
        ck_assert_double_eq_tol(w.one[i].ns, LONGER, 0.05 * LONGER);
        ck_assert(i == 1 ||
                  (w.one[i].call != w.one[i - 1].call && w.one[i].threads <= w.one[i - 1].threads));
    }
}
END_TEST

/* Of three groups the two of the most threads are told, of as many the one that waits longest
   first; who waits for less than half of the excess is in none. */
START_TEST(test_groups)
{
    static const bool alone[CALLS] = { true };
    static const size_t in[THREADS] = { 1, 3, 0, 3, 1, 4 }; /* which call each is longer in */
    static const double ns[2][THREADS] = { { 0.98, 1.02, 1, 1, 1, 1.05 },
                                           { 0.4, 1.02, 1, 1, 0.4, 1.05 } };
    struct prvcut_why_table some = table;
    struct prvcut_why w;

    some.alone = alone;
    fill(true);
    slow_down(false);
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_COLUMNS + in[t]] += ns[_i][t] * LONGER;
    w = why_of(&some, SLOW);
    ck_assert_uint_eq(w.count, 1 + PRVCUT_WHY_GROUPS);
    ck_assert_uint_eq(w.one[0].call, 0);
    ck_assert_uint_eq(w.one[1].call, 3);
    ck_assert_uint_eq(w.one[1].thread, 1);
    ck_assert_uint_eq(w.one[1].threads, 2);
    ck_assert_uint_eq(w.one[2].call, _i == 0 ? 1 : 4);
    ck_assert_uint_eq(w.one[2].thread, _i == 0 ? 4 : 5);
    ck_assert(!w.one[0].meanwhile && w.one[1].meanwhile && w.one[2].meanwhile);
}
END_TEST

/* Two thirds computing on one, a fifth flushed on another: both, the larger first. */
START_TEST(test_two_causes)
{
    struct prvcut_why w;

    fill(false);
    computes(slow_down(true), 0.7 * LONGER);
    at[SLOW][LATE + 1][PRVCUT_WHY_FLUSHING] = 0.2 * LONGER;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 2);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_COMPUTING);
    ck_assert_int_eq(w.one[1].cause, PRVCUT_SLOW_FLUSH);
    ck_assert_uint_eq(w.one[1].thread, LATE + 1);
    ck_assert_double_eq_tol(w.one[1].share, 0.2, 0.01);
}
END_TEST

/* Two compute longer, each for a reason of its own: each is told with it, and with those of the
 * same. */
START_TEST(test_two_reasons)
{
    static const double longer[THREADS] = {
        0.9 * LONGER, 0, LONGER, 0.8 * LONGER, 0, 0.3 * LONGER
    };
    struct prvcut_why w;

    fill(true);
    slow_down(true);
    for (size_t t = 0; t < THREADS; t++) {
        double *a = at[SLOW][t];
        const double grows = (a[PRVCUT_WHY_COMPUTING] + longer[t]) / a[PRVCUT_WHY_COMPUTING];

        computes(a, longer[t]);
        a[PRVCUT_WHY_CYCLES] *= t == LATE || t == 5 ? grows : 1;
        a[PRVCUT_WHY_STOLEN] = t == LATE || t == 5 ? 0 : longer[t];
    }
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(w.one[i].cause, i == 0 ? PRVCUT_SLOW_IPC : PRVCUT_SLOW_PREEMPTION);
        ck_assert_uint_eq(w.one[i].thread, i == 0 ? LATE : 0);
        ck_assert(w.one[i].others == 1 && w.one[i].other[0] == (i == 0 ? 5 : 3));
    }
}
END_TEST

/* In a row with what one thread computes longer, all are longer in a call: that thread itself tells
   how much. Not where another thread computes longer, too: that one is who it waits for. */
START_TEST(test_in_a_row)
{
    struct prvcut_why w;

    fill(false);
    computes(slow_down(true), 0.6 * LONGER);
    at[SLOW][LATE][PRVCUT_WHY_COLUMNS + 1] += 0.4 * LONGER;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 2);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_COMPUTING);
    ck_assert_int_eq(w.one[1].cause, PRVCUT_SLOW_CALL);
    ck_assert_uint_eq(w.one[1].call, 1);
    ck_assert_uint_eq(w.one[1].thread, LATE);
    ck_assert_uint_eq(w.one[1].threads, 1);
    ck_assert_double_eq_tol(w.one[1].share, 0.4, 0.1);
    computes(at[SLOW][LATE + 1], 0.4 * LONGER);
    ck_assert_uint_eq(why(SLOW).count, 1);
}
END_TEST

/* A thread that is ahead computes some of its next iteration while the others are late. */
START_TEST(test_ahead)
{
    struct prvcut_why w;

    fill(true);
    slow_down(false)[PRVCUT_WHY_COMPUTING] += LONGER;
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_COLUMNS + 2] += t == LATE ? 0 : LONGER;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_CALL);
    ck_assert_uint_eq(w.one[0].call, 2);
}
END_TEST

/* What it computes longer may lie before it begins its first iteration: as far as it begins that
   later than usual, and by what counters count there. */
START_TEST(test_lag)
{
    static const struct {
        double lag, outside, computing, instructions, cycles; /* of what is usual a nanosecond */
        enum prvcut_slow cause;
    } cases[] = {
        { 1, 1, 1, 1, 1, PRVCUT_SLOW_INSTRUCTIONS },   { 1, 1, 1, 0.4, 1, PRVCUT_SLOW_IPC },
        { 1, 1, 1, 0.4, 0.4, PRVCUT_SLOW_PREEMPTION }, { 1, 1, 1, 0, 0, PRVCUT_SLOW_COMPUTING },
        { 1, 0, 0, 0, 0, PRVCUT_SLOW_CALL },           { 0, 1, 1, 1, 1, PRVCUT_SLOW_CALL },
    };
    double *a;
    struct prvcut_why w;

    fill(true);
    for (size_t i = 0; i < ITERATIONS; i++)
        at[i][LATE][PRVCUT_WHY_LAG] = 0.1 * USUAL;
    a = slow_down(true);
    a[PRVCUT_WHY_COMPUTING] += LONGER;
    a[PRVCUT_WHY_LAG] += cases[_i].lag * LONGER;
    a[PRVCUT_WHY_LAG_OUTSIDE] = cases[_i].outside * LONGER;
    a[PRVCUT_WHY_LAG_COMPUTING] = cases[_i].computing * LONGER;
    a[PRVCUT_WHY_LAG_INSTRUCTIONS] = cases[_i].instructions * LONGER * 1e7 / (0.7 * USUAL);
    a[PRVCUT_WHY_LAG_CYCLES] = cases[_i].cycles * LONGER * 2;
    w = why(SLOW);
    ck_assert_uint_ge(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, cases[_i].cause);
    ck_assert(w.one[0].cause == PRVCUT_SLOW_CALL || w.one[0].thread == LATE);
}
END_TEST

/* A thread is late for a reason of this iteration; the one behind it lost more. */
START_TEST(test_not_the_next_one)
{
    double *a;
    struct prvcut_why w;

    fill(true);
    a = slow_down(true);
    computes(a, LONGER);
    a[PRVCUT_WHY_INSTRUCTIONS] *= 1 + LONGER / (0.7 * USUAL);
    a[PRVCUT_WHY_CYCLES] += 2 * LONGER;
    a = at[SLOW + 1][LATE];
    length[SLOW + 1] += 8 * LONGER;
    computes(a, 8 * LONGER);
    a[PRVCUT_WHY_STOLEN] += 8 * LONGER;
    check_one(PRVCUT_SLOW_INSTRUCTIONS);
    w = why(SLOW + 1);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_PREEMPTION);
    ck_assert_double_eq_tol(w.one[0].ns, 8 * LONGER, 1);
}
END_TEST

/* All lose a little, one much: that is no lower clock. */
START_TEST(test_one_lost_most)
{
    fill(true);
    computes(slow_down(true), LONGER);
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_STOLEN] += t == LATE ? LONGER : 0.2 * LONGER;
    check_one(PRVCUT_SLOW_PREEMPTION);
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_STOLEN] = LONGER;
    check_one(PRVCUT_SLOW_CLOCK);
}
END_TEST

START_TEST(test_not_explained)
{
    struct prvcut_why w;

    fill(true);
    slow_down(false);
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_UNKNOWN);
    /* A part of it is told behind that. */
    at[SLOW][LATE][PRVCUT_WHY_FLUSHING] = 0.3 * LONGER;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 2);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_UNKNOWN);
    ck_assert_int_eq(w.one[1].cause, PRVCUT_SLOW_FLUSH);
}
END_TEST

/* A thread that computes less waits so much longer, and that is not why: a call is in which all are
   longer. It does not compute as usual; nor does one by a fifth of the excess, if that is seldom.
 */
START_TEST(test_less_waits)
{
    const double less = _i == 0 ? 3 * LONGER : 0.2 * LONGER;
    struct prvcut_why w;

    fill(true);
    slow_down(false);
    for (size_t t = 0; t < THREADS; t++)
        at[SLOW][t][PRVCUT_WHY_COLUMNS + 2] += LONGER;
    computes(at[SLOW][LATE], -less);
    at[SLOW][LATE][PRVCUT_WHY_COLUMNS + 1] += less;
    w = why(SLOW);
    ck_assert_uint_eq(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, PRVCUT_SLOW_CALL);
    ck_assert_uint_eq(w.one[0].call, 2);
    ck_assert_uint_eq(w.one[0].threads, THREADS);
    ck_assert(!w.one[0].as_usual);
    for (size_t i = 0; i < ITERATIONS; i += 8)
        at[i][LATE][PRVCUT_WHY_COMPUTING] += 2 * less;
    ck_assert(why(SLOW).one[0].as_usual == (_i == 1));
}
END_TEST

/* Ranks wait for each other on an ideal network, too; not where that is not known, where it is less
   than half, or where somebody is late that does something else. */
START_TEST(test_order)
{
    static const struct {
        double ideal, outside; /* ns longer */
        size_t late;           /* iteration of that */
        double computing;      /* ns longer, at one time for all */
        enum prvcut_slow cause;
    } cases[] = {
        { 0.9 * LONGER, 0, SLOW, 0, PRVCUT_SLOW_ORDER },
        { 0.9 * LONGER, 0.4 * LONGER, SLOW, 0, PRVCUT_SLOW_ORDER },
        { 0.4 * LONGER, 0, SLOW, 0, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, 0.9 * LONGER, SLOW, 0, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, 0.9 * LONGER, SLOW - 1, 0, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, 0.9 * LONGER, SLOW - 2, 0, PRVCUT_SLOW_ORDER },
        { NAN, 0, SLOW, 0, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, -0.9 * LONGER, SLOW, 0, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, -0.9 * LONGER, SLOW - 1, 0, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, 0, SLOW, 0.4 * LONGER, PRVCUT_SLOW_ORDER },
        { 0.9 * LONGER, 0, SLOW, 0.6 * LONGER, PRVCUT_SLOW_CALL },
        { 0.9 * LONGER, 0, SLOW, -0.6 * LONGER, PRVCUT_SLOW_CALL },
    };
    double ideal[ITERATIONS];
    struct prvcut_why_table t = table;
    struct prvcut_why w;

    fill(true);
    for (size_t i = 0; i < ITERATIONS; i++) {
        ideal[i] = 0.8 * length[i];
        for (size_t k = 0; k < THREADS; k++)
            at[i][k][PRVCUT_WHY_OUTSIDE] = at[i][k][PRVCUT_WHY_COMPUTING];
    }
    (void)slow_down(true);
    ideal[SLOW] += cases[_i].ideal;
    at[cases[_i].late][LATE][PRVCUT_WHY_OUTSIDE] += cases[_i].outside;
    at[SLOW][LATE][PRVCUT_WHY_COMPUTING] += cases[_i].computing;
    t.ideal = isnan(cases[_i].ideal) ? NULL : ideal;
    w = why_of(&t, SLOW);
    ck_assert_uint_eq(w.count, 1);
    ck_assert_int_eq(w.one[0].cause, cases[_i].cause);
    ck_assert(w.one[0].cause != PRVCUT_SLOW_ORDER ||
              w.one[0].as_usual == (cases[_i].computing == 0));
    ck_assert(prvcut_why_may_be_order(&w) == (cases[_i].cause != PRVCUT_SLOW_ORDER));
    if (cases[_i].cause == PRVCUT_SLOW_ORDER) {
        ck_assert_double_eq_tol(w.one[0].ns, cases[_i].ideal, 0.05 * LONGER);
        ck_assert_double_eq_tol(w.one[0].share, 0.9, 0.05);
        ck_assert_double_eq_tol(w.one[0].usual, 0.8 * USUAL, 0.02 * USUAL);
    }
}
END_TEST

/* All compute longer, which an ideal network tells, too. Where they usually compute one after the
   other that is why, together; where they do so at the same time it is the order of waiting. */
START_TEST(test_one_after_the_other)
{
    double ideal[ITERATIONS];
    struct prvcut_why_table t = table;
    struct prvcut_why w;

    fill(true);
    for (size_t i = 0; i < ITERATIONS; i++) {
        ideal[i] = length[i];
        for (size_t k = 0; k < THREADS && _i == 0; k++) {
            at[i][k][PRVCUT_WHY_COMPUTING] *= 0.2;
            at[i][k][PRVCUT_WHY_OWN] *= 0.2;
        }
    }
    slow_down(false);
    ideal[SLOW] += LONGER;
    for (size_t k = 0; k < THREADS; k++) {
        computes(at[SLOW][k], LONGER / THREADS);
        at[SLOW][k][PRVCUT_WHY_COLUMNS] += LONGER - LONGER / THREADS;
    }
    t.ideal = ideal;
    w = why_of(&t, SLOW);
    ck_assert_int_eq(w.one[0].cause == PRVCUT_SLOW_ORDER, _i == 1);
    ck_assert_int_eq(w.one[0].in_a_row, _i == 0);
    ck_assert(w.one[0].share > 0.9 && (_i == 1 || (w.count == 1 && w.one[0].threads == THREADS)));
}
END_TEST

/* What is no longer than usual has no cause; what is disturbed says nothing of what is usual. */
START_TEST(test_usual)
{
    bool clear[ITERATIONS];
    struct prvcut_why_table some = table;
    struct prvcut_why_usual usual;
    size_t shortest = 0;

    fill(true);
    for (size_t i = 0; i < ITERATIONS; i++)
        shortest = length[i] < length[shortest] ? i : shortest;
    ck_assert_uint_eq(why(shortest).count, 0);
    for (size_t i = 0; i < ITERATIONS; i++) {
        clear[i] = i < 5;
        length[i] *= clear[i] ? 1 : 3;
    }
    some.clear = clear;
    ck_assert_int_eq(prvcut_why_usual_init(&usual, &some, &error), PRVCUT_OK);
    ck_assert_double_eq_tol(usual.length, USUAL, 0.02 * USUAL);
    prvcut_why_usual_fini(&usual);
}
END_TEST

/* Of a shorter one it is told what all threads do less of, in the mean. */
START_TEST(test_less)
{
    struct prvcut_why_usual usual;
    struct prvcut_why_less less;

    for (size_t column = 0; column < 2; column++) {
        fill(true);
        for (size_t t = 0; t < THREADS; t++)
            at[SLOW][t][column == 0 ? PRVCUT_WHY_COMPUTING : PRVCUT_WHY_COLUMNS + 1] -=
                t == LATE ? 2 * LONGER : LONGER;
        length[SLOW] -= LONGER;
        ck_assert_int_eq(prvcut_why_usual_init(&usual, &table, &error), PRVCUT_OK);
        less = prvcut_why_less_of(&table, &usual, SLOW);
        prvcut_why_usual_fini(&usual);
        ck_assert_uint_eq(less.column,
                          column == 0 ? (size_t)PRVCUT_WHY_COMPUTING : PRVCUT_WHY_COLUMNS + 1);
        ck_assert_double_eq_tol(less.ns, (1 + 1.0 / THREADS) * LONGER, 0.1 * LONGER);
    }
}
END_TEST

static Suite *why_suite(void)
{
    Suite *s = suite_create("why");
    TCase *c = tcase_create("why");

    tcase_add_loop_test(c, test_time_of_the_tracer, 0, 4);
    tcase_add_loop_test(c, test_computes_longer, 0, 5);
    tcase_add_test(c, test_call);
    tcase_add_loop_test(c, test_others_wait, 0, 8);
    tcase_add_loop_test(c, test_groups, 0, 2);
    tcase_add_test(c, test_two_causes);
    tcase_add_test(c, test_two_reasons);
    tcase_add_test(c, test_in_a_row);
    tcase_add_test(c, test_ahead);
    tcase_add_loop_test(c, test_lag, 0, 6);
    tcase_add_test(c, test_not_the_next_one);
    tcase_add_test(c, test_one_lost_most);
    tcase_add_test(c, test_not_explained);
    tcase_add_loop_test(c, test_order, 0, 12);
    tcase_add_loop_test(c, test_one_after_the_other, 0, 2);
    tcase_add_loop_test(c, test_less_waits, 0, 2);
    tcase_add_test(c, test_usual);
    tcase_add_test(c, test_less);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(why_suite());
}
