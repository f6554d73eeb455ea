#include "report/efficiency.h"

#include "model/factors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Runs of one program whose instructions, or whose computing, differ by more are hardly such of the
   same input. */
#define UNLIKE_COUNTED  2.0
#define UNLIKE_COMPUTED 4.0

const char *report_efficiency_scaling(enum prvcut_scaling s)
{
    static const char *const text[] = { "auto", "strong", "weak" };

    return text[s];
}

const char *report_efficiency_form(enum prvcut_factors_form f)
{
    return f == PRVCUT_FACTORS_ADDITIVE ? "additive" : "multiplicative";
}

const char *report_efficiency_waits(enum prvcut_waits w)
{
    return w == PRVCUT_WAITS_CAUSAL ? "causal" : "dimemas";
}

const struct prvcut_efficiency_group *report_efficiency_group(const struct prvcut_efficiency *e,
                                                              size_t run)
{
    const struct prvcut_efficiency_group *g = NULL;

    for (size_t i = 0; i < e->groups; i++)
        if (prvcut_efficiency_group(e, i)->first <= run)
            g = prvcut_efficiency_group(e, i);
    return g;
}

const char *report_efficiency_unlike(const struct prvcut_efficiency *e, size_t run)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);
    const double counted = prvcut_efficiency_factor(r, PRVCUT_POP_INSTRUCTION_SCALABILITY);
    const double computed = prvcut_efficiency_factor(r, PRVCUT_POP_COMPUTATION_SCALABILITY);

    if (report_efficiency_of_parts(e) || made_efficiency_run_of(r)->unlike)
        return made_efficiency_run_of(r)->unlike;
    if (made_efficiency_run_of(r)->other)
        return made_efficiency_run_of(r)->other;
    if (made_efficiency_run_of(r)->loops)
        return NULL;
    if (counted > UNLIKE_COUNTED || counted < 1 / UNLIKE_COUNTED)
        return "its instructions are far from those of the run that it is compared with: is it "
               "the same program and input?";
    if (isnan(counted) && (computed > UNLIKE_COMPUTED || computed < 1 / UNLIKE_COMPUTED))
        return "its computing is far from that of the run that it is compared with: is it the same "
               "program and input?";
    return NULL;
}

const char *report_efficiency_above(const struct prvcut_efficiency *e, size_t run)
{
    static const enum prvcut_pop factor[] = { PRVCUT_POP_COMMUNICATION, PRVCUT_POP_SERIALIZATION,
                                              PRVCUT_POP_TRANSFER };
    const struct made_efficiency *made = made_efficiency_of(e);

    for (size_t i = 0; i < sizeof factor / sizeof *factor &&
                       (report_efficiency_of_parts(e) || made->options.first > 0);
         i++)
        if (made->run[run].factor[factor[i]] > 1)
            return "above 100 %: times are means over threads, each of which has borders of its "
                   "own, and on the ideal network waiting falls into other iterations";
    return NULL;
}

/* --- As basicanalysis ------------------------------------------------------------------------- */

/* Rows that are factors; the others are raw. */
static const enum prvcut_pop ref_factor[] = {
    [PRVCUT_FACTORS_PARALLEL] = PRVCUT_POP_PARALLEL,
    [PRVCUT_FACTORS_LOAD_BALANCE] = PRVCUT_POP_BALANCE,
    [PRVCUT_FACTORS_COMMUNICATION] = PRVCUT_POP_COMMUNICATION,
    [PRVCUT_FACTORS_SERIALIZATION] = PRVCUT_POP_SERIALIZATION,
    [PRVCUT_FACTORS_TRANSFER] = PRVCUT_POP_TRANSFER,
    [PRVCUT_FACTORS_COMPUTATION] = PRVCUT_POP_COMPUTATION_SCALABILITY,
    [PRVCUT_FACTORS_GLOBAL] = PRVCUT_POP_GLOBAL,
    [PRVCUT_FACTORS_IPC_SCALABILITY] = PRVCUT_POP_IPC_SCALABILITY,
    [PRVCUT_FACTORS_INSTRUCTION_SCALABILITY] = PRVCUT_POP_INSTRUCTION_SCALABILITY,
    [PRVCUT_FACTORS_FREQUENCY_SCALABILITY] = PRVCUT_POP_FREQUENCY_SCALABILITY,
    [PRVCUT_FACTORS_SPEEDUP] = PRVCUT_POP_SPEEDUP,
    [PRVCUT_FACTORS_IPC] = PRVCUT_POP_IPC,
    [PRVCUT_FACTORS_FREQUENCY] = PRVCUT_POP_FREQUENCY,
};

#define REF_FACTORS (sizeof ref_factor / sizeof *ref_factor)

static double effi_raw(const struct prvcut_efficiency_run *r, enum prvcut_factors_row what)
{
    const double total = report_efficiency_number(r->computing_ns);
    const double value[PRVCUT_FACTORS_ROWS] = {
        [PRVCUT_FACTORS_RUNTIME] = r->runtime_ns / 1e3,
        [PRVCUT_FACTORS_RUNTIME_IDEAL] = r->ideal_ns / 1e3,
        [PRVCUT_FACTORS_USEFUL_MEAN] = total / r->threads / 1e3,
        [PRVCUT_FACTORS_USEFUL_MOST] = report_efficiency_number(r->most_ns) / 1e3,
        [PRVCUT_FACTORS_USEFUL_TOTAL] = total / 1e3,
        [PRVCUT_FACTORS_USEFUL_IDEAL_MOST] =
            isnan(total) ? total : made_efficiency_run_of(r)->ideal_most / 1e3,
        [PRVCUT_FACTORS_INSTRUCTIONS] = r->instructions,
        [PRVCUT_FACTORS_CYCLES] = r->cycles,
    };

    return value[what];
}

/* As the table itself prints it. */
static double effi_printed(double us)
{
    char text[40];

    snprintf(text, sizeof text, "%.2f", us);
    return strtod(text, NULL);
}

/* Tools that take serialization of all outside calls divide what they have printed; on a border
   that decides the last digit. */
static double effi_of(const struct prvcut_efficiency *e, const struct prvcut_efficiency_run *r,
                      enum prvcut_pop factor)
{
    const double exact = prvcut_efficiency_factor(r, factor);

    if (factor != PRVCUT_POP_TRANSFER || isnan(exact) ||
        e->ideal_computing != PRVCUT_COMPUTING_OUTSIDE || e->form != PRVCUT_FACTORS_MULTIPLICATIVE)
        return exact;
    return effi_printed(effi_raw(r, PRVCUT_FACTORS_USEFUL_MOST)) /
           effi_printed(effi_raw(r, PRVCUT_FACTORS_RUNTIME)) /
           (effi_printed(effi_raw(r, PRVCUT_FACTORS_USEFUL_IDEAL_MOST)) /
            effi_printed(effi_raw(r, PRVCUT_FACTORS_RUNTIME_IDEAL)));
}

static double effi_value_of(const struct prvcut_efficiency *e, size_t run,
                            enum prvcut_factors_row row)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);

    if (row >= REF_FACTORS)
        return effi_raw(r, row);
    return (prvcut_factors_line[row].unit == PRVCUT_FACTORS_PERCENT ? 100 : 1) *
           effi_of(e, r, ref_factor[row]);
}

static void effi_row(struct report_lines *l, const struct prvcut_efficiency *e,
                     enum prvcut_factors_row row)
{
    report_put(l, "%s%s", row < REF_FACTORS ? "" : "#", prvcut_factors_line[row].name);
    for (size_t k = 0; k < e->runs; k++) {
        const double x = effi_value_of(e, k, row);

        report_put(l, "%c", PRVCUT_FACTORS_SEPARATOR);
        if (isnan(x))
            report_put(l, "NaN");
        else
            report_put(l, "%.*f", row < REF_FACTORS ? 6 : 2, x);
    }
    report_put(l, "\n");
}

static void effi_basicanalysis(struct report_lines *l, const struct prvcut_efficiency *e)
{
    report_put(l, PRVCUT_FACTORS_HEAD);
    for (size_t k = 0; k < e->runs; k++)
        report_put(l, "%c%" PRIu32, PRVCUT_FACTORS_SEPARATOR, prvcut_efficiency_run(e, k)->threads);
    report_put(l, "\n");
    for (unsigned i = 0; i < PRVCUT_FACTORS_ROWS; i++) {
        if (i == REF_FACTORS)
            report_put(l, "#\n");
        effi_row(l, e, (enum prvcut_factors_row)i);
    }
    if (e->groups == 0)
        return;
    report_put(l, "#" PRVCUT_FACTORS_APPLICATION);
    for (size_t k = 0; k < e->runs; k++)
        report_put(l, "%c%" PRIu32, PRVCUT_FACTORS_SEPARATOR,
                   prvcut_efficiency_run(e, k)->application);
    report_put(l, "\n");
}

/* --- One line a part, or a thread ------------------------------------------------------------- */

static void effi_value(struct report_lines *l, double x, int places)
{
    report_put(l, ",");
    if (!isnan(x))
        report_put(l, "%.*f", places, x);
}

static void effi_parts(struct report_lines *l, const struct prvcut_efficiency *e)
{
    static const enum prvcut_pop factor[] = {
        PRVCUT_POP_PARALLEL, PRVCUT_POP_BALANCE, PRVCUT_POP_COMMUNICATION, PRVCUT_POP_SERIALIZATION,
        PRVCUT_POP_TRANSFER, PRVCUT_POP_IPC,     PRVCUT_POP_FREQUENCY,
    };
    const bool iterations = e->by == PRVCUT_EFFICIENCY_BY_ITERATION;

    report_put(l, "%s", e->groups > 0 ? "application," : "");
    report_put(l, "region,%sstart_ns,end_ns,disturbed,runtime_ns,ideal_ns,computing_ns,most_ns,",
               iterations ? "iteration," : "");
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
        report_put(l, "%s,", prvcut_pop_text(factor[i]));
    report_put(l, "instructions,cycles\n");
    for (size_t k = 0; k < e->runs; k++) {
        const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, k);

        if (e->groups > 0)
            report_put(l, "%" PRIu32 ",", r->application);
        report_put(l, "%s", r->region ? r->region : "");
        if (iterations)
            report_put(l, ",%" PRIu64, r->iteration);
        report_put(l, ",%" PRIu64 ",%" PRIu64 ",%d", r->span.start, r->span.end, r->disturbed);
        effi_value(l, r->runtime_ns, 2);
        effi_value(l, r->ideal_ns, 2);
        effi_value(l, report_efficiency_number(r->computing_ns), 0);
        effi_value(l, report_efficiency_number(r->most_ns), 0);
        for (size_t i = 0; i < sizeof factor / sizeof *factor; i++)
            effi_value(l, prvcut_efficiency_factor(r, factor[i]), 6);
        effi_value(l, r->instructions, 0);
        effi_value(l, r->cycles, 0);
        report_put(l, "\n");
    }
}

/* Do lines tell their group? */
static bool effi_tells_group(const struct prvcut_efficiency *e)
{
    return e->groups > 0 && !report_efficiency_of_programs(e);
}

static void effi_rank(struct report_lines *l, const struct prvcut_efficiency *e, size_t run,
                      const struct prvcut_efficiency_rank *k)
{
    const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, run);

    if (effi_tells_group(e)) {
        report_put_value(l, report_efficiency_group(e, run)->name);
        report_put(l, ",");
    }
    report_put_value(l, r->name);
    if (report_efficiency_of_programs(e))
        report_put(l, ",%" PRIu32, r->application);
    report_put(l, ",%" PRIu32 ",", k->rank);
    report_put_value(l, k->name);
    report_put(l, ",%" PRIu64, k->recorded_ns);
    effi_value(l, report_efficiency_number(k->computing_ns), 0);
    report_put(l, ",%" PRIu64, k->calls_ns);
    effi_value(l, report_efficiency_number(k->rest_ns), 0);
    effi_value(l, k->of_most, 6);
    effi_value(l, k->waits_ns, 0);
    effi_value(l, k->ideal_waits_ns, 0);
    effi_value(l, k->instructions, 0);
    effi_value(l, k->cycles, 0);
    report_put(l, "\n");
}

static void effi_ranks(struct report_lines *l, const struct prvcut_efficiency *e)
{
    report_put(l, "%sname,%s", effi_tells_group(e) ? "group," : "",
               report_efficiency_of_programs(e) ? "application," : "");
    report_put(l, "rank,thread,recorded_ns,computing_ns,calls_ns,rest_ns,of_most,waits_ns,"
                  "ideal_waits_ns,instructions,cycles\n");
    for (size_t i = 0; i < e->runs; i++) {
        const struct prvcut_efficiency_run *r = prvcut_efficiency_run(e, i);

        for (size_t k = 0; k < r->ranks; k++)
            effi_rank(l, e, i, prvcut_efficiency_rank(r, k));
    }
}

enum prvcut_status prvcut_efficiency_csv(const struct prvcut_efficiency *e, bool ranks, char **text,
                                         struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    if (e->groups > 1 && !ranks && !report_efficiency_of_programs(e))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "basicanalysis' table has one group of runs, not "
                           "several");
    if (report_efficiency_of_parts(e))
        effi_parts(&l, e);
    else if (ranks)
        effi_ranks(&l, e);
    else
        effi_basicanalysis(&l, e);
    return report_take(&l, text);
}

bool report_efficiency_is_hybrid(const struct prvcut_efficiency *e)
{
    for (size_t i = 0; i < e->runs; i++)
        if (prvcut_efficiency_run(e, i)->threads > prvcut_efficiency_run(e, i)->tasks)
            return true;
    return false;
}
