/* Profiles of small traces worked out by hand. */
#include "model/made.h"
#include "tests/support/hand_trace.h"
#include "tests/support/runner.h"

static struct prvcut_error error;

static struct prvcut_profile *make(struct prvcut_trace *t, uint32_t by, struct prvcut_span only,
                                   int threads)
{
    const struct prvcut_profile_options o = { .size = sizeof o, .by = by, .only = only };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_profile *p;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_profile_make(t, &run, &o, &p, &error) == PRVCUT_OK, "%s", error.text);
    return p;
}

/* The row of a call on a thread; thread UINT32_MAX: of all. */
static const struct prvcut_profile_row *call_of(const struct prvcut_profile *p, uint32_t thread,
                                                int64_t value)
{
    for (size_t i = 0; i < p->rows; i++)
        if (prvcut_profile_row(p, i)->thread == thread && prvcut_profile_row(p, i)->value == value)
            return prvcut_profile_row(p, i);
    return NULL;
}

#define BY_CALL_THREAD (PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_THREAD)

static void check_call(const struct prvcut_profile *p, uint32_t thread, int64_t value,
                       const uint64_t want[5])
{
    const struct prvcut_profile_row *r = call_of(p, thread, value);

    ck_assert_ptr_nonnull(r);
    ck_assert_uint_eq(r->entered, want[0]);
    ck_assert_uint_eq(r->ns, want[1]);
    ck_assert_uint_eq(r->least_ns, want[2]);
    ck_assert_uint_eq(r->most_ns, want[3]);
    ck_assert_uint_eq(r->open, want[4]);
}

/* MPI_Send, MPI_Recv, MPI_Isend of Extrae. */
#define CALL(at, who, is)    EVENT(at, who, 50000001, is, PRVCUT_ROLE_P2P)
#define BARRIER(at, who, is) EVENT(at, who, 50000002, (is) ? 8 : 0, PRVCUT_ROLE_COLLECTIVE)

/* A call goes on from part to part; one is open at the end, one takes no time; one was open from
   the first record on, other ends have no begin. */
static void check_by_time(bool backwards, int threads)
{
    struct part part[3] = {
        { .event = { EVENT(30, 2, 9, 1, PRVCUT_ROLE_OTHER), CALL(50, 1, 0), CALL(60, 1, 3),
                     CALL(60, 1, 0), CALL(100, 0, 1) },
          .events = 5 },
        { .event = { CALL(80, 2, 0), CALL(90, 2, 4), CALL(95, 2, 0), CALL(96, 2, 0),
                     EVENT(150, 0, 9, 1, PRVCUT_ROLE_OTHER) },
          .events = 5 },
        { .event = { CALL(200, 0, 0), CALL(300, 0, 2), EVENT(450, 0, 9, 1, PRVCUT_ROLE_OTHER) },
          .events = 3 },
    };
    struct hand_trace h = hand(&hand_reader, part, 3);
    struct prvcut_profile *p;

    h.backwards = backwards;
    p = make(&h.base, BY_CALL_THREAD, (struct prvcut_span){ 0, 0 }, threads);
    ck_assert_uint_eq(p->rows, 5);
    ck_assert_uint_eq(p->lost, 2);
    check_call(p, 2, INT64_MIN, (const uint64_t[]){ 0, 50, 50, 50, 0 });
    check_call(p, 2, 4, (const uint64_t[]){ 1, 5, 5, 5, 0 });
    check_call(p, 0, 1, (const uint64_t[]){ 1, 100, 100, 100, 0 });
    check_call(p, 0, 2, (const uint64_t[]){ 1, 150, 150, 150, 1 });
    check_call(p, 1, 3, (const uint64_t[]){ 1, 0, 0, 0, 0 });
    prvcut_profile_free(p);
    p = make(&h.base, BY_CALL_THREAD, (struct prvcut_span){ 140, 310 }, threads);
    ck_assert_uint_eq(p->rows, 2);
    check_call(p, 0, 1, (const uint64_t[]){ 0, 60, 60, 60, 0 });
    check_call(p, 0, 2, (const uint64_t[]){ 1, 10, 10, 10, 1 });
    ck_assert_uint_eq(prvcut_profile_total(p)->recorded_ns, 170);
    prvcut_profile_free(p);
}

START_TEST(test_profile_calls_across_parts)
{
    check_by_time(false, 1);
    check_by_time(true, 2);
}
END_TEST

/* A barrier inside a send, as archives may have it: the inner call's time is its own. */
START_TEST(test_profile_calls_inside_calls)
{
    struct part part[2] = {
        { .event = { CALL(100, 0, 1), BARRIER(150, 0, 1) }, .events = 2 },
        { .event = { BARRIER(170, 0, 0), CALL(300, 0, 0), CALL(400, 0, 1),
                     EVENT(500, 0, 9, 1, PRVCUT_ROLE_OTHER) },
          .events = 4 },
    };
    struct hand_trace h = hand(&halves_reader, part, 2);
    struct prvcut_profile *p = make(&h.base, BY_CALL_THREAD, (struct prvcut_span){ 0, 0 }, 2);

    check_call(p, 0, 1, (const uint64_t[]){ 2, 280, 100, 200, 1 });
    check_call(p, 0, 8, (const uint64_t[]){ 1, 20, 20, 20, 0 });
    ck_assert_uint_eq(prvcut_profile_total(p)->calls_ns, 300);
    prvcut_profile_free(p);
    p = make(&h.base, BY_CALL_THREAD, (struct prvcut_span){ 160, 200 }, 1);
    check_call(p, 0, 1, (const uint64_t[]){ 0, 30, 40, 40, 0 });
    check_call(p, 0, 8, (const uint64_t[]){ 0, 10, 10, 10, 0 });
    prvcut_profile_free(p);
}
END_TEST

/* Values of callers need no label; those of other types have no name. */
#define NAMED                  70000001
#define NAMELESS               77
#define FUNCTION(at, type, is) EVENT(at, 0, type, is, PRVCUT_ROLE_REGION)
#define FUNCTIONS(type)                                                                            \
    {                                                                                              \
        { .event = { FUNCTION(100, type, 1), FUNCTION(150, type, 2), FUNCTION(200, type, 1),       \
                     CALL(210, 0, 1) },                                                            \
          .events = 4 },                                                                           \
            { .event = { CALL(230, 0, 0), FUNCTION(250, type, 0), FUNCTION(300, type, 0),          \
                         FUNCTION(400, type, 0), FUNCTION(500, type, 1) },                         \
              .events = 5 },                                                                       \
        {                                                                                          \
            .event = { FUNCTION(550, type, 2), EVENT(600, 0, 9, 1, PRVCUT_ROLE_OTHER) },           \
            .events = 2                                                                            \
        }                                                                                          \
    }

static void check_function(const struct prvcut_profile *p, int64_t value, uint64_t entered,
                           uint64_t ns, uint64_t inclusive)
{
    const struct prvcut_profile_row *r = call_of(p, UINT32_MAX, value);

    ck_assert_ptr_nonnull(r);
    ck_assert_uint_eq(r->entered, entered);
    ck_assert_uint_eq(r->ns, ns);
    ck_assert_uint_eq(r->inclusive_ns, inclusive);
}

/* 1 calls 2, which calls 1: its time counts once, with a call of MPI in it; another 1 and the 2 in
   it are open at the end, and last to the last record. */
START_TEST(test_profile_functions_with_what_they_call)
{
    struct part part[3] = FUNCTIONS(NAMED), other[3] = FUNCTIONS(NAMELESS);
    struct hand_trace h = hand(&halves_reader, part, 3);
    struct prvcut_profile *p =
        make(&h.base, PRVCUT_PROFILE_BY_FUNCTION, (struct prvcut_span){ 0, 0 }, 2);

    ck_assert_uint_eq(p->rows, 2);
    check_function(p, 1, 3, 230, 400);
    check_function(p, 2, 2, 150, 200);
    prvcut_profile_free(p);
    p = make(&h.base, PRVCUT_PROFILE_BY_FUNCTION, (struct prvcut_span){ 160, 200 }, 1);
    check_function(p, 1, 0, 0, 40);
    check_function(p, 2, 0, 40, 40);
    prvcut_profile_free(p);
    h = hand(&halves_reader, other, 3);
    p = make(&h.base, PRVCUT_PROFILE_BY_FUNCTION, (struct prvcut_span){ 0, 0 }, 1);
    check_function(p, INT64_MIN, 5, 380, 400);
    prvcut_profile_free(p);
}
END_TEST

/* A call is that of the innermost function around it, also where another call is in between, and
   has the time that is its own; one in no function is told as such. */
START_TEST(test_profile_calls_by_function)
{
    struct part part[3] = {
        { .event = { CALL(50, 0, 1), CALL(60, 0, 0), FUNCTION(100, NAMED, 1), CALL(110, 0, 1) },
          .events = 4 },
        { .event = { BARRIER(130, 0, 1), BARRIER(150, 0, 0), CALL(160, 0, 0),
                     FUNCTION(200, NAMED, 2), CALL(210, 0, 1), CALL(220, 0, 0) },
          .events = 6 },
        { .event = { FUNCTION(250, NAMED, 0), CALL(300, 0, 1),
                     EVENT(340, 0, 9, 1, PRVCUT_ROLE_OTHER) },
          .events = 3 },
    };
    static const int64_t want[][5] = { { 1, 50000001, 1, 2, 70 },
                                       { 1, 50000002, 8, 1, 20 },
                                       { 2, 50000001, 1, 1, 10 },
                                       { INT64_MIN, 50000001, 1, 1, 10 } };
    struct hand_trace h = hand(&halves_reader, part, 3);

    for (int threads = 1; threads <= 2; threads++) {
        struct prvcut_profile *p =
            make(&h.base, PRVCUT_PROFILE_BY_FUNCTION | PRVCUT_PROFILE_BY_CALL,
                 (struct prvcut_span){ 0, 0 }, threads);

        ck_assert_uint_eq(p->rows, sizeof want / sizeof *want);
        for (size_t i = 0; i < p->rows; i++) {
            const struct prvcut_profile_row *r = NULL;

            for (size_t k = 0; k < p->rows; k++)
                if (prvcut_profile_row(p, k)->function_value == want[i][0] &&
                    prvcut_profile_row(p, k)->type == want[i][1])
                    r = prvcut_profile_row(p, k);
            ck_assert_ptr_nonnull(r);
            ck_assert_int_eq(r->value, want[i][2]);
            ck_assert_uint_eq(r->entered, (uint64_t)want[i][3]);
            ck_assert_uint_eq(r->ns, (uint64_t)want[i][4]);
        }
        prvcut_profile_free(p);
    }
}
END_TEST

#define READ(at, is) EVENT(at, 0, 42000050, is, PRVCUT_ROLE_INSTRUCTIONS)

/* 30 over [0, 100), 60 over [100, 400), evenly; a window has its part of each. */
static void check_counters(struct prvcut_span only, uint64_t want)
{
    struct part part[2] = { { .event = { READ(100, 30) }, .events = 1 },
                            { .event = { READ(400, 60) }, .events = 1 } };
    struct hand_trace h = hand(&hand_reader, part, 2);
    struct prvcut_profile *p = make(&h.base, PRVCUT_PROFILE_BY_RANK, only, 2);

    ck_assert_uint_eq(p->counters, 1);
    ck_assert_str_eq(prvcut_profile_counter(p, 0), "instructions");
    ck_assert_uint_eq(prvcut_profile_total(p)->counter[0], want);
    prvcut_profile_free(p);
}

START_TEST(test_profile_counters_evenly)
{
    check_counters((struct prvcut_span){ 0, 0 }, 90);
    check_counters((struct prvcut_span){ 0, 250 }, 60);
    check_counters((struct prvcut_span){ 50, 150 }, 25);
    check_counters((struct prvcut_span){ 100, 110 }, 2);
}
END_TEST

/* Thread 0 counts nothing, and that is 0; of thread 2 nobody knows, and what all counted is what
   thread 1 did. */
START_TEST(test_profile_counters_of_nobody_are_untold)
{
    struct part part[1] = { { .event = { READ(100, 0),
                                         EVENT(100, 1, 42000050, 7, PRVCUT_ROLE_INSTRUCTIONS),
                                         EVENT(110, 2, 9, 1, PRVCUT_ROLE_OTHER) },
                              .events = 3 } };
    struct hand_trace h = hand(&hand_reader, part, 1);
    struct prvcut_profile *p =
        make(&h.base, PRVCUT_PROFILE_BY_RANK, (struct prvcut_span){ 0, 0 }, 1);
    char *text = NULL, *json = NULL;

    ck_assert_uint_eq(p->rows, 3);
    ck_assert_uint_eq(prvcut_profile_row(p, 0)->counter[0], 0);
    ck_assert_uint_eq(prvcut_profile_row(p, 1)->counter[0], 7);
    ck_assert_uint_eq(prvcut_profile_row(p, 2)->counter[0], PRVCUT_PROFILE_UNTOLD);
    ck_assert_uint_eq(prvcut_profile_total(p)->counter[0], 7);
    ck_assert_int_eq(prvcut_profile_csv(p, &text, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_profile_json(p, &json, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, ",0,\n"));
    ck_assert_ptr_nonnull(strstr(text, ",7,\n"));
    ck_assert_ptr_nonnull(strstr(text, "1000,0,,,,,,,,,,,\n"));
    ck_assert_ptr_nonnull(strstr(json, "\"instructions\": null"));
    free(text);
    free(json);
    prvcut_profile_free(p);
}
END_TEST

static const struct prvcut_profile_reason *reason(const struct prvcut_profile *p, const char *what)
{
    for (size_t i = 0; i < p->reasons; i++)
        if (strcmp(prvcut_profile_reason(p, i)->what, what) == 0)
            return prvcut_profile_reason(p, i);
    return NULL;
}

/* What the trace does not hold is not 0. */
START_TEST(test_profile_does_not_tell_what_is_missing)
{
    struct part part[1] = { { .event = { EVENT(10, 0, 9, 1, PRVCUT_ROLE_OTHER) },
                              .half = { HALF(100, 0, 1, 5, 0, false) },
                              .events = 1,
                              .halves = 1 } };
    struct hand_trace h = hand(&halves_reader, part, 1);
    struct prvcut_profile *p =
        make(&h.base, PRVCUT_PROFILE_BY_RANK, (struct prvcut_span){ 0, 0 }, 1);
    const struct prvcut_profile_row *all = prvcut_profile_total(p);

    ck_assert_uint_eq(p->rows, 3);
    ck_assert_uint_eq(all->computing_ns, PRVCUT_PROFILE_UNTOLD);
    ck_assert_uint_eq(all->calls_ns, PRVCUT_PROFILE_UNTOLD);
    ck_assert_uint_eq(all->rest_ns, PRVCUT_PROFILE_UNTOLD);
    ck_assert_uint_eq(all->sent_bytes, 100);
    ck_assert_uint_eq(all->received, PRVCUT_PROFILE_UNTOLD);
    ck_assert_uint_eq(p->counters, 0);
    ck_assert_ptr_null(p->computing);
    ck_assert_ptr_nonnull(reason(p, "calls_ns"));
    ck_assert_ptr_nonnull(reason(p, "computing_ns"));
    ck_assert_ptr_nonnull(reason(p, "received"));
    ck_assert_ptr_nonnull(reason(p, "counters"));
    ck_assert_ptr_null(reason(p, "sent"));
    prvcut_profile_free(p);
}
END_TEST

/* A thread that runs while it calls: both are told, and nothing is left over that would be wrong.
 */
START_TEST(test_profile_does_not_tell_a_rest_that_cannot_be)
{
    struct part part[1] = { { .event = { CALL(100, 0, 1), CALL(200, 0, 0) },
                              .state = { { 0, 200, 0, 1, 0 } },
                              .events = 2,
                              .states = 1 } };
    struct hand_trace h = hand(&hand_reader, part, 1);
    struct prvcut_profile *p =
        make(&h.base, PRVCUT_PROFILE_BY_RANK, (struct prvcut_span){ 0, 0 }, 1);
    const struct prvcut_profile_row *row = prvcut_profile_row(p, 0);

    ck_assert_uint_eq(row->computing_ns, 200);
    ck_assert_uint_eq(row->calls_ns, 100);
    ck_assert_uint_eq(row->rest_ns, PRVCUT_PROFILE_UNTOLD);
    ck_assert_ptr_nonnull(reason(p, "rest_ns"));
    prvcut_profile_free(p);
}
END_TEST

/* An archive without states: what regions tell is but where threads wait, and what those run that
   make no calls. The first record of thread 0 is late: until then it computes, too. */
START_TEST(test_profile_of_archive_computes_outside_calls)
{
    struct part part[1] = { { .event = { CALL(100, 0, 1), CALL(200, 0, 0), BARRIER(220, 0, 1),
                                         BARRIER(240, 0, 0), EVENT(400, 0, 9, 1, PRVCUT_ROLE_OTHER),
                                         EVENT(80, 1, 9, 1, PRVCUT_ROLE_OTHER) },
                              .state = { { 220, 240, 0, 0, PRVCUT_STATE_SYNCHRONIZATION },
                                         { 250, 300, 0, 0, PRVCUT_STATE_SYNCHRONIZATION },
                                         { 300, 400, 0, 1, 0 },
                                         { 0, 50, 1, 1, 0 } },
                              .events = 6,
                              .states = 4 } };
    struct hand_trace h = hand(&halves_reader, part, 1);
    struct prvcut_profile *p =
        make(&h.base, PRVCUT_PROFILE_BY_THREAD, (struct prvcut_span){ 0, 0 }, 1);
    const struct prvcut_profile_row *caller = prvcut_profile_row(p, 0),
                                    *other = prvcut_profile_row(p, 1);

    ck_assert_str_eq(p->computing, "outside");
    ck_assert_ptr_nonnull(reason(p, "computing_ns"));
    ck_assert_uint_eq(caller->recorded_ns, 400);
    ck_assert_uint_eq(caller->calls_ns, 120);
    ck_assert_uint_eq(caller->computing_ns, 230);
    ck_assert_uint_eq(caller->rest_ns, 50);
    ck_assert_uint_eq(other->recorded_ns, 80);
    ck_assert_uint_eq(other->computing_ns, 50);
    ck_assert_uint_eq(other->rest_ns, 30);
    prvcut_profile_free(p);
}
END_TEST

START_TEST(test_profile_refuses_views_that_do_not_go_together)
{
    static const char *const wrong[] = { "call,state", "call,line", "function,line", "rank,thread",
                                         "calls",      "",          "call," };
    uint32_t by;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memset(&error, 0, sizeof error);
        ck_assert_int_eq(prvcut_profile_views(wrong[i], &by, &error), PRVCUT_EUSAGE);
    }
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_profile_views("rank,call", &by, &error), PRVCUT_OK);
    ck_assert_uint_eq(by, PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_RANK);
    ck_assert_int_eq(prvcut_profile_views(NULL, &by, &error), PRVCUT_OK);
    ck_assert_uint_eq(by, 0);
}
END_TEST

static Suite *profile_suite(void)
{
    Suite *s = suite_create("profile_hand");
    TCase *tests = tcase_create("tests");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, test_profile_calls_across_parts);
    tcase_add_test(tests, test_profile_calls_inside_calls);
    tcase_add_test(tests, test_profile_functions_with_what_they_call);
    tcase_add_test(tests, test_profile_calls_by_function);
    tcase_add_test(tests, test_profile_counters_evenly);
    tcase_add_test(tests, test_profile_counters_of_nobody_are_untold);
    tcase_add_test(tests, test_profile_does_not_tell_what_is_missing);
    tcase_add_test(tests, test_profile_does_not_tell_a_rest_that_cannot_be);
    tcase_add_test(tests, test_profile_of_archive_computes_outside_calls);
    tcase_add_test(tests, test_profile_refuses_views_that_do_not_go_together);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    return run_suite(profile_suite());
}
