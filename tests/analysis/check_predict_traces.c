#include "prvcut/predict.h"
#include "prvcut/signals.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* --- Programs whose larger runs are known ------------------------------------------------------
 */

#define PROGRAMS 40

static uint64_t seed = 28;

/* From -1 to 1. */
static double noise(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

/* A program that loses of each factor so much a process, and a run of it, which is off by 0.1 % in
   each. */
struct program {
    double lost[6];
};

struct planted_run {
    double factor[6], processes, runtime;
};

static struct planted_run run_program(const struct program *g, double processes)
{
    static const double alone[6] = { 1, 0.9999, 0.9994, 1.87, 2.07, 8.5e10 };
    struct planted_run r = { .processes = processes };

    for (size_t i = 0; i < 6; i++)
        r.factor[i] = alone[i] * exp(-g->lost[i] * (processes - 1)) * (1 + 0.001 * noise());
    for (size_t i = 0; i < 3; i++)
        r.factor[i] = r.factor[i] < 1 ? r.factor[i] : 1;
    r.runtime = r.factor[5] / r.factor[3] / r.factor[4] /
                (processes * r.factor[0] * r.factor[1] * r.factor[2]);
    return r;
}

static void write_runs(const char *to, const struct planted_run *r, size_t runs)
{
    static const char *const row[] = {
        "Number of processes",          "Load balance",  "Serialization efficiency",
        "Transfer efficiency",          "Average IPC",   "Average frequency (GHz)",
        "#Useful instructions (total)", "#Runtime (us)",
    };
    struct prvcut_error err = { .status = PRVCUT_OK };
    char text[4096];
    size_t n = 0;

    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", row[k]);
        for (size_t i = 0; i < runs; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, ";%.17g",
                                  k == 0   ? r[i].processes
                                  : k == 7 ? r[i].runtime / 1000
                                           : r[i].factor[k - 1] * (k < 4 ? 100 : 1));
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    ck_assert_int_eq(prvcut_text_write(to, text, true, &err), PRVCUT_OK);
}

struct planted_score {
    size_t within, inside, nearest;
    double worst;
};

static void score_program(struct planted_score *score, const struct prvcut_prediction *p,
                          double real)
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, 0);
    const double off = fabs(at->speedup / real - 1);
    bool nearest = true;

    for (size_t i = 0; i < p->forms; i++) {
        const struct prvcut_prediction_form *f = prvcut_prediction_form(p, 0, i);

        nearest &= !f->plain || isnan(f->speedup) || fabs(f->speedup / real - 1) >= off;
    }
    score->within += off < 0.03;
    score->inside += at->low <= real && real <= at->high;
    score->nearest += nearest;
    score->worst = off > score->worst ? off : score->worst;
}

/* Fitted on 1, 2 and 4 processes the speedup on 8 is within 3 %, four times of five inside the
   interval of 0.8, and no fit of the speedup itself is nearer. */
START_TEST(test_predict_larger_runs_p5)
{
    const uint32_t eight = 8;
    const struct prvcut_predict_options o = { .size = sizeof o,
                                              .processes = &eight,
                                              .processes_count = 1 };
    char name[256];
    const char *const from[] = { name };
    struct planted_score score = { 0 };

    snprintf(name, sizeof name, "%s/prvcut-larger-%ld.csv",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
    for (size_t i = 0; i < PROGRAMS; i++) {
        struct prvcut_error err = { .status = PRVCUT_OK };
        struct program g;
        struct planted_run run[4];
        struct prvcut_prediction *p;

        for (size_t k = 0; k < 6; k++)
            g.lost[k] = 0.01 * (1 + noise());
        g.lost[5] = -g.lost[5];
        for (size_t k = 0; k < 4; k++)
            run[k] = run_program(&g, (double)(1 << k));
        write_runs(name, run, 3);
        ck_assert_msg(prvcut_predict_make(from, 1, NULL, &o, &p, &err) == PRVCUT_OK, "%s",
                      err.text);
        unlink(name);
        score_program(&score, p, run[0].runtime / run[3].runtime);
        prvcut_prediction_free(p);
    }
    printf("P5 %d programs on 8 processes, fitted on 1, 2, 4: %zu within 3 %%, the worst %.2f %% "
           "off; %zu inside the interval; in %zu no plain fit is nearer\n",
           PROGRAMS, score.within, 100 * score.worst, score.inside, score.nearest);
    ck_assert_uint_eq(score.within, PROGRAMS);
    ck_assert_uint_ge(score.inside, PROGRAMS * 4 / 5);
    ck_assert_uint_ge(score.nearest, PROGRAMS * 9 / 10);
}
END_TEST

/* The same of the program itself, where larger runs of it are there: fitted on 1, 2 and 4. */
START_TEST(test_predict_larger_runs_of_epoch_p5)
{
    const uint32_t fitted[] = { 1, 2, 4 };
    char larger[1024];
    const char *const from[] = { path[0], path[1], path[2], larger };
    struct planted_score score = { 0 };
    size_t runs = 0;

    for (uint32_t n = 8; there() && n <= 16; n *= 2) {
        const struct prvcut_predict_options o = { .size = sizeof o,
                                                  .processes = &n,
                                                  .processes_count = 1,
                                                  .fitted = fitted,
                                                  .fitted_count = 3 };
        struct prvcut_error err = { .status = PRVCUT_OK };
        struct prvcut_prediction *p;

        snprintf(larger, sizeof larger, "%s/more/epoch.%u/epoch.%u.prv.zst", traces_folder(), n, n);
        if (!traces_shell("test -e '%s'", larger))
            continue;
        ck_assert_msg(prvcut_predict_make(from, 4, NULL, &o, &p, &err) == PRVCUT_OK, "%s",
                      err.text);
        runs++;
        score_program(&score, p, prvcut_prediction_point(p, 0)->real);
        printf("P5 EPOCH on %u: predicted %.6g [%.6g, %.6g], real %.6g\n", n,
               prvcut_prediction_point(p, 0)->speedup, prvcut_prediction_point(p, 0)->low,
               prvcut_prediction_point(p, 0)->high, prvcut_prediction_point(p, 0)->real);
        prvcut_prediction_free(p);
    }
    if (runs == 0)
        puts("P5 EPOCH: no larger runs are here");
    ck_assert_uint_eq(score.within, runs);
    ck_assert_uint_eq(score.inside, runs);
    ck_assert_uint_eq(score.nearest, runs);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predict_traces");
    TCase *tc = tcase_create("all");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, test_predict_from_traces_p1);
    tcase_add_test(tc, test_predict_larger_runs_p5);
    tcase_add_test(tc, test_predict_larger_runs_of_epoch_p5);
    tcase_add_test(tc, test_predict_from_traces_as_from_their_table_p6);
    tcase_add_test(tc, test_predict_from_a_trace_beside_a_table);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
