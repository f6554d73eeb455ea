#include "prvcut/archive.h"
#include "prvcut/inspect.h"

#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <archive.h>
#include <archive_entry.h>

static const struct prvcut_run one_worker = { .threads = 1 };

static void make_trace(void)
{
    ck_assert(traces_shell("'%s' --tasks 4 --iterations 40 --seed 3 app", PRVGEN));
}

static struct prvcut_trace *open_trace(const char *path)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t = NULL;

    ck_assert_msg(prvcut_trace_open(&t, path, NULL, &err) == PRVCUT_OK, "%s", err.text);
    return t;
}

static enum prvcut_status archive_trace(const char *in, const char *out, bool force,
                                        struct prvcut_error *err)
{
    const struct prvcut_reduce_options o = { .iterations = 2,
                                             .cut = { .force = force, .command = "prvcut it" } };
    struct prvcut_trace *t = open_trace(in);
    struct prvcut_reduction r;
    const enum prvcut_status st = prvcut_reduce_to_archive(t, &one_worker, &o, out, &r, err);

    if (st == PRVCUT_OK) {
        ck_assert_str_eq(r.archive, out);
        ck_assert_uint_gt(r.archive_bytes, 1000);
        ck_assert_str_eq(r.chop[0].cut.file[0], "small/app.chop1.prv");
        ck_assert_str_eq(r.page, "small/report.html");
    }
    prvcut_reduction_fini(&r);
    prvcut_trace_close(t);
    return st;
}

static void make_archive(void)
{
    struct prvcut_error err = { 0 };

    make_trace();
    ck_assert_msg(archive_trace("app.prv", "small.tar.zst", false, &err) == PRVCUT_OK, "%s",
                  err.text);
}

static char *slurp(const char *path, size_t *count)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc((size_t)16 << 20);

    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(bytes);
    *count = fread(bytes, 1, (size_t)16 << 20, f);
    fclose(f);
    return bytes;
}

START_TEST(test_archive_trace_leaves_one_file_that_tar_opens)
{
    make_trace();
    const size_t before = scratch_count();
    struct prvcut_error err = { 0 };

    ck_assert_msg(archive_trace("app.prv", "small.tar.zst", false, &err) == PRVCUT_OK, "%s",
                  err.text);
    ck_assert_uint_eq(scratch_count(), before + 1);
    ck_assert(traces_shell("tar --zstd -xf small.tar.zst && cd small && sha256sum --quiet -c "
                           "SHA256SUMS"));
    ck_assert(traces_shell("test -s small/app.chop1.prv && test -s small/app.chop1.pcf && "
                           "test -s small/app.chop1.row && test -s small/report.html"));
    ck_assert(traces_shell("grep -q '\"schema\": \"prvcut-reduction\"' small/report.json"));
    ck_assert(traces_shell("grep -q \"$(sha256sum <app.prv | cut -c1-64)\" small/about.json && "
                           "grep -q 'prvcut it' small/about.json"));
    ck_assert(traces_shell("! grep -q '\\.prvcut-' small/report.json small/report.html"));
}
END_TEST

/* Who opens the page alone learns where it came from. */
START_TEST(test_archive_page_tells_archive_and_itself)
{
    make_archive();
    ck_assert(traces_shell("tar --zstd -xf small.tar.zst"));
    ck_assert(traces_shell("grep -q '<dt>Archive</dt><dd><code>small.tar.zst</code>' "
                           "small/report.html"));
    ck_assert(traces_shell("grep -q '\"archive\": \"small.tar.zst\"' small/report.html"));
    ck_assert(traces_shell("grep -q '\"page\": \"small/report.html\"' small/report.html"));
}
END_TEST

/* Without a loop there is neither archive nor page, and nobody is told of one. */
START_TEST(test_archive_trace_without_loop_tells_of_none)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction r;
    struct prvcut_trace *t;

    ck_assert(traces_shell("'%s' --tasks 4 --aperiodic --seed 3 app", PRVGEN));
    const size_t before = scratch_count();
    t = open_trace("app.prv");
    ck_assert_int_eq(prvcut_reduce_to_archive(t, &one_worker, &o, "small.tar.zst", &r, &err),
                     PRVCUT_END);
    ck_assert_ptr_null(r.archive);
    ck_assert_ptr_null(r.page);
    prvcut_reduction_fini(&r);
    prvcut_trace_close(t);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

/* A list of checksums has a line a name. */
START_TEST(test_archive_trace_name_with_line_break_is_refused)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction r;
    struct prvcut_trace *t;

    make_trace();
    ck_assert_int_eq(rename("app.prv", "a\npp.prv"), 0);
    const size_t before = scratch_count();
    t = open_trace("a\npp.prv");
    ck_assert_int_eq(prvcut_reduce_to_archive(t, &one_worker, &o, "small.tar.zst", &r, &err),
                     PRVCUT_EUSAGE);
    ck_assert_ptr_null(r.archive);
    prvcut_reduction_fini(&r);
    prvcut_trace_close(t);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

START_TEST(test_archive_trace_existing_needs_force)
{
    struct prvcut_error err = { 0 }, none = { 0 };

    make_trace();
    scratch_write("small.tar.zst", "mine", 4);
    const size_t before = scratch_count();
    ck_assert_int_eq(archive_trace("app.prv", "small.tar.zst", false, &err), PRVCUT_EEXIST);
    scratch_expect("small.tar.zst", "mine", 4);
    ck_assert_int_eq(archive_trace("app.prv", "small.tar.zst", true, &none), PRVCUT_OK);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

/* What is inside is the trace, for reading, checking and cutting. */
START_TEST(test_open_archive_is_the_trace_inside)
{
    const struct prvcut_span window = { 1000000, 20000000 };
    const struct prvcut_cut_options options = { .path = NULL };
    struct prvcut_cut_summary sum;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char *text = NULL;

    make_archive();
    const size_t before = scratch_count();
    ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
    t = open_trace("small.tar.zst");
    ck_assert_uint_eq(scratch_count(), before + 1);
    ck_assert_msg(prvcut_cut(t, &one_worker, &window, &options, &sum, &err) == PRVCUT_OK, "%s",
                  err.text);
    ck_assert_str_eq(sum.file[0], "app.chop1.cut.prv");
    prvcut_cut_summary_fini(&sum);
    prvcut_trace_close(t);
    ck_assert_uint_eq(scratch_count(), before + 3);
    ck_assert_int_eq(prvcut_check("small.tar.zst", &one_worker, NULL, false, &text, &err),
                     PRVCUT_OK);
    free(text);
    ck_assert_uint_eq(scratch_count(), before + 3);
}
END_TEST

static enum prvcut_status verify(const char *path, size_t *wrong)
{
    struct prvcut_archive_result r;
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_archive_verify(path, &one_worker, &r, &err);

    *wrong = r.wrong;
    prvcut_archive_result_fini(&r);
    return st;
}

START_TEST(test_verify_archive_sound_is_sound)
{
    size_t wrong;

    make_archive();
    ck_assert_int_eq(verify("small.tar.zst", &wrong), PRVCUT_OK);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* Packed again after a change, as a careless or malicious hand would. */
START_TEST(test_verify_archive_changed_files_are_told)
{
    static const struct {
        const char *change;
        size_t wrong;
    } table[] = {
        { "printf x >>small/app.chop1.prv", 1 },
        { "rm small/app.chop1.row", 1 },
        { "cp small/app.chop1.row small/more.row", 1 },
        { "mv small/app.chop1.row small/other.row", 2 },
        { "echo rubbish >>small/SHA256SUMS", 1 },
    };
    size_t wrong;

    make_archive();
    ck_assert(traces_shell("tar --zstd -xf small.tar.zst && %s && tar --zstd -cf b.tar.zst small",
                           table[_i].change));
    ck_assert_int_eq(verify("b.tar.zst", &wrong), PRVCUT_END);
    ck_assert_uint_eq(wrong, table[_i].wrong);
}
END_TEST

START_TEST(test_verify_archive_damaged_bytes_are_never_sound)
{
    size_t count, wrong;
    char *bytes;

    make_archive();
    bytes = slurp("small.tar.zst", &count);
    /* The tail is the table of frames, which verification does not need. */
    for (size_t at = 0; at < count - 100; at += count / 60) {
        const char old = bytes[at];

        bytes[at] = (char)(old ^ 0x40);
        scratch_write("b.tar.zst", bytes, count);
        ck_assert_msg(verify("b.tar.zst", &wrong) != PRVCUT_OK, "byte %zu", at);
        bytes[at] = old;
    }
    for (size_t cut = 0; cut < count - 100; cut += count / 20) {
        scratch_write("b.tar.zst", bytes, cut);
        ck_assert_msg(verify("b.tar.zst", &wrong) != PRVCUT_OK, "cut at %zu", cut);
    }
    free(bytes);
}
END_TEST

/* One entry of a made-up archive. */
static void write_hostile(const char *path, const char *name, unsigned type, const char *link)
{
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();

    archive_write_set_format_ustar(a);
    archive_write_add_filter_zstd(a);
    ck_assert_int_eq(archive_write_open_filename(a, path), ARCHIVE_OK);
    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, type);
    archive_entry_set_perm(e, 0644);
    if (link)
        archive_entry_set_symlink(e, link);
    archive_entry_set_size(e, type == AE_IFREG ? 4 : 0);
    ck_assert_int_eq(archive_write_header(a, e), ARCHIVE_OK);
    if (type == AE_IFREG)
        archive_write_data(a, "evil", 4);
    archive_entry_free(e);
    archive_write_free(a);
}

START_TEST(test_open_archive_hostile_entries_are_refused)
{
    static const struct {
        const char *name;
        unsigned type;
        const char *link;
    } table[] = {
        { "../evil.prv", AE_IFREG, NULL },
        { "a/../../evil.prv", AE_IFREG, NULL },
        { "a/..", AE_IFREG, NULL },
        { "/tmp/prvcut-evil.prv", AE_IFREG, NULL },
        { "small/app.prv", AE_IFLNK, "/etc" },
        { "small/app.prv", AE_IFIFO, NULL },
    };
    struct prvcut_trace *t;
    struct prvcut_error err = { 0 };
    size_t before;

    ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
    write_hostile("h.tar.zst", table[_i].name, table[_i].type, table[_i].link);
    before = scratch_count();
    ck_assert_int_eq(prvcut_trace_open(&t, "h.tar.zst", NULL, &err), PRVCUT_EFORMAT);
    ck_assert_msg(strstr(err.text, "h.tar.zst"), "%s", err.text);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

START_TEST(test_open_archive_bomb_is_refused)
{
    struct prvcut_trace *t;
    struct prvcut_error err = { 0 };

    ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
    ck_assert(traces_shell("mkdir b && truncate -s 1G b/x.prv && tar -cf - b | zstd -q -T2 -1 "
                           ">b.tar.zst && rm b/x.prv"));
    ck_assert_int_eq(prvcut_trace_open(&t, "b.tar.zst", NULL, &err), PRVCUT_ELIMIT);
    ck_assert_msg(strstr(err.text, "limit"), "%s", err.text);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

static Suite *archive_file_suite(void)
{
    Suite *s = suite_create("archive_file");
    TCase *t = tcase_create("archive_file");

    scratch_fixtures(t);
    tcase_add_test(t, test_archive_trace_leaves_one_file_that_tar_opens);
    tcase_add_test(t, test_archive_trace_existing_needs_force);
    tcase_add_test(t, test_archive_page_tells_archive_and_itself);
    tcase_add_test(t, test_archive_trace_without_loop_tells_of_none);
    tcase_add_test(t, test_archive_trace_name_with_line_break_is_refused);
    tcase_add_test(t, test_open_archive_is_the_trace_inside);
    tcase_add_test(t, test_verify_archive_sound_is_sound);
    tcase_add_loop_test(t, test_verify_archive_changed_files_are_told, 0, 5);
    tcase_add_test(t, test_verify_archive_damaged_bytes_are_never_sound);
    tcase_add_loop_test(t, test_open_archive_hostile_entries_are_refused, 0, 6);
    tcase_add_test(t, test_open_archive_bomb_is_refused);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(archive_file_suite());
}
