/* Windows of a loop: what they hold, against values by hand, and which one is typical. */
#include "analysis/windows.h"
#include "prvcut/convert.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct prvcut_error error;

/* ---- what is usual ---- */

/* Windows whose first quantity is given; all others are unknown. */
static void fill(struct prvcut_windows *w, const double *length, size_t count)
{
    *w = (struct prvcut_windows){ .whole = count, .count = count };
    w->at = calloc(count * PRVCUT_WINDOW_QUANTITIES, sizeof *w->at);
    w->beside = calloc(count, sizeof *w->beside);
    ck_assert(w->at && w->beside);
    for (size_t i = 0; i < count * PRVCUT_WINDOW_QUANTITIES; i++)
        w->at[i] = NAN;
    for (size_t k = 0; k < PRVCUT_WINDOW_QUANTITIES; k++)
        w->usual[k].quantity =
            k < PRVCUT_QUANTITY_CALL ? (enum prvcut_quantity)k : PRVCUT_QUANTITY_CALL;
    for (size_t i = 0; i < count; i++)
        w->at[i * PRVCUT_WINDOW_QUANTITIES] = length[i];
}

static void set(struct prvcut_windows *w, size_t quantity, const double *value)
{
    for (size_t i = 0; i < w->count; i++)
        w->at[i * PRVCUT_WINDOW_QUANTITIES + quantity] = value[i];
}

static void settle(struct prvcut_windows *w)
{
    ck_assert_int_eq(prvcut_windows_settle(w, &error), PRVCUT_OK);
}

static struct prvcut_judged judge(const struct prvcut_windows *w, size_t i)
{
    return prvcut_windows_judge(w, w->at + i * PRVCUT_WINDOW_QUANTITIES);
}

START_TEST(test_within_five_percent)
{
    static const double length[] = { 100, 100, 100, 100, 100, 104.9, 105.1, 110.1, 90.1, 89.9 };
    static const enum prvcut_chop_verdict wanted[] = {
        PRVCUT_CHOP_IS_TYPICAL,  PRVCUT_CHOP_IS_TYPICAL, PRVCUT_CHOP_IS_TYPICAL,
        PRVCUT_CHOP_IS_TYPICAL,  PRVCUT_CHOP_IS_TYPICAL, PRVCUT_CHOP_IS_TYPICAL,
        PRVCUT_CHOP_IS_ORDINARY, PRVCUT_CHOP_IS_UNUSUAL, PRVCUT_CHOP_IS_ORDINARY,
        PRVCUT_CHOP_IS_UNUSUAL
    };
    struct prvcut_windows w;

    fill(&w, length, 10);
    settle(&w);
    ck_assert(w.usual[0].told && !w.usual[1].told);
    for (size_t i = 0; i < 10; i++)
        ck_assert_msg(judge(&w, i).verdict == wanted[i], "window %zu: %s", i,
                      prvcut_chop_verdict_text(judge(&w, i).verdict));
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 0);
    ck_assert_double_eq_tol(judge(&w, 7).percentile, 95, 1e-9);
    ck_assert_double_eq_tol(judge(&w, 7).distance, 10.1 / 5, 1e-9);
    prvcut_windows_fini(&w);
}
END_TEST

/* The middle half is usual, however far it reaches. */
START_TEST(test_middle_half)
{
    static const double length[] = { 50,  50,  60,  60,  70,  70,  80,  80, 100,
                                     130, 130, 160, 160, 190, 190, 900, 900 };
    struct prvcut_windows w;

    fill(&w, length, 17);
    settle(&w);
    ck_assert_double_eq_tol(w.usual[0].median, 100, 1e-9);
    ck_assert_double_eq_tol(w.usual[0].low, 70, 1e-9);
    ck_assert_double_eq_tol(w.usual[0].high, 160, 1e-9);
    for (size_t i = 4; i <= 12; i++)
        ck_assert_int_eq(judge(&w, i).verdict, PRVCUT_CHOP_IS_TYPICAL);
    ck_assert_int_eq(judge(&w, 2).verdict, PRVCUT_CHOP_IS_ORDINARY);
    ck_assert_int_eq(judge(&w, 14).verdict, PRVCUT_CHOP_IS_ORDINARY);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 8);
    prvcut_windows_fini(&w);
}
END_TEST

/* Few windows: what is 78 % longer than the median is not usual, though two of seven are. */
START_TEST(test_middle_half_of_few)
{
    static const double length[] = { 20, 45, 90, 100, 148, 178, 500 };
    static const double share[] = { 0.1, 0.2, 0.4, 0.5, 0.7, 0.8, 0.9 };
    struct prvcut_windows w;

    fill(&w, length, 7);
    settle(&w);
    ck_assert_double_eq_tol(w.usual[0].high, 163, 1e-9);
    ck_assert_int_eq(judge(&w, 4).verdict, PRVCUT_CHOP_IS_TYPICAL);
    ck_assert_int_eq(judge(&w, 5).verdict, PRVCUT_CHOP_IS_ORDINARY);
    ck_assert_double_eq_tol(judge(&w, 5).distance, 78 / 50.0, 1e-9);
    ck_assert_int_eq(judge(&w, 0).verdict, PRVCUT_CHOP_IS_UNUSUAL);
    set(&w, PRVCUT_QUANTITY_USEFUL, share);
    settle(&w);
    ck_assert_double_eq_tol(judge(&w, 4).distance, 48 / 50.0, 1e-9);
    prvcut_windows_fini(&w);
}
END_TEST

/* Fifty pairs of short iterations, the one between, fifty pairs of long ones. */
static void fill_two(struct prvcut_windows *w, double *length, double *useful)
{
    for (size_t i = 0; i < 101; i++) {
        const double noise = (double)(i * 7 % 11) / 11 - 0.5;

        length[i] = i < 50 ? 20 + noise : i == 50 ? 30 : 40 + noise;
        useful[i] = i < 50 ? 0.5 : i == 50 ? 0.6 : 0.7;
    }
    fill(w, length, 101);
    set(w, PRVCUT_QUANTITY_USEFUL, useful);
    settle(w);
}

START_TEST(test_between_two_kinds)
{
    double length[101], useful[101];
    struct prvcut_windows w;
    size_t nearest;

    fill_two(&w, length, useful);
    ck_assert(w.split && w.between == PRVCUT_QUANTITY_LENGTH);
    /* The median of all is what no other has. */
    ck_assert_double_eq_tol(w.usual[0].median, 30, 1e-9);
    ck_assert_int_eq(judge(&w, 50).verdict, PRVCUT_CHOP_IS_ORDINARY);
    nearest = prvcut_windows_nearest(&w, w.count);
    ck_assert_double_eq_tol(length[nearest], 40, 0.51);
    ck_assert_int_eq(judge(&w, nearest).verdict, PRVCUT_CHOP_IS_TYPICAL);
    prvcut_windows_fini(&w);
}
END_TEST

/* As the mix goes: where they alternate, every pair is one of each; where they come at random, as
   many pairs are mixed as not. */
START_TEST(test_mixed_kinds)
{
    double length[100];
    struct prvcut_windows w;
    unsigned at = 1, before = 0, now;

    for (size_t i = 0; i < 100; i++)
        length[i] = 30 + (double)(i % 7) / 10;
    fill(&w, length, 100);
    settle(&w);
    ck_assert(!w.split);
    prvcut_windows_fini(&w);
    for (size_t i = 0; i < 100; i++) {
        at = at * 1103515245U + 12345U;
        now = at >> 16 & 1U;
        length[i] = 20 + 10 * (now + before) + (double)(i % 7) / 10;
        before = now;
    }
    fill(&w, length, 100);
    settle(&w);
    ck_assert(!w.split);
    ck_assert_double_eq_tol(length[prvcut_windows_nearest(&w, w.count)], 30, 1);
    prvcut_windows_fini(&w);
}
END_TEST

/* Iterations that grow, or of one kind with a long tail, are no two kinds. */
START_TEST(test_one_kind)
{
    double length[60];
    struct prvcut_windows w;

    for (size_t i = 0; i < 60; i++)
        length[i] = 100 + 3 * (double)i;
    fill(&w, length, 60);
    settle(&w);
    ck_assert(!w.split);
    prvcut_windows_fini(&w);
    for (size_t i = 0; i < 60; i++)
        length[i] = 100 - 40 * log(((double)(i * 37 % 60) + 0.5) / 60);
    fill(&w, length, 60);
    settle(&w);
    ck_assert(!w.split);
    prvcut_windows_fini(&w);
}
END_TEST

/* At the ends of the loop something else may be taken for a part of an iteration. */
START_TEST(test_ends)
{
    static const double length[] = { 100, 95.5, 96, 104.5, 104, 95.5, 100 };
    static const double wide[] = { 100, 60, 60, 140, 140, 100.5, 100 };
    bool end[7] = { true, false, false, false, false, false, true };
    struct prvcut_windows w;

    fill(&w, length, 7);
    w.end = calloc(7, sizeof *w.end);
    ck_assert_ptr_nonnull(w.end);
    for (size_t i = 0; i < 7; i++)
        w.end[i] = end[i];
    settle(&w);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 2);
    for (size_t i = 0; i < 7; i++)
        w.at[i * PRVCUT_WINDOW_QUANTITIES] = wide[i];
    w.beside[5] = true;
    settle(&w);
    /* None other is typical. */
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 0);
    prvcut_windows_fini(&w);
}
END_TEST

/* Windows that begin inside an iteration say what is usual; near is near to those of whole ones,
   too. */
START_TEST(test_near_both)
{
    static const double length[] = { 100, 101, 108, 109, 110, 120, 109, 110, 111, 112, 113, 114 };
    struct prvcut_windows w;

    fill(&w, length, 12);
    w.whole = 6;
    settle(&w);
    ck_assert_double_eq_tol(w.usual[0].median, 110, 1e-9);
    ck_assert_double_eq_tol(w.own[0].median, 108.5, 1e-9);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.whole), 3);
    ck_assert_double_eq_tol(judge(&w, 4).near, 1.5 / (0.05 * 108.5), 1e-9);
    prvcut_windows_fini(&w);
}
END_TEST

/* Small in every quantity before smallest in their sum. */
START_TEST(test_greatest_distance_decides)
{
    static const double length[] = { 100, 100, 100, 100, 103, 100, 100 };
    static const double useful[] = { 0.5, 0.5, 0.6, 0.6, 0.53, 0.6, 0.4 };
    static const double balance[] = { 0.7, 0.9, 0.9, 0.8, 0.81, 0.8, 0.8 };
    struct prvcut_windows w;

    fill(&w, length, 7);
    set(&w, PRVCUT_QUANTITY_USEFUL, useful);
    set(&w, PRVCUT_QUANTITY_LOAD_BALANCE, balance);
    settle(&w);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 4);
    prvcut_windows_fini(&w);
}
END_TEST

/* Two points of a share are nothing, however small it is; a call below 1 % is not compared. */
START_TEST(test_shares)
{
    static const double length[] = { 10, 10, 10, 10, 10 };
    static const double call[] = { 0.02, 0.02, 0.02, 0.039, 0.02 };
    static const double small[] = { 0.009, 0.009, 0.009, 0.5, 0.009 };
    struct prvcut_windows w;

    fill(&w, length, 5);
    set(&w, PRVCUT_QUANTITY_CALL, call);
    set(&w, PRVCUT_QUANTITY_CALL + 1, small);
    settle(&w);
    ck_assert(w.usual[PRVCUT_QUANTITY_CALL].told && !w.usual[PRVCUT_QUANTITY_CALL + 1].told);
    ck_assert_int_eq(judge(&w, 3).verdict, PRVCUT_CHOP_IS_TYPICAL);
    prvcut_windows_fini(&w);
}
END_TEST

/* Who computes most says nothing where nearly nobody computes: it decides among typical ones. */
START_TEST(test_weak_quantities)
{
    static const double length[] = { 100, 101, 102, 103, 104, 105 };
    static const double useful[] = { 0.02, 0.02, 0.02, 0.02, 0.02, 0.02 };
    static const double balance[] = { 0.1, 0.9, 0.1, 0.9, 0.9, 0.9 };
    struct prvcut_windows w;

    fill(&w, length, 6);
    set(&w, PRVCUT_QUANTITY_USEFUL, useful);
    set(&w, PRVCUT_QUANTITY_LOAD_BALANCE, balance);
    settle(&w);
    ck_assert_int_eq(judge(&w, 2).verdict, PRVCUT_CHOP_IS_TYPICAL);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 3);
    prvcut_windows_fini(&w);
}
END_TEST

START_TEST(test_few_and_unknown)
{
    static const double length[] = { 1, 2, 3, 4 };
    struct prvcut_windows w;

    fill(&w, length, 4);
    settle(&w);
    ck_assert_int_eq(judge(&w, 0).verdict, PRVCUT_CHOP_IS_FEW);
    prvcut_windows_fini(&w);
    fill(&w, (const double[]){ NAN, 1, 1, 1, 1 }, 5);
    settle(&w);
    ck_assert_int_eq(judge(&w, 1).verdict, PRVCUT_CHOP_IS_UNKNOWN);
    prvcut_windows_fini(&w);
}
END_TEST

/* What is beside the choice says what is usual all the same. */
/* Those that begin inside an iteration say what is usual, and are not counted. */
START_TEST(test_inner)
{
    const double length[] = { 100, 100, 130, 130, 130, 130, 130 };
    struct prvcut_windows w;
    struct prvcut_judged judged;

    fill(&w, length, 7);
    w.whole = 5;
    w.beside[5] = w.beside[6] = true;
    settle(&w);
    ck_assert_double_eq_tol(w.usual[PRVCUT_QUANTITY_LENGTH].median, 130, 1e-9);
    judged = prvcut_windows_judge(&w, w.at);
    ck_assert_int_ne(judged.verdict, PRVCUT_CHOP_IS_FEW);
    prvcut_windows_fini(&w);

    fill(&w, length, 7);
    w.whole = 4;
    settle(&w);
    judged = prvcut_windows_judge(&w, w.at);
    ck_assert_int_eq(judged.verdict, PRVCUT_CHOP_IS_FEW);
    prvcut_windows_fini(&w);
}
END_TEST

/* One after the other, nearest first; then there is none. */
START_TEST(test_next)
{
    const double length[] = { 140, 100, 101, 99, 70, 100.5, 120 };
    const size_t order[] = { 5, 2, 1, 3, 6 };
    size_t had[7];
    struct prvcut_windows w;

    fill(&w, length, 7);
    w.beside[0] = w.beside[4] = true;
    settle(&w);
    for (size_t i = 0; i < 5; i++) {
        had[i] = prvcut_windows_next(&w, w.count, had, i);
        ck_assert_uint_eq(had[i], order[i]);
    }
    ck_assert_uint_eq(prvcut_windows_next(&w, w.count, had, 5), SIZE_MAX);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 5);
    prvcut_windows_fini(&w);
}
END_TEST

START_TEST(test_beside)
{
    static const double length[] = { 90, 100, 100, 103, 110 };
    struct prvcut_windows w;

    fill(&w, length, 5);
    settle(&w);
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 1);
    w.beside[0] = w.beside[1] = w.beside[2] = true;
    ck_assert_uint_eq(prvcut_windows_nearest(&w, w.count), 3);
    ck_assert(w.usual[0].median > 99 && w.usual[0].median < 101);
    prvcut_windows_fini(&w);
}
END_TEST

/* ---- what they hold ---- */

/* Two ranks: the first computes 60 ns and sends, then waits in a barrier; the second waits for it.
   From 100 on, for 100 ns, and the same again with half the bytes. */
static const char run[] = "#Paraver (01/01/2026 at 12:00):400_ns:1(2):1:2(1:1,1:1),0\n"
                          "2:1:1:1:1:160:50000001:1\n"
                          "2:2:1:2:1:120:50000001:2\n"
                          "3:1:1:1:1:162:162:2:1:2:1:120:168:80:7\n"
                          "2:1:1:1:1:165:50000001:0\n"
                          "2:2:1:2:1:170:50000001:0\n"
                          "2:1:1:1:1:170:50000002:8\n"
                          "2:2:1:2:1:190:50000002:8\n"
                          "2:1:1:1:1:200:50000002:0\n"
                          "2:2:1:2:1:200:50000002:0\n"
                          "2:1:1:1:1:260:50000001:1\n"
                          "2:2:1:2:1:220:50000001:2\n"
                          "3:1:1:1:1:262:262:2:1:2:1:220:268:40:7\n"
                          "2:1:1:1:1:265:50000001:0\n"
                          "2:2:1:2:1:270:50000001:0\n"
                          "2:1:1:1:1:270:50000002:8\n"
                          "2:2:1:2:1:290:50000002:8\n"
                          "2:1:1:1:1:300:50000002:0\n"
                          "2:2:1:2:1:300:50000002:0\n";

/* Windows of that run: each iteration, the second rank's 10 ns later. */
static void measure(struct prvcut_measure *m, struct prvcut_proof_region stretch[2],
                    uint64_t border[8])
{
    char path[64];
    FILE *file;
    struct prvcut_trace *trace;

    snprintf(path, sizeof path, "windows.%ld.prv", (long)getpid());
    file = fopen(path, "w");
    ck_assert(file && fputs(run, file) >= 0 && fclose(file) == 0);
    for (uint64_t i = 0; i < 2; i++) {
        uint64_t *b = border + 4 * i;

        b[0] = 100 + 100 * i;
        b[1] = b[0] + 10;
        b[2] = b[0] + 100;
        b[3] = b[1] + 90;
        stretch[i] = (struct prvcut_proof_region){
            .window = { .from = b[0], .to = b[2], .thread_from = b, .thread_to = b + 2 }
        };
    }
    ck_assert_msg(prvcut_trace_open(&trace, path, NULL, &error) == PRVCUT_OK, "%s", error.text);
    ck_assert_msg(prvcut_measure_make(m, trace, &(struct prvcut_run){ .threads = 1 }, stretch, 2,
                                      NULL, NULL, &error) == PRVCUT_OK,
                  "%s", error.text);
    prvcut_trace_close(trace);
    unlink(path);
}

static void check_first(const struct prvcut_windows *w, const double *at)
{
    /* The first waits 5 ns and 30 ns, computes 65 of 100; the second computes 30 of 90. */
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_LENGTH], 95, 1e-9);
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_LOAD_BALANCE], 95 / (2 * 65.0), 1e-9);
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_USEFUL], 95 / 190.0, 1e-9);
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_COMMUNICATION_EFFICIENCY], 65 / 95.0, 1e-9);
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_BYTES], 80, 1e-9);
    ck_assert(isnan(at[PRVCUT_QUANTITY_INSTRUCTIONS]));
    /* MPI_Recv 50, MPI_Barrier 40, MPI_Send 5, heaviest first. */
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_CALL], 50 / 190.0, 1e-9);
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_CALL + 1], 40 / 190.0, 1e-9);
    ck_assert_double_eq_tol(at[PRVCUT_QUANTITY_CALL + 2], 5 / 190.0, 1e-9);
    ck_assert(isnan(at[PRVCUT_QUANTITY_CALL + 3]));
    ck_assert(w->usual[PRVCUT_QUANTITY_CALL + 3].key == SIZE_MAX);
}

START_TEST(test_values)
{
    struct prvcut_measure m;
    struct prvcut_proof_region stretch[2];
    struct prvcut_column loop, one;
    struct prvcut_windows w;
    uint64_t border[8];
    char text[64];

    measure(&m, stretch, border);
    ck_assert_int_eq(prvcut_column_init(&loop, &m, &error), PRVCUT_OK);
    ck_assert_int_eq(prvcut_column_init(&one, &m, &error), PRVCUT_OK);
    prvcut_column_set(&loop, &m, (const size_t[]){ 0, 1 }, 2);
    ck_assert_int_eq(prvcut_windows_init(&w, &m, &loop, 2, 0, &error), PRVCUT_OK);
    for (size_t i = 0; i < 2; i++) {
        prvcut_column_set(&one, &m, &i, 1);
        prvcut_windows_values(&w, w.at + i * PRVCUT_WINDOW_QUANTITIES, &m, &one, &loop);
    }
    check_first(&w, w.at);
    ck_assert_double_eq_tol(w.at[PRVCUT_WINDOW_QUANTITIES + PRVCUT_QUANTITY_BYTES], 40, 1e-9);
    ck_assert_str_eq(
        prvcut_measure_key_text(text, sizeof text, &m, w.usual[PRVCUT_QUANTITY_CALL].key),
        "MPI_Recv");
    /* Both as one: what is longer counts once. */
    prvcut_windows_values(&w, w.at, &m, &loop, &loop);
    ck_assert_double_eq_tol(w.at[PRVCUT_QUANTITY_LENGTH], 190, 1e-9);
    ck_assert_double_eq_tol(w.at[PRVCUT_QUANTITY_BYTES], 120, 1e-9);
    prvcut_windows_fini(&w);
    prvcut_column_fini(&one);
    prvcut_column_fini(&loop);
    prvcut_measure_fini(&m);
}
END_TEST

static Suite *windows_suite(void)
{
    Suite *s = suite_create("windows");
    TCase *c = tcase_create("windows");

    tcase_add_test(c, test_within_five_percent);
    tcase_add_test(c, test_middle_half);
    tcase_add_test(c, test_middle_half_of_few);
    tcase_add_test(c, test_between_two_kinds);
    tcase_add_test(c, test_mixed_kinds);
    tcase_add_test(c, test_one_kind);
    tcase_add_test(c, test_ends);
    tcase_add_test(c, test_near_both);
    tcase_add_test(c, test_greatest_distance_decides);
    tcase_add_test(c, test_shares);
    tcase_add_test(c, test_weak_quantities);
    tcase_add_test(c, test_inner);
    tcase_add_test(c, test_next);
    tcase_add_test(c, test_beside);
    tcase_add_test(c, test_few_and_unknown);
    tcase_add_test(c, test_values);
    suite_add_tcase(s, c);
    return s;
}

int main(void)
{
    return run_suite(windows_suite());
}
