#include "prvcut/mark.h"
#include "prvcut/signals.h"

#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <inttypes.h>
#include <math.h>

/* PRVGEN: the generator; given by the build. */

static struct prvcut_error error;

/* The trace that a timeline is of tells the unit of its times. */
static struct prvcut_trace *open_trace(const char *unit)
{
    struct prvcut_trace *t;
    FILE *file = fopen("x.prv", "w");

    ck_assert_ptr_nonnull(file);
    fprintf(file, "#Paraver (01/01/2026 at 12:00):1000%s:1(1):1:1(1:1)\n", unit);
    fclose(file);
    error = (struct prvcut_error){ 0 };
    ck_assert_msg(prvcut_trace_open(&t, "x.prv", NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

static enum prvcut_status read_bytes(const char *unit, const char *text, size_t count,
                                     struct prvcut_signals **out)
{
    struct prvcut_trace *t = open_trace(unit);
    enum prvcut_status st;

    scratch_write("t.csv", text, count);
    st = prvcut_signals_of_paraver(t, "t.csv", out, &error);
    prvcut_trace_close(t);
    return st;
}

static struct prvcut_signals *read_well(const char *unit, const char *text)
{
    struct prvcut_signals *s;

    ck_assert_msg(read_bytes(unit, text, strlen(text), &s) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_eq(s->count, 1);
    ck_assert_str_eq(prvcut_signals_at(s, 0)->name, "timeline");
    ck_assert_str_eq(prvcut_signals_at(s, 0)->unit, "");
    ck_assert_ptr_null(prvcut_signals_at(s, 0)->absent);
    return s;
}

/* Expect these bins, from a time on. */
static void expect_bins(const char *unit, const char *text, uint64_t start, uint64_t width,
                        const double *want, size_t bins)
{
    struct prvcut_signals *s = read_well(unit, text);

    ck_assert_uint_eq(prvcut_signals_at(s, 0)->start, start);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->width, width);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->bins, bins);
    for (size_t i = 0; i < bins; i++)
        ck_assert_msg(prvcut_signals_at(s, 0)->at[i] == want[i], "bin %zu is %.17g, not %.17g", i,
                      prvcut_signals_at(s, 0)->at[i], want[i]);
    prvcut_signals_free(s);
}

#define BINS(...)                                                                                  \
    (const double[]){ __VA_ARGS__ }, sizeof((double[]){ __VA_ARGS__ }) / sizeof(double)

/* --- What is read --------------------------------------------------------------------------- */

START_TEST(test_timeline_adds_objects_up)
{
    expect_bins("_ns", "THREAD 1.1.1\t2\t3\t5\nTHREAD 1.2.1\t3\t4\t-1\n", 2, 1,
                BINS(5, 4, 4, -1, -1));
}
END_TEST

static const char *const same[] = {
    "1\t0\t2\t7\n1\t2\t1\t0\n1\t3\t2\t1\n",                 /* as it is */
    "1\t3\t2\t1\n1\t0\t2\t7\n1\t2\t1\t0\n",                 /* in any order */
    "1\t0\t2\t7\r\n1\t2\t1\t0\r\n1\t3\t2\t1\r\n",           /* as on DOS */
    "1\t0\t2\t7\n1\t2\t1\t0\n1\t3\t2\t1",                   /* the last line has no end */
    "1\t0\t2\t7\r\n1\t2\t1\t0\r\n1\t3\t2\t1\r",             /* nor half of one */
    "# Useful\n\n1\t0\t2\t7\n#\t\n\n\r\n1\t3\t2\t1\n#",     /* comments, empty lines, a gap */
    "\t0\t2\t7\nany name\t3\t2\t1\n",                       /* whatever the objects are called */
    "1\t0.0\t2.00\t7.0\n1\t3e0\t20e-1\t+1\n",               /* decimals */
    "1\t0\t2\t3\n2\t0\t2\t4\n1\t3\t2\t.5\n2\t3\t2\t5e-1\n", /* parts of two objects */
    "1\t0\t1\t7\n1\t1\t1\t7\n1\t3\t1\t1\n1\t4\t1\t1\n1\t5\t0\t99\n", /* pieces, and no duration */
};

START_TEST(test_timeline_written_in_any_way_is_the_same)
{
    expect_bins("_ns", same[_i], 0, 1, BINS(7, 7, 0, 1, 1));
}
END_TEST

/* Every text counts as a number of its own, in the order in which they come. */
START_TEST(test_timeline_texts_are_values)
{
    expect_bins("_ns",
                "1\t0\t1\tIdle\n1\t1\t1\tRunning\n1\t2\t1\tIdle\n1\t3\t1\tRunning slowly\n"
                "1\t4\t1\t5x\n1\t5\t1\t-\n1\t6\t1\tRunning\n",
                0, 1, BINS(0, 1, 0, 2, 3, 4, 1));
}
END_TEST

START_TEST(test_timeline_times_in_the_unit_of_the_trace)
{
    struct prvcut_signals *s = read_well("_us", "1\t1\t2\t5\n1\t3\t0.5\t1\n");

    ck_assert_uint_eq(prvcut_signals_at(s, 0)->start, 1000);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->width, 1);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->bins, 2500);
    ck_assert_double_eq(prvcut_signals_at(s, 0)->at[1999], 5);
    ck_assert_double_eq(prvcut_signals_at(s, 0)->at[2000], 1);
    prvcut_signals_free(s);
    s = read_well("_ms", "1\t1\t0.01\t5\n");
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->start, 1000000);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->bins, 10000);
    prvcut_signals_free(s);
}
END_TEST

/* Times are rounded to the nearest ns. */
START_TEST(test_timeline_fractions_of_a_ns_are_rounded)
{
    expect_bins("_ns", "1\t0.4\t1.6\t3\n1\t2.6\t0.9\t4\n", 0, 1, BINS(3, 3, 0, 4));
}
END_TEST

/* Rows at random, many of them over each other, over more than the bins: against a sum over every
   ns. */
#define ROWS 300

static void check_random(uint64_t seed, uint64_t most)
{
    struct {
        uint64_t begin, length;
        int value;
    } row[ROWS];
    uint64_t state = seed, start = UINT64_MAX, end = 0;
    char *text = malloc(ROWS * 64), *at = text;
    struct prvcut_signals *s;
    int64_t *level;

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < ROWS; i++) {
        row[i].begin = 1000 + scratch_random(&state) % most;
        row[i].length = scratch_random(&state) % (i % 3 ? most / 50 + 1 : 3);
        row[i].value = (int)(scratch_random(&state) % 2001) - 1000;
        at += sprintf(at, "%zu\t%" PRIu64 "\t%" PRIu64 "\t%d\n", i % 5, row[i].begin, row[i].length,
                      row[i].value);
        start = row[i].begin < start ? row[i].begin : start;
        end = row[i].begin + row[i].length > end ? row[i].begin + row[i].length : end;
    }
    s = read_well("_ns", text);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->start, start);
    ck_assert_uint_le(prvcut_signals_at(s, 0)->bins, 65536);
    ck_assert_uint_ge(prvcut_signals_at(s, 0)->bins * prvcut_signals_at(s, 0)->width, end - start);
    ck_assert_uint_lt((prvcut_signals_at(s, 0)->bins - 1) * prvcut_signals_at(s, 0)->width,
                      end - start);
    level = calloc(prvcut_signals_at(s, 0)->bins * prvcut_signals_at(s, 0)->width, sizeof *level);
    ck_assert_ptr_nonnull(level);
    for (size_t i = 0; i < ROWS; i++)
        for (uint64_t k = 0; k < row[i].length; k++)
            level[row[i].begin - start + k] += row[i].value;
    for (size_t i = 0; i < prvcut_signals_at(s, 0)->bins; i++) {
        int64_t sum = 0;

        for (uint64_t k = 0; k < prvcut_signals_at(s, 0)->width; k++)
            sum += level[i * prvcut_signals_at(s, 0)->width + k];
        ck_assert_double_eq(prvcut_signals_at(s, 0)->at[i],
                            (double)sum / (double)prvcut_signals_at(s, 0)->width);
    }
    prvcut_signals_free(s);
    free(level);
    free(text);
}

static const uint64_t spans[] = { 100, 5000, 65000, 65536, 66000, 200000, 500000 };

START_TEST(test_timeline_averages_are_exact)
{
    for (uint64_t seed = 1; seed <= 5; seed++)
        check_random(seed, spans[_i]);
}
END_TEST

START_TEST(test_timeline_largest_values_stay_finite)
{
    struct prvcut_signals *s = read_well("_ns", "1\t0\t1000000000000000000\t1e100\n"
                                                "2\t0\t1000000000000000000\t-1e100\n"
                                                "3\t0\t1000000000000000000\t1e-320\n");

    for (size_t i = 0; i < prvcut_signals_at(s, 0)->bins; i++)
        ck_assert(isfinite(prvcut_signals_at(s, 0)->at[i]));
    prvcut_signals_free(s);
}
END_TEST

/* --- What is not ---------------------------------------------------------------------------- */

#define TAIL                                                                                       \
    ": a line is object, begin, duration and value, with tabs between, as Paraver saves a "        \
    "timeline"

static const struct {
    const char *text;
    uint64_t line;
    const char *words;
} malformed[] = {
    { "1\t0\t5\n", 1, "t.csv:1: not four fields in '1\\x090\\x095'" TAIL },
    { "1\t0\t5\t1\n\n#\n1\t0\t5\n", 4, "t.csv:4: not four fields in '1\\x090\\x095'" TAIL },
    { "1\t0\t5\t1\t\n", 1, "t.csv:1: not four fields in '1\\x090\\x095\\x091\\x09'" TAIL },
    { "1\t0\t5\t1\t2\n", 1, "t.csv:1: not four fields in '1\\x090\\x095\\x091\\x092'" TAIL },
    { "1,0,5,1\n", 1, "t.csv:1: not four fields in '1,0,5,1'" TAIL },
    { "1 0 5 1\r\n", 1, "t.csv:1: not four fields in '1 0 5 1'" TAIL },
    { " \n", 1, "t.csv:1: not four fields in ' '" TAIL },
    { "0123456789012345678901234567890123456789", 1,
      "t.csv:1: not four fields in '01234567890123456789012345678901'" TAIL },
    { "1\t\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: ''" TAIL },
    { "1\t-1\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: '-1'" TAIL },
    { "1\t-0.1\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: '-0.1'" TAIL },
    { "1\tnan\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: 'nan'" TAIL },
    { "1\tinf\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: 'inf'" TAIL },
    { "1\t1e400\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: '1e400'" TAIL },
    { "1\t1152921504606847233\t5\t1\n", 1,
      "t.csv:1: not a time of 0 to 2^60ns: '1152921504606847233'" TAIL },
    { "1\tsoon\t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: 'soon'" TAIL },
    { "1\t1 \t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: '1 '" TAIL },
    { "1\t \t5\t1\n", 1, "t.csv:1: not a time of 0 to 2^60ns: ' '" TAIL },
    { "1\t1\t\t1\n", 1, "t.csv:1: not a duration of 0 to 2^60ns: ''" TAIL },
    { "1\t1\t-5\t1\n", 1, "t.csv:1: not a duration of 0 to 2^60ns: '-5'" TAIL },
    { "1\t1\tNaN\t1\n", 1, "t.csv:1: not a duration of 0 to 2^60ns: 'NaN'" TAIL },
    { "1\t1\tInfinity\t1\n", 1, "t.csv:1: not a duration of 0 to 2^60ns: 'Infinity'" TAIL },
    { "1\t1\t1e19\t1\n", 1, "t.csv:1: not a duration of 0 to 2^60ns: '1e19'" TAIL },
    { "1\t1\t5s\t1\n", 1, "t.csv:1: not a duration of 0 to 2^60ns: '5s'" TAIL },
    { "1\t1\t5\t\n1\t6\t5\t1\n", 1, "t.csv:1: no value in '1\\x091\\x095\\x09'" TAIL },
    { "1\t1\t5\t\r\n7\n", 1, "t.csv:1: no value in '1\\x091\\x095\\x09'" TAIL },
    { "1\t1\t5\t1\n1\t6\t5\tnan\n", 2, "t.csv:2: not a value of at most 1e100: 'nan'" TAIL },
    { "1\t1\t5\t-inf\n", 1, "t.csv:1: not a value of at most 1e100: '-inf'" TAIL },
    { "1\t1\t5\t1e400\n", 1, "t.csv:1: not a value of at most 1e100: '1e400'" TAIL },
    { "1\t1\t5\t-2e100\n", 1, "t.csv:1: not a value of at most 1e100: '-2e100'" TAIL },
    { "\033[2J\t1\n", 1, "t.csv:1: not four fields in '\\x1b[2J\\x091'" TAIL },
    { "", 0, "t.csv: no line with a duration in it" },
    { "\n\n# nothing\n", 0, "t.csv: no line with a duration in it" },
    { "1\t5\t0\t1\n1\t5\t0\t2\n", 0, "t.csv: no line with a duration in it" },
};

static void expect_failed(const char *text, size_t count, enum prvcut_status status, uint64_t line,
                          const char *words)
{
    struct prvcut_signals *s;

    ck_assert_int_eq(read_bytes("_ns", text, count, &s), status);
    ck_assert_int_eq(error.status, status);
    ck_assert_str_eq(error.text, words);
    ck_assert_uint_eq(error.line, line);
    ck_assert_ptr_null(s);
}

START_TEST(test_timeline_malformed_names_the_line)
{
    expect_failed(malformed[_i].text, strlen(malformed[_i].text), PRVCUT_EFORMAT,
                  malformed[_i].line, malformed[_i].words);
}
END_TEST

/* The trace is 1000 ns long: what Paraver's window saves of it ends at 1 us. */
START_TEST(test_timeline_in_another_unit)
{
    static const struct {
        const char *text;
        uint64_t start, width;
        bool told;
    } saved[] = {
        { "1\t0.00\t0.25\t3\n1\t0.25\t0.75\t4\n", 0, 1, true },
        { "1\t0.1\t0.2\t3\n", 100, 1, true },
        { "1\t0\t1\t3\n", 0, 1, true },
        { "1\t0\t2\t3\n", 0, 1, false },
        { "1\t0\t1000\t3\n", 0, 1, false },
        { "1\t1.5\t2\t3\n", 2, 1, false },
        { "1\t0\t0.0009\t3\n", 0, 1, true },              /* ms */
        { "1\t0.0000002\t0.0000007\t3\n", 200, 1, true }, /* s */
    };
    struct prvcut_signals *s = read_well("_ns", saved[_i].text);

    ck_assert_uint_eq(prvcut_signals_at(s, 0)->start, saved[_i].start);
    ck_assert_uint_eq(prvcut_signals_at(s, 0)->width, saved[_i].width);
    ck_assert_int_eq(prvcut_signals_at(s, 0)->note != NULL, saved[_i].told);
    prvcut_signals_free(s);
}
END_TEST

/* Nothing fits: 0.0000003 may be a part of the run in seconds; in microseconds it is nothing. */
START_TEST(test_timeline_in_no_unit_that_fits)
{
    static const char text[] = "1\t0.0000001\t0.0000002\t3\n";

    expect_failed(text, sizeof text - 1, PRVCUT_EUSAGE, 0,
                  "t.csv: in which unit are its times? In microseconds, which Paraver saves by "
                  "default, they end at 3e-07 of 1 us; save them in nanoseconds");
}
END_TEST

/* The times of a trace in microseconds are in that unit, however short the timeline is. */
START_TEST(test_timeline_of_a_trace_in_microseconds)
{
    struct prvcut_signals *s = read_well("", "1\t0\t1\t3\n");

    ck_assert_uint_eq(prvcut_signals_at(s, 0)->width * prvcut_signals_at(s, 0)->bins, 1000);
    ck_assert_ptr_null(prvcut_signals_at(s, 0)->note);
    prvcut_signals_free(s);
}
END_TEST

/* A NUL ends no line, and no number that goes on behind it. */
START_TEST(test_timeline_nul_inside)
{
    static const char time[] = "1\t1\0002\t5\t1\n", line[] = "1\t1\t5\t1\n\0\n",
                      value[] = "1\t0\t1\t5\n1\t1\t1\t5\0006\n", object[] = "a\0b\t0\t1\t5\n";
    struct prvcut_signals *s;

    expect_failed(time, sizeof time - 1, PRVCUT_EFORMAT, 1,
                  "t.csv:1: not a time of 0 to 2^60ns: '1'" TAIL);
    expect_failed(line, sizeof line - 1, PRVCUT_EFORMAT, 2, "t.csv:2: not four fields in ''" TAIL);
    ck_assert_int_eq(read_bytes("_ns", value, sizeof value - 1, &s), PRVCUT_OK);
    ck_assert_double_eq(prvcut_signals_at(s, 0)->at[0], 5);
    ck_assert_double_eq(prvcut_signals_at(s, 0)->at[1], 0); /* the first text */
    prvcut_signals_free(s);
    ck_assert_int_eq(read_bytes("_ns", object, sizeof object - 1, &s), PRVCUT_OK);
    ck_assert_double_eq(prvcut_signals_at(s, 0)->at[0], 5);
    prvcut_signals_free(s);
}
END_TEST

START_TEST(test_timeline_too_many_texts)
{
    char text[8192], *at = text;
    struct prvcut_signals *s;

    for (int i = 0; i < 256; i++)
        at += sprintf(at, "1\t%d\t1\tword%d\n", i, i);
    s = read_well("_ns", text);
    for (int i = 0; i < 256; i++)
        ck_assert_double_eq(prvcut_signals_at(s, 0)->at[i], i);
    prvcut_signals_free(s);
    sprintf(at, "1\t256\t1\tword256\n");
    expect_failed(text, strlen(text), PRVCUT_ELIMIT, 257,
                  "t.csv:257: more than 256 different texts as values");
}
END_TEST

START_TEST(test_timeline_not_there)
{
    struct prvcut_trace *t = open_trace("_ns");
    struct prvcut_signals *s;

    ck_assert_int_eq(prvcut_signals_of_paraver(t, "none.csv", &s, &error), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(error.text, "none.csv"));
    ck_assert_ptr_null(s);
    error = (struct prvcut_error){ 0 };
    ck_assert_int_lt(prvcut_signals_of_paraver(t, ".", &s, &error), 0);
    ck_assert_str_ne(error.text, "");
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_timeline_every_prefix_reads_or_fails)
{
    static const char text[] =
        "# A window\nTHREAD 1.1.1\t0\t12.5\tRunning\r\n\nTHREAD 1.2.1\t3e0\t20"
        "\t-1.5e1\nTHREAD 1.1.1\t12.5\t8\tIdle\n";
    size_t good = 0;

    for (size_t n = 0; n < sizeof text; n++) {
        struct prvcut_signals *s;
        const enum prvcut_status st = read_bytes("_ns", text, n, &s);

        ck_assert(st == PRVCUT_OK || st == PRVCUT_EFORMAT);
        ck_assert_int_eq(error.status, st);
        if (st == PRVCUT_OK) {
            ck_assert_uint_eq(s->count, 1);
            good++;
        } else {
            ck_assert_str_ne(error.text, "");
            ck_assert_ptr_null(s);
        }
        prvcut_signals_free(s);
    }
    /* Each line with its last field cut short, or with its end. */
    ck_assert_uint_gt(good, 15);
}
END_TEST

/* --- Marked by it --------------------------------------------------------------------------- */

#define PERIOD UINT64_C(20000000)

/* Steps that come again with a period, and some noise that does not. */
static void write_steps(uint64_t from, uint64_t to, uint64_t period, bool repeats)
{
    FILE *file = fopen("t.csv", "w");
    uint64_t state = 3;

    ck_assert_ptr_nonnull(file);
    for (uint64_t at = from, i = 0; at < to; i++) {
        const uint64_t length =
            repeats ? period / 4 : period / 100 + scratch_random(&state) % period;
        const uint64_t value = repeats ? (i % 4) * (i % 4) : scratch_random(&state) % 100;

        fprintf(file, "THREAD 1.1.1\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", at,
                at + length > to ? to - at : length, value);
        at += length;
    }
    fclose(file);
}

static enum prvcut_status mark_by(const char *path, struct prvcut_structure_options find,
                                  struct prvcut_marking **m)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_mark_options o = { .find = &find,
                                     .output = &(const struct prvcut_cut_options){
                                         .path = "out.prv", .force = true } };
    struct prvcut_signals *own;
    struct prvcut_trace *t;
    enum prvcut_status st;

    error = (struct prvcut_error){ 0 };
    ck_assert_int_eq(prvcut_trace_open(&t, path, NULL, &error), PRVCUT_OK);
    ck_assert_msg(prvcut_signals_of_paraver(t, "t.csv", &own, &error) == PRVCUT_OK, "%s",
                  error.text);
    o.timeline = prvcut_signals_at(own, 0);
    st = prvcut_mark(t, &run, &o, m, &error);
    prvcut_signals_free(own);
    prvcut_trace_close(t);
    return st;
}

/* A run of a second without a loop. */
static uint64_t make_aperiodic(void)
{
    struct prvcut_trace *t;
    uint64_t end;

    ck_assert(traces_shell(PRVGEN " --tasks 4 --iterations 50 --aperiodic a"));
    ck_assert_int_eq(prvcut_trace_open(&t, "a.prv", NULL, &error), PRVCUT_OK);
    end = prvcut_trace_end(t);
    prvcut_trace_close(t);
    ck_assert_uint_gt(end, 40 * PERIOD);
    return end;
}

/* Marks of the first task: at equal steps of this length within 1 %, all tasks alike. */
static void expect_equal_steps(uint64_t from, uint64_t to, size_t least)
{
    ck_assert(traces_shell(
        "grep ':666001:' out.prv | awk -F: -v from=%" PRIu64 " -v to=%" PRIu64 " -v least=%zu '"
        "$6 < from || $6 > to { print \"outside\", $0; bad = 1 }"
        "$4 in last { step = $6 - last[$4]; if (step < %f || step > %f) { print step; bad = 1 } }"
        "{ last[$4] = $6; if ($8 == 0) delete last[$4]; count[$4]++; value[$4] = $8; sum[$4] += $6 "
        "} END { for (i = 1; i <= 4; "
        "i++) if (count[i] < least || value[i] != 0 || sum[i] != sum[1]) { print i, count[i]; bad "
        "= "
        "1 } exit bad }' >&2",
        from, to, least, 0.99 * PERIOD, 1.01 * PERIOD));
}

/* It is not as sure as a period that was given. */
static void expect_told_by_timeline(const struct prvcut_marking *m)
{
    for (size_t i = 0; i < m->structure->regions; i++) {
        const struct prvcut_region *r = prvcut_structure_region(m->structure, i);

        if (r->loop == 0)
            continue;
        ck_assert_int_eq(r->found_by, PRVCUT_FOUND_BY_TIMELINE);
        ck_assert_double_gt(r->confidence, 0.6);
        ck_assert_double_lt(r->confidence, m->timeline->strength);
    }
}

START_TEST(test_timeline_loop_is_taken_where_the_trace_shows_none)
{
    const uint64_t end = make_aperiodic();
    struct prvcut_marking *m;

    write_steps(0, end, PERIOD, true);
    ck_assert_msg(mark_by("a.prv", (struct prvcut_structure_options){ 0 }, &m) == PRVCUT_OK,
                  "%d %s", error.status, error.text);
    ck_assert(m->by_timeline);
    ck_assert_str_eq(m->timeline->metric, "timeline");
    ck_assert_double_eq_tol(m->timeline->period_ns, (double)PERIOD, 0.01 * (double)PERIOD);
    ck_assert_uint_eq(m->tasks, 4);
    ck_assert_uint_eq(m->own_tasks, 0);
    expect_told_by_timeline(m);
    expect_equal_steps(0, end, end / PERIOD * 2 / 3);
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_timeline_of_a_part_only_that_is_analysed)
{
    const uint64_t end = make_aperiodic(), from = end / 4, to = end / 4 + 20 * PERIOD;
    struct prvcut_marking *m;

    write_steps(from, to, PERIOD, true);
    ck_assert_int_eq(mark_by("a.prv", (struct prvcut_structure_options){ 0 }, &m), PRVCUT_OK);
    ck_assert(m->by_timeline);
    ck_assert_uint_ge(m->structure->span.start, from);
    ck_assert_uint_le(m->structure->span.end, to + m->structure->end_ns / 50000);
    expect_equal_steps(from, to + PERIOD / 100, 10);
    prvcut_marking_free(m);
}
END_TEST

/* What is asked for bounds the timeline's loop as it does any other. */
START_TEST(test_timeline_longer_than_the_window_marks_only_the_window)
{
    const uint64_t end = make_aperiodic(), from = end / 5, to = end / 5 + 20 * PERIOD;
    const struct prvcut_structure_options find = { .only = { from, to } };
    struct prvcut_marking *m;

    write_steps(0, end, PERIOD, true);
    ck_assert_int_eq(mark_by("a.prv", find, &m), PRVCUT_OK);
    ck_assert(m->by_timeline);
    ck_assert_uint_ge(m->structure->span.start, from);
    ck_assert_uint_le(m->structure->span.end, to);
    expect_equal_steps(from, to, 10);
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_timeline_without_loop_beside_a_trace_without_one)
{
    struct prvcut_marking *m;

    const uint64_t end = make_aperiodic();

    /* What seems to come again in it does so by chance. */
    write_steps(0, end, (uint64_t)(_i + 2) * PERIOD / 3, false);
    ck_assert_int_eq(mark_by("a.prv", (struct prvcut_structure_options){ 0 }, &m), PRVCUT_NONE);
    ck_assert(!m->by_timeline);
    ck_assert_str_eq(m->timeline->metric, "timeline");
    ck_assert_uint_eq(m->files, 0);
    ck_assert_int_ne(access("out.prv", F_OK), 0);
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_timeline_without_loop_leaves_the_trace_its_own)
{
    struct prvcut_marking *m;

    ck_assert(traces_shell(PRVGEN " --tasks 4 --iterations 50 a"));
    write_steps(0, 1200000000, PERIOD, false);
    ck_assert_int_eq(mark_by("a.prv", (struct prvcut_structure_options){ 0 }, &m), PRVCUT_OK);
    ck_assert(!m->by_timeline);
    ck_assert_str_eq(m->timeline->metric, "timeline");
    ck_assert_double_lt(m->timeline->strength, 0.375);
    ck_assert_uint_eq(m->own_tasks, 4);
    ck_assert_uint_ge(m->marks, 4 * 48);
    prvcut_marking_free(m);
}
END_TEST

/* A period that is given needs no timeline. */
START_TEST(test_timeline_beside_a_given_period_is_only_told)
{
    const struct prvcut_structure_options find = { .period_ns = 3 * PERIOD };
    const uint64_t end = make_aperiodic();
    struct prvcut_marking *m;

    write_steps(0, end, PERIOD, true);
    ck_assert_int_eq(mark_by("a.prv", find, &m), PRVCUT_OK);
    ck_assert(!m->by_timeline);
    ck_assert_double_gt(m->timeline->period_ns, 0);
    ck_assert_uint_le(m->marks, 4 * (end / (3 * PERIOD) + 2));
    prvcut_marking_free(m);
}
END_TEST

START_TEST(test_timeline_of_another_run_is_refused)
{
    const uint64_t end = make_aperiodic();
    struct prvcut_marking *m;

    write_steps(end, 2 * end, PERIOD, true);
    ck_assert_int_eq(mark_by("a.prv", (struct prvcut_structure_options){ 0 }, &m), PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "it is of another run"));
    ck_assert_ptr_null(m);
    prvcut_marking_free(m);
}
END_TEST

#define LOOP(t, test, list) tcase_add_loop_test(t, test, 0, (int)(sizeof list / sizeof *list))

static Suite *timeline_csv_suite(void)
{
    Suite *s = suite_create("timeline_csv");
    TCase *t = tcase_create("timeline_csv");

    scratch_fixtures(t);
    tcase_add_test(t, test_timeline_adds_objects_up);
    LOOP(t, test_timeline_written_in_any_way_is_the_same, same);
    tcase_add_test(t, test_timeline_texts_are_values);
    tcase_add_test(t, test_timeline_times_in_the_unit_of_the_trace);
    tcase_add_test(t, test_timeline_fractions_of_a_ns_are_rounded);
    LOOP(t, test_timeline_averages_are_exact, spans);
    tcase_add_test(t, test_timeline_largest_values_stay_finite);
    LOOP(t, test_timeline_malformed_names_the_line, malformed);
    tcase_add_loop_test(t, test_timeline_in_another_unit, 0, 8);
    tcase_add_test(t, test_timeline_in_no_unit_that_fits);
    tcase_add_test(t, test_timeline_of_a_trace_in_microseconds);
    tcase_add_test(t, test_timeline_nul_inside);
    tcase_add_test(t, test_timeline_too_many_texts);
    tcase_add_test(t, test_timeline_not_there);
    tcase_add_test(t, test_timeline_every_prefix_reads_or_fails);
    tcase_add_test(t, test_timeline_loop_is_taken_where_the_trace_shows_none);
    tcase_add_test(t, test_timeline_of_a_part_only_that_is_analysed);
    tcase_add_test(t, test_timeline_longer_than_the_window_marks_only_the_window);
    tcase_add_loop_test(t, test_timeline_without_loop_beside_a_trace_without_one, 0, 6);
    tcase_add_test(t, test_timeline_without_loop_leaves_the_trace_its_own);
    tcase_add_test(t, test_timeline_beside_a_given_period_is_only_told);
    tcase_add_test(t, test_timeline_of_another_run_is_refused);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(timeline_csv_suite());
}
