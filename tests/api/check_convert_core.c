#include "tests/api/hand.h"

#include "runner.h"

/* Two parts: threads 0 and 1 in the first, the same later in the second. */
static void fill_plain(struct part p[2])
{
    static const struct part first = {
        .state = { { 0, 10, 0, 1, 1 }, { 0, 30, 1, 1, 1 }, { 10, 20, 0, 0, 4 } },
        .states = 3,
        .event = { P2P(10, 0, 1),
                   { .time = 10, .value = 5, .type = 60, .thread = 0, .head = 0 },
                   P2P(20, 0, 0) },
        .events = 3,
        .message = { { 10, 12, 25, 40, 99, 3, 0, 1 } },
        .messages = 1,
    };
    static const struct part second = {
        .state = { { 20, 50, 0, 1, 1 }, { 30, 40, 1, 0, 3 } },
        .states = 2,
        .event = { P2P(30, 1, 2), P2P(40, 1, 0) },
        .events = 2,
    };

    p[0] = first;
    p[1] = second;
}

static const char plain_by_time[] = "0 0-10 state 1 running\n"
                                    "1 0-30 state 1 running\n"
                                    "0 10-20 state 4\n"
                                    "0 10 50=1\n"
                                    "0 10 +60=5\n"
                                    "0 10,12 to 1 25,40 size 99\n"
                                    "0 20-50 state 1 running\n"
                                    "0 20 50=0\n"
                                    "1 30-40 state 3\n"
                                    "1 30 50=2\n"
                                    "1 40 50=0\n";

START_TEST(test_convert_trace_orders_by_time)
{
    struct part p[2];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 2);

    fill_plain(p);
    expect(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum, plain_by_time);
    ck_assert_uint_eq(sum.is.read.states, 5);
    ck_assert_uint_eq(sum.is.read.regions, 2);
    ck_assert_uint_eq(sum.is.read.events, 1);
    ck_assert_uint_eq(sum.is.read.messages, 1);
    ck_assert_mem_eq(&sum.is.read, &sum.is.written, sizeof sum.is.read);
}
END_TEST

/* A receive ends inside its call, a send begins in its own. */
START_TEST(test_convert_messages_into_halves_inside_their_calls)
{
    struct part p[2];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 2);

    fill_plain(p);
    expect(&t, &(struct how){ .order = PRVCUT_BY_THREAD, .halves = true }, &sum,
           "0 0-10 state 1 running\n"
           "0 10-20 state 4\n"
           "0 10 50=1\n"
           "0 10 +60=5\n"
           "0 10 send to 1 other 12 tag 3\n"
           "0 20-50 state 1 running\n"
           "0 20 50=0\n"
           "1 0-30 state 1 running\n"
           "1 30-40 state 3\n"
           "1 30 50=2\n"
           "1 40 receive from 0 other 25 tag 3\n"
           "1 40 50=0\n");
    ck_assert_uint_eq(sum.is.written.sends, 1);
    ck_assert_uint_eq(sum.is.written.receives, 1);
    ck_assert_uint_eq(sum.is.written.messages, 0);
}
END_TEST

/* A coarse clock: calls that begin and end in one instant hold their messages all the same. */
START_TEST(test_convert_halves_inside_calls_without_length)
{
    struct part p[1] = { { .halves = 0 } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&halves_reader, p, 1);
    static const struct prvcut_event events[] = {
        P2P(5, 0, 1), { .time = 5, .value = 9, .type = 60 },
        P2P(5, 0, 0), /* send */
        P2P(5, 1, 2), P2P(5, 1, 0),
        P2P(5, 1, 3), /* receive, send on */
        P2P(7, 1, 0), P2P(7, 1, 4),
        P2P(7, 1, 0), /* a send at the end of its call */
    };

    memcpy(p->event, events, sizeof events);
    p->events = sizeof events / sizeof *events;
    add_half(p, (struct prvcut_half)HALF(5, 0, 1, 5, 7, false));
    add_half(p, (struct prvcut_half)HALF(5, 1, 0, 5, 7, true));
    add_half(p, (struct prvcut_half)HALF(7, 1, 0, 6, 7, false));
    expect(&t, &(struct how){ .order = PRVCUT_BY_THREAD, .halves = true }, &sum,
           "0 5 50=1\n"
           "0 5 +60=9\n"
           "0 5 send to 1 other 5 tag 5\n"
           "0 5 50=0\n"
           "1 5 50=2\n"
           "1 5 receive from 0 other 5 tag 5\n"
           "1 5 50=0\n"
           "1 5 50=3\n"
           "1 7 50=0\n"
           "1 7 50=4\n"
           "1 7 send to 0 other 7 tag 6\n"
           "1 7 50=0\n");
}
END_TEST

/* Parts in any order, by several workers, in next to no memory: the same. */
START_TEST(test_convert_trace_is_the_same_however_it_is_read)
{
    struct part p[2];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 2);

    fill_plain(p);
    for (int threads = 1; threads <= 2; threads++)
        for (size_t memory = 0; memory <= 1; memory++) {
            t.backwards = !t.backwards;
            expect(&t,
                   &(struct how){
                       .order = PRVCUT_BY_TIME, .threads = threads, .options.memory = memory },
                   &sum, plain_by_time);
        }
}
END_TEST

/* Two communicators with the same ranks and tag: each in its own order. */
START_TEST(test_pair_halves_by_communicator)
{
    struct part p[2] = { { .halves = 0 }, { .halves = 0 } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&halves_reader, p, 2);

    add_half(&p[0], (struct prvcut_half)HALF(1, 0, 1, 5, 7, false));
    add_half(&p[0], (struct prvcut_half)HALF(2, 0, 1, 5, 8, false));
    add_half(&p[0], (struct prvcut_half)HALF(3, 0, 1, 5, 7, false));
    add_half(&p[0], (struct prvcut_half)HALF(4, 0, 1, 6, 7, false));
    add_half(&p[1], (struct prvcut_half)HALF(11, 1, 0, 6, 7, true));
    add_half(&p[1], (struct prvcut_half)HALF(12, 1, 0, 5, 8, true));
    add_half(&p[1], (struct prvcut_half)HALF(13, 1, 0, 5, 7, true));
    add_half(&p[1], (struct prvcut_half)HALF(14, 1, 0, 5, 7, true));
    expect(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum,
           "0 1,1 to 1 13,13 size 1\n"
           "0 2,2 to 1 12,12 size 2\n"
           "0 3,3 to 1 14,14 size 3\n"
           "0 4,4 to 1 11,11 size 4\n");
    ck_assert_uint_eq(sum.is.unmatched, 0);
    ck_assert_uint_eq(sum.is.read.sends, 4);
    ck_assert_uint_eq(sum.is.written.messages, 4);
}
END_TEST

/* Receives that all name one communicator, whatever their sends did. */
START_TEST(test_pair_halves_in_spite_of_wrong_communicators)
{
    struct part p[1] = { { .halves = 0 } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&halves_reader, p, 1);

    add_half(&p[0], (struct prvcut_half)HALF(1, 0, 1, 5, 8, false));
    add_half(&p[0], (struct prvcut_half)HALF(2, 0, 1, 5, 7, false));
    add_half(&p[0], (struct prvcut_half)HALF(11, 1, 0, 5, 7, true));
    add_half(&p[0], (struct prvcut_half)HALF(12, 1, 0, 5, 7, true));
    expect(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum,
           "0 1,1 to 1 11,11 size 1\n"
           "0 2,2 to 1 12,12 size 2\n");
    ck_assert_uint_eq(sum.is.unmatched, 0);
}
END_TEST

static void fill_orphans(struct part *p)
{
    *p = (struct part){ .halves = 0 };
    add_half(p, (struct prvcut_half)HALF(1, 0, 1, 5, 7, false));
    add_half(p, (struct prvcut_half)HALF(2, 0, 3, 5, 7, false));
    add_half(p, (struct prvcut_half)HALF(3, 0, 1, 5, 7, false));
    add_half(p, (struct prvcut_half)HALF(4, 2, PRVCUT_NOBODY, 5, 7, true));
    add_half(p, (struct prvcut_half)HALF(5, 1, 0, 5, 7, true));
}

START_TEST(test_pair_halves_counts_those_without_another)
{
    struct part p[1];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&halves_reader, p, 1);

    fill_orphans(p);
    expect(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum, "0 1,1 to 1 5,5 size 1\n");
    ck_assert_uint_eq(sum.is.unmatched, 3);
}
END_TEST

/* Formats that keep the ends apart keep also those without another one. */
START_TEST(test_convert_halves_into_halves_keeps_all)
{
    static const char wanted[] = "0 1 send to 1 other 1 tag 5\n"
                                 "0 2 send to 3 other 2 tag 5\n"
                                 "0 3 send to 1 other 3 tag 5\n"
                                 "1 5 receive from 0 other 5 tag 5\n"
                                 "2 4 receive from -1 other 4 tag 5\n";
    struct part p[1];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&halves_reader, p, 1);

    fill_orphans(p);
    expect(&t, &(struct how){ .order = PRVCUT_BY_THREAD, .halves = true }, &sum, wanted);
    ck_assert_uint_eq(sum.is.unmatched, 0);
}
END_TEST

/* In a window: the message 0 -> 1 is cut (3 < 4), the lone ends inside stay. */
START_TEST(test_convert_halves_in_a_window)
{
    struct part p[1];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&halves_reader, p, 1);
    const struct prvcut_span only = { 2, 10 };

    fill_orphans(p);
    expect(&t, &(struct how){ .order = PRVCUT_BY_THREAD, .halves = true, .options.only = only },
           &sum,
           "0 0 send to 3 other 0 tag 5\n"
           "0 1 send to 1 other 1 tag 5\n"
           "2 2 receive from -1 other 2 tag 5\n");
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_MESSAGES], 1);
}
END_TEST

/* Regions 70 in 70 and 71 are open at 100; counter 42 is read before and behind; window [100, 200).
 */
static void fill_window(struct part *p)
{
    static const struct part all = {
        .state = { { 0, 90, 0, 1, 1 }, { 90, 150, 0, 0, 4 }, { 150, 300, 0, 1, 1 } },
        .states = 3,
        .event = { EVENT(10, 0, 70, 1, PRVCUT_ROLE_REGION), EVENT(20, 0, 70, 2, PRVCUT_ROLE_REGION),
                   EVENT(30, 0, 71, 9, PRVCUT_ROLE_REGION), EVENT(40, 0, 70, 3, PRVCUT_ROLE_REGION),
                   EVENT(50, 0, 70, 0, PRVCUT_ROLE_REGION),
                   EVENT(60, 0, 42, 111, PRVCUT_ROLE_COUNTER),
                   EVENT(60, 0, 99, 1, PRVCUT_ROLE_OTHER),
                   EVENT(120, 0, 42, 222, PRVCUT_ROLE_COUNTER),
                   EVENT(130, 0, 70, 0, PRVCUT_ROLE_REGION),
                   EVENT(140, 0, 42, 333, PRVCUT_ROLE_COUNTER),
                   EVENT(150, 0, 50, 1, PRVCUT_ROLE_P2P), EVENT(250, 0, 50, 0, PRVCUT_ROLE_P2P),
                   EVENT(10, 1, 72, 1, PRVCUT_ROLE_REGION),
                   EVENT(300, 1, 72, 0, PRVCUT_ROLE_REGION) },
        .events = 14,
        .message = { { 110, 111, 115, 190, 1, 0, 0, 1 },
                     { 110, 111, 115, 210, 2, 0, 0, 1 },
                     { 10, 11, 12, 13, 3, 0, 0, 1 },
                     { 90, 91, 92, 130, 4, 0, 0, 1 } },
        .messages = 4,
    };

    *p = all;
}

START_TEST(test_convert_window_begins_and_ends_what_is_open)
{
    struct part p[1];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    const struct prvcut_span only = { 100, 200 };

    fill_window(p);
    expect(&t, &(struct how){ .order = PRVCUT_BY_TIME, .options.only = only }, &sum,
           "0 0 70=1\n"
           "0 0 70=2\n"
           "0 0 71=9\n"
           "1 0 72=1\n"
           "0 0-50 state 4\n"
           "0 10,11 to 1 15,90 size 1\n"
           "0 20 42=0\n"
           "0 30 70=0\n"
           "0 40 42=333\n"
           "0 50-100 state 1 running\n"
           "0 50 50=1\n"
           "0 100 50=0\n"
           "0 100 71=0\n"
           "0 100 70=0\n"
           "1 100 72=0\n");
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_MESSAGES], 2);
}
END_TEST

START_TEST(test_convert_window_by_thread_holds_the_same)
{
    struct part p[1];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    const struct prvcut_span only = { 100, 200 };

    fill_window(p);
    p->messages = 0;
    expect(&t, &(struct how){ .order = PRVCUT_BY_THREAD, .options.only = only }, &sum,
           "0 0 70=1\n"
           "0 0 70=2\n"
           "0 0 71=9\n"
           "0 0-50 state 4\n"
           "0 20 42=0\n"
           "0 30 70=0\n"
           "0 40 42=333\n"
           "0 50-100 state 1 running\n"
           "0 50 50=1\n"
           "0 100 50=0\n"
           "0 100 71=0\n"
           "0 100 70=0\n"
           "1 0 72=1\n"
           "1 100 72=0\n");
}
END_TEST

/* From the start on nothing is begun again, and a counter's first value stays. */
START_TEST(test_convert_window_from_the_start_keeps_counters)
{
    struct part p[1];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    const struct prvcut_span only = { 0, 65 };
    struct prvcut_error err = { 0 };

    fill_window(p);
    ck_assert_int_eq(
        convert(&t, &(struct how){ .order = PRVCUT_BY_TIME, .options.only = only }, &sum, &err),
        PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(printed, "end 65 "));
    ck_assert_ptr_nonnull(strstr(printed, "0 60 42=111\n"));
    free(printed);
}
END_TEST

/* An end that was only estimated is not written where the last record shows it. */
START_TEST(test_convert_estimated_end_is_that_of_the_last_record)
{
    struct part p[1] = { { .states = 1, .state = { { 0, 13, 0, 0, 1 } } } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    struct prvcut_error err = { 0 };

    for (unsigned told = 0; told < 2; told++) {
        t.base.end_told = told;
        ck_assert_int_eq(convert(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum, &err),
                         PRVCUT_OK);
        ck_assert_ptr_nonnull(strstr(printed, told ? "end 1000 " : "end 13 "));
        free(printed);
    }
}
END_TEST

START_TEST(test_convert_tasks_renumbers_all)
{
    struct part p[1] = { { .states = 0 } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    struct prvcut_error err = { 0 };

    for (uint32_t i = 0; i < 4; i++) {
        p->state[i] = (struct prvcut_state){ i, 10 + i, i, 0, i & 3 };
        p->message[i] = (struct prvcut_message){ i, i, i, i, i, 0, i, (i + 1) % 4 };
    }
    p->states = p->messages = 4;
    ck_assert_int_eq(
        convert(&t, &(struct how){ .order = PRVCUT_BY_TIME, .options.tasks = "1" }, &sum, &err),
        PRVCUT_OK);
    ck_assert_str_eq(printed, "end 1000 app 0-1 app 1-2 task0/thread0 task2/thread3"
                              " comm 0.7,0 comm 1.7,1\n"
                              "0 0-10 state 0\n"
                              "1 3-13 state 3\n"
                              "1 3,3 to 0 3,3 size 3\n");
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_MESSAGES], 2);
    free(printed);
}
END_TEST

/* Only the first application has a second task; the other one goes. */
START_TEST(test_convert_one_task_leaves_one_application)
{
    struct part p[1] = { { .states = 0 } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(convert(&t, &(struct how){ .options.tasks = "2-2" }, &sum, &err), PRVCUT_OK);
    ck_assert_str_eq(printed,
                     "end 1000 app 0-1 task1/thread1 task1/thread2 comm 0.7,0 comm 0.8,0\n");
    free(printed);
}
END_TEST

static const char *const bad_tasks[] = { "",   "0", "1-",  "-2", "2-1", "1,",
                                         ",1", "4", "1-4", "x",  "1;2", "99999999999999999999",
                                         "1 2" };

START_TEST(test_convert_bad_task_list_fails)
{
    struct part p[1] = { { .states = 0 } };
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 1);
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(convert(&t, &(struct how){ .options.tasks = bad_tasks[_i] }, &sum, &err),
                     PRVCUT_EUSAGE);
    ck_assert_str_ne(err.text, "");
}
END_TEST

START_TEST(test_convert_strictly_refuses_losses)
{
    struct part p[2];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 2);
    struct prvcut_error err = { 0 };

    fill_plain(p);
    abandoned = false;
    expect(&t, &(struct how){ .order = PRVCUT_BY_TIME, .options.strict = true }, &sum,
           plain_by_time);
    ck_assert(!abandoned);
    lose = PRVCUT_CARRY_TAGS + 1;
    ck_assert_int_eq(convert(&t, &(struct how){ .options.strict = true }, &sum, &err),
                     PRVCUT_ELOSS);
    ck_assert(abandoned);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_TAGS], 1);
    ck_assert_ptr_nonnull(strstr(err.text, "strict"));
    free(printed);
    lose = 0;
}
END_TEST

/* What a format as a whole cannot carry is counted for it. */
START_TEST(test_convert_counts_what_the_format_cannot_carry)
{
    struct part p[2];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 2);
    struct prvcut_error err = { 0 };

    fill_plain(p);
    p[1].event[0].role = PRVCUT_ROLE_SIZE & 127;
    carries_not = UINT64_MAX;
    ck_assert_int_eq(convert(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum, &err), PRVCUT_OK);
    free(printed);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_PHYSICAL], 1);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_TAGS], 1);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_COLLECTIVES], 1);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_COMMUNICATORS], 3);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_NODES], 2);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_APPLICATIONS], 2);
    ck_assert_int_eq(convert(&t, &(struct how){ .options.strict = true }, &sum, &err),
                     PRVCUT_ELOSS);
    free(printed);
    carries_not = 0;
}
END_TEST

/* Records that the writer could not carry were not written. */
START_TEST(test_convert_counts_what_was_written)
{
    struct part p[2];
    struct made_convert_summary sum;
    struct hand_trace t = hand(&hand_reader, p, 2);
    struct prvcut_error err = { 0 };

    fill_plain(p);
    lose = PRVCUT_CARRY_STATES + 1;
    ck_assert_int_eq(convert(&t, &(struct how){ .order = PRVCUT_BY_TIME }, &sum, &err), PRVCUT_OK);
    ck_assert_uint_eq(sum.is.read.states, 5);
    ck_assert_uint_eq(sum.is.written.states, 4);
    free(printed);
    lose = 0;
}
END_TEST

static bool stop_at_once(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(test_convert_interrupted_leaves_nothing)
{
    struct part p[2];
    const struct prvcut_writer writer = writer_of(PRVCUT_BY_TIME, true);
    const struct prvcut_run run = { .threads = 1, .stop = stop_at_once };
    const struct prvcut_convert_options options = { .path = "nowhere" };
    struct hand_trace t = hand(&hand_reader, p, 2);
    const struct cnv_job job = {
        .trace = &t.base, .run = &run, .writer = &writer, .options = &options, .states = true
    };
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };

    fill_plain(p);
    abandoned = false;
    ck_assert_int_eq(cnv_run(&job, &sum, &err), PRVCUT_EINTERRUPTED);
    ck_assert(abandoned);
    free(printed);
}
END_TEST

static Suite *convert_core_suite(void)
{
    Suite *suite = suite_create("convert_core");
    TCase *tests = tcase_create("core");

    tcase_add_test(tests, test_convert_trace_orders_by_time);
    tcase_add_test(tests, test_convert_messages_into_halves_inside_their_calls);
    tcase_add_test(tests, test_convert_halves_inside_calls_without_length);
    tcase_add_test(tests, test_convert_trace_is_the_same_however_it_is_read);
    tcase_add_test(tests, test_pair_halves_by_communicator);
    tcase_add_test(tests, test_pair_halves_in_spite_of_wrong_communicators);
    tcase_add_test(tests, test_pair_halves_counts_those_without_another);
    tcase_add_test(tests, test_convert_halves_into_halves_keeps_all);
    tcase_add_test(tests, test_convert_halves_in_a_window);
    tcase_add_test(tests, test_convert_window_begins_and_ends_what_is_open);
    tcase_add_test(tests, test_convert_window_by_thread_holds_the_same);
    tcase_add_test(tests, test_convert_window_from_the_start_keeps_counters);
    tcase_add_test(tests, test_convert_estimated_end_is_that_of_the_last_record);
    tcase_add_test(tests, test_convert_tasks_renumbers_all);
    tcase_add_test(tests, test_convert_one_task_leaves_one_application);
    tcase_add_loop_test(tests, test_convert_bad_task_list_fails, 0,
                        (int)(sizeof bad_tasks / sizeof *bad_tasks));
    tcase_add_test(tests, test_convert_strictly_refuses_losses);
    tcase_add_test(tests, test_convert_counts_what_the_format_cannot_carry);
    tcase_add_test(tests, test_convert_counts_what_was_written);
    tcase_add_test(tests, test_convert_interrupted_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(convert_core_suite());
}
