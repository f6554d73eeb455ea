#include "model/made.h"
#include "report/json.h"
#include "report/lines.h"

#include <inttypes.h>
#include <math.h>

static json_t *sjs_time(const struct prvcut_span *w, bool start)
{
    return w->end > 0 ? report_json_integer(start ? w->start : w->end) : json_null();
}

static json_t *sjs_picks(const struct prvcut_sample *s, size_t length, enum prvcut_technique t)
{
    const struct prvcut_sample_pick *pick = prvcut_sample_picks(s, length, t);
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < prvcut_sample_choice(s, length, t)->picks; i++) {
        const struct prvcut_span w = prvcut_sample_window(s, length, pick[i].interval);
        const struct report_field field[] = {
            { "interval", report_json_integer(pick[i].interval) },
            { "weight", report_json_real(pick[i].weight) },
            { "start_ns", sjs_time(&w, true) },
            { "end_ns", sjs_time(&w, false) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_choices(const struct prvcut_sample *s, size_t length)
{
    json_t *list = json_array();
    int bad = 0;

    for (int t = 0; t < MADE_TECHNIQUES; t++) {
        const struct prvcut_sample_choice *c =
            prvcut_sample_choice(s, length, (enum prvcut_technique)t);

        if (c) {
            const struct report_field field[] = {
                { "technique", report_json_text(prvcut_technique_text(c->technique)) },
                { "value", report_json_real(c->value) },
                { "error_percent", report_json_real(c->error_percent) },
                { "intervals", sjs_picks(s, length, c->technique) },
            };

            bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
        }
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_lengths(const struct prvcut_sample *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->lengths; i++) {
        const struct prvcut_sample_length *l = prvcut_sample_length(s, i);
        const struct report_field field[] = {
            { "length_percent", report_json_real(100 * l->periods) },
            { "bins", report_json_integer(l->bins) },
            { "intervals", report_json_integer(l->intervals) },
            { "reason", report_json_text(l->reason) },
            { "choices", sjs_choices(s, i) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_plan(const struct prvcut_sample *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->planned; i++) {
        const struct prvcut_sample_plan *p = prvcut_sample_plan(s, i);
        const struct report_field field[] = {
            { "counter", report_json_text(p->counter) },
            { "group", report_json_integer(p->group + 1) },
            { "start_ns", report_json_integer(p->window.start) },
            { "end_ns", report_json_integer(p->window.end) },
            { "counted", report_json_real(p->counted) },
            { "run", report_json_real(p->run) },
            { "loop", report_json_real(p->loop) },
            { "measured", report_json_real(p->real) },
            { "error_percent", report_json_real(p->error_percent) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_real(const struct prvcut_sample *s, double x)
{
    return s->no_loop || s->reason ? json_null() : report_json_real(x);
}

enum prvcut_status prvcut_sample_json(const struct prvcut_sample *s, char **text,
                                      struct prvcut_error *err)
{
    const struct report_field field[] = {
        REPORT_JSON_HEAD("prvcut-sample"),
        { "name", report_json_text(s->name) },
        { "no_loop", report_json_text(s->no_loop) },
        { "reason", report_json_text(s->reason) },
        { "start_ns", sjs_time(&s->span, true) },
        { "end_ns", sjs_time(&s->span, false) },
        { "bins", report_json_integer(s->bins) },
        { "bin_ns", s->bin_ns > 0 ? report_json_real(s->bin_ns) : json_null() },
        { "period_bins", sjs_real(s, s->period) },
        { "period_given", json_boolean(s->period_given) },
        { "choose_by", report_json_text(s->choose_by) },
        { "predict", report_json_text(s->predict) },
        { "whole", sjs_real(s, s->whole) },
        { "clusters", report_json_integer(s->clusters) },
        { "lengths", sjs_lengths(s) },
        { "plan", sjs_plan(s) },
        { "warnings",
          report_json_texts((const char *const *)(const void *)made_sample_of(s)->warning,
                            s->warnings) },
    };

    return report_json_take(REPORT_JSON_OBJECT(field), text, err);
}

/* --- CSV -------------------------------------------------------------------------------------- */

static void sjs_csv(struct report_lines *l, const struct prvcut_sample *s, size_t length,
                    enum prvcut_technique t)
{
    const struct prvcut_sample_length *at = prvcut_sample_length(s, length);
    const struct prvcut_sample_choice *c = prvcut_sample_choice(s, length, t);
    const struct prvcut_sample_pick *pick = prvcut_sample_picks(s, length, t);

    for (size_t i = 0; c && i < c->picks; i++) {
        const struct prvcut_span w = prvcut_sample_window(s, length, pick[i].interval);

        report_put_exact(l, round(1e6 * 100 * at->periods) / 1e6, "");
        report_put(l, ",%" PRIu64 ",%" PRIu64 ",%s,%.6f,%zu,%" PRIu64 ",%.6f,", at->bins,
                   at->intervals, prvcut_technique_text(t), c->error_percent, i, pick[i].interval,
                   pick[i].weight);
        if (w.end > 0)
            report_put(l, "%" PRIu64 ",%" PRIu64 "\n", w.start, w.end);
        else
            report_put(l, ",\n");
    }
}

enum prvcut_status prvcut_sample_csv(const struct prvcut_sample *s, char **text,
                                     struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "length_percent,bins,intervals,technique,error_percent,cluster,interval,weight,"
                   "start_ns,end_ns\n");
    for (size_t i = 0; i < s->lengths; i++)
        for (int t = 0; t < MADE_TECHNIQUES; t++)
            sjs_csv(&l, s, i, (enum prvcut_technique)t);
    return report_take(&l, text);
}
