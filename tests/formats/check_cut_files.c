#include "api/answers.h"
#include "cutting.h"

#include "runner.h"

/* --- By hand ---------------------------------------------------------------------------------- */

#define HEAD "#Paraver (20/11/2026 at 11:44):1000_ns:1(3):1:3(1:1,1:1,1:1),1\n"
#define COMM "c:1:1:3:1:2:3\n"

static void write_trace(const char *body)
{
    FILE *file = fopen("x.prv", "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, HEAD COMM "# before\n%s", body);
    fclose(file);
}

/* What stands behind the provenance lines of the cut. */
static void expect_records(const char *want)
{
    char have[8192] = "";
    size_t count;
    FILE *file;

    ck_assert(shell("grep '^[1-3]:' cut.prv >records; true"));
    file = fopen("records", "r");
    ck_assert_ptr_nonnull(file);
    count = fread(have, 1, sizeof have - 1, file);
    have[count] = '\0';
    fclose(file);
    ck_assert_str_eq(have, want);
}

static const char by_hand[] = "1:1:1:1:1:0:600:1\n"
                              "1:2:1:2:1:0:100:1\n"
                              "1:3:1:3:1:0:1000:7\n"
                              "2:1:1:1:1:50:50000001:4:70000001:9:42000050:77\n"
                              "1:2:1:2:1:100:900:3\n"
                              "3:2:1:2:1:120:130:1:1:1:1:50:410:64:1\n"
                              "2:2:1:2:1:150:60000001:1:1000:5\n"
                              "2:2:1:2:1:160:50000001:1\n"
                              "2:2:1:2:1:170:60000001:0\n"
                              "2:3:1:3:1:200:50000002:8\n"
                              "2:3:1:3:1:210:50000002:0\n"
                              "3:1:1:1:1:320:330:2:1:2:1:300:400:18446744073709551:-7\n"
                              "2:1:1:1:1:420:50000001:0:42000050:5:42000059:6\n"
                              "2:1:1:1:1:430:1234:-9:42000050:8:42000059:9:42000000:3\n"
                              "2:2:1:2:1:450:50000001:0:999999:1\n"
                              "3:1:1:1:1:470:480:2:1:2:1:460:500:1:1\n"
                              "3:1:1:1:1:471:481:2:1:2:1:460:501:1:1\n"
                              "2:3:1:3:1:490:50000001:1:50000001:5\n"
                              "3:3:1:3:1:480:500:2:1:2:1:460:490:2:2\n"
                              "3:3:1:3:1:500:500:2:1:2:1:460:490:3:3\n"
                              "2:3:1:3:1:500:50000001:0\n"
                              "1:1:1:1:1:600:1000:1\n";

START_TEST(test_cut_by_hand_line_by_line)
{
    struct prvcut_cut_summary sum;

    write_trace(by_hand);
    sum = cut_path("x.prv", 300, 500, (struct prvcut_cut_options){ 0 });
    expect_records("1:1:1:1:1:0:200:1\n"
                   "2:1:1:1:1:0:50000001:4:70000001:9\n"
                   "1:2:1:2:1:0:200:3\n"
                   "2:2:1:2:1:0:50000001:1\n"
                   "1:3:1:3:1:0:200:7\n"
                   "3:1:1:1:1:20:30:2:1:2:1:0:100:18446744073709551:-7\n"
                   "2:1:1:1:1:120:50000001:0:42000050:0:42000059:0\n"
                   "2:1:1:1:1:130:1234:-9:42000050:8:42000059:9:42000000:0\n"
                   "2:2:1:2:1:150:50000001:0:999999:1\n"
                   "3:1:1:1:1:170:180:2:1:2:1:160:200:1:1\n"
                   "2:3:1:3:1:190:50000001:1:50000001:5\n"
                   "3:3:1:3:1:180:200:2:1:2:1:160:190:2:2\n"
                   "2:3:1:3:1:200:50000001:0\n");
    ck_assert(shell("head -n 1 cut.prv | grep -qF '#Paraver (20/11/2026 at 11:44):200_ns:1(3):'"));
    ck_assert(shell("sed -n 2p cut.prv | grep -qxF 'c:1:1:3:1:2:3'"));
    ck_assert(shell("sed -n 3p cut.prv | grep -qxF '# before'"));
    ck_assert(shell("sed -n 4p cut.prv |"
                    " grep -qxF '#20261120114400:CUTTER:ORIGINAL:\"x.prv\":300:300:500'"));
    ck_assert_uint_eq(sum.states, 3);
    ck_assert_uint_eq(sum.clipped_states, 3);
    ck_assert_uint_eq(sum.reopened, 2);
    ck_assert_uint_eq(sum.closed, 1);
    ck_assert_uint_eq(sum.zeroed_counters, 3);
    ck_assert_uint_eq(sum.messages, 3);
    ck_assert_uint_eq(sum.dropped_messages, 3);
    ck_assert_uint_eq(sum.files, 1);
    expect_sound("cut.prv", &sum, true);
    api_cut_fini(&sum);
}
END_TEST

/* What one line opened and another one opened again comes back once, where it was opened last. */
START_TEST(test_cut_reopens_each_region_once)
{
    struct prvcut_cut_summary sum;

    write_trace("2:1:1:1:1:10:50000001:4:60000001:1:70000001:9\n"
                "2:1:1:1:1:20:50000001:4:70000001:8\n"
                "2:2:1:2:1:30:50000001:4:50000001:0:60000001:2\n"
                "2:3:1:3:1:40:50000001:4\n"
                "2:3:1:3:1:50:50000001:0\n"
                "2:1:1:1:1:200:50000001:0:60000001:0\n");
    sum = cut_path("x.prv", 100, 200, (struct prvcut_cut_options){ 0 });
    expect_records("2:1:1:1:1:0:60000001:1:70000001:9\n"
                   "2:1:1:1:1:0:50000001:4:70000001:8\n"
                   "2:2:1:2:1:0:60000001:2\n"
                   "2:1:1:1:1:100:50000001:0:60000001:0\n"
                   "2:2:1:2:1:100:60000001:0\n");
    ck_assert_uint_eq(sum.reopened, 3);
    ck_assert_uint_eq(sum.closed, 2);
    api_cut_fini(&sum);
}
END_TEST

/* No record, and not even a line end: still a header, then the provenance. */
START_TEST(test_cut_header_only_is_sound)
{
    static const char *const text[] = { HEAD, "#Paraver (20/11/2026 at 11:44):1000_ns:0:1:1(1:0)" };
    struct prvcut_cut_summary sum;

    scratch_write("x.prv", text[_i], strlen(text[_i]));
    sum = cut_path("x.prv", 300, 500, (struct prvcut_cut_options){ 0 });
    expect_sound("cut.prv", &sum, true);
    ck_assert(shell("sed -n 2p cut.prv | grep -q '^#20261120114400:CUTTER:'"));
    api_cut_fini(&sum);
}
END_TEST

/* An end outside moves to the border; every time of the cut is inside. */
START_TEST(test_cut_keeps_messages_with_ends_moved)
{
    struct prvcut_cut_summary sum;

    write_trace(by_hand);
    sum = cut_path("x.prv", 300, 500, (struct prvcut_cut_options){ .keep_messages = true });
    ck_assert_uint_eq(sum.messages, 6);
    ck_assert_uint_eq(sum.kept_messages, 3);
    ck_assert_uint_eq(sum.dropped_messages, 0);
    ck_assert(shell("grep -qxF '3:2:1:2:1:0:0:1:1:1:1:0:110:64:1' cut.prv"));
    ck_assert(shell("grep -qxF '3:1:1:1:1:171:181:2:1:2:1:160:200:1:1' cut.prv"));
    expect_sound("cut.prv", &sum, true);
    api_cut_fini(&sum);
}
END_TEST

START_TEST(test_cut_keeps_messages_inside_window)
{
    uint64_t seed = 9;
    struct prvcut_trace *t;

    generate("--clog 3 --pipeline --inner 2");
    t = open_scanned("g.prv");
    for (int i = 0; i < 4; i++) {
        const uint64_t from = draw(&seed, t->end_ns);
        const struct prvcut_window w = { .from = from, .to = from + t->end_ns / 30 };
        struct prvcut_cut_summary sum, dropped;

        cut_well(t, &w, &(struct prvcut_cut_options){ .dry_run = true }, &dropped);
        cut_well(t, &w, &(struct prvcut_cut_options){ .keep_messages = true }, &sum);
        ck_assert_uint_eq(sum.kept_messages, dropped.dropped_messages);
        ck_assert_uint_eq(sum.messages, dropped.messages + dropped.dropped_messages);
        expect_sound("cut.prv", &sum, true);
        api_cut_fini(&sum);
        api_cut_fini(&dropped);
    }
    prvcut_trace_close(t);
}
END_TEST

/* --- Collectives of which only some calls are inside ------------------------------------------ */

#define ENTER(task, time) "2:" #task ":1:" #task ":1:" #time ":50000002:8:50100004:1:50100001:0\n"
#define LEAVE(task, time) "2:" #task ":1:" #task ":1:" #time ":50000002:0\n"
#define BARRIER1          ENTER(1, 100) ENTER(2, 140) ENTER(3, 190) LEAVE(3, 200) LEAVE(2, 201) LEAVE(1, 202)
#define BARRIER2          ENTER(2, 300) ENTER(1, 310) ENTER(3, 390) LEAVE(1, 400) LEAVE(2, 401) LEAVE(3, 450)
#define BARRIER3          ENTER(3, 500) ENTER(1, 550) ENTER(2, 590) LEAVE(1, 600) LEAVE(2, 601) LEAVE(3, 602)

static const struct {
    const char *what;
    uint64_t from, to, split;
} splits[] = {
    { "whole ones", 50, 700, 0 },
    { "borders between them", 250, 470, 0 },
    { "right border: two tasks have entered", 250, 560, 1 },
    { "right border: one task has entered", 250, 520, 1 },
    { "right border: all have entered", 250, 595, 0 },
    { "left border: one task has left", 401, 470, 1 },
    { "left border: two tasks have left", 420, 700, 1 },
    { "both borders", 402, 560, 2 },
    { "left border: all inside it", 395, 700, 0 },
    { "inside one, nobody has left", 392, 399, 0 },
};

START_TEST(test_count_split_collectives)
{
    struct prvcut_cut_summary sum;

    write_trace(BARRIER1 BARRIER2 BARRIER3);
    sum = cut_path("x.prv", splits[_i].from, splits[_i].to, (struct prvcut_cut_options){ 0 });
    ck_assert_msg(sum.split_collectives == splits[_i].split, "%s: %" PRIu64, splits[_i].what,
                  sum.split_collectives);
    api_cut_fini(&sum);
}
END_TEST

/* --- In and out of other files ------------------------------------------------------------------
 */

#define FROM 1100000000
#define TO   1150000000
#define BIG  "--size 4000000 --tasks 16 --iterations 100 --counters --init-ns 1000000000"

START_TEST(test_cut_packed_trace_as_plain)
{
    struct prvcut_cut_summary sum;

    generate(BIG);
    sum = cut_path("g.prv", FROM, TO, (struct prvcut_cut_options){ .path = "plain.prv" });
    ck_assert_uint_gt(sum.events, 300);
    api_cut_fini(&sum);
    ck_assert(shell("mkdir p && cp g.pcf g.row p && gzip -c g.prv >p/g.prv.gz"));
    sum = cut_path("p/g.prv.gz", FROM, TO, (struct prvcut_cut_options){ .path = "gz.prv" });
    api_cut_fini(&sum);
    ck_assert(shell("rm p/g.prv.gz && zstd -qc g.prv >p/g.prv.zst"));
    sum = cut_path("p/g.prv.zst", FROM, TO, (struct prvcut_cut_options){ .path = "zst.prv" });
    api_cut_fini(&sum);
    ck_assert(shell("for i in plain gz zst; do grep -v CUTTER $i.prv >$i.text; done &&"
                    " cmp plain.text gz.text && cmp plain.text zst.text &&"
                    " cmp gz.pcf g.pcf && cmp zst.row g.row"));
}
END_TEST

START_TEST(test_cut_into_packed_file_the_same)
{
    struct prvcut_cut_summary sum;

    generate("--counters");
    sum = cut_path("g.prv", 120000000, 200000000, (struct prvcut_cut_options){ .path = "p.prv" });
    ck_assert_uint_eq(sum.files, 3);
    ck_assert_str_eq(sum.file[0], "p.prv");
    api_cut_fini(&sum);
    sum =
        cut_path("g.prv", 120000000, 200000000, (struct prvcut_cut_options){ .path = "q.prv.gz" });
    ck_assert_str_eq(sum.file[0], "q.prv.gz");
    api_cut_fini(&sum);
    sum =
        cut_path("g.prv", 120000000, 200000000, (struct prvcut_cut_options){ .path = "r.prv.zst" });
    api_cut_fini(&sum);
    ck_assert(shell("gzip -dc q.prv.gz | cmp - p.prv && zstd -dqc r.prv.zst | cmp - p.prv"));
    ck_assert(shell("for i in p q r; do cmp $i.pcf g.pcf && cmp $i.row g.row || exit 1; done"));
}
END_TEST

/* What is cut out of a cut is what would have been cut out of the original. */
START_TEST(test_cut_of_cut_as_of_original)
{
    struct prvcut_cut_summary sum;

    generate("--counters --inner 3 --threads-per-task 2");
    sum = cut_path("g.prv", 150000000, 350000000, (struct prvcut_cut_options){ .path = "a.prv" });
    api_cut_fini(&sum);
    sum = cut_path("a.prv", 33333333, 77777777, (struct prvcut_cut_options){ .path = "b.prv" });
    api_cut_fini(&sum);
    sum = cut_path("g.prv", 183333333, 227777777, (struct prvcut_cut_options){ .path = "c.prv" });
    api_cut_fini(&sum);
    ck_assert(shell("for i in b c; do grep '^[123]:' $i.prv | LC_ALL=C sort >$i.text; done;"
                    " cmp b.text c.text && test -s b.text"));
    ck_assert(shell("test $(grep -c CUTTER b.prv) = 2 && test $(grep -c CUTTER c.prv) = 1"));
}
END_TEST

/* --- What goes wrong leaves nothing behind ------------------------------------------------------
 */

static void expect_refused(struct prvcut_trace *t, const struct prvcut_cut_options *o,
                           enum prvcut_status status)
{
    const struct prvcut_window w = { .from = 120000000, .to = 150000000 };
    const size_t before = scratch_count();
    struct prvcut_cut_summary sum;

    ck_assert_int_eq(cut_trace(t, &w, o, &sum), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_str_ne(error.text, "");
    ck_assert_uint_eq(scratch_count(), before);
    api_cut_fini(&sum);
}

START_TEST(test_cut_never_over_existing_file)
{
    static const char *const name[] = { "cut.prv", "cut.pcf", "cut.row" };
    struct prvcut_cut_summary sum;
    struct prvcut_trace *t;

    generate("");
    t = open_scanned("g.prv");
    scratch_write(name[_i], "mine", 4);
    expect_refused(t, &(struct prvcut_cut_options){ 0 }, PRVCUT_EEXIST);
    ck_assert_ptr_nonnull(strstr(error.text, name[_i]));
    scratch_expect(name[_i], "mine", 4);
    cut_well(t, &(struct prvcut_window){ .from = 120000000, .to = 150000000 },
             &(struct prvcut_cut_options){ 0 }, &sum);
    ck_assert(shell("cmp cut.pcf g.pcf && cmp cut.row g.row"));
    expect_sound("cut.prv", &sum, true);
    api_cut_fini(&sum);
    prvcut_trace_close(t);
}
END_TEST

static bool cut_into_locked_folder(void)
{
    const struct prvcut_window w = { .from = 120000000, .to = 150000000 };
    const struct prvcut_cut_options o = { .path = "locked/cut.prv" };
    struct prvcut_trace *t = open_scanned("g.prv");
    struct prvcut_cut_summary sum;
    const bool refused = cut_trace(t, &w, &o, &sum) == PRVCUT_EIO && error.text[0] != '\0';

    prvcut_trace_close(t);
    return refused;
}

START_TEST(test_cut_into_unwritable_place_leaves_nothing)
{
    struct prvcut_trace *t;

    generate("");
    t = open_scanned("g.prv");
    expect_refused(t, &(struct prvcut_cut_options){ .path = "nowhere/cut.prv" }, PRVCUT_EIO);
    ck_assert_int_eq(mkdir("cut.prv", 0755), 0);
    expect_refused(t, &(struct prvcut_cut_options){ .force = true }, PRVCUT_EUSAGE);
    prvcut_trace_close(t);
    ck_assert_int_eq(mkdir("locked", 0555), 0);
    ck_assert_int_eq(chmod("g.prv", 0644), 0);
    ck_assert(scratch_as_nobody(cut_into_locked_folder));
    ck_assert_int_eq(rmdir("locked"), 0);
}
END_TEST

static bool stop_at_once(void *ctx)
{
    (void)ctx;
    return true;
}

START_TEST(test_cut_that_is_stopped_leaves_nothing)
{
    const struct prvcut_window w = { .from = 120000000, .to = 150000000 };
    const struct prvcut_run run = { .threads = 2, .stop = stop_at_once };
    const struct prvcut_cut_options o = { .path = "cut.prv" };
    struct prvcut_cut_summary sum = { 0 };
    struct prvcut_trace *t;
    size_t before;

    generate("");
    t = open_scanned("g.prv");
    before = scratch_count();
    ck_assert_int_eq(t->reader->cut(t, &run, &(struct prvcut_subtrace){ &w, &o, &sum }, 1, &error),
                     PRVCUT_EINTERRUPTED);
    ck_assert_uint_eq(scratch_count(), before);
    prvcut_trace_close(t);
}
END_TEST

/* Truncated between scan and cut: an error, no cut of what is left. */
START_TEST(test_cut_of_changed_file_is_refused)
{
    struct prvcut_trace *t;

    generate("--size 3000000 --iterations 100");
    t = open_scanned("g.prv");
    ck_assert_int_eq(truncate("g.prv", _i == 0 ? 100000 : 1500), 0);
    expect_refused(t, &(struct prvcut_cut_options){ 0 }, PRVCUT_EFORMAT);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_cut_by_hand_refuses_senseless_window)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_cut_options o = { .path = "cut.prv" };
    const struct prvcut_span empty = { 100, 100 }, late = { 1000, 2000 };
    struct prvcut_cut_summary *sum;
    struct prvcut_trace *t;

    write_trace(by_hand);
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_cut(t, &run, &empty, &o, &sum, &error), PRVCUT_EUSAGE);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_cut(t, &run, &late, &o, &sum, &error), PRVCUT_EUSAGE);
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_trace_close(t);
}
END_TEST

static Suite *cut_files_suite(void)
{
    Suite *s = suite_create("cut_files");
    TCase *t = tcase_create("cut_files");

    scratch_fixtures(t);
    tcase_add_test(t, test_cut_by_hand_line_by_line);
    tcase_add_test(t, test_cut_reopens_each_region_once);
    tcase_add_loop_test(t, test_cut_header_only_is_sound, 0, 2);
    tcase_add_test(t, test_cut_keeps_messages_with_ends_moved);
    tcase_add_test(t, test_cut_keeps_messages_inside_window);
    tcase_add_loop_test(t, test_count_split_collectives, 0, COUNT_OF(splits));
    tcase_add_test(t, test_cut_packed_trace_as_plain);
    tcase_add_test(t, test_cut_into_packed_file_the_same);
    tcase_add_test(t, test_cut_of_cut_as_of_original);
    tcase_add_loop_test(t, test_cut_never_over_existing_file, 0, 3);
    tcase_add_test(t, test_cut_into_unwritable_place_leaves_nothing);
    tcase_add_test(t, test_cut_that_is_stopped_leaves_nothing);
    tcase_add_loop_test(t, test_cut_of_changed_file_is_refused, 0, 2);
    tcase_add_test(t, test_cut_by_hand_refuses_senseless_window);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(cut_files_suite());
}
