#include "litl_log.h"

#include "base/buffer.h"
#include "built.h"
#include "model/formats.h"
#include "prvcut/reduce.h"
#include "runner.h"
#include "tests/base/scratch.h"

#include <inttypes.h>

/* All that a reader delivers, as text, thread by thread. */
struct heard {
    struct prvcut_buffer text;
    struct prvcut_error err;
    enum prvcut_status status;
    struct prvcut_counts counts;
};

static enum prvcut_status hear(void *ctx, unsigned worker, void *state,
                               const struct prvcut_batch *b, struct prvcut_error *err)
{
    struct heard *h = ctx;

    (void)worker, (void)state;
    for (size_t i = 0; i < b->events; i++)
        prvcut_buffer_printf(&h->text, err, "%s%u %" PRIu64 " %u=%" PRId64 "\n",
                             b->event[i].head ? "" : "+ ", (unsigned)b->event[i].thread,
                             b->event[i].time, b->event[i].type, b->event[i].value);
    for (size_t i = 0; i < b->halves; i++)
        prvcut_buffer_printf(
            &h->text, err, "%u %s %d %" PRIu64 " size %" PRIu64 " tag %" PRId64 " in %d\n",
            b->half[i].thread, b->half[i].receive ? "from" : "to", (int)b->half[i].peer,
            b->half[i].time, b->half[i].size, b->half[i].tag, (int)b->half[i].communicator);
    for (size_t i = 0; i < b->states; i++)
        prvcut_buffer_printf(&h->text, err, "%u %" PRIu64 "-%" PRIu64 " state %u\n",
                             b->state[i].thread, b->state[i].begin, b->state[i].end,
                             (unsigned)b->state[i].number);
    return PRVCUT_OK;
}

static struct prvcut_trace *open_log(const struct prvcut_open_options *options,
                                     struct prvcut_error *err)
{
    struct prvcut_source *source = NULL;
    struct prvcut_trace *t = NULL;

    ck_assert_int_eq(prvcut_source_open(&source, "x.log", err), PRVCUT_OK);
    if (prvcut_litl_reader.open(&t, source, options, err) < 0)
        ck_assert_ptr_null(t);
    return t;
}

static struct heard listen(const void *bytes, size_t count, bool lenient)
{
    const struct prvcut_open_options options = { .lenient = lenient, .raw_clocks = true };
    const struct prvcut_run run = { .threads = 1 };
    struct heard h = { 0 };
    const struct prvcut_consumer consumer = {
        .roles = UINT32_MAX, .states = true, .messages = true, .ctx = &h, .batch = hear
    };
    struct prvcut_trace *t;

    scratch_write("x.log", bytes, count);
    t = open_log(&options, &h.err);
    if (!t) {
        h.status = h.err.status;
        return h;
    }
    h.status = prvcut_litl_reader.scan(t, &run, &consumer, &h.counts, &h.err);
    prvcut_litl_reader.close(t);
    return h;
}

static const char golden[] = "0 10 50000003=31\n"
                             "0 10 50000003=0\n"
                             "0 200 50000001=1\n"
                             "0 210 50000001=0\n"
                             "0 220 50000001=4\n"
                             "0 220 50000001=0\n"
                             "0 230 50000001=6\n"
                             "0 450 50000001=0\n"
                             "0 550 50000002=7\n"
                             "+ 0 550 50100001=8\n"
                             "+ 0 550 50100004=1\n"
                             "+ 0 550 50100003=1\n"
                             "0 560 50000002=0\n"
                             "0 to 2 200 size 64 tag 5 in 1\n"
                             "0 from 2 450 size 32 tag 6 in 1\n"
                             "0 10-200 state 1\n"
                             "0 200-210 state 4\n"
                             "0 210-220 state 1\n"
                             "0 220-230 state 1\n"
                             "0 230-450 state 8\n"
                             "0 450-550 state 1\n"
                             "0 550-560 state 13\n"
                             "1 300-700 state 1\n"
                             "2 0 50000003=31\n"
                             "2 0 50000003=0\n"
                             "2 100 50000001=2\n"
                             "2 300 50000001=0\n"
                             "2 400 50000001=3\n"
                             "2 400 50000001=0\n"
                             "2 410 50000001=5\n"
                             "2 420 50000001=0\n"
                             "2 500 50000002=7\n"
                             "+ 2 500 50100002=8\n"
                             "+ 2 500 50100004=1\n"
                             "2 600 50000002=0\n"
                             "2 from 0 300 size 64 tag 5 in 1\n"
                             "2 to 0 400 size 32 tag 6 in 1\n"
                             "2 0-100 state 1\n"
                             "2 100-300 state 3\n"
                             "2 300-400 state 1\n"
                             "2 400-410 state 1\n"
                             "2 410-420 state 8\n"
                             "2 420-500 state 1\n"
                             "2 500-600 state 13\n";

START_TEST(test_read_golden_log)
{
    struct litl_log l;
    struct heard h;

    log_golden(&l);
    h = listen(l.at, l.count, false);
    ck_assert_msg(h.status == PRVCUT_OK, "%s", h.err.text);
    ck_assert_str_eq(h.text.at, golden);
    prvcut_buffer_fini(&h.text);
}
END_TEST

/* Cut anywhere: a named fault, never a crash and never more than the whole log holds. */
START_TEST(test_read_log_cut_anywhere)
{
    struct litl_log l;

    log_golden(&l);
    for (size_t count = 0; count < l.count; count++) {
        struct heard h = listen(l.at, count, false);

        ck_assert_msg(h.status == PRVCUT_EFORMAT, "%zu bytes: %d", count, (int)h.status);
        ck_assert_str_ne(h.err.text, "");
        prvcut_buffer_fini(&h.text);
        h = listen(l.at, count, true);
        ck_assert(h.status == PRVCUT_OK || h.status == PRVCUT_EFORMAT);
        ck_assert_uint_le(h.text.count, sizeof golden);
        prvcut_buffer_fini(&h.text);
    }
}
END_TEST

/* Any byte changed to anything that matters: no crash, no endless loop. */
START_TEST(test_read_log_with_any_byte_damaged)
{
    static const unsigned char values[] = { 0, 1, 13, 0x7f, 0xff };
    struct litl_log l;

    log_golden(&l);
    for (size_t at = 0; at < l.count; at++) {
        const unsigned char was = l.at[at];
        struct heard h;

        l.at[at] = values[at % sizeof values];
        h = listen(l.at, l.count, at % 2 == 0);
        ck_assert(h.status >= 0 || (h.err.status == h.status && h.err.text[0] != '\0'));
        prvcut_buffer_fini(&h.text);
        l.at[at] = was;
    }
}
END_TEST

static void expect_failure(const struct litl_log *l, const char *text)
{
    struct heard h = listen(l->at, l->count, false);

    ck_assert_int_eq(h.status, PRVCUT_EFORMAT);
    ck_assert_msg(strstr(h.err.text, text) != NULL, "%s", h.err.text);
    prvcut_buffer_fini(&h.text);
}

START_TEST(test_refuse_links_that_lead_back)
{
    struct litl_log l;

    log_head(&l, 1);
    log_table(&l, 0, 1);
    log_chunk(&l, 0, 5);
    log_regular(&l, 10, 0x40010, 0, NULL);
    log_link(&l, l.table + 32);
    expect_failure(&l,
                   "process 1, thread 1, event at byte 464: its next chunk is not further on in "
                   "the file");

    /* A table of threads that goes on in itself. */
    log_head(&l, 1);
    log_table(&l, 0, 2);
    log_set(&l, l.table + 8, 16, 8);
    log_set(&l, l.table + 24, 16, 8);
    expect_failure(&l, "leads back to byte 434");
}
END_TEST

START_TEST(test_refuse_threads_that_share_their_events)
{
    struct litl_log l;

    log_head(&l, 1);
    log_table(&l, 0, 200);
    for (unsigned i = 0; i < 200; i++)
        log_chunk(&l, i, i + 1);
    for (unsigned i = 0; i < 200; i++)
        log_regular(&l, i, 0x42006, 0, NULL);
    log_link(&l, 0);
    expect_failure(&l, "the file is too short for the events of its threads");
}
END_TEST

START_TEST(test_refuse_counts_beyond_the_file)
{
    struct litl_log l;

    log_head(&l, 1);
    expect_failure(&l, "leads to byte 0, which is no table of threads");
    log_head(&l, 0);
    expect_failure(&l, "the log holds no process");
    log_head(&l, 1);
    log_set(&l, 136, 65535, 2);
    expect_failure(&l, "the header of");
    log_head(&l, 1);
    log_table(&l, 0, 1);
    log_chunk(&l, 0, 5);
    log_event(&l, 5, 0x40001, 2);
    log_number(&l, 0xfffffff0, 4);
    expect_failure(&l, "its data end after the end of the file");
    log_head(&l, 1);
    log_table(&l, 0, 1);
    log_chunk(&l, 0, 5);
    log_event(&l, 5, 0x40001, 0);
    log_number(&l, 11, 1);
    expect_failure(&l, "it has more than 10 parameters");
    log_head(&l, 1);
    log_table(&l, 0, 1);
    log_chunk(&l, 0, 5);
    log_event(&l, 5, 0x40001, 9);
    log_number(&l, 0, 8);
    expect_failure(&l, "its kind is unknown");
    log_head(&l, 1);
    log_table(&l, 0, 1);
    log_chunk(&l, 0, 5);
    log_regular(&l, UINT64_C(1) << 60, 0x42006, 0, NULL);
    log_link(&l, 0);
    expect_failure(&l, "its time is beyond 2^60ns");
}
END_TEST

/* LiTL 0.1.9 writes regular events without their parameters: calls are there, messages are not. */
START_TEST(test_read_log_that_has_lost_parameters)
{
    struct prvcut_findings found = { 0 };
    struct prvcut_source *source = NULL;
    struct litl_log l;
    struct heard h;

    log_head(&l, 1);
    log_table(&l, 0, 1);
    log_chunk(&l, 0, 5);
    log_regular(&l, 10, 0x40010, 0, NULL);
    log_regular(&l, 20, 0x40001, 0, NULL);
    log_regular(&l, 30, 0x40002, 0, NULL);
    log_regular(&l, 40, 0x4300b, 0, NULL);
    log_regular(&l, 50, 0x4301b, 0, NULL);
    log_link(&l, 0);
    h = listen(l.at, l.count, false);
    ck_assert_int_eq(h.status, PRVCUT_OK);
    ck_assert_str_eq(h.text.at, "0 0 50000003=31\n0 0 50000003=0\n"
                                "0 10 50000001=1\n0 20 50000001=0\n"
                                "0 30 50000002=10\n0 40 50000002=0\n"
                                "0 0-10 state 1\n0 10-20 state 4\n0 20-30 state 1\n"
                                "0 30-40 state 13\n");
    ck_assert_uint_eq(h.counts.messages, 0);
    prvcut_buffer_fini(&h.text);

    ck_assert_int_eq(prvcut_source_open(&source, "x.log", &h.err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_litl_reader.check(&found, source, NULL, NULL, &h.err), PRVCUT_OK);
    ck_assert(!found.damaged);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_str_eq(found.at[0].name, "parameters-lost");
    ck_assert_uint_eq(found.at[0].count, 4);
    ck_assert_str_eq(found.at[0].example, "process 1, thread 1, byte 450: MPI_Init");
    ck_assert_str_eq(found.at[1].name, "rank-unknown");
    free(found.at);
}
END_TEST

/* A communicator that the program made: its ranks are its own. */
START_TEST(test_read_messages_of_a_communicator)
{
    const int64_t comm = 0x7fff5000;
    struct litl_log l;
    struct heard h;

    log_head(&l, 2);
    for (unsigned p = 0; p < 2; p++) {
        log_table(&l, p, 1);
        log_chunk(&l, 0, 5 + p);
        log_init(&l, 10, p, 2);
        log_packed(&l, 20, 0x40012, "pi", LOG_VALUES(comm + p, 2));
        log_packed(&l, 21, 0x40013, "i", LOG_VALUES(1));
        log_packed(&l, 22, 0x40013, "i", LOG_VALUES(0));
        if (p == 0) /* to rank 0 of the communicator, which is rank 1 of the world */
            log_packed(&l, 30, 0x40001, "iiip", LOG_VALUES(4, 0, 9, comm));
        else
            log_packed(&l, 30, 0x41003, "iiip", LOG_VALUES(4, 1, 9, comm + 1));
        log_packed(&l, 40, p == 0 ? 0x40002 : 0x41004, p == 0 ? "iip" : "iiip",
                   p == 0 ? LOG_VALUES(0, 9, comm, 0) : LOG_VALUES(4, 1, 9, comm + 1));
        log_link(&l, 0);
    }
    h = listen(l.at, l.count, false);
    ck_assert_int_eq(h.status, PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(h.text.at, "0 to 1 20 size 4 tag 9 in 3\n"));
    ck_assert_ptr_nonnull(strstr(h.text.at, "1 from 0 30 size 4 tag 9 in 3\n"));
    prvcut_buffer_fini(&h.text);
}
END_TEST

START_TEST(test_read_persistent_requests_and_sendrecv)
{
    struct litl_log l;
    struct heard h;

    log_head(&l, 2);
    for (unsigned p = 0; p < 2; p++) {
        log_table(&l, p, 1);
        log_chunk(&l, 0, 5 + p);
        log_init(&l, 0, p, 2);
        log_packed(&l, 10, p == 0 ? 0x45001 : 0x45010, "pii", LOG_VALUES(1, 8, 1 - p));
        log_packed(&l, 11, 0x49999, "ipp", LOG_VALUES(3, LOG_WORLD, LOG_REQUEST));
        for (unsigned i = 0; i < 2; i++) {
            log_packed(&l, 20 + 10 * i, 0x45100, "p", LOG_VALUES(LOG_REQUEST));
            log_packed(&l, 21 + 10 * i, 0x42001, "p", LOG_VALUES(LOG_REQUEST));
            log_packed(&l, 22 + 10 * i, 0x42002, "p", LOG_VALUES(LOG_REQUEST));
        }
        log_packed(&l, 50, 0x4000a, "iiip", LOG_VALUES(16, 1 - p, 7, LOG_WORLD));
        log_packed(&l, 51, 0x49999, "iii", LOG_VALUES(24 + p, 1 - p, 7));
        log_packed(&l, 59, 0x4000b, "iiip", LOG_VALUES(24 + p, 1 - p, 7, LOG_WORLD));
        log_packed(&l, 59, 0x49999, "iii", LOG_VALUES(16, 1 - p, 7));
        log_link(&l, 0);
    }
    h = listen(l.at, l.count, false);
    ck_assert_int_eq(h.status, PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(h.text.at, "0 to 1 20 size 8 tag 3 in 1\n"
                                            "0 to 1 30 size 8 tag 3 in 1\n"
                                            "0 to 1 51 size 24 tag 7 in 1\n"
                                            "0 from 1 59 size 16 tag 7 in 1\n"));
    ck_assert_ptr_nonnull(strstr(h.text.at, "1 from 0 22 size 8 tag 3 in 1\n"
                                            "1 from 0 32 size 8 tag 3 in 1\n"
                                            "1 to 0 51 size 25 tag 7 in 1\n"
                                            "1 from 0 59 size 16 tag 7 in 1\n"));
    prvcut_buffer_fini(&h.text);
}
END_TEST

START_TEST(test_describe_names_calls_and_processes)
{
    struct prvcut_dictionary d;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    struct litl_log l;

    log_golden(&l);
    scratch_write("x.log", l.at, l.count);
    t = open_log(NULL, &err);
    ck_assert_ptr_nonnull(t);
    ck_assert_uint_eq(t->objects.tasks, 2);
    ck_assert_uint_eq(t->objects.threads, 3);
    ck_assert_uint_eq(t->end_ns, 700);
    ck_assert(!t->clocks.skewed);
    ck_assert_int_eq(prvcut_litl_reader.describe(t, &d, &err), PRVCUT_OK);
    ck_assert_str_eq(d.task[0], "user_eztrace_log_rank_0");
    ck_assert_str_eq(d.task[1], "user_eztrace_log_rank_1");
    for (size_t i = 1; i < d.types; i++)
        ck_assert_uint_lt(d.type[i - 1].number, d.type[i].number);
    ck_assert_str_eq(prvcut_type_value(prvcut_dictionary_type(&d, 50000001), 2)->text, "MPI_Recv");
    ck_assert_str_eq(prvcut_type_value(prvcut_dictionary_type(&d, 50000002), 7)->text, "MPI_Bcast");
    prvcut_dictionary_fini(&d);
    prvcut_litl_reader.close(t);
    ck_assert(prvcut_litl_reader.cut == NULL);
}
END_TEST

/* Only its own head is its own. */
START_TEST(test_probe_knows_only_its_head)
{
    static const char *const others[] = { "#Paraver (20/11/2026 at 11:44):1000000_ns:2(2,2)",
                                          "\003BOTF2 and so on, and so on, and so on",
                                          "1:1\n2:2\n",
                                          "%EventDef PajeDefineContainerType 1\n",
                                          "{\"displayTimeUnit\":\"ns\"}",
                                          "" };
    struct litl_log l;

    log_golden(&l);
    ck_assert_int_gt(prvcut_litl_reader.probe((const char *)l.at, 4096), 64);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_int_eq(prvcut_litl_reader.probe(others[i], strlen(others[i])), 0);
    for (size_t count = 0; count < 13; count++)
        ck_assert_int_eq(prvcut_litl_reader.probe((const char *)l.at, count), 0);
    l.at[1] = 'x';
    ck_assert_int_eq(prvcut_litl_reader.probe((const char *)l.at, 4096), 0);
}
END_TEST

/* Two processes that send each other something 40 times, every 10us: each 3us behind the other. */
static void log_loop(struct litl_log *l)
{
    log_head(l, 2);
    for (unsigned p = 0; p < 2; p++) {
        log_table(l, p, 1);
        log_chunk(l, 0, 5 + p);
        log_init(l, 10, p, 2);
        for (unsigned i = 0; i < 40; i++)
            for (unsigned k = 0; k < 2; k++) {
                const uint64_t at = 1000 + 10000 * (uint64_t)i + 4000 * k;
                const bool sends = k == p;

                log_packed(l, at, sends ? 0x40001 : 0x41003, "iiip",
                           LOG_VALUES(8 << k, 1 - p, 9, LOG_WORLD));
                log_packed(l, at + (sends ? 1000 : 2000), sends ? 0x40002 : 0x41004,
                           sends ? "iip" : "iiip",
                           sends ? LOG_VALUES(1 - p, 9, LOG_WORLD, 0)
                                 : LOG_VALUES(8 << k, 1 - p, 9, LOG_WORLD));
            }
        log_link(l, 0);
    }
}

/* There is no cut of the format: the job cuts an archive that it makes on the way, and says so. */
START_TEST(test_cut_log_as_archive)
{
    const struct prvcut_cut_options cut = { .size = sizeof cut };
    const struct prvcut_reduce_options options = { .size = sizeof options,
                                                   .iterations = 2,
                                                   .cut = &cut };
    const struct prvcut_open_options open = { .size = sizeof open };
    const struct prvcut_run run = { .size = sizeof run, .threads = 1 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_reduction *r = NULL;
    struct prvcut_trace *t = NULL;
    struct litl_log l;
    bool said = false;

    if (!test_writes("otf2"))
        return;
    log_loop(&l);
    scratch_write("x.log", l.at, l.count);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.log", &open, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_reduce(t, &run, &options, &r, &err) == PRVCUT_OK, "%s", err.text);
    for (size_t i = 0; i < r->notes; i++)
        said |= strcmp(prvcut_reduction_note(r, i),
                       "EZTrace log (LiTL) is only read: this is cut in format OTF2") == 0;
    ck_assert(said);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->messages, 4);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "x.log.chop1/x.log.otf2");
    ck_assert_int_eq(access("x.log.chop1/x.log.otf2", R_OK), 0);
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
}
END_TEST

static Suite *litl_suite(void)
{
    Suite *suite = suite_create("litl");
    TCase *tests = tcase_create("litl");

    scratch_fixtures(tests);
    tcase_add_test(tests, test_read_golden_log);
    tcase_add_test(tests, test_read_log_cut_anywhere);
    tcase_add_test(tests, test_read_log_with_any_byte_damaged);
    tcase_add_test(tests, test_refuse_links_that_lead_back);
    tcase_add_test(tests, test_refuse_threads_that_share_their_events);
    tcase_add_test(tests, test_refuse_counts_beyond_the_file);
    tcase_add_test(tests, test_read_log_that_has_lost_parameters);
    tcase_add_test(tests, test_read_messages_of_a_communicator);
    tcase_add_test(tests, test_read_persistent_requests_and_sendrecv);
    tcase_add_test(tests, test_describe_names_calls_and_processes);
    tcase_add_test(tests, test_probe_knows_only_its_head);
    tcase_add_test(tests, test_cut_log_as_archive);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(litl_suite());
}
