/* Sorted small and large records come out as one, in order, whatever their numbers are. */
#include "stream/flow.h"

#include "hand_trace.h"
#include "runner.h"

enum { SMALLS = 5000, LARGES = 1700, ALL = SMALLS + LARGES };

/* As a record is wanted; found again by its value. */
struct wanted {
    uint64_t time, order;
    uint32_t thread;
    bool large;
};

static struct hand_trace trace;
static struct prvcut_run run;
static struct prvcut_stream_plan plan;
static struct prvcut_stream *stream;
static struct wanted wanted[ALL];
static size_t count, taken, calls, stop_at;
static uint64_t told_last, told_all;

static void setup(void)
{
    trace = hand(&hand_reader, NULL, 0);
    trace.base.bytes = 777;
    run = (struct prvcut_run){ .threads = 1 };
    plan = (struct prvcut_stream_plan){ .trace = &trace.base, .run = &run, .whole_messages = true };
    stream = NULL;
    count = taken = calls = stop_at = 0;
    told_last = told_all = 0;
}

static void teardown(void)
{
    prvcut_stream_free(stream);
}

static void begin(bool by_thread)
{
    plan.by_thread = by_thread;
    ck_assert_int_eq(prvcut_stream_new(&stream, &plan, NULL), PRVCUT_OK);
}

static void add_small(uint32_t thread, uint64_t time, uint64_t order)
{
    const struct stm_small s = {
        .time = time, .order = order, .value = count, .type = 1, .thread = thread & 0xffffff
    };

    wanted[count++] = (struct wanted){ time, order, thread, false };
    ck_assert_int_eq(prvcut_sorter_add(stream->small, 0, &s, 1, NULL), PRVCUT_OK);
}

static void add_large(uint32_t thread, uint64_t time, uint64_t order)
{
    const struct stm_large l = { .order = order,
                                 .item = { .time = time,
                                           .thread = thread,
                                           .kind = PRVCUT_ITEM_MESSAGE,
                                           .message.size = count } };

    wanted[count++] = (struct wanted){ time, order, thread, true };
    ck_assert_int_eq(prvcut_sorter_add(stream->large, 0, &l, 1, NULL), PRVCUT_OK);
}

static int in_order(const struct wanted *x, const struct wanted *y)
{
    const uint64_t a[] = { plan.by_thread ? x->thread : x->time,
                           plan.by_thread ? x->time : x->thread, x->order };
    const uint64_t b[] = { plan.by_thread ? y->thread : y->time,
                           plan.by_thread ? y->time : y->thread, y->order };

    for (unsigned i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Each record once, as it was added, and none before the one that it follows. */
static enum prvcut_status take(void *ctx, struct prvcut_item *item, size_t items,
                               struct prvcut_error *err)
{
    static size_t last;

    (void)ctx;
    calls++;
    if (stop_at > 0 && calls == stop_at)
        return prvcut_fail(err, PRVCUT_EIO, "enough");
    for (size_t i = 0; i < items; i++) {
        const bool large = item[i].kind == PRVCUT_ITEM_MESSAGE;
        const size_t k = large ? item[i].message.size : (size_t)item[i].event.value;

        ck_assert_uint_lt(k, count);
        ck_assert_int_eq(wanted[k].large, large);
        ck_assert_uint_eq(wanted[k].time, item[i].time);
        ck_assert_uint_eq(wanted[k].thread, item[i].thread);
        if (taken > 0)
            ck_assert_int_lt(in_order(&wanted[last], &wanted[k]), 0);
        last = k;
        taken++;
    }
    return PRVCUT_OK;
}

static const struct prvcut_stream_sink sink = { .records = take };

static void deliver(void)
{
    struct prvcut_error err = { 0 };

    ck_assert_msg(prvcut_stream_deliver(stream, &sink, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_uint_eq(taken, count);
}

static void draw(size_t smalls, size_t larges)
{
    for (size_t i = 0; i < smalls + larges; i++) {
        const uint32_t thread = (uint32_t)rand() % 4;
        const uint64_t time = (uint64_t)rand() % 200;

        if (count % (smalls + larges) < smalls)
            add_small(thread, time, stm_order(STM_EVENT, 0, (uint32_t)i));
        else
            add_large(thread, time, stm_order(STM_MESSAGE, 0, (uint32_t)i));
    }
}

START_TEST(test_deliver_nothing_calls_nobody)
{
    begin(_i == 1);
    deliver();
    ck_assert_uint_eq(calls, 0);
}
END_TEST

/* More than the rooms hold, few of one kind, none of one kind. */
START_TEST(test_deliver_both_kinds_in_one_order)
{
    static const size_t counts[][2] = {
        { SMALLS, LARGES }, { SMALLS, 3 }, { 3, LARGES }, { SMALLS, 0 },
        { 0, LARGES },      { 2048, 512 }, { 1024, 1 },
    };
    const size_t *n = counts[_i / 2];

    srand((unsigned)_i + 1);
    begin(_i % 2);
    draw(n[0], n[1]);
    deliver();
}
END_TEST

/* All large ones stand before or behind the small ones, or on other threads. */
START_TEST(test_deliver_one_kind_behind_the_other)
{
    begin(_i % 2);
    for (uint32_t i = 0; i < 3000; i++)
        add_small(_i < 4 ? 1 : 0, _i < 4 ? 1000 : i, stm_order(STM_EVENT, 0, i));
    for (uint32_t i = 0; i < 1500; i++)
        add_large(1, _i < 2 ? 1 + i % 10 : 2000 + i, stm_order(STM_MESSAGE, 0, i));
    deliver();
}
END_TEST

/* One thread, one time: receives, states, events, sends, messages. */
START_TEST(test_deliver_at_one_time_by_rank)
{
    begin(_i == 1);
    add_large(2, 50, stm_order(STM_MESSAGE, 0, 0));
    add_small(2, 50, stm_order(STM_EVENT, 0, 0));
    add_large(2, 50, stm_order(STM_RECEIVE, 0, 0));
    add_large(2, 50, stm_order(STM_SEND, 0, 0));
    add_small(2, 50, stm_order(STM_EVENT, 1, 0));
    deliver();
}
END_TEST

static enum prvcut_status take_lines(void *ctx, struct prvcut_item *item, size_t items,
                                     struct prvcut_error *err)
{
    (void)ctx, (void)err;
    ck_assert_uint_gt(items, 0);
    ck_assert(item->head);
    taken += items;
    return PRVCUT_OK;
}

/* Lines of events come at once, wherever the rooms end. */
START_TEST(test_deliver_keeps_lines_whole)
{
    static const struct prvcut_stream_sink lines = { .records = take_lines };
    const unsigned pairs = 2 + (unsigned)_i;
    struct prvcut_error err = { 0 };

    begin(false);
    for (unsigned i = 0; i < 700; i++)
        for (unsigned k = 0; k < pairs; k++) {
            const struct stm_small s = { .time = i,
                                         .order = stm_order(STM_EVENT, 0, i * pairs + k),
                                         .value = k,
                                         .type = 1,
                                         .head = k == 0 };

            ck_assert_int_eq(prvcut_sorter_add(stream->small, 0, &s, 1, NULL), PRVCUT_OK);
            count++;
        }
    ck_assert_int_eq(prvcut_stream_deliver(stream, &lines, &err), PRVCUT_OK);
    ck_assert_uint_eq(taken, count);
}
END_TEST

START_TEST(test_deliver_stops_with_the_taker)
{
    struct prvcut_error err = { 0 };

    begin(false);
    draw(SMALLS, LARGES);
    stop_at = 2;
    ck_assert_int_eq(prvcut_stream_deliver(stream, &sink, &err), PRVCUT_EIO);
    ck_assert_str_eq(err.text, "enough");
    ck_assert_uint_eq(calls, 2);
}
END_TEST

static bool stop(void *ctx)
{
    (void)ctx;
    return calls == 1;
}

START_TEST(test_deliver_stops_with_the_run)
{
    struct prvcut_error err = { 0 };

    run.stop = stop;
    begin(false);
    draw(SMALLS, LARGES);
    ck_assert_int_eq(prvcut_stream_deliver(stream, &sink, &err), PRVCUT_EINTERRUPTED);
    ck_assert_uint_eq(calls, 1);
}
END_TEST

static void progress(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t all)
{
    (void)ctx;
    ck_assert_int_eq(phase, PRVCUT_PHASE_FOCUSING);
    ck_assert_uint_ge(done, told_last);
    ck_assert_uint_le(done, all);
    told_last = done;
    told_all = all;
}

/* It rises to the end: in bytes of the input where these are known. */
START_TEST(test_deliver_tells_how_far_it_is)
{
    trace.base.bytes = _i == 0 ? 777 : 0;
    run.progress = progress;
    plan.phase = PRVCUT_PHASE_FOCUSING;
    begin(false);
    draw(SMALLS, LARGES);
    deliver();
    ck_assert_uint_eq(told_all, _i == 0 ? 777
                                        : SMALLS * sizeof(struct stm_small) +
                                              LARGES * sizeof(struct stm_large));
    ck_assert_uint_eq(told_last, told_all);
}
END_TEST

static Suite *deliver_suite(void)
{
    Suite *s = suite_create("deliver");
    TCase *t = tcase_create("deliver");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_deliver_nothing_calls_nobody, 0, 2);
    tcase_add_loop_test(t, test_deliver_both_kinds_in_one_order, 0, 14);
    tcase_add_loop_test(t, test_deliver_one_kind_behind_the_other, 0, 6);
    tcase_add_loop_test(t, test_deliver_at_one_time_by_rank, 0, 2);
    tcase_add_loop_test(t, test_deliver_keeps_lines_whole, 0, 20);
    tcase_add_test(t, test_deliver_stops_with_the_taker);
    tcase_add_test(t, test_deliver_stops_with_the_run);
    tcase_add_loop_test(t, test_deliver_tells_how_far_it_is, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(deliver_suite());
}
