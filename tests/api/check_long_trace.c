/* A trace that is too long to be read once more: some windows of its loop are. */
#include "model/trace.h"
#include "prvcut/reduce.h"
#include "tests/support/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define LONG (UINT64_C(2) << 30)

static struct prvcut_error error;

/* So many iterations of two ranks, of unlike lengths, with a message and a collective in each. */
static void write_trace(const char *path, unsigned iterations)
{
    FILE *f = fopen(path, "w");
    uint64_t t = 4000000, random = 7;

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 12:00):%" PRIu64 "_ns:1(2):1:2(1:1,1:1),0\n",
            (uint64_t)iterations * 1200000 + 8000000);
    for (unsigned i = 0; i < iterations; i++) {
        const uint64_t send = t + 300000, both = t + 600000 + random % 90000;

        fprintf(f, "2:1:1:1:1:%" PRIu64 ":50000001:1\n2:1:1:1:1:%" PRIu64 ":50000001:0\n", send,
                send + 5000);
        fprintf(f, "3:1:1:1:1:%" PRIu64 ":%" PRIu64 ":2:1:2:1:%" PRIu64 ":%" PRIu64 ":%u:7\n", send,
                send + 10, send + 20000, send + 40000, 100U);
        fprintf(f, "2:2:1:2:1:%" PRIu64 ":50000001:2\n2:2:1:2:1:%" PRIu64 ":50000001:0\n",
                send + 20000, send + 50000);
        for (unsigned rank = 1; rank <= 2; rank++)
            fprintf(f, "2:%u:1:%u:1:%" PRIu64 ":50000002:10\n", rank, rank, both);
        for (unsigned rank = 1; rank <= 2; rank++)
            fprintf(f, "2:%u:1:%u:1:%" PRIu64 ":50000002:0\n", rank, rank, both + 30000);
        t += 1000000 + random % 150000;
        random = random * 16807 % 2147483647;
    }
    ck_assert_int_eq(fclose(f), 0);
}

/* The only cut, of a trace that has as many bytes as it has, or more. */
static struct prvcut_chop choose(unsigned iterations, uint64_t bytes)
{
    const struct prvcut_cut_options cut = { .dry_run = true };
    const struct prvcut_reduce_options options = { .iterations = 2,
                                                   .cheap_proof = true,
                                                   .cut = &cut };
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_reduction *r;
    struct prvcut_trace *trace;
    struct prvcut_chop chop;
    char path[64];

    snprintf(path, sizeof path, "long.%ld.prv", (long)getpid());
    write_trace(path, iterations);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    if (bytes > 0)
        trace->bytes = bytes;
    ck_assert_msg(prvcut_reduce(trace, &run, &options, &r, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_uint_eq(r->chops, 1);
    chop = *prvcut_reduction_chop(r, 0);
    prvcut_reduction_free(r);
    prvcut_trace_close(trace);
    unlink(path);
    return chop;
}

/* As many as are read: nothing is different but what windows inside iterations add to what is
   usual, and so to which of many alike is the nearest. */
START_TEST(test_all_windows)
{
    const struct prvcut_chop a = choose(40, 0), b = choose(40, LONG);

    ck_assert_uint_eq(a.windows, 39);
    ck_assert_uint_eq(b.windows, 39);
    ck_assert_uint_gt(a.iteration, 0);
    ck_assert_uint_gt(b.iteration, 0);
    ck_assert_int_eq(a.verdict, PRVCUT_CHOP_IS_TYPICAL);
    ck_assert_int_eq(b.verdict, PRVCUT_CHOP_IS_TYPICAL);
    ck_assert_int_eq(a.worst, b.worst);
    ck_assert_double_eq_tol(a.value, b.value, 0.01 * b.value);
    ck_assert_double_eq_tol(a.usual, b.usual, 0.01 * b.usual);
}
END_TEST

START_TEST(test_some_windows)
{
    const struct prvcut_chop a = choose(500, 0), b = choose(500, LONG);

    ck_assert_uint_eq(a.windows, 499);
    ck_assert_uint_eq(b.windows, 64);
    ck_assert_int_eq(b.verdict, PRVCUT_CHOP_IS_TYPICAL);
    /* What is usual of all is nearly usual of some. */
    ck_assert(b.usual > 0);
}
END_TEST

static Suite *long_trace_suite(void)
{
    Suite *s = suite_create("long_trace");
    TCase *c = tcase_create("long_trace");

    tcase_add_test(c, test_all_windows);
    tcase_add_test(c, test_some_windows);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(long_trace_suite());
}
