#include "made.h"

#include "prvcut/json.h"
#include "report/page_said.h"
#include "runner.h"

#include <jansson.h>
#include <stdio.h>

#define LIMIT 2000000 /* bytes of a page */

static json_t *data_of(json_t *report, const char *name)
{
    return json_object_get(json_object_get(report, "drawn"), name);
}

static const struct made_plan small = { 50, 1, 8, 400, 30, 3, "app.prv" };

static char *page_of(struct made *m)
{
    struct prvcut_error err = { 0 };
    char *text = NULL;

    ck_assert_int_eq(prvcut_page_html(&m->page, &text, &err), PRVCUT_OK);
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static json_t *report_in(const char *page)
{
    const char *from = strstr(page, "id=\"report\">");
    const char *to = from ? strstr(from, "</script>") : NULL;
    json_t *o;

    ck_assert_ptr_nonnull(to);
    from = strchr(from, '>') + 1;
    o = json_loadb(from, (size_t)(to - from), 0, NULL);
    ck_assert_msg(o != NULL, "what the page embeds is no JSON");
    return o;
}

START_TEST(test_write_page_begins_with_the_report)
{
    struct prvcut_error err = { 0 };
    struct made m;
    char *text, *words = NULL, line[64] = "", heading[80] = "";

    made_init(&m, &small);
    text = page_of(&m);
    ck_assert_int_eq(prvcut_reduction_brief(&m.reduction.is, 80, &words, &err), PRVCUT_OK);
    ck_assert_int_gt(sscanf(words, "%60[A-Za-z.0-9]", line), 0);
    snprintf(heading, sizeof heading, ">%s", line);
    ck_assert_ptr_nonnull(strstr(text, heading));
    ck_assert_ptr_nonnull(strstr(text, "<h1>app.prv</h1>"));
    ck_assert_ptr_nonnull(strstr(text, "<dt>Sure</dt>"));
    ck_assert_uint_eq(count_of(text, "<dt>"), count_of(text, "</dd>"));
    ck_assert_uint_eq(count_of(text, "<main>"), count_of(text, "</main>"));
    free(words);
    free(text);
    made_fini(&m);
}
END_TEST

START_TEST(test_said_takes_answer_and_headings)
{
    char text[] = "a<b.prv: 2 of 50 iterations\n"
                  "c.prv: iteration 6\n"
                  "Region   Iterations  Smaller\n"
                  "1.4           13-14       27\n"
                  "Loop        50 iterations of 2.24ms,\n"
                  "            from 8ms\n"
                  "Stands for  the loop, typical\n"
                  "Next        wxparaver x.prv      or a page: prvcut x.prv\n"
                  "            by time: prvcut cut x.prv\n"
                  "\n"
                  "More        that is left out\n";
    struct prvcut_error err = { 0 };
    struct report_lines l = { .err = &err };
    char *html = NULL;

    page_said(&l, text);
    ck_assert_int_eq(report_take(&l, &html), PRVCUT_OK);
    ck_assert_str_eq(html, "<p class=\"answer\">a&lt;b.prv: 2 of 50 iterations</p>\n"
                           "<p class=\"answer\">c.prv: iteration 6</p>\n"
                           "<dl class=\"said\">\n"
                           "<dt>Loop</dt><dd>50 iterations of 2.24ms,\nfrom 8ms</dd>\n"
                           "<dt>Stands for</dt><dd>the loop, typical</dd>\n"
                           "<dt>Next</dt><dd>wxparaver x.prv      or a page: prvcut x.prv\n"
                           "by time: prvcut cut x.prv</dd></dl>\n");
    free(html);
}
END_TEST

START_TEST(test_write_page_escapes_hostile_names)
{
    static const char hostile[] = "</script><script>alert(1)</script>\"'><img src=x "
                                  "onerror=alert(2)>&amp;\x01\x7f\xff\xc0\xaf<!--]]>\n";
    struct made_plan plan = small;
    struct made m;
    json_t *o;
    char *text;

    plan.name = hostile;
    made_init(&m, &plan);
    m.vote[0].why = hostile;
    m.reduction.is.name = m.name;
    text = page_of(&m);
    ck_assert_ptr_null(strstr(text, "<img"));
    ck_assert_ptr_null(strstr(text, "<!--"));
    ck_assert_ptr_null(strstr(text, "<script>alert"));
    ck_assert_ptr_null(strstr(text, "'><"));
    ck_assert_ptr_nonnull(strstr(text, "&lt;/script&gt;&lt;script&gt;alert(1)"));
    ck_assert_ptr_nonnull(strstr(text, "&quot;&#39;&gt;&lt;img src=x"));
    for (const char *c = text; *c; c++)
        ck_assert_msg((unsigned char)*c >= 0x20 || *c == '\n', "a control character, %d", *c);
    ck_assert_ptr_null(strchr(text, '\x7f'));
    ck_assert_ptr_null(strchr(text, '\xff'));
    o = report_in(text);
    ck_assert_ptr_nonnull(strstr(
        json_string_value(json_object_get(json_object_get(o, "input"), "path")), "</script>"));
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

START_TEST(test_write_page_needs_nothing_else)
{
    static const char *const outside[] = { "http://", "https://", "src=",    "@import",
                                           "url(//",  "<iframe",  "<object", "<base" };
    struct made m;
    char *text;

    made_init(&m, &small);
    text = page_of(&m);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        ck_assert_msg(!strstr(text, outside[i]), "the page holds %s", outside[i]);
    for (const char *at = text; (at = strstr(at, "href=\"")); at++)
        ck_assert_msg(at[6] == '#' || strncmp(at + 6, "data:,", 6) == 0, "%.40s", at);
    free(text);
    made_fini(&m);
}
END_TEST

/* Everything at once beyond what any run has shown. */
START_TEST(test_write_page_stays_below_two_megabytes)
{
    static const struct made_plan plan = {
        100000,
        5000,
        128,
        4000,
        20000,
        500,
        "a trace with a rather long name of its own, as is usual "
        "where a name tells what was run.prv"
    };
    enum { PICKS = 6, KINDS = 20000 };
    static struct prvcut_page_kind kind[KINDS];
    struct prvcut_page_pick pick[PICKS];
    struct prvcut_timeline timeline[PAGE_TIMELINES];
    struct made m;
    json_t *o;
    char *text;

    made_init(&m, &plan);
    for (size_t i = 0; i < PAGE_TIMELINES; i++)
        timeline[i] = m.timeline[0];
    for (size_t i = 0; i < PICKS; i++)
        pick[i] = (struct prvcut_page_pick){ .iteration = i + 1, .timeline = m.timeline[0] };
    for (size_t i = 0; i < KINDS; i++)
        kind[i] = (struct prvcut_page_kind){ 80000 + i, 80000 + i, 1 + i % 2 };
    m.page.timeline = timeline;
    m.page.timelines = PAGE_TIMELINES;
    m.page.pick = pick;
    m.page.picks = PICKS;
    m.page.kind = kind;
    m.page.kinds = KINDS;
    text = page_of(&m);
    ck_assert_uint_lt(strlen(text), LIMIT);
    o = report_in(text);
    ck_assert_str_eq(json_string_value(json_object_get(o, "schema")), "prvcut-reduction");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "period_ns")), MADE_PERIOD);
    ck_assert(json_is_integer(json_object_get(o, "abridged")));
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

/* One block of data: what --json prints, and what only the page draws. */
START_TEST(test_write_page_embeds_the_whole_report)
{
    struct prvcut_error err = { 0 };
    struct made m;
    char *text, *json;
    json_t *a, *b;

    made_init(&m, &small);
    text = page_of(&m);
    ck_assert_int_eq(prvcut_reduction_json(&m.reduction.is, &json, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_json_command(&json, "app.prv", &err), PRVCUT_OK);
    a = report_in(text);
    b = json_loads(json, 0, NULL);
    ck_assert_int_eq(json_object_del(a, "drawn"), 0);
    json_object_del(b, "elapsed_s");
    ck_assert(json_equal(a, b));
    ck_assert_uint_eq(count_of(text, "application/json"), 1);
    json_decref(a);
    json_decref(b);
    free(json);
    free(text);
    made_fini(&m);
}
END_TEST

START_TEST(test_write_page_twice_gives_the_same)
{
    struct made m;
    char *once, *again;

    made_init(&m, &small);
    once = page_of(&m);
    m.reduction.is.elapsed_s = 99;
    again = page_of(&m);
    ck_assert_str_eq(once, again);
    free(again);
    free(once);
    made_fini(&m);
}
END_TEST

/* Every iteration, by its number in the whole loop, and those that were cut. */
START_TEST(test_write_page_holds_every_iteration)
{
    static const struct prvcut_page_kind kind[] = { { 1, 2, 1 }, { 5, 5, 2 } };
    const json_int_t kinds[] = { 1, 2, 0, 2, 2, 1 };
    struct prvcut_page_pick pick = { .iteration = 7, .slowest = true };
    struct made m;
    json_t *o, *stretch, *clear, *cut, *told;
    char *text;

    made_init(&m, &small);
    pick.timeline = m.timeline[0];
    m.page.kind = kind;
    m.page.kinds = 2;
    m.page.pick = &pick;
    m.page.picks = 1;
    text = page_of(&m);
    o = report_in(text);
    stretch = json_array_get(json_object_get(data_of(o, "iterations"), "stretches"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(stretch, "first")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(stretch, "count")), 50);
    ck_assert_uint_eq(json_array_size(json_object_get(stretch, "lengths_ns")), 50);
    clear = json_object_get(data_of(o, "iterations"), "clear");
    ck_assert_int_eq(json_integer_value(json_array_get(clear, 0)), 1);
    ck_assert_int_eq(json_integer_value(json_array_get(clear, 1)), 50);
    ck_assert_int_eq(json_integer_value(json_array_get(clear, 2)), 1);
    told = json_object_get(data_of(o, "iterations"), "kinds");
    ck_assert_uint_eq(json_array_size(told), 6);
    for (size_t i = 0; i < 6; i++)
        ck_assert_int_eq(json_integer_value(json_array_get(told, i)), kinds[i]);
    told = json_array_get(data_of(o, "picks"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(told, "iteration")), 7);
    ck_assert(json_is_null(json_object_get(told, "kind")));
    ck_assert_uint_eq(json_array_size(json_object_get(json_object_get(told, "timeline"), "rows")),
                      m.timeline[0].rows);
    cut = json_array_get(data_of(o, "cuts"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(cut, "first")), 26);
    ck_assert_int_eq(json_integer_value(json_object_get(cut, "last")), 27);
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

START_TEST(test_write_page_without_loop_tells_why)
{
    struct made m;
    json_t *o;
    char *text;
    size_t regions, chops;

    made_init(&m, &small);
    regions = m.reduction.structure.is.regions;
    chops = m.reduction.is.chops;
    m.reduction.is.periodic = false;
    m.reduction.is.reason = "nothing < repeats";
    m.reduction.structure.is.main = SIZE_MAX;
    m.reduction.structure.is.regions = 1;
    m.reduction.is.chops = 0;
    m.page.searches = m.page.timelines = 0;
    text = page_of(&m);
    ck_assert_ptr_nonnull(strstr(text, "nothing &lt; repeats"));
    o = report_in(text);
    ck_assert_str_eq(json_string_value(json_object_get(o, "reason")), "nothing < repeats");
    ck_assert_uint_eq(json_array_size(json_object_get(data_of(o, "iterations"), "stretches")), 0);
    ck_assert_uint_eq(json_array_size(data_of(o, "timelines")), 0);
    json_decref(o);
    m.reduction.structure.is.regions = regions;
    m.reduction.is.chops = chops;
    free(text);
    made_fini(&m);
}
END_TEST

/* Nothing at all is no reason to fall. */
START_TEST(test_write_page_of_nothing)
{
    struct made_reduction none = {
        .is.format = "paraver", .is.suffix = ".prv", .is.viewer = "wxparaver", .is.numbered = true
    };
    struct prvcut_page page = { .reduction = &none };
    struct prvcut_error err = { 0 };
    char *text = NULL;

    none.structure.is.main = SIZE_MAX;
    ck_assert_int_eq(prvcut_page_html(&page, &text, &err), PRVCUT_OK);
    json_decref(report_in(text));
    free(text);
}
END_TEST

/* Values that no computation should give, and yet some will. */
START_TEST(test_write_page_survives_odd_numbers)
{
    struct made m;
    char *text;

    made_init(&m, &small);
    m.run[0] = NAN;
    m.run[1] = INFINITY;
    m.run[2] = -INFINITY;
    m.reduction.is.confidence = NAN;
    m.reduction.is.period_ns = NAN;
    m.reduction.structure.region[1].is.spread_ns = 0;
    m.reduction.structure.region[3].is.period_ns = 1e-9;
    m.reduction.structure.region[3].is.iterations = 1e18;
    m.reduction.chop[0].proof.row[0].error = INFINITY;
    m.reduction.chop[0].proof.row[1].region = NAN;
    m.reduction.chop[0].proof.is.worst = INFINITY;
    m.reduction.chop[1].cut.window = (struct prvcut_span){ UINT64_MAX - 1, UINT64_MAX };
    m.timeline[0].message[0] = (struct prvcut_timeline_message){ 4000, 0, 0, UINT64_MAX, 0 };
    text = page_of(&m);
    ck_assert_uint_lt(strlen(text), LIMIT);
    ck_assert_ptr_null(strstr(text, "=\"nan"));
    ck_assert_ptr_null(strstr(text, "=\"inf"));
    free(text);
    made_fini(&m);
}
END_TEST

/* Columns of each state in a row, as the page has them; from 8 on: of those drawn as a part. */
static void count_runs(const json_t *row, size_t columns[16])
{
    const json_t *runs = json_object_get(row, "runs");

    for (size_t i = 0; i + 1 < json_array_size(runs); i += 2) {
        const json_int_t state = json_integer_value(json_array_get(runs, i));

        columns[state < 0 ? 8 - state : state] +=
            (size_t)json_integer_value(json_array_get(runs, i + 1));
    }
}

START_TEST(test_draw_timeline_keeps_each_state)
{
    struct made m;
    json_t *o, *t;
    char *text;

    made_init(&m, &small);
    text = page_of(&m);
    o = report_in(text);
    t = json_array_get(data_of(o, "timelines"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(t, "states")), m.timeline[0].states);
    for (size_t row = 0; row < m.timeline[0].rows; row++) {
        const json_t *r = json_array_get(json_object_get(t, "rows"), row);
        size_t got[16] = { 0 }, is[16] = { 0 };

        count_runs(r, got);
        for (size_t i = 0; i < m.timeline[0].columns; i++) {
            const size_t at = row * m.timeline[0].columns + i;
            const uint8_t cell = m.timeline[0].cell[at];

            is[cell + (cell > 0 && m.timeline[0].part[at] < PRVCUT_TIMELINE_FULL / 2 ? 8 : 0)]++;
        }
        ck_assert_uint_gt(is[9] + is[10] + is[11] + is[12] + is[13], 0);
        ck_assert_mem_eq(got, is, sizeof is);
        ck_assert_int_eq(json_integer_value(json_object_get(r, "rank")), (json_int_t)row);
    }
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

/* A state that begins again behind the first of its columns is several; that begins at the first,
   or while another is drawn, is one. */
START_TEST(test_draw_timeline_tells_what_is_several)
{
    static const uint8_t cell[] = { 1, 1, 1, 2, 2, 1, 1, 1, 2, 2 };
    static const uint32_t begins[] = { 1, 0, 1, 2, 0, 1, 2, 2, 2, 2 };
    struct made m;
    json_t *o, *row, *several;
    char *text;

    made_init(&m, &small);
    for (uint32_t i = 0; i < m.timeline[0].columns; i++) {
        m.timeline[0].cell[i] = i < 10 ? cell[i] : 0;
        m.timeline[0].part[i] = PRVCUT_TIMELINE_FULL;
        m.timeline[0].begins[i] = i < 10 ? begins[i] : 0;
    }
    text = page_of(&m);
    o = report_in(text);
    row = json_array_get(json_object_get(json_array_get(data_of(o, "timelines"), 0), "rows"), 0);
    several = json_object_get(row, "several");
    ck_assert_uint_eq(json_array_size(several), 2);
    ck_assert_int_eq(json_integer_value(json_array_get(several, 0)), 0);
    ck_assert_int_eq(json_integer_value(json_array_get(several, 1)), 3);
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

/* More ranks than fields: two share one, and what goes between these is added up. */
START_TEST(test_write_page_draws_who_sends_to_whom)
{
    struct prvcut_comm_edge edge[] = { { 0, 1, 2, 10, 0 }, { 1, 0, 1, 5, 0 }, { 99, 0, 3, 7, 0 } };
    struct made_comm_matrix matrix = { .is.ranks = 100,
                                       .is.messages = 6,
                                       .is.bytes = 22,
                                       .is.ns = PRVCUT_COMM_UNTOLD,
                                       .is.size_least = PRVCUT_COMM_UNTOLD,
                                       .is.edges = 3,
                                       .edge = edge };
    struct made_comm comm = { .is.applications = 1, .is.matrices = 1, .matrix = &matrix };
    const json_int_t want[] = { 0, 0, 3, 15, 49, 0, 3, 7 };
    struct made m;
    char *text;
    json_t *o, *fields;

    ck_assert_ptr_eq(prvcut_comm_matrix(&comm.is, 0), &matrix.is);
    made_init(&m, &small);
    text = page_of(&m);
    o = report_in(text);
    ck_assert(json_is_null(data_of(o, "comm")));
    json_decref(o);
    free(text);
    m.page.comm = &comm.is;
    text = page_of(&m);
    o = report_in(text);
    fields = json_object_get(json_array_get(data_of(o, "comm"), 0), "fields");
    ck_assert_uint_eq(json_array_size(fields), 8);
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(json_integer_value(json_array_get(fields, i)), want[i]);
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

/* What nobody loses is left out, and so are ranks and paths for which there is no room. */
START_TEST(test_write_page_tells_wait_states)
{
    enum { RANKS = 100, PATHS = 40, PARTS = 700 };
    static uint64_t ranks[RANKS], lost[PARTS][PRVCUT_WAITS];
    static struct prvcut_waits_path path[PATHS];
    static struct prvcut_waits_part part[PARTS];
    char outer[] = "main", call[] = "MPI_Recv";
    struct made_frame frame[] = { { NULL, 0 }, { outer, 0 }, { call, 1 } };
    struct made_waits_metric two[2] = { { .path = path } };
    struct made_wait_states w = {
        .is = { .name = "app", .ranks = RANKS, .threads = RANKS, .span = { 0, 1000 } },
        .frame = frame,
        .frames = 3,
        .metric = two,
        .part = part,
    };
    json_t *o, *waits, *metric, *number;
    struct made m;
    char *text;

    for (size_t i = 0; i < RANKS; i++)
        ranks[i] = i;
    for (size_t i = 0; i < PATHS; i++)
        path[i] = (struct prvcut_waits_path){ 2, 7, 1, ranks };
    for (size_t i = 0; i < PARTS; i++) {
        lost[i][0] = 3;
        part[i] = (struct prvcut_waits_part){ .iteration = i + 1, .severity_ns = lost[i] };
    }
    w.is.parts = PARTS;
    w.is.metrics = 2;
    for (int i = 0; i < 2; i++)
        two[i].is = (struct prvcut_waits_metric){ .wait = (enum prvcut_wait)i,
                                                  .name = prvcut_wait_text((enum prvcut_wait)i),
                                                  .severity_ns = i == 0 ? 4950 : 0,
                                                  .rank_ns = ranks,
                                                  .paths = i == 0 ? PATHS : 0,
                                                  .worst_rank = 99,
                                                  .worst_path = 2 };
    made_init(&m, &small);
    m.page.waits = &w.is;
    text = page_of(&m);
    o = report_in(text);
    waits = data_of(o, "waits");
    ck_assert_uint_eq(json_array_size(json_object_get(waits, "metrics")), 1);
    metric = json_array_get(json_object_get(waits, "metrics"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(metric, "ranks_ns")), 50);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(metric, "ranks_ns"), 49)),
                     98 + 99);
    ck_assert_uint_eq(json_array_size(json_object_get(metric, "paths")), 30);
    ck_assert_int_eq(json_integer_value(json_object_get(metric, "paths_all")), PATHS);
    ck_assert_uint_eq(json_array_size(json_object_get(waits, "names")), 2);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(waits, "names"), 0)),
                     "MPI_Recv");
    number = json_object_get(json_object_get(waits, "iterations"), "number");
    ck_assert_uint_eq(json_array_size(number), 3 * PARTS / 2);
    ck_assert_int_eq(json_integer_value(json_array_get(number, 1)), 2);
    ck_assert_int_eq(
        json_integer_value(json_array_get(
            json_object_get(json_object_get(json_object_get(waits, "iterations"), "ns"),
                            "late_sender"),
            0)),
        6);
    json_decref(o);
    free(text);
    made_fini(&m);
}
END_TEST

static Suite *page_suite(void)
{
    Suite *s = suite_create("page");
    TCase *t = tcase_create("page");

    tcase_set_timeout(t, 180);
    tcase_add_test(t, test_write_page_begins_with_the_report);
    tcase_add_test(t, test_said_takes_answer_and_headings);
    tcase_add_test(t, test_write_page_escapes_hostile_names);
    tcase_add_test(t, test_write_page_needs_nothing_else);
    tcase_add_test(t, test_write_page_stays_below_two_megabytes);
    tcase_add_test(t, test_write_page_embeds_the_whole_report);
    tcase_add_test(t, test_write_page_twice_gives_the_same);
    tcase_add_test(t, test_write_page_holds_every_iteration);
    tcase_add_test(t, test_write_page_without_loop_tells_why);
    tcase_add_test(t, test_write_page_of_nothing);
    tcase_add_test(t, test_write_page_survives_odd_numbers);
    tcase_add_test(t, test_write_page_draws_who_sends_to_whom);
    tcase_add_test(t, test_write_page_tells_wait_states);
    tcase_add_test(t, test_draw_timeline_keeps_each_state);
    tcase_add_test(t, test_draw_timeline_tells_what_is_several);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(page_suite());
}
