#include "prvcut/predict.h"
#include "prvcut/signals.h"
#include "tests/support/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Predictions from the factors of EPOCH on 1, 2 and 4 processes, whose reference numbers are of a
 * program of its own (six digits). What is held against what is printed, so that a difference shows
 * at once.
 */
static const char epoch[] = SAMPLE_FILES "/epoch.csv";

/* The integers behind that table: ns, instructions, cycles. */
static const struct {
    double processes, runtime, ideal, most, total, instructions, cycles;
} exact[] = {
    { 1, 21898659139, 21884758971, 21882362819, 21882362819, 84790848422, 45294421893 },
    { 2, 11528373565, 11504370091, 11484151344, 22913392367, 87640358419, 46855679955 },
    { 4, 6082352213, 6051059081, 5999910804, 23684668073, 88518412143, 47406198069 },
};

static char made[256];

static const char *table(const char *text)
{
    struct prvcut_error err = { .status = PRVCUT_OK };

    snprintf(made, sizeof made, "%s/prvcut-predict-%ld.csv",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp", (long)getpid());
    ck_assert_int_eq(prvcut_text_write(made, text, true, &err), PRVCUT_OK);
    return made;
}

/* The table with all digits. */
static const char *exact_table(void)
{
    static const char *const row[] = { "Number of processes",
                                       "Load balance",
                                       "Serialization efficiency",
                                       "Transfer efficiency",
                                       "Average IPC",
                                       "Average frequency (GHz)",
                                       "#Runtime (us)",
                                       "#Useful instructions (total)" };
    char text[4096];
    size_t n = 0;

    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", row[r]);
        for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
            const double value[] = { exact[i].processes,
                                     100 * exact[i].total / exact[i].processes / exact[i].most,
                                     100 * exact[i].most / exact[i].ideal,
                                     100 * exact[i].ideal / exact[i].runtime,
                                     exact[i].instructions / exact[i].cycles,
                                     exact[i].cycles / exact[i].total,
                                     exact[i].runtime / 1000,
                                     exact[i].instructions };

            n += (size_t)snprintf(text + n, sizeof text - n, ";%.17g", value[r]);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    return table(text);
}

static struct prvcut_prediction *predict_file(const char *file, const uint32_t *processes,
                                              size_t count, struct prvcut_predict_options o,
                                              struct prvcut_error *err)
{
    struct prvcut_prediction *p = NULL;

    o.size = sizeof o;
    o.processes = processes;
    o.processes_count = count;
    prvcut_predict_make(&file, 1, NULL, &o, &p, err);
    return p;
}

static struct prvcut_prediction *predict(const uint32_t *processes, size_t count,
                                         struct prvcut_predict_options o)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_prediction *p = predict_file(exact_table(), processes, count, o, &err);

    unlink(made);
    ck_assert_msg(p != NULL, "%s", err.text);
    return p;
}

/* To six digits, as printed. */
static void same(const char *what, uint32_t processes, double seen, const char *wanted)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", seen);
    printf("  %-28s %4u  %-12s wanted %s\n", what, (unsigned)processes, text, wanted);
    ck_assert_str_eq(text, wanted);
}

static const struct prvcut_prediction_factor *factor_of(const struct prvcut_prediction *p,
                                                        size_t point, enum prvcut_factor factor)
{
    size_t i = 0;

    while (i < p->factors && prvcut_prediction_factor(p, point, i)->factor != factor)
        i++;
    ck_assert_uint_lt(i, p->factors);
    return prvcut_prediction_factor(p, point, i);
}

static double form_of(const struct prvcut_prediction *p, size_t point, enum prvcut_fit fit,
                      bool plain)
{
    size_t i = 0;

    while (i < p->forms && (prvcut_prediction_form(p, point, i)->fit != fit ||
                            prvcut_prediction_form(p, point, i)->plain != plain))
        i++;
    ck_assert_uint_lt(i, p->forms);
    return prvcut_prediction_form(p, point, i)->speedup;
}

START_TEST(test_predict_loglinear_p1)
{
    const uint32_t at[] = { 8, 16 };
    struct prvcut_prediction *p = predict(at, 2, (struct prvcut_predict_options){ 0 });
    const struct prvcut_prediction_point *eight = prvcut_prediction_point(p, 0),
                                         *sixteen = prvcut_prediction_point(p, 1);

    puts("P1 loglinear from 1, 2, 4");
    same("load balance", 8, factor_of(p, 0, PRVCUT_FACTOR_LOAD_BALANCE)->value, "0.969505");
    same("  low", 8, factor_of(p, 0, PRVCUT_FACTOR_LOAD_BALANCE)->low, "0.95582");
    same("  high", 8, factor_of(p, 0, PRVCUT_FACTOR_LOAD_BALANCE)->high, "0.983387");
    same("serialization", 8, factor_of(p, 0, PRVCUT_FACTOR_SERIALIZATION)->value, "0.980451");
    same("  low", 8, factor_of(p, 0, PRVCUT_FACTOR_SERIALIZATION)->low, "0.972553");
    same("  high", 8, factor_of(p, 0, PRVCUT_FACTOR_SERIALIZATION)->high, "0.988413");
    same("transfer", 8, factor_of(p, 0, PRVCUT_FACTOR_TRANSFER)->value, "0.988869");
    same("IPC", 8, factor_of(p, 0, PRVCUT_FACTOR_IPC)->value, "1.8609");
    same("GHz", 8, factor_of(p, 0, PRVCUT_FACTOR_FREQUENCY)->value, "1.91405");
    same("instructions", 8, factor_of(p, 0, PRVCUT_FACTOR_INSTRUCTIONS)->value, "9.36194e+10");
    same("speedup", 8, eight->speedup, "6.26519");
    same("  low", 8, eight->low, "5.48207");
    same("  high", 8, eight->high, "7.16017");
    same("speedup", 16, sixteen->speedup, "9.55304");
    same("  low", 16, sixteen->low, "7.07983");
    same("  high", 16, sixteen->high, "12.8902");
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_other_forms_p2)
{
    const uint32_t at[] = { 8, 16 };
    struct prvcut_prediction *p =
        predict(at, 2, (struct prvcut_predict_options){ .fit = PRVCUT_FIT_SEMILOG });

    puts("P2 other forms, and the whole table of section 3");
    same("semilog", 8, prvcut_prediction_point(p, 0)->speedup, "6.83667");
    same("  low", 8, prvcut_prediction_point(p, 0)->low, "6.44519");
    same("  high", 8, prvcut_prediction_point(p, 0)->high, "7.25193");
    same("semilog", 16, prvcut_prediction_point(p, 1)->speedup, "12.9763");
    same("  low", 16, prvcut_prediction_point(p, 1)->low, "12.0129");
    same("  high", 16, prvcut_prediction_point(p, 1)->high, "14.017");
    prvcut_prediction_free(p);
    p = predict(at, 2, (struct prvcut_predict_options){ .fit = PRVCUT_FIT_POWER });
    same("power", 8, prvcut_prediction_point(p, 0)->speedup, "6.83404");
    same("  low", 8, prvcut_prediction_point(p, 0)->low, "6.42632");
    same("  high", 8, prvcut_prediction_point(p, 0)->high, "7.26764");
    same("power", 16, prvcut_prediction_point(p, 1)->speedup, "12.9673");
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq_tol(prvcut_prediction_point(p, i)->speedup /
                                    form_of(p, i, PRVCUT_FIT_POWER, true),
                                1, 1e-9);
    prvcut_prediction_free(p);
    p = predict(at, 2, (struct prvcut_predict_options){ .fit = PRVCUT_FIT_LINEAR });
    same("linear", 8, prvcut_prediction_point(p, 0)->speedup, "6.26758");
    same("linear", 16, prvcut_prediction_point(p, 1)->speedup, "9.54513");
    same("plain linear", 8, form_of(p, 0, PRVCUT_FIT_LINEAR, true), "7.06517");
    same("plain quadratic", 8, form_of(p, 0, PRVCUT_FIT_QUADRATIC, true), "6.6089");
    same("plain loglinear", 8, form_of(p, 0, PRVCUT_FIT_LOGLINEAR, true), "19.5652");
    same("plain semilog", 8, form_of(p, 0, PRVCUT_FIT_SEMILOG, true), "4.767");
    same("plain linear", 16, form_of(p, 1, PRVCUT_FIT_LINEAR, true), "13.9807");
    same("plain quadratic", 16, form_of(p, 1, PRVCUT_FIT_QUADRATIC, true), "11.0536");
    same("plain loglinear", 16, form_of(p, 1, PRVCUT_FIT_LOGLINEAR, true), "527.005");
    same("plain semilog", 16, form_of(p, 1, PRVCUT_FIT_SEMILOG, true), "6.06718");
    same("loglinear beside", 8, form_of(p, 0, PRVCUT_FIT_LOGLINEAR, false), "6.26519");
    same("semilog beside", 8, form_of(p, 0, PRVCUT_FIT_SEMILOG, false), "6.83667");
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_from_two_runs_p3)
{
    const uint32_t at = 4, from[] = { 1, 2 };
    const struct prvcut_predict_options o = { .fitted = from, .fitted_count = 2 };
    struct prvcut_prediction *p = predict(&at, 1, o);
    const struct prvcut_prediction_point *four = prvcut_prediction_point(p, 0);

    puts("P3 from 1, 2");
    same("speedup", 4, four->speedup, "3.42703");
    same("real", 4, four->real, "3.60036");
    same("error, 1/100 %", 4, round(10000 * (four->speedup / four->real - 1)), "-481");
    same("semilog", 4, form_of(p, 0, PRVCUT_FIT_SEMILOG, false), "3.61151");
    same("power", 4, form_of(p, 0, PRVCUT_FIT_POWER, false), "3.60827");
    same("linear", 4, form_of(p, 0, PRVCUT_FIT_LINEAR, false), "3.43603");
    same("plain linear", 4, form_of(p, 0, PRVCUT_FIT_LINEAR, true), "3.69863");
    same("plain loglinear", 4, form_of(p, 0, PRVCUT_FIT_LOGLINEAR, true), "6.85407");
    same("plain semilog", 4, form_of(p, 0, PRVCUT_FIT_SEMILOG, true), "2.79909");
    ck_assert(isnan(form_of(p, 0, PRVCUT_FIT_QUADRATIC, true)));
    ck_assert(isnan(four->low) && isnan(four->high));
    ck_assert_str_eq(four->no_interval, "two runs leave nothing to judge the fit by");
    ck_assert(isnan(factor_of(p, 0, PRVCUT_FACTOR_IPC)->low));
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_from_the_printed_table_p6)
{
    const uint32_t at[] = { 8, 16 };
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_prediction *all = predict(at, 2, (struct prvcut_predict_options){ 0 });
    struct prvcut_prediction *p =
        predict_file(epoch, at, 2, (struct prvcut_predict_options){ 0 }, &err);

    ck_assert_msg(p != NULL, "%s", err.text);
    puts("P6 from a table of six decimals, over all digits");
    for (size_t i = 0; i < 2; i++) {
        const double off =
            prvcut_prediction_point(p, i)->speedup / prvcut_prediction_point(all, i)->speedup - 1;

        printf("  speedup %u: %.1e\n", (unsigned)at[i], off);
        ck_assert_double_lt(fabs(off), 1e-5);
        for (size_t k = 0; k < p->factors; k++)
            ck_assert_double_eq_tol(prvcut_prediction_factor(p, i, k)->value /
                                        prvcut_prediction_factor(all, i, k)->value,
                                    1, 1e-5);
        for (size_t k = 0; k < p->forms; k++)
            ck_assert_double_eq_tol(prvcut_prediction_form(p, i, k)->speedup /
                                        prvcut_prediction_form(all, i, k)->speedup,
                                    1, 1e-5);
    }
    prvcut_prediction_free(all);
    prvcut_prediction_free(p);
}
END_TEST

static bool warns(const struct prvcut_prediction *p, const char *text)
{
    for (size_t i = 0; i < p->warnings; i++)
        if (strstr(prvcut_prediction_warning(p, i), text))
            return true;
    return false;
}

START_TEST(test_predict_warns_p4)
{
    const uint32_t at[] = { 16, 1024 };
    struct prvcut_prediction *p =
        predict(at, 2, (struct prvcut_predict_options){ .confidence = 0.95 });

    puts("P4 warnings at 0.95");
    for (size_t i = 0; i < p->warnings; i++)
        printf("  %s\n", prvcut_prediction_warning(p, i));
    ck_assert(warns(p, "16 processes: the interval"));
    ck_assert(warns(p, "1024 processes are 256 times"));
    ck_assert(!warns(p, "16 processes are"));
    prvcut_prediction_free(p);
    p = predict(at, 1, (struct prvcut_predict_options){ 0 });
    ck_assert_uint_eq(p->warnings, 0);
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_no_share_is_above_one_p4)
{
    static const enum prvcut_fit fits[] = { PRVCUT_FIT_LOGLINEAR, PRVCUT_FIT_SEMILOG,
                                            PRVCUT_FIT_POWER, PRVCUT_FIT_LINEAR };
    uint32_t at[64];

    for (uint32_t i = 0; i < 64; i++)
        at[i] = i < 32 ? i + 1 : UINT32_C(1) << (i - 32 < 29 ? i - 32 : 29);
    for (size_t k = 0; k < sizeof fits / sizeof *fits; k++) {
        struct prvcut_prediction *p =
            predict(at, 64, (struct prvcut_predict_options){ .fit = fits[k] });

        for (size_t i = 0; i < p->points; i++)
            for (size_t f = 0; f < 3; f++) {
                const struct prvcut_prediction_factor *y = prvcut_prediction_factor(p, i, f);

                ck_assert((y->value > 0 && y->value <= 1) || (isnan(y->value) && y->reason));
                ck_assert(!(y->high > 1) && !(y->low > 1));
            }
        prvcut_prediction_free(p);
    }
}
END_TEST

START_TEST(test_predict_factor_below_zero_is_none_p4)
{
    const uint32_t at = 1000000000;
    struct prvcut_prediction *p =
        predict(&at, 1, (struct prvcut_predict_options){ .fit = PRVCUT_FIT_LINEAR });
    const struct prvcut_prediction_point *far = prvcut_prediction_point(p, 0);

    ck_assert(isnan(far->speedup) && isnan(far->low) && isnan(far->high) && isnan(far->runtime_ns));
    ck_assert_str_eq(far->reason, "the fit falls to 0 or below");
    ck_assert(isnan(factor_of(p, 0, PRVCUT_FACTOR_LOAD_BALANCE)->value));
    ck_assert(warns(p, "load balance"));
    prvcut_prediction_free(p);
    p = predict(&at, 1, (struct prvcut_predict_options){ .fit = PRVCUT_FIT_SEMILOG });
    ck_assert(!isnan(prvcut_prediction_point(p, 0)->speedup) ||
              prvcut_prediction_point(p, 0)->reason);
    prvcut_prediction_free(p);
}
END_TEST

/* --- Tables of a few rows --------------------------------------------------------------------- */

static struct prvcut_prediction *predict_table(const char *text, uint32_t processes,
                                               enum prvcut_fit fit, struct prvcut_error *err)
{
    struct prvcut_prediction *p = predict_file(table(text), &processes, 1,
                                               (struct prvcut_predict_options){ .fit = fit }, err);

    unlink(made);
    return p;
}

/* Without counters and without a replay: the coarser factors, of which the speedup is the same. */
START_TEST(test_predict_takes_coarse_factors_where_fine_ones_are_not_told)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_prediction *p =
        predict_table("Number of processes,2,4\nLoad balance,100,50\n"
                      "Communication efficiency,100,100\n"
                      "Serialization efficiency,NaN,NaN\nTransfer efficiency,NaN,NaN\n"
                      "Average IPC,0,0\n#\n#Useful duration (total),8,8\n",
                      8, PRVCUT_FIT_LOGLINEAR, &err);

    ck_assert_msg(p != NULL, "%s", err.text);
    ck_assert_uint_eq(p->factors, 3);
    ck_assert_int_eq(prvcut_prediction_factor(p, 0, 1)->factor, PRVCUT_FACTOR_COMMUNICATION);
    ck_assert_int_eq(prvcut_prediction_factor(p, 0, 2)->factor, PRVCUT_FACTOR_COMPUTING);
    /* ln 1, ln 1/2 at 2, 4: -3 ln 2 at 8, so an eighth of four times. */
    ck_assert_double_eq_tol(prvcut_prediction_point(p, 0)->speedup, 0.5, 1e-12);
    ck_assert_int_eq(prvcut_prediction_point(p, 0)->limit, PRVCUT_FACTOR_LOAD_BALANCE);
    ck_assert_double_eq_tol(prvcut_prediction_point(p, 0)->limit_change, 0.125, 1e-12);
    ck_assert(isnan(prvcut_prediction_point(p, 0)->runtime_ns));
    ck_assert(isnan(form_of(p, 0, PRVCUT_FIT_LINEAR, true)));
    prvcut_prediction_free(p);
}
END_TEST

/* A load balance of 50 % that becomes 100 % would be 200 % soon. */
START_TEST(test_predict_caps_what_rises_above_one)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_prediction *p =
        predict_table("Number of processes;1;2\nLoad balance;50;100\n"
                      "Communication efficiency;100;100\nUseful duration (total);8;8\n",
                      4, PRVCUT_FIT_POWER, &err);

    ck_assert_msg(p != NULL, "%s", err.text);
    ck_assert(prvcut_prediction_factor(p, 0, 0)->capped);
    ck_assert_double_eq_tol(prvcut_prediction_factor(p, 0, 0)->value, 1, 1e-15);
    ck_assert_double_eq_tol(prvcut_prediction_point(p, 0)->speedup, 8, 1e-12);
    ck_assert(warns(p, "load balance: the fit is 2; 1 is taken"));
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_tells_weak_scaling_and_other_inputs)
{
    struct prvcut_error err = { .status = PRVCUT_OK };
    struct prvcut_prediction *p =
        predict_table("Number of processes;1;2\nLoad balance;100;100\n"
                      "Communication efficiency;100;100\nAverage IPC;1;1\n"
                      "Average frequency (GHz);1;1\nRuntime (us);10;10\n"
                      "Useful instructions (total);100;200\n",
                      4, PRVCUT_FIT_POWER, &err);

    ck_assert_msg(p != NULL, "%s", err.text);
    ck_assert(p->weak && warns(p, "weak scaling"));
    ck_assert_double_eq_tol(prvcut_prediction_run(p, 1)->speedup, 2, 1e-12);
    ck_assert_double_eq_tol(prvcut_prediction_point(p, 0)->speedup, 4, 1e-12);
    ck_assert_double_eq_tol(prvcut_prediction_point(p, 0)->runtime_ns, 10000, 1e-8);
    prvcut_prediction_free(p);
    p = predict_table("Number of processes;1;2\nLoad balance;100;100\n"
                      "Communication efficiency;100;100\nAverage IPC;1;1\n"
                      "Average frequency (GHz);1;1\nUseful instructions (total);100;150\n",
                      4, PRVCUT_FIT_POWER, &err);
    ck_assert(p && !p->weak && warns(p, "instructions change by +50 %"));
    prvcut_prediction_free(p);
}
END_TEST

START_TEST(test_predict_refuses_what_is_no_table)
{
    static const struct {
        const char *text;
        enum prvcut_status st;
        const char *told;
        uint64_t line;
    } row[] = {
        { "", PRVCUT_EFORMAT, "nor a table of factors", 0 },
        { "a;b\n", PRVCUT_EFORMAT, "nor a table of factors", 1 },
        { "Number of processes\n", PRVCUT_EFORMAT, "nor a table of factors", 1 },
        { "Number of processes;1;x\n", PRVCUT_EFORMAT, "'x' is not a number of processes", 1 },
        { "Number of processes;1;-2\n", PRVCUT_EFORMAT, "'-2' is not", 1 },
        { "Number of processes;1;2\n\nLoad balance;1\n", PRVCUT_EFORMAT,
          "1 values where the first line has 2", 3 },
        { "Number of processes;1;2\nLoad balance;1;1,5\n", PRVCUT_EFORMAT, "'1,5' is not a number",
          2 },
        { "Number of processes;1;2\nLoad balance;1;inf\n", PRVCUT_EFORMAT, "'inf' is not", 2 },
        { "Number of processes;1;2\n", PRVCUT_EUSAGE, "that tell their load balance", 0 },
        { "Number of processes;2;2\nLoad balance;1;1\n", PRVCUT_EUSAGE,
          "two different numbers of processes", 0 },
        { "Number of processes;2\nLoad balance;1\n", PRVCUT_EUSAGE,
          "two different numbers of processes", 0 },
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct prvcut_error err = { .status = PRVCUT_OK };

        ck_assert(!predict_table(row[i].text, 4, PRVCUT_FIT_LOGLINEAR, &err));
        ck_assert_int_eq(err.status, row[i].st);
        ck_assert_msg(strstr(err.text, row[i].told), "%s", err.text);
        ck_assert_uint_eq(err.line, row[i].line);
    }
}
END_TEST

START_TEST(test_predict_refuses_options_that_make_no_sense)
{
    const uint32_t eight = 8, zero = 0, three = 3;
    const struct prvcut_predict_options bad[] = {
        { .fit = PRVCUT_FIT_QUADRATIC },
        { .confidence = 1 },
        { .confidence = -0.1 },
        { .confidence = (double)NAN },
        { .fitted = &three, .fitted_count = 1 },
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct prvcut_error err = { .status = PRVCUT_OK };

        ck_assert(!predict_file(epoch, &eight, 1, bad[i], &err));
        ck_assert_int_eq(err.status, PRVCUT_EUSAGE);
    }
    ck_assert(!predict_file(epoch, &zero, 1, bad[0], NULL));
    ck_assert(!predict_file(epoch, &eight, 0, bad[0], NULL));
}
END_TEST

/* Cut at every byte: a prediction or a fault that is told, never a crash. */
START_TEST(test_predict_cut_anywhere)
{
    static const char whole[] = "Number of processes;1;2\n\"Load balance\";99.5;98\n"
                                "Communication efficiency;100;90\nAverage IPC;1;1\n#\n"
                                "#Useful duration (total);8.5;9\n";

    for (size_t n = 0; n < sizeof whole; n++) {
        struct prvcut_error err = { .status = PRVCUT_OK };
        char text[sizeof whole];
        struct prvcut_prediction *p;

        memcpy(text, whole, n);
        text[n] = '\0';
        p = predict_table(text, 4, PRVCUT_FIT_LINEAR, &err);
        ck_assert(p || (err.status < 0 && err.text[0]));
        prvcut_prediction_free(p);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predict");
    TCase *tc = tcase_create("all");

    tcase_add_test(tc, test_predict_loglinear_p1);
    tcase_add_test(tc, test_predict_other_forms_p2);
    tcase_add_test(tc, test_predict_from_two_runs_p3);
    tcase_add_test(tc, test_predict_from_the_printed_table_p6);
    tcase_add_test(tc, test_predict_warns_p4);
    tcase_add_test(tc, test_predict_no_share_is_above_one_p4);
    tcase_add_test(tc, test_predict_factor_below_zero_is_none_p4);
    tcase_add_test(tc, test_predict_takes_coarse_factors_where_fine_ones_are_not_told);
    tcase_add_test(tc, test_predict_caps_what_rises_above_one);
    tcase_add_test(tc, test_predict_tells_weak_scaling_and_other_inputs);
    tcase_add_test(tc, test_predict_refuses_what_is_no_table);
    tcase_add_test(tc, test_predict_refuses_options_that_make_no_sense);
    tcase_add_test(tc, test_predict_cut_anywhere);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
