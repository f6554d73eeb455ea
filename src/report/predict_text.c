#include "analysis/predict/predict.h"
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Predictions that the first line tells. */
#define FIRST_MOST 4
/* Forms that differ less than this share agree. */
#define AGREE 0.05

static const char *ptx_title(enum prvcut_factor f)
{
    static const char *const title[] = {
        [PRVCUT_FACTOR_LOAD_BALANCE] = "Balance",
        [PRVCUT_FACTOR_SERIALIZATION] = "Serial",
        [PRVCUT_FACTOR_TRANSFER] = "Transfer",
        [PRVCUT_FACTOR_COMMUNICATION] = "Commun.",
        [PRVCUT_FACTOR_IPC] = "IPC",
        [PRVCUT_FACTOR_FREQUENCY] = "GHz",
        [PRVCUT_FACTOR_INSTRUCTIONS] = "Instr.",
        [PRVCUT_FACTOR_COMPUTING] = "Computing",
    };

    return title[f];
}

/* "6.27", "12.9", "527": three digits, as many for all. */
static char *ptx_speedup(char out[32], double x)
{
    if (isnan(x))
        strcpy(out, "-");
    else if (x < 99.95)
        snprintf(out, 32, "%.*f", x < 9.995 ? 2 : 1, x);
    else
        report_number(out, x);
    return out;
}

static void ptx_value(char cell[REPORT_CELL], enum prvcut_factor f, double x, bool capped)
{
    char text[32];

    if (isnan(x))
        report_set(cell, "-");
    else if (f <= PRVCUT_FACTOR_COMMUNICATION)
        snprintf(cell, REPORT_CELL, "%.1f %%%s", 100 * x, capped ? "*" : "");
    else if (f == PRVCUT_FACTOR_COMPUTING)
        report_set(cell, prvcut_time_text(text, x));
    else if (f == PRVCUT_FACTOR_INSTRUCTIONS)
        report_set(cell, report_number(text, x));
    else
        snprintf(cell, REPORT_CELL, "%.2f", x);
}

/* --- The first line --------------------------------------------------------------------------- */

static void ptx_interval(struct report_lines *l, const struct prvcut_prediction_point *at,
                         double confidence)
{
    char low[32], high[32];

    if (isnan(at->low))
        return;
    report_put(l, " (%s to %s", ptx_speedup(low, at->low), ptx_speedup(high, at->high));
    if (confidence > 0)
        report_put(l, ", %s %% sure", report_number(low, 100 * confidence));
    report_put(l, ")");
}

/* The fewest processes of runs that are fitted. */
static uint32_t ptx_fewest(const struct prvcut_prediction *p)
{
    size_t i = 0;

    while (i + 1 < p->runs && !prvcut_prediction_run(p, i)->fitted)
        i++;
    return prvcut_prediction_run(p, i)->processes;
}

/* "speedup over 1 process: 6.27 on 8 (5.48 to 7.16, 80 % sure), 9.55 on 16 (7.08 to 12.9)" */
static void ptx_first(struct report_lines *l, const struct prvcut_prediction *p)
{
    const uint32_t first = ptx_fewest(p);
    char text[32];

    report_put(l, "speedup over %" PRIu32 " process%s", first, first == 1 ? "" : "es");
    for (size_t i = 0; i < p->points && i < FIRST_MOST; i++) {
        const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);

        report_put(l, "%s %s on %" PRIu32, i == 0 ? ":" : ",", ptx_speedup(text, at->speedup),
                   at->processes);
        ptx_interval(l, at, i == 0 ? p->confidence : 0);
    }
    report_put(l, "\n");
}

/* --- The table of factors --------------------------------------------------------------------- */

static enum prvcut_factor ptx_factor(const struct prvcut_prediction *p, size_t i)
{
    return prvcut_prediction_factor(p, 0, i)->factor;
}

static void ptx_flush(struct report_lines *l, struct report_table *t)
{
    report_put_table_within(l, t);
    *t = (struct report_table){ .align = t->align };
}

static void ptx_run(const struct prvcut_prediction *p, size_t i, char (*row)[REPORT_CELL])
{
    const struct prvcut_prediction_run *r = prvcut_prediction_run(p, i);

    snprintf(row[0], REPORT_CELL, "%" PRIu32 "%s", r->processes, r->fitted ? "" : " not fitted");
    ptx_speedup(row[1], r->speedup);
    for (size_t k = 0; k < p->factors; k++)
        ptx_value(row[3 + k], ptx_factor(p, k), prvcut_prediction_measured(p, i, ptx_factor(p, k)),
                  false);
}

static void ptx_point(const struct prvcut_prediction *p, size_t i, char (*row)[REPORT_CELL])
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);
    char low[32], high[32];

    snprintf(row[0], REPORT_CELL, "%" PRIu32 " fit", at->processes);
    ptx_speedup(row[1], at->speedup);
    if (isnan(at->low))
        report_set(row[2], "-");
    else
        snprintf(row[2], REPORT_CELL, "%.14s to %.14s", ptx_speedup(low, at->low),
                 ptx_speedup(high, at->high));
    for (size_t k = 0; k < p->factors; k++) {
        const struct prvcut_prediction_factor *f = prvcut_prediction_factor(p, i, k);

        ptx_value(row[3 + k], f->factor, f->value, f->capped);
    }
}

static void ptx_factors(struct report_lines *l, const struct prvcut_prediction *p)
{
    struct report_table t = { .align = "rrrrrrrrr" };
    char(*row)[REPORT_CELL] = report_row(&t), text[32];

    report_set(row[0], "Processes");
    report_set(row[1], "Speedup");
    snprintf(row[2], REPORT_CELL, "%s %% sure", report_number(text, 100 * p->confidence));
    for (size_t k = 0; k < p->factors; k++)
        report_set(row[3 + k], ptx_title(ptx_factor(p, k)));
    for (size_t i = 0; i < p->runs + p->points; i++) {
        row = report_row(&t);
        if (!row) {
            ptx_flush(l, &t);
            row = report_row(&t);
        }
        if (i < p->runs)
            ptx_run(p, i, row);
        else
            ptx_point(p, i - p->runs, row);
    }
    ptx_flush(l, &t);
}

/* --- Other forms ------------------------------------------------------------------------------ */

static void ptx_forms(struct report_lines *l, const struct prvcut_prediction *p, bool plain)
{
    struct report_table t = { .align = "rrrrrrrrr" };
    char(*row)[REPORT_CELL] = report_row(&t);

    report_set(row[0], "Processes");
    for (size_t i = 0; i <= p->points; i++) {
        size_t column = 1;

        if (i > 0 && !(row = report_row(&t))) {
            ptx_flush(l, &t);
            row = report_row(&t);
        }
        if (i > 0)
            snprintf(row[0], REPORT_CELL, "%" PRIu32, prvcut_prediction_point(p, i - 1)->processes);
        for (size_t k = 0; k < p->forms; k++) {
            const struct prvcut_prediction_form *f =
                prvcut_prediction_form(p, i > 0 ? i - 1 : 0, k);

            if (f->plain == plain && i == 0)
                report_set(row[column++], prvcut_fit_text(f->fit));
            else if (f->plain == plain)
                ptx_speedup(row[column++], f->speedup);
        }
    }
    ptx_flush(l, &t);
}

/* --- Words ------------------------------------------------------------------------------------ */

/* "frequency (-7.5 %)" */
static void ptx_put_limit(struct report_lines *l, enum prvcut_factor f, double change)
{
    char text[32];

    report_put(l, "%s (%s %%)", prvcut_predict_name(f), report_signed(text, 100 * (change - 1)));
}

/* What changed most in the largest run, and what will. */
static void ptx_limits(struct report_lines *l, const struct prvcut_prediction *p)
{
    const struct prvcut_prediction_run *largest = NULL;

    for (size_t i = 0; i < p->runs; i++)
        if (prvcut_prediction_run(p, i)->fitted)
            largest = prvcut_prediction_run(p, i);
    for (size_t i = 0; i < p->points; i++) {
        const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);

        if (isnan(at->limit_change))
            continue;
        report_put(l, "%" PRIu32 " process%s: %s most by ", at->processes,
                   at->processes == 1 ? "" : "es", at->limit_change < 1 ? "limited" : "gains");
        ptx_put_limit(l, at->limit, at->limit_change);
        if (largest && i == 0 && !isnan(largest->limit_change)) {
            report_put(l, "; measured on %" PRIu32 ": ", largest->processes);
            ptx_put_limit(l, largest->limit, largest->limit_change);
        }
        report_put(l, "\n");
    }
}

static void ptx_real(struct report_lines *l, const struct prvcut_prediction *p)
{
    char real[32], off[32];

    for (size_t i = 0; i < p->points; i++) {
        const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);

        if (!isnan(at->real) && !isnan(at->speedup))
            report_put(l, "%" PRIu32 " process%s: measured %s; the prediction is %s %% off\n",
                       at->processes, at->processes == 1 ? "" : "es", ptx_speedup(real, at->real),
                       report_signed(off, 100 * (at->speedup / at->real - 1)));
    }
}

/* Forms of the factors that give other speedups: each may be right. */
static void ptx_disagree(struct report_lines *l, const struct prvcut_prediction *p)
{
    char low[32], high[32];

    for (size_t i = 0; i < p->points; i++) {
        double least = INFINITY, most = 0;

        for (size_t k = 0; k < p->forms; k++) {
            const struct prvcut_prediction_form *f = prvcut_prediction_form(p, i, k);

            if (!f->plain && !isnan(f->speedup)) {
                least = fmin(least, f->speedup);
                most = fmax(most, f->speedup);
            }
        }
        if (most > least * (1 + AGREE))
            report_put(l, "%" PRIu32 " process%s: forms disagree: %s .. %s\n",
                       prvcut_prediction_point(p, i)->processes,
                       prvcut_prediction_point(p, i)->processes == 1 ? "" : "es",
                       ptx_speedup(low, least), ptx_speedup(high, most));
    }
}

static bool ptx_capped(const struct prvcut_prediction *p)
{
    for (size_t i = 0; i < p->points; i++)
        for (size_t k = 0; k < p->factors; k++)
            if (prvcut_prediction_factor(p, i, k)->capped)
                return true;
    return false;
}

static void ptx_notes(struct report_lines *l, const struct prvcut_prediction *p)
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, 0);

    if (ptx_capped(p))
        report_put(l, "* set to 100 %%\n");
    if (at->no_interval && !at->reason)
        report_put(l, "note: no interval: %s\n", at->no_interval);
    for (size_t i = 0; i < p->points; i++)
        if (prvcut_prediction_point(p, i)->reason)
            report_put(l, "note: no speedup on %" PRIu32 ": %s\n",
                       prvcut_prediction_point(p, i)->processes,
                       prvcut_prediction_point(p, i)->reason);
    for (size_t i = 0; i < p->warnings; i++) {
        report_put(l, "warning: ");
        report_put_foreign(l, prvcut_prediction_warning(p, i));
        report_put(l, "\n");
    }
}

enum prvcut_status prvcut_prediction_text(const struct prvcut_prediction *p, char **text,
                                          struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    ptx_first(&l, p);
    ptx_factors(&l, p);
    ptx_limits(&l, p);
    ptx_real(&l, p);
    report_put(&l, "\nSpeedup by the form of fit of its factors (%s is used):\n",
               prvcut_fit_text(p->fit));
    ptx_forms(&l, p, false);
    ptx_disagree(&l, p);
    report_put(&l, "Speedup fitted as a whole, to compare:\n");
    ptx_forms(&l, p, true);
    ptx_notes(&l, p);
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}
