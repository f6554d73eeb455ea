/* Ends of messages that were gathered become messages, or stay ends; those that cross are counted.
 */
#include "stream/flow.h"

#include "hand_trace.h"
#include "runner.h"

#define ROOM 64

static struct hand_trace trace;
static const struct prvcut_run run = { .threads = 1 };
static struct prvcut_stream_plan plan;
static struct prvcut_stream *stream;
static struct stm_large got[ROOM];
static size_t count;

static void setup(void)
{
    trace = hand(&halves_reader, NULL, 0);
    plan = (struct prvcut_stream_plan){ .trace = &trace.base, .run = &run };
    stream = NULL;
    count = 0;
}

static void teardown(void)
{
    prvcut_stream_free(stream);
}

static void begin(bool whole, uint64_t from, uint64_t to)
{
    plan.whole_messages = whole;
    plan.only = (struct prvcut_span){ from, to };
    ck_assert_int_eq(prvcut_stream_new(&stream, &plan, NULL), PRVCUT_OK);
    ck_assert(stream->pair);
}

static void add(uint64_t order, struct prvcut_half h)
{
    ck_assert_int_eq(stm_meeting_add(&stream->meeting, 0, order, &h, NULL), PRVCUT_OK);
    ck_assert_int_eq(stm_meeting_flush(&stream->meeting, 0, NULL), PRVCUT_OK);
}

/* From thread 0 to 1; of a send its transfer, of a receive when it was posted. */
static void send(uint64_t time, uint64_t other, uint32_t comm)
{
    add(stm_order(STM_SEND, 3, (uint32_t)time), (struct prvcut_half){ .time = time,
                                                                      .size = 100,
                                                                      .tag = 5,
                                                                      .thread = 0,
                                                                      .peer = 1,
                                                                      .communicator = comm,
                                                                      .other = other });
}

static void receive(uint64_t time, uint64_t other, uint32_t comm)
{
    add(stm_order(STM_RECEIVE, 4, (uint32_t)time), (struct prvcut_half){ .time = time,
                                                                         .size = 60,
                                                                         .tag = 5,
                                                                         .thread = 1,
                                                                         .peer = 0,
                                                                         .communicator = comm,
                                                                         .receive = true,
                                                                         .other = other });
}

static void meet(void)
{
    size_t n = 0;
    enum prvcut_status st;

    ck_assert_int_eq(stm_meet(stream, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_finish(stream->large, NULL), PRVCUT_OK);
    while ((st = prvcut_sorter_next(stream->large, got + count, ROOM - count, &n, NULL)) ==
           PRVCUT_OK)
        count += n;
    ck_assert_int_eq(st, PRVCUT_END);
}

/* Sender, size and place are the send's; each time stands where it belongs. */
START_TEST(test_meet_makes_one_message_of_both_ends)
{
    begin(true, 0, 0);
    send(10, 12, 7);
    receive(30, 20, 7);
    meet();
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(got->item.kind, PRVCUT_ITEM_MESSAGE);
    ck_assert_uint_eq(got->order, stm_ranked(stm_order(STM_SEND, 3, 10), STM_MESSAGE));
    ck_assert_uint_eq(got->item.thread, 0);
    ck_assert_uint_eq(got->item.message.receiver, 1);
    ck_assert_uint_eq(got->item.time, 10);
    ck_assert_uint_eq(got->item.message.physical_send, 12);
    ck_assert_uint_eq(got->item.message.logical_receive, 20);
    ck_assert_uint_eq(got->item.message.physical_receive, 30);
    ck_assert_uint_eq(got->item.message.size, 100);
    ck_assert_int_eq(got->item.message.tag, 5);
    ck_assert_uint_eq(got->item.message.communicator, 7);
    ck_assert_uint_eq(stream->last_ns, 30);
    ck_assert_uint_eq(stream->counts.unmatched + stream->counts.crossing, 0);
}
END_TEST

/* What the format does not tell is as if the one time were the other. */
START_TEST(test_meet_takes_times_that_are_not_told_for_those_that_are)
{
    begin(true, 0, 0);
    send(10, 0, 7);
    receive(30, 0, 7);
    meet();
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(got->item.message.physical_send, 10);
    ck_assert_uint_eq(got->item.message.logical_receive, 30);
}
END_TEST

START_TEST(test_meet_counts_ends_that_are_alone_where_messages_are_whole)
{
    begin(true, 0, 0);
    send(10, 0, 7);
    send(11, 0, 7);
    receive(30, 0, 7);
    meet();
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(stream->counts.unmatched, 1);
}
END_TEST

/* Of a window, ends that are alone stay, but for those outside. */
START_TEST(test_meet_keeps_ends_that_are_alone_in_the_window)
{
    begin(false, 100, 200);
    send(99, 0, 7);
    send(100, 0, 7);
    send(199, 0, 7);
    send(200, 0, 7);
    meet();
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(got[0].item.time, 100);
    ck_assert_uint_eq(got[1].item.time, 199);
    ck_assert_int_eq(got[0].item.kind, PRVCUT_ITEM_SEND);
    ck_assert_uint_eq(stream->counts.unmatched, 0);
    ck_assert_uint_eq(stream->last_ns, 199);
}
END_TEST

/* Both ends inside: both come, each with its place. One inside: lost, and counted. None: nothing.
 */
START_TEST(test_meet_leaves_out_what_crosses_the_window)
{
    begin(false, 100, 200);
    send(80, 0, 7);
    receive(90, 85, 7);
    send(95, 0, 7);
    receive(105, 101, 7);
    send(110, 0, 7);
    receive(120, 115, 7);
    send(190, 0, 7);
    receive(210, 195, 7);
    meet();
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(got[0].item.kind, PRVCUT_ITEM_SEND);
    ck_assert_uint_eq(got[0].item.time, 110);
    ck_assert_uint_eq(got[0].order, stm_order(STM_SEND, 3, 110));
    ck_assert_int_eq(got[1].item.kind, PRVCUT_ITEM_RECEIVE);
    ck_assert_uint_eq(got[1].item.time, 120);
    ck_assert_uint_eq(got[1].item.half.other, 115);
    ck_assert_uint_eq(got[1].order, stm_order(STM_RECEIVE, 4, 120));
    ck_assert_uint_eq(stream->counts.crossing, 2);
}
END_TEST

/* Where every communicator has as many sends as receives it parts channels; else it is a tracer's
   slip, and says nothing. */
START_TEST(test_meet_asks_the_communicator_only_where_both_ends_agree)
{
    begin(true, 0, 0);
    send(10, 0, 7);
    send(11, 0, 8);
    receive(30, 0, _i == 0 ? 8 : 9);
    receive(31, 0, 7);
    meet();
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(got[0].item.time, 10);
    ck_assert_uint_eq(got[0].item.message.physical_receive, _i == 0 ? 31 : 30);
}
END_TEST

static Suite *meet_suite(void)
{
    Suite *s = suite_create("meet");
    TCase *t = tcase_create("meet");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_meet_makes_one_message_of_both_ends);
    tcase_add_test(t, test_meet_takes_times_that_are_not_told_for_those_that_are);
    tcase_add_test(t, test_meet_counts_ends_that_are_alone_where_messages_are_whole);
    tcase_add_test(t, test_meet_keeps_ends_that_are_alone_in_the_window);
    tcase_add_test(t, test_meet_leaves_out_what_crosses_the_window);
    tcase_add_loop_test(t, test_meet_asks_the_communicator_only_where_both_ends_agree, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(meet_suite());
}
