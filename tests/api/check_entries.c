#include "prvcut/archive.h"
#include "prvcut/convert.h"
#include "prvcut/filter.h"
#include "prvcut/follow.h"
#include "prvcut/index.h"
#include "prvcut/inspect.h"
#include "prvcut/mark.h"
#include "prvcut/records.h"
#include "prvcut/reduce.h"
#include "prvcut/signals.h"
#include "prvcut/stream.h"
#include "prvcut/structure.h"

#include "runner.h"
#include "tests/base/scratch.h"

#include <stdlib.h>
#include <string.h>

/*
 * Every function takes what a program filled in by its size. A program of a later version asks here
 * for something that this library does not know: nothing may look at the rest, and nobody may go on
 * as if it had not been asked for.
 */

static const char trace[] = "#Paraver (20/11/2026 at 11:44):1000_ns:1(2):1:2(1:1,1:1)\n"
                            "1:1:1:1:1:0:400:1\n"
                            "1:2:1:2:1:0:1000:1\n";

#define LATER(type)                                                                                \
    struct {                                                                                       \
        struct type is;                                                                            \
        uint64_t more;                                                                             \
    }

static struct {
    LATER(prvcut_run) run;
    LATER(prvcut_open_options) open;
    LATER(prvcut_cut_options) cut;
    LATER(prvcut_reduce_options) reduce;
    LATER(prvcut_structure_options) find;
    LATER(prvcut_selection) selection;
    LATER(prvcut_limits) limits;
    LATER(prvcut_convert_options) convert;
    LATER(prvcut_index_options) index;
    LATER(prvcut_mark_options) mark;
    LATER(prvcut_records_wish) records;
    LATER(prvcut_filter) filter[2];
    LATER(prvcut_cutter) cutter;
    LATER(prvcut_follow_options) follow;
} later;

static const struct prvcut_run run = { .threads = 1 };
static const struct prvcut_span span = { 100, 900 };
static struct prvcut_trace *t;
static struct prvcut_error err;

static void open_it(void)
{
    later.run.is.size = sizeof later.run;
    later.open.is.size = sizeof later.open;
    later.cut.is.size = sizeof later.cut;
    later.reduce.is.size = sizeof later.reduce;
    later.find.is.size = sizeof later.find;
    later.selection.is.size = sizeof later.selection;
    later.limits.is.size = sizeof later.limits;
    later.convert.is.size = sizeof later.convert;
    later.index.is.size = sizeof later.index;
    later.mark.is.size = sizeof later.mark;
    later.records.is.size = sizeof later.records;
    later.filter[0].is.size = later.filter[1].is.size = sizeof later.filter[0];
    later.cutter.is.size = sizeof later.cutter;
    later.follow.is.size = sizeof later.follow;
    scratch_write("x.prv", trace, strlen(trace));
    ck_assert_int_eq(prvcut_trace_open(&t, "x.prv", NULL, &err), PRVCUT_OK);
}

static void ask_for_more(void)
{
    later.run.more = later.open.more = later.cut.more = later.reduce.more = later.find.more = 1;
    later.selection.more = later.limits.more = later.convert.more = later.index.more = 1;
    later.mark.more = later.records.more = later.filter[1].more = later.cutter.more = 1;
    later.follow.more = 1;
}

#define REFUSED(call, of)                                                                          \
    do {                                                                                           \
        err = (struct prvcut_error){ .status = PRVCUT_OK };                                        \
        ck_assert_int_eq(call, PRVCUT_EUSAGE);                                                     \
        ck_assert_msg(strstr(err.text, "struct prvcut_" of " ") != NULL, "%s: %s", #call,          \
                      err.text);                                                                   \
    } while (0)

START_TEST(test_every_function_refuses_a_run_that_it_does_not_know)
{
    const struct prvcut_run *r = &later.run.is;
    const struct prvcut_reduce_options reduce = { .iterations = 1 };
    const struct prvcut_structure_options find = { .levels = 1 };
    const struct prvcut_selection what = { .level = 1 };
    const struct prvcut_cut_options cut = { .path = "out.prv" };
    const struct prvcut_convert_options convert = { .path = "out.otf" };
    const struct prvcut_index_options index = { .force = true };
    const struct prvcut_mark_options mark = { .find = &find };
    const struct prvcut_records_wish records = { .kinds = 0 };
    const struct prvcut_cutter cutter = { .maximum_percent = 50 };
    struct prvcut_reduction *reduction;
    struct prvcut_cut_summary *summary = NULL;
    struct prvcut_structure *structure;
    struct prvcut_signals *signals;
    struct prvcut_marking *marking;
    struct prvcut_index_result *indexed = NULL;
    struct prvcut_filter_summary *filtered = NULL;
    struct prvcut_convert_summary *converted = NULL;
    struct prvcut_archive_result *verified = NULL;
    char *text;

    open_it();
    ask_for_more();
    REFUSED(prvcut_reduce(t, r, &reduce, &reduction, &err), "run");
    REFUSED(prvcut_reduce_to_archive(t, r, &reduce, "x.tar.zst", &reduction, &err), "run");
    REFUSED(prvcut_archive_verify("x.tar.zst", r, &verified, &err), "run");
    REFUSED(prvcut_cut(t, r, &span, &cut, &summary, &err), "run");
    REFUSED(prvcut_cut_named(t, r, &what, &cut, &summary, &err), "run");
    REFUSED(prvcut_cut_as_paraver(t, r, &cutter, &cut, &summary, &err), "run");
    REFUSED(prvcut_filter_trace(t, r, &cut, &filtered, &err), "run");
    REFUSED(prvcut_structure_find(t, r, &find, &structure, &err), "run");
    REFUSED(prvcut_signals_compute(t, r, "bursts", NULL, 10, &signals, &err), "run");
    REFUSED(prvcut_records_read(t, r, &records, &err), "run");
    REFUSED(prvcut_stream_run(t, r, NULL, NULL, &err), "run");
    REFUSED(prvcut_mark(t, r, &mark, &marking, &err), "run");
    REFUSED(prvcut_index_write(t, r, &index, &indexed, &err), "run");
    REFUSED(prvcut_convert(t, r, &convert, &converted, &err), "run");
    REFUSED(prvcut_info(t, r, PRVCUT_TEXT, &text, &err), "run");
    REFUSED(prvcut_check("x.prv", r, NULL, PRVCUT_TEXT, &text, &err), "run");
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_every_function_refuses_options_that_it_does_not_know)
{
    struct prvcut_follow *followed = NULL;
    const struct prvcut_reduce_options with_cut = { .iterations = 1, .cut = &later.cut.is };
    const struct prvcut_mark_options with_find = { .find = &later.find.is };
    const struct prvcut_mark_options with_output = { .output = &later.cut.is };
    const struct prvcut_cut_options cut = { .path = "out.prv" };
    const struct prvcut_cut_options filters = { .filter = &later.filter[0].is, .filters = 2 };
    const struct prvcut_selection what = { .level = 1 };
    struct prvcut_structure *structure = NULL;
    struct prvcut_reduction *reduction;
    struct prvcut_cut_summary *summary = NULL;
    struct prvcut_marking *marking;
    struct prvcut_index_result *indexed = NULL;
    struct prvcut_filter_summary *filtered = NULL;
    struct prvcut_convert_summary *converted = NULL;
    struct prvcut_trace *other;
    struct prvcut_span at;
    size_t region;
    char *text;

    open_it();
    ask_for_more();
    REFUSED(prvcut_trace_open(&other, "x.prv", &later.open.is, &err), "open_options");
    ck_assert_ptr_null(other);
    REFUSED(prvcut_check("x.prv", &run, &later.open.is, PRVCUT_TEXT, &text, &err), "open_options");
    REFUSED(prvcut_reduce(t, &run, &later.reduce.is, &reduction, &err), "reduce_options");
    REFUSED(prvcut_reduce(t, &run, &with_cut, &reduction, &err), "cut_options");
    REFUSED(prvcut_reduce_to_archive(t, &run, &with_cut, "x.tar.zst", &reduction, &err),
            "cut_options");
    REFUSED(prvcut_cut_check(t, &later.cut.is, &err), "cut_options");
    REFUSED(prvcut_filter_check(t, &later.cut.is, &err), "cut_options");
    REFUSED(prvcut_cut(t, &run, &span, &later.cut.is, &summary, &err), "cut_options");
    REFUSED(prvcut_cut(t, &run, &span, &filters, &summary, &err), "filter");
    REFUSED(prvcut_cut_named(t, &run, &later.selection.is, &cut, &summary, &err), "selection");
    REFUSED(prvcut_cut_named(t, &run, &what, &later.cut.is, &summary, &err), "cut_options");
    REFUSED(prvcut_cut_as_paraver(t, &run, &later.cutter.is, &cut, &summary, &err), "cutter");
    REFUSED(prvcut_filter_trace(t, &run, &filters, &filtered, &err), "filter");
    REFUSED(prvcut_structure_find(t, &run, &later.find.is, &structure, &err), "structure_options");
    REFUSED(prvcut_structure_select(structure, &later.selection.is, &at, &region, &err),
            "selection");
    REFUSED(prvcut_structure_limit(structure, &later.limits.is, &err), "limits");
    REFUSED(prvcut_iterations_text(structure, &later.limits.is, &text, &err), "limits");
    REFUSED(prvcut_iterations_csv(structure, &later.limits.is, &text, &err), "limits");
    REFUSED(prvcut_records_read(t, &run, &later.records.is, &err), "records_wish");
    REFUSED(prvcut_mark(t, &run, &later.mark.is, &marking, &err), "mark_options");
    REFUSED(prvcut_mark(t, &run, &with_find, &marking, &err), "structure_options");
    REFUSED(prvcut_mark(t, &run, &with_output, &marking, &err), "cut_options");
    REFUSED(prvcut_index_write(t, &run, &later.index.is, &indexed, &err), "index_options");
    REFUSED(prvcut_convert(t, &run, &later.convert.is, &converted, &err), "convert_options");
    REFUSED(prvcut_reduce_check(t, &run, &later.reduce.is, NULL, &err), "reduce_options");
    REFUSED(prvcut_follow_open(&followed, "x.prv", NULL, &later.follow.is, &err), "follow_options");
    REFUSED(prvcut_follow_open(&followed, "x.prv", &later.open.is, NULL, &err), "open_options");
    ck_assert_ptr_null(followed);
    REFUSED(prvcut_convert_losses(t, &later.convert.is, &text, &err), "convert_options");
    REFUSED(prvcut_convert_losses_json(t, &later.convert.is, &text, &err), "convert_options");
    ck_assert_uint_eq(scratch_count(), 1);
    prvcut_trace_close(t);
}
END_TEST

/* What a later version leaves at its default asks for nothing; filters stand as far apart as the
   program has them. */
START_TEST(test_structs_of_a_later_program_at_their_defaults_are_taken)
{
    struct prvcut_cut_summary *summary = NULL;

    open_it();
    later.filter[1].is.drop_states = true;
    later.cut.is.path = "out.prv";
    later.cut.is.filter = &later.filter[0].is;
    later.cut.is.filters = 2;
    ck_assert_msg(prvcut_cut(t, &later.run.is, &span, &later.cut.is, &summary, &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_eq(summary->states, 0);
    prvcut_cut_summary_free(summary);
    prvcut_trace_close(t);
}
END_TEST

static Suite *entries_suite(void)
{
    Suite *s = suite_create("entries");
    TCase *c = tcase_create("filled");

    scratch_fixtures(c);
    tcase_add_test(c, test_every_function_refuses_a_run_that_it_does_not_know);
    tcase_add_test(c, test_every_function_refuses_options_that_it_does_not_know);
    tcase_add_test(c, test_structs_of_a_later_program_at_their_defaults_are_taken);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(entries_suite());
}
