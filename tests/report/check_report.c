#include "model/made.h"
#include "prvcut/signals.h"
#include "report/clocks.h"
#include "report/lines.h"

#include "runner.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct prvcut_vote votes[] = {
    { "calls", PRVCUT_STAND_CHOSEN, 2340000.4, 49, 0.98, { 8300000, 123000000 }, "" },
    { "ipc", PRVCUT_STAND_ABSENT, 0, 0, 0, { 0, 0 }, "the trace has no cycle counter" },
};
static char path[] = "in/app.prv", first_file[] = "app.chop1.prv", second_file[] = "app.chop1.pcf";
static char *files[] = { first_file, second_file };
static char first_note[] = "first note", second_note[] = "second note";
static uint32_t mask_threads[] = { 2, 6 };
static struct made_region phases[] = {
    { .is.kind = PRVCUT_REGION_INITIALISATION,
      .is.level = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 0, 8300000 } },
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 1,
      .is.number = 1,
      .is.loop = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 8300000, 125881000 },
      .is.iterations = 50,
      .is.period_ns = 2340000.4 },
    { .is.kind = PRVCUT_REGION_END,
      .is.level = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 125881000, 213000000 } },
};
static struct made_chop chops[] = {
    { .is.kind = PRVCUT_CHOP_TYPICAL,
      .is.region = 1,
      .is.level = 1,
      .is.number = 1,
      .is.iterations = 2,
      .is.first = 20,
      .is.why = PRVCUT_CHOP_WHY_GIVEN,
      .is.similarity = 0.981,
      .is.align = PRVCUT_ALIGN_AUTO,
      .is.align_why = PRVCUT_ALIGN_WHY_UNKNOWN,
      .cut = { .window = { 56120123, 60810456 },
               .states = 1,
               .events = 8124,
               .bytes = 512345,
               .size = 530000,
               .file = files,
               .files = 2 } },
};

/* A reduction that found a loop, borrowing everything; masks are the caller's. */
static struct made_reduction found(struct prvcut_mask *mask, size_t masks)
{
    struct made_reduction r = {
        .is.path = path,
        .is.format = "paraver",
        .is.suffix = ".prv",
        .is.viewer = "wxparaver",
        .is.numbered = true,
        .is.bytes = 12300000,
        .is.text_bytes = 12300000,
        .is.records = 245310,
        .is.end_ns = 213000000,
        .is.threads = 8,
        .is.periodic = true,
        .is.reason = "",
        .is.period_ns = 2340000.4,
        .is.median_ns = 2249953,
        .is.iterations = 50,
        .is.phase = { 8300000, 125881000 },
        .is.confidence = 0.97,
        .vote = votes,
        .is.votes = 2,
        .structure = { .is.end_ns = 213000000,
                       .is.span = { 0, 213000000 },
                       .region = phases,
                       .is.regions = 3,
                       .is.levels = 1,
                       .is.loops = 1,
                       .is.main = 1,
                       .is.reason = "",
                       .mask = mask,
                       .is.masks = masks },
        .note = { first_note, second_note },
        .is.notes = 2,
        .chop = chops,
        .is.chops = 1,
        .is.elapsed_s = 0.123,
    };

    return r;
}

static struct made_reduction none(void)
{
    struct made_reduction r = found(NULL, 0);

    r.is.periodic = false;
    r.is.reason = "nothing repeats";
    r.is.chops = 0;
    return r;
}

static json_t *json_of(const struct made_reduction *r)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;
    json_t *o;

    ck_assert_int_eq(prvcut_reduction_json(&r->is, &text, &err), PRVCUT_OK);
    o = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(o);
    free(text);
    return o;
}

static json_int_t integer_at(json_t *o, const char *key)
{
    json_t *value = json_object_get(o, key);

    ck_assert_msg(json_is_integer(value), "%s is no integer", key);
    return json_integer_value(value);
}

START_TEST(test_print_json_gives_whole_nanoseconds)
{
    struct prvcut_mask mask = { .cause = PRVCUT_CAUSE_FLUSHING,
                                .span = { 10, 20 },
                                .affected = 2,
                                .thread = mask_threads,
                                .threads = 2 };
    const struct made_reduction r = found(&mask, 1);
    json_t *o = json_of(&r), *m = json_array_get(json_object_get(o, "masked"), 0);
    json_t *window = json_object_get(o, "window");

    ck_assert_str_eq(json_string_value(json_object_get(o, "schema")), "prvcut-reduction");
    ck_assert_int_eq(integer_at(o, "version"), 2);
    ck_assert_int_eq(integer_at(o, "period_ns"), 2340000);
    ck_assert_int_eq(integer_at(json_object_get(o, "phase"), "start_ns"), 8300000);
    ck_assert_int_eq(integer_at(window, "start_ns"), 56120123);
    ck_assert_int_eq(integer_at(window, "end_ns"), 60810456);
    ck_assert_int_eq(integer_at(window, "iterations"), 2);
    ck_assert_int_eq(integer_at(m, "affected"), 2);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(m, "threads"), 0)), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "output")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "phases")), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "notes")), 2);
    json_decref(o);
}
END_TEST

START_TEST(test_print_json_without_period_is_null)
{
    static const char *const keys[] = { "period_ns", "median_ns", "iterations_in_phase",
                                        "phase",     "window",    "cut" };
    const struct made_reduction r = none();
    json_t *o = json_of(&r);

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ck_assert_msg(json_is_null(json_object_get(o, keys[i])), "%s is not null", keys[i]);
    ck_assert_str_eq(json_string_value(json_object_get(o, "reason")), "nothing repeats");
    ck_assert_uint_eq(json_array_size(json_object_get(o, "output")), 0);
    json_decref(o);
}
END_TEST

START_TEST(test_print_json_survives_odd_values)
{
    char latin[] = "caf\xe9.prv";
    struct made_reduction r = found(NULL, 0);
    json_t *o;

    r.is.path = latin;
    r.is.confidence = NAN;
    r.is.bytes = UINT64_MAX;
    o = json_of(&r);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(o, "input"), "path")),
                     "caf\xc3\xa9.prv");
    ck_assert(json_is_null(json_object_get(o, "confidence")));
    ck_assert(json_is_real(json_object_get(json_object_get(o, "input"), "bytes")));
    json_decref(o);
}
END_TEST

static char *text_of(const struct made_reduction *r)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_int_eq(prvcut_reduction_text(&r->is, &text, &err), PRVCUT_OK);
    return text;
}

START_TEST(test_print_text_is_exact)
{
    static const char expected[] =
        "Trace       app.prv, 12.3 MB, 245,310 records, 8 threads, 213ms\n"
        "Loop        50 iterations of 2.25ms, from 8.300ms to 125.881ms\n"
        "Sure        yes (0.97)\n"
        "\n"
        "Signal  Repeats every  Iterations  Strength  Says\n"
        "calls          2.34ms          49      0.98  chosen\n"
        "ipc                 -           -         -  absent  the trace has no cycle\n"
        "                                                     counter\n"
        "\n"
        "Part   Start (ms)  End (ms)    Mean  Iterations\n"
        "start       0.000     8.300\n"
        "loop        8.300   125.881  2.34ms          50\n"
        "end       125.881   213.000\n"
        "\n"
        "Disturbed      Start (ms)  End (ms)  Length  Threads\n"
        "trace flushes      10.000    10.300   300us  2 of 8: 3 7\n"
        "\n"
        "Window      56.120123ms to 60.810456ms: 2 iterations, 4.69ms\n"
        "            alike (0.98)\n"
        "Kept        1 state, 8,124 events\n"
        "Borders     nothing crosses them\n"
        "Size        12.3 MB -> 512 kB, 24 times smaller; all files on disk 530 kB\n"
        "Files       app.chop1.prv\n"
        "            app.chop1.pcf\n"
        "\n"
        "Notes       first note\n"
        "            second note\n"
        "Took        123ms\n";
    struct prvcut_mask mask = { .cause = PRVCUT_CAUSE_FLUSHING,
                                .span = { 10000000, 10300000 },
                                .affected = 2,
                                .thread = mask_threads,
                                .threads = 2 };
    const struct made_reduction r = found(&mask, 1);
    char *text = text_of(&r);

    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

START_TEST(test_print_text_tells_how_many_iterations_masks_touch)
{
    struct made_reduction r = found(NULL, 0);
    char *text;

    r.is.iterations = 5000;
    r.structure.is.iterations_masked = 1016;
    text = text_of(&r);
    ck_assert_ptr_nonnull(strstr(text, "5,000 iterations of 2.25ms, from 8.300ms to 125.881ms\n"
                                       "            1,016 of them disturbed\n"
                                       "Sure        "));
    free(text);
}
END_TEST

/* Two regions of the loop, 36 iterations of 2 ms, between them masks over 14 longer ones. */
static struct made_region spoilt[] = {
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 1,
      .is.number = 1,
      .is.loop = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 8300000, 48300000 },
      .is.iterations = 20,
      .is.period_ns = 2000000 },
    { .is.kind = PRVCUT_REGION_MASKED,
      .is.level = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 48300000, 93881000 } },
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 1,
      .is.number = 2,
      .is.loop = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 93881000, 125881000 },
      .is.iterations = 16,
      .is.period_ns = 2000000 },
};

static struct made_reduction half_spoilt(void)
{
    struct made_reduction r = found(NULL, 0);

    r.structure.region = spoilt;
    r.structure.is.regions = 3;
    r.structure.is.main = 0;
    r.structure.is.iterations_masked = 14;
    r.is.chops = 0;
    return r;
}

START_TEST(test_print_text_adds_up_clear_and_masked_iterations)
{
    struct made_reduction r = half_spoilt();
    char *text = text_of(&r);

    ck_assert_ptr_nonnull(
        strstr(text, "50 iterations of 2.25ms, from 8.300ms to 125.881ms:\n"
                     "            36 undisturbed in 2 regions, mean 2.00ms; 14 disturbed\n"
                     "Sure        "));
    free(text);
    /* Means that are as good as the same are told once. */
    r.is.period_ns = 2050000;
    text = text_of(&r);
    ck_assert_ptr_nonnull(
        strstr(text, "\n            36 undisturbed in 2 regions, 14 disturbed\n"));
    free(text);
    /* What does not add up is not told as if it did. */
    r.is.period_ns = 2340000;
    r.structure.is.iterations_masked = 30;
    text = text_of(&r);
    ck_assert_ptr_nonnull(
        strstr(text, "ms\n            30 of them disturbed; 2.00ms in the undisturbed ones\n"));
    free(text);
}
END_TEST

START_TEST(test_print_json_tells_clear_iterations)
{
    const struct made_reduction r = half_spoilt(), nothing = none();
    json_t *o = json_of(&r);

    ck_assert_double_eq(json_number_value(json_object_get(o, "iterations_clear")), 36);
    ck_assert_int_eq(integer_at(o, "period_clear_ns"), 2000000);
    json_decref(o);
    o = json_of(&nothing);
    ck_assert(json_is_null(json_object_get(o, "iterations_clear")));
    ck_assert(json_is_null(json_object_get(o, "period_clear_ns")));
    json_decref(o);
}
END_TEST

START_TEST(test_print_text_tells_that_a_cut_is_large)
{
    struct made_chop chop = chops[0];
    struct made_reduction r = found(NULL, 0);
    char *text;

    r.chop = &chop;
    chop.cut.bytes = 12300000 * UINT64_C(48) / 100;
    text = text_of(&r);
    ck_assert_ptr_nonnull(strstr(text, "\n            the cut is 48 % of the trace; --level 2 "
                                       "cuts an inner loop, if any\nFiles"));
    free(text);
    chop.cut.bytes = 12300000 / 4;
    text = text_of(&r);
    ck_assert_ptr_null(strstr(text, "the cut is "));
    free(text);
    chop.cut.bytes = 12000000;
    chop.is.level = 2;
    text = text_of(&r);
    ck_assert_ptr_null(strstr(text, "the cut is "));
    free(text);
}
END_TEST

START_TEST(test_print_text_abridges_long_mask_lists)
{
    struct prvcut_mask mask[100];
    struct made_reduction r = found(mask, 100);
    size_t lines = 0;
    char *text;

    for (size_t i = 0; i < 100; i++)
        mask[i] = (struct prvcut_mask){ .cause = PRVCUT_CAUSE_FLUSHING,
                                        .span = { i * 1000000, i * 1000000 + 10000 },
                                        .affected = 2,
                                        .thread = mask_threads,
                                        .threads = 2 };
    text = text_of(&r);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    ck_assert_uint_le(lines, 40);
    ck_assert_ptr_nonnull(
        strstr(text, "100 stretches in all: 100 with trace flushes (1.00ms; 91 in the loop: "
                     "910us);\n            --json lists them\n"));
    free(text);
}
END_TEST

START_TEST(test_print_text_joins_what_masks_part)
{
    struct made_region pieces[] = {
        { .is.kind = PRVCUT_REGION_INITIALISATION, .is.span = { 0, 10000 } },
        { .is.kind = PRVCUT_REGION_PERIODIC,
          .is.loop = 1,
          .is.span = { 10000, 50000 },
          .is.first = 1,
          .is.iterations = 4,
          .is.period_ns = 10000 },
        { .is.kind = PRVCUT_REGION_MASKED,
          .is.span = { 50000, 70000 },
          .is.cause = PRVCUT_CAUSE_FLUSHING },
        { .is.kind = PRVCUT_REGION_PERIODIC,
          .is.loop = 1,
          .is.span = { 70000, 110000 },
          .is.first = 7,
          .is.iterations = 2,
          .is.period_ns = 20000 },
        { .is.kind = PRVCUT_REGION_PERIODIC,
          .is.loop = 2,
          .is.span = { 110000, 140000 },
          .is.iterations = 1,
          .is.period_ns = 30000 },
        { .is.kind = PRVCUT_REGION_PERIODIC,
          .is.loop = 3,
          .is.span = { 110000, 120000 },
          .is.period_ns = 9 },
    };
    struct made_reduction r = found(NULL, 0);
    char *text;

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        pieces[i].is.parent = i == 5 ? 4 : SIZE_MAX;
        pieces[i].is.level = i == 5 ? 2 : 1;
    }
    r.structure.region = pieces;
    r.structure.is.regions = sizeof pieces / sizeof *pieces;
    r.is.end_ns = 140000;
    r.is.period_ns = 10000;
    text = text_of(&r);
    ck_assert_ptr_nonnull(strstr(text,
                                 "Part   Start (us)  End (us)    Mean  Iterations  Disturbed\n"
                                 "start        0.00     10.00\n"
                                 "loop        10.00    110.00  12.5us           8   2 (20 %)\n"
                                 "loop       110.00    140.00  30.0us           1\n\n"));
    free(text);
}
END_TEST

START_TEST(test_print_text_without_period_tells_why)
{
    const struct made_reduction r = none();
    char *text = text_of(&r);

    ck_assert_ptr_nonnull(strstr(text, "Loop        none found: nothing repeats\n"));
    ck_assert_ptr_null(strstr(text, "Window"));
    ck_assert_ptr_null(strstr(text, "Files"));
    free(text);
}
END_TEST

static const struct prvcut_clock_report apart = { .skewed = true,
                                                  .spread_ns = 24460000,
                                                  .doubt_ns = 1782,
                                                  .residual_ns = 500,
                                                  .unknown = 3,
                                                  .source = PRVCUT_CLOCK_SOURCE_MESSAGES };

START_TEST(test_print_text_tells_of_clocks_and_borders)
{
    struct made_chop chop = chops[0];
    struct made_reduction r = found(NULL, 0);
    char *text;

    r.clocks = apart;
    r.chop = &chop;
    chop.is.align = PRVCUT_ALIGN_CALLS;
    chop.is.align_why = PRVCUT_ALIGN_WHY_ASKED;
    chop.is.crossing = 1;
    text = text_of(&r);
    ck_assert_ptr_nonnull(
        strstr(text, "213ms\n"
                     "Clocks      of the ranks were up to 24.5ms apart; brought together by their\n"
                     "            messages, to within 1.78us\n"
                     "            records that still contradict each other: by up to 500ns\n"
                     "            clocks tied to no other: 3\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "alike (0.98)\n            as was asked for; 1 message is split\nKept"));
    free(text);
    chop.is.align = PRVCUT_ALIGN_STRAIGHT;
    text = text_of(&r);
    ck_assert_ptr_nonnull(
        strstr(text, "alike (0.98)\n            one time for all threads: as was asked for\nKept"));
    free(text);
}
END_TEST

START_TEST(test_print_json_tells_of_clocks_and_borders)
{
    struct made_reduction r = found(NULL, 0);
    struct made_chop chop = chops[0];
    const json_t *window, *clocks;
    json_t *o;

    r.clocks = apart;
    r.chop = &chop;
    chop.is.align = PRVCUT_ALIGN_CALLS;
    chop.is.align_why = PRVCUT_ALIGN_WHY_ASKED;
    chop.is.crossing = 7;
    o = json_of(&r);
    window = json_object_get(o, "window");
    clocks = json_object_get(o, "clocks");
    ck_assert_str_eq(json_string_value(json_object_get(window, "align")), "calls");
    ck_assert_str_eq(json_string_value(json_object_get(window, "align_why")), "as was asked for");
    ck_assert_int_eq(json_integer_value(json_object_get(window, "crossing_messages")), 7);
    ck_assert(json_is_true(json_object_get(clocks, "skewed")));
    ck_assert_int_eq(json_integer_value(json_object_get(clocks, "spread_ns")), 24460000);
    ck_assert_int_eq(json_integer_value(json_object_get(clocks, "doubt_ns")), 1782);
    ck_assert_int_eq(json_integer_value(json_object_get(clocks, "residual_ns")), 500);
    ck_assert_int_eq(json_integer_value(json_object_get(clocks, "unknown")), 3);
    ck_assert_str_eq(json_string_value(json_object_get(clocks, "source")), "messages");
    json_decref(o);
}
END_TEST

START_TEST(test_print_text_escapes_names)
{
    char red[] = "a\033[31m.prv";
    struct made_reduction r = found(NULL, 0);
    char *text;

    r.is.path = red;
    text = text_of(&r);
    ck_assert_ptr_null(strchr(text, '\033'));
    free(text);
}
END_TEST

static double two_values[] = { 0.1, 1e-300 };

static struct made_signals signals(struct prvcut_signal *at)
{
    at[0] = (struct prvcut_signal){ 0, "bursts", "ns", 5, 10, two_values, 2, NULL, NULL };
    at[1] =
        (struct prvcut_signal){ 0, "ipc", "instr/cycle", 5, 10, NULL, 2, "no \"cycles\"", NULL };
    return (struct made_signals){ .is = { .count = 2 }, .at = at };
}

START_TEST(test_print_csv_leaves_absent_signals_empty)
{
    struct prvcut_signal at[2];
    const struct made_signals s = signals(at);
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_int_eq(prvcut_signals_csv(&s.is, &text, &err), PRVCUT_OK);
    ck_assert_str_eq(text, "start_ns,bursts,ipc\n5,0.1,\n15,1e-300,\n");
    free(text);
}
END_TEST

START_TEST(test_print_signal_json_reads_back)
{
    struct prvcut_signal at[2];
    const struct made_signals s = signals(at);
    struct prvcut_error err = { 0 };
    char *text = NULL;
    json_t *o, *list;

    ck_assert_int_eq(prvcut_signals_json(&s.is, &text, &err), PRVCUT_OK);
    o = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(o);
    list = json_object_get(o, "signals");
    ck_assert_int_eq(integer_at(o, "start_ns"), 5);
    ck_assert_int_eq(integer_at(o, "width_ns"), 10);
    ck_assert(json_is_null(json_object_get(json_array_get(list, 0), "absent")));
    ck_assert_double_eq(
        json_number_value(json_array_get(json_object_get(json_array_get(list, 0), "values"), 1)),
        1e-300);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(list, 1), "absent")),
                     "no \"cycles\"");
    json_decref(o);
    free(text);
}
END_TEST

/* A value, and how a person should see it. */
static const struct {
    double x;
    const char *time, *size;
} units[] = {
    { 0, "0s", "0 B" },
    { 999, "999ns", "999 B" },
    { 999.4, "999ns", "999 B" },
    { 999.96, "1.00us", "1.00 kB" },
    { 1234, "1.23us", "1.23 kB" },
    { 9999.6, "10.0us", "10.0 kB" },
    { 99996, "100us", "100 kB" },
    { 16.44e6, "16.4ms", "16.4 MB" },
    { 5e9, "5.00s", "5.00 GB" },
    { 3.6e12, "3600s", "3.60 TB" },
};

START_TEST(test_print_units_keeps_three_digits)
{
    char text[32];

    ck_assert_str_eq(prvcut_time_text(text, units[_i].x), units[_i].time);
    ck_assert_str_eq(prvcut_size_text(text, units[_i].x), units[_i].size);
}
END_TEST

/* Numbers without a unit, and with their sign. */
static const struct {
    double x;
    const char *number, *sign;
} numbers[] = {
    { 0, "0", "+0.0" },
    { 0.08, "0.08", "+0.1" },
    { 0.6684, "0.668", "+0.7" },
    { 2, "2", "+2.0" },
    { 2.16, "2.16", "+2.2" },
    { -17.44, "-17.4", "-17.4" },
    { -100, "-100", "-100" },
    { 460, "460", "+460" },
    { 999.6, "1,000", "+1,000" },
    { 5912.4, "5,910", "+5,910" },
    { -43252, "-43,300", "-43,300" },
    { 999499, "999,000", "+999,000" },
    { 999500, "1.00 M", "+1.00 M" },
    { -1.75e10, "-17.5 G", "-17.5 G" },
};

START_TEST(test_print_numbers_keeps_three_digits_and_no_exponent)
{
    char text[32];

    ck_assert_str_eq(report_number(text, numbers[_i].x), numbers[_i].number);
    ck_assert_str_eq(report_signed(text, numbers[_i].x), numbers[_i].sign);
}
END_TEST

START_TEST(test_print_clocks_counts_one_as_once)
{
    const struct prvcut_waits_clock of[] = {
        { .source = "as recorded", .violations = 1, .worst_ns = 5000 },
        { .source = "constant", .before_violations = 1, .before_worst_ns = 5000 },
        { .source = "as recorded", .violations = 1, .worst_ns = 5000, .matching = 1 },
        { .source = "as recorded", .violations = 20, .worst_ns = 5000 },
    };
    static const char *const said[] = {
        "warning: clocks contradict each other once, by up to 5.00us\n",
        "note: clocks brought together; as recorded they contradicted each other once, by up to "
        "5.00us\n",
        "warning: 1 of 400 messages is received before it is sent, by up to 5.00us, on one clock: "
        "the trace ties wrong ends together\n",
        "warning: clocks contradict each other 20 times, by up to 5.00us\n",
    };
    struct report_lines l = { .width = 0 };

    report_put_clocks(&l, "", &of[_i], 400, false);
    report_put(&l, "%c", 0);
    ck_assert_str_eq(l.out.at, said[_i]);
    prvcut_buffer_fini(&l.out);
}
END_TEST

/* What is printed as 0.90 is what the manual calls yes. */
START_TEST(test_print_sureness_judges_what_it_prints)
{
    ck_assert_str_eq(report_sure_word(0.8977), "yes");
    ck_assert_str_eq(report_sure_word(0.894), "fairly");
    ck_assert_str_eq(report_sure_word(0.4951), "fairly");
    ck_assert_str_eq(report_sure_word(0.494), "hardly");
}
END_TEST

START_TEST(test_print_cut_counts_only_what_happened)
{
    const struct prvcut_cut_summary s = { .window = { 1000, 4500 },
                                          .states = 2,
                                          .reopened = 1,
                                          .dropped_messages = 3,
                                          .bytes = 100,
                                          .size = 0 };
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_int_eq(prvcut_cut_summary_text(&s, &text, &err), PRVCUT_OK);
    ck_assert_str_eq(
        text, "Window      1.000us to 4.500us, 3.50us\n"
              "Kept        2 states\n"
              "Borders     1 call opened again at the start, 3 messages left out: one end lies\n"
              "            outside\n"
              "Size        100 B of records (nothing written)\n");
    free(text);
}
END_TEST

static size_t asked, refused;

static void *refuse_one(size_t bytes)
{
    return ++asked == refused ? NULL : malloc(bytes);
}

/* Jansson itself prints on where a key finds no room; the path's length shifts what does not. */
START_TEST(test_print_json_without_memory_is_never_another)
{
    struct made_reduction r = found(NULL, 0);
    struct prvcut_error err = { 0 };
    char *right = NULL, *text = NULL, shift[40] = "";

    memset(shift, 'a', (size_t)_i);
    r.is.path = shift;
    ck_assert_int_eq(prvcut_reduction_json(&r.is, &right, &err), PRVCUT_OK);
    json_set_alloc_funcs(refuse_one, free);
    for (refused = 1; refused == 1 || asked >= refused - 1; refused++) {
        enum prvcut_status st;

        asked = 0;
        memset(&err, 0, sizeof err);
        st = prvcut_reduction_json(&r.is, &text, &err);
        ck_assert(st == PRVCUT_OK || st == PRVCUT_ENOMEM);
        if (st == PRVCUT_OK) {
            ck_assert_msg(strcmp(text, right) == 0, "another text");
            free(text);
        }
    }
    ck_assert_uint_gt(refused, 100);
    json_set_alloc_funcs(malloc, free);
    free(right);
}
END_TEST

static Suite *report_suite(void)
{
    Suite *s = suite_create("report");
    TCase *c = tcase_create("report");

    tcase_add_test(c, test_print_json_gives_whole_nanoseconds);
    tcase_add_test(c, test_print_json_without_period_is_null);
    tcase_add_test(c, test_print_json_survives_odd_values);
    tcase_add_loop_test(c, test_print_json_without_memory_is_never_another, 0, 39);
    tcase_add_test(c, test_print_text_is_exact);
    tcase_add_test(c, test_print_text_tells_how_many_iterations_masks_touch);
    tcase_add_test(c, test_print_text_adds_up_clear_and_masked_iterations);
    tcase_add_test(c, test_print_json_tells_clear_iterations);
    tcase_add_test(c, test_print_text_tells_that_a_cut_is_large);
    tcase_add_test(c, test_print_text_abridges_long_mask_lists);
    tcase_add_test(c, test_print_text_joins_what_masks_part);
    tcase_add_test(c, test_print_text_without_period_tells_why);
    tcase_add_test(c, test_print_text_tells_of_clocks_and_borders);
    tcase_add_test(c, test_print_json_tells_of_clocks_and_borders);
    tcase_add_test(c, test_print_text_escapes_names);
    tcase_add_test(c, test_print_csv_leaves_absent_signals_empty);
    tcase_add_test(c, test_print_signal_json_reads_back);
    tcase_add_loop_test(c, test_print_clocks_counts_one_as_once, 0, 4);
    tcase_add_loop_test(c, test_print_units_keeps_three_digits, 0, sizeof units / sizeof *units);
    tcase_add_loop_test(c, test_print_numbers_keeps_three_digits_and_no_exponent, 0,
                        sizeof numbers / sizeof *numbers);
    tcase_add_test(c, test_print_sureness_judges_what_it_prints);
    tcase_add_test(c, test_print_cut_counts_only_what_happened);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(report_suite());
}
