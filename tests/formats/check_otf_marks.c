#include "otf/walk.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/* One stream of two processes; what is at a mark comes back where it is entered. */

#define COUNTERS 3u

static struct otf_process process[2];
static uint32_t member[] = { 0, 1 };
static struct otf_trace trace;
static struct otf_stream stream;
static struct otf_walk walk;

static void setup(void)
{
    process[0] = (struct otf_process){ .id = 1, .thread = 0 };
    process[1] = (struct otf_process){ .id = 2, .thread = 1 };
    memset(&trace, 0, sizeof trace);
    trace.process = process;
    trace.processes = 2;
    trace.counters = COUNTERS;
    trace.resolution = 1000000000;
    trace.origin = 1000;
    stream = (struct otf_stream){ .member = member, .members = 2, .channels = OTF_CHANNELS };
    walk = (struct otf_walk){ .trace = &trace, .stream = &stream };
    ck_assert_int_eq(otf_walk_tracks(&walk, NULL), PRVCUT_OK);
    walk.timed = walk.chosen = true;
    walk.now = &walk.track[1];
}

static void teardown(void)
{
    otf_walk_free_tracks(&walk);
    otf_marks_fini(&stream);
    ck_assert_uint_eq(stream.marks, 0);
}

static void leave(uint64_t offset, uint64_t tick)
{
    walk.tick = tick;
    walk.line = offset / 10;
    ck_assert_int_eq(otf_mark_leave(&walk, offset, NULL), PRVCUT_OK);
}

static void enter_function(struct otf_track *t, uint64_t id)
{
    const struct prvcut_frame f = { .note = 10 * id, .value = (int64_t)id };

    ck_assert_int_eq(prvcut_stack_push(&t->open, &f, NULL), PRVCUT_OK);
}

/* Zeroed tracks, as at the begin of a walk. */
static void start_again(void)
{
    otf_walk_free_tracks(&walk);
    walk = (struct otf_walk){ .trace = &trace, .stream = &stream };
    ck_assert_int_eq(otf_walk_tracks(&walk, NULL), PRVCUT_OK);
}

START_TEST(test_enter_restores_what_was_open)
{
    uint64_t offset;
    struct otf_track *t = walk.track;

    enter_function(&t[0], 4);
    enter_function(&t[0], 5);
    t[0].call = 2;
    t[0].alive = true;
    t[0].counter = calloc(COUNTERS, sizeof *t[0].counter);
    ck_assert_ptr_nonnull(t[0].counter);
    t[0].counter[2] = (struct otf_reading){ .value = 77, .seen = true };
    t[1].collectives = 1;
    t[1].collective = 4321;
    t[1].state = 3;
    t[1].since = 111;
    t[1].last = 222;
    t[1].tick = 1200;
    t[1].step = 2;
    t[1].held = 1;
    t[1].begun = true;
    leave(OTF_MARK_BYTES, 1234);
    ck_assert_uint_eq(stream.marks, 1);
    start_again();
    ck_assert_int_eq(otf_mark_enter(&walk, 5000, &offset, NULL), PRVCUT_OK);
    t = walk.track;
    ck_assert_uint_eq(offset, OTF_MARK_BYTES);
    ck_assert_uint_eq(walk.tick, 1234);
    ck_assert_uint_eq(walk.time, 234);
    ck_assert_uint_eq(walk.line, OTF_MARK_BYTES / 10);
    ck_assert_ptr_eq(walk.now, &t[1]);
    ck_assert(walk.timed && walk.chosen);
    ck_assert_uint_eq(t[0].open.count, 2);
    ck_assert_int_eq(t[0].open.at[0].value, 4);
    ck_assert_int_eq(t[0].open.at[1].value, 5);
    ck_assert_uint_eq(t[0].open.at[1].note, 50);
    ck_assert_uint_eq(t[0].call, 2);
    ck_assert(t[0].alive && !t[1].alive && t[1].begun && !t[0].begun);
    ck_assert(t[0].counter[2].seen && t[0].counter[2].value == 77 && !t[0].counter[1].seen);
    ck_assert_ptr_null(t[1].counter);
    ck_assert_uint_eq(t[1].open.count, 0);
    ck_assert_uint_eq(t[1].collectives, 1);
    ck_assert_uint_eq(t[1].collective, 4321);
    ck_assert_uint_eq(t[1].state, 3);
    ck_assert_uint_eq(t[1].since, 111);
    ck_assert_uint_eq(t[1].last, 222);
    ck_assert_uint_eq(t[1].tick, 1200);
    ck_assert_uint_eq(t[1].step, 2);
    ck_assert_uint_eq(t[1].held, 1);
}
END_TEST

/* No process was chosen before it. */
START_TEST(test_enter_before_the_first_process)
{
    uint64_t offset;

    walk.now = NULL;
    walk.chosen = false;
    leave(OTF_MARK_BYTES, 1234);
    start_again();
    ck_assert_int_eq(otf_mark_enter(&walk, 1235, &offset, NULL), PRVCUT_OK);
    ck_assert_uint_eq(offset, OTF_MARK_BYTES);
    ck_assert_ptr_null(walk.now);
    ck_assert(!walk.chosen);
}
END_TEST

/* The last one whose time is before, by looking at all of them. */
START_TEST(test_before_is_the_last_one_of_an_earlier_time)
{
    uint64_t tick = 1000, offset;

    srand((unsigned)_i + 1);
    for (uint64_t k = 1; k <= 20; k++) {
        tick += (uint64_t)rand() % 3;
        leave(k * OTF_MARK_BYTES, tick);
    }
    ck_assert_uint_eq(stream.marks, 20);
    for (tick = 990; tick < 1060; tick++) {
        const struct otf_mark *want = NULL;

        for (size_t i = 0; i < stream.marks; i++)
            if (stream.mark[i].tick < tick)
                want = &stream.mark[i];
        ck_assert_ptr_eq(otf_mark_before(&stream, tick), want);
        start_again();
        ck_assert_int_eq(otf_mark_enter(&walk, tick, &offset, NULL), PRVCUT_OK);
        ck_assert_uint_eq(offset, want ? want->offset : 0);
    }
}
END_TEST

/* As far apart as is said, and as far as lets a large trace have no more than the most. */
START_TEST(test_leave_marks_that_are_apart)
{
    const uint64_t gap = _i ? 3 * OTF_MARK_BYTES : OTF_MARK_BYTES;

    trace.base.bytes = gap * OTF_MARKS_MOST;
    for (uint64_t k = 1; k <= 60; k++)
        leave(k * (OTF_MARK_BYTES / 4), 1000 + k);
    ck_assert_uint_eq(stream.marks, _i ? 5 : 15);
    for (size_t i = 0; i < stream.marks; i++)
        ck_assert_uint_eq(stream.mark[i].offset, (i + 1) * gap);
}
END_TEST

/* None where something is half done, in a reading of a part, in a packed or a marked stream. */
START_TEST(test_leave_none_where_it_cannot_be_entered)
{
    struct otf_walk *w = &walk;
    bool *const yes[] = { &w->backward, &w->windowed, &stream.packed, &stream.marked };

    if (_i < 4)
        *yes[_i] = true;
    else if (_i == 4)
        w->timed = false;
    else if (_i == 5)
        w->keys = 1;
    else if (_i == 6)
        w->now = NULL;
    else if (_i == 7)
        w->track[1].pairs = 1;
    else
        w->track[0].collectives = 2;
    leave(OTF_MARK_BYTES, 1234);
    ck_assert_uint_eq(stream.marks, 0);
}
END_TEST

/* Too deep a stack is not worth it. */
START_TEST(test_leave_none_where_much_is_open)
{
    for (uint64_t k = 0; k < 64 * 1024 / sizeof(struct prvcut_frame) + 1; k++)
        enter_function(&walk.track[0], k);
    leave(OTF_MARK_BYTES, 1234);
    ck_assert_uint_eq(stream.marks, 0);
    walk.track[0].open.count = 3;
    leave(OTF_MARK_BYTES + 1, 1235);
    ck_assert_uint_eq(stream.marks, 1);
}
END_TEST

/* What was counted before a mark, of the channels that there were. */
START_TEST(test_leave_keeps_counts)
{
    struct otf_channel *k;

    stream.counted = true;
    k = otf_channel_make(&stream.channels, &(struct otf_channel){ .from = 1, .to = 2 }, NULL);
    ck_assert_ptr_nonnull(k);
    k->inside[0] = 3;
    k->inside[1] = 4;
    leave(OTF_MARK_BYTES, 1234);
    k = otf_channel_make(&stream.channels, &(struct otf_channel){ .from = 2, .to = 1 }, NULL);
    ck_assert_ptr_nonnull(k);
    k->inside[1] = 5;
    otf_channel_at(&stream.channels, 0)->inside[0] = 6;
    leave(2 * OTF_MARK_BYTES, 1300);
    ck_assert_uint_eq(stream.mark[0].channels, 1);
    ck_assert_uint_eq(stream.mark[0].count[0], 3);
    ck_assert_uint_eq(stream.mark[0].count[1], 4);
    ck_assert_uint_eq(stream.mark[1].channels, 2);
    ck_assert_uint_eq(stream.mark[1].count[0], 6);
    ck_assert_uint_eq(stream.mark[1].count[3], 5);
}
END_TEST

static Suite *marks_suite(void)
{
    Suite *s = suite_create("otf_marks");
    TCase *t = tcase_create("marks");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_enter_restores_what_was_open);
    tcase_add_test(t, test_enter_before_the_first_process);
    tcase_add_loop_test(t, test_before_is_the_last_one_of_an_earlier_time, 0, 10);
    tcase_add_loop_test(t, test_leave_marks_that_are_apart, 0, 2);
    tcase_add_loop_test(t, test_leave_none_where_it_cannot_be_entered, 0, 9);
    tcase_add_test(t, test_leave_none_where_much_is_open);
    tcase_add_test(t, test_leave_keeps_counts);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(marks_suite());
}
