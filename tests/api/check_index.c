#include "prvcut/index.h"
#include "prvcut/inspect.h"
#include "prvcut/reduce.h"
#include "prvcut/structure.h"

#include "runner.h"
#include "tests/base/scratch.h"
#include "tests/structure/generated.h"
#include "traces.h"

#include <sys/stat.h>

/* What a trace answers, all of it as text. */
struct answer {
    char *at;
    size_t count, room;
};

static void tell(struct answer *a, const void *bytes, size_t count)
{
    if (a->count + count + 1 > a->room) {
        a->room = 2 * (a->count + count) + 4096;
        a->at = realloc(a->at, a->room);
        ck_assert_ptr_nonnull(a->at);
    }
    memcpy(a->at + a->count, bytes, count);
    a->count += count;
    a->at[a->count] = '\0';
}

static void tell_text(struct answer *a, enum prvcut_status st, char *text)
{
    char status[16];

    tell(a, status, (size_t)snprintf(status, sizeof status, "\n[%d]\n", st));
    if (text)
        tell(a, text, strlen(text));
    free(text);
}

static void tell_file(struct answer *a, const char *name)
{
    FILE *file = fopen(name, "rb");
    char room[4096];
    size_t got;

    while (file && (got = fread(room, 1, sizeof room, file)) > 0)
        tell(a, room, got);
    if (file)
        fclose(file);
}

static struct prvcut_trace *open_with(const char *path, bool no_index)
{
    const struct prvcut_open_options o = { .no_index = no_index };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;

    ck_assert_msg(prvcut_trace_open(&t, path, &o, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

static void ask_info(struct answer *a, const char *path, bool no_index)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *t = open_with(path, no_index);
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_info(t, &run, PRVCUT_JSON, &text, &err);

    ck_assert_msg(st == PRVCUT_OK, "%s", err.text);
    tell_text(a, st, text);
    prvcut_trace_close(t);
}

/* How often it was said that windows or iterations are read. */
static unsigned looked;

static void count_looking(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    (void)ctx, (void)done, (void)total;
    looked += phase == PRVCUT_PHASE_CHOOSING || phase == PRVCUT_PHASE_COMPARING;
}

static void ask_structure(struct answer *a, const char *path, bool no_index,
                          const struct prvcut_structure_options *o)
{
    const struct prvcut_run run = { .threads = 2, .progress = count_looking };
    struct prvcut_trace *t = open_with(path, no_index);
    struct prvcut_structure *s = NULL;
    struct prvcut_error err = { 0 };
    char *text = NULL;
    struct prvcut_structure_options all = *o;
    enum prvcut_status st;

    all.size = sizeof all;
    st = prvcut_structure_find(t, &run, &all, &s, &err);
    /* What was found does not need the trace any more. */
    prvcut_trace_close(t);
    ck_assert_msg(st >= 0, "%s", err.text);
    ck_assert_int_eq(prvcut_structure_json(s, &text, &err), PRVCUT_OK);
    tell_text(a, st, text);
    prvcut_structure_free(s);
}

static void ask_reduction(struct answer *a, const char *path, bool no_index,
                          const struct prvcut_reduce_options *options)
{
    struct prvcut_cut_options cut = options->cut ? *options->cut : (struct prvcut_cut_options){ 0 };
    struct prvcut_reduce_options o = *options;
    const struct prvcut_run run = { .threads = 2, .progress = count_looking };
    struct prvcut_trace *t = open_with(path, no_index);
    struct prvcut_reduction *r = NULL;
    struct prvcut_error err = { 0 };
    char *text = NULL;
    enum prvcut_status st;

    cut.path = "out.prv";
    cut.force = true;
    o.cut = &cut;
    remove("out.prv");
    st = prvcut_reduce(t, &run, &o, &r, &err);
    prvcut_trace_close(t);
    if (r)
        r->elapsed_s = 0;
    if (st >= 0)
        ck_assert_int_eq(prvcut_reduction_json(r, &text, &err), PRVCUT_OK);
    else
        text = strdup(err.text);
    tell_text(a, st, text);
    tell_file(a, "out.prv");
    tell_file(a, "out.pcf");
    prvcut_reduction_free(r);
}

static void ask_cut(struct answer *a, const char *path, bool no_index)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_cut_options o = { .path = "out.prv", .force = true };
    struct prvcut_trace *t = open_with(path, no_index);
    const uint64_t end = prvcut_trace_end(t);
    const struct prvcut_span window = { end / 3, end / 2 + 1 };
    struct prvcut_cut_summary *s = NULL;
    struct prvcut_error err = { 0 };
    char *text = NULL;
    const enum prvcut_status st = prvcut_cut(t, &run, &window, &o, &s, &err);

    prvcut_trace_close(t);
    if (st == PRVCUT_OK)
        ck_assert_int_eq(prvcut_cut_summary_json(s, &text, &err), PRVCUT_OK);
    tell_text(a, st, text);
    tell_file(a, "out.prv");
    prvcut_cut_summary_free(s);
}

static const struct prvcut_structure_options structures[] = {
    { .causes = 3 },          { .levels = 1, .causes = 3 },
    { .levels = 2 },          { .metrics = "computing,calls" },
    { .metrics = "p2p" },     { .metrics = "ipc,bursts" },
    { .period_ns = 3000000 }, { .only = { 1000000, 60000000 } },
};

static const struct prvcut_reduce_options reductions[] = {
    { .iterations = 2, .cheap_proof = true },
    { .size = sizeof(struct prvcut_reduce_options), .iterations = 1, .kinds = true },
    { .iterations = 4, .align = PRVCUT_ALIGN_STRAIGHT },
    { .iterations = 2, .regions = "1", .outliers = 0, .proof = true },
    { .iterations = 2, .level = 2 },
    { .iterations = 2, .all_levels = true },
    { .iterations = 2, .metrics = "computing" },
    { .iterations = 2, .only = { 1000000, 60000000 } },
    { .iterations = 2,
      .cut = &(const struct prvcut_cut_options){ .keep_time = true, .keep_messages = true } },
};

/* With sanitizers, each question is asked of one of six traces. */
static bool is_asked(int question, int which)
{
    return traces_take() > TRACES_LEAST || (question + which) % 6 == 0;
}

static struct answer ask_all(const char *path, bool no_index, int which)
{
    struct answer a = { 0 };

    ask_info(&a, path, no_index);
    ask_cut(&a, path, no_index);
    for (int i = 0; i < (int)(sizeof structures / sizeof *structures); i++)
        if (is_asked(i, which))
            ask_structure(&a, path, no_index, &structures[i]);
    for (int i = 0; i < (int)(sizeof reductions / sizeof *reductions); i++)
        if (is_asked(i + 2, which))
            ask_reduction(&a, path, no_index, &reductions[i]);
    return a;
}

/* Nothing is written: files are synced, which takes its time. */
static const struct prvcut_cut_options dry = { .dry_run = true };
static const struct prvcut_reduce_options counted = { .iterations = 2,
                                                      .cheap_proof = true,
                                                      .cut = &dry };

/* The few that an index answers by itself; each section is asked for. */
static struct answer ask_some(const char *path, bool no_index)
{
    struct answer a = { 0 };

    ask_info(&a, path, no_index);
    ask_structure(&a, path, no_index, &structures[0]);
    ask_structure(&a, path, no_index, &structures[4]);
    ask_reduction(&a, path, no_index, &counted);
    return a;
}

static void expect_same(const struct answer *a, const struct answer *b)
{
    const size_t least = a->count < b->count ? a->count : b->count;
    size_t i = 0;

    while (i < least && a->at[i] == b->at[i])
        i++;
    ck_assert_msg(i == a->count && i == b->count, "they differ at byte %zu:\n%.300s\n---\n%.300s",
                  i, a->at + (i > 100 ? i - 100 : 0), b->at + (i > 100 ? i - 100 : 0));
}

static enum prvcut_status make_index(const char *path, bool force, struct prvcut_error *err)
{
    const struct prvcut_run run = { .threads = 2 };
    const struct prvcut_index_options o = { .force = force };
    struct prvcut_index_result *r = NULL;
    struct prvcut_trace *t = NULL;
    enum prvcut_status st = prvcut_trace_open(&t, path, NULL, err);

    ck_assert_msg(st == PRVCUT_OK, "%s", err->text);
    st = prvcut_index_write(t, &run, &o, &r, err);
    if (st == PRVCUT_OK)
        ck_assert_uint_gt(r->bytes, 0);
    prvcut_index_result_free(r);
    prvcut_trace_close(t);
    return st;
}

static void need_index(const char *path)
{
    struct prvcut_error err = { 0 };

    ck_assert_msg(make_index(path, true, &err) == PRVCUT_OK, "%s", err.text);
}

/* Why the index was not used by one question; NULL: it was. */
static const char *note_of(const char *path, const struct prvcut_open_options *o)
{
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char *text = NULL;
    const char *note;

    ck_assert_int_eq(prvcut_trace_open(&t, path, o, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_info(t, &run, PRVCUT_FULL_TEXT, &text, &err), PRVCUT_OK);
    note = prvcut_index_note(t);
    free(text);
    prvcut_trace_close(t);
    return note;
}

static void check_same(const char *path, int which)
{
    struct answer without = ask_all(path, true, which), with;

    need_index(path);
    with = ask_all(path, false, which);
    ck_assert_ptr_null(note_of(path, NULL));
    expect_same(&without, &with);
    free(without.at);
    free(with.at);
}

static const char *const generated[] = {
    "--tasks 4 --iterations 60 --inner 6",
    "--tasks 3 --iterations 40 --preempt 1 --counters --seed 3",
    "--tasks 4 --iterations 60 --init-ns 20000000 --change-at 0.3",
    "--tasks 2 --iterations 40 --aperiodic",
};

START_TEST(test_index_answers_the_same_of_generated_traces)
{
    generated_make(generated[_i], "a");
    check_same("a.prv", _i);
}
END_TEST

/* The last one is a loop of two, of which the inner one is cut. */
static const char *const real[] = { "bt.W.4.hwc", "bt.W.9.flush", "q.short2.4" };

START_TEST(test_index_answers_the_same_of_real_traces)
{
    char path[4096], command[9000];

    if (!traces_folder() || !traces_turn(_i))
        return;
    snprintf(command, sizeof command, "paraver/%s/%s.prv.zst", real[_i], real[_i]);
    ck_assert(traces_unpack_file(*real[_i] == 'q' ? "apps" : ".", command, path, sizeof path));
    path[strlen(path) - 4] = '\0';
    snprintf(command, sizeof command, "cp %s.prv a.prv && cp %s.pcf a.pcf", path, path);
    ck_assert(traces_shell("%s", command));
    check_same("a.prv", 4 + _i);
}
END_TEST

START_TEST(test_index_answers_the_same_of_seekable_zstd)
{
    const struct prvcut_run run = { .threads = 1 };
    const struct prvcut_cut_options o = { .path = "b.prv.zst" };
    struct prvcut_cut_summary *s = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    struct stat there;

    generated_make("--tasks 4 --iterations 60", "a");
    t = open_with("a.prv", true);
    const struct prvcut_span all = { 0, prvcut_trace_end(t) };

    ck_assert_msg(prvcut_cut(t, &run, &all, &o, &s, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_cut_summary_free(s);
    prvcut_trace_close(t);
    check_same("b.prv.zst", 5);
    ck_assert_int_eq(stat("b.prvx", &there), 0);
}
END_TEST

/* Keep the time of the last change. */
static void change_byte(const char *name, long offset)
{
    struct stat s;
    FILE *file;
    int byte;

    ck_assert_int_eq(stat(name, &s), 0);
    file = fopen(name, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    byte = fgetc(file);
    ck_assert_int_eq(fseek(file, offset, SEEK_SET), 0);
    ck_assert_int_ne(fputc(byte ^ 0x55, file), EOF);
    ck_assert_int_eq(fclose(file), 0);
    const struct timespec times[] = { s.st_atim, s.st_mtim };

    ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

START_TEST(test_index_spares_reading_the_trace)
{
    struct answer before = { 0 }, after = { 0 };
    struct stat s;

    generated_make("--tasks 8 --iterations 600", "a");
    ck_assert_int_eq(stat("a.prv", &s), 0);
    ck_assert_int_gt(s.st_size, 3 << 20);
    need_index("a.prv");
    ask_info(&before, "a.prv", false);
    ask_structure(&before, "a.prv", false, &structures[0]);
    /* Nobody could read this any more. */
    change_byte("a.prv", s.st_size / 2);
    change_byte("a.prv", s.st_size / 2 + 1);
    ask_info(&after, "a.prv", false);
    ask_structure(&after, "a.prv", false, &structures[0]);
    expect_same(&before, &after);
    free(before.at);
    free(after.at);
}
END_TEST

/* Of the job windows, to choose of them; of structure iterations, to tell why some are long. */
START_TEST(test_index_spares_measuring)
{
    struct answer a = { 0 };

    looked = 0;
    generated_make("--tasks 4 --iterations 60 --every-k 40", "a");
    need_index("a.prv");
    for (int i = 0; i < 6; i++) {
        if (i < 4)
            ask_structure(&a, "a.prv", i % 2, &structures[i / 2]);
        else
            ask_reduction(&a, "a.prv", i % 2, &counted);
        ck_assert(i % 2 == (looked > 0));
        looked = 0;
    }
    free(a.at);
}
END_TEST

/* A few thousand ns: the index is small. */
static void make_tiny(void)
{
    FILE *file = fopen("a.prv", "w");

    ck_assert_ptr_nonnull(file);
    fputs("#Paraver (01/01/2026 at 12:00):2000_ns:1(2):1:2(1:1,1:1)\n", file);
    for (int i = 0; i < 20; i++)
        for (int task = 1; task <= 2; task++) {
            const int t = i * 100;

            fprintf(file, "1:%d:1:%d:1:%d:%d:1\n", task, task, t, t + 60);
            fprintf(file, "2:%d:1:%d:1:%d:50000002:10\n", task, task, t + 60);
            fprintf(file, "1:%d:1:%d:1:%d:%d:5\n", task, task, t + 60, t + 100);
            fprintf(file, "2:%d:1:%d:1:%d:50000002:0\n", task, task, t + 99);
        }
    fclose(file);
}

static char *read_file(const char *name, size_t *count)
{
    struct answer a = { 0 };

    tell_file(&a, name);
    *count = a.count;
    ck_assert_uint_gt(a.count, 0);
    return a.at;
}

/* Bytes of the head, all or every third, and some of the sections, which have checksums. */
#define LEAST (traces_take() == TRACES_LEAST)
#define AT(k) ((k) < 200 ? (LEAST ? 3 : 1) : (LEAST ? 113 : 41)) /* how far to the next */

static void expect_answer(const struct answer *right)
{
    struct answer now = ask_some("a.prv", false);

    expect_same(right, &now);
    free(now.at);
}

START_TEST(test_index_cut_short_anywhere_is_ignored)
{
    struct answer right;
    size_t count;
    char *whole;

    make_tiny();
    right = ask_some("a.prv", true);
    need_index("a.prv");
    whole = read_file("a.prvx", &count);
    for (size_t k = 0; k < count; k += AT(k)) {
        scratch_write("a.prvx", whole, k);
        expect_answer(&right);
    }
    scratch_write("a.prvx", whole, count);
    ck_assert_ptr_null(note_of("a.prv", NULL));
    free(whole);
    free(right.at);
}
END_TEST

START_TEST(test_index_with_a_wrong_byte_anywhere_never_answers_wrong)
{
    struct answer right;
    size_t count, ignored = 0;
    char *whole;

    make_tiny();
    right = ask_some("a.prv", true);
    need_index("a.prv");
    whole = read_file("a.prvx", &count);
    for (size_t k = 0; k < count; k += AT(k)) {
        const char kept = whole[k];

        whole[k] = (char)(kept ^ (1 << k % 8));
        scratch_write("a.prvx", whole, count);
        expect_answer(&right);
        ignored += note_of("a.prv", NULL) != NULL;
        whole[k] = kept;
    }
    /* The head at least is needed by all. */
    ck_assert_uint_gt(ignored, LEAST ? 40 : 100);
    free(whole);
    free(right.at);
}
END_TEST

START_TEST(test_index_of_a_trace_that_changed_is_ignored)
{
    struct answer without, with;
    FILE *file;

    make_tiny();
    need_index("a.prv");
    ck_assert_ptr_null(note_of("a.prv", NULL));
    file = fopen("a.prv", "a");
    ck_assert_ptr_nonnull(file);
    fputs("2:1:1:1:1:1999:7:7\n", file);
    fclose(file);
    ck_assert_ptr_nonnull(note_of("a.prv", NULL));
    without = ask_some("a.prv", true);
    with = ask_some("a.prv", false);
    expect_same(&without, &with);
    free(without.at);
    free(with.at);
}
END_TEST

START_TEST(test_index_of_an_older_trace_of_the_same_size_is_ignored)
{
    const struct timespec times[] = { { 1000000000, 0 }, { 1000000000, 0 } };

    make_tiny();
    need_index("a.prv");
    ck_assert_int_eq(utimensat(AT_FDCWD, "a.prv", times, 0), 0);
    ck_assert_ptr_nonnull(note_of("a.prv", NULL));
}
END_TEST

START_TEST(test_index_of_a_trace_with_another_edge_is_ignored)
{
    make_tiny();
    need_index("a.prv");
    /* The hour in the header. */
    change_byte("a.prv", 25);
    ck_assert_ptr_nonnull(note_of("a.prv", NULL));
}
END_TEST

START_TEST(test_index_made_with_other_labels_is_ignored)
{
    static const char pcf[] = "EVENT_TYPE\n9 50000002 My own\n9 77 Another\n";

    make_tiny();
    need_index("a.prv");
    scratch_write("a.pcf", pcf, sizeof pcf - 1);
    ck_assert_ptr_nonnull(note_of("a.prv", NULL));
}
END_TEST

START_TEST(test_index_made_with_other_roles_is_ignored)
{
    const char *const roles[] = { "p2p=50000002", NULL };
    const struct prvcut_open_options o = { .roles = roles };

    make_tiny();
    need_index("a.prv");
    ck_assert_ptr_nonnull(note_of("a.prv", &o));
}
END_TEST

START_TEST(test_index_is_replaced_only_by_force)
{
    struct prvcut_error err = { 0 };

    make_tiny();
    need_index("a.prv");
    ck_assert_int_eq(make_index("a.prv", false, &err), PRVCUT_EEXIST);
    need_index("a.prv");
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

START_TEST(test_index_of_a_stream_is_refused)
{
    struct prvcut_error err = { 0 };

    make_tiny();
    ck_assert(traces_shell("gzip a.prv"));
    ck_assert_int_eq(make_index("a.prv.gz", false, &err), PRVCUT_EUSAGE);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

static Suite *index_suite(void)
{
    Suite *s = suite_create("index");
    TCase *tests = tcase_create("index");

    scratch_fixtures(tests);
    /* Files are synced, hundreds of times. */
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, test_index_answers_the_same_of_generated_traces, 0,
                        sizeof generated / sizeof *generated);
    tcase_add_loop_test(tests, test_index_answers_the_same_of_real_traces, 0,
                        sizeof real / sizeof *real);
    tcase_add_test(tests, test_index_answers_the_same_of_seekable_zstd);
    tcase_add_test(tests, test_index_spares_reading_the_trace);
    tcase_add_test(tests, test_index_spares_measuring);
    tcase_add_test(tests, test_index_cut_short_anywhere_is_ignored);
    tcase_add_test(tests, test_index_with_a_wrong_byte_anywhere_never_answers_wrong);
    tcase_add_test(tests, test_index_of_a_trace_that_changed_is_ignored);
    tcase_add_test(tests, test_index_of_an_older_trace_of_the_same_size_is_ignored);
    tcase_add_test(tests, test_index_of_a_trace_with_another_edge_is_ignored);
    tcase_add_test(tests, test_index_made_with_other_labels_is_ignored);
    tcase_add_test(tests, test_index_made_with_other_roles_is_ignored);
    tcase_add_test(tests, test_index_is_replaced_only_by_force);
    tcase_add_test(tests, test_index_of_a_stream_is_refused);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    return run_suite(index_suite());
}
