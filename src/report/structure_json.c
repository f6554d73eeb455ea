#include "report/json.h"
#include "report/structure.h"

#include <stdio.h>
#include <string.h>

static json_t *sjs_vote(const struct prvcut_vote *v)
{
    const bool said = v->period_ns > 0;
    const struct report_field fields[] = {
        { "name", report_json_text(v->metric) },
        { "status", report_json_text(v->status) },
        { "period_ns", report_json_rounded(v->period_ns) },
        { "iterations", said ? report_json_real(v->iterations) : json_null() },
        { "strength", report_json_real(v->strength) },
        { "span", said ? report_json_span(&v->span) : json_null() },
        { "why", report_json_text(v->why ? v->why : "") },
    };

    return REPORT_JSON_OBJECT(fields);
}

json_t *report_json_votes(const struct prvcut_vote *vote, size_t votes)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < votes; i++)
        bad |= json_array_append_new(list, sjs_vote(&vote[i]));
    return report_json_keep(list, bad);
}

/* Threads are numbered from 1, as the trace lists them. */
static json_t *sjs_threads(const struct prvcut_mask *m)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < m->threads; i++)
        bad |= json_array_append_new(list, json_integer((json_int_t)m->thread[i] + 1));
    return report_json_keep(list, bad);
}

static json_t *sjs_mask(const struct prvcut_mask *m)
{
    const struct report_field fields[] = {
        { "cause", report_json_text(m->cause) },
        { "start_ns", report_json_integer(m->span.start) },
        { "end_ns", report_json_integer(m->span.end) },
        { "affected", report_json_integer(m->affected) },
        { "threads", sjs_threads(m) },
    };

    return REPORT_JSON_OBJECT(fields);
}

json_t *report_json_masks(const struct prvcut_structure *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->masks; i++)
        bad |= json_array_append_new(list, sjs_mask(&s->mask[i]));
    return report_json_keep(list, bad);
}

static json_t *sjs_outliers(const struct prvcut_region *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->outliers; i++) {
        const struct prvcut_outlier *o = &r->outlier[i];
        const struct report_field fields[] = {
            { "iteration", report_json_integer(r->first + o->iteration) },
            { "start_ns", report_json_integer(o->span.start) },
            { "end_ns", report_json_integer(o->span.end) },
            { "deviation", report_json_real(o->deviation) },
            { "deviation_from_median", report_json_real(report_from_median(r, o)) },
            { "why", report_json_text(o->why) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_departures(const struct prvcut_region *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->departures; i++) {
        const struct prvcut_departure *d = &r->departure[i];
        const struct report_field fields[] = {
            { "first", report_json_integer(r->first + d->first) },
            { "every", d->every > 0 ? report_json_integer(d->every) : json_null() },
            { "count", report_json_integer(d->count) },
            { "calls", json_integer((json_int_t)d->calls) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_borders(const struct prvcut_region *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->borders; i++)
        bad |= json_array_append_new(list, report_json_integer(r->border[i]));
    return report_json_keep(list, bad);
}

/* An index or a number that may be missing. */
static json_t *sjs_index(bool known, size_t n)
{
    return known ? report_json_integer(n) : json_null();
}

static json_t *sjs_region(const struct prvcut_structure *s, const struct prvcut_region *r)
{
    const bool is = r->loop > 0;
    char name[32];

    snprintf(name, sizeof name, "%u.%u", r->level, r->number);
    const struct report_field fields[] = {
        { "region", is ? report_json_text(name) : json_null() },
        { "kind", report_json_text(r->kind) },
        { "cause", report_json_text(r->cause ? r->cause : "") },
        { "level", report_json_integer(r->level) },
        { "number", sjs_index(is, r->number) },
        { "loop", sjs_index(is, r->loop) },
        { "parent", sjs_index(r->parent < s->regions, r->parent) },
        { "start_ns", report_json_integer(r->span.start) },
        { "end_ns", report_json_integer(r->span.end) },
        { "iterations", is ? report_json_real(r->iterations) : json_null() },
        { "first_iteration", sjs_index(is, r->first) },
        { "loop_iterations", sjs_index(is, r->loop_iterations) },
        { "period_ns", report_json_rounded(r->period_ns) },
        { "median_ns", report_json_rounded(r->median_ns) },
        { "first_ns", report_json_rounded(r->first_ns) },
        { "last_ns", report_json_rounded(r->last_ns) },
        { "spread_ns", is ? report_json_rounded(r->spread_ns) : json_null() },
        { "confidence", is ? report_json_real(r->confidence) : json_null() },
        { "source", report_json_text(r->source ? r->source : "") },
        { "alphabet", report_json_text(r->alphabet ? r->alphabet : "") },
        { "calls_per_iteration", report_json_rounded(r->calls_per_iteration) },
        { "examined", report_json_integer(r->examined) },
        { "followers", report_json_integer(r->followers) },
        { "example",
          r->example.end > r->example.start ? report_json_span(&r->example) : json_null() },
        { "outliers_seen", report_json_integer(r->outliers_seen) },
        { "outliers", sjs_outliers(r) },
        { "departures", sjs_departures(r) },
        { "votes", report_json_votes(r->vote, r->votes) },
        { "borders_ns", sjs_borders(r) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *sjs_regions(const struct prvcut_structure *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->regions; i++)
        bad |= json_array_append_new(list, sjs_region(s, &s->region[i]));
    return report_json_keep(list, bad);
}

json_t *report_json_structure(const struct prvcut_structure *s)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-structure"),
        { "end_ns", report_json_integer(s->end_ns) },
        { "span", report_json_span(&s->span) },
        { "levels", report_json_integer(s->levels) },
        { "loops", report_json_integer(s->loops) },
        { "main", sjs_index(s->main < s->regions, s->main) },
        { "reason", report_json_text(s->reason ? s->reason : "") },
        { "regions", sjs_regions(s) },
        { "masked", report_json_masks(s) },
        { "iterations_masked", report_json_integer(s->iterations_masked) },
    };

    return REPORT_JSON_OBJECT(fields);
}

enum prvcut_status prvcut_structure_json(const struct prvcut_structure *s, char **text,
                                         struct prvcut_error *err)
{
    json_t *all = report_json_structure(s);

    if (all && json_object_set_new(all, "iterations", report_json_iterations(s)) != 0) {
        json_decref(all);
        all = NULL;
    }
    return report_json_take(all, text, err);
}
