#include "prvcut/records.h"
#include "prvcut/signals.h"

#include "runner.h"
#include "tests/base/scratch.h"

static const char trace[] = "#Paraver (20/11/2026 at 11:44):1000_ns:2(2,1):1:3(1:1,1:1,1:2)\n"
                            "1:1:1:1:1:0:400:1\n"
                            "1:2:1:2:1:0:1000:1\n"
                            "2:1:1:1:1:100:50000001:1:7:-5\n"
                            "2:1:1:1:1:200:50000001:0\n"
                            "1:1:1:1:1:400:900:13\n"
                            "3:1:1:1:1:410:420:3:1:3:1:440:450:100:8\n"
                            "2:2:1:2:1:980:7:9\n";
static const char pcf[] = "STATES\n1 Running\n13 Group Communication\n"
                          "EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n0 End\n1 MPI_Send\n"
                          "EVENT_TYPE\n9 7 My number\n";

static struct prvcut_trace *open_trace(void)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;

    scratch_write("x.prv", trace, strlen(trace));
    scratch_write("x.pcf", pcf, strlen(pcf));
    ck_assert_msg(prvcut_trace_open(&t, "x.prv", NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

struct kept {
    struct prvcut_record at[32];
    size_t count, calls;
    enum prvcut_status answer;
};

static enum prvcut_status keep(void *ctx, const struct prvcut_record *record, size_t count)
{
    struct kept *k = ctx;

    ck_assert_uint_le(k->count + count, 32);
    memcpy(k->at + k->count, record, count * sizeof *record);
    k->count += count;
    k->calls++;
    return k->answer;
}

static struct kept read_kinds(unsigned kinds, uint64_t from, uint64_t to)
{
    struct prvcut_trace *t = open_trace();
    struct kept k = { .answer = PRVCUT_OK };
    const struct prvcut_records_wish wish = {
        .kinds = kinds, .only = { from, to }, .ctx = &k, .take = keep
    };
    struct prvcut_error err = { 0 };

    ck_assert_msg(prvcut_records_read(t, NULL, &wish, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_trace_close(t);
    return k;
}

START_TEST(test_read_records_all_kinds_tell_their_fields)
{
    const struct kept k = read_kinds(0, 0, 0);
    size_t states = 0, events = 0, messages = 0;

    ck_assert_uint_eq(k.count, 8);
    for (size_t i = 0; i < k.count; i++) {
        const struct prvcut_record *r = &k.at[i];

        states += r->kind == PRVCUT_RECORD_STATE;
        events += r->kind == PRVCUT_RECORD_EVENT;
        if (r->kind == PRVCUT_RECORD_EVENT && r->begin == 100 && r->type == 7)
            ck_assert_int_eq(r->value, -5);
        if (r->kind != PRVCUT_RECORD_MESSAGE)
            continue;
        messages++;
        ck_assert_uint_eq(r->thread, 0);
        ck_assert_uint_eq(r->peer, 2);
        ck_assert_uint_eq(r->begin, 410);
        ck_assert_uint_eq(r->end, 450);
        ck_assert_uint_eq(r->size, 100);
        ck_assert_int_eq(r->value, 8);
    }
    ck_assert_uint_eq(states, 3);
    ck_assert_uint_eq(events, 4);
    ck_assert_uint_eq(messages, 1);
}
END_TEST

START_TEST(test_read_records_kinds_and_span_choose)
{
    ck_assert_uint_eq(read_kinds(PRVCUT_RECORD_STATE, 0, 0).count, 3);
    ck_assert_uint_eq(read_kinds(PRVCUT_RECORD_STATE, 400, 500).count, 2);
    ck_assert_uint_eq(read_kinds(PRVCUT_RECORD_EVENT, 100, 200).count, 2);
    ck_assert_uint_eq(read_kinds(PRVCUT_RECORD_MESSAGE, 449, 450).count, 1);
    ck_assert_uint_eq(read_kinds(PRVCUT_RECORD_MESSAGE, 450, 460).count, 0);
    ck_assert_uint_eq(read_kinds(PRVCUT_RECORD_SEND, 0, 0).count, 0);
}
END_TEST

START_TEST(test_read_records_taker_stops_without_error)
{
    struct prvcut_trace *t = open_trace();
    struct kept k = { .answer = PRVCUT_END };
    const struct prvcut_records_wish wish = { .ctx = &k, .take = keep };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_records_read(t, NULL, &wish, &err), PRVCUT_OK);
    ck_assert_uint_eq(k.calls, 1);
    ck_assert_str_eq(err.text, "");
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_read_records_taker_refuses_with_its_status)
{
    struct prvcut_trace *t = open_trace();
    struct kept k = { .answer = PRVCUT_ELIMIT };
    const struct prvcut_records_wish wish = { .ctx = &k, .take = keep };
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(prvcut_records_read(t, NULL, &wish, &err), PRVCUT_ELIMIT);
    ck_assert_int_eq(err.status, PRVCUT_ELIMIT);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_names_are_those_of_the_labels)
{
    struct prvcut_trace *t = open_trace();
    struct prvcut_names *names;
    struct prvcut_error err = { 0 };

    ck_assert_uint_eq(prvcut_trace_threads(t), 3);
    ck_assert_uint_eq(prvcut_trace_tasks(t), 3);
    ck_assert_uint_eq(prvcut_trace_applications(t), 1);
    ck_assert_uint_eq(prvcut_trace_task_of(t, 2), 2);
    ck_assert_str_eq(prvcut_trace_format(t), "paraver");
    ck_assert_int_eq(prvcut_names_new(&names, t, &err), PRVCUT_OK);
    prvcut_trace_close(t);
    ck_assert_str_eq(prvcut_names_state(names, 13), "Group Communication");
    ck_assert_ptr_null(prvcut_names_state(names, -1));
    ck_assert_str_eq(prvcut_names_type(names, 7), "My number");
    ck_assert_ptr_null(prvcut_names_type(names, 8));
    ck_assert_str_eq(prvcut_names_value(names, 50000001, 1), "MPI_Send");
    ck_assert_ptr_null(prvcut_names_value(names, 50000001, 77));
    prvcut_names_free(names);
}
END_TEST

#define BINS 4000

START_TEST(test_find_period_of_own_signal)
{
    double at[BINS];
    struct prvcut_signal s = { .name = "mine", .unit = "x", .width = 1000, .at = at, .bins = BINS };
    struct prvcut_error err = { 0 };
    struct prvcut_vote *v;
    uint64_t state = 5;

    for (size_t i = 0; i < BINS; i++)
        at[i] = 3 + (i % 50 < 11) * 2 + (i % 50 > 30 && i % 50 < 34) * 4;
    ck_assert_int_eq(prvcut_signal_period(&s, &v, &err), PRVCUT_OK);
    ck_assert_double_eq_tol(v->period_ns, 50000, 500);
    ck_assert_double_eq_tol(v->iterations, 80, 2);
    prvcut_vote_free(v);
    for (size_t i = 0; i < BINS; i++)
        at[i] = (double)(scratch_random(&state) % 1000);
    ck_assert_int_eq(prvcut_signal_period(&s, &v, &err), PRVCUT_NONE);
    ck_assert_str_ne(v->why, "");
    prvcut_vote_free(v);
    s.at = NULL;
    s.absent = "it was never recorded";
    ck_assert_int_eq(prvcut_signal_period(&s, &v, &err), PRVCUT_NONE);
    ck_assert_str_eq(v->why, "it was never recorded");
    prvcut_vote_free(v);
}
END_TEST

static Suite *records_suite(void)
{
    Suite *s = suite_create("records");
    TCase *t = tcase_create("records");

    scratch_fixtures(t);
    tcase_add_test(t, test_read_records_all_kinds_tell_their_fields);
    tcase_add_test(t, test_read_records_kinds_and_span_choose);
    tcase_add_test(t, test_read_records_taker_stops_without_error);
    tcase_add_test(t, test_read_records_taker_refuses_with_its_status);
    tcase_add_test(t, test_names_are_those_of_the_labels);
    tcase_add_test(t, test_find_period_of_own_signal);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(records_suite());
}
