#include "model/texts.h"
#include "write_items.h"

#include "runner.h"

#include <signal.h>

static char *slurp(const char *path)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;
    size_t count;

    ck_assert_msg(prvcut_source_slurp(path, 1 << 24, &text, &count, &err) == PRVCUT_OK, "%s",
                  err.text);
    return text;
}

/* The first thread's stream: time, process, records; numbers are hexadecimal. */
static const char golden_events[] =
#include "otf_write_golden.inc"
    ;

START_TEST(test_write_small_trace_writes_expected_stream)
{
    struct made_convert_summary sum;
    char *text;

    write_small(&prvcut_otf_writer, "x.otf", (size_t)_i, &sum);
    text = slurp("x.1.events");
    ck_assert_str_eq(text, golden_events);
    free(text);
    text = slurp("x.otf");
    ck_assert_str_eq(text, "1:1\n2:2\n3:3\n");
    free(text);
}
END_TEST

START_TEST(test_write_small_trace_defines_everything)
{
    static const char *const wanted[] = {
        "\nDTR3b9aca00\n",
        "\nDTRG0T2328\n",
        "\nDP1NM\"Process 0\"\nDP2NM\"Thread 1 of process 0\"PT1\nDP3NM\"Process 1\"\n",
        "NM\"MPI\"\n",
        "NM\"MPI_Allreduce\"\n",
        "NM\"omp $ at 'x.c'\"\n",
        "NM\"PAPI_TOT_INS\"P0U\"#\"\n",
        "NM\"heap\"P25U\"bytes\"\n",
        "\nDPG1M1,3,NM\"MPI_COMM_WORLD\"\n",
        "\nDCOcNM\"MPI_Allreduce\"Y4\n",
        "\nDCMT\"prvcut convert small.prv\"\n",
    };
    struct made_convert_summary sum;
    char *text;

    write_small(&prvcut_otf_writer, "x.otf", 1000, &sum);
    text = slurp("x.0.def");
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        ck_assert_msg(strstr(text, wanted[i]) != NULL, "%s is missing in\n%s", wanted[i], text);
    free(text);
}
END_TEST

START_TEST(test_write_counts_what_is_lost)
{
    struct made_convert_summary sum;

    write_small(&prvcut_otf_writer, "x.otf", 1000, &sum);
    /* All states; an end without a begin; a tag and a size that do not fit. */
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_STATES], 9);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_EVENTS], 1);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_TAGS], 1);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_COLLECTIVES], 0);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_PHYSICAL], 4);
    ck_assert_uint_eq(sum.lost[PRVCUT_CARRY_REGIONS], 0);
}
END_TEST

START_TEST(test_write_small_trace_is_read_by_the_formats_own_tool)
{
    struct made_convert_summary sum;
    char *text;

    write_small(&prvcut_otf_writer, "x.otf", 1000, &sum);
    text = write_output("otfprint x.otf");
    ck_assert_ptr_nonnull(strstr(text, "processing time"));
    ck_assert_ptr_null(strstr(text, "ERROR"));
    free(text);
}
END_TEST

/* Functions nest: each L names the innermost E. */
START_TEST(test_write_overlapping_types_nests)
{
    struct made_convert_summary sum;
    unsigned stack[64], depth = 0, function;
    char *text;

    write_small(&prvcut_otf_writer, "x.otf", 1000, &sum);
    text = slurp("x.1.events");
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (sscanf(line, "E%x", &function) == 1 && line[0] == 'E') {
            ck_assert_uint_lt(depth, 64);
            stack[depth++] = function;
        } else if (line[0] == 'L') {
            ck_assert_int_eq(sscanf(line, "L%x", &function), 1);
            ck_assert_uint_gt(depth, 0);
            ck_assert_uint_eq(stack[--depth], function);
        }
    }
    ck_assert_uint_eq(depth, 0);
    free(text);
}
END_TEST

START_TEST(test_write_many_threads_needs_few_handles)
{
    enum { TASKS = 300 };
    const struct rlimit few = { 30, 30 };
    struct write_many many;
    struct prvcut_item *item = calloc(2 * TASKS, sizeof *item);
    struct made_convert_summary sum;
    struct prvcut_error err;
    char *text;

    write_many_init(&many, TASKS);
    for (uint32_t i = 0; i < TASKS; i++) {
        item[2 * i] = (struct prvcut_item)ITEM_EVENT(i, i, PRVCUT_ROLE_P2P, true, 50000001, 1);
        item[2 * i + 1] =
            (struct prvcut_item)ITEM_EVENT(i + 5, i, PRVCUT_ROLE_P2P, true, 50000001, 0);
    }
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    ck_assert_msg(item_write(&prvcut_otf_writer, "x.otf", &many.outline, item, 2 * TASKS, 1000,
                             &sum, &err) == PRVCUT_OK,
                  "%s", err.text);
    prvcut_texts_free(sum.is.file, sum.is.files);
    text = slurp("x.12c.events");
    ck_assert_str_eq(text, "12b\n*12c\nPB\nE1\n130\n*12c\nL1\nPE\n");
    free(text);
    write_many_fini(&many);
    free(item);
}
END_TEST

START_TEST(test_write_failures_leave_nothing)
{
    const struct rlimit small = { 256, 256 };
    struct made_convert_summary sum;
    struct prvcut_error err;

    ck_assert_int_eq(
        item_write(&prvcut_otf_writer, "x.otf2", &write_outline, NULL, 0, 1, &sum, &err),
        PRVCUT_EUSAGE);
    ck_assert_int_eq(
        item_write(&prvcut_otf_writer, "no/x.otf", &write_outline, NULL, 0, 1, &sum, &err),
        PRVCUT_EIO);
    ck_assert_uint_eq(write_entries(), 0);
    write_small(&prvcut_otf_writer, "x.otf", 10, &sum);
    ck_assert_uint_eq(write_entries(), 5);
    ck_assert_int_eq(item_write(&prvcut_otf_writer, "x.otf", &write_outline, write_items,
                                WRITE_ITEMS, 10, &sum, &err),
                     PRVCUT_EEXIST);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    ck_assert_int_eq(item_write(&prvcut_otf_writer, "y.otf", &write_outline, write_items,
                                WRITE_ITEMS, 10, &sum, &err),
                     PRVCUT_EIO);
    ck_assert_uint_eq(write_entries(), 5);
}
END_TEST

START_TEST(test_abandon_leaves_nothing)
{
    const struct prvcut_convert_options options = { .path = "x.otf" };
    struct made_convert_summary sum = { 0 };
    struct prvcut_error err = { 0 };
    struct prvcut_writing *w = NULL;

    ck_assert_int_eq(prvcut_otf_writer.open(&w, "x.otf", &write_outline, &options, &err),
                     PRVCUT_OK);
    ck_assert_int_eq(prvcut_otf_writer.put(w, write_items, WRITE_ITEMS, &sum, &err), PRVCUT_OK);
    prvcut_otf_writer.abandon(w);
    ck_assert_uint_eq(write_entries(), 0);
}
END_TEST

static Suite *otf_write_suite(void)
{
    Suite *suite = suite_create("otf_write");
    TCase *tests = tcase_create("write");

    scratch_fixtures(tests);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_write_small_trace_writes_expected_stream, 1, 9);
    tcase_add_test(tests, test_write_small_trace_defines_everything);
    tcase_add_test(tests, test_write_counts_what_is_lost);
    tcase_add_test(tests, test_write_small_trace_is_read_by_the_formats_own_tool);
    tcase_add_test(tests, test_write_overlapping_types_nests);
    tcase_add_test(tests, test_write_many_threads_needs_few_handles);
    tcase_add_test(tests, test_write_failures_leave_nothing);
    tcase_add_test(tests, test_abandon_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(otf_write_suite());
}
