/* What belongs together of ends and parts that are kept in bounded memory. */
#include "match/sampled.h"

#include "runner.h"

#define MOST ((size_t)1 << 20) /* times that are kept */

static struct prvcut_samples samples;
static size_t messages, collectives;
static uint64_t apart; /* of all ends of messages; UINT64_MAX: they differ */
static uint64_t begin[8], end[8];

static void setup(void)
{
    samples = prvcut_samples_none();
    messages = collectives = 0;
}

static void teardown(void)
{
    prvcut_samples_fini(&samples);
}

static void message(void *ctx, uint64_t sent, uint64_t received)
{
    (void)ctx;
    apart = messages++ == 0 || apart == received - sent ? received - sent : UINT64_MAX;
}

static void collective(void *ctx, uint64_t last_begin, uint64_t first_end)
{
    ck_assert_ptr_eq(ctx, &samples);
    ck_assert_uint_lt(collectives, 8);
    begin[collectives] = last_begin;
    end[collectives++] = first_end;
}

static void told(void)
{
    const struct prvcut_samples_taker taker = { &samples, message, collective };

    ck_assert_int_eq(prvcut_samples_told(&samples, &taker, NULL), PRVCUT_OK);
}

/* `many` ends of a channel from thread 0 to 1, ten ns from one to the next. */
static void ends(struct prvcut_samples *s, bool receive, size_t many, uint64_t first, int64_t tag)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; k < many && st == PRVCUT_OK; k++) {
        const struct prvcut_half h = { .time = first + 10 * k,
                                       .thread = receive,
                                       .peer = !receive,
                                       .tag = tag,
                                       .receive = receive };

        st = prvcut_samples_half(s, &h, NULL);
    }
    ck_assert_int_eq(st, PRVCUT_OK);
}

static void member(uint32_t thread, uint32_t communicator, uint64_t from, uint64_t to)
{
    ck_assert_int_eq(prvcut_samples_member(&samples, thread, communicator,
                                           (struct prvcut_span){ from, to }, NULL),
                     PRVCUT_OK);
}

START_TEST(test_samples_nothing_tells_nothing)
{
    told();
    ck_assert_uint_eq(messages + collectives, 0);
}
END_TEST

/* Sends beyond the receives have none; with more receives, sends are missing. */
START_TEST(test_samples_kth_send_with_kth_receive)
{
    struct prvcut_half nobody = { .time = 1, .peer = PRVCUT_NOBODY };

    ends(&samples, false, 5, 100, 7);
    ends(&samples, true, 3, 104, 7);
    ends(&samples, false, 2, 500, 8);
    ends(&samples, true, 3, 504, 8);
    ck_assert_int_eq(prvcut_samples_half(&samples, &nobody, NULL), PRVCUT_OK);
    told();
    ck_assert_uint_eq(messages, 3);
    ck_assert_uint_eq(apart, 4);
}
END_TEST

/* Sides that were thinned unlike often: what is told are pairs all the same. */
START_TEST(test_samples_of_unlike_steps_are_pairs)
{
    struct prvcut_samples part[2] = { prvcut_samples_none(), prvcut_samples_none() };

    ends(&part[0], false, 3 * MOST / 2, 100, 7);
    ends(&part[1], true, MOST / 4, 106, 7);
    ck_assert_uint_lt(part[1].shift, part[0].shift);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(prvcut_samples_join(&samples, &part[i], NULL), PRVCUT_OK);
        prvcut_samples_fini(&part[i]);
    }
    ck_assert_uint_le(samples.kept, MOST);
    told();
    ck_assert_uint_ge(messages, MOST / 4 / 4);
    ck_assert_uint_le(messages, MOST / 4 / 2);
    ck_assert_uint_eq(apart, 6);
}
END_TEST

/* Of a thread that tells in several parts, the first counts; how many it tells, in all. */
START_TEST(test_samples_first_part_counts)
{
    static uint32_t first_task[] = { 0, 2 }, task[] = { 0, 1 };
    const struct prvcut_objects o = { .applications = 1,
                                      .tasks = 2,
                                      .threads = 2,
                                      .application_first_task = first_task,
                                      .task_first_thread = task,
                                      .thread_task = task };
    struct prvcut_lone lone = prvcut_lone_none(&o, 0);
    const struct prvcut_lone_channel *channel;
    size_t channels;

    ends(&samples, true, 4, 103, 7);
    for (unsigned i = 0; i < 2; i++) {
        struct prvcut_samples part = prvcut_samples_none();

        ends(&part, false, 4 + i, 100 + 90 * i, 7);
        ck_assert_int_eq(prvcut_samples_join(&samples, &part, NULL), PRVCUT_OK);
        prvcut_samples_fini(&part);
    }
    told();
    ck_assert_uint_eq(messages, 4);
    ck_assert_uint_eq(apart, 3);
    ck_assert_int_eq(prvcut_samples_lone(&samples, &lone, NULL), PRVCUT_OK);
    channel = prvcut_lone_channels(&lone, &channels);
    ck_assert_uint_eq(channels, 1);
    ck_assert_uint_eq(channel->sends, 9);
    ck_assert_uint_eq(channel->receives, 4);
    prvcut_lone_fini(&lone);
}
END_TEST

/* Two communicators, one of which has one member that calls once more; one with a single member. */
START_TEST(test_samples_kth_collective_of_all_members)
{
    member(0, 1, 100, 200);
    member(1, 1, 150, 190);
    member(1, 2, 300, 310);
    member(2, 2, 290, 320);
    member(0, 3, 400, 410);
    member(0, 1, 500, 600);
    member(2, 1, 120, 210);
    member(1, 1, 510, 610);
    told();
    ck_assert_uint_eq(collectives, 2);
    ck_assert_uint_eq(begin[0], 150);
    ck_assert_uint_eq(end[0], 190);
    ck_assert_uint_eq(begin[1], 300);
    ck_assert_uint_eq(end[1], 310);
    ck_assert_uint_eq(messages, 0);
}
END_TEST

static Suite *sampled_suite(void)
{
    Suite *s = suite_create("sampled");
    TCase *t = tcase_create("sampled");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_samples_nothing_tells_nothing);
    tcase_add_test(t, test_samples_kth_send_with_kth_receive);
    tcase_add_test(t, test_samples_of_unlike_steps_are_pairs);
    tcase_add_test(t, test_samples_first_part_counts);
    tcase_add_test(t, test_samples_kth_collective_of_all_members);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(sampled_suite());
}
