/* Ends of messages become messages that begin and end, with the calls that made them. */
#include "stream/told.h"

#include "stream/flow.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 64

static struct prvcut_trace trace;
static const struct prvcut_run run = { .threads = 1 };
static struct prvcut_stream_plan plan;
static struct told told;
static struct told_message got[ROOM];
static size_t count;

/* Each message's begin, then its end. */
static int by_id(const void *a, const void *b)
{
    const struct told_message *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->key.kind < y->key.kind) - (x->key.kind > y->key.kind);
}

static void setup(void)
{
    plan = (struct prvcut_stream_plan){ .trace = &trace, .run = &run };
    told = (struct told){ .plan = &plan, .to = UINT64_MAX, .uses = prvcut_uses_none() };
    count = 0;
}

/* numbered: a record held both ends, and said which they are. */
static void begin(bool numbered)
{
    told.whole = numbered;
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(told_sorter(&told, &told.end[i], sizeof(struct told_end),
                                     numbered ? prvcut_end_by_number : prvcut_end_by_channel, NULL),
                         PRVCUT_OK);
    ck_assert_int_eq(told_sorter(&told, &told.message, sizeof *got, by_id, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    prvcut_sorter_free(told.end[0]);
    prvcut_sorter_free(told.end[1]);
    prvcut_sorter_free(told.message);
    prvcut_uses_fini(&told.uses);
}

static void add(struct told_end e)
{
    e.order = 10 * e.end.half.time;
    ck_assert_int_eq(prvcut_sorter_add(told.end[e.end.half.receive], 0, &e, 1, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_uses_note(&told.uses, &e.end.half, NULL), PRVCUT_OK);
}

static struct told_in_call in_call(uint32_t thread, uint64_t from, uint64_t to)
{
    return (struct told_in_call){ true, { .thread = thread, .span = { from, to } } };
}

/* From thread 1 to 0, in calls that begin with them and take 3. */
static void send_of(uint64_t number, uint64_t time, uint64_t size)
{
    add((struct told_end){ .end = { .order = number,
                                    .half = { .time = time,
                                              .size = size,
                                              .tag = 5,
                                              .thread = 1,
                                              .communicator = 7,
                                              .other = time + 1 } },
                           .posted = PRVCUT_NEVER,
                           .call = in_call(1, time, time + 3) });
}

static void send(uint64_t number, uint64_t time)
{
    send_of(number, time, 100);
}

static void receive_of(uint64_t number, uint64_t posted, uint64_t time, uint64_t size)
{
    add((struct told_end){ .end = { .order = number,
                                    .half = { .time = time,
                                              .size = size,
                                              .tag = 5,
                                              .peer = 1,
                                              .communicator = 7,
                                              .receive = true,
                                              .other = posted } },
                           .posted = posted,
                           .call = in_call(0, time - 3, time),
                           .post = in_call(0, posted, posted + 3) });
}

static void receive(uint64_t number, uint64_t posted, uint64_t time)
{
    receive_of(number, posted, time, 60);
}

static void tell(void)
{
    size_t n = 0;
    enum prvcut_status st;

    ck_assert_int_eq(told_messages(&told, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_finish(told.message, NULL), PRVCUT_OK);
    while ((st = prvcut_sorter_next(told.message, got + count, ROOM - count, &n, NULL)) ==
           PRVCUT_OK)
        count += n;
    ck_assert_int_eq(st, PRVCUT_END);
    ck_assert_uint_eq(count % 2, 0);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(got[i].key.kind, i % 2 == 0);
}

/* Without posts sizes tell apart what completes in another order, where both ends agree on them. */
START_TEST(test_tell_by_size_where_ends_agree)
{
    begin(false);
    send_of(1, 10, 100);
    send_of(2, 11, 60);
    receive_of(1, 0, 30, 60);
    receive_of(2, 0, 31, _i == 0 ? 100 : 101);
    tell();
    ck_assert_uint_eq(count, 4);
    /* In the order of the receives. */
    ck_assert_uint_eq(got[0].message.sent, _i == 0 ? 11 : 10);
    ck_assert_uint_eq(got[0].message.completed, 30);
    ck_assert_uint_eq(got[2].message.sent, _i == 0 ? 10 : 11);
    ck_assert_uint_eq(got[2].message.completed, 31);
}
END_TEST

START_TEST(test_tell_a_whole_message_with_its_times_and_calls)
{
    const struct prvcut_stream_message *m = &got->message;

    begin(_i == 1);
    send(4, 10);
    receive(4, 20, 30);
    tell();
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(m->fate, PRVCUT_FATE_WHOLE);
    ck_assert_uint_eq(m->sender, 1);
    ck_assert_uint_eq(m->receiver, 0);
    ck_assert_uint_eq(m->communicator, 7);
    ck_assert_int_eq(m->tag, 5);
    ck_assert_uint_eq(m->size, 100);
    ck_assert_uint_eq(m->sent, 10);
    ck_assert_uint_eq(m->transferred, 11);
    ck_assert_uint_eq(m->posted, 20);
    ck_assert_uint_eq(m->completed, 30);
    ck_assert(got->send.is && got->send.call.span.start == 10);
    ck_assert(got->post.is && got->post.call.span.start == 20);
    ck_assert(got->complete.is && got->complete.call.span.end == 30);
    ck_assert_uint_eq(got[0].key.time, 10);
    ck_assert_uint_eq(got[0].key.thread, 1);
    ck_assert_uint_eq(got[0].key.order, 100);
    ck_assert_uint_eq(got[1].key.time, 30);
    ck_assert_uint_eq(got[1].key.thread, 0);
    ck_assert_uint_eq(got[1].key.order, 300);
}
END_TEST

/* Where records say which ends are one message, the order on the channel does not matter. */
START_TEST(test_tell_by_number_or_by_order)
{
    begin(_i == 1);
    send(1, 10);
    send(2, 11);
    receive(2, 20, 30);
    receive(1, 21, 31);
    tell();
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(got[0].message.sent, 10);
    ck_assert_uint_eq(got[0].message.completed, _i == 1 ? 31 : 30);
    ck_assert_uint_eq(got[2].message.sent, 11);
    ck_assert_uint_eq(got[2].message.completed, _i == 1 ? 30 : 31);
}
END_TEST

/* Ends of different numbers are of different messages, though all else is the same. */
START_TEST(test_tell_numbers_that_differ_apart)
{
    begin(true);
    send(1, 10);
    receive(2, 20, 30);
    tell();
    ck_assert_uint_eq(count, 4);
    ck_assert_int_eq(got[0].message.fate, PRVCUT_FATE_ALONE);
    ck_assert_int_eq(got[2].message.fate, PRVCUT_FATE_ALONE);
}
END_TEST

/* It begins and ends where it is, and says what is known: who is at the other end, no times. */
START_TEST(test_tell_an_end_that_is_alone)
{
    const struct prvcut_stream_message *m = &got->message;

    begin(false);
    if (_i == 0)
        send(1, 10);
    else
        receive(1, 20, 30);
    tell();
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(m->fate, PRVCUT_FATE_ALONE);
    ck_assert_uint_eq(m->sender, 1);
    ck_assert_uint_eq(m->receiver, 0);
    ck_assert_uint_eq(m->size, _i == 0 ? 100 : 60);
    ck_assert_uint_eq(m->sent, _i == 0 ? 10 : PRVCUT_NEVER);
    ck_assert_uint_eq(m->transferred, _i == 0 ? 11 : PRVCUT_NEVER);
    ck_assert_uint_eq(m->posted, _i == 0 ? PRVCUT_NEVER : 20);
    ck_assert_uint_eq(m->completed, _i == 0 ? PRVCUT_NEVER : 30);
    ck_assert_int_eq(got->send.is, _i == 0);
    ck_assert_int_eq(got->post.is, _i == 1);
    ck_assert_int_eq(got->complete.is, _i == 1);
    ck_assert_uint_eq(got[1].key.time, got[0].key.time);
    ck_assert_uint_eq(got[1].key.thread, got[0].key.thread);
    ck_assert_uint_eq(got[1].key.order, got[0].key.order + 1);
}
END_TEST

/* By time no one ends before it begins, though clocks contradict each other, nor at the same time
   on an earlier thread; thread by thread each end stays on its own. */
START_TEST(test_tell_the_end_behind_the_begin)
{
    static const uint64_t times[] = { 10, 30 };

    plan.by_thread = _i >= 2;
    begin(false);
    send(1, 30);
    receive(1, 5, times[_i % 2]);
    tell();
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(got[0].key.time, 30);
    ck_assert_uint_eq(got[0].key.thread, 1);
    ck_assert_uint_eq(got[1].key.time, plan.by_thread ? times[_i % 2] : 30);
    ck_assert_uint_eq(got[1].key.thread, plan.by_thread ? 0 : 1);
    ck_assert_uint_eq(got[1].key.order, plan.by_thread ? 10 * times[_i % 2] : 301);
    ck_assert_uint_eq(got->message.sent, 30);
    ck_assert_uint_eq(got->message.completed, times[_i % 2]);
}
END_TEST

/* [100, 200): what touches it is told with all its times; its calls outside are not. */
START_TEST(test_tell_in_a_window)
{
    static const struct {
        uint64_t sent, posted, completed;
        bool is, whole, send, post, complete;
    } cases[] = {
        { 80, 85, 99, false, false, false, false, false },
        { 200, 205, 210, false, false, false, false, false },
        { 80, 85, 100, true, false, false, false, true },
        { 80, 110, 120, true, false, false, true, true },
        { 80, 90, 220, true, false, false, false, false },
        { 110, 90, 120, true, true, true, false, true },
        { 110, 115, 199, true, true, true, true, true },
        { 110, 115, 200, true, false, true, true, false },
        { 199, 205, 210, true, false, true, false, false },
    };

    told.from = 100;
    told.to = 200;
    begin(false);
    send(1, cases[_i].sent);
    receive(1, cases[_i].posted, cases[_i].completed);
    tell();
    ck_assert_uint_eq(count, cases[_i].is ? 2 : 0);
    if (!cases[_i].is)
        return;
    ck_assert_int_eq(got->message.fate, cases[_i].whole ? PRVCUT_FATE_WHOLE : PRVCUT_FATE_CROSSES);
    ck_assert_uint_eq(got->message.sent, cases[_i].sent);
    ck_assert_uint_eq(got->message.posted, cases[_i].posted);
    ck_assert_uint_eq(got->message.completed, cases[_i].completed);
    ck_assert_int_eq(got->send.is, cases[_i].send);
    ck_assert_int_eq(got->post.is, cases[_i].post);
    ck_assert_int_eq(got->complete.is, cases[_i].complete);
}
END_TEST

static Suite *told_messages_suite(void)
{
    Suite *s = suite_create("told_messages");
    TCase *t = tcase_create("tell");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_tell_by_size_where_ends_agree, 0, 2);
    tcase_add_loop_test(t, test_tell_a_whole_message_with_its_times_and_calls, 0, 2);
    tcase_add_loop_test(t, test_tell_by_number_or_by_order, 0, 2);
    tcase_add_test(t, test_tell_numbers_that_differ_apart);
    tcase_add_loop_test(t, test_tell_an_end_that_is_alone, 0, 2);
    tcase_add_loop_test(t, test_tell_the_end_behind_the_begin, 0, 4);
    tcase_add_loop_test(t, test_tell_in_a_window, 0, 9);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(told_messages_suite());
}
