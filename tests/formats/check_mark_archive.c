/* Marks in an archive survive its conversion: it is that of the archive, marked. */
#include "prvcut/mark.h"

#include "same_records.h"

#include "built.h"
#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

static const struct {
    const char *format, *name;
} archives[] = {
    { "otf2", "lu.S.4" }, { "otf2", "comd.4" },     { "otf2", "mpipth.4" },
    { "otf2", "cg.W.4" }, { "otf2", "bt.S.4" },     { "otf", "lu.S.4" },
    { "otf", "cg.S.4" },  { "otf", "lu.S.4-long" }, { "otf", "luleshomp.8-z" },
};

#define ARCHIVES (sizeof archives / sizeof *archives)

static void mark(const char *from, const char *to, int threads)
{
    const struct prvcut_cut_options output = { .path = to, .force = true };
    const struct prvcut_mark_options options = { .output = &output };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = opened(from);
    struct prvcut_marking *m;

    must(prvcut_mark(trace, &run, &options, &m, &err), &err, from);
    ck_assert_uint_gt(m->marks, 0);
    prvcut_marking_free(m);
    prvcut_trace_close(trace);
}

/* Those of the marks' type and value. */
static size_t count_marks(const char *path, int64_t value)
{
    struct records r = { .ends = true };
    size_t count = 0;

    read_all(&r, path, PRVCUT_RECORD_EVENT);
    for (size_t i = 0; i < r.count; i++)
        count += r.at[i].type == PRVCUT_MARK_TYPE && r.at[i].value == value;
    free(r.at);
    return count;
}

static void compare(const char *name, const char *path, const char *made)
{
    const unsigned all = PRVCUT_RECORD_STATE | PRVCUT_RECORD_EVENT | PRVCUT_RECORD_MESSAGE;

    convert(path, "all.prv");
    mark("all.prv", "want.prv", 2);
    mark(path, made, 2);
    convert(made, "have.prv");
    compare_records(name, "want.prv", "have.prv", all, true);
    ck_assert_uint_gt(count_marks("have.prv", 1), 0);
    ck_assert_uint_gt(count_marks("have.prv", 0), 0);
    ck_assert_uint_eq(count_marks(made, 1), count_marks("have.prv", 1));
}

START_TEST(test_mark_an_archive_as_its_conversion)
{
    const char *format = archives[_i].format, *name = archives[_i].name;
    char path[4096], made[64];

    if (!test_reads(format) || !traces_wanted(format, name) ||
        !traces_unpack_archive(format, name, path, sizeof path))
        return;
    snprintf(made, sizeof made, "made.%s", format);
    compare(name, path, made);
}
END_TEST

/* What this program made of a Paraver trace is read by its own rules. */
START_TEST(test_mark_a_conversion_as_its_original)
{
    static const char *const made[][2] = { { "own.otf2", "made.otf2" }, { "own.otf", "made.otf" } };

    ck_assert(traces_shell("cp '%s'/lu.S.8.* . && zstd -dq --rm *.zst", SAMPLE_FILES));
    if (!test_writes(_i == 0 ? "otf2" : "otf"))
        return;
    convert("lu.S.8.prv", made[_i][0]);
    compare(made[_i][0], made[_i][0], made[_i][1]);
}
END_TEST

/* One's own marks once more: no second metric, each mark twice. */
START_TEST(test_mark_what_is_marked)
{
    ck_assert(traces_shell("tar -xf '%s'/lu.S.4-eztrace.tar.zst && mv */* .", SAMPLE_FILES));
    if (!test_reads("otf2"))
        return;
    mark("eztrace_log.otf2", "once.otf2", 1);
    mark("once.otf2", "twice.otf2", 3);
    ck_assert_uint_eq(count_marks("twice.otf2", 1), 2 * count_marks("once.otf2", 1));
    if (traces_shell("command -v otf2-print >/dev/null"))
        ck_assert(traces_shell("otf2-print eztrace_log.otf2 2>warned >events && otf2-print "
                               "twice.otf2 2>warns >marks &&"
                               " cmp warned warns && test $(otf2-print -G twice.otf2 2>warns |"
                               " grep -c '^METRIC_CLASS') = 1 && grep -q METRIC marks &&"
                               " sed '/^METRIC/d; /^  *Value: /d' marks | cmp - events"));
}
END_TEST

static Suite *archive_suite(void)
{
    Suite *s = suite_create("mark_archive");
    TCase *t = tcase_create("archive");

    scratch_fixtures(t);
    tcase_set_timeout(t, 600);
    tcase_add_loop_test(t, test_mark_an_archive_as_its_conversion, 0, (int)ARCHIVES);
    tcase_add_loop_test(t, test_mark_a_conversion_as_its_original, 0, 2);
    tcase_add_test(t, test_mark_what_is_marked);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(archive_suite());
}
