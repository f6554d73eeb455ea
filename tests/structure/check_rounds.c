/*
 * Rounds of a loop in what may be a loop around it: a solver that goes on until it has converged,
 * or steps with something that comes at any distances.
 */
#include "runner.h"
#include "structure/rounds.h"
#include "structure/separate_rounds.h"

#include <time.h>

enum { ROUNDS_MOST = 4000, SEEDS = 20 };

/** What is made: rounds of some calls, and after any number of them something more. */
struct made {
    unsigned calls, more;   /* of a round, and of what comes behind some of them */
    unsigned least, most;   /* rounds from one to the next */
    unsigned marks;         /* so many times */
    unsigned before, after; /* rounds that nothing follows, at the end; calls before the first */
    bool uneven;            /* a round makes any number of calls */
};

static uint32_t mark[ROUNDS_MOST], begin[ROUNDS_MOST];
static size_t marks, begins;

static unsigned between(unsigned *seed, unsigned least, unsigned most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return least + (*seed >> 8) % (most - least + 1);
}

static void make(const struct made *m, unsigned seed)
{
    uint32_t at = m->before;

    marks = begins = 0;
    for (unsigned k = 0; k <= m->marks; k++) {
        const unsigned rounds = k < m->marks ? between(&seed, m->least, m->most) : m->after;

        for (unsigned i = 0; i < rounds; i++) {
            begin[begins++] = at;
            at += m->uneven ? between(&seed, 1, 2 * m->calls) : m->calls;
        }
        if (k == m->marks)
            break;
        mark[marks++] = at - 1;
        at += m->more;
    }
}

static bool judge(struct prvcut_rounds *out, bool all)
{
    const struct separate_places b = { mark, marks, mark[0], all }, c = { begin, begins, 0, true };

    *out = (struct prvcut_rounds){ .most = 0 };
    return prvcut_separate_rounds_add(out, &b, &c) && prvcut_separate_rounds_vary(out);
}

static unsigned seed_of(int which)
{
    return (unsigned)time(NULL) % 100000 * 64 + (unsigned)which;
}

START_TEST(test_rounds_of_what_closes_a_solver)
{
    const struct made solver = { 4, 3, 3, 20, 30, 2, 0, false };
    const unsigned seed = seed_of(_i);
    struct prvcut_rounds r;

    make(&solver, seed);
    ck_assert_msg(judge(&r, true), "seed %u", seed);
    ck_assert_msg(!r.outside, "seed %u", seed);
    ck_assert_uint_ge(r.least, 3);
    ck_assert_uint_le(r.most, 20);
    ck_assert_uint_eq(r.gaps, 29);
}
END_TEST

/* A loop around them would begin or end with what comes with it. */
START_TEST(test_rounds_are_outside_of_events)
{
    const struct made events = { 4, 3, 3, 20, 30, 2, 7, false };
    const unsigned seed = seed_of(_i);
    struct prvcut_rounds r;

    make(&events, seed);
    ck_assert_msg(judge(&r, true) && r.outside, "seed %u", seed);
    /* What was left out may be such a beginning. */
    ck_assert_msg(judge(&r, false) && !r.outside, "seed %u", seed);
}
END_TEST

/* Where rounds are not alike, what comes with an iteration may be in several pieces. */
START_TEST(test_rounds_that_differ_tell_no_outside)
{
    const struct made uneven = { 6, 9, 3, 20, 30, 2, 7, true };
    const unsigned seed = seed_of(_i);
    struct prvcut_rounds r;

    make(&uneven, seed);
    if (judge(&r, true))
        ck_assert_msg(!r.outside, "seed %u", seed);
}
END_TEST

START_TEST(test_rounds_as_many_in_each_are_a_loop)
{
    const struct made even = { 4, 3, 12, 13, 30, 2, 0, false };
    struct prvcut_rounds r;

    make(&even, seed_of(_i));
    ck_assert(!judge(&r, true));
}
END_TEST

/* Much more than a round: a phase of its own. */
START_TEST(test_rounds_are_not_all_of_an_iteration)
{
    const struct made phases = { 4, 40, 3, 20, 30, 2, 0, false };
    struct prvcut_rounds r;

    make(&phases, seed_of(_i));
    ck_assert(!judge(&r, true));
}
END_TEST

/* --- What they leave of an answer's confidence ------------------------------------------------ */

/* A loop of one thread with so many calls in its iterations, found around one that is sure. */
static double confidence_of(const uint32_t *calls, size_t iterations)
{
    struct prvcut_search s = { .confidence = 0.95 };
    struct prvcut_error err;
    uint32_t *start = begin;
    size_t borders = iterations + 1;

    begin[0] = 0;
    for (size_t i = 0; i < iterations; i++)
        begin[i + 1] = begin[i] + calls[i];
    s.loop.iterations = (double)iterations;
    s.calls.start = &start;
    s.calls.borders = &borders;
    s.calls.sequences = 1;
    s.witness[0].calls = true;
    s.witnesses = 1;
    s.verdict.found = true;
    s.separation.looked = true;
    s.separation.iterations = 260;
    s.separation.probability = 0.99;
    ck_assert_int_eq(prvcut_search_rounds(&s, &err), PRVCUT_OK);
    return s.confidence;
}

START_TEST(test_rounds_as_near_and_far_as_events_are_not_sure)
{
    const uint32_t event[] = { 75, 76, 46, 124, 25, 4, 40, 19, 31, 25, 13, 13, 13 };
    const uint32_t solver[] = { 26, 74, 68, 50, 56, 50, 74, 56, 74, 80 };
    const uint32_t doubles[] = { 24, 50, 98, 194, 386, 770 };

    ck_assert_double_eq(confidence_of(event, 13), 0.5);
    ck_assert_double_eq(confidence_of(solver, 10), 0.95);
    ck_assert_double_eq(confidence_of(doubles, 6), 0.95);
}
END_TEST

/* A loop whose iterations hold rounds like these; held: of them the same single calls. */
static double sure_with(const struct prvcut_rounds *rounds, double held, double spread)
{
    struct prvcut_search s = { .confidence = 0.95 };
    struct prvcut_error err;

    s.loop.iterations = s.separation.iterations = 40;
    s.calls.spread = spread;
    s.witness[0].calls = true;
    s.witnesses = 1;
    s.verdict.found = true;
    s.separation.looked = true;
    s.separation.held = held;
    s.separation.rounds = *rounds;
    ck_assert_int_eq(prvcut_search_rounds(&s, &err), PRVCUT_OK);
    return s.confidence;
}

START_TEST(test_rounds_tell_how_sure_a_loop_is)
{
    const struct prvcut_rounds solver = { .least = 3, .most = 20, .held = 400, .gaps = 40 };
    const struct prvcut_rounds tries = { 1, 4, 60, 40, 30, false, false, 1000 };
    struct prvcut_rounds events = solver;

    events.outside = true;
    ck_assert_double_eq(sure_with(&solver, 1, 0.4), 0.89);
    /* What accepts a try is in each step; what is only done in most rounds is not all that differs.
     */
    ck_assert_double_eq(sure_with(&tries, 1, 0.4), 0.85);
    ck_assert_double_lt(sure_with(&tries, 0.92, 0.4), 0.5);
    ck_assert_double_lt(sure_with(&events, 1, 0.4), 0.5);
    ck_assert_double_eq(sure_with(&events, 1, 0.05), 0.5);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rounds");
    TCase *t = tcase_create("rounds");

    tcase_add_loop_test(t, test_rounds_of_what_closes_a_solver, 0, SEEDS);
    tcase_add_loop_test(t, test_rounds_are_outside_of_events, 0, SEEDS);
    tcase_add_loop_test(t, test_rounds_that_differ_tell_no_outside, 0, SEEDS);
    tcase_add_loop_test(t, test_rounds_as_many_in_each_are_a_loop, 0, SEEDS);
    tcase_add_loop_test(t, test_rounds_are_not_all_of_an_iteration, 0, SEEDS);
    tcase_add_test(t, test_rounds_as_near_and_far_as_events_are_not_sure);
    tcase_add_test(t, test_rounds_tell_how_sure_a_loop_is);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
