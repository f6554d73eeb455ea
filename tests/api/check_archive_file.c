#include "prvcut/archive.h"
#include "prvcut/convert.h"
#include "prvcut/inspect.h"

#include "built.h"
#include "runner.h"
#include "tests/base/scratch.h"
#include "traces.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/file.h>

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
                                             .cut = &(const struct prvcut_cut_options){
                                                 .force = force, .command = "prvcut it" } };
    struct prvcut_trace *t = open_trace(in);
    struct prvcut_reduction *r;
    const enum prvcut_status st = prvcut_reduce_to_archive(t, &one_worker, &o, out, &r, err);

    if (st == PRVCUT_OK) {
        ck_assert_str_eq(r->archive, out);
        ck_assert_uint_gt(r->archive_bytes, 1000);
        ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], "small.tar.zst:app.chop1.prv");
        ck_assert_str_eq(r->page, "small.tar.zst:report.html");
    }
    prvcut_reduction_free(r);
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
    ck_assert(traces_shell("grep -q '\"archive\":\"small.tar.zst\"' small/report.html"));
    ck_assert(traces_shell("grep -q '\"path\":\"small.tar.zst:app.chop1.prv\"' small/report.html"));
}
END_TEST

/* Without a loop there is neither archive nor page, and nobody is told of one. */
START_TEST(test_archive_trace_without_loop_tells_of_none)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    struct prvcut_trace *t;

    ck_assert(traces_shell("'%s' --tasks 4 --aperiodic --seed 3 app", PRVGEN));
    const size_t before = scratch_count();
    t = open_trace("app.prv");
    ck_assert_int_eq(prvcut_reduce_to_archive(t, &one_worker, &o, "small.tar.zst", &r, &err),
                     PRVCUT_NONE);
    ck_assert_ptr_null(r->archive);
    ck_assert_ptr_null(r->page);
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
    ck_assert_uint_eq(scratch_count(), before);
}
END_TEST

/* A list of checksums has a line a name. */
START_TEST(test_archive_trace_name_with_line_break_is_refused)
{
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    struct prvcut_trace *t;

    make_trace();
    ck_assert_int_eq(rename("app.prv", "a\npp.prv"), 0);
    const size_t before = scratch_count();
    t = open_trace("a\npp.prv");
    ck_assert_int_eq(prvcut_reduce_to_archive(t, &one_worker, &o, "small.tar.zst", &r, &err),
                     PRVCUT_EUSAGE);
    ck_assert_ptr_null(r);
    prvcut_reduction_free(r);
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
    struct prvcut_cut_summary *sum = NULL;
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
    ck_assert_str_eq(sum->file[0], "app.chop1.cut.prv");
    prvcut_cut_summary_free(sum);
    prvcut_trace_close(t);
    ck_assert_uint_eq(scratch_count(), before + 3);
    ck_assert_int_eq(
        prvcut_check("small.tar.zst", &one_worker, NULL, PRVCUT_FULL_TEXT, &text, &err), PRVCUT_OK);
    free(text);
    ck_assert_uint_eq(scratch_count(), before + 3);
}
END_TEST

static enum prvcut_status verify(const char *path, size_t *wrong)
{
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    const enum prvcut_status st = prvcut_archive_verify(path, &one_worker, &r, &err);

    *wrong = r->wrong;
    prvcut_archive_result_free(r);
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
    ck_assert_int_eq(verify("b.tar.zst", &wrong), PRVCUT_UNSOUND);
    ck_assert_uint_eq(wrong, table[_i].wrong);
}
END_TEST

/* Compression has several ways to say one thing: a byte may change and what is unpacked may not. */
static bool unpacks_the_same(void)
{
    return traces_shell("zstd -dcq b.tar.zst | cmp -s - small.tar");
}

START_TEST(test_verify_archive_damaged_bytes_are_never_sound)
{
    size_t count, wrong;
    char *bytes;

    make_archive();
    ck_assert(traces_shell("zstd -dcq small.tar.zst >small.tar"));
    bytes = slurp("small.tar.zst", &count);
    for (size_t at = 0; at < count; at += at < count - 64 ? count / 60 : 1) {
        const char old = bytes[at];

        bytes[at] = (char)(old ^ 0x40);
        scratch_write("b.tar.zst", bytes, count);
        ck_assert_msg(verify("b.tar.zst", &wrong) != PRVCUT_OK || unpacks_the_same(), "byte %zu",
                      at);
        bytes[at] = old;
    }
    for (size_t cut = 0; cut < count; cut += cut < count - 64 ? count / 20 : 1) {
        scratch_write("b.tar.zst", bytes, cut);
        ck_assert_msg(verify("b.tar.zst", &wrong) != PRVCUT_OK, "cut at %zu", cut);
    }
    free(bytes);
}
END_TEST

/* What comes behind an archive, or is missing of a tar file's end, is seen; whoever packs it again
   may pad it, and needs no table of frames. */
START_TEST(test_verify_archive_whole_end_is_read)
{
    static const struct {
        const char *make; /* b.tar.zst; c.tar ends in two blocks of zeros and not a byte more */
        bool sound;
    } table[] = {
        { "cat small.tar.zst - >b.tar.zst </dev/null", true },
        { "zstd -q <c.tar >b.tar.zst", true },
        { "(cat c.tar; head -c 10240 /dev/zero) | zstd -q >b.tar.zst", true },
        { "(cat small.tar.zst; echo x) >b.tar.zst", false },
        { "(cat small.tar.zst; zstd -q </dev/null) >b.tar.zst", false },
        { "(cat small.tar.zst; tail -c 25 small.tar.zst) >b.tar.zst", false },
        { "(cat small.tar.zst; echo more | zstd -q) >b.tar.zst", false },
        { "(cat c.tar; echo junk) | zstd -q >b.tar.zst", false },
        { "(cat c.tar; cat c.tar) | zstd -q >b.tar.zst", false },
        { "head -c -1 c.tar | zstd -q >b.tar.zst", false },
        { "head -c -512 c.tar | zstd -q >b.tar.zst", false },
        { "head -c -1024 c.tar | zstd -q >b.tar.zst", false },
    };

    make_archive();
    ck_assert(traces_shell("tar --zstd -xf small.tar.zst && tar -b1 -cf c.tar small"));
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t wrong;

        ck_assert(traces_shell("%s", table[i].make));
        ck_assert_msg((verify("b.tar.zst", &wrong) == PRVCUT_OK) == table[i].sound, "%s",
                      table[i].make);
    }
}
END_TEST

/* Names are bytes: of the archive, of the trace in it, whatever the locale (here: C). */
START_TEST(test_archive_trace_of_any_name_is_read_back)
{
    static const char *const names[] = { "\xc3\xa9", "\xe6\x97\xa5 b", "\xe9\xff" };
    const struct prvcut_reduce_options o = { .iterations = 2 };
    struct prvcut_error err = { 0 };
    struct prvcut_reduction *r;
    struct prvcut_trace *t;
    char in[32], out[32], member[64];
    size_t wrong;

    make_trace();
    snprintf(in, sizeof in, "%s.prv", names[_i]);
    snprintf(out, sizeof out, "%s.tar.zst", names[_i]);
    snprintf(member, sizeof member, "%s:%s.chop1.prv", out, names[_i]);
    ck_assert_int_eq(rename("app.prv", in), 0);
    t = open_trace(in);
    ck_assert_msg(prvcut_reduce_to_archive(t, &one_worker, &o, out, &r, &err) == PRVCUT_OK, "%s",
                  err.text);
    ck_assert_str_eq(prvcut_reduction_chop(r, 0)->cut->file[0], member);
    prvcut_reduction_free(r);
    prvcut_trace_close(t);
    ck_assert_int_eq(verify(out, &wrong), PRVCUT_OK);
    prvcut_trace_close(open_trace(out));
    prvcut_trace_close(open_trace(member));
}
END_TEST

/* --- Made-up archives ----------------------------------------------------------------------- */

/* printf evil | sha256sum */
#define EVIL "b5c1fb2efc6d6b4674c2fdcc48ce01b43a3b7c03763c0c3355de0099ee0f8c73"

static void add_file(struct archive *a, const char *name, const char *bytes, size_t count)
{
    struct archive_entry *e = archive_entry_new();

    archive_entry_set_pathname(e, name);
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_size(e, (la_int64_t)count);
    ck_assert_int_eq(archive_write_header(a, e), ARCHIVE_OK);
    ck_assert_int_eq(archive_write_data(a, bytes, count), (la_ssize_t)count);
    archive_entry_free(e);
}

static struct archive *begin_listed(const char *path)
{
    struct archive *a = archive_write_new();

    archive_write_set_format_pax_restricted(a);
    archive_write_add_filter_zstd(a);
    ck_assert_int_eq(archive_write_open_filename(a, path), ARCHIVE_OK);
    return a;
}

static void end_listed(struct archive *a, const char *list, size_t count)
{
    add_file(a, "s/SHA256SUMS", list, count);
    ck_assert_int_eq(archive_write_free(a), ARCHIVE_OK);
}

/* Each line of a list, with what it makes of an archive of a and b: "verdict name", in order. */
START_TEST(test_verify_archive_hostile_lists_are_told)
{
    static const struct {
        const char *list; /* SUM stands for what is right, BAD for another one */
        const char *told;
    } table[] = {
        { "SUM  a\nSUM  b\n", "sound s/a;sound s/b;" },
        { "SUM *a\n\nSUM  b", "sound s/a;sound s/b;" },
        { "SUM  a\nSUM  b\nSUM  a\n", "sound s/a;sound s/b;two sums s/a;" },
        { "BAD  a\nSUM  b\nSUM  a\n", "damaged s/a;sound s/b;two sums s/a;" },
        { "SUM  a\n", "sound s/a;not listed s/b;" },
        { "", "not listed s/a;not listed s/b;" },
        { "SUM  a\nSUM  b\nSUM  c\n", "sound s/a;sound s/b;missing s/c;" },
        { "SUM  a\nSUM  b\nSUM  ../b\n", "sound s/a;sound s/b;outside ../b;" },
        { "SUM  a\nSUM  b\nSUM  x/../../b\n", "sound s/a;sound s/b;outside x/../../b;" },
        { "SUM  a\nSUM  b\nSUM  /etc/passwd\n", "sound s/a;sound s/b;outside /etc/passwd;" },
        { "SUM  a\nSUM b\n", "sound s/a;not listed s/b;damaged SHA256SUMS, line 2: SUM b;" },
        { "SUM  \nSUM  a\nSUM  b\n", "sound s/a;sound s/b;damaged SHA256SUMS, line 1: SUM  ;" },
        { "0SUM  a\nSUM  b\n", "not listed s/a;sound s/b;damaged SHA256SUMS, line 1: 0SUM  a;" },
    };
    static const char evil[] = EVIL;
    char list[1024] = "", told[1024] = "", bad[] = EVIL;
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    struct archive *a = begin_listed("h.tar.zst");
    size_t n = 0;

    bad[0] = evil[0] == '0' ? '1' : '0';
    for (const char *at = table[_i].list; *at;) {
        const bool sum = strncmp(at, "SUM", 3) == 0, other = strncmp(at, "BAD", 3) == 0;

        n += (size_t)snprintf(list + n, sizeof list - n, "%.*s", sum || other ? 64 : 1,
                              sum     ? evil
                              : other ? bad
                                      : at);
        at += sum || other ? 3 : 1;
    }
    add_file(a, "s/a", "evil", 4);
    add_file(a, "s/b", "evil", 4);
    end_listed(a, list, n);
    ck_assert_int_eq(prvcut_archive_verify("h.tar.zst", &one_worker, &r, &err),
                     _i < 2 ? PRVCUT_OK : PRVCUT_UNSOUND);
    n = 0;
    for (size_t i = 0; i < r->entries; i++) {
        const struct prvcut_archive_entry *e = prvcut_archive_result_entry(r, i);
        const char *sum = strstr(e->name, evil);

        n += (size_t)snprintf(
            told + n, sizeof told - n, "%s %.*s%s%s;", prvcut_archive_verdict_text(e->verdict),
            sum ? (int)(sum - e->name) : 300, e->name, sum ? "SUM" : "", sum ? sum + 64 : "");
    }
    ck_assert_str_eq(told, table[_i].told);
    prvcut_archive_result_free(r);
}
END_TEST

/* The one entry that is not sound. */
static const char *only_wrong(const struct prvcut_archive_result *r, const char **verdict)
{
    const char *name = NULL;

    ck_assert_uint_eq(r->wrong, 1);
    for (size_t i = 0; i < r->entries; i++)
        if (prvcut_archive_result_entry(r, i)->verdict != PRVCUT_ARCHIVE_SOUND) {
            name = prvcut_archive_result_entry(r, i)->name;
            *verdict = prvcut_archive_verdict_text(prvcut_archive_result_entry(r, i)->verdict);
        }
    return name;
}

/* A line of a megabyte is neither a name nor shown as a whole; nor is one with a zero in it. */
START_TEST(test_verify_archive_odd_lines_are_told_short)
{
    static char line[1 << 20];
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    const char *verdict = NULL;
    struct archive *a = begin_listed("h.tar.zst");

    memset(line, 'x', sizeof line);
    memcpy(line, EVIL "  a\n", 68);
    if (_i == 0)
        memcpy(line + 68, EVIL "  ", 66);
    else
        line[100] = '\0';
    line[sizeof line - 1] = '\n';
    add_file(a, "s/a", "evil", 4);
    end_listed(a, line, sizeof line);
    ck_assert_int_eq(prvcut_archive_verify("h.tar.zst", &one_worker, &r, &err), PRVCUT_UNSOUND);
    ck_assert_uint_lt(strlen(only_wrong(r, &verdict)), 120);
    ck_assert_str_eq(verdict, "damaged");
    ck_assert_int_eq(strncmp(only_wrong(r, &verdict), "SHA256SUMS, line 2: ", 20), 0);
    prvcut_archive_result_free(r);
}
END_TEST

/* Of two files of one name one is told; of two lists only the first counts. */
START_TEST(test_verify_archive_second_file_of_a_name_is_told)
{
    static const char list[] = EVIL "  a\n";
    static const char *const second[] = { "s/a", "t/a", "s/SHA256SUMS" };
    static const char *const verdicts[] = { "repeated", "repeated", "not listed" };
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    const char *verdict = NULL;
    struct archive *a = begin_listed("h.tar.zst");

    add_file(a, "s/a", "evil", 4);
    add_file(a, "s/SHA256SUMS", list, sizeof list - 1);
    add_file(a, second[_i], "evil", 4);
    ck_assert_int_eq(archive_write_free(a), ARCHIVE_OK);
    ck_assert_int_eq(prvcut_archive_verify("h.tar.zst", &one_worker, &r, &err), PRVCUT_UNSOUND);
    ck_assert_str_eq(only_wrong(r, &verdict), second[_i]);
    ck_assert_str_eq(verdict, verdicts[_i]);
    prvcut_archive_result_free(r);
}
END_TEST

START_TEST(test_verify_archive_list_beyond_limit_is_refused)
{
    const size_t count = ((size_t)16 << 20) + 1;
    char *list = malloc(count);
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    struct archive *a = begin_listed("h.tar.zst");

    ck_assert_ptr_nonnull(list);
    memset(list, '\n', count);
    end_listed(a, list, count);
    free(list);
    ck_assert_int_eq(prvcut_archive_verify("h.tar.zst", &one_worker, &r, &err), PRVCUT_ELIMIT);
    ck_assert_msg(strstr(err.text, "limit"), "%s", err.text);
    prvcut_archive_result_free(r);
}
END_TEST

/* As many as the locations of a large run; the list has them in reverse. */
START_TEST(test_verify_archive_of_many_files_is_sound)
{
    const unsigned files = 40000;
    struct prvcut_archive_result *r = NULL;
    struct prvcut_error err = { 0 };
    struct archive *a = begin_listed("h.tar.zst");
    char *list = malloc((size_t)files * 96), name[32];
    size_t n = 0;

    ck_assert_ptr_nonnull(list);
    for (unsigned i = 0; i < files; i++) {
        snprintf(name, sizeof name, "s/trace/%u.evt", i);
        add_file(a, name, "evil", 4);
        n += (size_t)snprintf(list + n, 96, "%s  trace/%u.evt\n", EVIL, files - 1 - i);
    }
    end_listed(a, list, n);
    free(list);
    ck_assert_int_eq(prvcut_archive_verify("h.tar.zst", &one_worker, &r, &err), PRVCUT_OK);
    ck_assert_uint_eq(r->entries, files);
    ck_assert_uint_eq(r->wrong, 0);
    prvcut_archive_result_free(r);
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

/* --- Several traces in one archive ------------------------------------------------------------ */

/* Of the traces one, with its own files and nothing else, is unpacked. */
static void make_several(void)
{
    make_trace();
    ck_assert(
        traces_shell("mkdir two && for t in app.1 app.2 app.1.cut 'b c'; do for s in prv pcf; "
                     "do cp app.$s \"two/$t.$s\"; done; done && echo >two/app.1.text && "
                     "tar --zstd -cf two.tar.zst two && rm -r two"));
}

START_TEST(test_open_archive_of_several_asks_which)
{
    struct prvcut_error err = { 0 }, none = { 0 };
    struct prvcut_trace *t;

    make_several();
    ck_assert_int_eq(prvcut_trace_open(&t, "two.tar.zst", NULL, &err), PRVCUT_EUSAGE);
    ck_assert_str_eq(err.text, "two.tar.zst: holds 3 traces (app.1.prv, app.2.prv, b c.prv); name "
                               "one");
    ck_assert_str_eq(err.instead, "prvcut info two.tar.zst:app.1.prv");
    ck_assert_int_eq(prvcut_trace_open(&t, "two.tar.zst:d", NULL, &none), PRVCUT_EUSAGE);
    ck_assert_msg(strstr(none.text, "no trace 'd' but app.1.prv, app.2.prv"), "%s", none.text);
}
END_TEST

START_TEST(test_open_archive_member_takes_its_files_only)
{
    static const char *const names[] = { "app.1.prv", "app.1", "two/app.1.prv", "b c.prv",
                                         "app.1.cut" };
    char path[64];
    struct prvcut_trace *t;

    make_several();
    ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
    snprintf(path, sizeof path, "two.tar.zst:%s", names[_i]);
    t = open_trace(path);
    ck_assert(traces_shell("test $(ls prvcut-unpacked-*/*.prv | wc -l) = 1 && "
                           "test $(ls prvcut-unpacked-*/*.pcf | wc -l) = 1 && "
                           "test ! -e prvcut-unpacked-*/two"));
    prvcut_trace_close(t);
    ck_assert(traces_shell("test ! -d prvcut-unpacked-*"));
}
END_TEST

/* A file of that very name wins. */
START_TEST(test_open_archive_member_is_a_file_where_there_is_one)
{
    struct prvcut_trace *t;

    make_several();
    ck_assert(traces_shell("cp app.prv two.tar.zst:app.1.prv"));
    ck_assert_int_eq(setenv("TMPDIR", "absent", 1), 0);
    t = open_trace("two.tar.zst:app.1.prv");
    prvcut_trace_close(t);
}
END_TEST

/* Nothing that is written or told names the folder that it was unpacked into. */
START_TEST(test_open_archive_outputs_name_archive_and_member)
{
    const struct prvcut_span window = { 1000000, 200000000 };
    const struct prvcut_cut_options options = { .path = "cut.prv" };
    const struct prvcut_convert_options otf2 = { .path = "conv.otf2" };
    const struct prvcut_convert_options json = { .path = "conv.json" };
    struct prvcut_convert_summary *converted = NULL;
    struct prvcut_cut_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char *text;

    make_several();
    t = open_trace("two.tar.zst:app.2");
    ck_assert_int_eq(prvcut_info(t, &one_worker, PRVCUT_JSON, &text, &err), PRVCUT_OK);
    scratch_write("info", text, strlen(text));
    free(text);
    ck_assert_int_eq(prvcut_cut(t, &one_worker, &window, &options, &sum, &err), PRVCUT_OK);
    prvcut_cut_summary_free(sum);
    ck_assert_int_eq(prvcut_convert(t, &one_worker, &json, &converted, &err), PRVCUT_OK);
    prvcut_convert_summary_free(converted);
    if (test_writes("otf2")) {
        ck_assert_msg(prvcut_convert(t, &one_worker, &otf2, &converted, &err) == PRVCUT_OK, "%s",
                      err.text);
        ck_assert(traces_shell("grep -q two.tar.zst:app.2.prv conv.otf2"));
        prvcut_convert_summary_free(converted);
    }
    prvcut_trace_close(t);
    ck_assert(traces_shell("grep -q 'CUTTER.*\"two.tar.zst:app.2.prv\"' cut.prv && "
                           "grep -q two.tar.zst:app.2.prv conv.json && "
                           "grep -q '\"two.tar.zst:app.2.pcf\"' info && "
                           "! grep -rq prvcut-unpacked ."));
}
END_TEST

START_TEST(test_open_archive_failures_name_archive_and_member)
{
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char *text = NULL;

    make_trace();
    ck_assert(traces_shell("mkdir d && (head -n 20 app.prv; echo 1:x) >d/a.prv && "
                           "tar --zstd -cf d.tar.zst d"));
    t = open_trace("d.tar.zst");
    ck_assert_int_eq(prvcut_info(t, &one_worker, PRVCUT_FULL_TEXT, &text, &err), PRVCUT_EFORMAT);
    ck_assert_msg(strncmp(err.text, "d.tar.zst:a.prv:21: ", 20) == 0, "%s", err.text);
    prvcut_trace_close(t);
}
END_TEST

/* --- Stopping, and what is left -----------------------------------------------------------------
 */

static bool after_some(void *ctx)
{
    unsigned *left = ctx;

    return (*left)-- == 0;
}

START_TEST(test_open_archive_stops_when_asked)
{
    unsigned left = 50u * (unsigned)_i;
    const struct prvcut_open_options options = { .stop = after_some, .ctx = &left };
    struct archive *a = begin_listed("h.tar.zst");
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char name[32];

    add_file(a, "s/a.otf2", "", 0);
    for (unsigned i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "s/a/%u.evt", i);
        add_file(a, name, "", 0);
    }
    ck_assert_int_eq(archive_write_free(a), ARCHIVE_OK);
    ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
    ck_assert_int_eq(prvcut_trace_open(&t, "h.tar.zst", &options, &err), PRVCUT_EINTERRUPTED);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

START_TEST(test_open_archive_beyond_entries_is_refused)
{
    struct archive *a = begin_listed("h.tar.zst");
    struct prvcut_error err = { 0 };
    struct prvcut_trace *t;
    char name[32];

    for (unsigned i = 0; i <= 262144; i++) {
        snprintf(name, sizeof name, "s/%u", i);
        add_file(a, name, "", 0);
    }
    ck_assert_int_eq(archive_write_free(a), ARCHIVE_OK);
    ck_assert_int_eq(prvcut_trace_open(&t, "h.tar.zst", NULL, &err), PRVCUT_ELIMIT);
    ck_assert_msg(strstr(err.text, "262144 entries, the limit"), "%s", err.text);
}
END_TEST

/* What a killed run left goes with the next one; what is in use, or young, stays. */
START_TEST(test_open_archive_removes_what_the_dead_left)
{
    struct prvcut_trace *t;
    int fd;

    make_archive();
    ck_assert(traces_shell("for n in aaaaaa bbbbbb cccccc; do mkdir prvcut-unpacked-$n; "
                           "echo >prvcut-unpacked-$n/x; done; touch -d '1 hour ago' "
                           "prvcut-unpacked-aaaaaa prvcut-unpacked-bbbbbb"));
    fd = open("prvcut-unpacked-bbbbbb", O_RDONLY | O_DIRECTORY);
    ck_assert_int_eq(flock(fd, LOCK_EX), 0);
    ck_assert_int_eq(setenv("TMPDIR", ".", 1), 0);
    t = open_trace("small.tar.zst");
    prvcut_trace_close(t);
    close(fd);
    ck_assert(traces_shell("test \"$(echo prvcut-unpacked-*)\" = "
                           "'prvcut-unpacked-bbbbbb prvcut-unpacked-cccccc'"));
}
END_TEST

static Suite *archive_file_suite(void)
{
    Suite *s = suite_create("archive_file");
    TCase *t = tcase_create("archive_file");

    scratch_fixtures(t);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_archive_trace_leaves_one_file_that_tar_opens);
    tcase_add_test(t, test_archive_trace_existing_needs_force);
    tcase_add_test(t, test_archive_page_tells_archive_and_itself);
    tcase_add_test(t, test_archive_trace_without_loop_tells_of_none);
    tcase_add_test(t, test_archive_trace_name_with_line_break_is_refused);
    tcase_add_test(t, test_open_archive_is_the_trace_inside);
    tcase_add_test(t, test_verify_archive_sound_is_sound);
    tcase_add_loop_test(t, test_verify_archive_changed_files_are_told, 0, 5);
    tcase_add_test(t, test_verify_archive_damaged_bytes_are_never_sound);
    tcase_add_loop_test(t, test_verify_archive_hostile_lists_are_told, 0, 13);
    tcase_add_loop_test(t, test_verify_archive_odd_lines_are_told_short, 0, 2);
    tcase_add_loop_test(t, test_verify_archive_second_file_of_a_name_is_told, 0, 3);
    tcase_add_test(t, test_verify_archive_list_beyond_limit_is_refused);
    tcase_add_test(t, test_verify_archive_of_many_files_is_sound);
    tcase_add_loop_test(t, test_open_archive_hostile_entries_are_refused, 0, 6);
    tcase_add_test(t, test_open_archive_bomb_is_refused);
    tcase_add_test(t, test_verify_archive_whole_end_is_read);
    tcase_add_loop_test(t, test_archive_trace_of_any_name_is_read_back, 0, 3);
    tcase_add_test(t, test_open_archive_of_several_asks_which);
    tcase_add_loop_test(t, test_open_archive_member_takes_its_files_only, 0, 5);
    tcase_add_test(t, test_open_archive_member_is_a_file_where_there_is_one);
    tcase_add_test(t, test_open_archive_outputs_name_archive_and_member);
    tcase_add_test(t, test_open_archive_failures_name_archive_and_member);
    tcase_add_loop_test(t, test_open_archive_stops_when_asked, 0, 3);
    tcase_add_test(t, test_open_archive_beyond_entries_is_refused);
    tcase_add_test(t, test_open_archive_removes_what_the_dead_left);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    return run_suite(archive_file_suite());
}
