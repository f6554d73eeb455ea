/* A window of a converted trace, converted back, is the same window of the original. */
#include "prvcut/convert.h"
#include "prvcut/cut.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prvcut_error error;

/* Removed by the runner, so that a test that fails leaves nothing behind, either. */
static char all_folders[200], folder[256];

static void make_all(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(all_folders, sizeof all_folders, "%s/prvcut-window.XXXXXX",
             base && *base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(all_folders));
}

static void remove_all(void)
{
    ck_assert(traces_shell("rm -rf '%s'", all_folders));
}

static void make_one(void)
{
    snprintf(folder, sizeof folder, "%s/XXXXXX", all_folders);
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

/* --- Making them ---------------------------------------------------------------------------- */

static struct prvcut_trace *open_trace(const char *path)
{
    struct prvcut_trace *trace;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return trace;
}

static void convert(const char *from, const char *to)
{
    const struct prvcut_convert_options options = { .path = to };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_trace *trace = open_trace(from);
    const enum prvcut_status st = prvcut_convert(trace, &run, &options, &sum, &error);

    ck_assert_msg(st == PRVCUT_OK, "%s: %s", to, error.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
}

static void cut(const char *from, const char *to, const struct prvcut_span *window)
{
    const struct prvcut_cut_options options = { .path = to };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_trace *trace = open_trace(from);
    const enum prvcut_status st = prvcut_cut(trace, &run, window, &options, &sum, &error);

    ck_assert_msg(st == PRVCUT_OK, "%s: %s", to, error.text);
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(trace);
}

static uint64_t length_of(const char *path)
{
    struct prvcut_trace *trace = open_trace(path);
    const uint64_t end = trace->end_ns;

    prvcut_trace_close(trace);
    return end;
}

/* --- Comparing them ------------------------------------------------------------------------- */

/*
 * What a window holds, one line each, sorted: the total time of each thread and state, the events
 * and the messages between its borders (a receive posted before them is posted at the first moment
 * inside). Processors are left out: not all formats tell them; and so is the first value of each
 * thread's counters, which counts from before the window: a cut of a .prv has 0 there.
 */
static void tell(const char *prv, uint64_t length, const char *out)
{
    ck_assert(traces_shell(
        "LC_ALL=C awk -F: -v length_ns=%" PRIu64 " '"
        "function inside(t) { return t > 1 && t < length_ns }"
        "function first(i) { return $i >= 42000000 && $i < 43000000 && !seen[$3, $4, $5, $i]++ }"
        "$1 == \"1\" { total[$3 \":\" $4 \":\" $5 \" state \" $8] += $7 - $6 }"
        "$1 == \"2\" && inside($6) { for (i = 7; i < NF; i += 2) if (!first(i))"
        " print $3 \":\" $4 \":\" $5 \" at \" $6 \" event \" $i \":\" $(i + 1) }"
        "$1 == \"3\" && inside($6) && inside($7) && inside($12) && inside($13) {"
        " print $3 \":\" $4 \":\" $5 \" to \" $9 \":\" $10 \":\" $11, $6, $7, $12, $13, $14, $15 }"
        "END { for (k in total) if (total[k] > 0) printf \"%%s %%.0f\\n\", k, total[k] }"
        "' '%s' | LC_ALL=C sort >'%s'",
        length, prv, out));
}

#define KINDS 3

static const char *const kinds[KINDS] = { " state ", " event ", " to " };

static uint64_t lines_like(const char *path, const char *pattern)
{
    char command[600];
    uint64_t count = 0;
    FILE *f;

    snprintf(command, sizeof command, "grep -c '%s' '%s'", pattern, path);
    f = popen(command, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%" SCNu64, &count), 1);
    pclose(f);
    return count;
}

/* The paths of one comparison. */
struct paths {
    char archive[300], cut_archive[300], back[300], direct[300];
    char want[300], have[300];
};

static void assert_same_window(const char *path, const struct prvcut_span *window,
                               uint64_t *compared)
{
    static unsigned number;
    const uint64_t length = window->end - window->start;
    struct paths p;

    number++;
    snprintf(p.archive, sizeof p.archive, "%s/whole.otf2", folder);
    snprintf(p.cut_archive, sizeof p.cut_archive, "%s/cut%u.otf2", folder, number);
    snprintf(p.back, sizeof p.back, "%s/back%u.prv", folder, number);
    snprintf(p.direct, sizeof p.direct, "%s/direct%u.prv", folder, number);
    snprintf(p.want, sizeof p.want, "%s/want", folder);
    snprintf(p.have, sizeof p.have, "%s/have", folder);
    cut(p.archive, p.cut_archive, window);
    convert(p.cut_archive, p.back);
    cut(path, p.direct, window);
    tell(p.direct, length, p.want);
    tell(p.back, length, p.have);
    for (unsigned i = 0; i < KINDS; i++)
        compared[i] += lines_like(p.want, kinds[i]);
    ck_assert_msg(traces_shell("diff '%s' '%s' | head -n 40 >&2; cmp -s '%s' '%s'", p.want, p.have,
                               p.want, p.have),
                  "%s: [%" PRIu64 ", %" PRIu64 ") is not the same by way of OTF2", path,
                  window->start, window->end);
}

/* Windows of all sizes, with borders anywhere, and right at a record. */
static void compare_windows(const char *path)
{
    static const struct {
        double from, to;
    } part[] = { { 0.4, 0.6 }, { 0.513, 0.517 }, { 0, 0.3 }, { 0.8, 1 } };
    const uint64_t length = length_of(path);
    uint64_t compared[KINDS] = { 0 };
    char archive[300];

    snprintf(archive, sizeof archive, "%s/whole.otf2", folder);
    convert(path, archive);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const struct prvcut_span window = { (uint64_t)(part[i].from * (double)length),
                                            (uint64_t)(part[i].to * (double)length) };

        assert_same_window(path, &window, compared);
    }
    for (unsigned i = 0; i < KINDS; i++)
        ck_assert_msg(compared[i] > 20, "%s: nothing of kind%sto compare", path, kinds[i]);
}

static const char *const made[] = {
    "--tasks 4 --iterations 12 --inner 3 --counters --callers 2",
    "--tasks 3 --threads-per-task 2 --iterations 10 --counters --flush-every 60 --pipeline",
    "--applications 2 --tasks 3 --nodes 2 --iterations 10 --every-k 3 --clog 1",
};

START_TEST(test_cut_converted_gives_the_same_window)
{
    char path[300];

    if (!test_reads("otf2"))
        return;
    snprintf(path, sizeof path, "%s/small.prv", folder);
    ck_assert(
        traces_shell("'%s' --init-ns 20000000 %s '%s/small' >/dev/null", PRVGEN, made[_i], folder));
    compare_windows(path);
}
END_TEST

START_TEST(test_cut_converted_lu_gives_the_same_window)
{
    char path[4096];

    if (!test_reads("otf2") || !traces_folder())
        return;
    ck_assert(traces_unpack("lu.S.4", path, sizeof path));
    compare_windows(path);
}
END_TEST

/* --- The date ------------------------------------------------------------------------------- */

static void assert_date(const char *prv, const char *date)
{
    ck_assert_msg(traces_shell("head -n 1 '%s' | grep -q '^#Paraver (%s):'", prv, date),
                  "%s: not %s", prv, date);
}

START_TEST(test_convert_keeps_the_date)
{
    const struct prvcut_span window = { 60000000000, 90000000000 };
    char archive[300], part[300], back[300], path[300];

    if (!test_reads("otf2"))
        return;
    snprintf(path, sizeof path, "%s/dated.prv", folder);
    snprintf(archive, sizeof archive, "%s/dated.otf2", folder);
    snprintf(part, sizeof part, "%s/part.otf2", folder);
    snprintf(back, sizeof back, "%s/back.prv", folder);
    ck_assert(traces_shell("printf '#Paraver (29/02/2024 at 23:59):99000000000_ns:1(1):1:1(1:1)\\n"
                           "1:1:1:1:1:0:99000000000:1\\n' >'%s'",
                           path));
    convert(path, archive);
    convert(archive, back);
    assert_date(back, "29/02/2024 at 23:59");
    /* A window is a minute later. */
    cut(archive, part, &window);
    snprintf(back, sizeof back, "%s/part.prv", folder);
    convert(part, back);
    assert_date(back, "01/03/2024 at 00:00");
}
END_TEST

/* What is no date tells nothing: then it is the one of the file. */
START_TEST(test_convert_dates_by_the_file_without_a_date)
{
    char back[300], path[300];

    snprintf(path, sizeof path, "%s/undated.prv", folder);
    snprintf(back, sizeof back, "%s/back.prv", folder);
    ck_assert(traces_shell("printf '#Paraver (once upon a time):9_ns:1(1):1:1(1:1)\\n"
                           "1:1:1:1:1:0:9:1\\n' >'%s' && TZ=UTC touch -t 201503141559 '%s'",
                           path, path));
    convert(path, back);
    assert_date(back, "14/03/2015 at 15:59");
}
END_TEST

static Suite *cut_converted_suite(void)
{
    Suite *suite = suite_create("cut_converted");
    TCase *c = tcase_create("cut_converted");

    tcase_set_timeout(c, 120);
    tcase_add_unchecked_fixture(c, make_all, remove_all);
    tcase_add_checked_fixture(c, make_one, NULL);
    tcase_add_loop_test(c, test_cut_converted_gives_the_same_window, 0,
                        (int)(sizeof made / sizeof *made));
    tcase_add_test(c, test_cut_converted_lu_gives_the_same_window);
    tcase_add_test(c, test_convert_keeps_the_date);
    tcase_add_test(c, test_convert_dates_by_the_file_without_a_date);
    suite_add_tcase(suite, c);
    return suite;
}

int main(void)
{
    return run_suite(cut_converted_suite());
}
