#include "api/census_tell.h"

#include "base/memory.h"
#include "model/roles.h"
#include "report/json.h"

#include <stdlib.h>
#include <string.h>

/* Groups of tasks, communicators, and tasks of one communicator that are listed. */
#define GROUPS        4096u
#define COMMUNICATORS 1024u
#define MEMBERS       256u
#define LOCATIONS     65536u

/* One of the trace's files: of an archive's trace as "ARCHIVE:MEMBER", too. */
static json_t *csj_list_file(const struct prvcut_trace *t, const char *path)
{
    size_t folder, archive;
    json_t *out;
    char *text;

    if (!path || !t->unpacked || !t->told || strncmp(path, t->unpacked, strlen(t->unpacked)) != 0)
        return report_json_text(path);
    folder = strlen(t->unpacked) + 1;
    archive = strlen(t->told) - (strlen(t->path) - folder);
    text = prvcut_unset(1, archive + strlen(path) + 1, "a file name", NULL);
    if (!text)
        return NULL;
    memcpy(text, t->told, archive);
    strcpy(text + archive, path + folder);
    out = report_json_text(text);
    free(text);
    return out;
}

static json_t *csj_list_companion(const struct prvcut_trace *t, const struct prvcut_companion *p)
{
    const struct report_field fields[] = {
        { "suffix", report_json_text(p->suffix) },
        { "path", csj_list_file(t, p->path) },
        { "damaged_line",
          p->damaged_line > 0 ? report_json_integer(p->damaged_line) : json_null() },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_input(const struct census_story *s)
{
    const struct census *c = s->census;
    const struct prvcut_trace *t = s->trace;
    json_t *companions = json_array();
    int bad = 0;

    for (unsigned i = 0; i < t->companions; i++)
        bad |= json_array_append_new(companions, csj_list_companion(t, &t->companion[i]));
    const struct report_field fields[] = {
        { "path", report_json_text(prvcut_trace_told(t)) },
        { "name", report_json_text(s->called) },
        { "format", report_json_text(t->reader->format->name) },
        { "compression", report_json_text(census_codec(t)) },
        { "bytes", t->bytes > 0 ? report_json_integer(t->bytes) : json_null() },
        { "all_bytes", t->bytes > 0 ? report_json_integer(census_bytes(t)) : json_null() },
        { "text_bytes", report_json_integer(c->counts.bytes) },
        { "companions", report_json_keep(companions, bad) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_time(const struct census *c, const struct prvcut_trace *t)
{
    const struct report_field fields[] = {
        { "duration_ns", report_json_integer(t->end_ns) },
        { "unit_ns", report_json_integer(t->unit_ns) },
        { "first_ns", report_json_integer(c->counts.first_ns) },
        { "last_ns", report_json_integer(c->counts.last_ns) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_group(const struct prvcut_objects *o, const struct census_tasks *g)
{
    const uint32_t base = o->application_first_task[g->application];
    const struct report_field fields[] = {
        { "application", report_json_integer((uint64_t)g->application + 1) },
        { "first_task", report_json_integer((uint64_t)g->first - base + 1) },
        { "last_task", report_json_integer((uint64_t)g->end - base) },
        { "threads", report_json_integer(g->threads) },
        { "node",
          g->node == UINT32_MAX ? json_null() : report_json_integer((uint64_t)g->node + 1) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_objects(const struct prvcut_objects *o)
{
    json_t *groups = json_array();
    uint32_t task = 0;
    int bad = 0;

    for (unsigned i = 0; task < o->tasks && i < GROUPS; i++) {
        const struct census_tasks g = census_tasks(o, task);

        bad |= json_array_append_new(groups, csj_list_group(o, &g));
        task = g.end;
    }
    const struct report_field fields[] = {
        { "applications", report_json_integer(o->applications) },
        { "tasks", report_json_integer(o->tasks) },
        { "threads", report_json_integer(o->threads) },
        { "nodes", report_json_integer(o->nodes) },
        { "cpus", report_json_integer(o->cpus) },
        { "task_groups", report_json_keep(groups, bad) },
        { "tasks_listed", report_json_integer(task) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_bent(const struct prvcut_bent_count *bent)
{
    json_t *list = json_array();
    int bad = 0;

    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        const struct report_field fields[] = {
            { "name", report_json_text(prvcut_bent_infos[i].name) },
            { "count", report_json_integer(bent[i].count) },
            { "first_line", bent[i].line > 0 ? report_json_integer(bent[i].line) : json_null() },
            { "summary", report_json_text(prvcut_bent_infos[i].several) },
            { "taken", report_json_text(prvcut_bent_infos[i].taken) },
        };
        json_t *one = REPORT_JSON_OBJECT(fields);

        if (bent[i].count > 0)
            bad |= json_array_append_new(list, one);
        else
            json_decref(one);
    }
    return report_json_keep(list, bad);
}

static json_t *csj_list_records(const struct prvcut_counts *n)
{
    const struct report_field fields[] = {
        { "states", report_json_integer(n->states) },
        { "events", report_json_integer(n->events) },
        { "values", report_json_integer(n->pairs) },
        { "messages", report_json_integer(n->messages) },
        { "lines", report_json_integer(n->lines) },
        { "comments", report_json_integer(n->comments) },
        { "skipped", report_json_integer(n->skipped) },
        { "unsorted", report_json_integer(n->unsorted) },
        { "first_unsorted_line",
          n->first_unsorted > 0 ? report_json_integer(n->first_unsorted) : json_null() },
        { "beyond_duration", report_json_integer(n->beyond_end) },
        { "last_line_ends", json_boolean(!n->no_last_newline) },
        { "bent", csj_list_bent(n->bent) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_state(const struct prvcut_trace *t, const struct census_entry *e,
                              double all)
{
    const struct report_field fields[] = {
        { "number", report_json_integer(e->number) },
        { "label", report_json_text(census_label(t->state, t->states, e->number)) },
        { "running", json_boolean(e->role) },
        { "count", report_json_integer(e->count) },
        { "time_ns", report_json_integer(e->sum) },
        { "share", report_json_real(all > 0 ? (double)e->sum / all : 0) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_states(const struct census *c, const struct prvcut_trace *t)
{
    const double all = census_whole_time(c);
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < c->states.count; i++)
        bad |= json_array_append_new(list, csj_list_state(t, &c->states.at[i], all));
    return report_json_keep(list, bad);
}

static json_t *csj_list_type(const struct prvcut_trace *t, const struct census_entry *e)
{
    const struct report_field fields[] = {
        { "type", report_json_integer(e->number) },
        { "label", report_json_text(census_label(t->type, t->types, e->number)) },
        { "role", report_json_text(prvcut_role_text(e->role)) },
        { "counter", json_boolean(prvcut_role_is_counter(e->role)) },
        { "count", report_json_integer(e->count) },
        { "nonzero", report_json_integer(e->sum) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_types(const struct census *c, const struct prvcut_trace *t)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < c->types.count; i++)
        bad |= json_array_append_new(list, csj_list_type(t, &c->types.at[i]));
    return report_json_keep(list, bad);
}

/* The tasks as the trace numbers them; null where there are too many to list. */
static json_t *csj_list_members(const struct prvcut_objects *o, const struct prvcut_communicator *c)
{
    json_t *list;
    int bad = 0;

    if (c->count > MEMBERS)
        return json_null();
    list = json_array();
    for (uint32_t i = 0; i < c->count; i++) {
        const uint32_t task =
            o->member[c->first + i] - o->application_first_task[c->application] + 1;

        bad |= json_array_append_new(list, report_json_integer(task));
    }
    return report_json_keep(list, bad);
}

static json_t *csj_list_communicator(const struct prvcut_objects *o,
                                     const struct prvcut_communicator *c)
{
    const struct report_field fields[] = {
        { "application", report_json_integer((uint64_t)c->application + 1) },
        { "id", report_json_integer(c->id) },
        { "size", report_json_integer(c->count) },
        { "tasks", csj_list_members(o, c) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_communicators(const struct prvcut_objects *o)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < o->communicators && i < COMMUNICATORS; i++)
        bad |= json_array_append_new(list, csj_list_communicator(o, &o->communicator[i]));
    const struct report_field fields[] = {
        { "count", report_json_integer(o->communicators) },
        { "list", report_json_keep(list, bad) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_bucket(unsigned k, uint64_t count)
{
    const uint64_t most = k == 64 ? UINT64_MAX : (UINT64_C(1) << k) - 1;
    const struct report_field fields[] = {
        { "at_most_bytes", report_json_integer(most) },
        { "count", report_json_integer(count) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_clocks(const struct prvcut_clocks *k, const struct census_clocks *whole,
                               bool halves)
{
    const struct report_field fields[] = {
        { "skewed", json_boolean(k->skewed) },
        { "spread_ns", report_json_integer((uint64_t)(k->most - k->least)) },
        { "doubt_ns", report_json_integer(k->doubt) },
        { "residual_ns", report_json_integer(k->residual) },
        { "unknown", report_json_integer(k->unknown) },
        { "source", report_json_text(k->skewed ? prvcut_clock_source_text(k->source) : NULL) },
        { "checked", halves ? report_json_integer(whole->checked) : json_null() },
        { "contradictions", halves ? report_json_integer(whole->contradictions) : json_null() },
        { "worst_ns", halves ? report_json_integer(whole->worst_ns) : json_null() },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_messages(const struct census_messages *m, bool halves)
{
    const bool any = m->count > 0;
    json_t *sizes = json_array();
    int bad = 0;

    for (unsigned k = 0; k < sizeof m->bucket / sizeof *m->bucket; k++)
        if (m->bucket[k] > 0)
            bad |= json_array_append_new(sizes, csj_list_bucket(k, m->bucket[k]));
    const struct report_field fields[] = {
        { "count", report_json_integer(m->count) },
        { "bytes", m->bytes < UINT64_MAX ? report_json_integer(m->bytes) : json_null() },
        { "bytes_reason",
          report_json_text(m->bytes < UINT64_MAX ? NULL
                                                 : "sizes add up to more than 64 bits hold") },
        { "least_bytes", any ? report_json_integer(m->least) : json_null() },
        { "half_at_most_bytes", any ? report_json_integer(census_median(m)) : json_null() },
        { "most_bytes", any ? report_json_integer(m->most) : json_null() },
        { "sizes", report_json_keep(sizes, bad) },
        { "receives", halves ? report_json_integer(m->receives) : json_null() },
        { "sends_without_receive", halves ? report_json_integer(m->lone_sends) : json_null() },
        { "receives_without_send", halves ? report_json_integer(m->lone_receives) : json_null() },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_flushes(const struct census_flushes *f)
{
    const struct report_field fields[] = {
        { "count", report_json_integer(f->count) },
        { "looked_at", report_json_integer(f->looked) },
        { "threads", report_json_integer(f->threads) },
        { "time_ns", report_json_integer(f->total) },
        { "longest_ns", report_json_integer(f->longest) },
        { "longest_thread",
          f->looked > 0 ? report_json_integer((uint64_t)f->longest_thread + 1) : json_null() },
        { "at_end_count", report_json_integer(f->last) },
        { "at_end_time_ns", report_json_integer(f->last_total) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_function(const struct census_story *s, const struct census_entry *e)
{
    const double all = census_functions_time(s->census);
    char text[160];
    const struct prvcut_type_name *type;
    uint32_t number;
    int64_t value;

    census_function_of(e->number, &number, &value);
    type = prvcut_dictionary_type(s->names, number);
    const struct report_field fields[] = {
        { "name", report_json_text(census_function_text(text, sizeof text, s->names, e->number)) },
        { "group", report_json_text(type ? type->group : NULL) },
        { "calls", report_json_integer(e->count) },
        { "time_ns", report_json_integer(e->sum) },
        { "share", report_json_real(all > 0 ? (double)e->sum / all : 0) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *csj_list_functions(const struct census_story *s)
{
    const struct census_table *t = &s->census->functions;
    json_t *list;
    int bad = 0;

    if (!census_is_named(s->trace))
        return json_null();
    list = json_array();
    for (size_t i = 0; i < t->count; i++)
        bad |= json_array_append_new(list, csj_list_function(s, &t->at[i]));
    return report_json_keep(list, bad);
}

/* MPI calls, in every format. */
static json_t *csj_list_calls(const struct census_story *s)
{
    const struct census_table *t = &s->census->functions;
    const double all = census_threads_time(s->census);
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct census_entry *e = &t->at[i];
        char text[160];

        if (!census_is_call(e))
            continue;
        const struct report_field fields[] = {
            { "name",
              report_json_text(census_function_text(text, sizeof text, s->names, e->number)) },
            { "entered", report_json_integer(e->count) },
            { "time_ns", report_json_integer(e->sum) },
            { "share", report_json_real(all > 0 ? (double)e->sum / all : 0) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *csj_list_location(const struct census_story *s, uint32_t task, uint32_t thread)
{
    const struct prvcut_dictionary *d = s->names;
    const struct report_field fields[] = {
        { "name", report_json_text(d->thread ? d->thread[thread] : NULL) },
        { "group", report_json_text(d->task ? d->task[task] : NULL) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* null where the trace has no names for them. */
static json_t *csj_list_locations(const struct census_story *s)
{
    const struct prvcut_objects *o = &s->trace->objects;
    json_t *list;
    int bad = 0;

    if (!census_is_named(s->trace))
        return json_null();
    list = json_array();
    for (uint32_t task = 0; task < o->tasks; task++)
        for (uint32_t i = o->task_first_thread[task]; i < o->task_first_thread[task + 1]; i++)
            if (i < LOCATIONS)
                bad |= json_array_append_new(list, csj_list_location(s, task, i));
    return report_json_keep(list, bad);
}

enum prvcut_status census_json(const struct census_story *s, char **text, struct prvcut_error *err)
{
    const struct census *c = s->census;
    const struct prvcut_trace *t = s->trace;
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-info"),
        { "input", csj_list_input(s) },
        { "time", csj_list_time(c, t) },
        { "objects", csj_list_objects(&t->objects) },
        { "locations", csj_list_locations(s) },
        { "communicators", csj_list_communicators(&t->objects) },
        { "records", csj_list_records(&c->counts) },
        { "calls", csj_list_calls(s) },
        { "messages", csj_list_messages(&c->messages, t->reader->halves) },
        { "clocks", csj_list_clocks(&t->clocks, &c->clocks, t->reader->halves) },
        { "flushes", csj_list_flushes(&c->flushes) },
        { "functions", csj_list_functions(s) },
        { "calls_not_listed", report_json_integer(c->other_calls) },
        { "states", csj_list_states(c, t) },
        { "states_not_listed", report_json_integer(c->other_states) },
        { "event_types", csj_list_types(c, t) },
        { "values_not_listed", report_json_integer(c->other_values) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
