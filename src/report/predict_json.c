#include "model/made.h"
#include "report/json.h"

#include <math.h>

/* An array, each of which is made by one function. */
static json_t *pjs_list(const struct prvcut_prediction *p, size_t point, size_t count,
                        json_t *(*make)(const struct prvcut_prediction *p, size_t point, size_t i))
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < count; i++)
        bad |= json_array_append_new(list, make(p, point, i));
    return report_json_keep(list, bad);
}

static json_t *pjs_limit(enum prvcut_factor limit, double change)
{
    return report_json_text(isnan(change) ? NULL : prvcut_factor_text(limit));
}

static json_t *pjs_measured(const struct prvcut_prediction *p, size_t run, size_t i)
{
    const enum prvcut_factor f = prvcut_prediction_factor(p, 0, i)->factor;
    const struct report_field field[] = {
        { "factor", report_json_text(prvcut_factor_text(f)) },
        { "value", report_json_real(prvcut_prediction_measured(p, run, f)) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *pjs_run(const struct prvcut_prediction *p, size_t none, size_t i)
{
    const struct prvcut_prediction_run *r = prvcut_prediction_run(p, i);
    const struct report_field field[] = {
        { "processes", report_json_integer(r->processes) },
        { "file", report_json_text(r->name) },
        { "fitted", json_boolean(r->fitted) },
        { "speedup", report_json_real(r->speedup) },
        { "runtime_ns", report_json_rounded(r->runtime_ns) },
        { "limit", pjs_limit(r->limit, r->limit_change) },
        { "limit_change", report_json_real(r->limit_change) },
        { "factors", pjs_list(p, i, p->factors, pjs_measured) },
    };

    (void)none;
    return REPORT_JSON_OBJECT(field);
}

static json_t *pjs_factor(const struct prvcut_prediction *p, size_t point, size_t i)
{
    const struct prvcut_prediction_factor *f = prvcut_prediction_factor(p, point, i);
    const struct report_field field[] = {
        { "factor", report_json_text(prvcut_factor_text(f->factor)) },
        { "value", report_json_real(f->value) },
        { "low", report_json_real(f->low) },
        { "high", report_json_real(f->high) },
        { "capped", json_boolean(f->capped) },
        { "reason", report_json_text(f->reason) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *pjs_form(const struct prvcut_prediction *p, size_t point, size_t i)
{
    const struct prvcut_prediction_form *f = prvcut_prediction_form(p, point, i);
    const struct report_field field[] = {
        { "fit", report_json_text(prvcut_fit_text(f->fit)) },
        { "plain", json_boolean(f->plain) },
        { "speedup", report_json_real(f->speedup) },
        { "reason", report_json_text(f->reason) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *pjs_point(const struct prvcut_prediction *p, size_t none, size_t i)
{
    const struct prvcut_prediction_point *at = prvcut_prediction_point(p, i);
    const struct report_field field[] = {
        { "processes", report_json_integer(at->processes) },
        { "speedup", report_json_real(at->speedup) },
        { "low", report_json_real(at->low) },
        { "high", report_json_real(at->high) },
        { "runtime_ns", report_json_rounded(at->runtime_ns) },
        { "real", report_json_real(at->real) },
        { "limit", pjs_limit(at->limit, at->limit_change) },
        { "limit_change", report_json_real(at->limit_change) },
        { "reason", report_json_text(at->reason) },
        { "no_interval", report_json_text(at->no_interval) },
        { "factors", pjs_list(p, i, p->factors, pjs_factor) },
        { "forms", pjs_list(p, i, p->forms, pjs_form) },
    };

    (void)none;
    return REPORT_JSON_OBJECT(field);
}

enum prvcut_status prvcut_prediction_json(const struct prvcut_prediction *p, char **text,
                                          struct prvcut_error *err)
{
    const struct made_prediction *made = made_prediction_of(p);
    const struct report_field field[] = {
        REPORT_JSON_HEAD("prvcut-predict"),
        { "fit", report_json_text(prvcut_fit_text(p->fit)) },
        { "confidence", report_json_real(p->confidence) },
        { "scaling", report_json_text(p->weak ? "weak" : "strong") },
        { "runs", pjs_list(p, 0, p->runs, pjs_run) },
        { "predictions", pjs_list(p, 0, p->points, pjs_point) },
        { "warnings",
          report_json_texts((const char *const *)(const void *)made->warning, p->warnings) },
    };

    return report_json_take(REPORT_JSON_OBJECT(field), text, err);
}
