#include "prvcut/sample.h"
#include "tests/support/runner.h"
#include "tests/support/traces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Samples of EPOCH on one process, nine steps of 1.7 s: what a program of its own says of it. */

static struct prvcut_trace *epoch;

static bool opened(void)
{
    const struct prvcut_open_options o = { .size = sizeof o };
    struct prvcut_error err = { .status = PRVCUT_OK };
    char path[1024];

    if (!traces_folder()) {
        test_leaves_out("no real traces");
        return false;
    }
    snprintf(path, sizeof path, "%s/more/epoch.1/epoch.1.prv.zst", traces_folder());
    if (prvcut_trace_open(&epoch, path, &o, &err) < 0) {
        test_leaves_out("no epoch.1");
        return false;
    }
    return true;
}

static struct prvcut_sample *sample(struct prvcut_sample_options o, int threads)
{
    const struct prvcut_run run = { .size = sizeof run, .threads = threads };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_sample *s = NULL;

    o.size = sizeof o;
    o.period = 1747805845.2;
    o.only = (struct prvcut_span){ 5582316478, 21312569085 };
    ck_assert_msg(prvcut_sample_trace(epoch, &run, &o, &s, &err) == PRVCUT_OK, "%s", err.text);
    return s;
}

/* With so many decimals; 0: six digits. */
static void same(const char *what, double seen, int decimals, const char *wanted)
{
    char text[40];

    if (decimals > 0)
        snprintf(text, sizeof text, "%.*f", decimals, seen);
    else
        snprintf(text, sizeof text, "%.6g", seen);
    printf("  %-16s %-14s wanted %s\n", what, text, wanted);
    ck_assert_str_eq(text, wanted);
}

static void chosen(const struct prvcut_sample *s, size_t length, enum prvcut_technique t,
                   const char *wanted)
{
    const struct prvcut_sample_pick *pick = prvcut_sample_picks(s, length, t);
    char text[200] = "";

    for (size_t i = 0; i < prvcut_sample_choice(s, length, t)->picks; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d:%.6f", i > 0 ? " " : "",
                 (int)pick[i].interval, pick[i].weight);
    printf("  %-16s %s\n", prvcut_technique_text(t), text);
    ck_assert_str_eq(text, wanted);
}

static double off(const struct prvcut_sample *s, size_t length, enum prvcut_technique t)
{
    return prvcut_sample_choice(s, length, t)->error_percent;
}

START_TEST(test_sample_trace_s4)
{
    const double length[] = { 1, 0.2 };
    struct prvcut_sample *s;

    if (!opened())
        return;
    s = sample((struct prvcut_sample_options){ .length = length, .lengths = 2 }, 1);
    puts("S4");
    ck_assert_uint_eq(s->bins, 180);
    ck_assert_str_eq(s->choose_by, "PAPI_L1_DCM");
    same("CPI", s->whole, 6, "0.534133");
    ck_assert_uint_eq(prvcut_sample_length(s, 0)->intervals, 9);
    same("SSP 100 %", off(s, 0, PRVCUT_TECHNIQUE_SSP), 6, "0.289605");
    same("LSP 100 %", off(s, 0, PRVCUT_TECHNIQUE_LSP), 6, "0.152117");
    same("MSP 100 %", off(s, 0, PRVCUT_TECHNIQUE_MSP), 6, "0.256824");
    chosen(s, 0, PRVCUT_TECHNIQUE_SSP, "5:1.000000");
    chosen(s, 0, PRVCUT_TECHNIQUE_LSP, "3:0.250000 4:0.250000 5:0.250000 6:0.250000");
    chosen(s, 0, PRVCUT_TECHNIQUE_MSP, "4:0.111111 2:0.444444 1:0.222222 3:0.222222");
    ck_assert_uint_eq(prvcut_sample_length(s, 1)->intervals, 45);
    same("SSP 20 %", off(s, 1, PRVCUT_TECHNIQUE_SSP), 3, "1.345");
    same("LSP 20 %", off(s, 1, PRVCUT_TECHNIQUE_LSP), 3, "1.932");
    same("MSP 20 %", off(s, 1, PRVCUT_TECHNIQUE_MSP), 3, "0.145");
    chosen(s, 1, PRVCUT_TECHNIQUE_SSP, "14:1.000000");
    chosen(s, 1, PRVCUT_TECHNIQUE_LSP, "6:0.250000 7:0.250000 8:0.250000 9:0.250000");
    ck_assert_uint_eq(prvcut_sample_picks(s, 1, PRVCUT_TECHNIQUE_MSP)[0].interval, 6);
    ck_assert_uint_eq(prvcut_sample_picks(s, 1, PRVCUT_TECHNIQUE_MSP)[1].interval, 29);
    ck_assert_uint_eq(prvcut_sample_picks(s, 1, PRVCUT_TECHNIQUE_MSP)[2].interval, 10);
    ck_assert_uint_eq(prvcut_sample_picks(s, 1, PRVCUT_TECHNIQUE_MSP)[3].interval, 19);
    ck_assert_uint_eq(s->warnings, 1);
    printf("  %s\n", prvcut_sample_warning(s, 0));
    ck_assert_ptr_nonnull(strstr(prvcut_sample_warning(s, 0), "read once in 1.6"));
    prvcut_sample_free(s);
    prvcut_trace_close(epoch);
}
END_TEST

START_TEST(test_sample_plan_s5)
{
    /* Real: all that stands in the file, 84813151643, 45323541257, 1627701220, 321790770 and
       294618636, also what is read a second time in one ns. */
    static const struct {
        const char *run, *real, *error;
    } row[] = { { "8.51397e+10", "8.48132e+10", "0.39" },
                { "4.58775e+10", "4.53235e+10", "1.22" },
                { "1.94714e+09", "1.6277e+09", "19.62" },
                { "3.47517e+08", "3.21791e+08", "7.99" },
                { "2.76801e+08", "2.94619e+08", "6.05" } };
    const double length = 1;
    struct prvcut_sample *s;

    if (!opened())
        return;
    s = sample((struct prvcut_sample_options){ .length = &length,
                                               .lengths = 1,
                                               .plan = "PAPI_TOT_INS;PAPI_TOT_CYC;PAPI_L1_DCM;"
                                                       "PAPI_L2_DCM;PAPI_L3_TCM" },
               1);
    puts("S5");
    ck_assert_uint_eq(s->planned, 5);
    ck_assert_uint_eq(s->groups, 5);
    for (size_t i = 0; i < s->planned; i++) {
        const struct prvcut_sample_plan *p = prvcut_sample_plan(s, i);

        same(p->counter, p->run, 0, row[i].run);
        same("  real", p->real, 0, row[i].real);
        same("  error", p->error_percent, 2, row[i].error);
        ck_assert_uint_eq(p->group, i);
    }
    prvcut_sample_free(s);
    prvcut_trace_close(epoch);
}
END_TEST

/* The same digits, whoever reads what. */
START_TEST(test_sample_of_many_workers_is_the_same)
{
    struct prvcut_sample *one, *many;

    if (!opened())
        return;
    one = sample((struct prvcut_sample_options){ 0 }, 1);
    many = sample((struct prvcut_sample_options){ 0 }, 7);
    for (size_t i = 0; i < one->lengths; i++)
        for (int t = 0; t < 3; t++)
            ck_assert_double_eq(
                prvcut_sample_choice(one, i, (enum prvcut_technique)t)->error_percent,
                prvcut_sample_choice(many, i, (enum prvcut_technique)t)->error_percent);
    prvcut_sample_free(one);
    prvcut_sample_free(many);
    prvcut_trace_close(epoch);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sample_traces");
    TCase *tc = tcase_create("all");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, test_sample_trace_s4);
    tcase_add_test(tc, test_sample_plan_s5);
    tcase_add_test(tc, test_sample_of_many_workers_is_the_same);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
