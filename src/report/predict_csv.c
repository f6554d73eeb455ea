#include "model/made.h"
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>

static void pcv_number(struct report_lines *l, double x)
{
    report_put(l, ",");
    report_put_exact(l, x, "");
}

static void pcv_time(struct report_lines *l, double ns)
{
    if (isnan(ns))
        report_put(l, ",");
    else
        report_put(l, ",%.0f", ns);
}

static void pcv_head(struct report_lines *l, const struct prvcut_prediction *p)
{
    report_put(l, "processes,what,speedup,low,high,runtime_ns,real,limit,limit_change");
    for (size_t k = 0; k < p->factors; k++) {
        const char *name = prvcut_factor_text(prvcut_prediction_factor(p, 0, k)->factor);

        report_put(l, ",%s,%s_low,%s_high", name, name, name);
    }
    for (size_t k = 0; k < p->forms; k++) {
        const struct prvcut_prediction_form *f = prvcut_prediction_form(p, 0, k);

        report_put(l, ",%s%s", f->plain ? "plain_" : "", prvcut_fit_text(f->fit));
    }
    report_put(l, "\n");
}

static void pcv_limit(struct report_lines *l, enum prvcut_factor limit, double change)
{
    report_put(l, ",%s", isnan(change) ? "" : prvcut_factor_text(limit));
    pcv_number(l, change);
}

static void pcv_run(struct report_lines *l, const struct prvcut_prediction *p, size_t i)
{
    const struct prvcut_prediction_run *r = prvcut_prediction_run(p, i);

    report_put(l, "%" PRIu32 ",%s", r->processes, r->fitted ? "fitted" : "measured");
    pcv_number(l, r->speedup);
    report_put(l, ",,");
    pcv_time(l, r->runtime_ns);
    pcv_number(l, r->speedup);
    pcv_limit(l, r->limit, r->limit_change);
    for (size_t k = 0; k < p->factors; k++) {
        pcv_number(l, prvcut_prediction_measured(p, i, prvcut_prediction_factor(p, 0, k)->factor));
        report_put(l, ",,");
    }
    for (size_t k = 0; k < p->forms; k++)
        report_put(l, ",");
    report_put(l, "\n");
}

static void pcv_point(struct report_lines *l, const struct prvcut_prediction *p, size_t i)
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);

    report_put(l, "%" PRIu32 ",predicted", at->processes);
    pcv_number(l, at->speedup);
    pcv_number(l, at->low);
    pcv_number(l, at->high);
    pcv_time(l, at->runtime_ns);
    pcv_number(l, at->real);
    pcv_limit(l, at->limit, at->limit_change);
    for (size_t k = 0; k < p->factors; k++) {
        const struct prvcut_prediction_factor *f = prvcut_prediction_factor(p, i, k);

        pcv_number(l, f->value);
        pcv_number(l, f->low);
        pcv_number(l, f->high);
    }
    for (size_t k = 0; k < p->forms; k++)
        pcv_number(l, prvcut_prediction_form(p, i, k)->speedup);
    report_put(l, "\n");
}

enum prvcut_status prvcut_prediction_csv(const struct prvcut_prediction *p, char **text,
                                         struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    pcv_head(&l, p);
    for (size_t i = 0; i < p->runs; i++)
        pcv_run(&l, p, i);
    for (size_t i = 0; i < p->points; i++)
        pcv_point(&l, p, i);
    return report_take(&l, text);
}
