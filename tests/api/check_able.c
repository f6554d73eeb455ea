#include "prvcut/convert.h"
#include "prvcut/trace.h"

#include "tests/structure/generated.h"
#include "tests/support/traces.h"

#include "runner.h"

#include <stdio.h>

static const enum prvcut_ability all[] = { PRVCUT_ABLE_FILTER, PRVCUT_ABLE_RULES, PRVCUT_ABLE_MARK,
                                           PRVCUT_ABLE_INDEX };
#define ABILITIES (sizeof all / sizeof *all)

static void remove_files(void)
{
    ck_assert(traces_shell("rm -f able.*"));
}

static struct prvcut_trace *opened(const char *path)
{
    struct prvcut_error error = { 0 };
    struct prvcut_trace *trace;

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return trace;
}

START_TEST(test_take_lines_for_all)
{
    struct prvcut_trace *trace;
    struct prvcut_error error = { 0 };

    generated_make("--iterations 5 --tasks 2", "able");
    trace = opened("able.prv");
    for (size_t i = 0; i < ABILITIES; i++)
        ck_assert_int_eq(prvcut_trace_can(trace, all[i], &error), PRVCUT_OK);
    prvcut_trace_close(trace);
}
END_TEST

START_TEST(test_refuse_streams_with_what_converts_them)
{
    const struct prvcut_convert_options to = { .path = "able.otf" };
    struct prvcut_convert_summary *sum;
    struct prvcut_error error = { 0 };
    struct prvcut_trace *trace;

    generated_make("--iterations 5 --tasks 2", "able");
    trace = opened("able.prv");
    ck_assert_msg(prvcut_convert(trace, NULL, &to, &sum, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
    trace = opened("able.otf");
    ck_assert_int_eq(prvcut_trace_can(trace, PRVCUT_ABLE_FILTER, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_trace_can(trace, PRVCUT_ABLE_MARK, &error), PRVCUT_OK);
    for (size_t i = 0; i < ABILITIES; i++) {
        if (all[i] == PRVCUT_ABLE_FILTER || all[i] == PRVCUT_ABLE_MARK)
            continue;
        error = (struct prvcut_error){ 0 };
        ck_assert_int_eq(prvcut_trace_can(trace, all[i], &error), PRVCUT_EUSAGE);
        ck_assert_str_eq(error.instead, "prvcut convert TRACE out.prv");
    }
    prvcut_trace_close(trace);
}
END_TEST

START_TEST(test_tell_compression_by_name)
{
    ck_assert_str_eq(prvcut_trace_compression("a.prv.gz"), "gz");
    ck_assert_str_eq(prvcut_trace_compression("a.zst"), "zst");
    ck_assert_str_eq(prvcut_trace_compression("a.prv"), "none");
    ck_assert_ptr_null(prvcut_trace_compression("a.otf2"));
    ck_assert_ptr_null(prvcut_trace_compression("a"));
}
END_TEST

START_TEST(test_write_what_each_suffix_says)
{
    char name[40];
    size_t i = 0;

    for (; prvcut_convert_suffix(i); i++) {
        snprintf(name, sizeof name, "a%s", prvcut_convert_suffix(i));
        ck_assert_ptr_nonnull(prvcut_convert_format(name));
    }
    ck_assert_uint_gt(i, 2);
    ck_assert_ptr_null(prvcut_convert_suffix(i + 1));
}
END_TEST

static Suite *able_suite(void)
{
    Suite *s = suite_create("able");
    TCase *t = tcase_create("able");

    tcase_add_checked_fixture(t, NULL, remove_files);
    tcase_add_test(t, test_take_lines_for_all);
    tcase_add_test(t, test_refuse_streams_with_what_converts_them);
    tcase_add_test(t, test_tell_compression_by_name);
    tcase_add_test(t, test_write_what_each_suffix_says);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(able_suite());
}
