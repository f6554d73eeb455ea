#include "runner.h"

#include "structure/separate_around.h"
#include "structure/separate_rare.h"

#include <string.h>

/* Loops of one thread by the places of their separators alone. */

enum { PLACES = 400 };

static uint32_t place[3][PLACES];
static struct separate_loop loop[3];
static struct separate_candidate of[3];

static void start(void)
{
    memset(loop, 0, sizeof loop);
    memset(of, 0, sizeof of);
    for (size_t i = 0; i < 3; i++) {
        loop[i].place = place[i];
        loop[i].same = 1;
        loop[i].lengths = SEPARATE_ONE;
        of[i].probability = 0.9;
    }
}

static void put(size_t which, uint32_t at)
{
    place[which][loop[which].count++] = at;
}

/* All is known of a loop: its measures are those of its only thread. */
static struct separate_candidate *close(size_t which)
{
    struct separate_loop *l = &loop[which];

    l->start = place[which][0];
    l->end = place[which][l->count - 1];
    l->period = (double)(l->end - l->start) / (double)(l->count - 1);
    l->gap = l->period;
    of[which].mean = *l;
    of[which].of[0] = l;
    return &of[which];
}

START_TEST(test_around_holds_several)
{
    for (uint32_t k = 0; k < 80; k++)
        put(0, 10 * k);
    for (uint32_t k = 0; k < 10; k++)
        put(1, 80 * k);
    /* The same loop, seen for its second half. */
    for (uint32_t k = 40; k < 80; k++)
        put(2, 10 * k + 3);
    ck_assert(prvcut_separate_is_around(close(1), close(0)));
    ck_assert(!prvcut_separate_is_around(close(2), close(0)));
}
END_TEST

/* Tries of 12 calls, each fifth of which was thrown away and lacks the last two. */
START_TEST(test_around_is_not_what_begins_where_something_lacks)
{
    for (uint32_t k = 0, at = 0; k < 100; k++) {
        put(0, at);
        if (k % 5 == 3)
            put(1, at + 9);
        at += k % 5 == 3 ? 10 : 12;
    }
    loop[1].lengths = 2;
    ck_assert(prvcut_separate_lacks(close(1), close(0)));
    /* A call of its own marks it. */
    loop[1].lengths = SEPARATE_ONE;
    ck_assert(!prvcut_separate_lacks(close(1), close(0)));
    /* Calls are added there. */
    loop[0].count = loop[1].count = 0;
    for (uint32_t k = 0, at = 0; k < 100; k++) {
        put(0, at);
        if (k % 5 == 3)
            put(1, at + 9);
        at += k % 5 == 3 ? 14 : 12;
    }
    loop[1].lengths = 2;
    ck_assert(!prvcut_separate_lacks(close(1), close(0)));
}
END_TEST

/* Two calls that follow each other at the end of two in three steps, which end with one of their
   own. */
START_TEST(test_around_picks_some)
{
    for (uint32_t k = 0; k < 60; k++) {
        put(0, 20 * k);
        if (k % 3 != 0)
            put(1, 20 * k + 18);
    }
    loop[1].lengths = 2;
    of[1].probability = 0.8;
    ck_assert(prvcut_separate_picks(close(1), close(0)));
    /* Steps are less alike than what is around them. */
    loop[0].same = 0.8;
    ck_assert(!prvcut_separate_picks(close(1), close(0)));
    loop[0].same = 1;
    /* A call of its own marks it; several steps are in each. */
    loop[1].lengths = SEPARATE_ONE;
    ck_assert(!prvcut_separate_picks(close(1), close(0)));
    loop[1].lengths = 2;
    loop[1].count = 0;
    for (uint32_t k = 0; k < 60; k += 3)
        put(1, 20 * k + 18);
    ck_assert(!prvcut_separate_picks(close(1), close(0)));
}
END_TEST

/* From half way on two calls follow each other in all steps but some, which end with one of their
   own. */
START_TEST(test_around_is_a_part)
{
    for (uint32_t k = 0; k < 60; k++) {
        put(0, 20 * k);
        if (k >= 30 && k % 7 != 0)
            put(1, 20 * k + 2);
    }
    loop[0].calls = loop[0].time = 0.9;
    loop[1].calls = loop[1].time = 0.6;
    loop[0].same_calls = 0.85;
    loop[1].lengths = 2;
    ck_assert(prvcut_separate_is_part(close(1), close(0)));
    /* Steps make other calls each time; what is told goes through more; a call of its own marks it.
     */
    loop[0].same_calls = 0.7;
    ck_assert(!prvcut_separate_is_part(close(1), close(0)));
    loop[0].same_calls = 0.85;
    loop[1].calls = 0.95;
    ck_assert(!prvcut_separate_is_part(close(1), close(0)));
    loop[1].calls = 0.6;
    loop[1].lengths = SEPARATE_ONE;
    ck_assert(!prvcut_separate_is_part(close(1), close(0)));
    /* Two steps are in most. */
    loop[1].lengths = 2;
    loop[1].count = 0;
    for (uint32_t k = 30; k < 60; k += k % 6 == 0 ? 1 : 2)
        put(1, 20 * k + 2);
    ck_assert(!prvcut_separate_is_part(close(1), close(0)));
}
END_TEST

/* Another size in some iterations of a loop that are as long as all others. */
START_TEST(test_around_adds_something)
{
    for (uint32_t k = 0; k < 100; k++)
        put(0, 8 * k);
    for (uint32_t k = 0, n = 0; k < 100; k += 2 + n++ % 5)
        put(1, 8 * k + 2);
    loop[0].spread.all = 0.1;
    loop[1].spread.all = 0.6;
    ck_assert(prvcut_separate_lacks(close(1), close(0)));
    /* One that comes evenly is each so-many-th. */
    loop[1].spread.all = 0.1;
    ck_assert(!prvcut_separate_lacks(close(1), close(0)));
}
END_TEST

/* Ten steps from checkpoint to checkpoint, or some more where a failure threw back. */
static void thrown_back(uint32_t every)
{
    uint32_t at = 0;

    start();
    for (uint32_t piece = 0; piece < 20; piece++) {
        const uint32_t again = piece % every == 1 ? 2 + 3 * (piece / every % 3) : 0;

        put(1, at++);
        for (uint32_t k = 0; k < 10 + again; k++) {
            put(0, at);
            at += 5;
            if (k + 1 == again)
                put(2, at++);
        }
    }
    loop[2].spread.all = 0.6;
    loop[1].spread.all = 0.2;
}

START_TEST(test_around_is_not_what_throws_back)
{
    thrown_back(4);
    ck_assert(prvcut_separate_throws_back(close(2), close(1), close(0)));
    /* As even as what it throws back: a loop. */
    loop[2].spread.all = 0.2;
    ck_assert(!prvcut_separate_throws_back(close(2), close(1), close(0)));
    /* Too few to tell. */
    thrown_back(8);
    ck_assert(!prvcut_separate_throws_back(close(2), close(1), close(0)));
}
END_TEST

/* Steps over blocks, some of which are the only one: there is none of the loop over blocks. */
START_TEST(test_around_is_steady)
{
    for (uint32_t k = 0, at = 0; k < 50; k++) {
        put(1, at++);
        for (uint32_t b = 0; b < k / 5 % 4; b++) {
            put(0, at);
            at += 4;
        }
    }
    loop[0].same_calls = 0.57;
    loop[1].same_calls = 0.9;
    loop[0].calls = loop[1].calls = 0.95;
    ck_assert(!prvcut_separate_surrounds(close(1), close(0)));
    ck_assert(prvcut_separate_is_around(close(1), close(0)));
    loop[1].same_calls = 0.7;
    ck_assert(!prvcut_separate_is_around(close(1), close(0)));
}
END_TEST

/* A loop that is less even than one that some of its iterations lack. */
START_TEST(test_around_is_beside)
{
    for (uint32_t k = 0; k < 40; k++)
        put(0, 10 * k);
    for (uint32_t k = 0; k < 20; k++)
        put(1, k % 5 == 0 ? 20 * k : 20 * (k - k % 5) + 2 + k % 5);
    loop[1].spread.all = 0.8;
    ck_assert(prvcut_separate_is_beside(close(1), close(0)));
    loop[1].spread.all = 0.1;
    ck_assert(!prvcut_separate_is_beside(close(1), close(0)));
}
END_TEST

/* Steps of 10 calls, some of which make more: 6 to 11 steps apart. */
static void put_rare(uint32_t steps, uint32_t adds)
{
    static const uint32_t after[] = { 9, 18, 24, 35, 43, 51, 62 };

    for (uint32_t k = 0, at = 0, e = 0; k < steps; k++, at += 10) {
        put(0, at);
        if (e < sizeof after / sizeof *after && k == after[e]) {
            put(1, at + 9);
            at += adds;
            e++;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        loop[i].calls = 1;
        loop[i].begins = loop[i].ends = true;
        of[i].agree = 1;
    }
}

START_TEST(test_around_is_no_rare_event)
{
    put_rare(67, 2);
    ck_assert(prvcut_separate_is_rare(close(1), close(0)));
    /* Nobody saw the run end there. */
    loop[0].ends = false;
    ck_assert(!prvcut_separate_is_rare(close(1), close(0)));
    /* The last one may be a whole iteration, ... */
    loop[0].count = loop[1].count = 0;
    put_rare(71, 2);
    ck_assert(!prvcut_separate_is_rare(close(1), close(0)));
    /* ... as no other one is that adds far more than a step, ... */
    loop[0].count = loop[1].count = 0;
    put_rare(67, 60);
    ck_assert(!prvcut_separate_is_rare(close(1), close(0)));
    /* ... or nothing. */
    loop[0].count = loop[1].count = 0;
    put_rare(67, 0);
    ck_assert(!prvcut_separate_is_rare(close(1), close(0)));
}
END_TEST

/* What is made once more behind the loop is the same event. */
START_TEST(test_around_is_same_event)
{
    put_rare(67, 2);
    for (size_t k = 0; k < loop[1].count; k++)
        put(2, place[1][k]);
    put(2, 700);
    ck_assert(prvcut_separate_is_same_event(close(2), close(1)));
    ck_assert(!prvcut_separate_is_same_event(close(1), close(2)));
    ck_assert(!prvcut_separate_is_same_event(close(0), close(1)));
}
END_TEST

static Suite *around_suite(void)
{
    Suite *s = suite_create("separate_around");
    TCase *t = tcase_create("separate_around");

    tcase_add_checked_fixture(t, start, NULL);
    tcase_add_test(t, test_around_holds_several);
    tcase_add_test(t, test_around_is_not_what_begins_where_something_lacks);
    tcase_add_test(t, test_around_picks_some);
    tcase_add_test(t, test_around_is_a_part);
    tcase_add_test(t, test_around_adds_something);
    tcase_add_test(t, test_around_is_not_what_throws_back);
    tcase_add_test(t, test_around_is_steady);
    tcase_add_test(t, test_around_is_beside);
    tcase_add_test(t, test_around_is_no_rare_event);
    tcase_add_test(t, test_around_is_same_event);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(around_suite());
}
