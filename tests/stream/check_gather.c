/* What of a trace's records goes to the sorters: windows, threads, ends of messages, counts. */
#include "stream/flow.h"

#include "hand_trace.h"
#include "runner.h"

#define ROOM 64

static struct hand_trace trace;
static struct part part[2];
static struct prvcut_run run;
static struct prvcut_stream_plan plan;
static struct prvcut_stream *stream;
static struct stm_small small[ROOM];
static struct stm_large large[ROOM];
static struct prvcut_end end[2][ROOM];
static size_t smalls, larges, ends[2];
static unsigned windows;

static enum prvcut_status scan_window(struct prvcut_trace *t, const struct prvcut_run *r,
                                      uint64_t from, uint64_t to, const struct prvcut_consumer *c,
                                      struct prvcut_error *err)
{
    (void)from, (void)to;
    windows++;
    return hand_scan(t, r, c, NULL, err);
}

static struct prvcut_reader whole, halves;

static void setup(void)
{
    whole = hand_reader;
    halves = halves_reader;
    whole.scan_window = halves.scan_window = scan_window;
    memset(part, 0, sizeof part);
    run = (struct prvcut_run){ .threads = 2 };
    stream = NULL;
    smalls = larges = ends[0] = ends[1] = 0;
    windows = 0;
}

static void teardown(void)
{
    prvcut_stream_free(stream);
}

static void begin(const struct prvcut_reader *reader)
{
    trace = hand(reader, part, 2);
    plan = (struct prvcut_stream_plan){ .trace = &trace.base, .run = &run, .states = true };
}

static size_t all_of(struct prvcut_sorter *s, void *at, size_t size)
{
    size_t n = 0, got = 0;
    enum prvcut_status st;

    ck_assert_int_eq(prvcut_sorter_finish(s, NULL), PRVCUT_OK);
    while ((st = prvcut_sorter_next(s, (char *)at + n * size, ROOM - n, &got, NULL)) == PRVCUT_OK)
        n += got;
    ck_assert_int_eq(st, PRVCUT_END);
    return n;
}

static void gather(void)
{
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_stream_new(&stream, &plan, &err), PRVCUT_OK);
    ck_assert_msg(stm_gather(stream, &err) == PRVCUT_OK, "%s", err.text);
    smalls = all_of(stream->small, small, sizeof *small);
    larges = all_of(stream->large, large, sizeof *large);
    for (unsigned i = 0; i < 2 && stream->pair; i++)
        ends[i] = all_of(stream->meeting.sorter[i], end[i], sizeof *end[i]);
}

static void add_state(struct part *p, uint32_t thread, uint64_t from, uint64_t to)
{
    p->state[p->states++] = (struct prvcut_state){
        .begin = from, .end = to, .thread = thread, .running = 1, .number = 1
    };
}

static void add_event(struct part *p, uint32_t thread, uint64_t time, enum prvcut_role role)
{
    p->event[p->events++] =
        (struct prvcut_event)EVENT(time, thread & 0xffffff, 40 + role, 3, role & 0x7f);
}

static void add_message(struct part *p, uint32_t from, uint32_t to, uint64_t sent, uint64_t posted,
                        uint64_t done)
{
    p->message[p->messages++] = (struct prvcut_message){ .logical_send = sent,
                                                         .physical_send = sent,
                                                         .logical_receive = posted,
                                                         .physical_receive = done,
                                                         .size = 8,
                                                         .tag = 5,
                                                         .sender = from,
                                                         .receiver = to };
}

static void add_half(struct part *p, uint32_t thread, uint32_t peer, uint64_t time, bool receive,
                     uint64_t other)
{
    p->half[p->halves] = (struct prvcut_half)HALF(time, thread, peer, 5, 7, receive);
    p->half[p->halves++].other = other;
}

static void expect_small(size_t i, uint64_t time, uint64_t value)
{
    ck_assert_uint_lt(i, smalls);
    ck_assert_uint_eq(small[i].time, time);
    ck_assert_uint_eq(small[i].value, value);
}

/* What lies in [100, 200), and no more of it; a state of no length at its start, too. */
START_TEST(test_gather_clips_states_to_the_window)
{
    begin(&whole);
    add_state(part, 0, 10, 100);
    add_state(part, 0, 50, 150);
    add_state(part, 1, 100, 100);
    add_state(part + 1, 0, 150, 250);
    add_state(part + 1, 0, 200, 210);
    plan.only = (struct prvcut_span){ 100, 200 };
    gather();
    ck_assert_uint_eq(smalls, 3);
    expect_small(0, 100, 150);
    expect_small(1, 100, 100);
    expect_small(2, 150, 200);
    ck_assert_uint_eq(small[0].order, stm_order(STM_STATE, 0, 1));
    ck_assert_uint_eq(small[2].order, stm_order(STM_STATE, 1, 0));
    ck_assert_uint_eq(stream->counts.read.states, 5);
    ck_assert_uint_eq(stream->last_ns, 200);
    ck_assert_uint_eq(windows, 0);
}
END_TEST

/* What begins before the window may still be open at its start, unless blocks tell. */
START_TEST(test_gather_takes_regions_from_before_the_window)
{
    begin(&whole);
    add_event(part, 0, 40, PRVCUT_ROLE_P2P);
    add_event(part, 0, 41, PRVCUT_ROLE_OTHER);
    add_event(part, 0, 42, PRVCUT_ROLE_INSTRUCTIONS);
    add_event(part, 0, 100, PRVCUT_ROLE_OTHER);
    add_event(part + 1, 0, 199, PRVCUT_ROLE_P2P);
    add_event(part + 1, 0, 200, PRVCUT_ROLE_P2P);
    plan.only = (struct prvcut_span){ 100, 200 };
    plan.blocks = _i == 1;
    gather();
    ck_assert_uint_eq(windows, (unsigned)_i);
    ck_assert_uint_eq(smalls, _i == 1 ? 2 : 3);
    if (_i == 0)
        expect_small(0, 40, 3);
    expect_small(smalls - 2, 100, 3);
    expect_small(smalls - 1, 199, 3);
    ck_assert_uint_eq(small[smalls - 1].order, stm_order(STM_EVENT, 1, 0));
    ck_assert_uint_eq(stream->counts.read.regions, 3);
    ck_assert_uint_eq(stream->counts.read.events, 2);
    ck_assert_uint_eq(stream->counts.read.counters, 1);
}
END_TEST

/* Threads get their new numbers, or are left out with all that is theirs. */
START_TEST(test_gather_selects_threads)
{
    static const uint32_t numbers[] = { 1, PRVCUT_NOBODY, 0, PRVCUT_NOBODY };

    begin(&whole);
    for (uint32_t t = 0; t < 4; t++) {
        add_state(part, t, 10 + t, 20);
        add_event(part + 1, t, 30 + t, PRVCUT_ROLE_OTHER);
    }
    add_message(part, 0, 2, 40, 40, 50);
    add_message(part, 0, 1, 41, 41, 51);
    add_message(part, 3, 2, 42, 42, 52);
    add_message(part, 3, 1, 43, 43, 53);
    plan.thread = numbers;
    plan.whole_messages = true;
    gather();
    ck_assert_uint_eq(smalls, 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(small[i].thread, i % 2 == 0);
    ck_assert_uint_eq(larges, 1);
    ck_assert_uint_eq(large->item.thread, 1);
    ck_assert_uint_eq(large->item.message.receiver, 0);
    ck_assert_uint_eq(stream->counts.crossing, 2);
    ck_assert_uint_eq(stream->counts.read.messages, 4);
    ck_assert_uint_eq(stream->last_ns, 50);
}
END_TEST

/* Ends of one message have one number; where a receive was posted before, that has an item, too. */
START_TEST(test_gather_numbers_the_ends_of_a_message)
{
    begin(&whole);
    add_message(part, 0, 2, 40, 30, 50);
    add_message(part, 0, 2, 41, 60, 60);
    plan.ends = true;
    gather();
    ck_assert_uint_eq(larges, 5);
    ck_assert_uint_eq(large[0].item.time, 30);
    ck_assert(large[0].item.head);
    ck_assert_int_eq(large[0].item.kind, PRVCUT_ITEM_RECEIVE);
    ck_assert_uint_eq(large[1].item.time, 40);
    ck_assert_uint_eq(large[2].item.time, 41);
    ck_assert_uint_eq(large[3].item.time, 50);
    ck_assert_uint_eq(large[4].item.time, 60);
    for (size_t i = 1; i < 5; i++)
        ck_assert(!large[i].item.head);
    ck_assert_uint_eq(large[0].item.half.number, large[1].item.half.number);
    ck_assert_uint_eq(large[3].item.half.number, large[1].item.half.number);
    ck_assert_uint_eq(large[4].item.half.number, large[2].item.half.number);
    ck_assert_uint_ne(large[1].item.half.number, large[2].item.half.number);
    ck_assert_uint_eq(large[1].order, stm_order(STM_SEND, 0, 0));
    ck_assert_uint_eq(large[4].order, stm_order(STM_RECEIVE, 0, 1));
}
END_TEST

/* Only those that are wholly in [100, 200] come; who has an end inside is counted. */
START_TEST(test_gather_leaves_out_messages_that_cross_the_window)
{
    begin(&whole);
    add_message(part, 0, 2, 80, 85, 99);
    add_message(part, 0, 2, 81, 85, 120);
    add_message(part, 0, 2, 100, 110, 200);
    add_message(part, 0, 2, 110, 90, 130);
    add_message(part + 1, 0, 2, 190, 195, 201);
    add_message(part + 1, 0, 2, 200, 200, 200);
    plan.only = (struct prvcut_span){ 100, 200 };
    plan.whole_messages = true;
    gather();
    /* A receive may have been posted before. */
    ck_assert_uint_eq(larges, 2);
    ck_assert_uint_eq(large[0].item.time, 100);
    ck_assert_uint_eq(large[0].item.message.physical_receive, 200);
    ck_assert_uint_eq(large[1].item.time, 110);
    ck_assert_uint_eq(stream->counts.crossing, 2);
}
END_TEST

/* By blocks, whatever is under way in the window comes, with both ends. */
START_TEST(test_gather_by_blocks_takes_what_touches_the_window)
{
    begin(&whole);
    add_message(part, 0, 2, 80, 85, 99);
    add_message(part, 0, 2, 81, 85, 100);
    add_message(part, 0, 2, 82, 110, 90);
    add_message(part, 0, 2, 83, 90, 300);
    add_message(part + 1, 0, 2, 199, 250, 260);
    add_message(part + 1, 0, 2, 200, 250, 260);
    plan.only = (struct prvcut_span){ 100, 200 };
    plan.blocks = plan.ends = true;
    gather();
    /* Two ends each; two receives were posted before they were complete. */
    ck_assert_uint_eq(larges, 4 * 2 + 3);
    for (size_t i = 0; i < larges; i++)
        if (large[i].item.kind == PRVCUT_ITEM_SEND)
            ck_assert(large[i].item.time > 80 && large[i].item.time < 200);
    ck_assert_uint_eq(stream->counts.crossing, 0);
}
END_TEST

/* Ends that will be brought together go to their own sorters, and tell of their communicators. */
START_TEST(test_gather_keeps_halves_that_are_to_meet_apart)
{
    begin(&halves);
    add_half(part, 0, 2, 10, false, 0);
    add_half(part, 2, 0, 30, true, 20);
    add_half(part + 1, 0, 2, 40, false, 45);
    plan.whole_messages = true;
    gather();
    ck_assert_uint_eq(larges, 0);
    ck_assert_uint_eq(ends[0], 2);
    ck_assert_uint_eq(ends[1], 1);
    ck_assert_uint_eq(end[0][0].half.time, 10);
    ck_assert_uint_eq(end[0][1].order, stm_order(STM_SEND, 1, 0));
    ck_assert_uint_eq(end[1][0].order, stm_order(STM_RECEIVE, 0, 1));
    ck_assert_uint_eq(stream->counts.read.sends, 2);
    ck_assert_uint_eq(stream->counts.read.receives, 1);
    ck_assert_uint_eq(stream->last_ns, 45);
    ck_assert(!prvcut_uses_agree(&stream->meeting.worker[0].uses) ||
              !prvcut_uses_agree(&stream->meeting.worker[1].uses));
}
END_TEST

/* Else they are items; with numbers, each by itself, a time that is not told is never. */
START_TEST(test_gather_halves_as_they_are)
{
    begin(&halves);
    add_half(part, 0, 2, 10, false, 0);
    add_half(part, 2, 0, 30, true, 20);
    add_half(part, 2, 0, 40, true, 0);
    plan.ends = _i == 1;
    gather();
    ck_assert_uint_eq(larges, _i == 1 ? 4 : 3);
    ck_assert_uint_eq(large[0].item.half.other, _i == 1 ? PRVCUT_NEVER : 10);
    ck_assert_uint_eq(large[larges - 1].item.half.other, _i == 1 ? PRVCUT_NEVER : 40);
    if (_i == 0)
        return;
    ck_assert_uint_eq(large[1].item.time, 20);
    ck_assert(large[1].item.head && !large[2].item.head);
    ck_assert_uint_eq(large[1].item.half.number, large[2].item.half.number);
    ck_assert_uint_ne(large[2].item.half.number, large[3].item.half.number);
    ck_assert_uint_eq(large[0].item.half.number, stm_order(STM_SEND, 0, 0));
}
END_TEST

/* Who is left out takes the ends along; who is not known does not. */
START_TEST(test_gather_selects_threads_of_halves)
{
    static const uint32_t numbers[] = { 1, PRVCUT_NOBODY, 0, PRVCUT_NOBODY };

    begin(&halves);
    add_half(part, 0, 2, 10, false, 0);
    add_half(part, 0, 1, 11, false, 0);
    add_half(part, 1, 0, 12, true, 0);
    add_half(part, 0, PRVCUT_NOBODY, 13, true, 0);
    plan.thread = numbers;
    gather();
    ck_assert_uint_eq(larges, 2);
    ck_assert_uint_eq(large[0].item.thread, 1);
    ck_assert_uint_eq(large[0].item.half.peer, 0);
    ck_assert_uint_eq(large[1].item.half.peer, PRVCUT_NOBODY);
    ck_assert_uint_eq(stream->counts.crossing, 1);
    ck_assert_uint_eq(stream->counts.read.sends, 2);
    ck_assert_uint_eq(stream->counts.read.receives, 2);
}
END_TEST

static unsigned begun, batches, joined, discarded;

static enum prvcut_status also_begin(void *ctx, unsigned worker, uint64_t number, void **state,
                                     struct prvcut_error *err)
{
    (void)worker, (void)err;
    begun++;
    *state = (char *)ctx + number;
    return PRVCUT_OK;
}

static enum prvcut_status also_batch(void *ctx, unsigned worker, void *state,
                                     const struct prvcut_batch *b, struct prvcut_error *err)
{
    (void)worker, (void)err, (void)b;
    ck_assert((char *)state == (char *)ctx || (char *)state == (char *)ctx + 1);
    batches++;
    return PRVCUT_OK;
}

static enum prvcut_status also_join(void *ctx, void *state, struct prvcut_error *err)
{
    (void)err;
    ck_assert_ptr_eq(state, (char *)ctx + joined);
    joined++;
    return PRVCUT_OK;
}

static void also_discard(void *ctx, void *state)
{
    (void)ctx, (void)state;
    discarded++;
}

/* Another listener hears of all parts and batches, with its own state. */
START_TEST(test_gather_lets_another_one_listen)
{
    static char state[2];
    const struct prvcut_consumer also = { .ctx = state,
                                          .begin = also_begin,
                                          .batch = also_batch,
                                          .join = also_join,
                                          .discard = also_discard };

    begun = batches = joined = discarded = 0;
    begin(&whole);
    add_state(part, 0, 10, 20);
    plan.also = &also;
    gather();
    ck_assert_uint_eq(smalls, 1);
    ck_assert_uint_eq(begun, 2);
    ck_assert_uint_eq(batches, 4);
    ck_assert_uint_eq(joined, 2);
    ck_assert_uint_eq(discarded, 2);
}
END_TEST

static Suite *gather_suite(void)
{
    Suite *s = suite_create("gather");
    TCase *t = tcase_create("gather");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_gather_clips_states_to_the_window);
    tcase_add_loop_test(t, test_gather_takes_regions_from_before_the_window, 0, 2);
    tcase_add_test(t, test_gather_selects_threads);
    tcase_add_test(t, test_gather_numbers_the_ends_of_a_message);
    tcase_add_test(t, test_gather_leaves_out_messages_that_cross_the_window);
    tcase_add_test(t, test_gather_by_blocks_takes_what_touches_the_window);
    tcase_add_test(t, test_gather_keeps_halves_that_are_to_meet_apart);
    tcase_add_loop_test(t, test_gather_halves_as_they_are, 0, 2);
    tcase_add_test(t, test_gather_selects_threads_of_halves);
    tcase_add_test(t, test_gather_lets_another_one_listen);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(gather_suite());
}
