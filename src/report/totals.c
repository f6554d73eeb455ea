#include "report/chop.h"

#include <math.h>
#include <stdio.h>

static char *tot_number(char out[32], enum prvcut_total_unit unit, double x)
{
    if (unit == PRVCUT_TOTAL_NS)
        return prvcut_time_text(out, x);
    if (unit == PRVCUT_TOTAL_BYTES)
        return prvcut_size_text(out, x);
    return report_number(out, x);
}

/* In percent; what rounds to nothing has no sign. */
static double tot_off(const struct prvcut_total *t)
{
    const double off = 100 * (t->estimate / t->measured - 1);

    return fabs(off) < 0.05 ? 0 : off;
}

static void tot_set(char (*cell)[REPORT_CELL], const struct prvcut_total *t)
{
    char text[32];

    report_set(cell[0], t->name);
    report_set(cell[1], tot_number(text, t->unit, t->estimate));
    report_set(cell[2], tot_number(text, t->unit, t->low));
    report_set(cell[3], tot_number(text, t->unit, t->high));
    if (isnan(t->measured))
        return;
    report_set(cell[4], tot_number(text, t->unit, t->measured));
    if (t->measured > 0)
        snprintf(cell[5], REPORT_CELL, "%+.1f %%", tot_off(t));
}

void report_put_totals(struct report_lines *l, const struct made_reduction *r)
{
    static const char *const heads[] = { "Over the loop", "Estimate", "Low",
                                         "High",          "Measured", "Off" };
    struct report_table t = { .align = "lrrrrr" };
    char(*cell)[REPORT_CELL];

    if (r->is.totals == 0)
        return;
    cell = report_row(&t);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        report_set(cell[i], i == 0 && r->is.kinds_of_clear ? "Over its clear part" : heads[i]);
    for (size_t i = 0; i < r->is.totals; i++)
        tot_set(report_row(&t), &r->total[i]);
    report_put(l, "\n");
    report_put_table(l, &t);
    report_put(l, "estimated from the cuts of the kinds, by their iterations and their time\n");
}
