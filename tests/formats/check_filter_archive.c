/* Filtering an archive equals filtering its conversion, record for record. */
#include "prvcut/filter.h"
#include "prvcut/inspect.h"

#include "same_records.h"

#include "built.h"
#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <sys/stat.h>

#define LIST(...)                                                                                  \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

/* Small archives of all kinds. */
static const struct {
    const char *format, *name;
} archives[] = {
    { "otf2", "lu.S.4" },
    { "otf2", "mpikinds.4" },
    { "otf2", "mpipth.4" },
    { "otf2", "scorep-ping-pong-otf2-papi" },
    { "otf2", "cg.W.4" },
    { "otf2", "comd.4" },
    { "otf", "lu.S.4" },
    { "otf", "lu.S.4-aux" },
    { "otf", "lu.S.4-long" },
    { "otf", "cg.S.4" },
    { "otf", "ping-pong-otf2-papi" },
    { "otf", "luleshomp.8-z" },
    { "otf", "hpcg.4-2streams" },
    { "otf2", "pth.4t" },
    { "otf2", "is.W.4" },
};

/* Records to compare: ends of calls stay with their begins in an archive, in a Paraver trace they
   are values like others; when a receive was posted is told by its call. */
static const struct {
    struct prvcut_filter filter;
    bool ends;
} sets[] = {
    { { .events_dropped = LIST("999") }, true },
    { { .min_message_bytes = 1000 }, true },
    { { .min_message_bytes = 1 }, true },
    { { .events = LIST("50000001-50000003") }, true },
    { { .events = LIST("50000001-50000003,50100001-50100004") }, true },
    { { .events_dropped = LIST("MPI Point-to-point,50100001-50100004") }, true },
    { { .events_dropped = LIST("60000019,46000000-46999999,42000000-42999999") }, true },
    { { .events = LIST("50000001=1/2/0,50000002=7/10/0,60000019") }, false },
    { { .events_dropped = LIST("50000001=2/3") }, false },
    { { .events = LIST("42000050,42000059") }, true },
    { { .drop_messages = true }, true },
    { { .drop_events = true }, true },
    { { .drop_events = true, .min_message_bytes = 300 }, true },
    { { .tasks = "1" }, true },
    { { .tasks = "1", .min_message_bytes = 200 }, true },
    { { .threads = "1.1" }, true },
};

#define ARCHIVES (sizeof archives / sizeof *archives)
#define SETS     (sizeof sets / sizeof *sets)

static enum prvcut_status skip(void *ctx, const struct prvcut_record *record, size_t count)
{
    (void)ctx, (void)record, (void)count;
    return PRVCUT_OK;
}

static void filter(const char *from, const char *to, const struct prvcut_filter *f,
                   uint64_t least_end, int threads)
{
    const struct prvcut_cut_options options = {
        .path = to, .force = true, .filter = f, .filters = 1
    };
    const struct prvcut_records_wish wish = { .take = skip };
    const struct prvcut_run run = { .threads = threads };
    struct prvcut_filter_summary *sum;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = opened(from), *made;

    must(prvcut_filter_trace(trace, &run, &options, &sum, &err), &err, from);
    prvcut_filter_summary_free(sum);
    /* That of the original, as far as it has records; all must be read before it is known. */
    made = opened(to);
    must(prvcut_records_read(trace, NULL, &wish, &err), &err, from);
    must(prvcut_records_read(made, NULL, &wish, &err), &err, to);
    ck_assert_uint_le(prvcut_trace_end(made), prvcut_trace_end(trace));
    ck_assert_uint_ge(prvcut_trace_end(made), least_end);
    prvcut_trace_close(made);
    prvcut_trace_close(trace);
}

static size_t compare(const char *name, size_t set)
{
    char what[256];

    snprintf(what, sizeof what, "%s, set %zu", name, set);
    return compare_records(what, "want.prv", "have.prv",
                           PRVCUT_RECORD_EVENT | PRVCUT_RECORD_MESSAGE, sets[set].ends);
}

static char *findings(const char *path)
{
    const struct prvcut_open_options strict = { .strict = true };
    struct prvcut_error err = { 0 };
    char *text = NULL;

    prvcut_check(path, NULL, &strict, PRVCUT_JSON, &text, &err);
    ck_assert_msg(text != NULL, "%s: %s", path, err.text);
    return text;
}

/* The check finds nothing of a kind that it does not find in the original. */
static void compare_findings(const char *name, const char *original, const char *filtered)
{
    static const char word[] = "\"name\": \"";
    char *before = findings(original), *after = findings(filtered);
    char *list = strstr(after, "\"findings\"");

    for (char *at = list ? strstr(list, word) : NULL; at; at = strstr(at, word)) {
        char *end = strchr(at, '\n');

        ck_assert_ptr_nonnull(end);
        *end = '\0';
        ck_assert_msg(strstr(before, at) != NULL, "%s: %s", name, at);
        at = end + 1;
    }
    free(before);
    free(after);
}

/* With sanitizers each archive has a sixth of the sets, and each set some archives. */
static bool wanted(size_t set, int archive)
{
    return traces_take() != TRACES_LEAST || (set + (size_t)archive) % 6 == 0;
}

START_TEST(test_filter_an_archive_as_its_conversion)
{
    const char *format = archives[_i].format, *name = archives[_i].name;
    char path[4096], made[64];
    struct prvcut_trace *all;
    size_t compared = 0;
    uint64_t end;

    if (!test_reads(format) || !traces_wanted(format, name) ||
        !traces_unpack_archive(format, name, path, sizeof path))
        return;
    snprintf(made, sizeof made, "made.%s", format);
    convert(path, "all.prv");
    all = opened("all.prv");
    end = prvcut_trace_end(all);
    prvcut_trace_close(all);
    for (size_t i = 0; i < SETS; i++) {
        if (!wanted(i, _i))
            continue;
        filter("all.prv", "want.prv", &sets[i].filter, end, 1);
        filter(path, made, &sets[i].filter, end, 1 + (int)i % 3);
        convert(made, "have.prv");
        compared += compare(name, i);
        compare_findings(name, path, made);
    }
    ck_assert_uint_gt(compared, 100);
}
END_TEST

/* Small Paraver traces of all kinds, and the formats that convert writes them in: OTF2 keeps states
   and when receives were posted, OTF neither. */
static const char *const originals[] = { "lu.S.4", "comd.8.ctl", "is.W.8", "cg.W.4.sampling" };

static const struct prvcut_filter whole_sets[] = {
    { .events_dropped = LIST("999") },
    { .states = LIST("Running"), .min_message_bytes = 1000 },
    { .min_state_ns = 2000, .events = LIST("50000001-50000003,50100001-50100004") },
    { .states_dropped = LIST("1"), .events_dropped = LIST("50000002=0,50100003") },
    { .drop_states = true, .events = LIST("50000001=1/2,50000002=7/10/0,50100001-50100004") },
    { .drop_events = true, .tasks = "1" },
    { .threads = "2.1", .min_message_bytes = 300, .events = LIST("MPI Point-to-point=0,MPI_Recv") },
};

#define ORIGINALS  (sizeof originals / sizeof *originals)
#define WHOLE_SETS (sizeof whole_sets / sizeof *whole_sets)

/* Filtering a conversion gives what converting the filtered original gives. */
START_TEST(test_filter_a_conversion_as_its_original)
{
    const char *name = originals[_i];
    char path[4096], what[256];
    size_t compared = 0;

    if (!test_reads("otf2") || !traces_wanted("paraver", name) ||
        !traces_unpack(name, path, sizeof path))
        return;
    convert(path, "all.otf2");
    for (size_t i = 0; i < WHOLE_SETS; i++) {
        struct prvcut_filter f = whole_sets[i];

        if (!wanted(i, _i))
            continue;

        f.lenient_names = true;
        filter(path, "want.prv", &f, 0, 1);
        convert("want.prv", "want.otf2");
        filter("all.otf2", "have.otf2", &f, 0, 1 + (int)i % 2);
        snprintf(what, sizeof what, "%s, set %zu", name, i);
        compared += compare_records(
            what, "want.otf2", "have.otf2",
            PRVCUT_RECORD_STATE | PRVCUT_RECORD_EVENT | PRVCUT_RECORD_MESSAGE, true);
        compare_findings(name, "all.otf2", "have.otf2");
        convert("want.otf2", "want_back.prv");
        convert("have.otf2", "have_back.prv");
        /* The time behind the last record is told by the one only. */
        ck_assert_msg(traces_shell("grep -v '^#' want_back.prv >lines && "
                                   "grep -v '^#' have_back.prv | cmp lines -"),
                      "%s", what);
    }
    ck_assert_uint_gt(compared, 100);
}
END_TEST

static void cut(const char *from, const char *to, struct prvcut_span window,
                const struct prvcut_filter *f, bool dry)
{
    const struct prvcut_cut_options options = {
        .path = to, .force = true, .filter = f, .filters = f ? 1 : 0, .dry_run = dry
    };
    struct prvcut_cut_summary *sum;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace = opened(from);

    must(prvcut_cut(trace, NULL, &window, &options, &sum, &err), &err, from);
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(trace);
}

/* Calls and messages of a cut that is filtered are those of the Paraver trace's, cut in the same
   way; and all that is left is what filtering the cut leaves. */
START_TEST(test_cut_an_archive_with_filters)
{
    static const struct {
        const char *name, *format;
    } cuts[] = { { "lu.S.4", "otf2" }, { "lu.S.4", "otf" }, { "bt.S.4", "otf2" } };
    const struct prvcut_filter f = { .events = LIST("50000001-50000003"),
                                     .min_message_bytes = 100 };
    char path[4096], all[16], have[16], step[16], twice[16];
    struct prvcut_trace *trace;
    struct prvcut_span window;
    struct stat s;

    if (!test_reads("otf2") || !traces_wanted("paraver", cuts[_i].name) ||
        !traces_unpack(cuts[_i].name, path, sizeof path))
        return;
    snprintf(all, sizeof all, "all.%s", cuts[_i].format);
    snprintf(have, sizeof have, "have.%s", cuts[_i].format);
    snprintf(step, sizeof step, "step.%s", cuts[_i].format);
    snprintf(twice, sizeof twice, "twice.%s", cuts[_i].format);
    convert(path, all);
    trace = opened(path);
    window.end = prvcut_trace_end(trace);
    window.start = window.end / 100 * 99;
    window.end -= window.end / 500;
    prvcut_trace_close(trace);
    cut(path, "want.prv", window, &f, false);
    cut(all, have, window, &f, true);
    ck_assert(stat(have, &s) != 0);
    cut(all, have, window, &f, false);
    convert(have, "have.prv");
    ck_assert_uint_gt(compare_records(cuts[_i].name, "want.prv", "have.prv",
                                      PRVCUT_RECORD_EVENT | PRVCUT_RECORD_MESSAGE, true),
                      20);
    cut(all, step, window, NULL, false);
    filter(step, twice, &f, 0, 1);
    compare_records(cuts[_i].name, twice, have, PRVCUT_RECORD_EVENT | PRVCUT_RECORD_MESSAGE, true);
}
END_TEST

/* What a filter takes nothing from is the archive as it was. */
START_TEST(test_filter_nothing_leaves_all_records)
{
    const struct prvcut_filter nothing = { .events_dropped = LIST("999") };
    char path[4096];

    if (!test_reads("otf2") ||
        !traces_unpack_archive("otf2", "scorep-ping-pong-otf2-papi", path, sizeof path) ||
        !traces_shell("command -v otf2-print >/dev/null"))
        return;
    filter(path, "made.otf2", &nothing, 0, 2);
    ck_assert(traces_shell("otf2-print '%s' >want 2>&1 && otf2-print made.otf2 >have 2>&1", path));
    ck_assert(traces_shell("cmp want have"));
}
END_TEST

static Suite *archive_suite(void)
{
    Suite *s = suite_create("filter_archive");
    TCase *t = tcase_create("archive");

    scratch_fixtures(t);
    tcase_set_timeout(t, 600);
    tcase_add_loop_test(t, test_filter_an_archive_as_its_conversion, 0, (int)ARCHIVES);
    tcase_add_loop_test(t, test_filter_a_conversion_as_its_original, 0, (int)ORIGINALS);
    tcase_add_loop_test(t, test_cut_an_archive_with_filters, 0, 3);
    tcase_add_test(t, test_filter_nothing_leaves_all_records);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(archive_suite());
}
