/* What windows hold is the same whether all of a trace is read, the windows' blocks alone, or what
   was kept of them. */
#include "analysis/measure_keep.h"
#include "tests/support/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITERATIONS 24000
#define LENGTH     1000
#define LATE       300 /* the second rank's */
#define WINDOWS    5

static struct prvcut_error error;

/* A call of a rank; the last of an iteration holds on into the next one. */
static void put_call(FILE *f, unsigned rank, uint64_t begin, uint64_t end, const char *value)
{
    fprintf(f, "2:%u:1:%u:1:%" PRIu64 ":%s\n", rank, rank, begin, value);
    fprintf(f, "2:%u:1:%u:1:%" PRIu64 ":%.8s:0\n", rank, rank, end, value);
}

/* Several blocks of calls, states, messages and counters, of unlike lengths. */
static void write_trace(const char *path)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fprintf(f, "#Paraver (01/01/2026 at 12:00):%d_ns:1(2):1:2(1:1,1:1),0\n",
            ITERATIONS * LENGTH + 10000);
    for (uint64_t i = 0; i < ITERATIONS; i++) {
        const uint64_t at = i * LENGTH, send = 100 + i * 7919 % 150;

        fprintf(f, "1:1:1:1:1:%" PRIu64 ":%" PRIu64 ":1\n", at, at + 400);
        put_call(f, 1, at, at + send, "50000001:1");
        fprintf(f,
                "3:1:1:1:1:%" PRIu64 ":%" PRIu64 ":2:1:2:1:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":7\n",
                at + 10, at + 20, at + LATE, at + LATE + 90, 64 + i % 9);
        put_call(f, 2, at + LATE, at + LATE + send, "50000001:2");
        fprintf(f, "2:1:1:1:1:%" PRIu64 ":42000050:%" PRIu64 "\n", at + 500, 1000 + i % 77);
        put_call(f, 1, at + 900, at + 990, "50000002:8");
        put_call(f, 2, at + LATE + 650, at + LATE + 1000 - 1, "50000002:8");
    }
    ck_assert_int_eq(fclose(f), 0);
}

/* Windows of two iterations, each rank's own; two of them in one block. */
static void lay(struct prvcut_proof_region stretch[WINDOWS], uint64_t border[WINDOWS][4],
                struct prvcut_span part[WINDOWS])
{
    static const uint64_t first[WINDOWS] = { 3, 6000, 12000, 12010, ITERATIONS - 3 };

    for (size_t i = 0; i < WINDOWS; i++) {
        uint64_t *b = border[i];

        b[0] = first[i] * LENGTH;
        b[1] = b[0] + LATE;
        b[2] = b[0] + 2 * LENGTH;
        b[3] = b[2] + LATE;
        stretch[i] = (struct prvcut_proof_region){
            .window = { .from = b[0], .to = b[2], .thread_from = b, .thread_to = b + 2 }
        };
        part[i] = (struct prvcut_span){ b[0], b[3] };
    }
}

static void read_all(struct prvcut_trace *trace, int threads)
{
    const struct prvcut_run run = { .threads = threads };
    const struct prvcut_consumer nobody = { .roles = 0 };
    struct prvcut_counts counts = { .lines = 0 };

    ck_assert_msg(trace->reader->scan(trace, &run, &nobody, &counts, &error) == PRVCUT_OK, "%s",
                  error.text);
}

static void compare(const struct prvcut_measure *all, const struct prvcut_measure *parts)
{
    const struct prvcut_proof_sums *a = &all->found.sums, *b = &parts->found.sums;
    uint64_t seen = 0;

    ck_assert_uint_ge(a->key.count, 5);
    for (size_t k = 0; k < a->key.count; k++) {
        const uint32_t at = prvcut_proof_sums_find(b, prvcut_proof_sums_key(a, k));

        ck_assert_uint_ne(at, UINT32_MAX);
        for (size_t i = 0; i < WINDOWS; i++) {
            ck_assert_uint_eq(a->at[k * WINDOWS + i].amount, b->at[at * WINDOWS + i].amount);
            ck_assert_uint_eq(a->at[k * WINDOWS + i].count, b->at[at * WINDOWS + i].count);
            seen += a->at[k * WINDOWS + i].amount;
        }
    }
    ck_assert_uint_gt(seen, 0);
    for (size_t i = 0; i < (size_t)WINDOWS * all->threads; i++) {
        ck_assert_uint_eq(all->found.thread[i].mpi, parts->found.thread[i].mpi);
        ck_assert_uint_eq(all->found.thread[i].running, parts->found.thread[i].running);
        ck_assert_uint_eq(all->found.thread[i].calls, parts->found.thread[i].calls);
    }
}

/* From bytes of just this size, so that whoever reads too far is seen. */
static bool get(struct prvcut_measure *m, bool *bad, struct prvcut_trace *trace,
                const struct prvcut_put *kept, size_t count, struct prvcut_proof_region *stretch,
                const struct prvcut_proof_only *only)
{
    char *bytes = malloc(count + 1);
    struct prvcut_get g = { .at = bytes, .left = count };
    bool got;

    ck_assert_ptr_nonnull(bytes);
    memcpy(bytes, kept->b.at, count);
    got = prvcut_measure_get(&g, m, trace, stretch, WINDOWS, only);
    *bad = g.bad;
    free(bytes);
    return got;
}

/* Put behind something else, it is found again by just what was asked for, and not cut short. */
static void check_kept(const struct prvcut_measure *all, const struct prvcut_measure *parts,
                       struct prvcut_trace *trace, struct prvcut_proof_region *stretch,
                       struct prvcut_proof_only *only)
{
    struct prvcut_put kept = { .err = &error };
    struct prvcut_measure m;
    bool bad;

    prvcut_measure_put(&kept, all, stretch, WINDOWS, NULL);
    prvcut_measure_put(&kept, parts, stretch, WINDOWS, only);
    ck_assert_int_eq(kept.st, PRVCUT_OK);
    ck_assert(get(&m, &bad, trace, &kept, kept.b.count, stretch, only) && !bad);
    compare(parts, &m);
    ck_assert_int_eq(m.states, parts->states);
    prvcut_measure_fini(&m);
    for (size_t i = 0; i < kept.b.count; i += i < 200 || i + 200 > kept.b.count ? 1 : 97) {
        ck_assert(!get(&m, &bad, trace, &kept, i, stretch, only));
        prvcut_measure_fini(&m);
    }
    only->before++;
    ck_assert(!get(&m, &bad, trace, &kept, kept.b.count, stretch, only));
    prvcut_measure_fini(&m);
    only->before--;
    stretch[WINDOWS - 1].window.to++;
    ck_assert(!get(&m, &bad, trace, &kept, kept.b.count, stretch, only));
    prvcut_measure_fini(&m);
    stretch[WINDOWS - 1].window.to--;
    prvcut_buffer_fini(&kept.b);
}

START_TEST(test_same)
{
    const struct prvcut_run run = { .threads = _i };
    struct prvcut_proof_region stretch[WINDOWS];
    uint64_t border[WINDOWS][4];
    struct prvcut_span part[WINDOWS];
    struct prvcut_proof_only only = { .span = part, .spans = WINDOWS, .before = 2 * LENGTH };
    struct prvcut_measure all, parts;
    struct prvcut_trace *trace;
    char path[64];

    snprintf(path, sizeof path, "parts.%ld.prv", (long)getpid());
    write_trace(path);
    lay(stretch, border, part);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    read_all(trace, _i);
    ck_assert_msg(prvcut_measure_make(&all, trace, &run, stretch, WINDOWS, NULL, NULL, &error) ==
                      PRVCUT_OK,
                  "%s", error.text);
    ck_assert_msg(prvcut_measure_make(&parts, trace, &run, stretch, WINDOWS, &only, NULL, &error) ==
                      PRVCUT_OK,
                  "%s", error.text);
    compare(&all, &parts);
    check_kept(&all, &parts, trace, stretch, &only);
    prvcut_measure_fini(&all);
    prvcut_measure_fini(&parts);
    prvcut_trace_close(trace);
    unlink(path);
}
END_TEST

static Suite *measure_parts_suite(void)
{
    Suite *s = suite_create("measure_parts");
    TCase *c = tcase_create("measure_parts");

    tcase_add_loop_test(c, test_same, 1, 4);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(measure_parts_suite());
}
