#include "marking.h"
#include "prvcut/index.h"

#include "built.h"
#include "runner.h"

/* --- Forms of traces ------------------------------------------------------------------------ */

static const struct {
    const char *unit, *comms;
    uint64_t period;
} forms[] = {
    { "_ns", "", 20000 }, { "_us", "", 20000 },   { "_ms", "", 3000 },
    { "", "", 20000 },    { "_ns", ",0", 20000 },
};

START_TEST(test_mark_units_and_headers)
{
    make_by_hand("a.prv",
                 &(struct made){ 4, 40, 0, 0, forms[_i].unit, forms[_i].comms, forms[_i].period });
    check_laws("a.prv", (struct wish){ 0 });
}
END_TEST

START_TEST(test_mark_crlf_lines_end_as_the_others)
{
    struct prvcut_marking *m;

    make_by_hand("a.prv", &four);
    ck_assert(traces_shell("sed -i 's/$/\\r/' a.prv"));
    mark_well("a.prv", &(struct wish){ .out = "out.prv" }, &m);
    ck_assert(traces_shell("test $(grep -c '\r$' out.prv) -eq $(wc -l <out.prv)"));
    expect_laws("a.prv", "out.prv", m);
}
END_TEST

/* A last line that is whole all the same is left as it is. */
START_TEST(test_mark_last_line_without_end)
{
    struct prvcut_marking *m;

    make_by_hand("a.prv", &four);
    ck_assert(traces_shell("printf '1:1:1:1:1:900000:900001:0' >>a.prv"));
    check_laws("a.prv", (struct wish){ .force = true });
    ck_assert(traces_shell("tail -c 20 a.prv >tail && tail -c 20 out.prv | cmp - tail"));
    /* A run that ends within its last iteration, on lines that end as on DOS. */
    ck_assert(traces_shell("head -n 400 a.prv | sed 's/$/\\r/' >b.prv"));
    mark_well("b.prv", &(struct wish){ .out = "b.out.prv" }, &m);
    ck_assert(traces_shell("! grep -vq '\r$' b.out.prv && ! grep -q '\r\r' b.out.prv"));
    expect_laws("b.prv", "b.out.prv", m);
}
END_TEST

/* Communications are sorted by their physical send. */
START_TEST(test_mark_in_front_of_a_message_sent_later)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;
    uint64_t at;

    make_by_hand("a.prv", &four);
    mark_well("a.prv", &(struct wish){ .out = "out.prv" }, &m);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    at = marked_row_of(&rows, 1, 2, 0)->at[9];
    marked_rows_free(&rows);
    marked_free(&t);
    prvcut_marking_free(m);
    ck_assert(traces_shell(
        "awk -F: -v t=%" PRIu64 " '!done && /^[123]/ && $6 > t { done = 1; "
        "printf \"3:2:1:2:1:%%d:%%d:1:1:1:1:%%d:%%d:64:1\\n\", t - 1, t + 1, t + 9, t + 9 } 1' "
        "a.prv >b.prv",
        at));
    mark_well("b.prv", &(struct wish){ .out = "b.out.prv" }, &m);
    expect_laws("b.prv", "b.out.prv", m);
}
END_TEST

static const char *const suffixes[] = { ".gz", ".zst" };

START_TEST(test_mark_compressed_in_and_out)
{
    const char *suffix = suffixes[_i], *pack = _i == 0 ? "gzip -k" : "zstd -qk";
    struct prvcut_marking *m;
    char in[32], out[32];

    make_generated("--tasks 4 --iterations 60", "a");
    mark_well("a.prv", &(struct wish){ .out = "plain.prv" }, &m);
    prvcut_marking_free(m);
    ck_assert(traces_shell("%s a.prv", pack));
    snprintf(in, sizeof in, "a.prv%s", suffix);
    snprintf(out, sizeof out, "out.prv%s", suffix);
    mark_well(in, &(struct wish){ .out = out }, &m);
    ck_assert_str_eq(prvcut_marking_file(m, 0), out);
    ck_assert_str_eq(prvcut_marking_file(m, 1), "out.pcf");
    ck_assert(traces_shell("zstd -dqc %s | cmp - plain.prv", out));
    prvcut_marking_free(m);
    /* Beside the trace, compressed as it is. */
    mark_well(in, &(struct wish){ 0 }, &m);
    ck_assert_uint_eq(m->files, 3);
    ck_assert(traces_shell("zstd -dqc a.iterations.prv%s | cmp - plain.prv", suffix));
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_mark_any_number_of_workers_same_bytes)
{
    struct prvcut_marking *m;

    copy_sample();
    for (int threads = 1; threads <= 3; threads++) {
        char out[32];

        snprintf(out, sizeof out, "%d.prv", threads);
        mark_well("lu.S.8.prv", &(struct wish){ .out = out, .threads = threads }, &m);
        prvcut_marking_free(m);
    }
    expect_same_files("1.prv", "2.prv");
    expect_same_files("1.prv", "3.prv");
}
END_TEST

static void make_index(const char *path)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_index_options o = { .force = true };
    struct prvcut_index_result *r = NULL;
    struct prvcut_trace *t;

    error = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &error), PRVCUT_OK);
    ck_assert_msg(prvcut_index_write(t, &run, &o, &r, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_index_result_free(r);
    prvcut_trace_close(t);
}

START_TEST(test_mark_with_an_index_same_bytes)
{
    struct prvcut_marking *m;

    copy_sample();
    mark_well("lu.S.8.prv", &(struct wish){ .out = "without.prv" }, &m);
    prvcut_marking_free(m);
    make_index("lu.S.8.prv");
    mark_well("lu.S.8.prv", &(struct wish){ .out = "with.prv", .use_index = true }, &m);
    prvcut_marking_free(m);
    expect_same_files("without.prv", "with.prv");
}
END_TEST

START_TEST(test_mark_with_an_index_not_a_task_that_does_not_follow)
{
    make_by_hand("a.prv", &served);
    make_index("a.prv");
    expect_server_without_marks(&(struct wish){ .out = "out.prv", .use_index = true });
}
END_TEST

/* --- Damage --------------------------------------------------------------------------------- */

static const char *const damaged_lines[] = {
    "2:1:1:1:1:99999999999:7:x", /* a time that is not true, in a line that is not sound */
    "1:1:1:1:1:800000:900000",
    "3:1:1:1:1:800000:800000:9:9:9:9:1:1:1:1",
    "2:1:1:9:1:800000:7:7",
    "2:1:1:1:1:99999999999999999999999:7:7",
    "rubbish",
    "2:1:1:1:1:800000:7:7:8",
};

/* Lines that are skipped are copied as they stand, and no mark goes by their time. */
START_TEST(test_mark_damaged_lines_lenient_copied)
{
    struct prvcut_marking *m;
    struct marked_text t;
    struct marked_rows rows;

    make_by_hand("a.prv", &four);
    mark_well("a.prv", &(struct wish){ .out = "sound.prv" }, &m);
    prvcut_marking_free(m);
    ck_assert(traces_shell("sed '20i%s' a.prv >b.prv", damaged_lines[_i]));
    expect_refused("b.prv", &(struct wish){ .out = "out.prv" }, PRVCUT_EFORMAT, "b.prv:20:");
    mark_well("b.prv", &(struct wish){ .out = "out.prv", .lenient = true }, &m);
    t = marked_read("out.prv");
    rows = marked_collect(&t);
    marked_expect_original(&t, "b.prv");
    marked_rows_free(&rows);
    marked_free(&t);
    ck_assert(traces_shell("grep -vxF '%s' out.prv | cmp - sound.prv", damaged_lines[_i]));
    prvcut_marking_free(m);
}
END_TEST

/* --- Without marks -------------------------------------------------------------------------- */

START_TEST(test_mark_trace_without_loop_writes_nothing)
{
    struct prvcut_marking *m;

    make_generated("--tasks 4 --iterations 40 --aperiodic", "a");
    ck_assert(traces_shell("rm -f a.truth.json"));
    ck_assert_int_eq(mark("a.prv", &(struct wish){ 0 }, &m), PRVCUT_NONE);
    ck_assert_str_ne(m->structure->reason, "");
    ck_assert_uint_eq(m->marks, 0);
    ck_assert_uint_eq(m->tasks, 0);
    ck_assert_uint_eq(m->files, 0);
    ck_assert_ptr_null(m->timeline->metric);
    ck_assert_uint_eq(scratch_count(), 3);
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_mark_trace_without_records_writes_nothing)
{
    struct prvcut_marking *m;

    ck_assert(traces_shell("echo '#Paraver (01/01/2026 at 12:00):1000_ns:1(1):1:1(1:1)' >a.prv"));
    ck_assert_int_eq(mark("a.prv", &(struct wish){ 0 }, &m), PRVCUT_NONE);
    ck_assert_uint_eq(m->files, 0);
    prvcut_marking_free(m);
    ck_assert(traces_shell("printf '#Paraver (01/01/2026 at 12:00):0_ns:1(1):1:1(1:1)' >a.prv"));
    ck_assert_int_eq(mark("a.prv", &(struct wish){ 0 }, &m), PRVCUT_NONE);
    prvcut_marking_free(m);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_mark_dry_run_counts_the_same)
{
    struct prvcut_marking *wet, *dry;

    copy_sample();
    mark_well("lu.S.8.prv", &(struct wish){ .dry_run = true }, &dry);
    ck_assert_uint_eq(scratch_count(), 3);
    mark_well("lu.S.8.prv", &(struct wish){ 0 }, &wet);
    ck_assert_uint_eq(scratch_count(), 6);
    ck_assert_uint_eq(dry->marks, wet->marks);
    ck_assert_uint_eq(dry->tasks, wet->tasks);
    ck_assert_uint_eq(dry->own_tasks, wet->own_tasks);
    ck_assert_uint_eq(dry->bytes, wet->bytes);
    ck_assert_uint_eq(dry->size, 0);
    ck_assert_uint_eq(dry->files, 0);
    ck_assert_uint_gt(wet->size, wet->bytes);
    ck_assert_uint_eq(wet->files, 3);
    ck_assert_str_eq(prvcut_marking_file(wet, 0), "lu.S.8.iterations.prv");
    prvcut_marking_free(wet);
    prvcut_marking_free(dry);
}
END_TEST

static const char *const in_the_way[] = { "out.prv", "out.pcf", "out.row" };

START_TEST(test_mark_never_over_existing_file)
{
    struct prvcut_marking *m;

    if (!traces_turn(_i))
        return;
    copy_sample();
    ck_assert(traces_shell("echo mine >%s", in_the_way[_i]));
    expect_refused("lu.S.8.prv", &(struct wish){ .out = "out.prv" }, PRVCUT_EEXIST, in_the_way[_i]);
    ck_assert(traces_shell("test \"$(cat %s)\" = mine", in_the_way[_i]));
    ck_assert_uint_eq(scratch_count(), 4);
    mark_well("lu.S.8.prv", &(struct wish){ .out = "out.prv", .force = true }, &m);
    ck_assert_uint_eq(scratch_count(), 6);
    expect_laws("lu.S.8.prv", "out.prv", m);
}
END_TEST

START_TEST(test_mark_pipe_is_refused)
{
    make_by_hand("a.prv", &four);
    ck_assert(traces_shell("mkfifo pipe && (cat a.prv >pipe &)"));
    expect_refused("pipe", &(struct wish){ .out = "out.prv" }, PRVCUT_EUSAGE,
                   "a pipe can be read only once");
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

START_TEST(test_mark_into_another_format_is_refused)
{
    char path[4096];

    if (!traces_folder() || !test_reads("otf2"))
        return;
    ck_assert(traces_unpack_archive("otf2", "bt.S.4", path, sizeof path));
    expect_refused(path, &(struct wish){ .out = "out.prv" }, PRVCUT_EUSAGE,
                   "out.prv is the name of a Paraver trace, but an OTF2 archive is written");
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

static size_t stops_left;

static bool stop_then(void *ctx)
{
    (void)ctx;
    /* Several workers ask. */
    return __atomic_fetch_sub(&stops_left, 1, __ATOMIC_RELAXED) <= 1;
}

START_TEST(test_mark_interrupted_anywhere_leaves_nothing)
{
    struct prvcut_marking *m;
    enum prvcut_status st = PRVCUT_EINTERRUPTED;
    size_t interrupted = 0;

    make_generated("--tasks 8 --iterations 200", "a");
    ck_assert(traces_shell("rm -f a.truth.json"));
    for (size_t n = 1; st != PRVCUT_OK; n += 1 + n / 8) {
        stops_left = n;
        st = mark("a.prv", &(struct wish){ .out = "out.prv", .threads = 1, .stop = stop_then }, &m);
        prvcut_marking_free(m);
        if (st == PRVCUT_OK)
            break;
        ck_assert_int_eq(st, PRVCUT_EINTERRUPTED);
        ck_assert_uint_eq(scratch_count(), 3);
        interrupted++;
    }
    ck_assert_uint_gt(interrupted, 5);
    ck_assert_uint_eq(scratch_count(), 6);
}
END_TEST

/* --- Words ---------------------------------------------------------------------------------- */

START_TEST(test_mark_report_needs_no_trace)
{
    struct prvcut_marking *m;
    char *text = NULL;

    make_by_hand("a.prv", &four);
    mark_well("a.prv", &(struct wish){ .out = "out.prv" }, &m);
    ck_assert_int_eq(prvcut_marking_text(m, &text, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "Marks       164 events of type 666001 on 4 tasks, each"));
    ck_assert_ptr_nonnull(strstr(text, "Files       out.prv\n"));
    free(text);
    ck_assert_int_eq(prvcut_marking_json(m, &text, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "\"schema\": \"prvcut-mark\""));
    free(text);
    prvcut_marking_free(m);
}
END_TEST

#define LOOP(t, test, list) tcase_add_loop_test(t, test, 0, (int)(sizeof list / sizeof *list))

static Suite *mark_files_suite(void)
{
    Suite *s = suite_create("mark_files");
    TCase *t = tcase_create("mark_files");

    scratch_fixtures(t);
    tcase_set_timeout(t, 300);
    LOOP(t, test_mark_units_and_headers, forms);
    tcase_add_test(t, test_mark_crlf_lines_end_as_the_others);
    tcase_add_test(t, test_mark_last_line_without_end);
    tcase_add_test(t, test_mark_in_front_of_a_message_sent_later);
    LOOP(t, test_mark_compressed_in_and_out, suffixes);
    tcase_add_test(t, test_mark_any_number_of_workers_same_bytes);
    tcase_add_test(t, test_mark_with_an_index_same_bytes);
    tcase_add_test(t, test_mark_with_an_index_not_a_task_that_does_not_follow);
    LOOP(t, test_mark_damaged_lines_lenient_copied, damaged_lines);
    tcase_add_test(t, test_mark_trace_without_loop_writes_nothing);
    tcase_add_test(t, test_mark_trace_without_records_writes_nothing);
    tcase_add_test(t, test_mark_dry_run_counts_the_same);
    LOOP(t, test_mark_never_over_existing_file, in_the_way);
    tcase_add_test(t, test_mark_pipe_is_refused);
    tcase_add_test(t, test_mark_into_another_format_is_refused);
    tcase_add_test(t, test_mark_interrupted_anywhere_leaves_nothing);
    tcase_add_test(t, test_mark_report_needs_no_trace);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(mark_files_suite());
}
