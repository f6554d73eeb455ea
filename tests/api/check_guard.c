#include "prvcut/archive.h"
#include "prvcut/convert.h"
#include "prvcut/filter.h"
#include "prvcut/index.h"
#include "prvcut/mark.h"
#include "prvcut/reduce.h"
#include "prvcut/trace.h"

#include "tests/base/scratch.h"

#include "built.h"
#include "runner.h"
#include "traces.h"

static const struct prvcut_run one_worker = { .threads = 1 };
static struct prvcut_error error;

static struct prvcut_trace *open_trace(const char *path)
{
    struct prvcut_trace *t = NULL;

    error = (struct prvcut_error){ 0 };
    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    return t;
}

/* app.prv, .pcf, .row, .prvx, once for all tests of a case: an index is synced, which takes its
 * time.
 */
static void make_master(void)
{
    const struct prvcut_index_options o = { .force = false };
    struct prvcut_index_result *r = NULL;
    struct prvcut_trace *t;
    char path[4200];

    ck_assert(traces_shell("'%s' --tasks 4 --iterations 60 --change-at 0.5 --seed 3 %s/app", PRVGEN,
                           scratch_root));
    snprintf(path, sizeof path, "%s/app.prv", scratch_root);
    t = open_trace(path);
    ck_assert_msg(prvcut_index_write(t, &one_worker, &o, &r, &error) == PRVCUT_OK, "%s",
                  error.text);
    prvcut_index_result_free(r);
    prvcut_trace_close(t);
}

/* The index knows its trace by its time. */
static void make_trace(void)
{
    ck_assert(traces_shell("cp -p %s/app.* .", scratch_root));
}

/* --- What is the trace's own ---------------------------------------------------------------- */

static void assert_holds(const struct prvcut_trace *t, const char *path, bool holds)
{
    ck_assert_msg(prvcut_trace_holds(t, path) == holds, "%s: %d", path, !holds);
}

START_TEST(test_hold_files_beside_the_trace_through_any_link)
{
    static const char *const own[] = { "app.prv", "app.pcf", "app.row", "app.prvx" };
    static const char *const others[] = {
        "app", "-",           ".",        "none.prv", "app.tsv",
        "..",  "app.pcf.bak", "copy.prv", "dangling", "/dev/null"
    };
    struct prvcut_trace *t;

    make_trace();
    ck_assert(traces_shell("cp app.prv copy.prv; cp app.pcf app.pcf.bak; ln -s nowhere dangling"));
    t = open_trace("app.prv");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        assert_holds(t, own[i], true);
        ck_assert(traces_shell("ln -f -s %s soft; ln -f %s hard", own[i], own[i]));
        assert_holds(t, "soft", true);
        assert_holds(t, "./hard", true);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_holds(t, others[i], false);
    prvcut_trace_close(t);
}
END_TEST

static void convert_to(const char *path)
{
    const struct prvcut_convert_options o = { .path = path };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_trace *t = open_trace("app.prv");

    ck_assert_msg(prvcut_convert(t, &one_worker, &o, &sum, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(t);
}

static void reduce_beside(const char *path)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_reduction *r;
    struct prvcut_trace *t = open_trace(path);

    ck_assert_msg(prvcut_reduce(t, &one_worker, &o, &r, &error) == PRVCUT_OK, "%s", error.text);
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
}

/* Every file of a folder of its own; those of the cut have ".chop1" in their paths. */
static void assert_holds_all(const struct prvcut_trace *t, size_t least)
{
    FILE *list = popen("find log* | sort", "r");
    char path[4096];
    size_t own = 0;

    ck_assert_ptr_nonnull(list);
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        assert_holds(t, path, strstr(path, ".chop1") == NULL);
        own += strstr(path, ".chop1") == NULL;
    }
    pclose(list);
    ck_assert_uint_ge(own, least);
}

static const struct {
    const char *format, *path;
    size_t least; /* files and folders of the archive, of 4 tasks */
} archives[] = { { "otf2", "log.otf2", 7 }, { "otf", "log.otf", 6 } };

START_TEST(test_hold_all_of_an_archive_but_no_cut_beside_it)
{
    struct prvcut_trace *t;

    if (!test_writes(archives[_i].format))
        return;
    make_trace();
    convert_to(archives[_i].path);
    reduce_beside(archives[_i].path);
    t = open_trace(archives[_i].path);
    assert_holds_all(t, archives[_i].least);
    assert_holds(t, "app.prv", false);
    ck_assert(
        traces_shell("ln -s \"$(find log* -type f ! -name '*chop1*' | sort | tail -n 1)\" soft"));
    assert_holds(t, "soft", true);
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_hold_archive_that_was_unpacked)
{
    const struct prvcut_reduce_options o = {
        .iterations = 2, .cut = &(const struct prvcut_cut_options){ .force = true }
    };
    struct prvcut_reduction *r;
    struct prvcut_trace *t;

    make_trace();
    t = open_trace("app.prv");
    ck_assert_msg(prvcut_reduce_to_archive(t, &one_worker, &o, "a.tar.zst", &r, &error) ==
                      PRVCUT_OK,
                  "%s", error.text);
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
    t = open_trace("a.tar.zst");
    assert_holds(t, "a.tar.zst", true);
    assert_holds(t, "app.prv", false);
    ck_assert_int_eq(prvcut_reduce_to_archive(t, &one_worker, &o, "a.tar.zst", &r, &error),
                     PRVCUT_EUSAGE);
    ck_assert_str_eq(error.text, "not writing 'a.tar.zst': it is the trace that is read");
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
}
END_TEST

/* --- Calls that write ----------------------------------------------------------------------- */

/* A call that shall be refused: what is written to `path` of the trace. */
typedef enum prvcut_status call(struct prvcut_trace *t, const char *path);

static enum prvcut_status reduce_with(struct prvcut_trace *t, const struct prvcut_reduce_options *o)
{
    struct prvcut_reduction *r;
    const enum prvcut_status st = prvcut_reduce(t, &one_worker, o, &r, &error);

    prvcut_reduction_free(r);
    return st;
}

static enum prvcut_status call_reduce(struct prvcut_trace *t, const char *path)
{
    return reduce_with(
        t, &(struct prvcut_reduce_options){
               .iterations = 2,
               .cut = &(const struct prvcut_cut_options){ .path = path, .force = true } });
}

static enum prvcut_status call_report(struct prvcut_trace *t, const char *path)
{
    return reduce_with(
        t, &(struct prvcut_reduce_options){
               .iterations = 2,
               .report = path,
               .cut = &(const struct prvcut_cut_options){ .path = "new.prv", .force = true } });
}

static enum prvcut_status call_archive(struct prvcut_trace *t, const char *path)
{
    const struct prvcut_reduce_options o = {
        .iterations = 2, .cut = &(const struct prvcut_cut_options){ .force = true }
    };
    struct prvcut_reduction *r;
    const enum prvcut_status st = prvcut_reduce_to_archive(t, &one_worker, &o, path, &r, &error);

    prvcut_reduction_free(r);
    return st;
}

static enum prvcut_status call_cut(struct prvcut_trace *t, const char *path)
{
    const struct prvcut_cut_options o = { .path = path, .force = true };
    const struct prvcut_span window = { 0, prvcut_trace_end(t) / 2 };
    struct prvcut_cut_summary *sum = NULL;
    const enum prvcut_status st = prvcut_cut(t, &one_worker, &window, &o, &sum, &error);

    prvcut_cut_summary_free(sum);
    return st;
}

static enum prvcut_status call_cut_as_paraver(struct prvcut_trace *t, const char *path)
{
    const struct prvcut_cutter cutter = { .maximum_percent = 50 };
    const struct prvcut_cut_options o = { .path = path, .force = true };
    struct prvcut_cut_summary *sum = NULL;
    const enum prvcut_status st = prvcut_cut_as_paraver(t, &one_worker, &cutter, &o, &sum, &error);

    prvcut_cut_summary_free(sum);
    return st;
}

static enum prvcut_status call_filter(struct prvcut_trace *t, const char *path)
{
    const struct prvcut_filter f = { .drop_states = true };
    const struct prvcut_cut_options o = { .path = path, .force = true, .filter = &f, .filters = 1 };
    struct prvcut_filter_summary *sum = NULL;
    const enum prvcut_status st = prvcut_filter_trace(t, &one_worker, &o, &sum, &error);

    prvcut_filter_summary_free(sum);
    return st;
}

static enum prvcut_status call_mark(struct prvcut_trace *t, const char *path)
{
    const struct prvcut_mark_options o = { .output = &(const struct prvcut_cut_options){
                                               .path = path, .force = true } };
    struct prvcut_marking *m;
    const enum prvcut_status st = prvcut_mark(t, &one_worker, &o, &m, &error);

    prvcut_marking_free(m);
    return st;
}

static enum prvcut_status call_convert(struct prvcut_trace *t, const char *path)
{
    const struct prvcut_convert_options o = { .path = path, .format = "paraver", .force = true };
    struct prvcut_convert_summary *sum = NULL;
    const enum prvcut_status st = prvcut_convert(t, &one_worker, &o, &sum, &error);

    prvcut_convert_summary_free(sum);
    return st;
}

static const struct {
    call *call;
    bool traces; /* writes a trace, with companions */
    bool cuts;   /* in its own format, whatever it is called */
} calls[] = {
    { call_reduce, true, true },         { call_report, false, false },
    { call_archive, false, false },      { call_cut, true, true },
    { call_cut_as_paraver, true, true }, { call_filter, true, true },
    { call_mark, true, true },           { call_convert, true, false },
};

#define CALLS (int)(sizeof calls / sizeof *calls)

static void assert_refused(enum prvcut_status st, const char *path)
{
    char text[256];

    snprintf(text, sizeof text, "not writing '%s': it is the trace that is read", path);
    ck_assert_msg(st == PRVCUT_EUSAGE, "%s: status %d, %s", path, st, error.text);
    ck_assert_str_eq(error.text, text);
    error = (struct prvcut_error){ 0 };
}

START_TEST(test_refuse_own_files_whatever_force_says)
{
    static const char *const paths[] = { "app.prv",  "./app.prv", "app.pcf", "app.row",
                                         "app.prvx", "soft",      "hard",    "soft.pcf" };
    struct prvcut_trace *t;

    make_trace();
    ck_assert(traces_shell("ln -s app.prv soft; ln app.prv hard; ln -s app.pcf soft.pcf"));
    ck_assert(traces_shell("cksum app.* >../before; ls >../names"));
    t = open_trace("app.prv");
    for (int i = 0; i < (int)(sizeof paths / sizeof *paths); i++)
        if (traces_turn(i + _i))
            assert_refused(calls[_i].call(t, paths[i]), paths[i]);
    prvcut_trace_close(t);
    ck_assert(traces_shell("cksum app.* | cmp - ../before && ls | cmp - ../names"));
}
END_TEST

/* The main file is new, its labels would be the trace's. */
START_TEST(test_refuse_names_whose_companions_are_own)
{
    struct prvcut_trace *t;
    enum prvcut_status st;

    if (!calls[_i].traces)
        return;
    make_trace();
    ck_assert(traces_shell("mkdir d; ln -s ../app.pcf d/one.pcf; ln app.row d/two.row"));
    t = open_trace("app.prv");
    st = calls[_i].call(t, "d/one.prv");
    ck_assert_int_eq(st, PRVCUT_EUSAGE);
    ck_assert_str_eq(error.text,
                     "not writing 'd/one.pcf' beside 'd/one.prv': it is the trace that is read");
    error = (struct prvcut_error){ 0 };
    ck_assert_int_eq(calls[_i].call(t, "d/two.prv.gz"), PRVCUT_EUSAGE);
    ck_assert_str_eq(error.text,
                     "not writing 'd/two.row' beside 'd/two.prv.gz': it is the trace that is read");
    prvcut_trace_close(t);
    ck_assert(traces_shell("ls d | tr '\\n' ' ' | grep -qx 'one.pcf two.row '"));
}
END_TEST

/* The run has two regions. */
START_TEST(test_refuse_derived_names_that_are_own)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .regions = "all",
                                             .cut = &(const struct prvcut_cut_options){
                                                 .path = "out.prv", .force = true } };
    struct prvcut_trace *t;

    make_trace();
    ck_assert(traces_shell("ln app.prv out.1.2.prv; ln app.prv app.chop1.prv"));
    t = open_trace("app.prv");
    assert_refused(reduce_with(t, &o), "out.1.2.prv");
    assert_refused(call_reduce(t, NULL), "app.chop1.prv");
    prvcut_trace_close(t);
    ck_assert(traces_shell("ls out.* | grep -qx out.1.2.prv && "
                           "cmp app.prv app.chop1.prv"));
}
END_TEST

START_TEST(test_index_replaces_itself)
{
    const struct prvcut_index_options o = { .force = true };
    struct prvcut_index_result *r = NULL;
    struct prvcut_trace *t;

    make_trace();
    t = open_trace("app.prv");
    ck_assert_msg(prvcut_index_write(t, &one_worker, &o, &r, &error) == PRVCUT_OK, "%s",
                  error.text);
    ck_assert_str_eq(r->path, "app.prvx");
    prvcut_index_result_free(r);
    prvcut_trace_close(t);
}
END_TEST

/* --- Names ---------------------------------------------------------------------------------- */

START_TEST(test_refuse_names_of_other_formats)
{
    static const char *const names[][2] = {
        { "out.otf2", "an OTF2 archive" },    { "d.prv/out.otf", "an OTF trace" },
        { "out.prv.paje", "a Paje trace" },   { "out.trace.gz", "a Paje trace" },
        { "out.json.zst", "a JSON file" },    { "out.html", "a page (HTML)" },
        { "out.csv", "a table (CSV)" },       { "out.svg.gz", "a drawing (SVG)" },
        { "out.otf2.gz", "an OTF2 archive" },
    };
    struct prvcut_trace *t;

    if (!calls[_i].cuts)
        return;
    make_trace();
    t = open_trace("app.prv");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[256];

        snprintf(text, sizeof text,
                 "%s is the name of %s, but a Paraver trace is written: call it ", names[i][0],
                 names[i][1]);
        ck_assert_int_eq(calls[_i].call(t, names[i][0]), PRVCUT_EUSAGE);
        ck_assert_msg(strncmp(error.text, text, strlen(text)) == 0, "%s", error.text);
        error = (struct prvcut_error){ 0 };
    }
    prvcut_trace_close(t);
}
END_TEST

START_TEST(test_take_names_that_tell_nothing)
{
    static const char *const names[] = {
        "out", "out.1.5", "out.otf2x", "otf2", ".otf2", "out.prv"
    };
    struct prvcut_trace *t;

    make_trace();
    t = open_trace("app.prv");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(call_cut(t, names[i]) == PRVCUT_OK, "%s: %s", names[i], error.text);
    prvcut_trace_close(t);
}
END_TEST

/* --- Folders -------------------------------------------------------------------------------- */

/* Files of a folder, and which of them is the trace; NULL: several are. */
static const struct {
    const char *made, *found;
} folders[] = {
    { "log.otf log.chop1.otf", "log.otf" },
    { "log.otf log.chop1.otf log.1.2.otf log.chop1.cut.otf", "log.otf" },
    { "a.b.otf a.b.chop1.otf", "a.b.otf" },
    { "a.b.otf a.chop1.otf", NULL },
    { "log.otf log2.otf", NULL },
    { "log.otf log.chop1.otf other.otf", NULL },
};

START_TEST(test_open_folder_without_the_cuts_in_it)
{
    struct prvcut_trace *t = NULL;
    char path[64];
    enum prvcut_status st;

    make_trace();
    convert_to("log.otf");
    /* The names of the streams follow that of the main file. */
    ck_assert(traces_shell("mkdir d; for m in %s; do for f in log.*; do case $m in "
                           "*.otf) cp $f d/${m%%.otf}${f#log} ;; *) cp $f d/$m ;; esac; done; done",
                           folders[_i].made));
    st = prvcut_trace_open(&t, "d", NULL, &error);
    if (folders[_i].found) {
        ck_assert_msg(st == PRVCUT_OK, "%s", error.text);
        snprintf(path, sizeof path, "d/%s", folders[_i].found);
        ck_assert_str_eq(t->path, path);
    } else {
        ck_assert_int_eq(st, PRVCUT_EUSAGE);
        ck_assert_msg(strstr(error.text, "d: holds ") && strstr(error.text, "; name one"), "%s",
                      error.text);
    }
    prvcut_trace_close(t);
}
END_TEST

static Suite *guard_suite(void)
{
    Suite *s = suite_create("guard");
    TCase *own = tcase_create("own files"), *calling = tcase_create("calls"),
          *names = tcase_create("names");

    scratch_fixtures(own);
    tcase_add_unchecked_fixture(own, make_master, NULL);
    tcase_add_test(own, test_hold_files_beside_the_trace_through_any_link);
    tcase_add_loop_test(own, test_hold_all_of_an_archive_but_no_cut_beside_it, 0,
                        (int)(sizeof archives / sizeof *archives));
    tcase_add_test(own, test_hold_archive_that_was_unpacked);
    suite_add_tcase(s, own);
    scratch_fixtures(calling);
    tcase_add_unchecked_fixture(calling, make_master, NULL);
    tcase_add_loop_test(calling, test_refuse_own_files_whatever_force_says, 0, CALLS);
    tcase_add_loop_test(calling, test_refuse_names_whose_companions_are_own, 0, CALLS);
    tcase_add_test(calling, test_refuse_derived_names_that_are_own);
    tcase_add_test(calling, test_index_replaces_itself);
    suite_add_tcase(s, calling);
    scratch_fixtures(names);
    tcase_add_unchecked_fixture(names, make_master, NULL);
    tcase_add_loop_test(names, test_refuse_names_of_other_formats, 0, CALLS);
    tcase_add_test(names, test_take_names_that_tell_nothing);
    tcase_add_loop_test(names, test_open_folder_without_the_cuts_in_it, 0,
                        (int)(sizeof folders / sizeof *folders));
    suite_add_tcase(s, names);
    return s;
}

int main(void)
{
    return run_suite(guard_suite());
}
