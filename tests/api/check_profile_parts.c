/* Profiles by region and iteration: whatever they are divided by, it adds up to the same. */
#include "prvcut/profile.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANK      PRVCUT_PROFILE_BY_RANK
#define CALL      PRVCUT_PROFILE_BY_CALL
#define REGION    PRVCUT_PROFILE_BY_REGION
#define ITERATION PRVCUT_PROFILE_BY_ITERATION

static struct prvcut_error error;

static struct prvcut_profile *make(const char *path, struct prvcut_profile_options o,
                                   enum prvcut_status want)
{
    const struct prvcut_run run = { .threads = 2 };
    struct prvcut_trace *trace;
    struct prvcut_profile *p;
    enum prvcut_status st;

    memset(&error, 0, sizeof error);
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    st = prvcut_profile_make(trace, &run, &o, &p, &error);
    ck_assert_msg(st == want, "%d: %s", st, error.text);
    prvcut_trace_close(trace);
    return p;
}

static struct prvcut_profile *by(const char *path, uint32_t views)
{
    return make(path, (struct prvcut_profile_options){ .by = views }, PRVCUT_OK);
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* What adds up of rows of all that threads did. */
struct sums {
    uint64_t window, recorded, computing, calls, rest, entered, sent, sent_bytes, received,
        received_bytes, counter[16];
};

static void add(struct sums *s, const struct prvcut_profile *p, const struct prvcut_profile_row *r)
{
    s->window += r->window_ns;
    s->recorded += r->recorded_ns;
    s->computing += r->computing_ns;
    s->calls += r->calls_ns;
    s->rest += r->rest_ns;
    s->entered += r->entered;
    s->sent += r->sent;
    s->sent_bytes += r->sent_bytes;
    s->received += r->received;
    s->received_bytes += r->received_bytes;
    for (size_t i = 0; i < p->counters && i < 16; i++)
        s->counter[i] += r->counter[i] != PRVCUT_PROFILE_UNTOLD ? r->counter[i] : 0;
}

/* Of all rows of an iteration (0: any) and a region (NULL: any). */
static struct sums sum(const struct prvcut_profile *p, uint64_t iteration, const char *region)
{
    struct sums s = { .window = 0 };

    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);

        if ((iteration == 0 || r->iteration == iteration) &&
            (!region || (r->region && strcmp(r->region, region) == 0)))
            add(&s, p, r);
    }
    return s;
}

static struct sums of(const struct prvcut_profile *p, const struct prvcut_profile_row *r)
{
    struct sums s = { .window = 0 };

    add(&s, p, r);
    return s;
}

static void same(const struct sums *a, const struct sums *b)
{
    ck_assert_mem_eq(a, b, sizeof *a);
}

static void check_parts_of_time(const struct prvcut_profile *p)
{
    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);

        if (r->rest_ns != PRVCUT_PROFILE_UNTOLD)
            ck_assert_uint_eq(r->computing_ns + r->calls_ns + r->rest_ns, r->recorded_ns);
    }
}

/* Ranks make up the run, and each iteration. */
static void check_ranks(const char *path)
{
    struct prvcut_profile *ranks = by(path, RANK), *iterations = by(path, ITERATION),
                          *both = by(path, ITERATION | RANK);
    struct sums all = sum(ranks, 0, NULL), want = of(ranks, prvcut_profile_total(ranks));

    same(&all, &want);
    check_parts_of_time(ranks);
    check_parts_of_time(both);
    want = of(iterations, prvcut_profile_total(iterations));
    same(&all, &want);
    ck_assert_uint_gt(iterations->rows, 2);
    ck_assert_uint_eq(both->rows, iterations->rows * iterations->tasks);
    for (size_t i = 0; i < iterations->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(iterations, i);
        const struct sums parts = sum(both, r->iteration, NULL);

        ck_assert_uint_gt(r->iteration, 0);
        want = of(iterations, r);
        same(&parts, &want);
    }
    prvcut_profile_free(ranks);
    prvcut_profile_free(iterations);
    prvcut_profile_free(both);
}

/* Iterations make up the regions, on all threads at their own borders. */
static void check_regions(const char *path)
{
    struct prvcut_profile *regions = by(path, REGION), *iterations = by(path, ITERATION);

    ck_assert_uint_gt(regions->rows, 0);
    for (size_t i = 0; i < regions->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(regions, i);
        const struct sums parts = sum(iterations, 0, r->region), want = of(regions, r);

        if (parts.window == want.window)
            same(&parts, &want);
    }
    prvcut_profile_free(regions);
    prvcut_profile_free(iterations);
}

/* Calls make up each iteration's time in calls. */
static void check_calls(const char *path)
{
    struct prvcut_profile *iterations = by(path, ITERATION), *calls = by(path, ITERATION | CALL);

    for (size_t i = 0; i < iterations->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(iterations, i);
        uint64_t ns = 0, entered = 0;

        for (size_t k = 0; k < calls->rows; k++) {
            const struct prvcut_profile_row *c = prvcut_profile_row(calls, k);

            ns += c->iteration == r->iteration ? c->ns : 0;
            entered += c->iteration == r->iteration ? c->entered : 0;
        }
        ck_assert_uint_eq(ns, r->calls_ns);
        ck_assert_uint_eq(entered, r->entered);
    }
    prvcut_profile_free(iterations);
    prvcut_profile_free(calls);
}

/* What is named is what the row of that name tells. */
static void check_named(const char *path)
{
    struct prvcut_profile *iterations = by(path, ITERATION), *regions = by(path, REGION), *named;
    const struct prvcut_profile_row *third = prvcut_profile_row(iterations, 2);
    struct sums got, want = of(iterations, third);

    named = make(path,
                 (struct prvcut_profile_options){ .size = sizeof(struct prvcut_profile_options),
                                                  .by = RANK,
                                                  .first = third->iteration },
                 PRVCUT_OK);
    got = sum(named, 0, NULL);
    same(&got, &want);
    ck_assert_uint_eq(named->span.start, third->span.start);
    prvcut_profile_free(named);
    named = make(path,
                 (struct prvcut_profile_options){
                     .size = sizeof(struct prvcut_profile_options), .by = RANK, .region = "1.1" },
                 PRVCUT_OK);
    got = sum(named, 0, NULL);
    want = of(regions, prvcut_profile_row(regions, 0));
    same(&got, &want);
    prvcut_profile_free(named);
    prvcut_profile_free(iterations);
    prvcut_profile_free(regions);
}

static void check_all(const char *path)
{
    check_ranks(path);
    check_regions(path);
    check_calls(path);
    check_named(path);
}

/* --- Tests ------------------------------------------------------------------------------------ */

START_TEST(test_parts_of_sample_add_up)
{
    check_all(SAMPLE_FILES "/lu.S.8.prv.zst");
}
END_TEST

static const char *const traces[] = { "lu.S.4",   "bt.W.4.hwc",   "lu.S.8.flush", "comd.8.ctl",
                                      "lulesh.8", "bt.W.9.flush", "lulesh.8.omp" };

START_TEST(test_parts_of_real_trace_add_up)
{
    char path[4096];

    if (!traces_folder() || !traces_wanted("paraver", traces[_i]))
        return;
    ck_assert(traces_unpack(traces[_i], path, sizeof path));
    check_all(path);
}
END_TEST

static const char *const archives[] = { "cg.S.16", "lu.S.4" };

START_TEST(test_parts_of_real_archive_add_up)
{
    char path[4096];

    if (!traces_folder() || !traces_wanted("otf2", archives[_i]))
        return;
    ck_assert(traces_unpack_archive("otf2", archives[_i], path, sizeof path));
    check_all(path);
}
END_TEST

/* More ranks than the search compares: each has borders of its own all the same. */
static const char *const alike[] = { "bt.W.9", "sp.A.16", "sp.W.9", "bt.W.9.flush" };

/* Few borders are laid among all messages, many between walls: they are the same. */
static void check_alone(const char *path, const struct prvcut_profile *all, uint64_t iteration)
{
    struct prvcut_profile *alone =
        make(path,
             (struct prvcut_profile_options){
                 .size = sizeof(struct prvcut_profile_options), .by = RANK, .first = iteration },
             PRVCUT_OK);

    ck_assert_uint_eq(alone->rows, all->tasks);
    for (size_t i = 0; i < alone->rows; i++) {
        const struct sums is = of(alone, prvcut_profile_row(alone, i));
        const struct prvcut_profile_row *row =
            prvcut_profile_row(all, (iteration - 1) * all->tasks + i);
        const struct sums want = of(all, row);

        ck_assert_uint_eq(row->iteration, iteration);
        same(&is, &want);
    }
    prvcut_profile_free(alone);
}

START_TEST(test_all_ranks_make_the_same_calls_in_an_iteration)
{
    struct prvcut_profile *p;
    char path[4096];

    if (!traces_folder() || (_i > 0 && traces_take() < TRACES_ALL))
        return;
    ck_assert(traces_unpack(alike[_i], path, sizeof path));
    p = by(path, ITERATION | RANK);
    for (size_t i = 0; i < p->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(p, i);
        const struct prvcut_profile_row *first = prvcut_profile_row(p, i / p->tasks * p->tasks);

        ck_assert_uint_eq(r->iteration, first->iteration);
        ck_assert_msg(r->entered == first->entered,
                      "iteration %llu: %llu calls of rank %u, %llu of rank %u",
                      (unsigned long long)r->iteration, (unsigned long long)r->entered, r->rank,
                      (unsigned long long)first->entered, first->rank);
    }
    ck_assert_uint_gt(p->rows, 1000);
    check_alone(path, p, 17);
    check_alone(path, p, 90);
    prvcut_profile_free(p);
}
END_TEST

/* Where some threads' calls do not tell all borders, no call is in two iterations. */
START_TEST(test_ranks_of_iterations_add_up_to_those_of_the_region)
{
    struct prvcut_profile_options o = { .by = REGION | RANK };
    struct prvcut_profile *region, *each;
    char path[4096];

    if (!traces_folder())
        return;
    ck_assert(traces_unpack_file("lots", "paraver/r.enkf.6/r.enkf.6.prv.zst", path, sizeof path));
    each = by(path, 0);
    o.only = (struct prvcut_span){ each->end_ns / 100 * 88, each->end_ns / 100 * 94 };
    prvcut_profile_free(each);
    region = make(path, o, PRVCUT_OK);
    o.by = ITERATION | RANK;
    each = make(path, o, PRVCUT_OK);
    ck_assert_uint_gt(each->rows, region->rows);
    for (size_t i = 0; i < 6; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(region, i);
        struct sums whole = { .window = 0 }, parts = { .window = 0 };

        add(&whole, region, r);
        for (size_t k = 0; k < each->rows; k++)
            if (prvcut_profile_row(each, k)->rank == r->rank)
                add(&parts, each, prvcut_profile_row(each, k));
        ck_assert_uint_eq(parts.window, whole.window);
        ck_assert_uint_eq(parts.entered, whole.entered);
        ck_assert_uint_eq(parts.calls, whole.calls);
    }
    prvcut_profile_free(region);
    prvcut_profile_free(each);
}
END_TEST

/* An iteration that began before the window counts in it, as far as it is inside. */
START_TEST(test_iterations_are_no_more_than_their_window)
{
    struct prvcut_profile_options o = { .by = RANK, .only = { 2132084004, 2497370959 } };
    struct prvcut_profile *window, *each;
    char path[4096];

    if (!traces_folder())
        return;
    ck_assert(traces_unpack_file("lots", "paraver/r.enkf.6/r.enkf.6.prv.zst", path, sizeof path));
    window = make(path, o, PRVCUT_OK);
    o.by = ITERATION | RANK;
    each = make(path, o, PRVCUT_OK);
    ck_assert_uint_eq(window->rows, 6);
    ck_assert_uint_gt(each->rows, window->rows);
    for (size_t i = 0; i < window->rows; i++) {
        const struct prvcut_profile_row *r = prvcut_profile_row(window, i);
        struct sums whole = { .window = 0 }, parts = { .window = 0 };

        add(&whole, window, r);
        for (size_t k = 0; k < each->rows; k++)
            if (prvcut_profile_row(each, k)->rank == r->rank)
                add(&parts, each, prvcut_profile_row(each, k));
        ck_assert_uint_gt(parts.entered, 0);
        ck_assert_uint_le(parts.window, whole.window);
        ck_assert_uint_le(parts.entered, whole.entered);
        ck_assert_uint_le(parts.calls, whole.calls);
    }
    prvcut_profile_free(window);
    prvcut_profile_free(each);
}
END_TEST

START_TEST(test_without_a_loop_the_total_is_told)
{
    char path[4096];
    struct prvcut_profile *p;

    if (!traces_folder())
        return;
    ck_assert(traces_unpack("ep.W.4", path, sizeof path));
    p = make(path, (struct prvcut_profile_options){ .by = ITERATION }, PRVCUT_NONE);
    ck_assert_uint_eq(p->rows, 0);
    ck_assert_ptr_nonnull(p->no_loop);
    ck_assert_str_eq(error.text, p->no_loop);
    ck_assert_uint_gt(prvcut_profile_total(p)->computing_ns, 0);
    prvcut_profile_free(p);
}
END_TEST

START_TEST(test_iterations_that_are_not_there_are_refused)
{
    struct prvcut_profile *p =
        make(SAMPLE_FILES "/lu.S.8.prv.zst",
             (struct prvcut_profile_options){ .size = sizeof(struct prvcut_profile_options),
                                              .by = ITERATION,
                                              .first = 1000,
                                              .last = 1001 },
             PRVCUT_EUSAGE);

    ck_assert_ptr_null(p);
    ck_assert_ptr_nonnull(strstr(error.text, "the loop runs"));
    p = make(SAMPLE_FILES "/lu.S.8.prv.zst",
             (struct prvcut_profile_options){
                 .size = sizeof(struct prvcut_profile_options), .by = REGION, .first = 3 },
             PRVCUT_EUSAGE);
    ck_assert_ptr_null(p);
    ck_assert_ptr_nonnull(strstr(error.text, "of all their iterations"));
}
END_TEST

static Suite *parts_suite(void)
{
    Suite *s = suite_create("profile_parts");
    TCase *tests = tcase_create("tests");

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_parts_of_sample_add_up);
    tcase_add_loop_test(tests, test_parts_of_real_trace_add_up, 0,
                        (int)(sizeof traces / sizeof *traces));
    tcase_add_loop_test(tests, test_parts_of_real_archive_add_up, 0,
                        (int)(sizeof archives / sizeof *archives));
    tcase_add_loop_test(tests, test_all_ranks_make_the_same_calls_in_an_iteration, 0,
                        (int)(sizeof alike / sizeof *alike));
    tcase_add_test(tests, test_ranks_of_iterations_add_up_to_those_of_the_region);
    tcase_add_test(tests, test_iterations_are_no_more_than_their_window);
    tcase_add_test(tests, test_without_a_loop_the_total_is_told);
    tcase_add_test(tests, test_iterations_that_are_not_there_are_refused);
    suite_add_tcase(s, tests);
    return s;
}

int main(void)
{
    if (!traces_folder())
        test_leaves_out("real traces");
    return run_suite(parts_suite());
}
