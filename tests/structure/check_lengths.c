#include "runner.h"

#include "structure/divide_judge.h"
#include "structure/lengths.h"
#include "structure/lengths_list.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MS UINT64_C(1000000)

/* Borders are made of lengths, one after the other. */
struct run {
    uint64_t *border;
    size_t count, room;
    uint64_t seed;
};

static double run_uniform(struct run *r)
{
    r->seed = r->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(r->seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Standard normal; sum of twelve. */
static double run_normal(struct run *r)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += run_uniform(r);
    return sum;
}

static void run_add(struct run *r, double ms, double jitter)
{
    double length = ms * exp(jitter * run_normal(r));

    if (r->count + 1 >= r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->border = realloc(r->border, r->room * sizeof *r->border);
        ck_assert_ptr_nonnull(r->border);
    }
    if (r->count == 0)
        r->border[r->count++] = 5 * MS;
    r->border[r->count] = r->border[r->count - 1] + (uint64_t)(length * (double)MS);
    r->count++;
}

static void run_steady(struct run *r, size_t n, double ms, double jitter)
{
    for (size_t i = 0; i < n; i++)
        run_add(r, ms, jitter);
}

/* The changes of a run, which is released; out has room for 8. */
static size_t changes_of(struct run *r, const struct prvcut_span *mask, size_t masks, size_t *out)
{
    size_t *change, n;

    ck_assert_int_eq(prvcut_lengths_changes(&change, &n, r->border, r->count, mask, masks, NULL),
                     PRVCUT_OK);
    ck_assert_uint_le(n, 8);
    ck_assert_int_eq(n == 0, change == NULL);
    for (size_t i = 0; i < n; i++)
        out[i] = change[i];
    free(change);
    free(r->border);
    return n;
}

static void expect_none(struct run *r)
{
    size_t at[8];

    ck_assert_uint_eq(changes_of(r, NULL, 0, at), 0);
}

/* What stands out among all iterations. */
static enum prvcut_status outliers_of(struct prvcut_outlier **out, size_t *count, uint64_t *seen,
                                      const uint64_t *border, size_t borders,
                                      const struct prvcut_span *mask, size_t masks,
                                      struct prvcut_error *err)
{
    const size_t all[2] = { 0, SIZE_MAX };
    struct lengths_list judged;
    struct lengths_far far = { 0 };
    enum prvcut_status st = prvcut_lengths_judge(&judged, border, borders, mask, masks, err);

    if (st == PRVCUT_OK)
        st = prvcut_lengths_far(&far, &judged, border, all, err);
    *out = far.at;
    *count = far.count;
    *seen = far.seen;
    prvcut_lengths_drop(&judged);
    return st;
}

START_TEST(test_measure_lengths_of_a_few)
{
    const uint64_t border[] = { 0, 10, 22, 32, 62 };
    struct prvcut_lengths l;

    ck_assert_int_eq(prvcut_lengths_measure(&l, border, 5, NULL, 0, NULL), PRVCUT_OK);
    ck_assert_double_eq_tol(l.mean, 15.5, 1e-9);
    ck_assert_double_eq_tol(l.median, 11, 1e-9);
    ck_assert_double_eq_tol(l.first, 10, 1e-9);
    ck_assert_double_eq_tol(l.last, 30, 1e-9);
    ck_assert_double_eq_tol(l.spread, 1.4826, 1e-9); /* distances 1, 1, 1, 19 */
}
END_TEST

START_TEST(test_measure_lengths_leaves_masked_out)
{
    const uint64_t border[] = { 0, 10, 22, 32, 62 };
    const struct prvcut_span mask[] = { { 3, 5 }, { 40, 41 }, { 62, 70 } };
    struct prvcut_lengths l;

    ck_assert_int_eq(prvcut_lengths_measure(&l, border, 5, mask, 3, NULL), PRVCUT_OK);
    ck_assert_double_eq_tol(l.mean, 11, 1e-9);
    ck_assert_double_eq_tol(l.first, 12, 1e-9);
    ck_assert_double_eq_tol(l.last, 10, 1e-9);
    ck_assert_int_eq(prvcut_lengths_measure(&l, border, 5, &(struct prvcut_span){ 0, 62 }, 1, NULL),
                     PRVCUT_OK);
    ck_assert_double_eq_tol(l.mean, 0, 1e-9);
    ck_assert_double_eq_tol(l.last, 0, 1e-9);
}
END_TEST

START_TEST(test_find_change_of_the_length) /* _i: hundredths of jitter */
{
    for (size_t n = _i < 3 ? 3 : _i < 9 ? 30 : 100; n <= 300; n *= 3) {
        struct run r = { .seed = n + (uint64_t)_i };
        size_t at[8];

        run_steady(&r, n, 20, _i / 100.0);
        run_steady(&r, n, 12, _i / 100.0);
        ck_assert_uint_eq(changes_of(&r, NULL, 0, at), 1);
        ck_assert_double_eq_tol((double)at[0], (double)n, 1 + (double)n / 50);
    }
}
END_TEST

START_TEST(test_find_change_there_and_back)
{
    struct run r = { .seed = 7 };
    size_t at[8];

    run_steady(&r, 50, 20, 0.05);
    run_steady(&r, 40, 12, 0.05);
    run_steady(&r, 60, 20, 0.05);
    ck_assert_uint_eq(changes_of(&r, NULL, 0, at), 2);
    ck_assert_uint_eq(at[0], 50);
    ck_assert_uint_eq(at[1], 90);
}
END_TEST

/* A mask between two parts does not hide the change, and what it touches does not count. */
START_TEST(test_find_change_counts_masked_iterations)
{
    struct run r = { .seed = 8 };
    struct prvcut_span mask;
    size_t at[8];

    run_steady(&r, 30, 20, 0.02);
    run_steady(&r, 4, 90, 0.02);
    run_steady(&r, 30, 12, 0.02);
    mask = (struct prvcut_span){ r.border[30] + 1, r.border[34] - 1 };
    ck_assert_uint_eq(changes_of(&r, &mask, 1, at), 1);
    ck_assert_uint_eq(at[0], 34);
}
END_TEST

START_TEST(test_find_change_none_in_a_drift) /* _i: hundredths of jitter */
{
    for (size_t n = 6; n <= 5000; n *= 5) {
        struct run r = { .seed = n };

        for (size_t i = 0; i < n; i++)
            run_add(&r, 20 * (1 + (double)i / (double)n), _i / 100.0);
        expect_none(&r);
    }
}
END_TEST

START_TEST(test_find_change_none_in_single_long_iterations)
{
    for (size_t n = 6; n <= 5000; n *= 3) {
        struct run r = { .seed = n };

        for (size_t i = 0; i < n; i++)
            run_add(&r, i % 13 == 5 ? 70 : 20, 0.05);
        expect_none(&r);
    }
}
END_TEST

START_TEST(test_find_change_none_in_alternation) /* _i iterations of each kind */
{
    struct run r = { .seed = 9 };

    for (size_t i = 0; i < 400; i++)
        run_add(&r, i / (size_t)_i % 2 ? 20 : 33, 0.03);
    expect_none(&r);
}
END_TEST

START_TEST(test_find_change_none_in_heavy_noise)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct run r = { .seed = seed };

        for (size_t i = 0; i < 20 + 4 * seed; i++)
            run_add(&r, 20 * (run_uniform(&r) < 0.1 ? 1 + 3 * run_uniform(&r) : 1), 0.1);
        expect_none(&r);
    }
}
END_TEST

/* A machine that is busy with other things for a while makes iterations long, and uneven. */
START_TEST(test_find_change_none_in_a_disturbance)
{
    struct run r = { .seed = 11 };

    run_steady(&r, 100, 10, 0.01);
    run_steady(&r, 10, 16, 0.05);
    run_steady(&r, 90, 10, 0.01);
    expect_none(&r);
    r = (struct run){ .seed = 12 };
    run_steady(&r, 120, 22, 0.2);
    run_steady(&r, 80, 10, 0.01);
    expect_none(&r);
}
END_TEST

START_TEST(test_find_change_in_a_million)
{
    struct run r = { .seed = 13 };
    size_t at[8];

    run_steady(&r, 400000, 20, 0.1);
    run_steady(&r, 600000, 12, 0.1);
    ck_assert_uint_eq(changes_of(&r, NULL, 0, at), 1);
    ck_assert_double_eq_tol((double)at[0], 400000, 2);
}
END_TEST

START_TEST(test_find_change_accepts_any_number) /* of _i borders */
{
    struct run r = { .seed = 14 };
    size_t at[8];

    run_add(&r, 1, 0);
    run_steady(&r, 10, 5, 0.3);
    r.count = (size_t)_i;
    ck_assert_uint_eq(changes_of(&r, NULL, 0, at), 0);
}
END_TEST

START_TEST(test_find_outliers_most_unusual_first)
{
    struct run r = { .seed = 15 };
    struct prvcut_outlier *o;
    size_t n;
    uint64_t seen;

    for (size_t i = 0; i < 300; i++)
        run_add(&r, i == 40 ? 30 : i == 200 ? 10 : i == 299 ? 24 : 20, 0);
    ck_assert_int_eq(outliers_of(&o, &n, &seen, r.border, r.count, NULL, 0, NULL), PRVCUT_OK);
    ck_assert_uint_eq(n, 3);
    ck_assert_uint_eq(seen, 3);
    ck_assert_uint_eq(o[0].iteration, 40);
    ck_assert_uint_eq(o[1].iteration, 200);
    ck_assert_uint_eq(o[2].iteration, 299);
    ck_assert_uint_eq(o[0].why, PRVCUT_OUTLIER_LONG);
    ck_assert_uint_eq(o[1].why, PRVCUT_OUTLIER_SHORT);
    ck_assert_double_gt(o[0].deviation, 3);
    ck_assert_double_lt(o[1].deviation, -3);
    ck_assert_uint_eq(o[0].span.start, r.border[40]);
    ck_assert_uint_eq(o[0].span.end, r.border[41]);
    free(o);
    free(r.border);
}
END_TEST

/* Against the drift's own line, not against the run's median; steps below 1 % never count. */
/* A loop's last iteration ends with its last call: a little of it is always missing. */
START_TEST(test_judge_last_short_if_much_is_missing)
{
    static const uint64_t border[] = { 0, 100, 202, 300, 401, 500, 541 };
    const size_t all[2] = { 0, SIZE_MAX };

    for (unsigned cut = 0; cut < 2; cut++) {
        struct lengths_list judged;
        struct lengths_far far;

        ck_assert_int_eq(prvcut_lengths_judge(&judged, border, 6, NULL, 0, NULL), PRVCUT_OK);
        prvcut_lengths_judge_last(&judged, 5, cut ? 41 : 90, 100);
        ck_assert_int_eq(prvcut_lengths_far(&far, &judged, border, all, NULL), PRVCUT_OK);
        ck_assert_uint_eq(far.seen, cut);
        if (cut) {
            ck_assert_uint_eq(far.at[0].iteration, 5);
            ck_assert_uint_eq(far.at[0].why, PRVCUT_OUTLIER_SHORT);
        }
        free(far.at);
        prvcut_lengths_drop(&judged);
    }
}
END_TEST

/* Iterations of which each makes one to five times the same calls, here and there: only one that is
   longer for another reason is unusual (_i: 1 is). */
START_TEST(test_judge_by_calls)
{
    enum { STEPS = 40 };
    static const unsigned parts[] = { 1, 1, 2, 1, 1, 3, 1, 2, 1, 1, 1, 2, 5 };
    const size_t all[2] = { 0, SIZE_MAX };
    struct prvcut_call call[STEPS * 10];
    struct prvcut_call_sequence sequence = { .at = call };
    struct run r = { .seed = 21 };
    size_t borders[1], odd = 0;
    uint64_t *border[1];
    const struct prvcut_known_loop loop = {
        .calls = { .sequences = 1, .border = border, .borders = borders }, .sequence = &sequence
    };
    struct lengths_list judged;
    struct lengths_far far;

    for (size_t i = 0; i < STEPS; i++) {
        const unsigned n = parts[i % 13];

        run_add(&r, 4 + 16 * n + (_i == 1 && i == 20 ? 30 : 0), 0.005);
        for (unsigned k = 0; k <= 2 * n; k++)
            call[sequence.count++] =
                (struct prvcut_call){ .time = r.border[i] + k * (uint64_t)(7 * MS) };
    }
    borders[0] = r.count;
    border[0] = r.border;
    ck_assert_int_eq(
        divide_judge(&judged,
                     &(struct divide_judged){
                         .loop = &loop, .border = r.border, .borders = r.count, .whole = r.count },
                     &(struct prvcut_search_input){ .masks = 0 }, false, NULL),
        PRVCUT_OK);
    ck_assert_int_eq(prvcut_lengths_far(&far, &judged, r.border, all, NULL), PRVCUT_OK);
    for (size_t i = 0; i < far.count; i++)
        odd += far.at[i].iteration == 20;
    ck_assert_uint_eq(odd, (size_t)_i);
    ck_assert_uint_eq(far.seen, (uint64_t)_i);
    free(far.at);
    prvcut_lengths_drop(&judged);
    free(r.border);
}
END_TEST

START_TEST(test_find_outliers_none_in_a_drift)
{
    for (size_t n = 20; n <= 20000; n *= 10) {
        struct run r = { .seed = n };
        struct prvcut_outlier *o;
        size_t found;
        uint64_t seen;

        for (size_t i = 0; i < n; i++)
            run_add(&r, 20 * (1 + (double)i / (double)n), 0.0005);
        ck_assert_int_eq(outliers_of(&o, &found, &seen, r.border, r.count, NULL, 0, NULL),
                         PRVCUT_OK);
        ck_assert_uint_eq(seen, 0);
        ck_assert_ptr_null(o);
        free(r.border);
    }
}
END_TEST

/* In a short run the few around each follow it: noise is hardly a reason to name one. */
START_TEST(test_find_outliers_hardly_any_in_short_noise)
{
    unsigned named = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        struct run r = { .seed = 100 + seed };
        struct prvcut_outlier *o;
        size_t found;
        uint64_t seen;

        for (size_t i = 0; i < 30; i++)
            run_add(&r, 20, 0.015);
        ck_assert_int_eq(outliers_of(&o, &found, &seen, r.border, r.count, NULL, 0, NULL),
                         PRVCUT_OK);
        named += seen > 0;
        free(o);
        free(r.border);
    }
    printf("%u of 200 runs of 30 like iterations have an unusual one\n", named);
    ck_assert_uint_le(named, 4);
}
END_TEST

/* So is the longest of many in a tail: of exponential noise, of the longest of 16 threads of which
   each is now and then disturbed a little. One that is much longer stands out of it. */
START_TEST(test_find_outliers_hardly_any_in_a_tail)
{
    unsigned named = 0, found = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        struct run r = { .seed = 300 + seed };
        struct prvcut_outlier *o;
        size_t n;
        uint64_t seen;
        const bool one = seed % 2;

        for (size_t i = 0; i < 40; i++) {
            double most = -0.015 * log(run_uniform(&r));

            for (unsigned k = 0; _i == 1 && k < 16; k++)
                most = fmax(most, 0.01 * run_normal(&r) -
                                      (run_uniform(&r) < 0.03 ? 0.02 * log(run_uniform(&r)) : 0));
            run_add(&r, 20 * (1 + most) * (one && i == 17 ? 1.4 : 1), 0);
        }
        ck_assert_int_eq(outliers_of(&o, &n, &seen, r.border, r.count, NULL, 0, NULL), PRVCUT_OK);
        named += !one && seen > 0;
        found += one && seen > 0 && o[0].iteration == 17;
        free(o);
        free(r.border);
    }
    printf("%u of 100 runs with a tail have an unusual one, %u of 100 with one that is\n", named,
           found);
    ck_assert_uint_le(named, 10); /* most before: nine of ten */
    ck_assert_uint_ge(found, 98);
}
END_TEST

/* Several that are longer hide each other from nobody: three by 15, 10 and 5 % (_i 0), two by 7.5 %
   (_i 1), of 12 to 40 that differ by 1 %. */
START_TEST(test_find_outliers_several)
{
    static const double more[2][3] = { { 1.15, 1.10, 1.05 }, { 1.075, 1.075, 1 } };
    unsigned found = 0, wrong = 0;

    for (unsigned seed = 1; seed <= 200; seed++) {
        struct run r = { .seed = 700 + seed };
        const size_t count = 12 + seed % 29;
        const size_t at[3] = { seed % count, (seed + 1 + seed % 5) % count,
                               (seed + 7 + seed % 4) % count };
        struct prvcut_outlier *o;
        size_t n;
        uint64_t seen;
        bool is = false;

        for (size_t i = 0; i < count; i++)
            run_add(&r,
                    20 * (i == at[0]   ? more[_i][0]
                          : i == at[1] ? more[_i][1]
                          : i == at[2] ? more[_i][2]
                                       : 1),
                    0.01);
        ck_assert_int_eq(outliers_of(&o, &n, &seen, r.border, r.count, NULL, 0, NULL), PRVCUT_OK);
        for (size_t i = 0; i < n; i++) {
            is = is || o[i].iteration == at[0];
            wrong += o[i].iteration != at[0] && o[i].iteration != at[1] && o[i].iteration != at[2];
        }
        found += is;
        free(o);
        free(r.border);
    }
    printf("the longest of several is told in %u of 200 runs, %u others\n", found, wrong);
    ck_assert_uint_ge(found, _i == 0 ? 180 : 160);
    ck_assert_uint_le(wrong, 6);
}
END_TEST

/* Four in a row that take twice as long, of 20 to 30: they, and none beside them. */
START_TEST(test_find_outliers_in_a_row)
{
    unsigned found = 0, wrong = 0;

    for (unsigned seed = 1; seed <= 100; seed++) {
        struct run r = { .seed = 1300 + seed };
        const size_t count = 20 + seed % 11, first = seed % (count - 3);
        struct prvcut_outlier *o;
        size_t n, in = 0;
        uint64_t seen;

        for (size_t i = 0; i < count; i++)
            run_add(&r, i >= first && i < first + 4 ? 36 + 8 * run_uniform(&r) : 20, 0.03);
        ck_assert_int_eq(outliers_of(&o, &n, &seen, r.border, r.count, NULL, 0, NULL), PRVCUT_OK);
        for (size_t i = 0; i < n; i++)
            in += o[i].iteration >= first && o[i].iteration < first + 4;
        found += in == 4;
        wrong += n > in;
        free(o);
        free(r.border);
    }
    printf("four in a row are told in %u of 100 runs, others in %u\n", found, wrong);
    ck_assert_uint_ge(found, 95);
    ck_assert_uint_le(wrong, 8); /* most before: four of ten */
}
END_TEST

/* A first one that is longer, too, by what is then taken off: who stood beside it still does. */
START_TEST(test_judge_again)
{
    struct run r = { .seed = 23 };
    const size_t all[2] = { 0, SIZE_MAX };
    struct lengths_list judged;
    struct lengths_far far;

    for (size_t i = 0; i < 20; i++)
        run_add(&r, i == 0 ? 40 : i == 7 ? 24 : 20, 0.005);
    ck_assert_int_eq(prvcut_lengths_judge(&judged, r.border, r.count, NULL, 0, NULL), PRVCUT_OK);
    judged.at[0] *= 0.1;
    ck_assert_int_eq(prvcut_lengths_judge_again(&judged, NULL), PRVCUT_OK);
    ck_assert_int_eq(prvcut_lengths_far(&far, &judged, r.border, all, NULL), PRVCUT_OK);
    ck_assert_uint_eq(far.seen, 2);
    ck_assert_uint_eq(far.at[0].iteration, 7);
    ck_assert_uint_eq(far.at[1].iteration, 0);
    free(far.at);
    prvcut_lengths_drop(&judged);
    free(r.border);
}
END_TEST

START_TEST(test_find_outliers_none_among_two_kinds)
{
    struct run r = { .seed = 16 };
    struct prvcut_outlier *o;
    size_t n;
    uint64_t seen;

    for (size_t i = 0; i < 40; i++)
        run_add(&r, i % 2 ? 20 : 30, 0.001);
    ck_assert_int_eq(outliers_of(&o, &n, &seen, r.border, r.count, NULL, 0, NULL), PRVCUT_OK);
    ck_assert_uint_eq(n, 0);
    free(r.border);
}
END_TEST

START_TEST(test_find_outliers_keeps_the_worst_and_counts_all)
{
    struct run r = { .seed = 17 };
    struct prvcut_span mask = { 0, 6 * MS };
    struct prvcut_outlier *o;
    size_t n;
    uint64_t seen;

    for (size_t i = 0; i < 5000; i++)
        run_add(&r, i % 20 == 0 ? 40 + (double)i / 1000 : 20, 0);
    ck_assert_int_eq(outliers_of(&o, &n, &seen, r.border, r.count, &mask, 1, NULL), PRVCUT_OK);
    ck_assert_uint_eq(n, PRVCUT_OUTLIERS_MAX);
    ck_assert_uint_eq(seen, 249); /* the first is masked */
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(o[i].iteration, 4980 - 20 * i);
    free(o);
    free(r.border);
}
END_TEST

static Suite *lengths_suite(void)
{
    Suite *s = suite_create("lengths");
    TCase *measured = tcase_create("measured"), *changes = tcase_create("changes");
    TCase *outliers = tcase_create("outliers");

    tcase_add_test(measured, test_measure_lengths_of_a_few);
    tcase_add_test(measured, test_measure_lengths_leaves_masked_out);
    tcase_add_loop_test(changes, test_find_change_of_the_length, 0, 16);
    tcase_add_test(changes, test_find_change_there_and_back);
    tcase_add_test(changes, test_find_change_counts_masked_iterations);
    tcase_add_loop_test(changes, test_find_change_none_in_a_drift, 0, 10);
    tcase_add_test(changes, test_find_change_none_in_single_long_iterations);
    tcase_add_loop_test(changes, test_find_change_none_in_alternation, 1, 8);
    tcase_add_test(changes, test_find_change_none_in_heavy_noise);
    tcase_add_test(changes, test_find_change_none_in_a_disturbance);
    tcase_add_test(changes, test_find_change_in_a_million);
    tcase_add_loop_test(changes, test_find_change_accepts_any_number, 0, 12);
    tcase_add_test(outliers, test_find_outliers_most_unusual_first);
    tcase_add_test(outliers, test_judge_last_short_if_much_is_missing);
    tcase_add_loop_test(outliers, test_judge_by_calls, 0, 2);
    tcase_add_test(outliers, test_find_outliers_none_in_a_drift);
    tcase_add_test(outliers, test_find_outliers_hardly_any_in_short_noise);
    tcase_add_loop_test(outliers, test_find_outliers_hardly_any_in_a_tail, 0, 2);
    tcase_add_loop_test(outliers, test_find_outliers_several, 0, 2);
    tcase_add_test(outliers, test_find_outliers_in_a_row);
    tcase_add_test(outliers, test_judge_again);
    tcase_add_test(outliers, test_find_outliers_none_among_two_kinds);
    tcase_add_test(outliers, test_find_outliers_keeps_the_worst_and_counts_all);
    tcase_set_timeout(changes, 60);
    suite_add_tcase(s, measured);
    suite_add_tcase(s, changes);
    suite_add_tcase(s, outliers);
    return s;
}

int main(void)
{
    return run_suite(lengths_suite());
}
