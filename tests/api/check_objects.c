/* Who is in a trace and what it is called; and windows, of which only the blocks are read. */
#include "prvcut/stream.h"

#include "runner.h"
#include "tests/base/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pcf[] = "EVENT_TYPE\n9 50000001 MPI Point-to-point\nVALUES\n0 End\n1 MPI_Send\n"
                          "2 MPI_Recv\nEVENT_TYPE\n7 42000050 (PAPI_TOT_INS) Instructions\n";

static struct prvcut_error error;

static struct prvcut_trace *open_text(const char *text, size_t count)
{
    struct prvcut_trace *t = NULL;

    scratch_write("x.prv", text, count);
    scratch_write("x.pcf", pcf, strlen(pcf));
    ck_assert_msg(prvcut_trace_open(&t, "x.prv", NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

START_TEST(test_objects_tell_nodes_tasks_and_communicators)
{
    static const char text[] =
        "#Paraver (20/11/2026 at 11:44):1000_ns:2(4,2):2:2(1:1,2:2),1(1:2),2\n"
        "c:1:1:2:1:2\nc:1:7:1:2\n"
        "1:1:1:1:1:0:400:1\n";
    struct prvcut_trace *t = open_text(text, strlen(text));

    ck_assert_uint_eq(prvcut_trace_nodes(t), 2);
    ck_assert_uint_eq(prvcut_trace_node_cpus(t, 0), 4);
    ck_assert_uint_eq(prvcut_trace_node_cpus(t, 2), UINT32_MAX);
    ck_assert_uint_eq(prvcut_trace_node_of(t, 0), 0);
    ck_assert_uint_eq(prvcut_trace_node_of(t, 2), 1);
    ck_assert_uint_eq(prvcut_trace_node_of(t, 3), UINT32_MAX);
    ck_assert_uint_eq(prvcut_trace_application_of(t, 1), 0);
    ck_assert_uint_eq(prvcut_trace_application_of(t, 2), 1);
    ck_assert_uint_eq(prvcut_trace_application_of(t, 3), UINT32_MAX);
    ck_assert_uint_eq(prvcut_trace_first_thread(t, 1), 1);
    ck_assert_uint_eq(prvcut_trace_first_thread(t, 2), 3);
    ck_assert_uint_eq(prvcut_trace_first_thread(t, 3), prvcut_trace_threads(t));
    ck_assert_uint_eq(prvcut_trace_communicators(t), 2);
    ck_assert_uint_eq(prvcut_trace_communicator_find(t, 0, 7), 1);
    ck_assert_uint_eq(prvcut_trace_communicator_find(t, 1, 7), UINT32_MAX);
    ck_assert_uint_eq(prvcut_trace_communicator_id(t, 1), 7);
    ck_assert_uint_eq(prvcut_trace_communicator_application(t, 1), 0);
    ck_assert_uint_eq(prvcut_trace_communicator_size(t, 0), 2);
    ck_assert_uint_eq(prvcut_trace_communicator_task(t, 0, 1), 1);
    ck_assert_uint_eq(prvcut_trace_communicator_task(t, 1, 0), 1);
    ck_assert_uint_eq(prvcut_trace_communicator_task(t, 1, 1), UINT32_MAX);
    ck_assert_uint_eq(prvcut_trace_communicator_size(t, 2), UINT32_MAX);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_names_tell_types_roles_and_values)
{
    static const char text[] = "#Paraver (20/11/2026 at 11:44):1000_ns:1(1):1:1(1:1)\n"
                               "1:1:1:1:1:0:400:1\n";
    struct prvcut_trace *t = open_text(text, strlen(text));
    struct prvcut_names *names;
    uint32_t line = 1;
    size_t known = 0;

    ck_assert_int_eq(prvcut_names_new(&names, t, &error), PRVCUT_OK);
    for (size_t i = 0; i < prvcut_names_types(names); i++)
        known += prvcut_names_type_number(names, i) == 50000001 ||
                 prvcut_names_type_number(names, i) == 42000050;
    ck_assert_uint_eq(known, 2);
    ck_assert_int_eq(prvcut_names_role(names, 50000001), PRVCUT_ROLE_P2P);
    ck_assert_int_eq(prvcut_names_role(names, 42000050), PRVCUT_ROLE_INSTRUCTIONS);
    ck_assert_int_eq(prvcut_names_role(names, 5), PRVCUT_ROLE_OTHER);
    ck_assert_str_eq(prvcut_role_text(PRVCUT_ROLE_P2P), "p2p");
    ck_assert(prvcut_names_is_region(names, 50000001) && !prvcut_names_is_region(names, 42000050));
    ck_assert_uint_eq(prvcut_names_values(names, 50000001), 3);
    ck_assert_int_eq(prvcut_names_value_number(names, 50000001, 2), 2);
    ck_assert_ptr_null(prvcut_names_source(names, 50000001, 1, &line));
    ck_assert_uint_eq(line, 0);
    ck_assert_ptr_null(prvcut_names_thread(names, 9));
    ck_assert_ptr_null(prvcut_names_task(names, 9));
    ck_assert_ptr_null(prvcut_names_node(names, 9));
    prvcut_names_free(names);
    prvcut_trace_close(t);
}
END_TEST

/* --- Windows ------------------------------------------------------------------------------------
 */

enum { LINES = 120000, STEP = 10 };

/* Three megabytes: a call of each of two threads at each step, a message between them. */
static char *long_text(size_t *count)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, count);

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (20/11/2026 at 11:44):%d_ns:1(2):1:2(1:1,1:1)\n", LINES * STEP);
    for (uint64_t i = 0; i + 1 < LINES; i += 4) {
        const uint64_t t = i * STEP;

        fprintf(f, "2:1:1:1:1:%" PRIu64 ":50000001:1\n2:2:1:2:1:%" PRIu64 ":50000001:2\n", t, t);
        fprintf(f, "3:1:1:1:1:%" PRIu64 ":%" PRIu64 ":2:1:2:1:%" PRIu64 ":%" PRIu64 ":8:1\n", t, t,
                t, t + STEP);
        fprintf(f, "2:1:1:1:1:%" PRIu64 ":50000001:0\n2:2:1:2:1:%" PRIu64 ":50000001:0\n", t + STEP,
                t + STEP);
    }
    fclose(f);
    return text;
}

static enum prvcut_status count_records(void *ctx, const struct prvcut_record *record, size_t count)
{
    (void)record;
    *(size_t *)ctx += count;
    return PRVCUT_OK;
}

static enum prvcut_status count_message(void *ctx, const struct prvcut_stream_message *m,
                                        bool begins)
{
    ck_assert(m->send && m->post && m->complete);
    *(size_t *)ctx += begins;
    return PRVCUT_OK;
}

START_TEST(test_a_window_reads_only_its_blocks)
{
    const struct prvcut_span late = { (uint64_t)LINES * STEP / 4 * 3, (uint64_t)LINES * STEP };
    size_t count, all = 0, some = 0, again = 0, messages = 0;
    char *text = long_text(&count);
    struct prvcut_trace *t = open_text(text, count);
    const struct prvcut_records_wish everything = { .ctx = &all, .take = count_records };
    const struct prvcut_records_wish first = { .only = late, .ctx = &some, .take = count_records };
    const struct prvcut_records_wish then = { .only = late, .ctx = &again, .take = count_records };
    const struct prvcut_stream_options o = { .size = sizeof o, .only = late };
    const struct prvcut_stream_taker taker = { sizeof taker, .ctx = &messages,
                                               .message = count_message };

    ck_assert_int_eq(prvcut_records_read(t, NULL, &first, &error), PRVCUT_OK);
    ck_assert_uint_gt(some, LINES / 5);
    ck_assert_int_eq(prvcut_records_read(t, NULL, &everything, &error), PRVCUT_OK);
    ck_assert_uint_gt(all, some);
    /* What is damaged far before the window is not seen. */
    memset(text + count / 4, 'x', 100);
    scratch_write("x.prv", text, count);
    ck_assert_int_eq(prvcut_records_read(t, NULL, &then, &error), PRVCUT_OK);
    ck_assert_uint_eq(again, some);
    ck_assert_msg(prvcut_stream_run(t, NULL, &o, &taker, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_eq(messages, LINES / 4 / 4);
    ck_assert_int_eq(prvcut_records_read(t, NULL, &everything, &error), PRVCUT_EFORMAT);
    prvcut_trace_close(t);
    free(text);
}
END_TEST

static enum prvcut_status count_call(void *ctx, const struct prvcut_stream_call *c, bool begins)
{
    (void)c;
    *(size_t *)ctx += begins;
    return PRVCUT_OK;
}

/* Each role may be told as calls; a bit beyond them is none that this library knows. */
START_TEST(test_stream_refuses_calls_of_no_role)
{
    static const char text[] = "#Paraver (20/11/2026 at 11:44):1000_ns:1(1):1:1(1:1)\n"
                               "2:1:1:1:1:100:50000001:1\n2:1:1:1:1:200:50000001:0\n";
    size_t calls = 0;
    char value[32];
    struct prvcut_trace *t = open_text(text, strlen(text));
    const struct prvcut_stream_taker taker = { sizeof taker, .ctx = &calls, .call = count_call };
    struct prvcut_stream_options o = { .size = sizeof o };

    for (unsigned bit = 0; bit < 32; bit++) {
        o.calls = PRVCUT_ROLE_BIT(bit) | PRVCUT_ROLES_MPI;
        error = (struct prvcut_error){ 0 };
        if (bit < PRVCUT_ROLES) {
            ck_assert_int_eq(prvcut_stream_run(t, NULL, &o, &taker, &error), PRVCUT_OK);
            ck_assert_uint_eq(calls, bit + 1);
            continue;
        }
        ck_assert_int_eq(prvcut_stream_run(t, NULL, &o, &taker, &error), PRVCUT_EUSAGE);
        snprintf(value, sizeof value, "calls 0x%x:", (unsigned)o.calls);
        ck_assert_msg(strstr(error.text, value) && strstr(error.text, " 0x10000 "), "%s",
                      error.text);
    }
    ck_assert_uint_eq(calls, PRVCUT_ROLES);
    prvcut_trace_close(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("objects");
    TCase *c = tcase_create("objects");

    scratch_fixtures(c);
    tcase_add_test(c, test_objects_tell_nodes_tasks_and_communicators);
    tcase_add_test(c, test_names_tell_types_roles_and_values);
    tcase_add_test(c, test_a_window_reads_only_its_blocks);
    tcase_add_test(c, test_stream_refuses_calls_of_no_role);
    suite_add_tcase(s, c);
    return run_suite(s);
}
