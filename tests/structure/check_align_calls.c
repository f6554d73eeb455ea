/* Calls and messages around a window, from records in any order of parts. */
#include "structure/align_calls.h"

#include "hand_trace.h"
#include "runner.h"

enum { P2P_TYPE = 50, ALL_TYPE = 51, COMM_TYPE = 52, PLENTY = 1 << 20 };

static struct hand_trace trace;
static struct part part[2];
static struct align_piece piece;
static struct prvcut_reader whole, halves;
static struct prvcut_span asked;

static enum prvcut_status scan_window(struct prvcut_trace *t, const struct prvcut_run *r,
                                      uint64_t from, uint64_t to, const struct prvcut_consumer *c,
                                      struct prvcut_error *err)
{
    asked = (struct prvcut_span){ from, to };
    return hand_scan(t, r, c, NULL, err);
}

static void setup(void)
{
    whole = hand_reader;
    halves = halves_reader;
    whole.scan_window = halves.scan_window = scan_window;
    memset(part, 0, sizeof part);
    piece = (struct align_piece){ 0 };
}

static void teardown(void)
{
    prvcut_align_piece_fini(&piece);
    ck_assert_ptr_null(piece.thread);
}

/* [100, 200) */
static void read_piece(const struct prvcut_reader *reader, size_t most, int threads)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_error err = { 0 };

    prvcut_align_piece_fini(&piece);
    trace = hand(reader, part, 2);
    trace.backwards = threads > 1;
    ck_assert_msg(prvcut_align_piece_read(&piece, &trace.base, &run,
                                          (struct prvcut_span){ 100, 200 }, most,
                                          &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_eq(asked.start, 100);
    ck_assert_uint_eq(asked.end, 200);
}

static void event(struct part *p, uint32_t thread, uint64_t time, uint32_t type, int64_t value)
{
    const enum prvcut_role role = type == P2P_TYPE   ? PRVCUT_ROLE_P2P
                                  : type == ALL_TYPE ? PRVCUT_ROLE_COLLECTIVE
                                                     : PRVCUT_ROLE_COMMUNICATOR;

    p->event[p->events++] =
        (struct prvcut_event)EVENT(time, thread & 0xffffff, type, value, role & 0x7f);
}

static void half(struct part *p, uint32_t thread, uint32_t peer, uint64_t time, uint64_t size,
                 bool receive)
{
    p->half[p->halves] = (struct prvcut_half)HALF(time, thread, peer, 5, 7, receive);
    p->half[p->halves++].size = size;
}

static const struct align_call *call_of(uint32_t thread, size_t i)
{
    ck_assert_uint_lt(i, piece.thread[thread].count);
    return &piece.thread[thread].call[i];
}

/* Only what lies in the window; the ends are found, but where they lie behind it. */
START_TEST(test_calls_have_begin_and_end)
{
    event(part, 1, 99, P2P_TYPE, 2);
    event(part, 1, 105, P2P_TYPE, 0);
    event(part, 1, 110, P2P_TYPE, 2);
    event(part, 1, 115, P2P_TYPE, 0);
    event(part + 1, 1, 118, P2P_TYPE, 0);
    event(part + 1, 1, 120, P2P_TYPE, 3);
    event(part + 1, 1, 199, ALL_TYPE, 3);
    event(part + 1, 1, 200, ALL_TYPE, 0);
    read_piece(&whole, PLENTY, 1 + _i);
    ck_assert_uint_eq(piece.threads, 4);
    ck_assert_uint_eq(piece.thread[0].count, 0);
    ck_assert_uint_eq(piece.thread[1].count, 3);
    ck_assert_uint_eq(call_of(1, 0)->time, 110);
    ck_assert_uint_eq(call_of(1, 0)->end, 115);
    ck_assert_uint_eq(call_of(1, 1)->time, 120);
    ck_assert_uint_eq(call_of(1, 1)->end, 120);
    ck_assert_uint_eq(call_of(1, 2)->end, 199);
    ck_assert_uint_ne(call_of(1, 0)->call, call_of(1, 1)->call);
    ck_assert_uint_ne(call_of(1, 1)->call, call_of(1, 2)->call);
}
END_TEST

/* Same calls of different threads have the same number. */
START_TEST(test_calls_are_the_same_on_all_threads)
{
    event(part, 1, 110, P2P_TYPE, 2);
    event(part, 1, 112, P2P_TYPE, 4);
    event(part + 1, 3, 150, P2P_TYPE, 2);
    read_piece(&whole, PLENTY, 1 + _i);
    ck_assert_uint_eq(call_of(1, 0)->call, call_of(3, 0)->call);
    ck_assert_uint_ne(call_of(1, 1)->call, call_of(3, 0)->call);
}
END_TEST

/* Lines of one time are one call, in whichever order they come. */
START_TEST(test_calls_at_one_time_are_one)
{
    event(part, 0, 110, P2P_TYPE, 2);
    event(part, 0, 110, ALL_TYPE, 3);
    event(part, 1, 110, ALL_TYPE, 3);
    event(part, 1, 110, P2P_TYPE, 2);
    read_piece(&whole, PLENTY, 1);
    ck_assert_uint_eq(piece.thread[0].count, 1);
    ck_assert_uint_eq(piece.thread[1].count, 1);
    ck_assert_uint_eq(call_of(0, 0)->call, call_of(1, 0)->call);
}
END_TEST

/* A part may lie before the one that it follows: an end of the same time closes the earlier call.
 */
START_TEST(test_calls_are_put_in_order)
{
    event(part, 0, 150, P2P_TYPE, 4);
    event(part, 0, 160, P2P_TYPE, 0);
    event(part + 1, 0, 110, P2P_TYPE, 2);
    event(part + 1, 0, 150, P2P_TYPE, 0);
    read_piece(&whole, PLENTY, 1);
    ck_assert_uint_eq(piece.thread[0].count, 2);
    ck_assert_uint_eq(call_of(0, 0)->time, 110);
    ck_assert_uint_eq(call_of(0, 0)->end, 150);
    ck_assert_uint_eq(call_of(0, 1)->time, 150);
    ck_assert_uint_eq(call_of(0, 1)->end, 160);
}
END_TEST

/* The communicator stands on the line of its call; of one that merely ended, or at another time, it
   says nothing; a call that is none of all is no collective. */
START_TEST(test_calls_of_all_have_their_communicator)
{
    event(part, 0, 110, ALL_TYPE, 3);
    event(part, 0, 110, COMM_TYPE, 9);
    event(part, 0, 112, ALL_TYPE, 0);
    event(part, 0, 112, COMM_TYPE, 8);
    event(part, 0, 120, ALL_TYPE, 3);
    event(part, 0, 121, COMM_TYPE, 8);
    event(part + 1, 0, 130, P2P_TYPE, 3);
    event(part + 1, 0, 130, COMM_TYPE, 8);
    read_piece(&whole, PLENTY, 1 + _i);
    ck_assert_uint_eq(piece.thread[0].count, 3);
    ck_assert(call_of(0, 0)->collective);
    ck_assert_uint_eq(call_of(0, 0)->communicator, 9);
    ck_assert(!call_of(0, 1)->collective);
    ck_assert(!call_of(0, 2)->collective);
    ck_assert_uint_eq(piece.application[2], 0);
    ck_assert_uint_eq(piece.application[3], 1);
}
END_TEST

/* What a call sends makes it alike on all threads; to whom only on its own. */
START_TEST(test_halves_belong_to_the_call_before_them)
{
    for (uint32_t t = 0; t < 2; t++)
        for (uint64_t i = 0; i < 3; i++)
            event(part, t, 110 + 10 * i, P2P_TYPE, 2);
    half(part, 0, 2, 111, 64, false);
    half(part, 0, 2, 120, 64, false);
    half(part, 0, 3, 130, 64, true);
    half(part, 1, 2, 119, 64, false);
    half(part + 1, 1, 3, 121, 32, false);
    half(part + 1, 1, 3, 105, 32, false);
    half(part + 1, 1, 3, 99, 32, false);
    half(part + 1, 1, 3, 200, 32, false);
    half(part + 1, 1, PRVCUT_NOBODY, 140, 32, false);
    read_piece(&halves, PLENTY, 1 + _i);
    ck_assert_uint_eq(piece.halves, 6);
    ck_assert_uint_eq(call_of(0, 0)->size, call_of(0, 1)->size);
    ck_assert_uint_eq(call_of(0, 0)->peer, call_of(0, 1)->peer);
    ck_assert_uint_ne(call_of(0, 0)->size, 0);
    ck_assert_uint_ne(call_of(0, 2)->size, call_of(0, 0)->size);
    ck_assert_uint_ne(call_of(0, 2)->peer, call_of(0, 0)->peer);
    ck_assert_uint_eq(call_of(1, 0)->size, call_of(0, 0)->size);
    ck_assert_uint_ne(call_of(1, 1)->size, call_of(0, 0)->size);
    ck_assert_uint_eq(call_of(1, 2)->size, 0);
    ck_assert_uint_eq(call_of(1, 2)->peer, 0);
}
END_TEST

/* A message is held where one of its ends is inside, and told to the calls of both. */
START_TEST(test_messages_belong_to_the_calls_of_both_ends)
{
    const struct prvcut_message m = { .sender = 0, .receiver = 1, .size = 64, .tag = 5 };
    const uint64_t times[][2] = {
        { 110, 120 }, { 90, 120 }, { 190, 210 }, { 80, 99 }, { 200, 201 }
    };

    event(part, 0, 105, P2P_TYPE, 2);
    event(part, 1, 106, P2P_TYPE, 3);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        part->message[i] = m;
        part->message[i].logical_send = part->message[i].physical_send = times[i][0];
        part->message[i].logical_receive = part->message[i].physical_receive = times[i][1];
        part->messages++;
    }
    read_piece(&whole, PLENTY, 1 + _i);
    ck_assert_uint_eq(piece.messages, 3);
    ck_assert_uint_eq(piece.message[1].logical_send, 90);
    /* Two of three are sent inside; all of three are received behind its call. */
    ck_assert_uint_eq(call_of(0, 0)->size % 2, 0);
    ck_assert_uint_ne(call_of(0, 0)->size, 0);
    ck_assert_uint_ne(call_of(0, 0)->size, call_of(1, 0)->size);
    ck_assert_uint_ne(call_of(0, 0)->peer, call_of(1, 0)->peer);
}
END_TEST

/* What does not fit is given up, and said so; nothing of it is told. */
START_TEST(test_too_much_is_given_up)
{
    for (uint64_t i = 0; i < 20; i++) {
        event(part, 0, 110 + i, P2P_TYPE, 2);
        event(part + 1, 0, 150 + i, P2P_TYPE, 2);
    }
    read_piece(&whole, 100, 1);
    ck_assert(piece.too_much);
    ck_assert_uint_eq(piece.thread[0].count, 0);
    read_piece(&whole, PLENTY, 1);
    ck_assert(!piece.too_much);
    ck_assert_uint_eq(piece.thread[0].count, 40);
}
END_TEST

START_TEST(test_calls_until_a_time)
{
    struct align_call calls[] = { { .time = 10 }, { .time = 20 }, { .time = 30 } };
    const struct align_thread t = { .call = calls, .count = 3 };
    const struct {
        uint64_t time;
        uint32_t with, without;
    } cases[] = { { 0, 0, 0 },  { 10, 1, 0 }, { 11, 1, 1 },
                  { 30, 3, 2 }, { 31, 3, 3 }, { UINT64_MAX, 3, 3 } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_uint_eq(prvcut_align_calls_until(&t, cases[i].time, true), cases[i].with);
        ck_assert_uint_eq(prvcut_align_calls_until(&t, cases[i].time, false), cases[i].without);
    }
}
END_TEST

static Suite *align_calls_suite(void)
{
    Suite *s = suite_create("align_calls");
    TCase *t = tcase_create("read");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_calls_have_begin_and_end, 0, 2);
    tcase_add_loop_test(t, test_calls_are_the_same_on_all_threads, 0, 2);
    tcase_add_test(t, test_calls_at_one_time_are_one);
    tcase_add_test(t, test_calls_are_put_in_order);
    tcase_add_loop_test(t, test_calls_of_all_have_their_communicator, 0, 2);
    tcase_add_loop_test(t, test_halves_belong_to_the_call_before_them, 0, 2);
    tcase_add_loop_test(t, test_messages_belong_to_the_calls_of_both_ends, 0, 2);
    tcase_add_test(t, test_too_much_is_given_up);
    tcase_add_test(t, test_calls_until_a_time);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(align_calls_suite());
}
