/* What the system does not let be read is no damage of the trace: PRVCUT_EIO, with its words. */
#include "prvcut/convert.h"
#include "prvcut/inspect.h"
#include "prvcut/cut.h"

#include "tests/structure/generated.h"

#include "built.h"
#include "runner.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/uio.h>

/*
 * The calls below take the place of the C library's: the so-manieth fails. Those that libraries
 * make themselves are out of their reach; a limit on open files is not.
 */
static struct {
    bool on;
    unsigned at; /* the call, from 1 */
    int number;  /* errno */
    size_t most; /* bytes that a call moves at most; 0: any number */
    unsigned calls;
} plan;

static bool fault(void)
{
    if (!plan.on || ++plan.calls != plan.at)
        return false;
    errno = plan.number;
    return true;
}

static size_t at_most(size_t count)
{
    return plan.most > 0 && count > plan.most ? plan.most : count;
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

/* --- Traces ------------------------------------------------------------------------------- */

static const char *const names[] = { "a.prv", "b.otf2", "c.otf", "d.prv.zst" };

#define NAMES (int)(sizeof names / sizeof *names)

/* false: this build cannot read it. */
static bool make(const char *name)
{
    const struct prvcut_convert_options options = { .path = name };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_error err = { 0 };
    struct prvcut_trace *trace;

    if (strcmp(name, "b.otf2") == 0 && !test_reads("otf2"))
        return false;
    generated_make("--tasks 2 --iterations 8 --seed 3", "a");
    if (strcmp(name, "a.prv") == 0)
        return true;
    ck_assert_int_eq(prvcut_trace_open(&trace, "a.prv", NULL, &err), PRVCUT_OK);
    ck_assert_msg(prvcut_convert(trace, &run, &options, &sum, &err) == PRVCUT_OK, "%s", err.text);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
    return true;
}

/* All that is read, twice in its own way: as a check does, and as a conversion does. */
static enum prvcut_status read_all(const char *name, char **text, struct prvcut_error *err)
{
    const struct prvcut_convert_options options = { .path = "/dev/null", .format = "perfetto" };
    const struct prvcut_run run = { .threads = 1 };
    struct prvcut_convert_summary *sum = NULL;
    struct prvcut_trace *trace;
    enum prvcut_status st = prvcut_check(name, &run, NULL, PRVCUT_FULL_TEXT, text, err);

    if (st != PRVCUT_OK)
        return st;
    st = prvcut_trace_open(&trace, name, NULL, err);
    if (st != PRVCUT_OK)
        return st;
    st = prvcut_convert(trace, &run, &options, &sum, err);
    prvcut_convert_summary_free(sum);
    prvcut_trace_close(trace);
    return st;
}

/* --- Tests -------------------------------------------------------------------------------- */

START_TEST(test_read_failing_call_is_the_systems)
{
    static const int numbers[] = { EIO, EMFILE, EACCES, ENFILE };
    struct prvcut_error err = { 0 };
    unsigned calls, failed = 0;
    char *sound = NULL;

    if (!make(names[_i]))
        return;
    plan.on = true;
    ck_assert_msg(read_all(names[_i], &sound, &err) == PRVCUT_OK, "%s", err.text);
    calls = plan.calls;
    ck_assert_uint_gt(calls, 10);
    for (unsigned n = 1; n <= calls; n++) {
        enum prvcut_status st;
        char *text = NULL;

        err = (struct prvcut_error){ 0 };
        plan.calls = 0;
        plan.at = n;
        plan.number = numbers[n % 4];
        st = read_all(names[_i], &text, &err);
        ck_assert_msg(st == PRVCUT_OK || st == PRVCUT_EIO, "%u of %u: %d %s", n, calls, st,
                      err.text);
        ck_assert_msg(st == PRVCUT_OK || strstr(err.text, strerror(plan.number)), "%u: %s", n,
                      err.text);
        /* Where another way led there, nothing is said of damage. */
        if (st == PRVCUT_OK)
            ck_assert_str_eq(text, sound);
        failed += st != PRVCUT_OK;
        free(text);
    }
    ck_assert_uint_gt(failed, calls / 2);
    free(sound);
}
END_TEST

START_TEST(test_read_short_and_interrupted_goes_on)
{
    struct prvcut_error err = { 0 };
    char *sound = NULL, *text = NULL;
    unsigned calls;

    if (!make(names[_i]))
        return;
    plan.on = true;
    ck_assert_msg(read_all(names[_i], &sound, &err) == PRVCUT_OK, "%s", err.text);
    plan.most = 611;
    plan.calls = 0;
    ck_assert_msg(read_all(names[_i], &text, &err) == PRVCUT_OK, "%s", err.text);
    ck_assert_str_eq(text, sound);
    free(text);
    plan.most = 0;
    calls = plan.calls;
    for (unsigned n = 1; n <= calls && n < 100; n++) {
        plan.calls = 0;
        plan.at = n;
        plan.number = EINTR;
        if (read_all(names[_i], &text, &err) != PRVCUT_OK)
            ck_abort_msg("%u: %s", n, err.text);
        ck_assert_str_eq(text, sound);
        free(text);
    }
    free(sound);
}
END_TEST

/* So many files and no more: also where a library opens them. */
START_TEST(test_read_few_files_is_the_systems)
{
    struct rlimit limit;
    bool done = false;
    int first;

    if (!make(names[_i]))
        return;
    first = dup(0);
    close(first);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    for (int n = 0; n < 40 && !done; n++) {
        struct prvcut_error err = { 0 };
        enum prvcut_status st;
        char *text = NULL;

        limit.rlim_cur = (rlim_t)(first + n);
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
        st = read_all(names[_i], &text, &err);
        limit.rlim_cur = limit.rlim_max;
        ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
        free(text);
        done = st == PRVCUT_OK;
        ck_assert_msg(done || (st == PRVCUT_EIO && strstr(err.text, strerror(EMFILE))),
                      "%d files: %d %s", n, st, err.text);
    }
    ck_assert(done);
}
END_TEST

static Suite *refused_suite(void)
{
    Suite *suite = suite_create("refused");
    TCase *tests = tcase_create("refused");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_read_failing_call_is_the_systems, 0, NAMES);
    tcase_add_loop_test(tests, test_read_short_and_interrupted_goes_on, 0, NAMES);
    tcase_add_loop_test(tests, test_read_few_files_is_the_systems, 0, NAMES);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(refused_suite());
}
