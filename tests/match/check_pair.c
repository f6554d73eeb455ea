#include "match/pair.h"

#include "runner.h"

#include <stdlib.h>
#include <string.h>

/* Each end's size is its number, so that what met can be told. */

#define ROOM 400u

static struct prvcut_end end[ROOM];
static uint32_t partner[ROOM]; /* as it was told; ROOM: alone; UINT32_MAX: not told */
static size_t count;
static unsigned stop_after; /* 0: never */
static struct prvcut_sorter *sorter[2];

static void setup(void)
{
    const struct prvcut_sorter_options options = { .size = sizeof(struct prvcut_end),
                                                   .compare = prvcut_end_by_channel,
                                                   .feeds = 1 };

    count = 0;
    stop_after = 0;
    memset(partner, 0xff, sizeof partner);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(prvcut_sorter_new(&sorter[i], &options, NULL), PRVCUT_OK);
}

static void teardown(void)
{
    prvcut_sorter_free(sorter[0]);
    prvcut_sorter_free(sorter[1]);
}

static enum prvcut_status told(struct prvcut_error *err)
{
    if (stop_after > 0 && --stop_after == 0)
        return prvcut_fail(err, PRVCUT_EINTERRUPTED, "interrupted");
    return PRVCUT_OK;
}

static enum prvcut_status met(void *ctx, const struct prvcut_end *send,
                              const struct prvcut_end *receive, struct prvcut_error *err)
{
    (void)ctx;
    ck_assert(!send->half.receive && receive->half.receive);
    ck_assert_uint_eq(partner[send->half.size], UINT32_MAX);
    ck_assert_uint_eq(partner[receive->half.size], UINT32_MAX);
    partner[send->half.size] = (uint32_t)receive->half.size;
    partner[receive->half.size] = (uint32_t)send->half.size;
    return told(err);
}

static enum prvcut_status alone(void *ctx, const struct prvcut_end *e, struct prvcut_error *err)
{
    (void)ctx;
    ck_assert_uint_eq(partner[e->half.size], UINT32_MAX);
    partner[e->half.size] = ROOM;
    return told(err);
}

static void add(struct prvcut_half h)
{
    ck_assert_uint_lt(count, ROOM);
    h.size = count;
    end[count] = (struct prvcut_end){ .order = count, .half = h };
    count++;
}

static void send(uint32_t from, uint32_t to, int64_t tag, uint32_t comm, uint64_t time)
{
    add((struct prvcut_half){
        .time = time, .tag = tag, .thread = from, .peer = to, .communicator = comm });
}

static void receive(uint32_t from, uint32_t to, int64_t tag, uint32_t comm, uint64_t posted)
{
    add((struct prvcut_half){ .time = posted + 1 + (uint64_t)rand() % 500,
                              .tag = tag,
                              .thread = to,
                              .peer = from,
                              .communicator = comm,
                              .receive = true,
                              .other = posted });
}

static enum prvcut_status pair(bool by_communicator, struct prvcut_error *err)
{
    const struct prvcut_pairing p = { .sorter = { sorter[0], sorter[1] },
                                      .size = sizeof(struct prvcut_end),
                                      .by_communicator = by_communicator,
                                      .channel = prvcut_end_compare_channel,
                                      .met = met,
                                      .alone = alone };

    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(prvcut_sorter_add(sorter[end[i].half.receive], 0, &end[i], 1, err),
                         PRVCUT_OK);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(prvcut_sorter_finish(sorter[i], err), PRVCUT_OK);
    return prvcut_ends_pair(&p, err);
}

static void pair_well(bool by_communicator)
{
    struct prvcut_error err = { 0 };

    ck_assert_msg(pair(by_communicator, &err) == PRVCUT_OK, "%s", err.text);
}

static bool same_channel(const struct prvcut_half *a, const struct prvcut_half *b, bool by_comm)
{
    return (a->receive ? a->peer : a->thread) == (b->receive ? b->peer : b->thread) &&
           (a->receive ? a->thread : a->peer) == (b->receive ? b->thread : b->peer) &&
           a->tag == b->tag && (!by_comm || a->communicator == b->communicator);
}

/* A send at its time, a receive when it was posted. */
static uint64_t posted(const struct prvcut_half *h)
{
    return h->receive ? h->other : h->time;
}

/* Those of its channel and kind that come before it. */
static unsigned ordinal(const struct prvcut_half *h, bool by_comm)
{
    unsigned n = 0;

    for (size_t i = 0; i < count; i++) {
        const struct prvcut_half *o = &end[i].half;

        n += o->receive == h->receive && same_channel(o, h, by_comm) && posted(o) < posted(h);
    }
    return n;
}

static uint32_t partner_of(const struct prvcut_half *h, bool by_comm)
{
    for (size_t i = 0; i < count; i++) {
        const struct prvcut_half *o = &end[i].half;

        if (o->receive != h->receive && same_channel(o, h, by_comm) &&
            ordinal(o, by_comm) == ordinal(h, by_comm))
            return (uint32_t)i;
    }
    return ROOM;
}

START_TEST(test_pair_nothing_tells_nothing)
{
    pair_well(false);
}
END_TEST

/* The k-th send of a channel meets the k-th receive that was posted; the others are alone. */
START_TEST(test_pair_by_ordinals)
{
    const bool by_comm = _i % 2;

    srand((unsigned)_i + 1);
    for (unsigned k = 0; k < ROOM; k++) {
        const uint32_t from = (uint32_t)rand() % 3, to = (uint32_t)rand() % 3;
        const uint32_t comm = 1 + (uint32_t)rand() % 3;

        if (rand() % 2)
            send(from, to, rand() % 2, comm, 1000 + k);
        else
            receive(from, to, rand() % 2, comm, 1000 + k);
    }
    pair_well(by_comm);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(partner[i], partner_of(&end[i].half, by_comm));
}
END_TEST

/* Receives on one communicator pass by sends on the other, which wait for theirs. */
START_TEST(test_pair_lets_sends_of_another_communicator_wait)
{
    for (unsigned k = 0; k < 10; k++)
        send(0, 1, 7, 1 + k % 2, 100 + k);
    for (unsigned k = 0; k < 5; k++)
        receive(0, 1, 7, 2, 200 + k);
    for (unsigned k = 0; k < 5; k++)
        receive(0, 1, 7, 1, 300 + k);
    pair_well(true);
    for (unsigned k = 0; k < 5; k++) {
        ck_assert_uint_eq(partner[2 * k + 1], 10 + k);
        ck_assert_uint_eq(partner[2 * k], 15 + k);
    }
}
END_TEST

/* Of each side in turn there is more. */
START_TEST(test_pair_what_is_left_is_alone)
{
    for (unsigned k = 0; k < 3; k++)
        send(0, 1, 7, 1, 100 + k);
    receive(0, 1, 7, 1, 200);
    receive(1, 2, 7, 1, 200);
    receive(0, 1, 8, 1, 200);
    send(2, 0, 7, 1, 300);
    pair_well(_i);
    ck_assert_uint_eq(partner[0], 3);
    for (unsigned k = 1; k < count; k++)
        if (k != 3)
            ck_assert_uint_eq(partner[k], ROOM);
}
END_TEST

/* Whoever is told may stop it. */
START_TEST(test_pair_stops_where_it_is_told_to)
{
    struct prvcut_error err = { 0 };
    unsigned seen = 0;

    for (unsigned k = 0; k < 4; k++) {
        send(0, 1, 7, 1, 100 + k);
        receive(0, 1, 7 + k % 2, 1, 200 + k);
    }
    stop_after = (unsigned)_i;
    ck_assert_int_eq(pair(false, &err), PRVCUT_EINTERRUPTED);
    ck_assert_str_eq(err.text, "interrupted");
    for (unsigned k = 0; k < count; k++)
        seen += partner[k] != UINT32_MAX;
    ck_assert_uint_le(seen, 2 * (unsigned)_i);
}
END_TEST

static Suite *pair_suite(void)
{
    Suite *s = suite_create("pair");
    TCase *t = tcase_create("pair");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_pair_nothing_tells_nothing);
    tcase_add_loop_test(t, test_pair_by_ordinals, 0, 40);
    tcase_add_test(t, test_pair_lets_sends_of_another_communicator_wait);
    tcase_add_loop_test(t, test_pair_what_is_left_is_alone, 0, 2);
    tcase_add_loop_test(t, test_pair_stops_where_it_is_told_to, 1, 6);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(pair_suite());
}
