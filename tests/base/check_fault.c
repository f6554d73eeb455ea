#include "base/output.h"
#include "base/source.h"
#include "scratch.h"
#include "tests/support/runner.h"

#include <errno.h>
#include <sys/uio.h>

#define TEXT_LARGE 1200000

/*
 * The calls below take the place of the C library's and fail as the plan says. Each test runs in a
 * process of its own, so a plan ends with its test.
 */
static struct {
    size_t most;         /* bytes that a call moves at most; 0: any number */
    unsigned interrupts; /* each so-manieth call is interrupted; 0: none */
    unsigned fails_at;   /* the call, from 1, from which on all fail; 0: none */
    int number;          /* errno of those */
    unsigned calls;
    int link_number;      /* errno of link; 0: it works */
    int rename_number;    /* the same for rename */
    unsigned fsync_fails; /* the fsync, from 1, that fails with EIO */
    unsigned fsyncs;
} plan;

static bool fault(void)
{
    plan.calls++;
    if (plan.fails_at > 0 && plan.calls >= plan.fails_at) {
        errno = plan.number;
        return true;
    }
    errno = EINTR;
    return plan.interrupts > 0 && plan.calls % plan.interrupts == 0;
}

static size_t at_most(size_t count)
{
    return plan.most > 0 && count > plan.most ? plan.most : count;
}

ssize_t read(int fd, void *bytes, size_t count)
{
    const struct iovec part = { bytes, at_most(count) };

    return fault() ? -1 : readv(fd, &part, 1);
}

ssize_t pread(int fd, void *bytes, size_t count, off_t offset)
{
    const off_t before = lseek(fd, 0, SEEK_CUR);
    ssize_t got;

    if (fault() || lseek(fd, offset, SEEK_SET) != offset)
        return -1;
    got = readv(fd, &(struct iovec){ bytes, at_most(count) }, 1);
    lseek(fd, before, SEEK_SET);
    return got;
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    struct iovec part = { .iov_len = at_most(count) };

    memcpy(&part.iov_base, &bytes, sizeof bytes);
    return fault() ? -1 : writev(fd, &part, 1);
}

int link(const char *from, const char *to)
{
    errno = plan.link_number;
    return plan.link_number != 0 ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    errno = plan.rename_number;
    return plan.rename_number != 0 ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int fsync(int fd)
{
    plan.fsyncs++;
    errno = plan.fsyncs == plan.fsync_fails ? EIO : EINTR;
    if (plan.fsyncs == plan.fsync_fails || (plan.interrupts > 0 && plan.fsyncs == 1))
        return -1;
    return fdatasync(fd);
}

static const char *const names[] = { "plain", "packed.gz", "packed.zst" };

static enum prvcut_status write_text(const char *path, const char *text, size_t count, bool force,
                                     struct prvcut_error *err)
{
    struct prvcut_output *o;
    enum prvcut_status st = prvcut_output_open(&o, path, prvcut_codec_of_name(path), force, err);

    if (st != PRVCUT_OK)
        return st;
    st = prvcut_output_write(o, text, count, err);
    if (st == PRVCUT_OK)
        return prvcut_output_commit(o, NULL, err);
    prvcut_output_abandon(o);
    return st;
}

START_TEST(test_read_source_short_and_interrupted_goes_on)
{
    char *text = scratch_text(TEXT_LARGE), *bytes;
    struct prvcut_error err = { 0 };
    size_t count;

    ck_assert_int_eq(write_text(names[_i], text, TEXT_LARGE, false, NULL), PRVCUT_OK);
    plan.most = 997;
    plan.interrupts = 3;
    ck_assert_msg(prvcut_source_slurp(names[_i], TEXT_LARGE, &bytes, &count, &err) == PRVCUT_OK,
                  "%s", err.text);
    ck_assert_uint_gt(plan.calls, 100);
    ck_assert_uint_eq(count, TEXT_LARGE);
    ck_assert_int_eq(memcmp(bytes, text, count), 0);
    free(bytes);
    free(text);
}
END_TEST

START_TEST(test_read_at_source_short_and_interrupted_goes_on)
{
    char *text = scratch_text(TEXT_LARGE), *bytes = malloc(500000);
    struct prvcut_source *s;
    size_t got;

    scratch_write("f", text, TEXT_LARGE);
    ck_assert_int_eq(prvcut_source_open(&s, "f", NULL), PRVCUT_OK);
    plan.most = 1009;
    plan.interrupts = 2;
    ck_assert_int_eq(prvcut_source_read_at(s, 12345, bytes, 500000, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, 500000);
    ck_assert_int_eq(memcmp(bytes, text + 12345, got), 0);
    ck_assert_int_eq(prvcut_source_read_at(s, TEXT_LARGE - 5000, bytes, 500000, &got, NULL),
                     PRVCUT_OK);
    ck_assert_uint_eq(got, 5000);
    prvcut_source_close(s);
    free(bytes);
    free(text);
}
END_TEST

START_TEST(test_read_at_source_failure_names_offset)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    char bytes[100];
    size_t got;

    scratch_write("f", "0123456789012345678901234567890123456789", 40);
    ck_assert_int_eq(prvcut_source_open(&s, "f", NULL), PRVCUT_OK);
    plan.most = 7;
    plan.number = EIO;
    plan.fails_at = plan.calls + 3;
    ck_assert_int_eq(prvcut_source_read_at(s, 10, bytes, sizeof bytes, &got, &err), PRVCUT_EIO);
    ck_assert_uint_eq(got, 14);
    ck_assert_str_eq(err.text, "f: cannot be read at offset 24: Input/output error");
    prvcut_source_close(s);
}
END_TEST

/* A disk that fails in mid-file: what was read is given first, then the reason, and it stays. */
START_TEST(test_read_source_failure_comes_after_bytes)
{
    char *text = scratch_text(TEXT_LARGE), *bytes = malloc(TEXT_LARGE);
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;
    size_t got;

    ck_assert_int_eq(write_text(names[_i], text, TEXT_LARGE, false, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_source_open(&s, names[_i], NULL), PRVCUT_OK);
    plan.most = 50000;
    plan.number = EIO;
    plan.fails_at = plan.calls + 3;
    ck_assert_int_eq(prvcut_source_read(s, bytes, TEXT_LARGE, &got, &err), PRVCUT_OK);
    ck_assert_uint_ge(got, 100000);
    ck_assert_uint_lt(got, TEXT_LARGE);
    ck_assert_int_eq(memcmp(bytes, text, got), 0);
    ck_assert_str_eq(err.text, "");
    plan.fails_at = 0;
    ck_assert_int_eq(prvcut_source_read(s, bytes, 1, &got, &err), PRVCUT_EIO);
    ck_assert_uint_eq(got, 0);
    ck_assert_ptr_nonnull(strstr(err.text, "cannot be read: Input/output error"));
    ck_assert_int_eq(prvcut_source_rewind(s, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_source_read(s, bytes, TEXT_LARGE, &got, NULL), PRVCUT_OK);
    ck_assert_uint_eq(got, TEXT_LARGE);
    prvcut_source_close(s);
    free(bytes);
    free(text);
}
END_TEST

START_TEST(test_open_source_failure_is_reported)
{
    struct prvcut_error err = { 0 };
    struct prvcut_source *s;

    scratch_write("f", "some text", 9);
    plan.number = EIO;
    plan.fails_at = 1;
    ck_assert_int_eq(prvcut_source_open(&s, "f", &err), PRVCUT_EIO);
    ck_assert_ptr_null(s);
    ck_assert_str_eq(err.text, "f: cannot be read: Input/output error");
}
END_TEST

START_TEST(test_write_output_short_and_interrupted_goes_on)
{
    char *text = scratch_text(TEXT_LARGE), *bytes;
    struct prvcut_error err = { 0 };
    size_t count;

    plan.most = 4999;
    plan.interrupts = 3;
    ck_assert_msg(write_text(names[_i], text, TEXT_LARGE, false, &err) == PRVCUT_OK, "%s",
                  err.text);
    ck_assert_uint_gt(plan.calls, 20);
    ck_assert_int_eq(prvcut_source_slurp(names[_i], TEXT_LARGE, &bytes, &count, NULL), PRVCUT_OK);
    ck_assert_uint_eq(count, TEXT_LARGE);
    ck_assert_int_eq(memcmp(bytes, text, count), 0);
    free(bytes);
    free(text);
}
END_TEST

START_TEST(test_write_output_full_disk_leaves_nothing)
{
    char *text = scratch_text(TEXT_LARGE);
    struct prvcut_error err = { 0 };

    plan.most = 40000;
    plan.number = ENOSPC;
    plan.fails_at = 3;
    ck_assert_int_eq(write_text(names[_i], text, TEXT_LARGE, false, &err), PRVCUT_EIO);
    ck_assert_ptr_nonnull(
        strstr(err.text, "cannot be written after 80000 bytes: No space left on device"));
    ck_assert_uint_eq(scratch_count(), 0);
    free(text);
}
END_TEST

START_TEST(test_commit_output_failed_sync_keeps_old_file)
{
    struct prvcut_error err = { 0 };

    scratch_write("f", "old", 3);
    plan.fsync_fails = 1;
    ck_assert_int_eq(write_text("f", "new", 3, true, &err), PRVCUT_EIO);
    ck_assert_str_eq(err.text, "f: cannot be flushed to disk: Input/output error");
    scratch_expect("f", "old", 3);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

/* Nobody knows whether its name would outlive a crash: it does not stay, what stood there does. */
START_TEST(test_commit_output_failed_folder_sync_undoes)
{
    struct prvcut_error err = { 0 };

    if (_i > 0)
        scratch_write("f", "old", 3);

    plan.fsync_fails = 2;
    ck_assert_int_eq(write_text("f", "new", 3, _i > 0, &err), PRVCUT_EIO);
    ck_assert_str_eq(err.text, "f: its folder cannot be flushed to disk: Input/output error");
    ck_assert_uint_eq(scratch_count(), _i > 0);
    if (_i > 0)
        scratch_expect("f", "old", 3);
}
END_TEST

START_TEST(test_commit_output_syncs_file_and_folder)
{
    ck_assert_int_eq(write_text("f", "new", 3, false, NULL), PRVCUT_OK);
    ck_assert_uint_eq(plan.fsyncs, 2);
}
END_TEST

START_TEST(test_commit_output_without_hard_links_works)
{
    struct prvcut_error err = { 0 };
    struct prvcut_output *o;

    plan.link_number = _i == 0 ? EPERM : ENOTSUP;
    ck_assert_int_eq(write_text("f", "text", 4, false, NULL), PRVCUT_OK);
    scratch_expect("f", "text", 4);
    ck_assert_int_eq(prvcut_output_open(&o, "g", PRVCUT_PLAIN, false, NULL), PRVCUT_OK);
    scratch_write("g", "theirs", 6);
    ck_assert_int_eq(prvcut_output_commit(o, NULL, &err), PRVCUT_EEXIST);
    scratch_expect("g", "theirs", 6);
    ck_assert_uint_eq(scratch_count(), 2);
}
END_TEST

START_TEST(test_commit_output_that_cannot_be_named_leaves_nothing)
{
    struct prvcut_error err = { 0 };

    plan.link_number = EPERM;
    plan.rename_number = EIO;
    ck_assert_int_eq(write_text("f", "text", 4, false, &err), PRVCUT_EIO);
    ck_assert_str_eq(err.text, "f: cannot be given its name: Input/output error");
    ck_assert_uint_eq(scratch_count(), 0);
    plan.link_number = ENOSPC;
    ck_assert_int_eq(write_text("f", "text", 4, false, NULL), PRVCUT_EIO);
    ck_assert_uint_eq(scratch_count(), 0);
    ck_assert_int_eq(write_text("f", "text", 4, true, NULL), PRVCUT_EIO);
    ck_assert_uint_eq(scratch_count(), 0);
}
END_TEST

static Suite *fault_suite(void)
{
    Suite *suite = suite_create("fault");
    TCase *tests = tcase_create("fault");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_read_source_short_and_interrupted_goes_on, 0, 3);
    tcase_add_test(tests, test_read_at_source_short_and_interrupted_goes_on);
    tcase_add_test(tests, test_read_at_source_failure_names_offset);
    tcase_add_loop_test(tests, test_read_source_failure_comes_after_bytes, 0, 3);
    tcase_add_test(tests, test_open_source_failure_is_reported);
    tcase_add_loop_test(tests, test_write_output_short_and_interrupted_goes_on, 0, 3);
    tcase_add_loop_test(tests, test_write_output_full_disk_leaves_nothing, 0, 3);
    tcase_add_test(tests, test_commit_output_failed_sync_keeps_old_file);
    tcase_add_loop_test(tests, test_commit_output_failed_folder_sync_undoes, 0, 2);
    tcase_add_test(tests, test_commit_output_syncs_file_and_folder);
    tcase_add_loop_test(tests, test_commit_output_without_hard_links_works, 0, 2);
    tcase_add_test(tests, test_commit_output_that_cannot_be_named_leaves_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(fault_suite());
}
