/* What is written of real traces passes check --strict, but for what the original causes. */
#include "sound.h"

#include "prvcut/convert.h"
#include "prvcut/cut.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *format, *name;
} traces[] = {
    { "paraver", "lu.S.4" },
    { "paraver", "lu.S.8.flush" },
    { "paraver", "comd.8.ctl" },
    { "paraver", "lulesh.8.omp" },
    { "paraver", "cg.W.4.sampling" },
    { "otf2", "lu.S.4" },
    { "otf2", "bt.S.4" },
    { "otf2", "cg.S.16" },
    { "otf2", "comd.4" },
    { "otf2", "mpikinds.4" },
    { "otf2", "mpipth.4" },
    { "otf2", "scorep-ping-pong-otf2" },
    { "otf", "lu.S.4" },
    { "otf", "lu.S.4-long" },
    { "otf", "bt.W.16-z" },
    { "otf", "comd.16" },
    { "otf", "ft.A.16" },
    { "otf", "gtg-demo" },
    { "otf", "gtg-lu.S.4" },
    { "otf", "luleshomp.8-z" },
    { "otf", "ping-pong-otf2-papi" },
};

/* By name, and the suffix of their files. */
static const struct {
    const char *name, *suffix;
} formats[] = { { "paraver", "prv" }, { "otf2", "otf2" }, { "otf", "otf" } };

/* Shares of the run, in percent. */
static const struct {
    uint64_t from, to;
} windows[] = { { 3, 7 }, { 30, 70 }, { 90, 100 } };

/* Removed by the runner, so that a test that fails leaves nothing behind, either. */
static char all_folders[200], folder[256];

static void make_all(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(all_folders, sizeof all_folders, "%.150s/prvcut-sound.XXXXXX",
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

static bool unpack(int i, char *path, size_t room)
{
    const char *format = traces[i].format, *name = traces[i].name;

    if (!test_reads(format) || (traces_take() == TRACES_LEAST && !traces_wanted(format, name)))
        return false;
    return strcmp(format, "paraver") == 0 ? traces_unpack(name, path, room)
                                          : traces_unpack_archive(format, name, path, room);
}

static struct prvcut_trace *open_trace(const char *path)
{
    struct prvcut_trace *trace;
    struct prvcut_error err = { 0 };

    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return trace;
}

static void convert(const char *from, const char *to)
{
    const struct prvcut_convert_options options = { .path = to };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = open_trace(from);
    const enum prvcut_status st = prvcut_convert(trace, &run, &options, &sum, &err);

    ck_assert_msg(st == PRVCUT_OK, "%s: %s", from, err.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
}

static void cut(const char *from, const char *to, unsigned window)
{
    const struct prvcut_cut_options options = { .path = to };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = open_trace(from);
    const uint64_t end = prvcut_trace_end(trace);
    const struct prvcut_span span = { end / 100 * windows[window].from,
                                      end / 100 * windows[window].to };
    const enum prvcut_status st = prvcut_cut(trace, &run, &span, &options, &sum, &err);

    ck_assert_msg(st == PRVCUT_OK, "%s: %s", from, err.text);
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(trace);
}

static const char *suffix_of(const char *format)
{
    unsigned i = 0;

    while (strcmp(formats[i].name, format) != 0)
        i++;
    return formats[i].suffix;
}

START_TEST(test_cut_real_trace_is_sound)
{
    const char *suffix = suffix_of(traces[_i].format);
    char from[4096], to[400];

    if (!unpack(_i, from, sizeof from))
        return;
    for (unsigned i = 0; i < sizeof windows / sizeof *windows; i++) {
        snprintf(to, sizeof to, "%s/%u/cut.%s", folder, i, suffix);
        ck_assert(traces_shell("mkdir '%s/%u'", folder, i));
        cut(from, to, i);
        ck_assert_msg(sound_as(to, from), "%u to %u %% of %s", (unsigned)windows[i].from,
                      (unsigned)windows[i].to, from);
    }
}
END_TEST

START_TEST(test_convert_real_trace_is_sound)
{
    char from[4096], to[400];

    if (!unpack(_i, from, sizeof from))
        return;
    for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!test_reads(formats[i].name))
            continue;
        snprintf(to, sizeof to, "%s/%s/all.%s", folder, formats[i].suffix, formats[i].suffix);
        ck_assert(traces_shell("mkdir '%s/%s'", folder, formats[i].suffix));
        convert(from, to);
        ck_assert_msg(sound_as(to, from), "%s to %s", from, formats[i].name);
    }
}
END_TEST

static Suite *sound_suite(void)
{
    Suite *s = suite_create("sound");
    TCase *c = tcase_create("sound");
    const int count = (int)(sizeof traces / sizeof *traces);

    tcase_set_timeout(c, 600);
    tcase_add_unchecked_fixture(c, make_all, remove_all);
    tcase_add_checked_fixture(c, make_one, NULL);
    tcase_add_loop_test(c, test_cut_real_trace_is_sound, 0, count);
    tcase_add_loop_test(c, test_convert_real_trace_is_sound, 0, count);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(sound_suite());
}
