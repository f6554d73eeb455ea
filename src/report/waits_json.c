#include "report/clocks.h"
#include "report/json.h"
#include "report/waits.h"

#include <math.h>

static json_t *wjs_seconds(uint64_t ns)
{
    return report_json_real((double)ns / 1e9);
}

static json_t *wjs_length(double ns)
{
    return isnan(ns) ? json_null() : report_json_real(ns / 1e9);
}

static json_t *wjs_ranks(const struct prvcut_wait_states *w, const uint64_t *ns)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < w->ranks; i++)
        bad |= json_array_append_new(list,
                                     w->looked && !w->looked[i] ? json_null() : wjs_seconds(ns[i]));
    return report_json_keep(list, bad);
}

static json_t *wjs_path(const struct prvcut_wait_states *w, size_t path)
{
    json_t *list = json_array();
    const char *name;
    int bad = 0;

    for (size_t k = 0; (name = prvcut_waits_frame(w, path, k)) != NULL; k++)
        bad |= json_array_append_new(list, report_json_text(name));
    return report_json_keep(list, bad);
}

static json_t *wjs_paths(const struct prvcut_wait_states *w, size_t metric)
{
    json_t *list = json_array();
    const struct prvcut_waits_path *p;
    int bad = 0;

    for (size_t k = 0; (p = prvcut_waits_path(w, metric, k)) != NULL; k++) {
        const struct report_field field[] = {
            { "path", wjs_path(w, p->path) },
            { "severity_s", wjs_seconds(p->severity_ns) },
            { "instances", report_json_integer(p->instances) },
            { "ranks_s", wjs_ranks(w, p->rank_ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

/* Each instance may be off by the clocks' doubt; threads of one process have one clock. */
static json_t *wjs_doubt(const struct prvcut_wait_states *w, const struct prvcut_waits_metric *m)
{
    const bool within = m->wait >= PRVCUT_WAIT_OMP_FORK && m->wait <= PRVCUT_WAIT_OMP_LOCK;

    return report_json_real(
        within ? 0 : (double)m->instances * (double)prvcut_waits_clock(w)->doubt_ns / 1e9);
}

static json_t *wjs_metric(const struct prvcut_wait_states *w, size_t i)
{
    const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);
    const bool told = !m->reason, any = told && m->severity_ns > 0;
    const struct report_field field[] = {
        { "name", report_json_text(m->name) },
        { "severity_s", told ? wjs_seconds(m->severity_ns) : json_null() },
        { "reason", report_json_text(m->reason) },
        { "partial", report_json_text(m->partial) },
        { "instances", told ? report_json_integer(m->instances) : json_null() },
        { "share", told ? report_json_real(m->share) : json_null() },
        { "worst_rank", any ? report_json_integer(m->worst_rank) : json_null() },
        { "worst_path",
          any && m->worst_path != SIZE_MAX ? wjs_path(w, m->worst_path) : json_null() },
        { "mean_s", any ? wjs_length(m->mean_ns) : json_null() },
        { "median_s", any ? wjs_length(m->median_ns) : json_null() },
        { "most_s", any && m->most_ns > 0 ? wjs_seconds(m->most_ns) : json_null() },
        { "ranks_s", told ? wjs_ranks(w, m->rank_ns) : json_null() },
        { "doubt_s", told ? wjs_doubt(w, m) : json_null() },
        { "paths", wjs_paths(w, i) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *wjs_metrics(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->metrics; i++)
        bad |= json_array_append_new(list, wjs_metric(w, i));
    return report_json_keep(list, bad);
}

static json_t *wjs_instances(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->instances; i++) {
        const struct prvcut_waits_instance *n = prvcut_waits_instance(w, i);
        const bool caused = n->cause != UINT32_MAX;
        const struct report_field field[] = {
            { "metric", report_json_text(report_waits_name(w, n->wait)) },
            { "severity_s", wjs_seconds(n->severity_ns) },
            { "rank", report_json_integer(n->rank) },
            { "begin_ns", report_json_integer(n->call.start) },
            { "end_ns", report_json_integer(n->call.end) },
            { "path", wjs_path(w, n->path) },
            { "cause_rank", caused ? report_json_integer(n->cause) : json_null() },
            { "cause_ns", caused ? report_json_integer(n->cause_ns) : json_null() },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_severities(const struct prvcut_wait_states *w, const uint64_t *ns)
{
    json_t *object = json_object();
    int bad = 0;

    for (size_t i = 0; i < w->metrics; i++) {
        const struct prvcut_waits_metric *m = prvcut_waits_metric(w, i);

        bad |= json_object_set_new(object, m->name, m->reason ? json_null() : wjs_seconds(ns[i]));
    }
    return report_json_keep(object, bad);
}

/* Calls that may wait for others, in a way that no metric tells. */
static json_t *wjs_unsought(const struct prvcut_wait_states *w)
{
    const struct made_unsought *u = made_wait_states_of(w)->unsought;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < MADE_UNSOUGHT && u[i].name[0]; i++) {
        const struct report_field field[] = {
            { "call", report_json_text(u[i].name) },
            { "time_s", wjs_seconds(u[i].ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_parts(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->parts; i++) {
        const struct prvcut_waits_part *p = prvcut_waits_part(w, i);
        const struct report_field field[] = {
            { "region", report_json_text(p->region) },
            { "iteration", p->iteration > 0 ? report_json_integer(p->iteration) : json_null() },
            { "start_ns", report_json_integer(p->span.start) },
            { "end_ns", report_json_integer(p->span.end) },
            { "disturbed", json_boolean(p->disturbed) },
            { "severities_s", wjs_severities(w, p->severity_ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_delay(const struct prvcut_wait_states *w)
{
    json_t *object;
    bool told = false;
    int bad = 0;

    if (w->delays == 0)
        return json_null();
    object = json_object();
    for (size_t i = 0; i < w->delays; i++) {
        const struct prvcut_waits_delay *d = prvcut_waits_delay(w, i);
        const struct report_field field[] = {
            { "short_s", d->reason ? json_null() : report_json_real(d->short_ns / 1e9) },
            { "long_s", d->reason ? json_null() : report_json_real(d->long_ns / 1e9) },
        };

        bad |= json_object_set_new(object, prvcut_delay_text(d->kind), REPORT_JSON_OBJECT(field));
        told |= d->reason == NULL;
    }
    bad |= json_object_set_new(object, "unexplained_s",
                               told ? report_json_real(w->unexplained_ns / 1e9) : json_null());
    return report_json_keep(object, bad);
}

static json_t *wjs_costs(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->costs; i++) {
        const struct prvcut_waits_cost *c = prvcut_waits_cost(w, i);
        const struct report_field field[] = {
            { "kind", report_json_text(prvcut_delay_text(c->kind)) },
            { "rank", report_json_integer(c->rank) },
            { "path", wjs_path(w, c->path) },
            { "short_s", report_json_real(c->short_ns / 1e9) },
            { "long_s", report_json_real(c->long_ns / 1e9) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_stretches(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->stretches; i++) {
        const struct prvcut_waits_stretch *s = prvcut_waits_stretch(w, i);
        const struct report_field field[] = {
            { "rank", report_json_integer(s->rank) },
            { "path", wjs_path(w, s->path) },
            { "length_s", report_json_real((double)s->ns / 1e9) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_imbalances(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < w->imbalances; i++) {
        const struct prvcut_waits_imbalance *m = prvcut_waits_imbalance(w, i);
        const struct report_field field[] = {
            { "path", wjs_path(w, m->path) },
            { "length_s", report_json_real((double)m->ns / 1e9) },
            { "imbalance_s", report_json_real(m->over_ns / 1e9) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_critical(const struct prvcut_wait_states *w)
{
    if (!w->critical)
        return json_null();
    const struct report_field field[] = {
        { "length_s", w->no_path ? json_null() : report_json_real((double)w->critical_ns / 1e9) },
        { "steps", w->no_path ? json_null() : report_json_integer(w->steps) },
        { "reason", report_json_text(w->no_path) },
        { "paths", wjs_stretches(w) },
        { "imbalance", wjs_imbalances(w) },
    };

    return REPORT_JSON_OBJECT(field);
}

static json_t *wjs_offsets(const struct prvcut_wait_states *w)
{
    json_t *list = json_array();
    const struct prvcut_waits_offset *o;
    int bad = 0;

    for (size_t i = 0; (o = prvcut_waits_offset(w, i)) != NULL; i++) {
        const struct report_field field[] = {
            { "rank", report_json_integer(o->rank) },
            { "at_ns", report_json_integer(o->at_ns) },
            { "offset_ns", json_integer((json_int_t)o->offset_ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(field));
    }
    return report_json_keep(list, bad);
}

/* How much faster each rank's clock is made, from its first offset to its last. */
static json_t *wjs_drifts(const struct prvcut_wait_states *w)
{
    const struct prvcut_waits_offset *first = NULL, *last = NULL, *o;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; (o = prvcut_waits_offset(w, i)) != NULL; i++) {
        const struct prvcut_waits_offset *next = prvcut_waits_offset(w, i + 1);

        first = first && first->rank == o->rank ? first : o;
        last = o;
        if (next && next->rank == o->rank)
            continue;
        bad |= json_array_append_new(
            list, last->at_ns > first->at_ns
                      ? report_json_real((double)(last->offset_ns - first->offset_ns) * 1e6 /
                                         (double)(last->at_ns - first->at_ns))
                      : json_null());
    }
    return report_json_keep(list, bad);
}

static json_t *wjs_clock(const struct prvcut_wait_states *w)
{
    json_t *o = report_clocks_json(prvcut_waits_clock(w), true);
    int bad = 0;

    bad |= json_object_set_new(o, "offsets", wjs_offsets(w));
    bad |= json_object_set_new(o, "drift_ppm", wjs_drifts(w));
    return report_json_keep(o, bad);
}

enum prvcut_status prvcut_waits_json(const struct prvcut_wait_states *w, char **text,
                                     struct prvcut_error *err)
{
    const struct report_field messages[] = {
        { "whole", report_json_integer(w->messages) },
        { "no_receive", report_json_integer(w->no_receive) },
        { "no_send", report_json_integer(w->no_send) },
        { "bad_rank", report_json_integer(w->bad_rank) },
    };
    const struct report_field collectives[] = {
        { "whole", report_json_integer(w->collectives) },
        { "incomplete", report_json_integer(w->incomplete) },
        { "unlike", report_json_integer(w->unlike) },
    };
    const struct report_field field[] = {
        REPORT_JSON_HEAD("prvcut-waits"),
        { "input", report_json_text(w->name) },
        { "ranks", report_json_integer(w->ranks) },
        { "threads", report_json_integer(w->threads) },
        { "skipped", report_json_integer(w->skipped) },
        { "unsorted", report_json_integer(w->unsorted) },
        { "first_unsorted_line",
          w->first_unsorted > 0 ? report_json_integer(w->first_unsorted) : json_null() },
        { "unsorted_ns", w->unsorted > 0 ? report_json_integer(w->unsorted_ns) : json_null() },
        { "start_ns", report_json_integer(w->span.start) },
        { "end_ns", report_json_integer(w->span.end) },
        { "no_loop", report_json_text(w->no_loop) },
        { "messages", REPORT_JSON_OBJECT(messages) },
        { "collectives", REPORT_JSON_OBJECT(collectives) },
        { "metrics", wjs_metrics(w) },
        { "instances", wjs_instances(w) },
        { "unsought", wjs_unsought(w) },
        { "parts", wjs_parts(w) },
        { "delay", wjs_delay(w) },
        { "costs", wjs_costs(w) },
        { "critical_path", wjs_critical(w) },
        { "clock", wjs_clock(w) },
    };

    return report_json_take(REPORT_JSON_OBJECT(field), text, err);
}
