#include "prvcut/filter.h"

#include "cutting.h"

#include "runner.h"

#define HEAD "#Paraver (20/11/2026 at 11:44):1000_ns:1(3):1:3(1:1,1:1,1:1),1\n"
#define COMM "c:1:1:3:1:2:3\n"
#define LIST(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static const char by_hand[] = "1:1:1:1:1:0:600:1\n"
                              "1:2:1:2:1:0:100:1\n"
                              "2:1:1:1:1:50:50000001:4:70000001:9:42000050:77\n"
                              "# in between\n"
                              "1:2:1:2:1:100:900:3\n"
                              "3:2:1:2:1:120:130:1:1:1:1:50:410:64:1\n"
                              "2:2:1:2:1:150:60000001:-1:1000:5:\n"
                              "2:2:1:2:1:160:50000001:1\n"
                              "3:1:1:1:1:320:330:2:1:2:1:300:400:18446744073709:-7\n"
                              "2:1:1:1:1:420:050000001:0:42000050:5\n"
                              "2:3:1:3:1:490:50000001:1:50000001:5\n"
                              "1:3:1:3:1:500:600:3\n";

static void write_trace(const char *body)
{
    FILE *file = fopen("x.prv", "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, HEAD COMM "# before\n%s", body);
    fclose(file);
}

/* What stands behind the header of a file. */
static void expect_body(const char *path, const char *want)
{
    char have[8192] = "";
    size_t count;
    FILE *file;

    ck_assert(shell("sed '1,/^#prvcut/d' %s >body", path));
    file = fopen("body", "r");
    ck_assert_ptr_nonnull(file);
    count = fread(have, 1, sizeof have - 1, file);
    have[count] = '\0';
    fclose(file);
    ck_assert_str_eq(have, want);
}

static struct prvcut_filter_summary *summary;

static enum prvcut_status filter_file(const char *path, const struct prvcut_filter *filter,
                                      size_t filters, struct prvcut_cut_options o, bool lenient)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_open_options how = { .lenient = lenient };
    struct prvcut_trace *t;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, path, &how, &error), PRVCUT_OK);
    if (!o.path)
        o.path = "out.prv";
    o.command = "prvcut filter";
    o.filter = filter;
    o.filters = filters;
    st = prvcut_filter_trace(t, &run, &o, &summary, &error);
    prvcut_trace_close(t);
    return st;
}

static void filter_well(const char *path, const struct prvcut_filter *filter, const char *out)
{
    ck_assert_int_eq(filter_file(path, filter, 1,
                                 (struct prvcut_cut_options){ .path = out, .force = true }, false),
                     PRVCUT_OK);
    ck_assert_str_eq(error.text, "");
    prvcut_filter_summary_free(summary);
}

/* --- By hand -------------------------------------------------------------------------------- */

START_TEST(test_filter_drops_pairs_and_copies_the_rest)
{
    const struct prvcut_filter f = { .events = LIST("50000001=0/4/5", "1000"),
                                     .states = LIST("3"),
                                     .min_state_ns = 101,
                                     .min_message_bytes = 65 };

    write_trace(by_hand);
    ck_assert_int_eq(filter_file("x.prv", &f, 1, (struct prvcut_cut_options){ 0 }, false),
                     PRVCUT_OK);
    expect_body("out.prv", "2:1:1:1:1:50:50000001:4\n"
                           "# in between\n"
                           "1:2:1:2:1:100:900:3\n"
                           "2:2:1:2:1:150:1000:5\n"
                           "3:1:1:1:1:320:330:2:1:2:1:300:400:18446744073709:-7\n"
                           "2:1:1:1:1:420:050000001:0\n"
                           "2:3:1:3:1:490:50000001:5\n");
    ck_assert_uint_eq(summary->states, 1);
    ck_assert_uint_eq(summary->dropped_states, 3);
    ck_assert_uint_eq(summary->events, 4);
    ck_assert_uint_eq(summary->dropped_events, 1);
    ck_assert_uint_eq(summary->pairs, 4);
    ck_assert_uint_eq(summary->dropped_pairs, 6);
    ck_assert_uint_eq(summary->messages, 1);
    ck_assert_uint_eq(summary->dropped_messages, 1);
    ck_assert(shell("head -n 4 out.prv >head && head -n 3 x.prv | cat - /dev/fd/3 3<<'END' |"
                    " cmp - head\n#prvcut 1.0.0: prvcut filter\nEND\n"));
    prvcut_filter_summary_free(summary);
}
END_TEST

START_TEST(test_filter_keeps_messages_of_either_end)
{
    const struct prvcut_filter f = { .tasks = "1", .drop_events = true };

    write_trace("1:2:1:2:1:0:100:1\n"
                "3:2:1:2:1:120:130:1:1:1:1:50:410:64:1\n"
                "3:3:1:3:1:121:131:2:1:2:1:50:410:64:1\n"
                "3:1:1:1:1:122:132:3:1:3:1:50:410:64:1\n"
                "2:1:1:1:1:150:1000:5\n"
                "1:1:1:1:1:160:600:1\n");
    filter_well("x.prv", &f, "out.prv");
    expect_body("out.prv", "3:2:1:2:1:120:130:1:1:1:1:50:410:64:1\n"
                           "3:1:1:1:1:122:132:3:1:3:1:50:410:64:1\n"
                           "1:1:1:1:1:160:600:1\n");
}
END_TEST

START_TEST(test_filter_keeps_crlf_lines)
{
    const struct prvcut_filter f = { .events = LIST("5") };

    write_trace("2:1:1:1:1:50:5:4:6:9\n2:1:1:1:1:60:5:4\n2:1:1:1:1:60:6:4\n");
    ck_assert(shell("sed 's/$/\\r/' x.prv >y.prv"));
    filter_well("y.prv", &f, "out.prv");
    expect_body("out.prv", "2:1:1:1:1:50:5:4\r\n2:1:1:1:1:60:5:4\r\n");
    ck_assert(shell("test $(grep -c '\r$' out.prv) -eq $(wc -l <out.prv)"));
}
END_TEST

/* Names come from the labels, also those with a comma in them. */
START_TEST(test_filter_finds_names)
{
    const struct prvcut_filter f = { .states_dropped = LIST("Wait, and see"),
                                     .events = LIST("Colour, of sky=blue/3,Size") };

    write_trace("1:1:1:1:1:0:10:40\n1:1:1:1:1:10:20:41\n"
                "2:1:1:1:1:10:777:1:778:1\n2:1:1:1:1:20:777:2:777:3\n");
    ck_assert(shell("printf 'STATES\\n40 Wait, and see\\n41 See\\n\\nEVENT_TYPE\\n0 777 Colour, of "
                    "sky\\nVALUES\\n1 red\\n2 Blue\\n\\nEVENT_TYPE\\n0 778 size\\n' >x.pcf"));
    /* A comma within needs an option of its own, and no values. */
    ck_assert_int_eq(filter_file("x.prv", &f, 1, (struct prvcut_cut_options){ 0 }, false),
                     PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "'Colour' is no event type of the trace"));
    prvcut_filter_summary_free(summary);
    filter_well("x.prv",
                &(struct prvcut_filter){ .states_dropped = LIST("wait, and see"),
                                         .events = LIST("777=blue/3", "Size") },
                "out.prv");
    expect_body("out.prv", "1:1:1:1:1:10:20:41\n2:1:1:1:1:10:778:1\n"
                           "2:1:1:1:1:20:777:2:777:3\n");
    filter_well("x.prv", &(struct prvcut_filter){ .events = LIST("Colour, of sky") }, "out.prv");
    ck_assert(shell("test $(grep -c 777:2:777:3 out.prv) = 1 && ! grep -q 778 out.prv"));
}
END_TEST

/* --- What cannot be understood --------------------------------------------------------------- */

static const struct {
    struct prvcut_filter filter;
    const char *text;
} senseless[] = {
    { { .states = LIST("Nonsense") }, "'Nonsense' is no state of the trace" },
    { { .states = LIST("3,") }, "'' is no state" },
    { { .states = LIST("5-3") }, "'5-3' is no state" },
    { { .states = LIST("4294967296") }, "'4294967296' is no state" },
    { { .events = LIST("-5") }, "'-5' is no event type" },
    { { .events = LIST("5=") }, "'' is no value of event type 5" },
    { { .events = LIST("5=1/x") }, "'x' is no value of event type 5" },
    { { .events_dropped = LIST("5=99999999999999999999") }, "is no value" },
    { { .tasks = "0" }, "tasks: '0'" },
    { { .tasks = "1,,2" }, "tasks: ''" },
    { { .threads = "1" }, "threads: '1'" },
    { { .threads = "1.2.3.4" }, "threads: '1.2.3.4'" },
    { { .threads = "1.x" }, "threads: '1.x'" },
    { { .states = LIST("\033[2J") }, "'\\x1b[2J' is no state" },
};

START_TEST(test_filter_refuses_what_it_cannot_understand)
{
    write_trace(by_hand);
    ck_assert_int_eq(
        filter_file("x.prv", &senseless[_i].filter, 1, (struct prvcut_cut_options){ 0 }, false),
        PRVCUT_EUSAGE);
    ck_assert_msg(strstr(error.text, senseless[_i].text), "%s", error.text);
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_filter_summary_free(summary);
}
END_TEST

START_TEST(test_filter_notes_names_where_lenient)
{
    const struct prvcut_filter f = { .states = LIST("Nonsense", "3"), .lenient_names = true };

    write_trace(by_hand);
    ck_assert_int_eq(filter_file("x.prv", &f, 1, (struct prvcut_cut_options){ 0 }, false),
                     PRVCUT_OK);
    ck_assert_uint_eq(summary->states, 2);
    ck_assert_uint_eq(summary->notes, 1);
    ck_assert_str_eq(summary->note[0], "the trace has no state 'Nonsense'");
    prvcut_filter_summary_free(summary);
}
END_TEST

/* --- Damage --------------------------------------------------------------------------------- */

START_TEST(test_filter_names_the_damaged_line)
{
    const struct prvcut_filter f = { .tasks = "1-3" };

    write_trace("1:1:1:1:1:0:600:1\n2:1:1:1:1:50:5:x\n1:1:1:1:1:600:700:1\n");
    ck_assert_int_eq(filter_file("x.prv", &f, 1, (struct prvcut_cut_options){ 0 }, false),
                     PRVCUT_EFORMAT);
    ck_assert_uint_eq(error.line, 5);
    ck_assert_ptr_nonnull(strstr(error.text, "x.prv:5: "));
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_filter_summary_free(summary);
    ck_assert_int_eq(filter_file("x.prv", &f, 1, (struct prvcut_cut_options){ 0 }, true),
                     PRVCUT_OK);
    ck_assert_uint_eq(summary->skipped, 1);
    ck_assert_uint_eq(summary->states, 2);
    prvcut_filter_summary_free(summary);
}
END_TEST

START_TEST(test_filter_never_over_existing_file)
{
    const struct prvcut_filter f = { .drop_states = true };

    write_trace(by_hand);
    ck_assert(shell("echo mine >out.prv"));
    ck_assert_int_eq(filter_file("x.prv", &f, 1, (struct prvcut_cut_options){ 0 }, false),
                     PRVCUT_EEXIST);
    ck_assert(shell("test \"$(cat out.prv)\" = mine"));
    ck_assert_uint_eq(scratch_count(), 2);
    prvcut_filter_summary_free(summary);
}
END_TEST

static bool stop_at_once(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(test_filter_that_is_stopped_leaves_nothing)
{
    const struct prvcut_run run = { .threads = 2, .stop = stop_at_once };
    const struct prvcut_filter f = { .drop_states = true };
    const struct prvcut_cut_options o = { .path = "out.prv", .filter = &f, .filters = 1 };
    struct prvcut_trace *t;

    write_trace(by_hand);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_filter_trace(t, &run, &o, &summary, &error), PRVCUT_EINTERRUPTED);
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_filter_summary_free(summary);
    prvcut_trace_close(t);
}
END_TEST

/* --- Laws ----------------------------------------------------------------------------------- */

static const struct prvcut_filter laws[] = {
    { .drop_states = false },
    { .events = LIST("50000001-50000003"), .min_state_ns = 3000 },
    { .events_dropped = LIST("70000001-80000003"), .states_dropped = LIST("Running") },
    { .tasks = "2-3", .min_message_bytes = 100 },
};

START_TEST(test_filter_twice_is_once)
{
    generate("--seed 7");
    filter_well("g.prv", &laws[_i], "once.prv");
    filter_well("once.prv", &laws[_i], "twice.prv");
    ck_assert(shell("grep -v '^#' once.prv >a; grep -v '^#' twice.prv | cmp - a"));
    ck_assert(shell("cmp g.pcf twice.pcf && cmp g.row twice.row"));
}
END_TEST

START_TEST(test_filter_by_all_at_once_is_one_by_one)
{
    const struct prvcut_cut_options o = { .path = "all.prv", .force = true };

    generate("--seed 8");
    ck_assert_int_eq(filter_file("g.prv", laws, 4, o, false), PRVCUT_OK);
    prvcut_filter_summary_free(summary);
    filter_well("g.prv", &laws[3], "a.prv");
    filter_well("a.prv", &laws[1], "b.prv");
    filter_well("b.prv", &laws[2], "c.prv");
    ck_assert(shell("grep -v '^#' all.prv >a; grep -v '^#' c.prv | cmp - a"));
    ck_assert(shell("test $(wc -l <a) -gt 20"));
}
END_TEST

START_TEST(test_filter_of_nothing_is_identical)
{
    generate("--seed 9");
    filter_well("g.prv", &(struct prvcut_filter){ .min_state_ns = 0 }, "out.prv");
    ck_assert(shell("grep -v '^#prvcut ' out.prv | cmp - g.prv"));
}
END_TEST

START_TEST(test_filter_packs_by_suffix)
{
    generate("--seed 10");
    filter_well("g.prv", &laws[1], "plain.prv");
    filter_well("g.prv", &laws[1], "packed.prv.zst");
    filter_well("g.prv", &laws[1], "packed.prv.gz");
    ck_assert(shell("zstd -dcq packed.prv.zst | cmp - plain.prv"));
    ck_assert(shell("gzip -dc packed.prv.gz | cmp - plain.prv && cmp packed.pcf g.pcf"));
    filter_well("packed.prv.zst", &laws[1], "again.prv");
    ck_assert(shell("grep -v '^#' plain.prv >a; grep -v '^#' again.prv | cmp - a"));
}
END_TEST

/* --- While cutting -------------------------------------------------------------------------- */

START_TEST(test_cut_and_filter_is_cut_then_filter)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_span window = { 1000000, 30000000 };
    struct prvcut_cut_options o = { .path = "cut.prv", .force = true };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_trace *t;

    generate("--seed 11");
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, "g.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_cut(t, &run, &window, &o, &sum, &error), PRVCUT_OK);
    prvcut_cut_summary_free(sum);
    filter_well("cut.prv", &laws[_i], "then.prv");
    o.path = "both.prv";
    o.filter = &laws[_i];
    o.filters = 1;
    ck_assert_int_eq(prvcut_cut(t, &run, &window, &o, &sum, &error), PRVCUT_OK);
    ck_assert(shell("grep '^[1-3]:' then.prv >a; grep '^[1-3]:' both.prv | cmp - a"));
    ck_assert(shell("test $(grep -c '^1:' a) = %u -a $(grep -c '^2:' a) = %u",
                    (unsigned)sum->states, (unsigned)sum->events));
    ck_assert(shell("test $(wc -l <a) -gt 5"));
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(t);
}
END_TEST

/* A cut that may have so many bytes is the beginning of the whole one, and no larger. */
START_TEST(test_cut_by_size_is_a_shorter_cut)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_span window = { 1000000, 60000000 };
    static const uint64_t sizes[] = { 3000, 4000, 5000, 6000, 6500, 7000, 7500, 8000 };
    struct prvcut_cut_options o = { .path = "limited.prv", .force = true, .max_bytes = sizes[_i] };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_span shorter;
    struct prvcut_trace *t;

    generate("--seed 12");
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, "g.prv", NULL, &error), PRVCUT_OK);
    ck_assert_msg(prvcut_cut(t, &run, &window, &o, &sum, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_le(sum->bytes, sizes[_i]);
    ck_assert_uint_gt(sum->bytes, sizes[_i] / 2);
    shorter = sum->window;
    ck_assert_uint_eq(shorter.start, window.start);
    ck_assert_uint_lt(shorter.end, window.end);
    prvcut_cut_summary_free(sum);
    o.path = "plain.prv";
    o.max_bytes = 0;
    ck_assert_int_eq(prvcut_cut(t, &run, &shorter, &o, &sum, &error), PRVCUT_OK);
    ck_assert(shell("cmp plain.prv limited.prv"));
    prvcut_cut_summary_free(sum);
    o.max_bytes = 100;
    o.path = "tiny.prv";
    ck_assert_int_eq(prvcut_cut(t, &run, &window, &o, &sum, &error), PRVCUT_EUSAGE);
    ck_assert(shell("! test -e tiny.prv"));
    prvcut_trace_close(t);
}
END_TEST

static Suite *filter_suite(void)
{
    Suite *s = suite_create("filter");
    TCase *t = tcase_create("filter");

    scratch_fixtures(t);
    tcase_add_test(t, test_filter_drops_pairs_and_copies_the_rest);
    tcase_add_test(t, test_filter_keeps_messages_of_either_end);
    tcase_add_test(t, test_filter_keeps_crlf_lines);
    tcase_add_test(t, test_filter_finds_names);
    tcase_add_loop_test(t, test_filter_refuses_what_it_cannot_understand, 0,
                        (int)(sizeof senseless / sizeof *senseless));
    tcase_add_test(t, test_filter_notes_names_where_lenient);
    tcase_add_test(t, test_filter_names_the_damaged_line);
    tcase_add_test(t, test_filter_never_over_existing_file);
    tcase_add_test(t, test_filter_that_is_stopped_leaves_nothing);
    tcase_add_loop_test(t, test_filter_twice_is_once, 0, 4);
    tcase_add_test(t, test_filter_by_all_at_once_is_one_by_one);
    tcase_add_test(t, test_filter_of_nothing_is_identical);
    tcase_add_test(t, test_filter_packs_by_suffix);
    tcase_add_loop_test(t, test_cut_and_filter_is_cut_then_filter, 0, 4);
    tcase_add_loop_test(t, test_cut_by_size_is_a_shorter_cut, 0, 8);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(filter_suite());
}
