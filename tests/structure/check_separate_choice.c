#include "runner.h"

#include "structure/separate_choice.h"
#include "structure/separate_judge.h"

#include <stdlib.h>
#include <string.h>

/* Candidates with measures as real and generated programs show them. */

enum { THREADS = 4, LOOPS = 3, PLACES = 400 };

static struct separate_loop loop[THREADS][LOOPS];
static struct separate_loops loops[THREADS];
static uint32_t places[LOOPS][PLACES];
static struct separate_candidates found;

static void start(void)
{
    memset(loop, 0, sizeof loop);
    for (unsigned t = 0; t < THREADS; t++)
        loops[t] = (struct separate_loops){ .at = loop[t] };
}

/* One more, on so many threads; every `each`-th call is a place of it. */
static void show(struct separate_loop l, uint32_t each, unsigned threads)
{
    const size_t which = loops[0].count;

    for (uint32_t k = 0; k < l.count; k++)
        places[which][k] = k * each;
    l.place = places[which];
    l.period = (double)(l.end - l.start) / (double)(l.count - 1);
    l.gap = each;
    for (unsigned t = 0; t < threads; t++)
        loops[t].at[loops[t].count++] = l;
}

/* An alltoall that comes evenly, other messages each time (neighbours). */
static struct separate_loop even(void)
{
    return (struct separate_loop){ .count = 50,
                                   .start = 3600000,
                                   .end = 8100000,
                                   .alike = 0.7,
                                   .same = 0.25,
                                   .same_calls = 0.53,
                                   .constant = 0.22,
                                   .time = 0.56,
                                   .calls = 0.92,
                                   .run = 0.56,
                                   .spread = { 0.17, 0.13 },
                                   .anchors = 2,
                                   .purity = 0.94,
                                   .lengths = SEPARATE_ONE };
}

/* Steps over blocks: all of the calls, unlike each other; and the blocks (regrid). */
static struct separate_loop step(void)
{
    return (struct separate_loop){ .count = 30,
                                   .start = 3600000,
                                   .end = 8100000,
                                   .alike = 0.7,
                                   .same = 0.57,
                                   .same_calls = 0.86,
                                   .constant = 0.14,
                                   .time = 0.62,
                                   .calls = 0.99,
                                   .run = 0.62,
                                   .spread = { 0.3, 0.1 },
                                   .anchors = 4,
                                   .purity = 1 };
}

static struct separate_loop block(void)
{
    return (struct separate_loop){ .count = 75,
                                   .start = 3600000,
                                   .end = 7900000,
                                   .alike = 0.8,
                                   .same = 0.66,
                                   .same_calls = 0.66,
                                   .constant = 0.8,
                                   .time = 0.56,
                                   .calls = 0.91,
                                   .run = 0.56,
                                   .spread = { 0.29, 0.11 },
                                   .anchors = 5,
                                   .purity = 1 };
}

/* Steps of which a few are tried again: all of them end with the same call, the tries do not. */
static struct separate_loop tried(void)
{
    return (struct separate_loop){ .count = 38,
                                   .start = 1900000,
                                   .end = 12300000,
                                   .alike = 0.9,
                                   .same = 0.84,
                                   .same_calls = 0.84,
                                   .constant = 0.88,
                                   .time = 0.86,
                                   .calls = 0.99,
                                   .run = 0.86,
                                   .spread = { 0.06, 0.03 },
                                   .anchors = 4,
                                   .purity = 1 };
}

static struct separate_loop taken(void)
{
    return (struct separate_loop){ .count = 32,
                                   .start = 1900000,
                                   .end = 12300000,
                                   .alike = 0.9,
                                   .same = 0.84,
                                   .same_calls = 1,
                                   .constant = 0.12,
                                   .time = 0.86,
                                   .calls = 1,
                                   .run = 0.86,
                                   .spread = { 0.29, 0.04 },
                                   .anchors = 3,
                                   .purity = 1 };
}

/* An alltoall in each step, an allreduce in some: nothing else is common (neighbours, busy). */
static struct separate_loop commonest(void)
{
    return (struct separate_loop){ .count = 70,
                                   .start = 3600000,
                                   .end = 9100000,
                                   .alike = 0.7,
                                   .same = 0.68,
                                   .same_calls = 0.68,
                                   .time = 0.82,
                                   .calls = 0.96,
                                   .run = 0.79,
                                   .spread = { 0.31, 0.25 },
                                   .anchors = 2,
                                   .purity = 1,
                                   .lengths = SEPARATE_ONE,
                                   .common = true };
}

static const struct separate_candidate *outermost(void)
{
    struct prvcut_error err = { 0 };

    free(found.at);
    ck_assert_int_eq(prvcut_separate_candidates_find(&found, loops, THREADS, &err), PRVCUT_OK);
    return prvcut_separate_outermost(&found);
}

START_TEST(test_choice_believes_what_comes_evenly)
{
    start();
    show(even(), 6, THREADS);
    ck_assert(prvcut_separate_believed(outermost()));
}
END_TEST

START_TEST(test_choice_doubts_what_does_not)
{
    struct separate_loop l[4] = { even(), even(), even(), even() };

    l[0].spread.all = 0.4;
    l[1].count = 12;
    l[2].calls = 0.5;
    l[3].same_calls = 0.2;
    for (size_t i = 0; i < 4; i++) {
        start();
        show(l[i], 6, THREADS);
        ck_assert(!prvcut_separate_believed(outermost()));
    }
    start();
    show(even(), 6, THREADS - 1);
    ck_assert(!prvcut_separate_believed(outermost()));
}
END_TEST

START_TEST(test_choice_believes_what_is_commonest)
{
    struct separate_loop l = commonest();

    start();
    show(l, 1, THREADS);
    ck_assert(prvcut_separate_believed(outermost()));
    /* The only one there is may come at unlike distances, ... */
    l.same = l.same_calls = l.alike = l.constant = l.time = l.calls = l.run = 1;
    l.spread = (struct prvcut_spread){ 0.85, 0.5 };
    start();
    show(l, 1, THREADS);
    ck_assert(prvcut_separate_believed(outermost()));
    /* ... if it comes often, ... */
    l.count = 30;
    start();
    show(l, 1, THREADS);
    ck_assert(!outermost() || !prvcut_separate_believed(outermost()));
    l.count = commonest().count;
    /* ... but not at those of chance. */
    l.spread = (struct prvcut_spread){ 1.16, 0.6 };
    start();
    show(l, 1, THREADS);
    ck_assert(!outermost() || !prvcut_separate_believed(outermost()));
}
END_TEST

START_TEST(test_choice_doubts_what_is_not_commonest)
{
    struct separate_loop l[4] = { commonest(), commonest(), commonest(), commonest() };

    l[0].spread = (struct prvcut_spread){ 0.6, 0.4 };
    l[1].count = 15;
    l[2].calls = 0.6;
    l[3].run = 0.3;
    for (size_t i = 0; i < 4; i++) {
        start();
        show(l[i], 1, THREADS);
        ck_assert(!outermost() || !prvcut_separate_believed(outermost()));
    }
    start();
    show(commonest(), 2, THREADS);
    ck_assert(!outermost() || !prvcut_separate_believed(outermost()));
}
END_TEST

/* What is likely by itself is not left for what is only even. */
START_TEST(test_choice_prefers_what_is_likely)
{
    start();
    show(even(), 6, THREADS);
    show(block(), 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 75);
}
END_TEST

START_TEST(test_choice_takes_the_wider_one)
{
    start();
    show(step(), 13, THREADS);
    show(block(), 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 30);
}
END_TEST

/* Not where the inner one has the calls, too, nor where some of its iterations hold none of that.
 */
START_TEST(test_choice_leaves_a_wider_one_that_is_chance)
{
    struct separate_loop whole = block();

    whole.calls = 0.97;
    start();
    show(step(), 13, THREADS);
    show(whole, 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 75);
    start();
    show(step(), 2, THREADS);
    show(block(), 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 75);
}
END_TEST

/* Though the tries are the likelier ones; not where steps are as unlike each other as these. */
START_TEST(test_choice_takes_the_steps_not_their_tries)
{
    struct separate_loop unlike = taken();

    show(taken(), 12, THREADS);
    show(tried(), 10, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 32);
    unlike.same_calls = 0.85;
    start();
    show(unlike, 12, THREADS);
    show(tried(), 10, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 38);
}
END_TEST

/* Not what goes through a part of the steps, though it is likelier. */
START_TEST(test_choice_takes_the_steps_not_a_part)
{
    struct separate_loop whole = taken(), part = tried();

    whole.lengths = SEPARATE_ONE;
    whole.count = 60;
    part.count = 30;
    part.calls = 0.7;
    part.time = 0.6;
    show(part, 14, THREADS);
    show(whole, 10, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 60);
    whole.same_calls = 0.7;
    start();
    show(part, 14, THREADS);
    show(whole, 10, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 30);
}
END_TEST

/* What all threads have in common counts where it explains the whole run, around all others. */
START_TEST(test_choice_takes_common_calls_that_explain_the_run)
{
    struct separate_loop common = { .count = 8,
                                    .start = 3600000,
                                    .end = 8100000,
                                    .alike = 1,
                                    .same = 1,
                                    .same_calls = 1,
                                    .constant = 0.57,
                                    .time = 0.95,
                                    .calls = 1,
                                    .run = 0.95,
                                    .spread = { 0.05, 0.02 },
                                    .anchors = 4,
                                    .purity = 1,
                                    .lengths = SEPARATE_ONE,
                                    .common = true };

    show(common, 40, THREADS);
    show(block(), 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 8);
    common.count = 80;
    start();
    show(common, 4, THREADS);
    show(block(), 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 75);
    common.count = 8;
    common.constant = 0.1;
    start();
    show(common, 40, THREADS);
    show(block(), 5, THREADS);
    ck_assert_uint_eq(outermost()->mean.count, 75);
}
END_TEST

static void fini(void)
{
    free(found.at);
    found.at = NULL;
}

static Suite *choice_suite(void)
{
    Suite *s = suite_create("separate_choice");
    TCase *t = tcase_create("separate_choice");

    tcase_add_checked_fixture(t, start, fini);
    tcase_add_test(t, test_choice_believes_what_comes_evenly);
    tcase_add_test(t, test_choice_believes_what_is_commonest);
    tcase_add_test(t, test_choice_doubts_what_is_not_commonest);
    tcase_add_test(t, test_choice_doubts_what_does_not);
    tcase_add_test(t, test_choice_prefers_what_is_likely);
    tcase_add_test(t, test_choice_takes_the_wider_one);
    tcase_add_test(t, test_choice_leaves_a_wider_one_that_is_chance);
    tcase_add_test(t, test_choice_takes_the_steps_not_their_tries);
    tcase_add_test(t, test_choice_takes_the_steps_not_a_part);
    tcase_add_test(t, test_choice_takes_common_calls_that_explain_the_run);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(choice_suite());
}
