/* One run of a program gives the same answers in whatever format it is written. */
#include "prvcut/convert.h"
#include "prvcut/reduce.h"
#include "prvcut/signals.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct prvcut_error error;

static char folder[256];

/* Formats that can be written and read again. */
static const struct format {
    const char *name, *suffix;
    /* Loses who called whom, by which a first call outside of the loop is told from those inside:
       one iteration more may be found, and borders lie elsewhere within their freedom. */
    bool loses_callers;
} formats[] = { { "paraver", "prv", false }, { "otf2", "otf2", false }, { "otf", "otf", true } };

#define FORMATS ((int)(sizeof formats / sizeof *formats))

/* Removed by the runner, so that a test that fails leaves nothing behind, either. */
static char all_folders[200];

static void make_all(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(all_folders, sizeof all_folders, "%s/prvcut-same.XXXXXX",
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

/* --- A small trace -------------------------------------------------------------------------- */

#define TASKS      2
#define ITERATIONS 24
#define FIRST      5000000
#define PERIOD     1000000
#define END        (FIRST + ITERATIONS * PERIOD + 2000000)

#define RUNNING    1

static FILE *create(const char *suffix)
{
    char path[300];
    FILE *file;

    snprintf(path, sizeof path, "%s/small.%s", folder, suffix);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    return file;
}

static void state(FILE *f, int task, int from, int to, int number)
{
    fprintf(f, "1:%d:1:%d:1:%d:%d:%d\n", task, task, from, to, number);
}

/* A border of a call, with the counters since the last one. */
static void border(FILE *f, int task, int at, int type, int value, int counted)
{
    fprintf(f, "2:%d:1:%d:1:%d:%d:%d:42000050:%d:42000059:%d\n", task, task, at, type, value,
            2 * counted, 3 * counted);
}

/* Computing since `since`, then a call. */
static void call(FILE *f, int task, int since, int from, int to, const int what[3])
{
    state(f, task, since, from, RUNNING);
    state(f, task, from, to, what[0]);
    border(f, task, from, what[1], what[2], from - since);
    border(f, task, to, what[1], 0, (to - from) / 10);
}

static void iterate(FILE *f, int t)
{
    static const int send[] = { 4, 50000001, 1 }, receive[] = { 3, 50000001, 2 },
                     reduce[] = { 13, 50000002, 10 };

    call(f, 1, t, t + 600000, t + 650000, send);
    call(f, 1, t + 650000, t + 800000, t + 1000000, reduce);
    call(f, 2, t, t + 500000, t + 660000, receive);
    call(f, 2, t + 660000, t + 820000, t + 1000000, reduce);
    fprintf(f, "3:1:1:1:1:%d:%d:2:1:2:1:%d:%d:1024:7\n", t + 600000, t + 600000, t + 500000,
            t + 660000);
}

static void write_labels(void)
{
    FILE *f = create("pcf");

    fputs("STATES\n0    Idle\n1    Running\n3    Waiting a message\n4    Blocking Send\n"
          "13   Group Communication\n\n"
          "EVENT_TYPE\n9    50000001    MPI Point-to-point\nVALUES\n2   MPI_Recv\n1   MPI_Send\n"
          "0   Outside MPI\n\n"
          "EVENT_TYPE\n9    50000002    MPI Collective Comm\nVALUES\n10   MPI_Allreduce\n"
          "0   Outside MPI\n\n"
          "EVENT_TYPE\n7  42000050 PAPI_TOT_INS [Instr completed]\n"
          "7  42000059 PAPI_TOT_CYC [Total cycles]\n",
          f);
    ck_assert_int_eq(fclose(f), 0);
}

static void write_small(char *path, size_t room)
{
    char raw[300];
    FILE *f = create("raw");

    for (int task = 1; task <= TASKS; task++)
        state(f, task, 0, FIRST, RUNNING);
    for (int i = 0; i < ITERATIONS; i++)
        iterate(f, FIRST + i * PERIOD);
    for (int task = 1; task <= TASKS; task++)
        state(f, task, FIRST + ITERATIONS * PERIOD, END, RUNNING);
    ck_assert_int_eq(fclose(f), 0);
    snprintf(raw, sizeof raw, "%s/small.raw", folder);
    snprintf(path, room, "%s/small.prv", folder);
    ck_assert(traces_shell("{ echo '#Paraver (01/01/2026 at 12:00):%d_ns:1(2):1:2(1:1,1:1),1';"
                           " echo 'c:1:1:2:1:2'; LC_ALL=C sort -s -t: -k6,6n '%s'; } >'%s' &&"
                           " rm '%s'",
                           END, raw, path, raw));
    write_labels();
}

/* --- Comparing ------------------------------------------------------------------------------ */

static struct prvcut_trace *open_trace(const char *path)
{
    struct prvcut_trace *trace;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return trace;
}

/* Write a trace in another format, as FOLDER/out.SUFFIX. */
static void convert(const char *from, const struct format *f, char *path, size_t room)
{
    const struct prvcut_convert_options options = { .path = path, .format = f->name };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_trace *trace = open_trace(from);
    enum prvcut_status st;

    snprintf(path, room, "%s/out.%s", folder, f->suffix);
    st = prvcut_convert(trace, &run, &options, &sum, &error);
    ck_assert_msg(st == PRVCUT_OK, "to %s: %s", f->name, error.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
}

/* How borders are laid is told: what is done otherwise depends on the format. */
static struct prvcut_reduction *reduce(const char *path, enum prvcut_align align)
{
    const struct prvcut_reduce_options options = { .iterations = 2,
                                                   .align = align,
                                                   .cut = &(const struct prvcut_cut_options){
                                                       .dry_run = true } };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *trace = open_trace(path);
    struct prvcut_reduction *r;
    const enum prvcut_status st = prvcut_reduce(trace, &run, &options, &r, &error);

    prvcut_trace_close(trace);
    ck_assert_msg(st == PRVCUT_OK, "%s: %s %s", path, error.text, r ? r->reason : "");
    return r;
}

static void assert_near(double want, double have, double room, const char *format, const char *what)
{
    ck_assert_msg(fabs(want - have) <= room, "%s as %s: %.3f, not %.3f", what, format, have, want);
}

/* callers: both tell who called whom. How long a posted receive waits is not told by all formats,
   so that a straight border may be laid elsewhere in its freedom of a tenth of a period. */
static void assert_same_reduction(const char *path, const char *converted, const struct format *f,
                                  enum prvcut_align align, bool callers)
{
    const char *format = f->name;
    struct prvcut_reduction *want = reduce(path, align), *have = reduce(converted, align);
    const double near = (callers ? 1e-3 : 0.03) * want->period_ns;
    const double room = align == PRVCUT_ALIGN_STRAIGHT ? 0.1 * want->period_ns : near;

    ck_assert_str_eq(have->format, format);
    ck_assert_uint_eq(have->threads, want->threads);
    ck_assert_uint_eq(have->tasks, want->tasks);
    ck_assert_uint_eq(prvcut_reduction_chop(have, 0)->align, prvcut_reduction_chop(want, 0)->align);
    assert_near(want->period_ns, have->period_ns, near, format, "period");
    /* A last iteration that no call follows counts only where the run's end is recorded. */
    assert_near(want->iterations, have->iterations,
                callers && strcmp(format, "otf") != 0 ? 0.05 : 1, format, "iterations");
    assert_near((double)prvcut_reduction_chop(want, 0)->cut->window.start,
                (double)prvcut_reduction_chop(have, 0)->cut->window.start, room, format,
                "start of the window");
    assert_near((double)prvcut_reduction_chop(want, 0)->cut->window.end,
                (double)prvcut_reduction_chop(have, 0)->cut->window.end, room, format,
                "end of the window");
    prvcut_reduction_free(want);
    prvcut_reduction_free(have);
}

static struct prvcut_signals *signals(const char *path, const char *metrics,
                                      const struct prvcut_span *window, size_t bins)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *trace = open_trace(path);
    struct prvcut_signals *s;

    ck_assert_msg(prvcut_signals_compute(trace, &run, metrics, window, bins, &s, &error) ==
                      PRVCUT_OK,
                  "%s: %s", path, error.text);
    prvcut_trace_close(trace);
    return s;
}

static void assert_same_signal(const struct prvcut_signal *want, const struct prvcut_signal *have,
                               const char *format)
{
    ck_assert_str_eq(want->name, have->name);
    ck_assert_msg(!want->absent == !have->absent, "%s as %s: %s", want->name, format,
                  have->absent ? have->absent : "is there");
    ck_assert_uint_eq(want->bins, have->bins);
    for (size_t i = 0; want->at && i < want->bins; i++)
        ck_assert_msg(fabs(want->at[i] - have->at[i]) <= 1e-9 * fabs(want->at[i]),
                      "%s as %s, bin %zu: %.9g, not %.9g", want->name, format, i, have->at[i],
                      want->at[i]);
}

/* --- Tests ---------------------------------------------------------------------------------- */

START_TEST(test_signals_of_small_trace_are_the_same)
{
    static const char metrics[] = "bursts,computing,p2p,collective,inflight,ipc,instructions,clock";
    /* From within the first iteration to within the last one: at its ends a run is bounded by its
       first and last record, and formats without states have none for what lies beyond. */
    const struct prvcut_span inside = { FIRST + PERIOD, FIRST + (ITERATIONS - 1) * PERIOD };
    struct prvcut_signals *want, *have;
    char path[300], converted[300];

    if (!test_reads(formats[_i].name))
        return;
    write_small(path, sizeof path);
    convert(path, &formats[_i], converted, sizeof converted);
    want = signals(path, metrics, &inside, 220);
    have = signals(converted, metrics, &inside, 220);
    ck_assert_uint_eq(want->count, have->count);
    for (size_t i = 0; i < want->count; i++)
        assert_same_signal(prvcut_signals_at(want, i), prvcut_signals_at(have, i),
                           formats[_i].name);
    prvcut_signals_free(want);
    prvcut_signals_free(have);
}
END_TEST

START_TEST(test_reduce_small_trace_finds_the_same)
{
    const struct format *f = &formats[_i];
    char path[300], converted[300];

    if (!test_reads(f->name))
        return;
    write_small(path, sizeof path);
    convert(path, f, converted, sizeof converted);
    assert_same_reduction(path, converted, f, PRVCUT_ALIGN_STRAIGHT, true);
    assert_same_reduction(path, converted, f, PRVCUT_ALIGN_CALLS, true);
}
END_TEST

static void reduce_real(const char *name, const struct format *f)
{
    char path[4096], converted[300];

    if (!test_reads(f->name) || !traces_folder())
        return;
    ck_assert(traces_unpack(name, path, sizeof path));
    convert(path, f, converted, sizeof converted);
    assert_same_reduction(path, converted, f, PRVCUT_ALIGN_STRAIGHT, !f->loses_callers);
    assert_same_reduction(path, converted, f, PRVCUT_ALIGN_CALLS, !f->loses_callers);
}

START_TEST(test_reduce_lu_finds_the_same)
{
    reduce_real("lu.S.4", &formats[_i]);
}
END_TEST

START_TEST(test_reduce_cg_finds_the_same)
{
    if (traces_take() > TRACES_LEAST)
        reduce_real("cg.W.8", &formats[_i]);
}
END_TEST

static Suite *same_suite(void)
{
    Suite *s = suite_create("same_everywhere");
    TCase *tc = tcase_create("formats");

    tcase_add_unchecked_fixture(tc, make_all, remove_all);
    tcase_add_checked_fixture(tc, make_one, NULL);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_signals_of_small_trace_are_the_same, 0, FORMATS);
    tcase_add_loop_test(tc, test_reduce_small_trace_finds_the_same, 0, FORMATS);
    tcase_add_loop_test(tc, test_reduce_lu_finds_the_same, 0, FORMATS);
    tcase_add_loop_test(tc, test_reduce_cg_finds_the_same, 0, FORMATS);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return run_suite(same_suite());
}
