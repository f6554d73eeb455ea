#include "model/words.h"
#include "report/json.h"
#include "report/structure.h"

#include <stdio.h>
#include <string.h>

static json_t *sjs_vote(const struct prvcut_vote *v)
{
    const bool said = v->period_ns > 0;
    const struct report_field fields[] = {
        { "name", report_json_text(v->metric) },
        { "status", report_json_text(prvcut_stand_text(v->status)) },
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
        { "cause", report_json_text(prvcut_cause_text(m->cause)) },
        { "start_ns", report_json_integer(m->span.start) },
        { "end_ns", report_json_integer(m->span.end) },
        { "affected", m->affected > 0 ? report_json_integer(m->affected) : json_null() },
        { "threads", sjs_threads(m) },
    };

    return REPORT_JSON_OBJECT(fields);
}

json_t *report_json_masks(const struct made_structure *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->is.masks; i++)
        bad |= json_array_append_new(list, sjs_mask(&s->mask[i]));
    return report_json_keep(list, bad);
}

static json_t *sjs_outliers(const struct made_region *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.outliers; i++) {
        const struct prvcut_outlier *o = &r->outlier[i];
        const struct report_field fields[] = {
            { "iteration", report_json_integer(r->is.first + o->iteration) },
            { "start_ns", report_json_integer(o->span.start) },
            { "end_ns", report_json_integer(o->span.end) },
            { "deviation", report_json_real(o->deviation) },
            { "deviation_from_median", report_json_real(report_from_median(r, o)) },
            { "why", report_json_text(prvcut_outlier_why_text(o->why)) },
            { "cause", report_json_text(r->cause ? r->cause[i] : NULL) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_departures(const struct made_region *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.departures; i++) {
        const struct prvcut_departure *d = &r->departure[i];
        const struct report_field fields[] = {
            { "first", report_json_integer(r->is.first + d->first) },
            { "every", d->every > 0 ? report_json_integer(d->every) : json_null() },
            { "count", report_json_integer(d->count) },
            { "calls", json_integer((json_int_t)d->calls) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *sjs_borders(const struct made_region *r)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < r->is.borders; i++)
        bad |= json_array_append_new(list, report_json_integer(r->is.border[i]));
    return report_json_keep(list, bad);
}

/* An index or a number that may be missing. */
static json_t *sjs_index(bool known, size_t n)
{
    return known ? report_json_integer(n) : json_null();
}

static json_t *sjs_rounds(const struct made_region *r)
{
    if (r->is.rounds_most == 0)
        return json_null();

    const struct report_field fields[] = {
        { "least", report_json_integer(r->is.rounds_least) },
        { "most", report_json_integer(r->is.rounds_most) },
        { "median_ns", report_json_rounded(r->is.rounds_ns) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *sjs_region(const struct made_structure *s, const struct made_region *r)
{
    const bool is = r->is.loop > 0;
    char name[32];

    snprintf(name, sizeof name, "%u.%u", r->is.level, r->is.number);
    const struct report_field fields[] = {
        { "region", is ? report_json_text(name) : json_null() },
        { "kind", report_json_text(prvcut_region_kind_text(r->is.kind)) },
        { "cause", report_json_text(prvcut_cause_text(r->is.cause)) },
        { "level", report_json_integer(r->is.level) },
        { "number", sjs_index(is, r->is.number) },
        { "loop", sjs_index(is, r->is.loop) },
        { "parent", sjs_index(r->is.parent < s->is.regions, r->is.parent) },
        { "start_ns", report_json_integer(r->is.span.start) },
        { "end_ns", report_json_integer(r->is.span.end) },
        { "iterations", is ? report_json_real(r->is.iterations) : json_null() },
        { "first_iteration", sjs_index(is, r->is.first) },
        { "loop_iterations", sjs_index(is, r->is.loop_iterations) },
        { "period_ns", report_json_rounded(r->is.period_ns) },
        { "median_ns", report_json_rounded(r->is.median_ns) },
        { "first_ns", report_json_rounded(r->is.first_ns) },
        { "last_ns", report_json_rounded(r->is.last_ns) },
        { "spread_ns", is ? report_json_rounded(r->is.spread_ns) : json_null() },
        { "confidence", is ? report_json_real(r->is.confidence) : json_null() },
        { "source", report_json_text(prvcut_found_by_word(r->is.found_by, r->is.metric)) },
        { "alphabet", report_json_text(r->is.alphabet ? r->is.alphabet : "") },
        { "calls_per_iteration", report_json_rounded(r->is.calls_per_iteration) },
        { "examined", report_json_integer(r->is.examined) },
        { "followers", report_json_integer(r->is.followers) },
        { "example", r->is.example.end > r->is.example.start ? report_json_span(&r->is.example)
                                                             : json_null() },
        { "outliers_seen", report_json_integer(r->is.outliers_seen) },
        { "outliers", sjs_outliers(r) },
        { "departures", sjs_departures(r) },
        { "group", report_json_integer(r->is.group) },
        { "rounds", sjs_rounds(r) },
        { "counted_to_ns",
          r->is.counted_ns > 0 ? report_json_integer(r->is.counted_ns) : json_null() },
        { "votes", report_json_votes(r->vote, r->is.votes) },
        { "borders_ns", sjs_borders(r) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *sjs_regions(const struct made_structure *s)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < s->is.regions; i++)
        bad |= json_array_append_new(list, sjs_region(s, &s->region[i]));
    return report_json_keep(list, bad);
}

json_t *report_json_structure(const struct made_structure *s)
{
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-structure"),
        { "end_ns", report_json_integer(s->is.end_ns) },
        { "span", report_json_span(&s->is.span) },
        { "levels", report_json_integer(s->is.levels) },
        { "loops", report_json_integer(s->is.loops) },
        { "main", sjs_index(s->is.main < s->is.regions, s->is.main) },
        { "set", report_json_text(s->is.set) },
        { "clock", report_json_text(s->is.clock) },
        { "reason", report_json_text(s->is.reason ? s->is.reason : "") },
        { "regions", sjs_regions(s) },
        { "masked", report_json_masks(s) },
        { "iterations_masked", report_json_integer(s->is.iterations_masked) },
    };

    return REPORT_JSON_OBJECT(fields);
}

enum prvcut_status prvcut_structure_json(const struct prvcut_structure *view, char **text,
                                         struct prvcut_error *err)
{
    const struct made_structure *s = made_structure_of(view);
    json_t *all = report_json_structure(s);

    if (all && (json_object_set_new(all, "iterations", report_json_iterations(s)) != 0 ||
                json_object_set_new(all, "cause_reason",
                                    report_json_text(s->unexplained ? s->unexplained : "")) != 0)) {
        json_decref(all);
        all = NULL;
    }
    return report_json_take(all, text, err);
}
