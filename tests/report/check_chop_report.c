#include "model/made.h"

#include "runner.h"

#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)

static char trace[] = "app.prv", running[] = "Running", wait[] = "MPI_Wait",
            odd_name[] = "MPI_\033X";
static char chop1[] = "app.1.1.prv", outlier1[] = "app.1.1.outlier1.prv", chop2[] = "app.1.2.prv";
static char *files[] = { chop1, outlier1, chop2 };
static struct prvcut_outlier outlier = { 12, { 40 * MS, 52 * MS }, 6.5, PRVCUT_OUTLIER_LONG };
static struct made_region regions[] = {
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 1,
      .is.number = 1,
      .is.loop = 1,
      .is.parent = SIZE_MAX,
      .is.span = { 0, 60 * MS },
      .is.iterations = 6,
      .is.period_ns = 10e6,
      .is.median_ns = 10e6,
      .is.spread_ns = 1e6,
      .outlier = &outlier,
      .is.outliers = 1,
      .is.outliers_seen = 1 },
    { .is.kind = PRVCUT_REGION_PERIODIC,
      .is.level = 1,
      .is.number = 2,
      .is.loop = 2,
      .is.parent = SIZE_MAX,
      .is.span = { 60 * MS, 100 * MS },
      .is.iterations = 8,
      .is.period_ns = 5e6,
      .is.median_ns = 5e6 },
};
static struct prvcut_proof_row rows[] = {
    { PRVCUT_PROOF_OF_CALL, wait, PRVCUT_PROOF_IN_SHARE, 0.2, 0.1, 1, 0.1 },
    { PRVCUT_PROOF_OF_STATE, running, PRVCUT_PROOF_IN_SHARE, 0.7, 0.72, -0.0278, 0.72 },
    { PRVCUT_PROOF_OF_CALL, odd_name, PRVCUT_PROOF_IN_COUNT, 2, 0, INFINITY, 0.01 },
    { PRVCUT_PROOF_OF_TRAFFIC, running, PRVCUT_PROOF_IN_BYTES, 2048, 2000, 0.024, 0.1 },
};
static uint32_t unlike[] = { 0, 3 };
static struct prvcut_span threads[] = { { 10 * MS, 30 * MS }, { 11 * MS, 31 * MS } };

static struct made_chop typical(size_t region, char **file)
{
    return (struct made_chop){
        .is.kind = PRVCUT_CHOP_TYPICAL,
        .is.region = region,
        .is.level = 1,
        .is.number = (unsigned)region + 1,
        .is.iterations = 2,
        .is.first = 1,
        .is.iteration = 2,
        .is.why = PRVCUT_CHOP_WHY_GIVEN,
        .is.similarity = 0.93,
        .is.align = PRVCUT_ALIGN_CALLS,
        .is.align_why = PRVCUT_ALIGN_WHY_ASKED,
        .is.crossing = 2,
        .is.thread = threads,
        .is.threads = 2,
        .is.follow = 2,
        .cut = { .window = { 10 * MS, 31 * MS },
                 .events = 8,
                 .bytes = 1500,
                 .size = 2000,
                 .file = file,
                 .files = 1 },
    };
}

static struct made_proof proof(void)
{
    return (struct made_proof){ .row = rows,
                                .is.rows = sizeof rows / sizeof *rows,
                                .is.verdict = PRVCUT_FAITH_FAIR,
                                .is.worst = 0.1,
                                .is.iterations_region = 6,
                                .is.threads = 4,
                                .is.unlike = 2,
                                .is.unlike_thread = unlike,
                                .is.unlike_threads = 2 };
}

static struct made_reduction reduction(struct made_chop *chop, size_t chops)
{
    return (struct made_reduction){
        .is.path = trace,
        .is.format = "paraver",
        .is.suffix = ".prv",
        .is.viewer = "wxparaver",
        .is.numbered = true,
        .is.bytes = 12300,
        .is.text_bytes = 12300,
        .is.end_ns = 100 * MS,
        .is.threads = 2,
        .is.periodic = true,
        .is.reason = "",
        .is.period_ns = 10e6,
        .is.median_ns = 10e6,
        .is.iterations = 6,
        .structure = { .is.end_ns = 100 * MS,
                       .is.span = { 0, 100 * MS },
                       .region = regions,
                       .is.regions = 2,
                       .is.levels = 1,
                       .is.loops = 2,
                       .is.reason = "" },
        .chop = chop,
        .is.chops = chops,
    };
}

static char *text_of(const struct made_reduction *r)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_int_eq(prvcut_reduction_text(&r->is, &text, &err), PRVCUT_OK);
    return text;
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

static void assert_holds(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "no '%s' in:\n%s", part, text);
}

START_TEST(test_print_proof_is_a_table_worst_first)
{
    struct made_chop one = typical(0, &files[0]);
    const struct made_reduction r = reduction(&one, 1);
    char *text;

    one.proof = proof();
    text = text_of(&r);
    assert_holds(text,
                 "Stands for its loop: ordinary, 2 iterations against 6\n"
                 "                                                    cut     loop    difference\n"
                 "  MPI_Wait                                       20.0 %   10.0 %  +10.0 points\n"
                 "  computing                                      70.0 %   72.0 %   -2.0 points\n"
                 "  MPI_\\x1bX an iteration                              2        0   only in cut\n"
                 "  Running an iteration                          2.05 kB  2.00 kB        +2.4 %\n"
                 "  2 of 4 threads make clearly more or fewer calls than in the loop\n");
    ck_assert_ptr_null(strstr(text, "--json has them all"));
    free(text);
}
END_TEST

START_TEST(test_print_proof_shows_the_ten_worst)
{
    struct prvcut_proof_row many[25];
    struct made_chop one = typical(0, &files[0]);
    const struct made_reduction r = reduction(&one, 1);
    char *text;

    for (size_t i = 0; i < 25; i++)
        many[i] = rows[1];
    one.proof = proof();
    one.proof.row = many;
    one.proof.is.rows = 25;
    text = text_of(&r);
    assert_holds(text, "  and 15 more; --json has them all\n");
    free(text);
}
END_TEST

START_TEST(test_print_several_chops_tells_each_place)
{
    struct made_chop three[] = { typical(0, &files[0]), typical(0, &files[1]),
                                 typical(1, &files[2]) };
    const struct made_reduction r = reduction(three, 3);
    char *text;

    three[1].is.kind = PRVCUT_CHOP_OUTLIER;
    three[1].is.why = PRVCUT_CHOP_WHY_LONG;
    three[1].is.first = 12;
    three[1].is.iteration = 13;
    three[2].is.align = PRVCUT_ALIGN_STRAIGHT;
    three[2].is.crossing = 0;
    three[2].proof = proof();
    text = text_of(&r);
    assert_holds(text, "\nCut 1       region 1.1: 2 iterations\n"
                       "            10.000000ms to 31.000000ms, alike 0.93\n"
                       "            as was asked for; 2 messages are split\n"
                       "            1.50 kB, app.1.1.prv\n"
                       "\n"
                       "Cut 2       region 1.1: iteration 13, long: +"
                       "2.0 spreads from the median, +6.5\n"
                       "            from those around it\n");
    assert_holds(text, "\nCut 3       region 1.2: 2 iterations\n");
    assert_holds(text, "            one time for all threads: as was asked for\n");
    assert_holds(
        text,
        "app.1.2.prv\n            stands for its loop: ordinary; worst MPI_Wait, +10.0 points\n");
    assert_holds(text, "Typical iterations differ most in 1.2:\nStands for its loop: ordinary");
    free(text);
}
END_TEST

/* A line each; all of them are there. */
START_TEST(test_print_very_many_chops_takes_a_line_each)
{
    struct made_chop many[40];
    const struct made_reduction r = reduction(many, 40);
    size_t lines = 0;
    char *text;

    for (size_t i = 0; i < 40; i++)
        many[i] = typical(i % 2, &files[0]);
    text = text_of(&r);
    for (const char *c = text; (c = strstr(c, ", app.1.1.prv")); c++)
        lines++;
    ck_assert_uint_eq(lines, 40);
    assert_holds(text, "Cuts        region 1.1: 2 iterations, borders: calls, 1.50 kB, app.1.1");
    free(text);
}
END_TEST

START_TEST(test_print_chop_of_another_region_tells_which)
{
    struct made_chop one = typical(1, &files[2]);
    const struct made_reduction r = reduction(&one, 1);
    char *text = text_of(&r);

    assert_holds(text, "\n            region 1.2: loop B, 8 iterations of 5.00ms, "
                       "sure: 0.00\n            alike (0.93), of region 1.2 (1 longer)\n");
    free(text);
}
END_TEST

START_TEST(test_print_window_tells_what_a_thread_has)
{
    struct prvcut_span own[] = { { 10 * MS, 14 * MS }, { 11 * MS, 15 * MS + MS / 2 }, { 0, 0 } };
    struct made_chop one = typical(0, &files[0]);
    const struct made_reduction r = reduction(&one, 1);
    char *text = text_of(&r);

    assert_holds(text, "\nWindow      10.000000ms to 31.000000ms: 2 iterations, 20.0ms a thread\n");
    free(text);
    one.is.thread = own;
    one.is.threads = 3;
    text = text_of(&r);
    assert_holds(text, ": 2 iterations, 4.00ms to 4.50ms a thread\n");
    free(text);
    own[0].end = own[0].start + 900000;
    text = text_of(&r);
    assert_holds(text, ": 2 iterations, 900us to 4.50ms a thread\n");
    free(text);
    one.is.thread = NULL;
    text = text_of(&r);
    assert_holds(text, ": 2 iterations, 21.0ms\n");
    free(text);
}
END_TEST

/* The second region repeats the first one's loop; the run's own count knows of masked ones, too. */
START_TEST(test_print_proof_tells_what_is_compared)
{
    struct made_region same[] = { regions[0], regions[1] };
    struct made_chop one = typical(0, &files[0]);
    struct made_reduction r = reduction(&one, 1);
    char *text;

    same[1].is.loop = 1;
    same[0].is.loop_iterations = same[1].is.loop_iterations = 20;
    r.structure.region = same;
    r.is.iterations = 20;
    one.proof = proof();
    one.proof.is.verdict = PRVCUT_FAITH_FAITHFUL;
    one.proof.is.iterations_region = 6;
    text = text_of(&r);
    assert_holds(text, "Stands for region 1.1: typical, 2 iterations against 6");
    free(text);
    r.is.phase = (struct prvcut_span){ 0, 100 * MS };
    r.structure.is.iterations_masked = 6;
    one.proof.is.verdict = PRVCUT_FAITH_DOUBTFUL;
    one.proof.is.iterations_region = 3.4;
    one.is.iterations = 1;
    text = text_of(&r);
    assert_holds(text, "Stands for region 1.1: unusual, 1 iteration against 3.4");
    free(text);
    one.proof = (struct made_proof){ .is.verdict = PRVCUT_FAITH_UNKNOWN };
    text = text_of(&r);
    assert_holds(text, "Stands for its loop: unknown, there is nothing to compare\n");
    free(text);
}
END_TEST

/* The first line and two more say it; each share once, though its state is a row, too. */
START_TEST(test_print_brief_of_a_cut_that_misleads)
{
    struct prvcut_proof_row worst[] = {
        { PRVCUT_PROOF_OF_CALL, wait, PRVCUT_PROOF_IN_SHARE, 0.6, 0.4, 0.5, 0.4 },
        { PRVCUT_PROOF_OF_STATE, odd_name, PRVCUT_PROOF_IN_SHARE, 0.6, 0.4, 0.5, 0.4 },
        { PRVCUT_PROOF_OF_CALL, running, PRVCUT_PROOF_IN_SHARE, 0.2, 0.4, -0.5, 0.4 },
    };
    struct made_chop one = typical(0, &files[0]);
    struct made_reduction r = reduction(&one, 1);
    struct made_region all[] = { regions[0], regions[1] };
    struct prvcut_error err = { 0 };
    char *text;

    all[0].is.loop_iterations = 6;
    r.structure.region = all;
    r.structure.is.main = 0;
    one.proof =
        (struct made_proof){ .is.verdict = PRVCUT_FAITH_DOUBTFUL, .row = worst, .is.rows = 3 };
    r.typed = trace;
    r.is.format = "paraver";
    r.is.suffix = ".prv";
    r.is.viewer = "wxparaver";
    r.is.numbered = true;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, "app.1.1.prv: 2 of 6 iterations, 1.50 kB of 12.3 kB - NOT typical\n");
    assert_holds(text, "\nCut         iterations 2-3, ");
    assert_holds(text,
                 "\nStands for  the loop, unusual: MPI_Wait 60 % here, 40 % there; Running 20 %,\n"
                 "            40 %\n");
    ck_assert_ptr_null(strstr(text, "more of them"));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    free(text);
}
END_TEST

/* Shares of time as in the loop do not help where the lengths are far from the others'. */
START_TEST(test_print_brief_of_a_cut_that_is_far_longer)
{
    uint64_t border[] = { 0, 10 * MS, 20 * MS, 120 * MS, 130 * MS, 140 * MS, 150 * MS };
    struct made_region all[] = { regions[0], regions[1] };
    struct made_chop one = typical(0, &files[0]);
    struct made_reduction r = reduction(&one, 1);
    struct prvcut_error err = { 0 };
    char *text;

    all[0].is.loop_iterations = 6;
    all[0].is.median_ns = 10 * MS;
    all[0].is.spread_ns = MS;
    all[0].is.border = border;
    all[0].is.borders = 7;
    r.structure.region = all;
    r.structure.is.main = 0;
    r.is.median_ns = 10 * MS;
    one.is.iterations = 1;
    one.is.first = 2;
    one.is.iteration = 3;
    one.proof = (struct made_proof){
        .is.verdict = PRVCUT_FAITH_FAITHFUL, .row = rows, .is.rows = 1, .is.iterations_region = 6
    };
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, "- NOT typical");
    assert_holds(text, ", unusual: 10 times as long as the median");
    free(text);
    one.is.first = 3;
    one.is.iteration = 4;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    ck_assert_ptr_null(strstr(text, "NOT typical"));
    assert_holds(text, ", typical: no share");
    free(text);
    one.proof.is.iterations_region = 4;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, ", few to compare: no share");
    free(text);
}
END_TEST

/* What is outside calls is computing only as far as states say so. */
START_TEST(test_print_brief_of_what_is_no_computing)
{
    static char outside[] = "outside MPI", io[] = "I/O", team[] = "Scheduling",
                one_call[] = "Wait/WaitAll";
    struct prvcut_proof_row shares[] = {
        { PRVCUT_PROOF_OF_CALL, wait, PRVCUT_PROOF_IN_SHARE, 0.71, 0.7, 0, 0.01 },
        { PRVCUT_PROOF_OF_STATE, one_call, PRVCUT_PROOF_IN_SHARE, 0.711, 0.7, 0, 0.01 },
        { PRVCUT_PROOF_OF_CALL, outside, PRVCUT_PROOF_IN_SHARE, 0.29, 0.3, 0, 0.01 },
        { PRVCUT_PROOF_OF_STATE, running, PRVCUT_PROOF_IN_SHARE, 0.03, 0.3, 0, 0.01 },
        { PRVCUT_PROOF_OF_STATE, io, PRVCUT_PROOF_IN_SHARE, 0.25, 0, 0, 0.01 },
        { PRVCUT_PROOF_OF_STATE, team, PRVCUT_PROOF_IN_SHARE, 0.01, 0, 0, 0.01 },
    };
    struct made_chop one = typical(0, &files[0]);
    struct made_reduction r = reduction(&one, 1);
    struct prvcut_error err = { 0 };
    char *text;

    one.proof =
        (struct made_proof){ .is.verdict = PRVCUT_FAITH_FAITHFUL, .row = shares, .is.rows = 6 };
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, "\nTime        71 % MPI_Wait, 25 % I/O, 3 % computing\n");
    free(text);
    shares[4].chop = 0.1;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, "\nTime        71 % MPI_Wait, 26 % neither computing nor in calls, "
                       "3 % computing\n");
    free(text);
    /* What the windows measure outside calls is called so. */
    one.is.windows = 20;
    one.is.verdict = PRVCUT_CHOP_IS_TYPICAL;
    one.is.worst = PRVCUT_QUANTITY_USEFUL;
    one.is.value = 0.29;
    one.is.usual = 0.31;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, "outside MPI 29 %, usually 31 %\n");
    free(text);
    shares[3].chop = 0.28;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text, "\nTime        71 % MPI_Wait, 29 % computing\n");
    assert_holds(text, ": computing 29 %, usually 31 %\n");
    free(text);
    /* Others do something, too: of whose time the shares are. */
    one.callers = 8;
    shares[3].chop = 0.03;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    assert_holds(text,
                 "outside MPI 29 %, usually 31 %, of\n            the 8 threads that make calls\n");
    free(text);
    one.is.worst = PRVCUT_QUANTITY_LENGTH;
    ck_assert(prvcut_reduction_brief(&r.is, 80, &text, &err) == PRVCUT_OK);
    ck_assert_ptr_null(strstr(text, "threads that make calls"));
    free(text);
}
END_TEST

static const json_t *member(const json_t *o, const char *key)
{
    const json_t *value = json_object_get(o, key);

    ck_assert_msg(value != NULL, "no %s", key);
    return value;
}

START_TEST(test_print_chops_json_has_all)
{
    struct made_chop two[] = { typical(0, &files[0]), typical(0, &files[1]) };
    const struct made_reduction r = reduction(two, 2);
    const json_t *first, *second, *p, *row;
    json_t *o;

    two[0].proof = proof();
    two[1].is.kind = PRVCUT_CHOP_OUTLIER;
    two[1].is.thread = NULL;
    two[1].is.first = UINT64_MAX;
    two[1].is.iteration = 0;
    o = json_of(&r);
    ck_assert_uint_eq(json_array_size(member(o, "chops")), 2);
    first = json_array_get(member(o, "chops"), 0);
    second = json_array_get(member(o, "chops"), 1);
    ck_assert_str_eq(json_string_value(member(first, "name")), "1.1");
    ck_assert_str_eq(json_string_value(member(second, "name")), "1.1.outlier1");
    ck_assert_int_eq(json_integer_value(member(first, "first_iteration")), 2);
    ck_assert_int_eq(json_integer_value(member(first, "last_iteration")), 3);
    ck_assert_str_eq(json_string_value(member(first, "region")), "1.1");
    ck_assert(json_is_null(member(second, "first_iteration")));
    ck_assert(json_is_null(member(member(second, "window"), "similarity")));
    ck_assert_int_eq(json_integer_value(member(member(first, "window"), "iterations")), 2);
    ck_assert_uint_eq(json_array_size(member(first, "threads")), 2);
    ck_assert_int_eq(
        json_integer_value(member(json_array_get(member(first, "threads"), 1), "end_ns")),
        31000000);
    ck_assert(json_is_null(member(second, "threads")));
    ck_assert(json_is_null(member(second, "proof")));
    p = member(first, "proof");
    ck_assert_str_eq(json_string_value(member(p, "verdict")), "fair");
    ck_assert_int_eq(json_integer_value(json_array_get(member(p, "unlike_threads"), 1)), 4);
    ck_assert_uint_eq(json_array_size(member(p, "rows")), 4);
    row = json_array_get(member(p, "rows"), 2);
    ck_assert(json_is_null(member(row, "error")));
    ck_assert_double_eq(json_number_value(member(row, "chop")), 2);
    /* The first one is also where readers of a single one look. */
    ck_assert_int_eq(json_integer_value(member(member(o, "window"), "start_ns")), 10000000);
    ck_assert_str_eq(json_string_value(member(member(o, "structure"), "schema")),
                     "prvcut-structure");
    ck_assert(json_is_null(member(o, "page")));
    json_decref(o);
}
END_TEST

static Suite *chop_report_suite(void)
{
    Suite *s = suite_create("chop_report");
    TCase *t = tcase_create("chops");

    tcase_add_test(t, test_print_proof_is_a_table_worst_first);
    tcase_add_test(t, test_print_proof_shows_the_ten_worst);
    tcase_add_test(t, test_print_several_chops_tells_each_place);
    tcase_add_test(t, test_print_very_many_chops_takes_a_line_each);
    tcase_add_test(t, test_print_chop_of_another_region_tells_which);
    tcase_add_test(t, test_print_window_tells_what_a_thread_has);
    tcase_add_test(t, test_print_proof_tells_what_is_compared);
    tcase_add_test(t, test_print_brief_of_a_cut_that_misleads);
    tcase_add_test(t, test_print_brief_of_what_is_no_computing);
    tcase_add_test(t, test_print_brief_of_a_cut_that_is_far_longer);
    tcase_add_test(t, test_print_chops_json_has_all);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(chop_report_suite());
}
