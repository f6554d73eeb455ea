#include "analysis/timeline_messages.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 5u
#define HIDDEN  3u /* the thread that is not drawn */
#define ROOM    200u

static uint32_t row[THREADS] = { 0, 1, 2, TL_HIDDEN, 3 };
static struct prvcut_window window;
static struct tl_grid grid;
static struct tl_messages sample;
static struct prvcut_timeline taken;
static struct prvcut_message message[ROOM];
static struct prvcut_half half[ROOM];
static size_t messages, halves;

static void setup(void)
{
    window = (struct prvcut_window){ .from = 1000, .to = 2000 };
    grid = (struct tl_grid){ .window = &window, .threads = THREADS, .rows = 4, .row = row };
    messages = halves = 0;
}

static void teardown(void)
{
    free(taken.message);
    taken = (struct prvcut_timeline){ 0 };
}

/* All of it, in batches of `step`. */
static void take(size_t most, size_t step)
{
    free(taken.message);
    taken = (struct prvcut_timeline){ 0 };
    sample = (struct tl_messages){ .grid = &grid, .most = most, .channel = UINT64_MAX };
    for (size_t i = 0; i < messages || i < halves; i += step) {
        const struct prvcut_batch b = {
            .message = message + i,
            .half = half + i,
            .messages = i < messages ? (messages - i < step ? messages - i : step) : 0,
            .halves = i < halves ? (halves - i < step ? halves - i : step) : 0
        };

        ck_assert_int_eq(tl_messages_batch(&sample, &b, NULL), PRVCUT_OK);
    }
    ck_assert_int_eq(tl_messages_take(&sample, &taken, NULL), PRVCUT_OK);
    tl_messages_fini(&sample);
    for (size_t i = 1; i < taken.messages; i++)
        ck_assert_uint_le(taken.message[i - 1].send, taken.message[i].send);
}

static void add_whole(uint32_t sender, uint32_t receiver, uint64_t sent, uint64_t received)
{
    message[messages] = (struct prvcut_message){ .sender = sender,
                                                 .receiver = receiver,
                                                 .logical_send = sent,
                                                 .physical_send = sent,
                                                 .logical_receive = received,
                                                 .physical_receive = received,
                                                 .size = messages };
    messages++;
}

static void add_send(uint32_t thread, uint32_t peer, int64_t tag, uint64_t time)
{
    half[halves++] =
        (struct prvcut_half){ .time = time, .tag = tag, .thread = thread, .peer = peer };
}

static void add_receive(uint32_t thread, uint32_t peer, int64_t tag, uint64_t posted, uint64_t time)
{
    half[halves++] = (struct prvcut_half){
        .time = time, .tag = tag, .thread = thread, .peer = peer, .receive = true, .other = posted
    };
}

static void expect(size_t i, uint32_t from, uint32_t to, uint64_t sent, uint64_t received)
{
    ck_assert_uint_lt(i, taken.messages);
    ck_assert_uint_eq(taken.message[i].from, from);
    ck_assert_uint_eq(taken.message[i].to, to);
    ck_assert_uint_eq(taken.message[i].send, sent);
    ck_assert_uint_eq(taken.message[i].receive, received);
}

static bool has(const struct prvcut_timeline_message *list, size_t count,
                const struct prvcut_timeline_message *m)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].from == m->from && list[i].to == m->to && list[i].send == m->send &&
            list[i].receive == m->receive && list[i].size == m->size)
            return true;
    return false;
}

START_TEST(test_take_nothing_is_empty)
{
    const struct prvcut_batch none = { 0 };

    take(10, 1);
    ck_assert_uint_eq(taken.messages, 0);
    ck_assert_uint_eq(taken.messages_seen, 0);
    ck_assert(!tl_messages_may(&sample, &none));
}
END_TEST

/* From its sender's window to its receiver's, both half open, and both drawn. */
START_TEST(test_take_message_that_lies_in_both_windows)
{
    static const uint64_t from[THREADS] = { 1000, 1200, 1000, 1000, 1500 };
    static const uint64_t to[THREADS] = { 2000, 1800, 2000, 2000, 1400 };

    window.thread_from = from;
    window.thread_to = to;
    add_whole(0, 1, 1000, 1799);
    add_whole(0, 1, 999, 1500);
    add_whole(0, 1, 1500, 1800);
    add_whole(1, 2, 1199, 1500);
    add_whole(1, 2, 1200, 1999);
    add_whole(2, HIDDEN, 1300, 1400);
    add_whole(HIDDEN, 2, 1300, 1400);
    add_whole(2, THREADS, 1300, 1400);
    add_whole(2, 4, 1300, 1450);
    take(10, 3);
    ck_assert_uint_eq(taken.messages, 2);
    ck_assert_uint_eq(taken.messages_seen, 2);
    expect(0, 0, 1, 1000, 1799);
    expect(1, 1, 2, 1200, 1999);
}
END_TEST

/* Looking at a batch tells what taking it would. */
START_TEST(test_may_is_true_where_something_is_taken)
{
    const struct prvcut_batch b = { .message = message, .half = half, .messages = 1 };
    const struct prvcut_batch h = { .message = message, .half = half, .halves = 1 };

    srand((unsigned)_i + 1);
    add_whole((uint32_t)rand() % THREADS, (uint32_t)rand() % THREADS, (uint64_t)rand() % 3000,
              (uint64_t)rand() % 3000);
    add_send((uint32_t)rand() % THREADS, (uint32_t)rand() % (THREADS + 1), 1,
             (uint64_t)rand() % 3000);
    sample = (struct tl_messages){ .grid = &grid, .most = 5, .channel = UINT64_MAX };
    ck_assert_int_eq(tl_messages_batch(&sample, &b, NULL), PRVCUT_OK);
    ck_assert_int_eq(tl_messages_may(&sample, &b), sample.seen > 0);
    ck_assert_int_eq(tl_messages_batch(&sample, &h, NULL), PRVCUT_OK);
    ck_assert_int_eq(tl_messages_may(&sample, &h), sample.sends > 0);
    sample.most = 0;
    ck_assert(!tl_messages_may(&sample, &b) && !tl_messages_may(&sample, &h));
    tl_messages_fini(&sample);
}
END_TEST

static void shuffle(void *list, size_t size, size_t count)
{
    char *at = list, spare[sizeof(struct prvcut_message) + sizeof(struct prvcut_half)];

    for (size_t i = count; i > 1; i--) {
        char *a = at + (size_t)rand() % i * size, *b = at + (i - 1) * size;

        memcpy(spare, a, size);
        memmove(a, b, size);
        memcpy(b, spare, size);
    }
}

/* The same sample in whatever order they come; a smaller one is part of a greater one. */
START_TEST(test_take_sample_does_not_depend_on_the_order)
{
    const size_t most = 1 + (size_t)_i % 40;
    struct prvcut_timeline first;

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 100; k++)
        add_whole((uint32_t)rand() % 3, (uint32_t)rand() % 3, 1000 + (uint64_t)rand() % 400,
                  1400 + (uint64_t)rand() % 600);
    take(most, 7);
    ck_assert_uint_eq(taken.messages, most);
    ck_assert_uint_eq(taken.messages_seen, 100);
    first = taken;
    taken.message = NULL;
    shuffle(message, sizeof *message, messages);
    take(most, 31);
    ck_assert_uint_eq(taken.messages, most);
    for (size_t i = 0; i < most; i++)
        ck_assert(has(&first.message[i], 1, &taken.message[i]));
    take(2 * most, 100);
    for (size_t i = 0; i < most; i++)
        ck_assert(has(taken.message, taken.messages, &first.message[i]));
    free(first.message);
}
END_TEST

/* Sends of its channel before it, and receives that were posted before it. */
static size_t ordinal(const struct prvcut_half *h)
{
    size_t n = 0;

    for (size_t i = 0; i < halves; i++) {
        const struct prvcut_half *o = &half[i];

        if (o->receive == h->receive && o->thread == h->thread && o->peer == h->peer &&
            o->tag == h->tag)
            n += h->receive ? o->other < h->other : o->time < h->time;
    }
    return n;
}

/* The k-th send of a channel meets the k-th receive, in the order in which these were posted. */
START_TEST(test_take_halves_by_their_ordinals)
{
    size_t wanted = 0;

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < 80; k++) {
        const uint32_t from = (uint32_t)rand() % 3, to = (uint32_t)rand() % 3;
        const int64_t tag = rand() % 2;

        add_send(from, to, tag, 1000 + k);
        /* The receives of one tag are all posted before those of the other. */
        add_receive(to, from, tag, 1000 + k + 100 * (uint64_t)tag, 1200 + (uint64_t)rand() % 800);
    }
    shuffle(half, sizeof *half, halves);
    take(ROOM, 9);
    for (size_t i = 0; i < halves; i++)
        for (size_t k = 0; k < halves; k++) {
            const struct prvcut_half *s = &half[i], *r = &half[k];
            const struct prvcut_timeline_message m = { row[s->thread], row[r->thread], s->time,
                                                       r->time, 0 };

            if (s->receive || !r->receive || s->thread != r->peer || r->thread != s->peer ||
                s->tag != r->tag || ordinal(s) != ordinal(r))
                continue;
            wanted++;
            ck_assert(has(taken.message, taken.messages, &m));
        }
    ck_assert_uint_eq(wanted, 80);
    ck_assert_uint_eq(taken.messages, wanted);
    ck_assert_uint_eq(taken.messages_seen, wanted);
}
END_TEST

/* Receives of what was sent before the window are passed over, as few as can be. */
START_TEST(test_take_halves_behind_those_that_were_under_way)
{
    for (int k = 0; k < _i; k++)
        add_receive(1, 0, 7, 0, 1000 + (uint64_t)k);
    for (uint64_t k = 0; k < 20; k++) {
        add_send(0, 1, 7, 1100 + 10 * k);
        add_receive(1, 0, 7, 0, 1105 + 10 * k);
    }
    take(ROOM, ROOM);
    ck_assert_uint_eq(taken.messages, 20);
    for (uint64_t k = 0; k < 20; k++)
        expect(k, 0, 1, 1100 + 10 * k, 1105 + 10 * k);
}
END_TEST

/* Who is not drawn, or is nobody, sends no message that is. */
START_TEST(test_take_half_of_who_is_not_drawn_is_none)
{
    const struct prvcut_batch b = { .half = half, .halves = 4 };

    add_send(0, HIDDEN, 1, 1100);
    add_send(HIDDEN, 0, 1, 1100);
    add_send(0, PRVCUT_NOBODY, 1, 1100);
    add_send(0, 1, 1, 2000);
    ck_assert(!tl_messages_may(&(struct tl_messages){ .grid = &grid, .most = 5 }, &b));
    take(5, 1);
    ck_assert_uint_eq(taken.messages, 0);
    ck_assert_uint_eq(taken.messages_seen, 0);
}
END_TEST

enum { LENGTH = 64, CHANNELS = TL_HALVES / (2 * LENGTH) + 1000 };

/* More ends than have room, channel by channel; a channel's tag and sizes are its number. */
static void take_many(bool backwards)
{
    taken = (struct prvcut_timeline){ 0 };
    sample = (struct tl_messages){ .grid = &grid, .most = SIZE_MAX, .channel = UINT64_MAX };
    for (unsigned k = 0; k < CHANNELS; k++) {
        const struct prvcut_batch b = { .half = half, .halves = 2 * LENGTH };
        const unsigned number = backwards ? CHANNELS - 1 - k : k;

        halves = 0;
        for (unsigned n = 0; n < LENGTH; n++) {
            add_send(0, 1, number, 1000 + n);
            add_receive(1, 0, number, 0, 1100 + n);
            half[halves - 2].size = number;
        }
        ck_assert_int_eq(tl_messages_batch(&sample, &b, NULL), PRVCUT_OK);
    }
    ck_assert_uint_le(sample.halves, TL_HALVES);
    ck_assert_uint_gt(sample.halves, TL_HALVES / 4);
    ck_assert_int_eq(tl_messages_take(&sample, &taken, NULL), PRVCUT_OK);
    tl_messages_fini(&sample);
}

/* Then whole channels go, the same ones in any order, and the number of messages is still right. */
START_TEST(test_take_more_halves_than_have_room_leaves_whole_channels)
{
    static unsigned of[CHANNELS];
    struct prvcut_timeline first;

    take_many(false);
    first = taken;
    take_many(true);
    ck_assert_uint_eq(taken.messages_seen, (uint64_t)CHANNELS * LENGTH);
    ck_assert_uint_eq(taken.messages, first.messages);
    for (size_t i = 0; i < taken.messages; i++) {
        const struct prvcut_timeline_message *m = &taken.message[i];

        ck_assert(has(&first.message[i], 1, m));
        ck_assert_uint_eq(m->receive, m->send + 100);
        of[m->size]++;
    }
    for (unsigned k = 0; k < CHANNELS; k++)
        ck_assert(of[k] == 0 || of[k] == LENGTH);
    free(first.message);
}
END_TEST

static Suite *timeline_messages_suite(void)
{
    Suite *s = suite_create("timeline_messages");
    TCase *t = tcase_create("take");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_take_nothing_is_empty);
    tcase_add_test(t, test_take_message_that_lies_in_both_windows);
    tcase_add_loop_test(t, test_may_is_true_where_something_is_taken, 0, 100);
    tcase_add_loop_test(t, test_take_sample_does_not_depend_on_the_order, 0, 40);
    tcase_add_loop_test(t, test_take_halves_by_their_ordinals, 0, 40);
    tcase_add_loop_test(t, test_take_halves_behind_those_that_were_under_way, 0, 17);
    tcase_add_test(t, test_take_half_of_who_is_not_drawn_is_none);
    tcase_add_test(t, test_take_more_halves_than_have_room_leaves_whole_channels);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(timeline_messages_suite());
}
