#include "api/census_tell.h"

#include "model/calls.h"
#include "model/regions.h"
#include "model/roles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Long lists are cut short for a person, but for MPI calls; the JSON has all of them. */
#define FUNCTIONS_SHOWN 24
#define LOCATIONS_SHOWN 16
#define METRICS_SHOWN   8

const char *census_function_text(char *out, size_t room, const struct prvcut_dictionary *names,
                                 uint64_t number)
{
    const struct prvcut_type_name *t;
    uint32_t type;
    int64_t value;

    census_function_of(number, &type, &value);
    t = prvcut_dictionary_type(names, type);
    if (value == 0 || (t && t->role == PRVCUT_ROLE_FLUSH))
        return t && t->text && *t->text ? t->text : "(no name)";
    if (prvcut_value_text(names, type, value))
        return prvcut_value_text(names, type, value);
    return t ? prvcut_event_text(out, room, names, type, value) : "(no name)";
}

static const char *cnm_group_of(const struct prvcut_dictionary *names, uint64_t number)
{
    const struct prvcut_type_name *t;
    uint32_t type;
    int64_t value;

    census_function_of(number, &type, &value);
    t = prvcut_dictionary_type(names, type);
    return t && t->group ? t->group : "";
}

void tell_metrics(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *types = &s->census->types;
    unsigned shown = 0;

    report_head(l, "Metrics");
    for (size_t i = 0; i < types->count; i++) {
        const struct prvcut_type_name *t =
            prvcut_dictionary_type(s->names, (uint32_t)types->at[i].number);
        const bool metric = prvcut_role_is_counter(types->at[i].role) || (t && t->gauge);

        if (!metric || shown++ >= METRICS_SHOWN)
            continue;
        report_put(l, shown > 1 ? ", " : "");
        report_put_foreign(l, t && t->text && *t->text ? t->text : "(no name)");
    }
    if (shown > METRICS_SHOWN)
        report_put(l, " and %u more", shown - METRICS_SHOWN);
    report_put(l, shown == 0 ? "none\n" : "\n");
}

void tell_functions(struct report_lines *l, const struct census_story *s)
{
    static const char *const heads[REPORT_COLUMNS] = { "Function", "group", "calls", "time",
                                                       "share" };
    const struct census_table *t = &s->census->functions;
    const double all = census_functions_time(s->census);
    struct report_table table = { .align = "llrrr" };
    struct census_entry *e = tell_sorted(l, t, tell_by_time);
    size_t shown = 0;
    char text[160];

    if (!e || t->count == 0) {
        free(e);
        return;
    }
    tell_heads(&table, heads);
    for (size_t i = 0; i < t->count; i++) {
        char(*cell)[REPORT_CELL], number[32];

        if (shown >= FUNCTIONS_SHOWN && !census_is_call(&e[i]))
            continue;
        shown++;
        cell = report_row(&table);
        tell_cell(cell[0], census_function_text(text, sizeof text, s->names, e[i].number));
        tell_cell(cell[1], cnm_group_of(s->names, e[i].number));
        report_set(cell[2], report_count(number, e[i].count));
        report_set(cell[3], prvcut_time_text(number, (double)e[i].sum));
        snprintf(cell[4], REPORT_CELL, "%.2f %%", 100 * (all > 0 ? (double)e[i].sum / all : 0));
    }
    report_put(l, "\n");
    report_put_table(l, &table);
    tell_more(l, t->count - shown, "function");
    if (s->census->other_calls > 0)
        report_put(l, "and %s calls of further functions\n",
                   report_count(text, s->census->other_calls));
    free(e);
}

void tell_calls(struct report_lines *l, const struct census_story *s)
{
    static const char *const heads[REPORT_COLUMNS] = { "Call", "entered", "time", "share" };
    const struct census_table *t = &s->census->functions;
    const double all = census_threads_time(s->census);
    struct report_table table = { .align = "lrrr" };
    struct census_entry *e = tell_sorted(l, t, tell_by_time);
    char text[160];

    tell_heads(&table, heads);
    for (size_t i = 0; e && i < t->count; i++) {
        char(*cell)[REPORT_CELL] = report_row(&table), number[32];

        tell_cell(cell[0], census_function_text(text, sizeof text, s->names, e[i].number));
        report_set(cell[1], report_count(number, e[i].count));
        report_set(cell[2], prvcut_time_text(number, (double)e[i].sum));
        snprintf(cell[3], REPORT_CELL, "%.2f %%", 100 * (all > 0 ? (double)e[i].sum / all : 0));
    }
    if (e && t->count > 0) {
        report_put(l, "\n");
        report_put_table(l, &table);
    }
    if (s->census->other_calls > 0)
        report_put(l, "and %s further calls\n", report_count(text, s->census->other_calls));
    free(e);
}

static void cnm_tell_location(struct report_table *table, const struct census_story *s,
                              uint32_t task, uint32_t thread)
{
    const struct prvcut_objects *o = &s->trace->objects;
    const struct prvcut_dictionary *d = s->names;
    char(*cell)[REPORT_CELL] = report_row(table);
    const uint32_t node = o->task_node[task];

    tell_cell(cell[0], d->thread && d->thread[thread] ? d->thread[thread] : "(no name)");
    tell_cell(cell[1], d->task && d->task[task] ? d->task[task] : "");
    if (node < o->nodes)
        tell_cell(cell[2], d->node && d->node[node] ? d->node[node] : "");
}

void tell_locations(struct report_lines *l, const struct census_story *s)
{
    static const char *const heads[REPORT_COLUMNS] = { "Location", "group", "node" };
    const struct prvcut_objects *o = &s->trace->objects;
    struct report_table table = { .align = "lll" };
    uint32_t shown = 0;

    tell_heads(&table, heads);
    for (uint32_t task = 0; task < o->tasks; task++)
        for (uint32_t i = o->task_first_thread[task]; i < o->task_first_thread[task + 1]; i++)
            if (shown++ < LOCATIONS_SHOWN)
                cnm_tell_location(&table, s, task, i);
    report_put(l, "\n");
    report_put_table(l, &table);
    tell_more(l, shown > LOCATIONS_SHOWN ? shown - LOCATIONS_SHOWN : 0, "location");
}
