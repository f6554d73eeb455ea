#include "report/profile.h"

#include "report/clocks.h"
#include "report/json.h"
#include "report/why_json.h"

#include <math.h>

#define FIELDS_MOST 32

static json_t *pfj_number(uint64_t value)
{
    return report_profile_told(value) ? report_json_integer(value) : json_null();
}

/* What the trace does not record, or name, has none. */
static json_t *pfj_value(int64_t value)
{
    return value != INT64_MIN ? json_integer(value) : json_null();
}

static json_t *pfj_counters(const struct prvcut_profile *p, const struct prvcut_profile_row *r)
{
    json_t *o = json_object();
    int bad = 0;

    if (p->counters == 0 || !r->counter) {
        json_decref(o);
        return json_null();
    }
    for (size_t i = 0; i < p->counters; i++)
        bad |= report_json_put(
            o, prvcut_profile_counter(p, i),
            report_profile_told(r->counter[i]) ? report_json_integer(r->counter[i]) : json_null());
    return report_json_keep(o, bad);
}

/* What the rest is, by state. */
static json_t *pfj_rest(const struct prvcut_profile *p, const struct prvcut_profile_row *r)
{
    json_t *o = r->rest ? json_object() : NULL;
    int bad = 0;

    for (size_t i = 0; o && i < p->rests; i++) {
        const char *state = prvcut_profile_rest(p, i);
        const json_int_t before = json_integer_value(json_object_get(o, state));

        bad |= report_json_put(o, state, report_json_integer((uint64_t)before + r->rest[i]));
    }
    return o ? report_json_keep(o, bad) : json_null();
}

/* What the row is of. */
static size_t pfj_key(struct report_field *out, const struct prvcut_profile *p,
                      const struct prvcut_profile_row *r)
{
    size_t n = 0;

    if (report_profile_of_calls(p)) {
        out[n++] = (struct report_field){ "call", report_json_text(r->name) };
        out[n++] = (struct report_field){ "type", report_json_integer(r->type) };
        out[n++] = (struct report_field){ "value", pfj_value(r->value) };
    }
    if (report_profile_of_pairs(p)) {
        out[n++] = (struct report_field){ "function", report_json_text(r->function) };
        out[n++] = (struct report_field){ "function_value", pfj_value(r->function_value) };
    }
    if (report_profile_of_functions(p)) {
        out[n++] =
            (struct report_field){ report_profile_of_pairs(p) ? "call" : report_profile_caller(p),
                                   report_json_text(r->name) };
        out[n++] = (struct report_field){ "type", report_json_integer(r->type) };
        out[n++] = (struct report_field){ "value", pfj_value(r->value) };
    }
    if (report_profile_has_source(p)) {
        out[n++] = (struct report_field){ "source_file", report_json_text(r->file) };
        out[n++] = (struct report_field){ "source_line", r->line > 0 ? report_json_integer(r->line)
                                                                     : json_null() };
    }
    if (report_profile_of_states(p)) {
        out[n++] = (struct report_field){ "state", report_json_text(r->name) };
        out[n++] = (struct report_field){ "number", json_integer(r->value) };
    }
    if (report_profile_of_communicators(p))
        out[n++] = (struct report_field){ "communicator", r->communicator != UINT32_MAX
                                                              ? report_json_integer(r->communicator)
                                                              : json_null() };
    if (report_profile_of_peers(p)) {
        out[n++] = (struct report_field){ "sender", report_json_integer(r->sender) };
        out[n++] = (struct report_field){ "receiver", report_json_integer(r->receiver) };
    }
    if (report_profile_by_part(p)) {
        out[n++] = (struct report_field){ "region", report_json_text(r->region) };
        if (p->by & PRVCUT_PROFILE_BY_ITERATION)
            out[n++] = (struct report_field){ "iteration", report_json_integer(r->iteration) };
        out[n++] = (struct report_field){ "start_ns", report_json_integer(r->span.start) };
        out[n++] = (struct report_field){ "end_ns", report_json_integer(r->span.end) };
        out[n++] = (struct report_field){ "disturbed", json_boolean(r->disturbed) };
    }
    if (report_profile_by_who(p)) {
        out[n++] =
            (struct report_field){ "rank", r->rank != UINT32_MAX ? report_json_integer(r->rank)
                                                                 : json_null() };
        out[n++] = (struct report_field){ "thread", report_json_text(r->thread_name) };
    }
    return n;
}

static json_t *pfj_row(const struct prvcut_profile *p, const struct prvcut_profile_row *r,
                       bool total)
{
    struct report_profile_field field[REPORT_PROFILE_FIELDS];
    const size_t fields = report_profile_fields(field, p, r, total);
    struct report_field out[FIELDS_MOST];
    size_t n = total ? 0 : pfj_key(out, p, r);

    for (size_t i = 0; i < fields; i++)
        out[n++] = (struct report_field){ field[i].name, pfj_number(field[i].value) };
    if (!total && report_profile_of_calls(p) && !report_profile_of_communicators(p))
        out[n++] = (struct report_field){ "mean_ns", report_json_real(r->mean_ns) };
    if (total || report_profile_of_lines(p)) {
        out[n++] = (struct report_field){ "counters", pfj_counters(p, r) };
        out[n++] = (struct report_field){ "rest", pfj_rest(p, r) };
        return report_json_object(out, n);
    }
    if (!report_profile_of_peers(p))
        out[n++] =
            (struct report_field){ "share", report_json_real(report_profile_share(r, r->ns)) };
    if (!report_profile_of_peers(p))
        out[n++] = (struct report_field){ "window_ns", report_json_integer(r->window_ns) };
    return report_json_object(out, n);
}

static json_t *pfj_views(const struct prvcut_profile *p)
{
    static const char *const name[] = { "call",      "state",        "rank", "thread",   "region",
                                        "iteration", "communicator", "peer", "function", "line" };
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (p->by >> i & 1)
            bad |= json_array_append_new(list, report_json_text(name[i]));
    return report_json_keep(list, bad);
}

static json_t *pfj_reasons(const struct prvcut_profile *p)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < p->reasons; i++) {
        const struct prvcut_profile_reason *r = prvcut_profile_reason(p, i);
        const struct report_field fields[] = {
            { "what", report_json_text(r->what) },
            { "text", report_json_text(r->text) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *pfj_slow(const struct prvcut_profile *p, size_t i)
{
    const struct made_slow *s = &made_profile_of(p)->slow[i];
    const struct made_reduction who = report_profile_who(p);
    const struct report_field fields[] = {
        { "iteration", report_json_integer(s->is.iteration) },
        { "region", report_json_text(s->is.region) },
        { "start_ns", report_json_integer(s->is.span.start) },
        { "end_ns", report_json_integer(s->is.span.end) },
        { "disturbed", json_boolean(s->is.disturbed) },
        { "excess_ns", json_integer((json_int_t)llround(s->is.excess_ns)) },
        { "beside_kind",
          s->is.beside_kind > 0 ? report_json_integer(s->is.beside_kind) : json_null() },
        { "text", report_json_text(s->is.text) },
        { "causes", report_causes_json(&who, s->cause, s->is.causes) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Why iterations are slow; null where nobody asked. */
static json_t *pfj_why(const struct prvcut_profile *p)
{
    json_t *list;
    int bad = 0;

    if (!p->why)
        return json_null();
    list = json_array();
    for (size_t i = 0; i < p->slow; i++)
        bad |= json_array_append_new(list, pfj_slow(p, i));
    const struct report_field fields[] = {
        { "iterations", report_json_integer(p->iterations) },
        { "median_ns", p->iterations > 0 ? report_json_real(p->median_ns) : json_null() },
        { "unusual", p->named ? json_null() : report_json_integer(p->unusual) },
        { "slow", report_json_keep(list, bad) },
    };

    return REPORT_JSON_OBJECT(fields);
}

enum prvcut_status prvcut_profile_json(const struct prvcut_profile *p, char **text,
                                       struct prvcut_error *err)
{
    json_t *rows = json_array();
    int bad = 0;

    for (size_t i = 0; i < p->rows; i++)
        bad |= json_array_append_new(rows, pfj_row(p, prvcut_profile_row(p, i), false));
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-profile"),
        { "name", report_json_text(p->name) },
        { "tasks", report_json_integer(p->tasks) },
        { "threads", report_json_integer(p->threads) },
        { "start_ns", report_json_integer(p->span.start) },
        { "end_ns", report_json_integer(p->span.end) },
        { "computing", report_json_text(p->computing) },
        { "no_loop", report_json_text(p->no_loop) },
        { "lost", report_json_integer(p->lost) },
        { "skipped", report_json_integer(p->skipped) },
        { "reasons", pfj_reasons(p) },
        { "clock",
          report_clocks_json(prvcut_profile_clock(p), prvcut_profile_clock(p)->checked > 0) },
        { "total", p->why ? json_null() : pfj_row(p, prvcut_profile_total(p), true) },
        { "by", pfj_views(p) },
        { "rows_all", report_json_integer(p->rows_all) },
        { "rows", report_json_keep(rows, bad) },
        { "why", pfj_why(p) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
