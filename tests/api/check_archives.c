/* Generated archives: their truth is known, their clocks too, and there may be many locations. */
#include "prvcut/inspect.h"
#include "prvcut/profile.h"
#include "prvcut/reduce.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static struct prvcut_error error;

static char folder[256];

static const struct kind {
    const char *format, *options;
    uint64_t skew_ns;
    unsigned iterations;
} kinds[] = {
    { "otf2", "--processes 6 --exchanges 5 --iterations 40", 0, 40 },
    { "otf2", "--processes 6 --exchanges 5 --iterations 40 --eztrace --skew 20000000", 20000000,
      40 },
    { "otf2", "--processes 2 --exchanges 1 --iterations 9 --skew 3000000", 3000000, 9 },
    { "otf", "--processes 6 --exchanges 5 --iterations 40", 0, 40 },
    { "otf", "--processes 6 --exchanges 5 --iterations 40 --skew 20000000", 20000000, 40 },
    { "otf", "--processes 17 --exchanges 2 --iterations 120", 0, 120 },
};

#define KINDS ((int)(sizeof kinds / sizeof *kinds))

/* Removed by the runner, so that a test that fails leaves nothing behind, either. */
static char all_folders[200];

static void make_all(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(all_folders, sizeof all_folders, "%s/prvcut-archives.XXXXXX",
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

/* Make FOLDER/in/a.FORMAT; returns its period, ns. */
static double generate(const char *format, const char *options, char *path, size_t room)
{
    char truth[512], line[256] = "";
    double period = 0;
    FILE *file;

    snprintf(path, room, "%s/in/a.%s", folder, format);
    snprintf(truth, sizeof truth, "%s/truth", folder);
    ck_assert(traces_shell("'%s' %s '%s' >'%s'", PRVARCHIVE, options, path, truth));
    file = fopen(truth, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    fclose(file);
    ck_assert_int_eq(sscanf(line, "{ \"period_ns\": %lf", &period), 1);
    return period;
}

static struct prvcut_reduction *reduce(const char *path, const char *out, int threads)
{
    const struct prvcut_reduce_options options = {
        .iterations = 2, .cut = &(const struct prvcut_cut_options){ .path = out }
    };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_trace *trace;
    struct prvcut_reduction *r;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_reduce(trace, &run, &options, &r, &error);
    ck_assert_msg(st == PRVCUT_OK, "%s: %s %s", path, error.text, r ? r->reason : "");
    prvcut_trace_close(trace);
    return r;
}

static void assert_found(const struct prvcut_reduction *r, const struct kind *k, double period)
{
    ck_assert_double_le(fabs(r->period_ns - period), 0.01 * period);
    ck_assert_double_le(fabs(r->iterations - k->iterations), 1);
    ck_assert_double_gt(r->confidence, 0.5);
}

static void assert_clocks(const struct prvcut_clock_report *c, const struct kind *k)
{
    ck_assert(c->skewed == (k->skew_ns > 0));
    ck_assert_uint_le(c->spread_ns, k->skew_ns + c->doubt_ns);
    ck_assert_uint_eq(c->unknown, 0);
    ck_assert_uint_eq(c->residual_ns, 0);
}

/* As long as two iterations: they are there, and nothing else. */
static void assert_length(const char *path, const struct kind *k, double period)
{
    struct prvcut_trace *trace;
    double length;

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    length = (double)prvcut_trace_end(trace);
    prvcut_trace_close(trace);
    ck_assert_double_ge(length, 1.8 * period);
    ck_assert_double_le(length, 2.2 * period + (double)k->skew_ns);
}

/* What a report calls records, info and check count, too. */
static void assert_records(const char *path, uint64_t records)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *trace;
    char *text, wanted[64];

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_int_eq(prvcut_info(trace, &run, PRVCUT_JSON, &text, &error), PRVCUT_OK);
    prvcut_trace_close(trace);
    snprintf(wanted, sizeof wanted, "\"lines\": %llu,", (unsigned long long)records);
    ck_assert_msg(strstr(text, wanted) != NULL, "no %s in %s", wanted, text);
    free(text);
    ck_assert_int_eq(prvcut_check(path, &run, NULL, PRVCUT_JSON, &text, &error), PRVCUT_OK);
    ck_assert_msg(strstr(text, wanted) != NULL, "no %s in %s", wanted, text);
    free(text);
}

/* Where its functions begin, an archive of Score-P's kind tells; calls of MPI have no such place.
 */
static void assert_sources(const char *path, const struct kind *k)
{
    const struct prvcut_profile_options o = { .size = sizeof o, .by = PRVCUT_PROFILE_BY_FUNCTION };
    const bool told = strcmp(k->format, "otf2") == 0 && !strstr(k->options, "--eztrace");
    struct prvcut_profile *p;
    struct prvcut_trace *trace;
    unsigned found = 0;

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_int_eq(prvcut_profile_make(trace, NULL, &o, &p, &error), PRVCUT_OK);
    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);

        ck_assert((r->file != NULL) == told);
        if (told)
            ck_assert_str_eq(r->file, "/home/ann/src/heat.c");
        ck_assert_uint_eq(r->line % 10, told ? 5 : 0);
        if (told && strcmp(r->name, "main") == 0)
            ck_assert_uint_eq(r->line, 5);
        found++;
    }
    ck_assert_uint_gt(found, 2);
    prvcut_profile_free(p);
    prvcut_trace_close(trace);
}

START_TEST(test_reduce_generated_archive_tells_what_was_generated)
{
    const struct kind *k = &kinds[_i];
    struct prvcut_reduction *r;
    char path[512], out[512];
    double period;

    if (!test_reads(k->format))
        return;
    period = generate(k->format, k->options, path, sizeof path);
    snprintf(out, sizeof out, "%s/cut.%s", folder, k->format);
    r = reduce(path, out, 2);
    assert_found(r, k, period);
    assert_clocks(r->clocks, k);
    assert_records(path, r->records);
    assert_sources(path, k);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->dropped_messages, 0);
    ck_assert_uint_eq(prvcut_reduction_chop(r, 0)->cut->split_collectives, 0);
    ck_assert_uint_gt(prvcut_reduction_chop(r, 0)->cut->size, 0);
    assert_length(out, k, period);
    prvcut_reduction_free(r);
}
END_TEST

/* Fewer handles than locations, and fewer than streams. */
START_TEST(test_reduce_many_locations_needs_few_handles)
{
    static const char *const formats[] = { "otf2", "otf" };
    const struct kind k = { formats[_i], "--processes 200 --exchanges 2 --iterations 20", 0, 20 };
    const struct rlimit few = { .rlim_cur = 64, .rlim_max = 64 };
    char path[512], out[512];
    struct prvcut_reduction *r;
    double period;

    if (!test_reads(k.format))
        return;
    period = generate(k.format, k.options, path, sizeof path);
    snprintf(out, sizeof out, "%s/cut.%s", folder, k.format);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    r = reduce(path, out, 2);
    assert_found(r, &k, period);
    ck_assert_uint_eq(r->threads, 200);
    prvcut_reduction_free(r);
}
END_TEST

static Suite *archives_suite(void)
{
    Suite *s = suite_create("archives");
    TCase *tc = tcase_create("generated");

    tcase_add_unchecked_fixture(tc, make_all, remove_all);
    tcase_add_checked_fixture(tc, make_one, NULL);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, test_reduce_generated_archive_tells_what_was_generated, 0, KINDS);
    tcase_add_loop_test(tc, test_reduce_many_locations_needs_few_handles, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return run_suite(archives_suite());
}
