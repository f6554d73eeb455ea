#include "api/census_functions.h"
#include "api/census_tell.h"

#include <inttypes.h>
#include <stdio.h>

/* One row: what it is, its number and name, how often, and for how long where that is known. */
static void csv_put(struct report_lines *l, const char *what, const char *number, const char *name,
                    uint64_t count)
{
    report_put(l, "%s,%s,", what, number);
    report_put_value(l, name);
    report_put(l, ",%" PRIu64, count);
}

static void csv_put_time(struct report_lines *l, uint64_t ns, double all)
{
    report_put(l, ",%" PRIu64 ",%.6f\n", ns, all > 0 ? (double)ns / all : 0);
}

static void csv_states(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->states;
    const double all = census_whole_time(s->census);

    for (size_t i = 0; i < t->count; i++) {
        char number[24];

        snprintf(number, sizeof number, "%" PRIu64, (uint64_t)t->at[i].number);
        csv_put(l, "state", number,
                census_label(s->trace->state, s->trace->states, t->at[i].number), t->at[i].count);
        csv_put_time(l, t->at[i].sum, all);
    }
}

static void csv_types(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->types;

    for (size_t i = 0; i < t->count; i++) {
        char number[24];

        snprintf(number, sizeof number, "%" PRIu64, (uint64_t)t->at[i].number);
        csv_put(l, "event_type", number,
                census_label(s->trace->type, s->trace->types, t->at[i].number), t->at[i].count);
        report_put(l, ",,\n");
    }
}

static void csv_functions(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->functions;
    const double all = census_functions_time(s->census);

    for (size_t i = 0; i < t->count; i++) {
        char name[160];

        csv_put(l, "function", "",
                census_function_text(name, sizeof name, s->names, t->at[i].number), t->at[i].count);
        csv_put_time(l, t->at[i].sum, all);
    }
}

/* Of a trace that has no names of its own; else they are among its functions. */
static void csv_calls(struct report_lines *l, const struct census_story *s)
{
    const struct census_table *t = &s->census->functions;
    const double all = census_threads_time(s->census);

    for (size_t i = 0; i < t->count; i++) {
        char name[160], number[48];
        uint32_t type;
        int64_t value;

        census_function_of(t->at[i].number, &type, &value);
        snprintf(number, sizeof number, "%" PRIu32 ":%" PRId64, type, value);
        csv_put(l, "call", number,
                census_function_text(name, sizeof name, s->names, t->at[i].number), t->at[i].count);
        csv_put_time(l, t->at[i].sum, all);
    }
}

enum prvcut_status census_csv(const struct census_story *s, char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "what,number,name,count,time_ns,share\n");
    csv_states(&l, s);
    csv_types(&l, s);
    if (census_is_named(s->trace))
        csv_functions(&l, s);
    else
        csv_calls(&l, s);
    return report_take(&l, text);
}
