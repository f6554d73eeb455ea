#include "base/folder.h"
#include "base/journal.h"
#include "base/output.h"
#include "scratch.h"
#include "tests/support/runner.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/uio.h>

/*
 * The calls below take the place of the C library's: the so-manieth fails, or kills the process.
 * Each test runs in a process of its own, so a plan ends with its test.
 */
static struct {
    unsigned at;  /* the call, from 1; 0: none */
    bool kills;   /* it does, in place of failing */
    bool forever; /* all calls behind it fail, too */
    int number;   /* errno */
    unsigned calls;
} plan;

static bool fault(void)
{
    plan.calls++;
    if (plan.at == 0 || plan.calls < plan.at || (plan.calls > plan.at && !plan.forever))
        return false;
    if (plan.kills)
        raise(SIGKILL);
    errno = plan.number;
    return true;
}

int open(const char *path, int flags, ...)
{
    va_list more;
    unsigned mode;

    va_start(more, flags);
    mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    return fault() ? -1 : openat(AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    struct iovec part = { .iov_len = count };

    memcpy(&part.iov_base, &bytes, sizeof bytes);
    return fault() ? -1 : writev(fd, &part, 1);
}

int link(const char *from, const char *to)
{
    return fault() ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    return fault() ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlink(const char *path)
{
    return fault() ? -1 : unlinkat(AT_FDCWD, path, 0);
}

int rmdir(const char *path)
{
    return fault() ? -1 : unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int mkdir(const char *path, mode_t mode)
{
    return fault() ? -1 : mkdirat(AT_FDCWD, path, mode);
}

int fsync(int fd)
{
    (void)fd;
    return fault() ? -1 : 0;
}

/* --- Sets --------------------------------------------------------------------------------- */

/* The main one is the last but one; a page in another folder appears with them. */
static const char *const cut[] = { "a.pcf", "a.row", "there/page.html", "a.prv" };
static const char *const archive[] = { "a.def", "a/0.evt", "there/page.html", "a.otf2" };
static const char *const single[] = { "a.svg", "a.svg", "a.svg", "a.svg" };

enum { CUT, ARCHIVE, SINGLE };
static const char *const *const sets[] = { cut, archive, single };

#define FILES 4

static enum prvcut_status write_cut(bool force, struct prvcut_error *err)
{
    struct prvcut_commit *set = NULL;
    enum prvcut_status st = prvcut_commit_new(&set, err);

    for (unsigned i = 0; i < FILES && st == PRVCUT_OK; i++)
        st = prvcut_output_text(set, cut[i], "new", force, err);
    if (st == PRVCUT_OK)
        return prvcut_commit_all(set, err);
    prvcut_commit_abandon(set);
    return st;
}

static void bring(const struct prvcut_folder *f, const char *name)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", prvcut_folder_path(f), name);
    scratch_write(path, "new", 3);
}

static enum prvcut_status write_archive(bool force, struct prvcut_error *err)
{
    static const char *const others[] = { "a.def", "a", "a.marker", NULL };
    struct prvcut_folder *f;
    enum prvcut_status st = prvcut_folder_open(&f, "a.otf2", others, force, err);
    char path[4096];

    if (st < 0)
        return st;
    st = prvcut_output_text(prvcut_folder_set(f), "there/page.html", "new", force, err);
    if (st < 0) {
        prvcut_folder_abandon(f);
        return st;
    }
    snprintf(path, sizeof path, "%s/a", prvcut_folder_path(f));
    ck_assert_int_eq(mkdirat(AT_FDCWD, path, 0777), 0);
    bring(f, "a.otf2");
    bring(f, "a.def");
    bring(f, "a/0.evt");
    return prvcut_folder_commit(f, NULL, err);
}

static enum prvcut_status write_set(int kind, bool force, struct prvcut_error *err)
{
    if (kind == SINGLE)
        return prvcut_output_text(NULL, single[0], "new", force, err);
    return kind == CUT ? write_cut(force, err) : write_archive(force, err);
}

static void write_old(int kind)
{
    (void)mkdirat(AT_FDCWD, "there", 0755);
    if (kind == ARCHIVE)
        (void)mkdirat(AT_FDCWD, "a", 0755);
    for (unsigned i = 0; i < FILES; i++)
        scratch_write(sets[kind][i], "old", 3);
    if (kind == ARCHIVE)
        scratch_write("a/1.evt", "old", 3);
}

/* All as they were, all new, or all gone; what is told if not. */
static const char *state_of(int kind)
{
    static const char *const states[] = { "none", "old", "new" };
    const char *state = NULL;

    for (unsigned i = 0; i < FILES; i++) {
        FILE *file = fopen(sets[kind][i], "rb");
        char text[4] = "";
        size_t now = 0;

        if (file) {
            ck_assert_uint_eq(fread(text, 1, 3, file), 3);
            fclose(file);
        }
        now = !file ? 0 : strcmp(text, "old") == 0 ? 1 : 2;
        if (state && state != states[now])
            return "mixed";
        state = states[now];
    }
    if (kind == ARCHIVE && (access("a/1.evt", F_OK) == 0) != (state == states[1]))
        return "mixed";
    return state;
}

static size_t hidden_in(const char *folder)
{
    DIR *dir = opendir(folder);
    const struct dirent *d;
    size_t count = 0;

    ck_assert_ptr_nonnull(dir);
    while ((d = readdir(dir)))
        count += prvcut_work_is_name(d->d_name);
    closedir(dir);
    return count;
}

static size_t hidden(void)
{
    return hidden_in(".") + hidden_in("there");
}

static void next_run(void)
{
    memset(&plan, 0, sizeof plan);
    prvcut_journal_recover(".");
    prvcut_journal_recover("there");
}

/* How many calls a set takes. */
static unsigned calls_of(int kind, bool force)
{
    struct prvcut_error err = { 0 };

    plan.calls = 0;
    ck_assert_msg(write_set(kind, force, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_str_eq(state_of(kind), "new");
    ck_assert_uint_eq(hidden(), 0);
    return plan.calls;
}

static void remove_all(int kind)
{
    for (unsigned i = 0; i < FILES; i++)
        (void)unlinkat(AT_FDCWD, sets[kind][i], 0);
    (void)unlinkat(AT_FDCWD, "a/1.evt", 0);
    (void)unlinkat(AT_FDCWD, "a", AT_REMOVEDIR);
}

/* Every call fails once: old or new, never both, and the status tells which. */
START_TEST(test_commit_failing_call_keeps_old_or_brings_new)
{
    static const int numbers[] = { ENOSPC, EIO, EMFILE };
    unsigned calls, failed = 0;

    write_old(_i);
    calls = calls_of(_i, true);
    for (unsigned n = 1; n <= calls; n++) {
        struct prvcut_error err = { 0 };
        enum prvcut_status st;

        remove_all(_i);
        write_old(_i);
        plan.at = n;
        plan.number = numbers[n % 3];
        plan.calls = 0;
        st = write_set(_i, true, &err);
        plan.at = 0;
        ck_assert_msg(st == PRVCUT_OK || st == PRVCUT_EIO, "%u: %d %s", n, st, err.text);
        failed += st != PRVCUT_OK;
        ck_assert_msg(strcmp(state_of(_i), st == PRVCUT_OK ? "new" : "old") == 0, "%u: %s (%s)", n,
                      state_of(_i), err.text);
        ck_assert_msg(st == PRVCUT_OK || strstr(err.text, "Input/output error") ||
                          strstr(err.text, "No space left") || strstr(err.text, "Too many open"),
                      "%u: %s", n, err.text);
        next_run();
        ck_assert_uint_eq(hidden(), 0);
    }
    ck_assert_uint_gt(failed, 5);
}
END_TEST

/* Where nothing stood, nothing stands. */
START_TEST(test_commit_failing_call_leaves_nothing)
{
    unsigned calls;

    ck_assert_int_eq(mkdirat(AT_FDCWD, "there", 0755), 0);
    calls = calls_of(_i, false);
    for (unsigned n = 1; n <= calls; n++) {
        struct prvcut_error err = { 0 };
        enum prvcut_status st;

        remove_all(_i);
        plan.at = n;
        plan.number = EIO;
        plan.calls = 0;
        st = write_set(_i, false, &err);
        plan.at = 0;
        ck_assert_msg(strcmp(state_of(_i), st == PRVCUT_OK ? "new" : "none") == 0, "%u: %s (%s)", n,
                      state_of(_i), err.text);
        next_run();
        ck_assert_uint_eq(hidden(), 0);
    }
}
END_TEST

/* From some call on the disk takes nothing more: what cannot be put back at once is later. */
START_TEST(test_commit_dead_disk_is_put_right_by_next_run)
{
    unsigned calls;

    write_old(_i);
    calls = calls_of(_i, true);
    for (unsigned n = 1; n <= calls; n++) {
        struct prvcut_error err = { 0 };
        enum prvcut_status st;

        remove_all(_i);
        write_old(_i);
        plan.at = n;
        plan.forever = true;
        plan.number = EIO;
        plan.calls = 0;
        st = write_set(_i, true, &err);
        next_run();
        ck_assert_msg(strcmp(state_of(_i), st == PRVCUT_OK ? "new" : "old") == 0 ||
                          strstr(err.text, "could not be put back"),
                      "%u: %s (%s)", n, state_of(_i), err.text);
        ck_assert_str_ne(state_of(_i), "mixed");
        ck_assert_uint_eq(hidden(), 0);
    }
}
END_TEST

/* The process is killed at any call: the next run leaves the old set or the new one. */
START_TEST(test_commit_killed_is_put_right_by_next_run)
{
    const int kind = _i / 2;
    const bool force = _i % 2;
    unsigned calls, old = 0, new = 0;

    if (force)
        write_old(kind);
    else
        ck_assert_int_eq(mkdirat(AT_FDCWD, "there", 0755), 0);
    calls = calls_of(kind, force);
    for (unsigned n = 1; n <= calls; n++) {
        pid_t child;

        remove_all(kind);
        if (force)
            write_old(kind);
        child = fork();
        if (child == 0) {
            plan.calls = 0;
            plan.at = n;
            plan.kills = true;
            write_set(kind, force, NULL);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        /* It does not matter from which side it is found. */
        prvcut_journal_recover(n % 2 ? "there" : ".");
        next_run();
        ck_assert_msg(strcmp(state_of(kind), force ? "old" : "none") == 0 ||
                          strcmp(state_of(kind), "new") == 0,
                      "%u: %s", n, state_of(kind));
        old += strcmp(state_of(kind), "new") != 0;
        new += strcmp(state_of(kind), "new") == 0;
        ck_assert_msg(hidden() == 0, "%u: something is left", n);
    }
    ck_assert_uint_gt(old, 3);
    ck_assert_uint_gt(new, 0);
}
END_TEST

/* --- Others ------------------------------------------------------------------------------- */

/* A set whose process lives is nobody else's, whatever stands in it. */
START_TEST(test_recover_spares_living_process)
{
    struct prvcut_error err = { 0 };
    struct prvcut_output *o;
    pid_t child;
    int status;

    ck_assert_int_eq(prvcut_output_open(&o, "f", PRVCUT_PLAIN, false, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_output_write(o, "text", 4, &err), PRVCUT_OK);
    child = fork();
    if (child == 0) {
        prvcut_journal_recover(".");
        _exit(hidden_in(".") == 1 ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    prvcut_journal_recover(".");
    ck_assert_int_eq(prvcut_output_commit(o, NULL, &err), PRVCUT_OK);
    scratch_expect("f", "text", 4);
    ck_assert_uint_eq(scratch_count(), 1);
}
END_TEST

/* What is not ours by its lock stays, whatever its name. */
START_TEST(test_recover_spares_what_is_foreign)
{
    ck_assert_int_eq(mkdirat(AT_FDCWD, ".mine.prvcut-abcdef", 0755), 0);
    scratch_write(".mine.prvcut-abcdef/thesis", "x", 1);
    ck_assert_int_eq(mkdirat(AT_FDCWD, ".far.prvcut-abcdef", 0755), 0);
    scratch_write(".far.prvcut-abcdef/lock@another host", "", 0);
    scratch_write(".file.prvcut-abcdef", "x", 1);
    ck_assert_int_eq(mkdirat(AT_FDCWD, ".prvcut-toolong", 0755), 0);
    ck_assert_int_eq(mkdirat(AT_FDCWD, ".empty.prvcut-abcdef", 0755), 0);
    prvcut_journal_recover(".");
    ck_assert_uint_eq(scratch_count(), 4);
    ck_assert_int_ne(access(".empty.prvcut-abcdef", F_OK), 0);
}
END_TEST

/* Killed when all but the main file stand: what the user did since is the user's. */
START_TEST(test_recover_spares_what_came_since)
{
    unsigned calls;

    write_old(CUT);
    calls = calls_of(CUT, true);
    for (unsigned n = 1; n <= calls; n++) {
        pid_t child;

        write_old(CUT);
        child = fork();
        if (child == 0) {
            plan.calls = 0;
            plan.at = n;
            plan.kills = true;
            write_set(CUT, true, NULL);
            _exit(0);
        }
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        (void)unlinkat(AT_FDCWD, "a.pcf", 0);
        scratch_write("a.pcf", "mine", 4);
        next_run();
        scratch_expect("a.pcf", "mine", 4);
        remove_all(CUT);
        next_run();
    }
}
END_TEST

START_TEST(test_commit_two_of_one_name_are_refused)
{
    struct prvcut_error err = { 0 };
    struct prvcut_commit *set;

    ck_assert_int_eq(mkdirat(AT_FDCWD, "there", 0755), 0);
    ck_assert_int_eq(prvcut_commit_new(&set, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_output_text(set, "there/f", "x", true, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_output_text(set, "./there/../there/f", "y", true, &err), PRVCUT_EUSAGE);
    prvcut_commit_abandon(set);
    ck_assert_uint_eq(hidden(), 0);
    ck_assert_int_ne(access("there/f", F_OK), 0);
}
END_TEST

static Suite *commit_suite(void)
{
    Suite *suite = suite_create("commit");
    TCase *tests = tcase_create("commit");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_commit_failing_call_keeps_old_or_brings_new, 0, 3);
    tcase_add_loop_test(tests, test_commit_failing_call_leaves_nothing, 0, 3);
    tcase_add_loop_test(tests, test_commit_dead_disk_is_put_right_by_next_run, 0, 3);
    tcase_add_loop_test(tests, test_commit_killed_is_put_right_by_next_run, 0, 6);
    tcase_add_test(tests, test_recover_spares_living_process);
    tcase_add_test(tests, test_recover_spares_what_is_foreign);
    tcase_add_test(tests, test_recover_spares_what_came_since);
    tcase_add_test(tests, test_commit_two_of_one_name_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(commit_suite());
}
