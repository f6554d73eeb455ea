#include "base/sorter.h"

#include "runner.h"
#include "scratch.h"

#include <pthread.h>

/* 32 bytes: a group, a key, and what makes the order total. */
struct record {
    uint32_t group, filler;
    uint64_t key, number, check;
};

static uint32_t group_of(const void *a)
{
    return ((const struct record *)a)->group;
}

static int by_key(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_group(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    return x->group != y->group ? (x->group > y->group) - (x->group < y->group) : by_key(a, b);
}

static struct record make(uint64_t number, uint64_t key, uint32_t group)
{
    return (struct record){ group, 0, key, number, key * 31 + number * 7 + group };
}

/* What order the records come in. */
enum shape { RISING, FALLING, RANDOM, WAVES, EQUAL, SHAPES };

static struct record *records(enum shape shape, size_t count, uint32_t groups)
{
    struct record *r = malloc((count + 1) * sizeof *r);
    uint64_t state = 11;

    ck_assert_ptr_nonnull(r);
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = scratch_random(&state);
        const uint64_t key[SHAPES] = { i, count - i, random % 1000, i % 97 + i / 500, 5 };

        r[i] = make(i, key[shape], (uint32_t)(random >> 8) % groups);
    }
    return r;
}

/* Sort in pieces, by as many feeds as there are, and compare with qsort. */
static void expect_sorted(const struct record *r, size_t count, struct prvcut_sorter_options o)
{
    struct prvcut_error err = { 0 };
    struct record *wanted = malloc((count + 1) * sizeof *wanted), got[37];
    struct prvcut_sorter *s;
    size_t n, at = 0;

    ck_assert_ptr_nonnull(wanted);
    memcpy(wanted, r, count * sizeof *r);
    qsort(wanted, count, sizeof *wanted, o.group ? by_group : by_key);
    o.size = sizeof *r;
    o.compare = by_key;
    ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
    for (size_t i = 0; i < count; i += n) {
        n = i % 11 + 1 < count - i ? i % 11 + 1 : count - i;
        ck_assert_int_eq(prvcut_sorter_add(s, (unsigned)(i % o.feeds), r + i, n, &err), PRVCUT_OK);
    }
    ck_assert_int_eq(prvcut_sorter_finish(s, &err), PRVCUT_OK);
    while (prvcut_sorter_next(s, got, sizeof got / sizeof *got, &n, &err) == PRVCUT_OK) {
        ck_assert_uint_gt(n, 0);
        ck_assert_uint_le(at + n, count);
        ck_assert_mem_eq(got, wanted + at, n * sizeof *got);
        at += n;
    }
    ck_assert_uint_eq(at, count);
    ck_assert_int_eq(prvcut_sorter_next(s, got, 1, &n, &err), PRVCUT_END);
    ck_assert_uint_eq(n, 0);
    prvcut_sorter_free(s);
    free(wanted);
}

/* Every shape, in memory and on disk, with and without groups, by one feed and by several. */
START_TEST(test_sort_records_as_qsort_does)
{
    static const size_t counts[] = { 0, 1, 2, 7, 8, 9, 1000, 5000 };

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (uint32_t groups = 0; groups <= 3000; groups = groups == 0 ? 5 : groups * 600)
            for (unsigned feeds = 1; feeds <= 3; feeds += 2)
                for (size_t memory = 0; memory <= 65536; memory += 65536) {
                    struct record *r = records((enum shape)_i, counts[c], groups > 0 ? groups : 1);

                    expect_sorted(
                        r, counts[c],
                        (struct prvcut_sorter_options){ .group = groups > 0 ? group_of : NULL,
                                                        .groups = groups,
                                                        .memory = memory,
                                                        .feeds = feeds });
                    free(r);
                }
}
END_TEST

/* More runs than are merged at once: rounds of merging. */
START_TEST(test_sort_records_in_many_runs)
{
    const size_t count = 70000;
    struct record *r = records(RANDOM, count, 1);

    expect_sorted(r, count, (struct prvcut_sorter_options){ .memory = 1, .feeds = 1 });
    ck_assert_uint_eq(scratch_count(), 0);
    free(r);
}
END_TEST

struct adder {
    struct prvcut_sorter *sorter;
    const struct record *at;
    size_t count;
    unsigned feed;
};

static void *add_all(void *ctx)
{
    const struct adder *a = ctx;

    for (size_t i = 0; i < a->count; i += 100)
        if (prvcut_sorter_add(a->sorter, a->feed, a->at + i,
                              a->count - i < 100 ? a->count - i : 100, NULL) != PRVCUT_OK)
            return ctx;
    return NULL;
}

/* Who adds what when does not show. */
START_TEST(test_sort_records_of_several_threads)
{
    enum { FEEDS = 4, COUNT = 40000 };
    const struct prvcut_sorter_options o = {
        .size = sizeof(struct record), .compare = by_key, .memory = (size_t)64 << 10, .feeds = FEEDS
    };
    struct record *r = records(WAVES, COUNT, 1), *wanted = malloc(COUNT * sizeof *r), got;
    struct prvcut_error err = { 0 };
    struct adder adder[FEEDS];
    pthread_t thread[FEEDS];
    struct prvcut_sorter *s;
    size_t n, at = 0;

    ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
    for (unsigned i = 0; i < FEEDS; i++) {
        adder[i] = (struct adder){ s, r + i * (COUNT / FEEDS), COUNT / FEEDS, i };
        ck_assert_int_eq(pthread_create(&thread[i], NULL, add_all, &adder[i]), 0);
    }
    for (unsigned i = 0; i < FEEDS; i++) {
        void *failed;

        ck_assert_int_eq(pthread_join(thread[i], &failed), 0);
        ck_assert_ptr_null(failed);
    }
    memcpy(wanted, r, COUNT * sizeof *r);
    qsort(wanted, COUNT, sizeof *wanted, by_key);
    ck_assert_int_eq(prvcut_sorter_finish(s, &err), PRVCUT_OK);
    for (; prvcut_sorter_next(s, &got, 1, &n, &err) == PRVCUT_OK; at++)
        ck_assert_mem_eq(&got, wanted + at, sizeof got);
    ck_assert_uint_eq(at, COUNT);
    prvcut_sorter_free(s);
    free(wanted);
    free(r);
}
END_TEST

START_TEST(test_sort_records_without_scratch_fails)
{
    const struct prvcut_sorter_options o = { .size = sizeof(struct record),
                                             .compare = by_key,
                                             .memory = 1,
                                             .scratch = "no/such/folder",
                                             .feeds = 1 };
    struct record *r = records(RANDOM, 1000, 1);
    struct prvcut_error err = { 0 };
    struct prvcut_sorter *s;

    ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_add(s, 0, r, 1000, &err), PRVCUT_EIO);
    ck_assert_ptr_nonnull(strstr(err.text, "no/such/folder"));
    prvcut_sorter_free(s);
    free(r);
}
END_TEST

/* Freed halfway, in any state. */
START_TEST(test_free_sorter_releases_all)
{
    const struct prvcut_sorter_options o = {
        .size = sizeof(struct record), .compare = by_key, .memory = 1, .feeds = 2
    };
    struct record *r = records(RANDOM, 1000, 1), got;
    struct prvcut_error err = { 0 };
    struct prvcut_sorter *s;
    size_t n;

    prvcut_sorter_free(NULL);
    ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
    prvcut_sorter_free(s);
    ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_add(s, 1, r, 1000, &err), PRVCUT_OK);
    prvcut_sorter_free(s);
    ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_add(s, 1, r, 1000, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_finish(s, &err), PRVCUT_OK);
    ck_assert_int_eq(prvcut_sorter_next(s, &got, 1, &n, &err), PRVCUT_OK);
    prvcut_sorter_free(s);
    free(r);
}
END_TEST

static bool stop_at_zero(void *left)
{
    int *asked = left;

    return (*asked)-- <= 0;
}

/* A caller who wants to stop is heard wherever that is: while rounds are merged, and after. */
START_TEST(test_sorter_stops_where_the_caller_says)
{
    struct record *r = records(RANDOM, 5000, 1), got[37];
    int left, most = 0;
    enum prvcut_status st;

    do {
        const struct prvcut_sorter_options o = { .size = sizeof *r,
                                                 .compare = by_key,
                                                 .memory = 1,
                                                 .feeds = 1,
                                                 .stop = stop_at_zero,
                                                 .stop_ctx = &left };
        struct prvcut_error err = { 0 };
        struct prvcut_sorter *s;
        size_t n;

        left = most++;
        ck_assert_int_eq(prvcut_sorter_new(&s, &o, &err), PRVCUT_OK);
        ck_assert_int_eq(prvcut_sorter_add(s, 0, r, 5000, &err), PRVCUT_OK);
        st = prvcut_sorter_finish(s, &err);
        while (st == PRVCUT_OK)
            st = prvcut_sorter_next(s, got, sizeof got / sizeof *got, &n, &err);
        if (st == PRVCUT_EINTERRUPTED)
            ck_assert_int_eq(left, -1);
        prvcut_sorter_free(s);
    } while (st == PRVCUT_EINTERRUPTED);
    ck_assert_int_eq(st, PRVCUT_END);
    ck_assert_int_gt(most, 5000 / 37);
    free(r);
}
END_TEST

static Suite *sorter_suite(void)
{
    Suite *suite = suite_create("sorter");
    TCase *tests = tcase_create("sorter");

    scratch_fixtures(tests);
    tcase_add_loop_test(tests, test_sort_records_as_qsort_does, 0, SHAPES);
    tcase_add_test(tests, test_sort_records_in_many_runs);
    tcase_add_test(tests, test_sort_records_of_several_threads);
    tcase_add_test(tests, test_sort_records_without_scratch_fails);
    tcase_add_test(tests, test_sorter_stops_where_the_caller_says);
    tcase_add_test(tests, test_free_sorter_releases_all);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(sorter_suite());
}
