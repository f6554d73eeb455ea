#include "model/made.h"

#include "runner.h"

#include <check.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)

static struct prvcut_vote votes[] = {
    { "calls", PRVCUT_STAND_CHOSEN, 10e6, 8, 0.98, { 20 * MS, 100 * MS }, "" },
    { "ipc", PRVCUT_STAND_ABSENT, 0, 0, 0, { 0, 0 }, "the trace has no cycle counter" },
};
static struct prvcut_outlier outliers[] = {
    { 3, { 50 * MS, 62 * MS }, 7.25, PRVCUT_OUTLIER_LONG },
    { 6, { 80 * MS, 88 * MS }, -3.5, PRVCUT_OUTLIER_SHORT },
};
static struct prvcut_departure departures[] = { { 2, 3, 2, 4 }, { 5, 0, 1, -1 } };
static uint64_t borders[] = { 20 * MS, 30 * MS, 40 * MS };

/* An initialisation, a loop with an inner one, an end. */
static struct made_region nested[] = {
    { .is.kind = PRVCUT_REGION_INITIALISATION,
      .is.level = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 0, 20 * MS } },
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 1,
      .is.number = 1,
      .is.loop = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 20 * MS, 100 * MS },
      .is.iterations = 8,
      .is.period_ns = 10e6,
      .is.median_ns = 9.9e6,
      .is.first_ns = 10.1e6,
      .is.last_ns = 11e6,
      .is.spread_ns = 1e5,
      .is.confidence = 0.97,
      .is.found_by = PRVCUT_FOUND_BY_CALLS,
      .is.metric = "",
      .is.alphabet = "call+peer",
      .is.calls_per_iteration = 37,
      .is.examined = 4,
      .is.followers = 3,
      .is.example = { 30 * MS, 40 * MS },
      .vote = votes,
      .is.votes = 2,
      .is.border = borders,
      .is.borders = 3,
      .outlier = outliers,
      .is.outliers = 2,
      .is.outliers_seen = 2,
      .departure = departures,
      .is.departures = 2 },
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 2,
      .is.number = 1,
      .is.loop = 2,
      .is.parent = 1,
      .is.span = { 30 * MS, 38 * MS },
      .is.iterations = 4,
      .is.period_ns = 2e6,
      .is.median_ns = 2e6,
      .is.first_ns = 2e6,
      .is.last_ns = 2e6,
      .is.confidence = 0.5,
      .is.found_by = PRVCUT_FOUND_BY_SIGNAL,
      .is.metric = "p2p",
      .is.alphabet = "" },
    { .is.kind = PRVCUT_REGION_END,
      .is.level = 2,
      .is.parent = 1,
      .is.span = { 38 * MS, 40 * MS } },
    { .is.kind = PRVCUT_REGION_MASKED,
      .is.cause = PRVCUT_CAUSE_FLUSHING,
      .is.level = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 100 * MS, 110 * MS } },
    { .is.kind = PRVCUT_REGION_END,
      .is.level = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 110 * MS, 120 * MS } },
};

static struct made_structure structure(struct prvcut_mask *mask)
{
    const struct made_structure s = { .is.end_ns = 120 * MS,
                                      .is.span = { 0, 120 * MS },
                                      .region = nested,
                                      .is.regions = sizeof nested / sizeof *nested,
                                      .is.levels = 2,
                                      .is.loops = 2,
                                      .is.main = 1,
                                      .is.reason = "",
                                      .mask = mask,
                                      .is.masks = 1 };

    *mask = (struct prvcut_mask){ .cause = PRVCUT_CAUSE_FLUSHING, .span = { 100 * MS, 110 * MS } };
    return s;
}

static char *printed(enum prvcut_status (*print)(const struct prvcut_structure *, char **,
                                                 struct prvcut_error *),
                     const struct made_structure *s)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_msg(print(&s->is, &text, &err) == PRVCUT_OK, "%s", err.text);
    return text;
}

static enum prvcut_status brief(const struct prvcut_structure *s, char **text,
                                struct prvcut_error *err)
{
    return prvcut_structure_brief(s, 80, text, err);
}

START_TEST(test_print_structure_text_is_exact)
{
    static const char expected[] =
        "Structure   2 levels, 2 loops, 2 regions\n"
        "Span        0.0ms to 120.0ms of 120ms\n"
        "Disturbed   1 stretch in all: 1 with trace flushes (10.0ms; none in the loop)\n"
        "            a stretch holds all threads' flushes that are near each other, and\n"
        "            an iteration more\n"
        "\n"
        "Level 1          Start (ms)  End (ms)  Iterations    Mean  Loop  Sure  Found by\n"
        "  start                 0.0      20.0\n"
        "  1.1                  20.0     100.0           8  10.0ms     A  0.97  calls\n"
        "  trace flushes       100.0     110.0\n"
        "  end                 110.0     120.0\n"
        "\n"
        "Inside the iteration of loop A from 30.00ms to 40.00ms:\n"
        "Level 2  Start (ms)  End (ms)  Iterations    Mean  Loop  Sure  Found by\n"
        "  2.1         30.00     38.00           4  2.00ms     B  0.50  p2p\n"
        "  end         38.00     40.00\n"
        "\n"
        "Lengths   First  Median    Last  Spread  Calls  Threads  Compared\n"
        "  1.1    10.1ms  9.90ms  11.0ms   100us     37   3 of 4  call+peer\n"
        "  2.1    2.00ms  2.00ms  2.00ms      0s      -        -\n"
        "\n"
        "Unusual (spreads from the median; from what is usual around it)\n"
        "  1.1: iterations 3 (long, +21.0, +7.2), 6 (short, -19.0, -3.5)\n"
        "\n"
        "Other calls than usual\n"
        "  1.1: iteration 2 and every 3 from there, +4 calls; iteration 5, -1 call\n"
        "\n"
        "Loop A  Repeats every  Iterations  Strength  Says\n"
        "calls          10.0ms           8      0.98  chosen\n"
        "ipc                 -           -         -  absent  the trace has no cycle\n"
        "                                                     counter\n";
    struct prvcut_mask mask;
    const struct made_structure s = structure(&mask);
    char *text = printed(prvcut_structure_text, &s);

    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

START_TEST(test_print_structure_tree_is_exact)
{
    static const char expected[] =
        "run, 120ms\n"
        "|- start, 20.0ms\n"
        "|- 1.1, 80.0ms: loop A, 8 iterations, mean 10.0ms, sure: 0.97\n"
        "|  |- 2.1, 8.00ms: loop B, 4 iterations, mean 2.00ms, sure: 0.50\n"
        "|  `- end, 2.00ms\n"
        "|- disturbed (trace flushes), 10.0ms\n"
        "`- end, 10.0ms\n";
    struct prvcut_mask mask;
    const struct made_structure s = structure(&mask);
    char *text = printed(prvcut_structure_tree, &s);

    ck_assert_str_eq(text, expected);
    free(text);
}
END_TEST

static json_int_t integer_at(const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    ck_assert_msg(json_is_integer(value), "%s is no integer", key);
    return json_integer_value(value);
}

START_TEST(test_print_structure_json_has_all)
{
    struct prvcut_mask mask;
    const struct made_structure s = structure(&mask);
    char *text = printed(prvcut_structure_json, &s);
    json_t *o = json_loads(text, 0, NULL);
    const json_t *regions = json_object_get(o, "regions"), *outer, *inner, *odd, *departs;

    ck_assert_ptr_nonnull(o);
    ck_assert_str_eq(json_string_value(json_object_get(o, "schema")), "prvcut-structure");
    ck_assert_int_eq(integer_at(o, "version"), 2);
    ck_assert_int_eq(integer_at(o, "end_ns"), 120000000);
    ck_assert_int_eq(integer_at(o, "levels"), 2);
    ck_assert_int_eq(integer_at(o, "loops"), 2);
    ck_assert_int_eq(integer_at(o, "main"), 1);
    ck_assert_uint_eq(json_array_size(regions), s.is.regions);
    outer = json_array_get(regions, 1);
    inner = json_array_get(regions, 2);
    ck_assert(json_is_null(json_object_get(outer, "parent")));
    ck_assert_int_eq(integer_at(inner, "parent"), 1);
    ck_assert_int_eq(integer_at(outer, "period_ns"), 10000000);
    ck_assert_int_eq(integer_at(outer, "last_ns"), 11000000);
    ck_assert_int_eq(integer_at(outer, "followers"), 3);
    ck_assert_int_eq(integer_at(json_object_get(outer, "example"), "start_ns"), 30000000);
    ck_assert(json_is_null(json_object_get(inner, "example")));
    ck_assert_uint_eq(json_array_size(json_object_get(outer, "borders_ns")), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(outer, "votes")), 2);
    odd = json_array_get(json_object_get(outer, "outliers"), 1);
    ck_assert_int_eq(integer_at(odd, "iteration"), 6);
    ck_assert_double_eq(json_number_value(json_object_get(odd, "deviation")), -3.5);
    departs = json_object_get(outer, "departures");
    ck_assert_int_eq(integer_at(json_array_get(departs, 0), "every"), 3);
    ck_assert(json_is_null(json_object_get(json_array_get(departs, 1), "every")));
    ck_assert_int_eq(integer_at(json_array_get(departs, 1), "calls"), -1);
    ck_assert(json_is_null(json_object_get(json_array_get(regions, 0), "iterations")));
    ck_assert_uint_eq(json_array_size(json_object_get(o, "masked")), 1);
    json_decref(o);
    free(text);
}
END_TEST

/* A loop that is spoilt again and again. */
#define SPOILT 300

static struct made_region *spoilt(void)
{
    struct made_region *r = calloc(2 * SPOILT, sizeof *r);

    ck_assert_ptr_nonnull(r);
    for (unsigned i = 0; i < SPOILT; i++) {
        r[2 * i] = (struct made_region){ .is.kind = PRVCUT_REGION_PERIODIC,
                                         .is.level = 1,
                                         .is.number = i + 1,
                                         .is.loop = 1,
                                         .is.parent = SIZE_MAX,
                                         .is.span = { 10 * i * MS, (10 * i + 8) * MS },
                                         .is.first = 10 * i + 1,
                                         .is.iterations = 8,
                                         .is.period_ns = 1e6,
                                         .is.confidence = 0.9,
                                         .is.found_by = PRVCUT_FOUND_BY_CALLS,
                                         .is.metric = "" };
        r[2 * i + 1] = (struct made_region){ .is.kind = i + 1 < SPOILT ? PRVCUT_REGION_MASKED
                                                                       : PRVCUT_REGION_END,
                                             .is.cause = PRVCUT_CAUSE_FLUSHING,
                                             .is.level = 1,
                                             .is.parent = SIZE_MAX,
                                             .is.span = { (10 * i + 8) * MS, 10 * (i + 1) * MS } };
    }
    return r;
}

START_TEST(test_print_structure_lists_votes_by_loop)
{
    static struct prvcut_vote vote = { "calls", PRVCUT_STAND_CHOSEN, 1e6, 8, 0.9, { 0, 1 }, "" };
    struct made_region r[3];
    struct made_structure s = { .is.end_ns = 30 * MS,
                                .is.span = { 0, 30 * MS },
                                .region = r,
                                .is.regions = 3,
                                .is.levels = 1,
                                .is.loops = 3,
                                .is.reason = "" };
    static const unsigned order[] = { 1, 3, 2 };
    char *text;

    for (unsigned i = 0; i < 3; i++)
        r[i] = (struct made_region){ .is.kind = PRVCUT_REGION_PERIODIC,
                                     .is.level = 1,
                                     .is.number = i + 1,
                                     .is.loop = order[i],
                                     .is.parent = SIZE_MAX,
                                     .is.span = { 10 * i * MS, 10 * (i + 1) * MS },
                                     .is.iterations = 1,
                                     .is.period_ns = 1e6,
                                     .vote = &vote,
                                     .is.votes = 1 };
    text = printed(prvcut_structure_text, &s);
    ck_assert_ptr_nonnull(strstr(text, "\nLoop A "));
    ck_assert_ptr_nonnull(strstr(text, "\nLoop B "));
    ck_assert(strstr(text, "\nLoop A ") < strstr(text, "\nLoop B "));
    ck_assert(strstr(text, "\nLoop B ") < strstr(text, "\nLoop C "));
    free(text);
    text = printed(prvcut_structure_tree, &s);
    ck_assert_ptr_nonnull(strstr(text, ": loop C, 1 iteration, mean 1.00ms"));
    free(text);
}
END_TEST

/* A long period does not leave the run's own decimals out. */
START_TEST(test_print_structure_of_long_iterations_keeps_decimals)
{
    struct made_region r = { .is.kind = PRVCUT_REGION_PERIODIC,
                             .is.level = 1,
                             .is.number = 1,
                             .is.loop = 1,
                             .is.parent = SIZE_MAX,
                             .is.span = { 74600000, 554200000 },
                             .is.iterations = 4,
                             .is.period_ns = 119.9e6 };
    const struct made_structure s = { .is.end_ns = 573600000,
                                      .is.span = { 0, 573600000 },
                                      .region = &r,
                                      .is.regions = 1,
                                      .is.levels = 1,
                                      .is.loops = 1,
                                      .is.reason = "" };
    char *text = printed(prvcut_structure_text, &s);

    ck_assert_ptr_nonnull(strstr(text, "  74.6     554.2"));
    free(text);
}
END_TEST

/* One mask, one place. */
START_TEST(test_print_structure_counts_one_mask_as_one)
{
    struct made_region *r = spoilt();
    const struct made_structure s = { .is.end_ns = 400 * MS,
                                      .is.span = { 0, 400 * MS },
                                      .region = r,
                                      .is.regions = 40,
                                      .is.levels = 1,
                                      .is.loops = 38,
                                      .is.reason = "" };
    char *text;

    /* Two regions of one loop, then as many loops as regions: enough pieces to be folded. */
    for (unsigned i = 4; i < 40; i++)
        r[i].is.loop = i;
    text = printed(prvcut_structure_text, &s);
    ck_assert_ptr_nonnull(strstr(text, "11 % disturbed\n"));
    free(text);
    text = printed(prvcut_structure_tree, &s);
    ck_assert_msg(strstr(text, " undisturbed, mean ") != NULL, "%s", text);
    free(text);
    free(r);
}
END_TEST

static size_t lines_of(const char *text)
{
    size_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

START_TEST(test_print_structure_folds_hundreds_of_regions)
{
    const struct made_structure s = { .is.end_ns = 10 * SPOILT * MS,
                                      .is.span = { 0, 10 * SPOILT * MS },
                                      .region = spoilt(),
                                      .is.regions = 2 * SPOILT,
                                      .is.levels = 1,
                                      .is.loops = 1,
                                      .is.reason = "" };
    char *text = printed(prvcut_structure_text, &s);

    ck_assert_uint_lt(lines_of(text), 40);
    ck_assert_ptr_nonnull(strstr(text, "  1.1-1.300"));
    /* 300 times 8 iterations, and 299 times 2 disturbed ones in 2998 ms. */
    ck_assert_ptr_nonnull(strstr(text, " 2,998  1.00ms"));
    ck_assert_ptr_nonnull(strstr(text, "20 % disturbed\n"));
    ck_assert_ptr_nonnull(strstr(text, "and 288 more; --json has them all\n"));
    free(text);
    text = printed(prvcut_structure_tree, &s);
    ck_assert_uint_eq(lines_of(text), 3);
    ck_assert_msg(strstr(text, ", 2,400 of 2,998 undisturbed, mean 1.00ms") != NULL, "%s", text);
    free(text);
    free(s.region);
}
END_TEST

/* The length of a row that stands for several regions is that of all iterations, whatever region
   they are in: 1 ms in the median here, where the mean of the regions' medians is another. */
START_TEST(test_print_structure_tells_median_of_folded_iterations)
{
    static uint64_t border[2 * SPOILT][4];
    struct made_region *r = spoilt();
    const struct made_structure s = { .is.end_ns = 10 * SPOILT * MS,
                                      .is.span = { 0, 10 * SPOILT * MS },
                                      .region = r,
                                      .is.regions = 2 * SPOILT,
                                      .is.levels = 1,
                                      .is.loops = 1,
                                      .is.reason = "" };
    char *text;

    for (unsigned i = 0; i < 2 * SPOILT; i++) {
        if (r[i].is.loop == 0)
            continue;
        /* One of ten regions has one iteration, ten times as long; the others have three. */
        for (unsigned k = 0; k < 4; k++)
            border[i][k] = r[i].is.span.start + k * (i % 20 < 2 ? 10 * MS : MS);
        r[i].is.border = border[i];
        r[i].is.borders = i % 20 < 2 ? 2 : 4;
        r[i].is.median_ns = i % 20 < 2 ? 10 * MS : MS;
    }
    text = printed(brief, &s);
    ck_assert_msg(strstr(text, "72  1.00ms  A; disturbed 8 times") != NULL, "%s", text);
    free(text);
    free(r);
}
END_TEST

/* What a row says at its end goes on under itself, where the terminal is narrow. */
START_TEST(test_print_structure_brief_fits_the_width)
{
    struct made_region r = { .is.kind = PRVCUT_REGION_PERIODIC,
                             .is.level = 1,
                             .is.number = 1,
                             .is.loop = 1,
                             .is.parent = SIZE_MAX,
                             .is.span = { 0, 470 * MS },
                             .is.iterations = 50,
                             .is.first = 1,
                             .is.loop_iterations = 50,
                             .is.median_ns = 9.42 * MS,
                             .is.spread_ns = 3.82 * MS,
                             .is.first_ns = 66.8 * MS,
                             .is.calls_per_iteration = 46,
                             .is.outliers_seen = 4 };
    const struct made_structure s = { .is.end_ns = 1000 * MS,
                                      .is.span = { 0, 1000 * MS },
                                      .region = &r,
                                      .is.regions = 1,
                                      .is.levels = 1,
                                      .is.loops = 1,
                                      .is.by_rank = true,
                                      .is.reason = "" };
    struct prvcut_error err = { 0 };
    char *narrow = NULL, *wide = NULL;

    ck_assert_int_eq(prvcut_structure_brief(&s.is, 72, &narrow, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_structure_brief(&s.is, 132, &wide, &err), PRVCUT_OK);
    ck_assert_msg(strstr(narrow, "Loop: calls a") != NULL, "%s", narrow);
    ck_assert_ptr_null(strstr(narrow, "A: 46; 4 unusual; first 66.8ms\n"));
    for (const char *at = narrow; *at; at += strcspn(at, "\n") + 1)
        ck_assert_msg(strcspn(at, "\n") <= 73, "%s", at);
    ck_assert_msg(strstr(wide, "A: 46; 4 unusual; first 66.8ms\n") != NULL, "%s", wide);
    free(narrow);
    free(wide);
}
END_TEST

/* What cannot be folded is cut short. */
START_TEST(test_print_structure_cuts_long_tables_short)
{
    struct made_structure s = { .is.end_ns = 10 * SPOILT * MS,
                                .is.span = { 0, 10 * SPOILT * MS },
                                .region = spoilt(),
                                .is.regions = 2 * SPOILT,
                                .is.levels = 1,
                                .is.loops = SPOILT,
                                .is.reason = "" };
    char *text;

    for (unsigned i = 0; i < SPOILT; i++)
        s.region[2 * i].is.loop = i + 1;
    text = printed(prvcut_structure_text, &s);
    ck_assert_uint_lt(lines_of(text), 80);
    ck_assert_ptr_nonnull(strstr(text, "and 568 more; --json has them all\n"));
    free(text);
    text = printed(prvcut_structure_tree, &s);
    ck_assert_uint_lt(lines_of(text), 80);
    free(text);
    free(s.region);
}
END_TEST

START_TEST(test_print_structure_without_loop_tells_why)
{
    struct made_region all = { .is.kind = PRVCUT_REGION_APERIODIC,
                               .is.level = 1,
                               .is.parent = SIZE_MAX,
                               .is.span = { 0, 5 } };
    const struct made_structure s = { .is.end_ns = 5,
                                      .is.span = { 0, 5 },
                                      .region = &all,
                                      .is.regions = 1,
                                      .is.main = SIZE_MAX,
                                      .is.reason = "nothing repeats" };
    char *text = printed(prvcut_structure_text, &s);
    json_t *o;

    ck_assert_str_eq(text, "Structure   no loop found: nothing repeats\n"
                           "Span        0ns to 5ns of 5ns\n"
                           "\n"
                           "Level 1    Start (ns)  End (ns)\n"
                           "  no loop           0         5\n");
    free(text);
    text = printed(prvcut_structure_tree, &s);
    ck_assert_str_eq(text, "run, 5ns: no loop found: nothing repeats\n`- no loop, 5ns\n");
    free(text);
    text = printed(prvcut_structure_json, &s);
    o = json_loads(text, 0, NULL);
    ck_assert(json_is_null(json_object_get(o, "main")));
    ck_assert_str_eq(json_string_value(json_object_get(o, "reason")), "nothing repeats");
    json_decref(o);
    free(text);
}
END_TEST

static Suite *structure_report_suite(void)
{
    Suite *s = suite_create("structure_report");
    TCase *t = tcase_create("structure");

    tcase_add_test(t, test_print_structure_text_is_exact);
    tcase_add_test(t, test_print_structure_tree_is_exact);
    tcase_add_test(t, test_print_structure_json_has_all);
    tcase_add_test(t, test_print_structure_folds_hundreds_of_regions);
    tcase_add_test(t, test_print_structure_tells_median_of_folded_iterations);
    tcase_add_test(t, test_print_structure_lists_votes_by_loop);
    tcase_add_test(t, test_print_structure_of_long_iterations_keeps_decimals);
    tcase_add_test(t, test_print_structure_counts_one_mask_as_one);
    tcase_add_test(t, test_print_structure_brief_fits_the_width);
    tcase_add_test(t, test_print_structure_cuts_long_tables_short);
    tcase_add_test(t, test_print_structure_without_loop_tells_why);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(structure_report_suite());
}
