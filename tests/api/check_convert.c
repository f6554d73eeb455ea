#include "prvcut/convert.h"

#include "model/formats.h"
#include "tests/api/tally.h"
#include "tests/base/scratch.h"

#include "built.h"
#include "runner.h"
#include "sound.h"
#include "traces.h"

/* Real traces, of every kind that there is. */
static const char *const paraver_traces[] = {
    "lu.S.4", "bt.W.4.hwc",   "lu.S.8.flush", "comd.8.ctl",      "lulesh.8.omp",
    "hpcc.4", "sp.W.9.burst", "mg.W.8",       "cg.W.4.sampling", "lu.A.2.preempt",
};
static const char *const otf2_traces[] = {
    "lu.S.4",
    "bt.S.4",
    "cg.S.16",
    "comd.4",
    "lulesh.8",
    "mpikinds.4",
    "pth.4t",
    "mpipth.4",
    "scorep-ping-pong-otf2",
    "scorep-ping-pong-otf2-papi",
};

static struct prvcut_error error;

static enum prvcut_status try_convert(const char *from, const struct prvcut_convert_options *o,
                                      int threads, struct prvcut_convert_summary **sum)
{
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, from, NULL, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_convert(trace, &run, o, sum, &error);
    prvcut_trace_close(trace);
    ck_assert(st >= 0 || (error.status == st && error.text[0] != '\0'));
    return st;
}

static struct prvcut_convert_summary *convert(const char *from, const char *to)
{
    const struct prvcut_convert_options o = { .path = to };
    struct prvcut_convert_summary *sum;

    ck_assert_msg(try_convert(from, &o, 2, &sum) == PRVCUT_OK, "%s: %s", from, error.text);
    return sum;
}

static void generate(const char *options)
{
    char command[4096];

    snprintf(command, sizeof command, "%s %s g", PRVGEN, options);
    ck_assert_int_eq(system(command), 0);
}

/* Every record of every kind, in time, place and value. */
START_TEST(test_convert_paraver_to_paraver_keeps_all)
{
    const char *name = paraver_traces[_i];
    struct prvcut_convert_summary *sum;
    struct tally before, after;
    char path[4096];

    if (!traces_wanted("paraver", name) || !traces_unpack(name, path, sizeof path))
        return;
    sum = convert(path, "again.prv");
    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        ck_assert_uint_eq(prvcut_convert_summary_lost(sum, i), 0);
    ck_assert_mem_eq(&sum->read, &sum->written, sizeof sum->read);
    ck_assert_uint_eq(sum->files, 3);
    ck_assert_str_eq(sum->file[0], "again.prv");
    prvcut_convert_summary_free(sum);
    before = tally_read(path, false);
    after = tally_read("again.prv", false);
    tally_expect_same(&before, &after, 0, name);
    ck_assert(sound_as("again.prv", path));
}
END_TEST

/* The names are the same after any number of conversions. */
START_TEST(test_convert_paraver_to_paraver_keeps_names)
{
    char path[4096];
    struct prvcut_convert_summary *sum;

    if (!traces_wanted("paraver", paraver_traces[_i]) ||
        !traces_unpack(paraver_traces[_i], path, sizeof path))
        return;
    sum = convert(path, "one.prv");
    prvcut_convert_summary_free(sum);
    sum = convert("one.prv", "two.prv");
    prvcut_convert_summary_free(sum);
    ck_assert_int_eq(system("cmp one.pcf two.pcf && cmp one.row two.row"), 0);
    /* All labels of the original stand in it, and no others. */
    ck_assert(traces_shell("for f in '%.*s.pcf' one.pcf; do"
                           " awk '/^EVENT_TYPE/ {on = 1; next} /^VALUES|^GRADIENT/ {on = 0}"
                           " on && NF > 2 {$1 = \"\"; print}' \"$f\" | sort -u >$(basename $f).l;"
                           " done; cmp one.pcf.l %s.pcf.l",
                           (int)(strlen(path) - 4), path, paraver_traces[_i]));
}
END_TEST

/* From Paraver to OTF2 and back: calls, counters and messages in time, place and value. */
START_TEST(test_convert_paraver_over_otf2_keeps_all)
{
    const char *name = paraver_traces[_i];
    struct prvcut_convert_summary *sum;
    struct tally before, after;
    char path[4096];

    if (!test_writes("otf2") || !traces_wanted("paraver", name) ||
        !traces_unpack(name, path, sizeof path))
        return;
    sum = convert(path, "over.otf2");
    prvcut_convert_summary_free(sum);
    sum = convert("over.otf2", "back.prv");
    prvcut_convert_summary_free(sum);
    before = tally_read(path, false);
    after = tally_read("back.prv", false);
    tally_expect_same(&before, &after, 0, name);
}
END_TEST

START_TEST(test_convert_otf2_over_paraver_keeps_all)
{
    const char *name = otf2_traces[_i];
    struct prvcut_convert_summary *sum;
    struct tally before, after;
    char path[4096];

    if (!test_writes("otf2") || !traces_unpack_archive("otf2", name, path, sizeof path))
        return;
    sum = convert(path, "over.prv");
    /* A half message is nothing that Paraver has. */
    const uint32_t ends = sum->unmatched > 0 ? 3u << TALLY_SENDS : 0;

    ck_assert_uint_eq(sum->read.sends + sum->read.receives,
                      2 * sum->written.messages + sum->unmatched);
    prvcut_convert_summary_free(sum);
    sum = convert("over.prv", "back.otf2");
    prvcut_convert_summary_free(sum);
    before = tally_read(path, false);
    after = tally_read("back.otf2", false);
    tally_expect_same(&before, &after, ends, name);
}
END_TEST

/* Also the ends of messages without another one, and the states that regions tell. */
START_TEST(test_convert_otf2_to_otf2_keeps_all)
{
    const char *name = otf2_traces[_i];
    struct prvcut_convert_summary *sum;
    struct tally before, after;
    char path[4096];

    if (!test_writes("otf2") || !traces_unpack_archive("otf2", name, path, sizeof path))
        return;
    sum = convert(path, "again.otf2");
    /* An end whose partner the original does not name cannot be written. */
    const uint32_t ends =
        prvcut_convert_summary_lost(sum, PRVCUT_CARRY_MESSAGES) > 0 ? 3u << TALLY_SENDS : 0;

    ck_assert_uint_eq(sum->unmatched, 0);
    ck_assert_mem_eq(&sum->read, &sum->written, sizeof sum->read);
    prvcut_convert_summary_free(sum);
    before = tally_read(path, false);
    after = tally_read("again.otf2", false);
    tally_expect_same(&before, &after, ends, name);
}
END_TEST

/* A part of a trace is the same part in every format, by thread as by time. */
START_TEST(test_convert_part_over_otf2_keeps_all)
{
    struct prvcut_convert_options o = { .path = "part.prv",
                                        .only = { 200000000, 300000000 },
                                        .tasks = "1,3-4" };
    struct prvcut_convert_summary *sum;
    struct tally direct, over;

    if (!test_writes("otf2"))
        return;
    generate("--iterations 20 --tasks 4 --threads-per-task 2 --counters --flush-every 200");
    ck_assert_int_eq(try_convert("g.prv", &o, 2, &sum), PRVCUT_OK);
    prvcut_convert_summary_free(sum);
    o.path = "part.otf2";
    ck_assert_int_eq(try_convert("g.prv", &o, 2, &sum), PRVCUT_OK);
    prvcut_convert_summary_free(sum);
    sum = convert("part.otf2", "over.prv");
    prvcut_convert_summary_free(sum);
    direct = tally_read("part.prv", false);
    over = tally_read("over.prv", false);
    tally_expect_same(&direct, &over, 0, "part");
    ck_assert_uint_gt(direct.kind[TALLY_MESSAGES].count, 0);
    ck_assert(sound_as("over.prv", "g.prv"));
}
END_TEST

/* In a hundredth of the memory, and by any number of workers: the same bytes. */
START_TEST(test_convert_generated_trace_is_the_same_in_little_memory)
{
    struct prvcut_convert_summary *sum;
    struct prvcut_convert_options o = { .path = "a.prv" };

    generate("--size 12000000 --counters --tasks 6 --threads-per-task 2");
    ck_assert_int_eq(try_convert("g.prv", &o, 1, &sum), PRVCUT_OK);
    prvcut_convert_summary_free(sum);
    o = (struct prvcut_convert_options){ .path = "b.prv", .memory = (size_t)256 << 10 };
    ck_assert_int_eq(try_convert("g.prv", &o, 3, &sum), PRVCUT_OK);
    prvcut_convert_summary_free(sum);
    ck_assert_int_eq(system("cmp a.prv b.prv && cmp a.pcf b.pcf && cmp a.row b.row"), 0);
    /* Nothing is left of what did not fit into memory. */
    ck_assert_int_eq(system("test $(ls -A | wc -l) = 10"), 0);
}
END_TEST

/* Compressed by suffix; the companions are plain. */
START_TEST(test_convert_compresses_by_suffix)
{
    struct prvcut_convert_summary *sum;

    generate("--iterations 5 --tasks 4");
    sum = convert("g.prv", "a.prv.zst");
    ck_assert_str_eq(sum->file[0], "a.prv.zst");
    ck_assert_str_eq(sum->file[1], "a.pcf");
    prvcut_convert_summary_free(sum);
    sum = convert("a.prv.zst", "b.prv.gz");
    prvcut_convert_summary_free(sum);
    sum = convert("b.prv.gz", "c.prv");
    prvcut_convert_summary_free(sum);
    ck_assert_int_eq(system("zstd -dcq a.prv.zst | grep '^[123c]:' >1; gzip -dc b.prv.gz |"
                            " grep '^[123c]:' >2; grep '^[123c]:' c.prv >3; cmp 1 2 && cmp 2 3"),
                     0);
}
END_TEST

/* Several frames' worth of text: the bytes are the same however many threads compress them. */
START_TEST(test_convert_compressed_is_the_same_for_any_threads)
{
    static const char *const suffix[] = { "prv.zst", "paje.zst", "json.zst" };
    static const int threads[] = { 1, 2, 5 };
    char path[3][32], command[256];

    generate("--iterations 200 --tasks 8");
    for (unsigned i = 0; i < 3; i++) {
        struct prvcut_convert_options o = { .path = path[i] };
        struct prvcut_convert_summary *sum;

        snprintf(path[i], sizeof path[i], "t%d.%s", threads[i], suffix[_i]);
        ck_assert_msg(try_convert("g.prv", &o, threads[i], &sum) == PRVCUT_OK, "%s", error.text);
        prvcut_convert_summary_free(sum);
    }
    snprintf(command, sizeof command,
             "cmp %s %s && cmp %s %s && test $(zstd -dcq %s | wc -c) -gt 4200000", path[0], path[1],
             path[0], path[2], path[0]);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

/* Converted in two parts, each message and event is in one of them. */
START_TEST(test_convert_windows_cover_all)
{
    struct prvcut_convert_summary *whole, *first, *second;
    struct prvcut_convert_options o = { .path = "w.prv" };

    generate("--iterations 20 --tasks 4 --counters");
    whole = convert("g.prv", "w.prv");
    o.path = "a.prv";
    o.only = (struct prvcut_span){ 0, 250000000 };
    ck_assert_int_eq(try_convert("g.prv", &o, 2, &first), PRVCUT_OK);
    o.path = "b.prv";
    o.only = (struct prvcut_span){ 250000000, UINT64_MAX };
    ck_assert_int_eq(try_convert("g.prv", &o, 2, &second), PRVCUT_OK);
    ck_assert_uint_gt(first->written.events, 0);
    ck_assert_uint_gt(second->written.events, 0);
    ck_assert_uint_eq(first->written.events + second->written.events, whole->written.events);
    ck_assert_uint_eq(first->written.counters + second->written.counters, whole->written.counters);
    ck_assert_uint_eq(first->written.messages + second->written.messages +
                          prvcut_convert_summary_lost(first, PRVCUT_CARRY_MESSAGES),
                      whole->written.messages);
    ck_assert(sound_as("a.prv", "g.prv"));
    ck_assert(sound_as("b.prv", "g.prv"));
    prvcut_convert_summary_free(whole);
    prvcut_convert_summary_free(first);
    prvcut_convert_summary_free(second);
}
END_TEST

/* What the window of a conversion holds is what a cut there holds: states and messages. */
START_TEST(test_convert_window_agrees_with_cut)
{
    struct prvcut_convert_options o = { .path = "a.prv", .only = { 200000000, 300000000 } };
    const struct prvcut_cut_options cut = { .path = "b.prv" };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_convert_summary *sum;
    struct prvcut_cut_summary *cut_sum = NULL;
    struct prvcut_trace *trace;

    generate("--iterations 20 --tasks 4 --counters --callers 0");
    ck_assert_int_eq(try_convert("g.prv", &o, 1, &sum), PRVCUT_OK);
    ck_assert_int_eq(prvcut_trace_open(&trace, "g.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_cut(trace, &run, &o.only, &cut, &cut_sum, &error), PRVCUT_OK);
    prvcut_trace_close(trace);
    ck_assert_int_eq(system("for f in a b; do grep '^[13]:' $f.prv | LC_ALL=C sort >$f; done;"
                            "cmp a b"),
                     0);
    prvcut_convert_summary_free(sum);
    prvcut_cut_summary_free(cut_sum);
}
END_TEST

static const struct {
    struct prvcut_convert_options options;
    enum prvcut_status status;
    const char *words;
} misuses[] = {
    { { .path = "out.txt" }, PRVCUT_EUSAGE, "unknown suffix" },
    { { .path = "out.vcd" }, PRVCUT_EUSAGE, "unknown suffix" },
    { { .path = "out" }, PRVCUT_EUSAGE, "paraver" },
    { { .path = "out.prv", .format = "tau" }, PRVCUT_EUSAGE, "'tau'" },
    { { .path = "out.prv", .only = { 5, 5 } }, PRVCUT_EUSAGE, "empty" },
    { { .path = "out.prv", .only = { UINT64_C(1) << 50, UINT64_C(1) << 51 } },
      PRVCUT_EUSAGE,
      "begins at" },
    { { .path = "out.prv", .tasks = "5" }, PRVCUT_EUSAGE, "no task 5" },
    { { .path = "g.prv", .force = true }, PRVCUT_EUSAGE, "it is the trace that is read" },
    { { .path = "here.prv" }, PRVCUT_EEXIST, "exists" },
    { { .path = "no/such/out.prv" }, PRVCUT_EIO, "no/such" },
};

START_TEST(test_convert_misused_leaves_nothing)
{
    struct prvcut_convert_summary *sum;

    generate("--iterations 3 --tasks 2");
    scratch_write("here.prv", "mine", 4);
    ck_assert_int_eq(try_convert("g.prv", &misuses[_i].options, 1, &sum), misuses[_i].status);
    ck_assert_msg(strstr(error.text, misuses[_i].words) != NULL, "%s", error.text);
    prvcut_convert_summary_free(sum);
    ck_assert_uint_eq(scratch_count(), 5);
    scratch_expect("here.prv", "mine", 4);
}
END_TEST

START_TEST(test_convert_replaces_only_by_force)
{
    struct prvcut_convert_options o = { .path = "here.prv", .force = true };
    struct prvcut_convert_summary *sum;

    generate("--iterations 3 --tasks 2");
    scratch_write("here.prv", "mine", 4);
    ck_assert_int_eq(try_convert("g.prv", &o, 1, &sum), PRVCUT_OK);
    prvcut_convert_summary_free(sum);
    ck_assert(sound_as("here.prv", "g.prv"));
}
END_TEST

/* A trace cut short in its last line: what was begun is taken back. */
START_TEST(test_convert_damaged_trace_leaves_nothing)
{
    const struct prvcut_convert_options o = { .path = "out.prv" };
    struct prvcut_convert_summary *sum;

    generate("--iterations 3 --tasks 2");
    ck_assert_int_eq(system("{ cat g.prv; printf 1:1:1:; } >short.prv"), 0);
    ck_assert_int_eq(try_convert("short.prv", &o, 2, &sum), PRVCUT_EFORMAT);
    prvcut_convert_summary_free(sum);
    ck_assert_uint_eq(scratch_count(), 5);
}
END_TEST

/* The .pcf is read again for the colours of states: what cannot be read then is no empty file. */
START_TEST(test_convert_fails_where_labels_cannot_be_read)
{
    static const char *const labels[] = { "g.pcf", "g.row" };
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_convert_options o = { .path = "out.paje" };
    struct prvcut_convert_summary *sum;
    struct prvcut_trace *trace;

    generate("--iterations 3 --tasks 2");
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&trace, "g.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(unlink(labels[_i]), 0);
    ck_assert_int_eq(mkdir(labels[_i], 0755), 0);
    ck_assert_int_eq(prvcut_convert(trace, &run, &o, &sum, &error), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(error.text, labels[_i]));
    ck_assert_ptr_nonnull(strstr(error.text, "is a folder"));
    ck_assert_int_ne(access("out.paje", F_OK), 0);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
}
END_TEST

START_TEST(test_tell_losses_of_conversion)
{
    const struct prvcut_convert_options same = { .path = "out.prv" };
    const struct prvcut_convert_options unknown = { .path = "out" };
    struct prvcut_trace *trace;
    char *text;

    generate("--iterations 3 --tasks 2");
    ck_assert_int_eq(prvcut_trace_open(&trace, "g.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_convert_losses(trace, &same, &text, &error), PRVCUT_OK);
    ck_assert_str_eq(text, "");
    free(text);
    ck_assert_int_eq(prvcut_convert_losses(trace, &unknown, &text, &error), PRVCUT_EUSAGE);
    ck_assert_ptr_null(text);
    if (test_writes("otf")) {
        const struct prvcut_convert_options otf = { .path = "out.otf" };

        ck_assert_int_eq(prvcut_convert_losses(trace, &otf, &text, &error), PRVCUT_OK);
        ck_assert_ptr_nonnull(strstr(text, "otf cannot hold"));
        free(text);
    }
    prvcut_trace_close(trace);
}
END_TEST

START_TEST(test_list_formats)
{
    char *text;

    ck_assert_int_eq(prvcut_formats_text(&text, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "paraver   yes   yes   yes"));
    free(text);
    ck_assert_int_eq(prvcut_formats_json(&text, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "\"prvcut-formats\""));
    free(text);
}
END_TEST

START_TEST(test_report_conversion)
{
    struct prvcut_convert_summary *sum;
    char *text;

    generate("--iterations 3 --tasks 2");
    sum = convert("g.prv", "a.prv");
    ((struct made_convert_summary *)sum)->lost[PRVCUT_CARRY_COLOURS] = 1234;
    sum->unmatched = 5;
    sum->read.sends = sum->read.receives = 9;
    ck_assert_int_eq(prvcut_convert_summary_text(sum, &text, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "paraver to paraver\n"));
    ck_assert_ptr_nonnull(strstr(text, "Lost        1,234 colours of states,\n"
                                       "            5 sends or receives without"));
    ck_assert_ptr_nonnull(strstr(text, "a.row\n"));
    free(text);
    ck_assert_int_eq(prvcut_convert_summary_json(sum, &text, &error), PRVCUT_OK);
    ck_assert_ptr_nonnull(strstr(text, "\"colours\": 1234"));
    free(text);
    prvcut_convert_summary_free(sum);
}
END_TEST

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof *(table)))

static Suite *convert_suite(void)
{
    Suite *suite = suite_create("convert");
    TCase *tests = tcase_create("convert");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_convert_paraver_to_paraver_keeps_all, 0,
                        COUNT_OF(paraver_traces));
    tcase_add_loop_test(tests, test_convert_paraver_to_paraver_keeps_names, 0,
                        COUNT_OF(paraver_traces));
    tcase_add_loop_test(tests, test_convert_paraver_over_otf2_keeps_all, 0,
                        COUNT_OF(paraver_traces));
    tcase_add_loop_test(tests, test_convert_otf2_over_paraver_keeps_all, 0, COUNT_OF(otf2_traces));
    tcase_add_loop_test(tests, test_convert_otf2_to_otf2_keeps_all, 0, COUNT_OF(otf2_traces));
    tcase_add_test(tests, test_convert_part_over_otf2_keeps_all);
    tcase_add_test(tests, test_convert_generated_trace_is_the_same_in_little_memory);
    tcase_add_test(tests, test_convert_compresses_by_suffix);
    tcase_add_loop_test(tests, test_convert_compressed_is_the_same_for_any_threads, 0, 3);
    tcase_add_test(tests, test_convert_windows_cover_all);
    tcase_add_test(tests, test_convert_window_agrees_with_cut);
    tcase_add_loop_test(tests, test_convert_misused_leaves_nothing, 0, COUNT_OF(misuses));
    tcase_add_test(tests, test_convert_replaces_only_by_force);
    tcase_add_test(tests, test_convert_damaged_trace_leaves_nothing);
    tcase_add_loop_test(tests, test_convert_fails_where_labels_cannot_be_read, 0, 2);
    tcase_add_test(tests, test_tell_losses_of_conversion);
    tcase_add_test(tests, test_list_formats);
    tcase_add_test(tests, test_report_conversion);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(convert_suite());
}
