/* A cut of windows that a program gives, each thread its own. */
#include "prvcut/reduce.h"

#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

static struct prvcut_error error;
static const struct prvcut_run run = { .threads = 1 };
static struct prvcut_trace *trace;
static struct prvcut_reduction *reduction;
static const struct prvcut_chop *chop;

/* A loop whose tasks begin their iterations one after the other, and its chop. */
static void setup(void)
{
    const struct prvcut_cut_options cut = { .path = "chop.prv" };
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .align = PRVCUT_ALIGN_CALLS,
                                             .cut = &cut };

    ck_assert(traces_shell("'%s' --tasks 4 --iterations 40 --skew-ns 400000 g", PRVGEN));
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(prvcut_trace_open(&trace, "g.prv", NULL, &error), PRVCUT_OK);
    ck_assert_msg(prvcut_reduce(trace, &run, &o, &reduction, &error) == PRVCUT_OK, "%s",
                  error.text);
    ck_assert_uint_eq(reduction->chops, 1);
    chop = prvcut_reduction_chop(reduction, 0);
    ck_assert_ptr_nonnull(chop->thread);
}

static void teardown(void)
{
    prvcut_reduction_free(reduction);
    prvcut_trace_close(trace);
}

static enum prvcut_status cut(struct prvcut_cut_options o, struct prvcut_cut_summary **sum)
{
    o.path = "again.prv";
    o.force = true;
    o.size = sizeof o;
    memset(&error, 0, sizeof error);
    return prvcut_cut(trace, &run, &chop->cut->window, &o, sum, &error);
}

/* What a chop tells of its windows makes the same trace again, but for the line that names it. */
START_TEST(test_cut_of_a_chops_windows_is_the_chop)
{
    struct prvcut_cut_summary *sum;

    ck_assert_msg(
        cut((struct prvcut_cut_options){ .thread = chop->thread, .threads = chop->threads },
            &sum) == PRVCUT_OK,
        "%s", error.text);
    ck_assert_uint_eq(sum->events, chop->cut->events);
    ck_assert_uint_eq(sum->messages, chop->cut->messages);
    prvcut_cut_summary_free(sum);
    ck_assert(traces_shell("grep -v '^#' chop.prv >1; grep -v '^#' again.prv >2; cmp 1 2"));
}
END_TEST

/* Who has an empty window is left out. */
START_TEST(test_cut_leaves_out_threads_without_a_window)
{
    struct prvcut_span thread[4];
    struct prvcut_cut_summary *sum;

    memcpy(thread, chop->thread, sizeof thread);
    thread[2] = (struct prvcut_span){ 0, 0 };
    ck_assert_int_eq(cut((struct prvcut_cut_options){ .thread = thread, .threads = 4 }, &sum),
                     PRVCUT_OK);
    ck_assert_uint_gt(sum->events, 0);
    ck_assert_uint_lt(sum->events, chop->cut->events);
    prvcut_cut_summary_free(sum);
    ck_assert(traces_shell("grep -q '^2:[0-9]*:1:4:' again.prv"));
    ck_assert(!traces_shell("grep -q '^[12]:[0-9]*:1:3:' again.prv"));
}
END_TEST

START_TEST(test_cut_refuses_windows_that_do_not_fit)
{
    struct prvcut_span thread[4];
    struct prvcut_cut_summary *sum = NULL;

    memcpy(thread, chop->thread, sizeof thread);
    remove("again.prv");
    ck_assert_int_eq(cut((struct prvcut_cut_options){ .thread = thread, .threads = 3 }, &sum),
                     PRVCUT_EUSAGE);
    ck_assert_str_eq(error.text, "3 threads have windows; the trace has 4");
    ck_assert_int_eq(
        cut((struct prvcut_cut_options){ .thread = thread, .threads = 4, .max_bytes = 1000 }, &sum),
        PRVCUT_EUSAGE);
    thread[1].end = chop->cut->window.end + 1;
    ck_assert_int_eq(cut((struct prvcut_cut_options){ .thread = thread, .threads = 4 }, &sum),
                     PRVCUT_EUSAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "thread 1: "));
    ck_assert_ptr_null(sum);
    ck_assert(!traces_shell("test -e again.prv"));
}
END_TEST

static Suite *cut_threads_suite(void)
{
    Suite *s = suite_create("cut_threads");
    TCase *t = tcase_create("cut_threads");

    scratch_fixtures(t);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, test_cut_of_a_chops_windows_is_the_chop);
    tcase_add_test(t, test_cut_leaves_out_threads_without_a_window);
    tcase_add_test(t, test_cut_refuses_windows_that_do_not_fit);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(cut_threads_suite());
}
