#include "report/proof.h"

#include "report/clear.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The worst rows tell; the JSON has all. */
#define ROWS_SHOWN 10

/* What the verdict says beyond its word. */
static const struct {
    const char *verdict, *meaning;
} prf_meanings[] = {
    { "fair", ": alike but for what is listed first" },
    { "doubtful", ": they differ" },
};

static const char *prf_meaning(const char *verdict)
{
    for (size_t i = 0; i < sizeof prf_meanings / sizeof *prf_meanings; i++)
        if (strcmp(prf_meanings[i].verdict, verdict) == 0)
            return prf_meanings[i].meaning;
    return "";
}

static void prf_value(char cell[REPORT_CELL], const char *unit, double x)
{
    char text[32];

    if (strcmp(unit, "share") == 0)
        snprintf(cell, REPORT_CELL, "%.2f %%", 100 * x);
    else if (strncmp(unit, "B/", 2) == 0)
        report_set(cell, prvcut_size_text(text, x));
    else if (fabs(x) >= 1e7)
        snprintf(cell, REPORT_CELL, "%.4g", x);
    else
        snprintf(cell, REPORT_CELL, "%.*f", fabs(x) < 100 ? 2 : 0, x);
}

/* "+3.1 %"; what only the chop has is beyond all bounds. */
static void prf_error(char cell[REPORT_CELL], double error)
{
    if (isinf(error))
        report_set(cell, "only in the cut");
    else
        snprintf(cell, REPORT_CELL, "%+.1f %%", 100 * error);
}

static void prf_set_row(struct report_table *t, const struct prvcut_proof_row *r)
{
    char(*cell)[REPORT_CELL] = report_row(t), safe[REPORT_CELL];

    if (!cell)
        return;
    report_set(cell[0], prvcut_quote(safe, sizeof safe, r->name, strlen(r->name)));
    report_set(cell[1], r->group);
    prf_value(cell[2], r->unit, r->chop);
    prf_value(cell[3], r->unit, r->region);
    prf_error(cell[4], r->error);
    snprintf(cell[5], REPORT_CELL, "%.2f", r->weight);
    report_set(cell[6], r->unit);
}

static void prf_put_rows(struct report_lines *l, const struct prvcut_proof *p)
{
    static const char *const heads[] = { "Quantity", "Group",  "Cut", "Region",
                                         "Error",    "Weight", "Unit" };
    struct report_table t = { .align = "llrrrrl" };
    char(*cell)[REPORT_CELL] = report_row(&t);

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_set(cell[i], heads[i]);
    for (size_t i = 0; i < p->rows && i < ROWS_SHOWN; i++)
        prf_set_row(&t, &p->row[i]);
    report_put(l, "\n");
    report_put_table(l, &t);
    if (p->rows > ROWS_SHOWN)
        report_put(l, "and %zu more that differ less; --json has them all\n", p->rows - ROWS_SHOWN);
}

void report_put_verdict(struct report_lines *l, const struct prvcut_proof *p)
{
    char error[REPORT_CELL];

    report_put(l, "%s", p->verdict);
    if (p->rows == 0)
        return;
    prf_error(error, p->row[0].error);
    report_put(l, "; worst ");
    report_put_foreign(l, p->row[0].name);
    report_put(l, ", %s", error);
}

char *report_compared(char out[96], const struct prvcut_reduction *r, const struct prvcut_chop *c)
{
    const double all = c->region < r->structure.regions ? report_clear_total(r, c->region) : 0;
    char count[32];
    const int n = snprintf(out, 96, "the %s of region %u.%u",
                           report_tenths(count, c->proof.iterations_region), c->level, c->number);

    if (all > 0 && n > 0 && n < 96)
        snprintf(out + n, 96 - (size_t)n, " (of %s in all)", report_tenths(count, all));
    return out;
}

void report_put_proof(struct report_lines *l, const struct prvcut_reduction *r,
                      const struct prvcut_chop *c)
{
    const struct prvcut_proof *p = &c->proof;
    char with[96];

    if (!p->verdict)
        return;
    report_head(l, "Proof");
    if (strcmp(p->verdict, "unknown") == 0) {
        report_put(l, "unknown: there was nothing to compare\n");
        return;
    }
    report_put(l, "%s: %u iteration%s against %s%s\n", p->verdict, c->iterations,
               c->iterations == 1 ? "" : "s", report_compared(with, r, c), prf_meaning(p->verdict));
    if (p->unlike > 0)
        report_put(l, "%-12s%u of %u threads make clearly more or fewer calls than in the region\n",
                   "", p->unlike, p->threads);
    if (p->rows > 0)
        prf_put_rows(l, p);
}
