#include "structure/align_groups.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/*
 * Each end of a message stands in a call of its own, so that a group's points tell which ends it
 * was made of. What belongs together is found a second time by counting, end by end.
 */

#define THREADS 4u
#define MOST    256u

static struct align_call calls[THREADS][MOST];
static struct align_thread threads[THREADS];
static uint32_t application[THREADS];
static struct align_half half[MOST];
static struct prvcut_message message[MOST];
static struct align_piece piece;
static struct align_groups groups;

static void setup(void)
{
    memset(application, 0, sizeof application);
    for (uint32_t t = 0; t < THREADS; t++)
        threads[t] = (struct align_thread){ .call = calls[t], .room = MOST };
    piece = (struct align_piece){ .span = { 0, 1000000 },
                                  .thread = threads,
                                  .threads = THREADS,
                                  .application = application,
                                  .half = half,
                                  .message = message };
    groups = (struct align_groups){ 0 };
}

static void teardown(void)
{
    prvcut_align_groups_fini(&groups);
    ck_assert_ptr_null(groups.point);
}

/* In order of time on each thread. */
static struct align_call *add_call(uint32_t thread, uint64_t time, uint64_t end)
{
    struct align_thread *t = &threads[thread];

    ck_assert_uint_lt(t->count, MOST);
    t->call[t->count] = (struct align_call){ .time = time, .end = end };
    return &t->call[t->count++];
}

static void add_collective(uint32_t thread, uint32_t communicator, uint64_t time, uint64_t end)
{
    struct align_call *c = add_call(thread, time, end);

    c->collective = true;
    c->communicator = communicator;
}

static void add_half(struct align_half h)
{
    add_call(h.thread, h.time, h.time);
    half[piece.halves++] = h;
}

static void send(uint32_t from, uint32_t to, int64_t tag, uint64_t time)
{
    add_half((struct align_half){ .time = time, .tag = tag, .thread = from, .peer = to });
}

static void receive(uint32_t from, uint32_t to, int64_t tag, uint64_t time)
{
    add_half((struct align_half){
        .time = time, .tag = tag, .thread = to, .peer = from, .receive = true });
}

static void shuffle_halves(void)
{
    for (size_t i = piece.halves; i > 1; i--) {
        const size_t k = (size_t)rand() % i;
        const struct align_half h = half[k];

        half[k] = half[i - 1];
        half[i - 1] = h;
    }
}

/* Calls at or before a time. */
static uint32_t until(uint32_t thread, uint64_t time)
{
    uint32_t n = 0;

    for (size_t i = 0; i < threads[thread].count; i++)
        n += threads[thread].call[i].time <= time;
    return n;
}

/* Every list is what it is said to be. */
static void expect_lists(void)
{
    ck_assert_uint_eq(groups.first[0], 0);
    ck_assert_uint_eq(groups.first[groups.groups], groups.points);
    for (uint32_t g = 0; g < groups.groups; g++)
        for (size_t i = groups.first[g]; i < groups.first[g + 1]; i++)
            ck_assert_uint_eq(groups.point[i].group, g);
    ck_assert_uint_eq(groups.begin[0], 0);
    ck_assert_uint_eq(groups.begin[piece.threads], groups.points);
    for (uint32_t t = 0; t < piece.threads; t++)
        for (size_t i = groups.begin[t]; i < groups.begin[t + 1]; i++) {
            const struct align_point *p = &groups.point[groups.by_thread[i]];

            ck_assert_uint_eq(p->thread, t);
            ck_assert(i == groups.begin[t] || groups.point[groups.by_thread[i - 1]].pos <= p->pos);
        }
}

static void make(uint64_t tolerance)
{
    ck_assert_int_eq(prvcut_align_groups_make(&groups, &piece, tolerance, NULL), PRVCUT_OK);
    expect_lists();
}

static bool is_point(size_t i, uint32_t thread, uint32_t pos)
{
    return i < groups.points && groups.point[i].thread == thread && groups.point[i].pos == pos;
}

/* The group's points, ended by a thread beyond all. */
static void expect_group(uint32_t g, const struct align_point *points)
{
    size_t n = 0;

    ck_assert_uint_lt(g, groups.groups);
    for (; points[n].thread < THREADS; n++)
        ck_assert(is_point(groups.first[g] + n, points[n].thread, points[n].pos));
    ck_assert_uint_eq(groups.first[g + 1] - groups.first[g], n);
}

#define END                                                                                        \
    {                                                                                              \
        .thread = THREADS                                                                          \
    }
#define GROUP(...) ((const struct align_point[]){ __VA_ARGS__, END })

/* Groups of messages between two places. */
static unsigned pairs_of(uint32_t from, uint32_t sent, uint32_t to, uint32_t received)
{
    unsigned n = 0;

    for (uint32_t g = 0; g < groups.messages; g++)
        n += groups.first[g + 1] == groups.first[g] + 2 && is_point(groups.first[g], from, sent) &&
             is_point(groups.first[g] + 1, to, received);
    return n;
}

START_TEST(test_group_nothing_is_empty)
{
    make(0);
    ck_assert_uint_eq(groups.groups, 0);
    ck_assert_uint_eq(groups.points, 0);
    ck_assert_uint_eq(groups.untrusted, 0);
}
END_TEST

/* All four times of a whole message count: posted and done, on both sides. */
START_TEST(test_group_whole_message_has_its_four_calls)
{
    for (uint64_t i = 1; i <= 4; i++) {
        add_call(0, 10 * i, 10 * i);
        add_call(1, 10 * i, 10 * i);
    }
    message[piece.messages++] = (struct prvcut_message){ .sender = 0,
                                                         .receiver = 1,
                                                         .logical_send = 20,
                                                         .physical_send = 35,
                                                         .logical_receive = 5,
                                                         .physical_receive = 40 };
    make(0);
    ck_assert_uint_eq(groups.messages, 1);
    ck_assert_uint_eq(groups.groups, 1);
    expect_group(0, GROUP({ 0, 2, 0 }, { 0, 3, 0 }, { 1, 0, 0 }, { 1, 4, 0 }));
}
END_TEST

static bool same_channel(const struct align_half *a, const struct align_half *b)
{
    const uint32_t from[] = { a->receive ? a->peer : a->thread, b->receive ? b->peer : b->thread };
    const uint32_t to[] = { a->receive ? a->thread : a->peer, b->receive ? b->thread : b->peer };

    return from[0] == from[1] && to[0] == to[1] && a->tag == b->tag;
}

/* How many of its channel and kind come before it. */
static size_t ordinal(const struct align_half *h)
{
    size_t n = 0;

    for (size_t i = 0; i < piece.halves; i++)
        n += half[i].receive == h->receive && same_channel(&half[i], h) && half[i].time < h->time;
    return n;
}

/* Messages of few channels; all are sent, then received in any order. */
static void draw_messages(void)
{
    const size_t count = 60;

    for (uint64_t time = 10; piece.halves < count; time++) {
        const uint32_t from = (uint32_t)rand() % THREADS;

        send(from, (from + 1 + (uint32_t)rand() % (THREADS - 1)) % THREADS, rand() % 2, time);
    }
    shuffle_halves();
    for (size_t i = 0; i < count; i++)
        receive(half[i].thread, half[i].peer, half[i].tag, 100 + i);
    shuffle_halves();
}

/* From the run's beginning: the k-th send of a channel and its k-th receive, in whatever order. */
START_TEST(test_group_halves_by_their_ordinals)
{
    unsigned wanted = 0;

    srand((unsigned)_i + 1);
    draw_messages();
    make(0);
    ck_assert_uint_eq(groups.untrusted, 0);
    for (size_t i = 0; i < piece.halves; i++)
        for (size_t k = 0; k < piece.halves; k++) {
            const struct align_half *s = &half[i], *r = &half[k];

            if (s->receive || !r->receive || !same_channel(s, r) || ordinal(s) != ordinal(r))
                continue;
            wanted++;
            ck_assert_uint_eq(pairs_of(s->thread, until(s->thread, s->time), r->thread,
                                       until(r->thread, r->time)),
                              1);
        }
    ck_assert_uint_eq(groups.messages, wanted);
    ck_assert_uint_eq(groups.groups, wanted);
}
END_TEST

/* What comes before it was sent was sent before the piece: its send is before all calls. */
START_TEST(test_group_receive_of_an_earlier_send_is_put_before_all)
{
    piece.span.start = 5;
    receive(0, 1, 7, 10);
    for (uint64_t k = 1; k <= 3; k++) {
        send(0, 1, 7, 100 * k);
        receive(0, 1, 7, 100 * k + 20);
    }
    make(0);
    ck_assert_uint_eq(groups.messages, 4);
    ck_assert_uint_eq(pairs_of(0, 0, 1, 1), 1);
    for (uint32_t k = 1; k <= 3; k++)
        ck_assert_uint_eq(pairs_of(0, k, 1, k + 1), 1);
}
END_TEST

/* Clocks may be off by the tolerance, not by more. */
START_TEST(test_group_receive_may_come_early_by_the_tolerance)
{
    piece.span.start = 5;
    for (uint64_t k = 1; k <= 3; k++) {
        receive(0, 1, 7, 100 * k - 8);
        send(0, 1, 7, 100 * k);
    }
    make((uint64_t)_i);
    ck_assert_uint_eq(pairs_of(0, 0, 1, 1), _i < 8);
    ck_assert_uint_eq(pairs_of(0, 1, 1, 1), _i >= 8);
    ck_assert_uint_eq(pairs_of(0, 1, 1, 2), _i < 8);
}
END_TEST

/* Of ten sends four may be without a receive; with fewer nobody knows which are which. */
START_TEST(test_group_half_recorded_channel_is_not_trusted)
{
    for (uint64_t k = 0; k < 10; k++)
        send(0, 1, 7, 100 + k);
    for (int k = 0; k < _i; k++)
        receive(0, 1, 7, 200 + (uint64_t)k);
    send(1, 0, 7, 300);
    receive(1, 0, 7, 301);
    make(0);
    ck_assert_uint_eq(groups.untrusted, _i < 6);
    ck_assert_uint_eq(groups.messages, 1 + (_i < 6 ? 0u : (unsigned)_i));
}
END_TEST

START_TEST(test_group_message_to_itself_is_none)
{
    send(2, 2, 7, 10);
    receive(2, 2, 7, 20);
    make(0);
    ck_assert_uint_eq(groups.groups, 0);
    ck_assert_uint_eq(groups.untrusted, 0);
}
END_TEST

/* Collectives are counted on each communicator; a lone member is tied to nobody. */
START_TEST(test_group_collectives_by_communicator)
{
    add_collective(0, 1, 10, 20);
    add_collective(0, 2, 30, 40);
    add_collective(0, 1, 50, 60);
    add_call(1, 5, 6);
    add_collective(1, 1, 11, 20);
    add_collective(1, 1, 51, 60);
    add_collective(2, 1, 12, 20);
    make(0);
    ck_assert_uint_eq(groups.messages, 0);
    ck_assert_uint_eq(groups.groups, 2);
    expect_group(0, GROUP({ 0, 1, 0 }, { 1, 2, 0 }, { 2, 1, 0 }));
    expect_group(1, GROUP({ 0, 3, 0 }, { 1, 3, 0 }));
}
END_TEST

/* Numbers of communicators are each application's own. */
START_TEST(test_group_collectives_by_application)
{
    application[1] = application[3] = 1;
    for (uint32_t t = 0; t < THREADS; t++)
        add_collective(t, 1, 10 + t, 20);
    make(0);
    ck_assert_uint_eq(groups.groups, 2);
    expect_group(0, GROUP({ 0, 1, 0 }, { 2, 1, 0 }));
    expect_group(1, GROUP({ 1, 1, 0 }, { 3, 1, 0 }));
}
END_TEST

/*
 * In the middle of the run each thread's part begins with another collective. Instance k is at
 * 1000 k; thread t holds those from `begins[t]` on.
 */
START_TEST(test_group_collectives_of_parts_that_begin_apart)
{
    uint32_t begins[THREADS];
    enum { LAST = 40 };

    srand((unsigned)_i + 1);
    piece.span.start = 500;
    for (uint32_t t = 0; t < THREADS; t++) {
        begins[t] = 1 + (uint32_t)rand() % 8;
        for (uint32_t k = begins[t]; k < LAST; k++)
            add_collective(t, 1, 1000 * k + (uint32_t)rand() % 300, 1000 * k + 400);
    }
    make(0);
    /* Those that the first thread holds. */
    ck_assert_uint_eq(groups.groups, LAST - begins[0]);
    for (uint32_t k = begins[0]; k < LAST; k++) {
        size_t i = groups.first[k - begins[0]];

        for (uint32_t t = 0; t < THREADS; t++)
            if (k >= begins[t])
                ck_assert(is_point(i++, t, k - begins[t] + 1));
        ck_assert_uint_eq(i, groups.first[k - begins[0] + 1]);
    }
}
END_TEST

static Suite *align_groups_suite(void)
{
    Suite *s = suite_create("align_groups");
    TCase *t = tcase_create("group");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_group_nothing_is_empty);
    tcase_add_test(t, test_group_whole_message_has_its_four_calls);
    tcase_add_loop_test(t, test_group_halves_by_their_ordinals, 0, 50);
    tcase_add_test(t, test_group_receive_of_an_earlier_send_is_put_before_all);
    tcase_add_loop_test(t, test_group_receive_may_come_early_by_the_tolerance, 7, 9);
    tcase_add_loop_test(t, test_group_half_recorded_channel_is_not_trusted, 5, 7);
    tcase_add_test(t, test_group_message_to_itself_is_none);
    tcase_add_test(t, test_group_collectives_by_communicator);
    tcase_add_test(t, test_group_collectives_by_application);
    tcase_add_loop_test(t, test_group_collectives_of_parts_that_begin_apart, 0, 50);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(align_groups_suite());
}
