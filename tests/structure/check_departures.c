#include "runner.h"

#include "structure/departures.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3
#define MOST    8192

/* Iterations made by hand: what thread t does in iteration k, a test decides. */
struct maker {
    struct prvcut_call call[THREADS][MOST];
    uint32_t start[THREADS][MOST];
    struct prvcut_call_sequence sequence[THREADS];
    uint32_t *starts[THREADS];
    size_t borders[THREADS];
    struct prvcut_call_loop loop;
    uint64_t time;
};

static struct maker maker;                /* of the test that runs */
static struct prvcut_departure found[16]; /* in it */
static bool unlike;                       /* in it */

static void call(size_t t, uint32_t call, uint32_t size)
{
    struct prvcut_call_sequence *s = &maker.sequence[t];

    ck_assert_uint_lt(s->count, MOST);
    maker.call[t][s->count++] = (struct prvcut_call){
        .time = maker.time += 1000, .call = call, .peer = call + 7, .size = size, .site = call * 3
    };
}

static void border(size_t t)
{
    maker.start[t][maker.borders[t]++] = (uint32_t)maker.sequence[t].count;
}

/* An iteration of five calls on all threads, of which the last one moves `size` bytes. */
static void usual(uint32_t size)
{
    for (size_t t = 0; t < THREADS; t++) {
        border(t);
        for (uint32_t c = 1; c <= 4; c++)
            call(t, c, 100 * c);
        call(t, 5, size);
    }
}

static void begin(void)
{
    memset(&maker, 0, sizeof maker);
}

/* Close the last iteration and look for departures in [from, to); to 0: all. */
static size_t find(size_t from, size_t to)
{
    struct prvcut_departures d;

    for (size_t t = 0; t < THREADS; t++) {
        border(t);
        maker.sequence[t].thread = (uint32_t)t;
        maker.sequence[t].at = maker.call[t];
        maker.starts[t] = maker.start[t];
    }
    maker.loop = (struct prvcut_call_loop){ .start = maker.starts,
                                            .borders = maker.borders,
                                            .sequences = THREADS };
    ck_assert_int_eq(prvcut_departures_find(&d, &maker.loop, maker.sequence, from,
                                            to ? to : maker.borders[0] - 1, NULL),
                     PRVCUT_OK);
    ck_assert_uint_le(d.count, sizeof found / sizeof *found);
    ck_assert_int_eq(d.count == 0, d.at == NULL);
    for (size_t i = 0; i < d.count; i++)
        found[i] = d.at[i];
    unlike = d.unlike;
    free(d.at);
    return d.count;
}

START_TEST(test_find_departures_none_where_all_are_equal)
{
    for (int k = 0; k < 50; k++)
        usual(8);
    ck_assert_uint_eq(find(0, 0), 0);
    ck_assert(!unlike);
}
END_TEST

/* One rank writes a checkpoint every 20 iterations. */
START_TEST(test_find_departures_regular_on_one_thread)
{
    for (int k = 0; k < 100; k++) {
        usual(8);
        if (k % 20 == 13)
            for (uint32_t c = 50; c < 53; c++)
                call(1, c, 0);
    }
    ck_assert_uint_eq(find(0, 0), 1);
    ck_assert_uint_eq(found[0].first, 13);
    ck_assert_uint_eq(found[0].every, 20);
    ck_assert_uint_eq(found[0].count, 5);
    ck_assert_int_eq(found[0].calls, 3);
}
END_TEST

START_TEST(test_find_departures_counts_from_the_first_asked_for)
{
    for (int k = 0; k < 100; k++) {
        usual(8);
        if (k % 20 == 13 && k > 20)
            call(1, 50, 0);
    }
    ck_assert_uint_eq(find(30, 90), 1);
    ck_assert_uint_eq(found[0].first, 3);
    ck_assert_uint_eq(found[0].every, 20);
    ck_assert_uint_eq(found[0].count, 3);
}
END_TEST

START_TEST(test_find_departures_of_two_kinds_apart)
{
    for (int k = 0; k < 120; k++) {
        usual(8);
        for (uint32_t c = 50; k % 8 == 1 && c < 54; c++)
            call(0, c, 0);
        for (uint32_t c = 60; k % 24 == 4 && c < 62; c++)
            call(2, c, 0);
    }
    ck_assert_uint_eq(find(0, 0), 2);
    ck_assert_uint_eq(found[0].every, 8);
    ck_assert_uint_eq(found[0].count, 15);
    ck_assert_int_eq(found[0].calls, 4);
    ck_assert_uint_eq(found[1].every, 24);
    ck_assert_uint_eq(found[1].count, 5);
    ck_assert_int_eq(found[1].calls, 2);
}
END_TEST

START_TEST(test_find_departures_irregular_ones_together)
{
    static const int at[] = { 7, 9, 40, 41, 77 };
    size_t next = 0;

    for (int k = 0; k < 100; k++) {
        usual(8);
        if (next < 5 && k == at[next]) {
            next++;
            for (uint32_t c = 0; c <= next; c++)
                call(0, 80 + c, 0);
        }
    }
    ck_assert_uint_eq(find(0, 0), 1);
    ck_assert_uint_eq(found[0].first, 7);
    ck_assert_uint_eq(found[0].every, 0);
    ck_assert_uint_eq(found[0].count, 5);
}
END_TEST

/* Sizes that depend on data are no departure, whether they always differ or now and then. */
START_TEST(test_find_departures_none_in_sizes_of_data)
{
    for (uint32_t k = 0; k < 100; k++)
        usual(100 + k);
    ck_assert_uint_eq(find(0, 0), 0);
    begin();
    for (uint32_t k = 0; k < 100; k++)
        usual(k == 3 || k == 10 || k == 11 || k == 40 || k == 71 ? 100 + k : 8);
    ck_assert_uint_eq(find(0, 0), 0);
}
END_TEST

/* Other sizes every tenth iteration are one. */
START_TEST(test_find_departures_in_regular_sizes)
{
    for (uint32_t k = 0; k < 100; k++)
        usual(k % 10 == 0 ? 4096 : 8);
    ck_assert_uint_eq(find(0, 0), 1);
    ck_assert_uint_eq(found[0].every, 10);
    ck_assert_int_eq(found[0].calls, 0);
}
END_TEST

/* One thread polls: how often says nothing. */
START_TEST(test_find_departures_none_in_polling)
{
    for (uint32_t k = 0; k < 100; k++) {
        usual(8);
        for (uint32_t c = 0; c < 1 + k * 7919 % 13; c++)
            call(2, 99, 0);
    }
    ck_assert_uint_eq(find(0, 0), 0);
    ck_assert(!unlike);
}
END_TEST

/* All threads make one to four calls more, in turn, of one kind or of several: of a loop around
   these every tenth tells nothing. */
START_TEST(test_find_departures_none_among_unlike_ones)
{
    for (uint32_t k = 0; k < 100; k++) {
        usual(8);
        for (uint32_t c = 0; c <= k % 4; c++)
            for (size_t t = 0; t < THREADS; t++)
                call(t, _i == 0 ? 50 : 50 + c, 8);
        for (size_t t = 0; k % 10 == 0 && t < THREADS; t++)
            call(t, 50, 40);
    }
    ck_assert_uint_eq(find(0, 0), 0);
    ck_assert(unlike);
}
END_TEST

static Suite *departures_suite(void)
{
    Suite *s = suite_create("departures");
    TCase *tests = tcase_create("departures");

    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_add_test(tests, test_find_departures_none_where_all_are_equal);
    tcase_add_test(tests, test_find_departures_regular_on_one_thread);
    tcase_add_test(tests, test_find_departures_counts_from_the_first_asked_for);
    tcase_add_test(tests, test_find_departures_of_two_kinds_apart);
    tcase_add_test(tests, test_find_departures_irregular_ones_together);
    tcase_add_test(tests, test_find_departures_none_in_sizes_of_data);
    tcase_add_test(tests, test_find_departures_in_regular_sizes);
    tcase_add_test(tests, test_find_departures_none_in_polling);
    tcase_add_loop_test(tests, test_find_departures_none_among_unlike_ones, 0, 2);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    return run_suite(departures_suite());
}
