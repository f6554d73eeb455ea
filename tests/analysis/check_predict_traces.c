#include "prvcut/predict.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Predictions from traces of EPOCH on 1, 2 and 4 processes (P1), which the table of these runs
   tells, too (P6). */

static char path[3][1024];
static const char *const file[] = { path[1], path[2], path[0] };

static bool there(void)
{
    FILE *f = NULL;

    for (int i = 0; i < 3 && traces_folder(); i++) {
        snprintf(path[i], sizeof path[i], "%s/more/epoch.%d/epoch.%d.prv.zst", traces_folder(),
                 1 << i, 1 << i);
        f = fopen(path[i], "r");
        if (!f)
            break;
        fclose(f);
    }
    if (!f)
        test_leaves_out("no traces of EPOCH");
    return f != NULL;
}

static void same(const char *what, double seen, const char *wanted)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", seen);
    printf("  %-14s %-12s wanted %s\n", what, text, wanted);
    ck_assert_str_eq(text, wanted);
}

static struct prvcut_prediction *predict(const char *const *from, size_t files)
{
    const uint32_t at[] = { 8, 16 };
    const struct prvcut_predict_options o = { .size = sizeof o,
                                              .processes = at,
                                              .processes_count = 2 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_prediction *p = NULL;

    ck_assert_msg(prvcut_predict_make(from, files, NULL, &o, &p, &err) == PRVCUT_OK, "%s",
                  err.text);
    return p;
}

START_TEST(test_predict_from_traces_p1)
{
    struct prvcut_prediction *p;

    if (!there())
        return;
    p = predict(file, 3);
    puts("P1 from traces");
    ck_assert_uint_eq(p->runs, 3);
    ck_assert_uint_eq(p->warnings, 0);
    same("run on 4", prvcut_prediction_run(p, 2)->speedup, "3.60036");
    same("speedup on 8", prvcut_prediction_point(p, 0)->speedup, "6.26519");
    same("  low", prvcut_prediction_point(p, 0)->low, "5.48207");
    same("  high", prvcut_prediction_point(p, 0)->high, "7.16017");
    same("speedup on 16", prvcut_prediction_point(p, 1)->speedup, "9.55304");
    same("  low", prvcut_prediction_point(p, 1)->low, "7.07983");
    same("  high", prvcut_prediction_point(p, 1)->high, "12.8902");
    /* A product of fits in logarithms is the fit of the product. */
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq_tol(prvcut_prediction_form(p, i, PRVCUT_FIT_POWER)->speedup /
                                    prvcut_prediction_form(p, i, p->forms - 1)->speedup,
                                1, 1e-9);
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_from_traces_as_from_their_table_p6)
{
    static const char *const table[] = { SAMPLE_FILES "/epoch.csv" };
    struct prvcut_prediction *p, *q;

    if (!there())
        return;
    p = predict(file, 3);
    q = predict(table, 1);
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < p->factors; k++) {
            const struct prvcut_prediction_factor *a = prvcut_prediction_factor(p, i, k),
                                                  *b = prvcut_prediction_factor(q, i, k);

            ck_assert_int_eq(a->factor, b->factor);
            ck_assert_double_eq_tol(a->value / b->value, 1, 1e-5);
        }
    prvcut_prediction_free(p);
    prvcut_prediction_free(q);
}
END_TEST

/* A trace and a table together. */
START_TEST(test_predict_from_a_trace_beside_a_table)
{
    const char *both[] = { SAMPLE_FILES "/epoch.csv", path[2] };
    struct prvcut_prediction *p;

    if (!there())
        return;
    p = predict(both, 2);
    ck_assert_uint_eq(p->runs, 4);
    ck_assert_uint_eq(prvcut_prediction_run(p, 3)->processes, 4);
    prvcut_prediction_free(p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predict_traces");
    TCase *tc = tcase_create("all");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, test_predict_from_traces_p1);
    tcase_add_test(tc, test_predict_from_traces_as_from_their_table_p6);
    tcase_add_test(tc, test_predict_from_a_trace_beside_a_table);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
