/* Where loops end on threads that go through them together, on calls made by hand. */
#include "structure/call_follow.h"
#include "tests/support/runner.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, TURNS = 6, CALLS = 2 * TURNS + 2, LENGTH = 1000 };

/* Thread t sends in each iteration, then waits for all, who wait for the last thread; then one call
   comes `later` behind the loop. In the last iteration a thread computes longer, before it sends
   (late: its number), or behind its last call (THREADS). */
static void calls_of(struct prvcut_call at[CALLS], unsigned t, unsigned late, uint64_t longer,
                     uint64_t later)
{
    for (unsigned i = 0; i < TURNS; i++) {
        const bool last = i == TURNS - 1;

        at[2 * i].time = LENGTH * (i + 1) + t;
        at[2 * i + 1].time = at[2 * i].time + 100 + 300 * t + (last && late == t ? longer : 0);
    }
    at[CALLS - 2].time = LENGTH * (TURNS + 1) + t + longer + later;
    at[CALLS - 1].time = at[CALLS - 2].time + 5 * LENGTH;
}

/* turns: iterations, the last of which has all calls that are left. */
static void ends_of_turns(uint64_t end[THREADS], unsigned turns, unsigned late, uint64_t longer,
                          uint64_t later)
{
    struct prvcut_call at[THREADS][CALLS] = { 0 };
    struct prvcut_call_sequence s[THREADS];
    struct call_track track[THREADS];

    for (unsigned t = 0; t < THREADS; t++) {
        calls_of(at[t], t, late, longer, later);
        s[t] = (struct prvcut_call_sequence){ .thread = t, .at = at[t], .count = CALLS };
        track[t] = (struct call_track){ .count = turns, .room = TURNS + 1, .alike = 1 };
        track[t].regular = track[t].cover = 1;
        track[t].start = calloc(TURNS + 1, sizeof *track[t].start);
        for (uint32_t i = 0; i < turns; i++)
            track[t].start[i] = 2 * i;
        track[t].start[turns] = CALLS - 2;
        prvcut_call_track_close(&track[t], &s[t]);
    }
    prvcut_call_tracks_align(track, s, THREADS, 2);
    for (unsigned t = 0; t < THREADS; t++) {
        ck_assert_uint_eq(track[t].count, turns);
        end[t] = prvcut_call_track_time(&track[t], &s[t], turns) - t;
        prvcut_call_track_fini(&track[t]);
    }
}

static void ends_of(uint64_t end[THREADS], unsigned late, uint64_t longer, uint64_t later)
{
    ends_of_turns(end, TURNS, late, longer, later);
}

START_TEST(test_align_ends_a_longer_last_iteration_at_the_next_call) /* _i: who computes longer */
{
    uint64_t end[THREADS];

    ends_of(end, (unsigned)_i, 3 * LENGTH / 2, 0);
    for (unsigned t = 0; t < THREADS; t++)
        ck_assert_uint_eq(end[t], LENGTH * (TURNS + 1) + 3 * LENGTH / 2);
}
END_TEST

START_TEST(test_align_ends_a_loop_before_what_comes_later)
{
    uint64_t end[THREADS];

    ends_of(end, THREADS, 3 * LENGTH / 2, 0);
    for (unsigned t = 0; t < THREADS; t++)
        ck_assert_uint_eq(end[t], LENGTH * (TURNS + 1));
    ends_of(end, 1, 3 * LENGTH / 2, 2 * LENGTH);
    for (unsigned t = 0; t < THREADS; t++)
        ck_assert_uint_eq(end[t], LENGTH * (TURNS + 1));
}
END_TEST

START_TEST(test_align_keeps_the_end_of_an_iteration_like_the_others)
{
    uint64_t end[THREADS];

    ends_of(end, THREADS, 0, 0);
    for (unsigned t = 0; t < THREADS; t++)
        ck_assert_uint_eq(end[t], LENGTH * (TURNS + 1));
}
END_TEST

/* Of two steps that the search took for one the second's calls are no late call's doing. */
START_TEST(test_align_ends_no_iteration_of_more_calls_there)
{
    uint64_t end[THREADS];

    ends_of_turns(end, TURNS - 1, THREADS, 0, 0);
    for (unsigned t = 0; t < THREADS; t++)
        ck_assert_uint_eq(end[t], LENGTH * TURNS);
}
END_TEST

static Suite *call_align_suite(void)
{
    Suite *s = suite_create("call_align");
    TCase *c = tcase_create("call_align");

    tcase_add_loop_test(c, test_align_ends_a_longer_last_iteration_at_the_next_call, 0, THREADS);
    tcase_add_test(c, test_align_ends_a_loop_before_what_comes_later);
    tcase_add_test(c, test_align_keeps_the_end_of_an_iteration_like_the_others);
    tcase_add_test(c, test_align_ends_no_iteration_of_more_calls_there);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(call_align_suite());
}
