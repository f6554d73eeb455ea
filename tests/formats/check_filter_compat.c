/* Cuts by Paraver's rules where its own cutter goes astray, and what stands around the records. */
#include "prvcut/filter.h"

#include "cutting.h"

#include "runner.h"

#define HEAD "#Paraver (20/11/2026 at 11:44):1000_ns:1(2):1:2(1:1,1:1),1\n"
#define COMM "c:1:1:2:1:2\n"

static void write_trace(const char *head, const char *body)
{
    FILE *file = fopen("x.prv", "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s%s", head, body);
    fclose(file);
}

static enum prvcut_status cut_file(const struct prvcut_cutter *rule, struct prvcut_cut_options o,
                                   struct prvcut_cut_summary **sum)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *t;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &error), PRVCUT_OK);
    o.path = "out.prv";
    o.force = true;
    o.command = "prvcut cut";
    st = prvcut_cut_as_paraver(t, &run, rule, &o, sum, &error);
    prvcut_trace_close(t);
    return st;
}

static void expect(const struct prvcut_cutter *rule, const char *want)
{
    char have[8192] = "";
    struct prvcut_cut_summary *sum;
    size_t count;
    FILE *file;

    ck_assert_int_eq(cut_file(rule, (struct prvcut_cut_options){ 0 }, &sum), PRVCUT_OK);
    prvcut_cut_summary_free(sum);
    file = fopen("out.prv", "r");
    ck_assert_ptr_nonnull(file);
    count = fread(have, 1, sizeof have - 1, file);
    have[count] = '\0';
    fclose(file);
    ck_assert_str_eq(have, want);
}

static const struct prvcut_cutter broken = {
    .by_time = true, .minimum_ns = 100, .maximum_ns = 500, .break_states = true
};

#define CUT_HEAD(end, offset)                                                                      \
    "#Paraver (20/11/2026 at 11:44):" end "_ns:1(2):1:2(1:1,1:1),1\n" COMM                         \
    "#20261120114400:CUTTER:ORIGINAL:\"x.prv\":" offset ":100:500\n#prvcut 1.0.0: prvcut cut\n"

START_TEST(test_cut_as_paraver_by_hand)
{
    write_trace(HEAD COMM "# old\n", "1:1:1:1:1:0:100:2\n"
                                     "1:2:1:2:1:0:150:1\n"
                                     "2:1:1:1:1:90:5:1\n"
                                     "1:1:1:1:1:100:600:1\n"
                                     "2:1:1:1:1:100:6:1:5:0\n"
                                     "# here\n"
                                     "3:1:1:1:1:100:120:2:1:2:1:99:130:1:1\n"
                                     "3:1:1:1:1:100:130:2:1:2:1:100:500:7:2\n"
                                     "2:2:1:2:1:500:7:3\n"
                                     "1:2:1:2:1:500:700:3\n"
                                     "1:1:1:1:1:600:1000:2\n"
                                     "# there\n");
    expect(&broken, CUT_HEAD("400", "100") "# old\n"
                                           "1:2:1:2:1:0:50:1\n"
                                           "1:1:1:1:1:0:400:1\n"
                                           "2:1:1:1:1:0:6:1:5:0\n"
                                           "# here\n"
                                           "3:1:1:1:1:0:30:2:1:2:1:0:400:7:2\n"
                                           "2:2:1:2:1:400:7:3\n"
                                           "1:2:1:2:1:400:400:3\n"
                                           "# Appending events with value 0\n"
                                           "2:1:1:1:1:400:6:0\n"
                                           "2:2:1:2:1:400:7:0\n");
}
END_TEST

/* Times are moved by the first record, and the end covers the closing zeros. */
START_TEST(test_cut_as_paraver_moves_to_first_record)
{
    write_trace(HEAD COMM, "2:1:1:1:1:150:5:-3:6:4\n2:1:1:1:1:160:6:0\n");
    expect(&broken, CUT_HEAD("350", "150") "2:1:1:1:1:0:5:-3:6:4\n"
                                           "2:1:1:1:1:10:6:0\n"
                                           "# Appending events with value 0\n"
                                           "2:1:1:1:1:350:5:0\n");
}
END_TEST

/* Sizes beyond 2^32, and records that stand out of order. */
START_TEST(test_cut_as_paraver_reads_all_of_it)
{
    write_trace(HEAD COMM, "1:1:1:1:1:600:700:1\n"
                           "3:1:1:1:1:100:130:2:1:2:1:100:500:18446744073709:-2\n"
                           "2:2:1:2:1:300:7:0\n");
    expect(&broken,
           CUT_HEAD("400",
                    "100") "3:1:1:1:1:0:30:2:1:2:1:0:400:18446744073709:-2\n2:2:1:2:1:200:7:0\n");
}
END_TEST

START_TEST(test_cut_as_paraver_of_crlf)
{
    struct prvcut_cut_summary *sum;

    write_trace("#Paraver (20/11/2026 at 11:44):1000_ns:1(2):1:2(1:1,1:1),1\r\n",
                "c:1:1:2:1:2\r\n1:1:1:1:1:0:200:1\r\n2:1:1:1:1:150:5:1\r\n");
    ck_assert_int_eq(cut_file(&broken, (struct prvcut_cut_options){ 0 }, &sum), PRVCUT_OK);
    prvcut_cut_summary_free(sum);
    ck_assert(shell("test $(grep -c '\r$' out.prv) -eq $(wc -l <out.prv)"));
}
END_TEST

static const struct prvcut_cutter senseless[] = {
    { .by_time = true, .minimum_ns = 500, .maximum_ns = 100 },
    { .by_time = true, .minimum_ns = 5000, .maximum_ns = 6000 },
    { .by_time = true, .minimum_ns = UINT64_MAX, .maximum_ns = UINT64_MAX },
    { .minimum_percent = 50, .maximum_percent = 20 },
    { .maximum_percent = 100, .tasks = "7" },
    { .maximum_percent = 100, .tasks = "x" },
};

START_TEST(test_cut_as_paraver_refuses_empty_window)
{
    struct prvcut_cut_summary *sum;

    write_trace(HEAD COMM, "1:1:1:1:1:0:200:1\n2:1:1:1:1:150:5:1\n");
    ck_assert_int_eq(cut_file(&senseless[_i], (struct prvcut_cut_options){ 0 }, &sum),
                     PRVCUT_EUSAGE);
    ck_assert(error.text[0] != '\0');
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_cut_as_paraver_names_the_damaged_line)
{
    struct prvcut_cut_summary *sum;

    write_trace(HEAD COMM, "1:1:1:1:1:0:200:1\n2:1:1:9:1:150:5:1\n");
    ck_assert_int_eq(cut_file(&broken, (struct prvcut_cut_options){ 0 }, &sum), PRVCUT_EFORMAT);
    ck_assert_uint_eq(error.line, 4);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_cut_as_paraver_counts)
{
    struct prvcut_cut_summary *sum;

    write_trace(HEAD COMM, "1:1:1:1:1:0:200:1\n2:1:1:1:1:150:5:1\n"
                           "3:1:1:1:1:150:160:2:1:2:1:90:170:1:1\n");
    ck_assert_int_eq(cut_file(&broken, (struct prvcut_cut_options){ .dry_run = true }, &sum),
                     PRVCUT_OK);
    ck_assert_uint_eq(sum->states, 1);
    ck_assert_uint_eq(sum->clipped_states, 1);
    ck_assert_uint_eq(sum->events, 2);
    ck_assert_uint_eq(sum->closed, 1);
    ck_assert_uint_eq(sum->messages, 0);
    ck_assert_uint_eq(sum->dropped_messages, 1);
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_cut_summary_free(sum);
}
END_TEST

/* A coarser unit: the window's borders go to ticks inside it. */
START_TEST(test_cut_as_paraver_in_microseconds)
{
    const struct prvcut_cutter rule = {
        .by_time = true, .minimum_ns = 99500, .maximum_ns = 500900, .break_states = true
    };

    write_trace("#Paraver (20/11/2026 at 11:44):1000:1(2):1:2(1:1,1:1),1\n" COMM,
                "1:1:1:1:1:0:600:1\n");
    expect(&rule, "#Paraver (20/11/2026 at 11:44):400:1(2):1:2(1:1,1:1),1\n" COMM
                  "#20261120114400:CUTTER:ORIGINAL:\"x.prv\":100000:100000:500000\n"
                  "#prvcut 1.0.0: prvcut cut\n1:1:1:1:1:0:400:1\n");
}
END_TEST

static Suite *compat_suite(void)
{
    Suite *s = suite_create("filter_compat");
    TCase *t = tcase_create("compat");

    scratch_fixtures(t);
    tcase_add_test(t, test_cut_as_paraver_by_hand);
    tcase_add_test(t, test_cut_as_paraver_moves_to_first_record);
    tcase_add_test(t, test_cut_as_paraver_reads_all_of_it);
    tcase_add_test(t, test_cut_as_paraver_of_crlf);
    tcase_add_loop_test(t, test_cut_as_paraver_refuses_empty_window, 0,
                        (int)(sizeof senseless / sizeof *senseless));
    tcase_add_test(t, test_cut_as_paraver_names_the_damaged_line);
    tcase_add_test(t, test_cut_as_paraver_counts);
    tcase_add_test(t, test_cut_as_paraver_in_microseconds);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(compat_suite());
}
