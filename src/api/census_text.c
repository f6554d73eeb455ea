#include "api/census_tell.h"

#include "base/memory.h"
#include "model/roles.h"

#include <stdio.h>
#include <stdlib.h>

/* Long lists are cut short for a person; the JSON has all of them. */
#define STATES_SHOWN 16
#define TYPES_SHOWN  20
#define GROUPS_SHOWN 4
#define SIZES_SHOWN  6
#define NAMES_SHOWN  6

static void ctx_tell_time(struct report_lines *l, const struct census *c,
                          const struct prvcut_trace *t)
{
    const struct report_clock clock = report_clock_for(c->end_ns, 0);
    char text[40];

    report_head(l, "Duration");
    report_put(l, "%s", prvcut_time_text(text, (double)t->end_ns));
    report_put(l, " by the %s, in steps of ", t->reader->halves ? "definitions" : "header");
    report_put(l, "%s;",
               t->unit_ns == 1         ? "1ns"
               : t->unit_ns == 1000    ? "1us"
               : t->unit_ns == 1000000 ? "1ms"
                                       : prvcut_time_text(text, (double)t->unit_ns));
    report_put(l, " records from %s",
               report_clock_time(text, &clock, c->counts.first_ns, clock.exact));
    report_put(l, " to %s\n", report_clock_time(text, &clock, c->counts.last_ns, clock.exact));
}

static void ctx_tell_group(struct report_lines *l, const struct prvcut_objects *o,
                           const struct census_tasks *g)
{
    const uint32_t base = o->application_first_task[g->application];

    report_put(l, "%-12s", "");
    if (o->applications > 1)
        report_put(l, "application %u, ", g->application + 1);
    if (g->end - g->first == 1)
        report_put(l, "task %u: ", g->first - base + 1);
    else
        report_put(l, "tasks %u-%u: ", g->first - base + 1, g->end - base);
    tell_number(l, g->threads, "thread");
    report_put(l, g->end - g->first == 1 ? "" : " each");
    if (g->node != UINT32_MAX)
        report_put(l, ", on node %u", g->node + 1);
    report_put(l, "\n");
}

static void ctx_tell_objects(struct report_lines *l, const struct prvcut_objects *o)
{
    uint32_t task = 0;

    report_head(l, "Objects");
    tell_number(l, o->applications, "application");
    report_put(l, ", ");
    tell_number(l, o->tasks, "task");
    report_put(l, ", ");
    tell_number(l, o->threads, "thread");
    report_put(l, ", ");
    tell_number(l, o->nodes, "node");
    report_put(l, ", ");
    tell_number(l, o->cpus, "cpu");
    report_put(l, "\n");
    for (unsigned shown = 0; task < o->tasks && shown < GROUPS_SHOWN; shown++) {
        const struct census_tasks g = census_tasks(o, task);

        ctx_tell_group(l, o, &g);
        task = g.end;
    }
    if (task < o->tasks) {
        report_put(l, "%-12sand ", "");
        tell_number(l, o->tasks - task, "more task");
        report_put(l, "\n");
    }
}

static void ctx_tell_named_objects(struct report_lines *l, const struct prvcut_objects *o)
{
    report_head(l, "Objects");
    tell_number(l, o->tasks, "location group");
    report_put(l, ", ");
    tell_number(l, o->threads, "location");
    if (o->nodes > 0)
        report_put(l, ", ");
    if (o->nodes > 0)
        tell_number(l, o->nodes, "node");
    report_put(l, "\n");
}

static int ctx_tell_by_size(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

static void ctx_tell_communicators(struct report_lines *l, const struct prvcut_objects *o,
                                   const char *member)
{
    uint32_t *size =
        prvcut_unset((size_t)o->communicators + 1, sizeof *size, "communicators", l->err);
    unsigned shown = 0;
    uint32_t i = 0;

    if (!size) {
        l->st = PRVCUT_ENOMEM;
        return;
    }
    for (; i < o->communicators; i++)
        size[i] = o->communicator[i].count;
    qsort(size, o->communicators, sizeof *size, ctx_tell_by_size);
    report_head(l, "Groups");
    tell_number(l, o->communicators, "communicator");
    for (i = 0; i < o->communicators && shown < SIZES_SHOWN; shown++) {
        const uint32_t first = i;

        while (i < o->communicators && size[i] == size[first])
            i++;
        report_put(l, "%s %u of ", shown == 0 ? ":" : ",", i - first);
        tell_number(l, size[first], member);
    }
    report_put(l, i < o->communicators ? ", and smaller ones\n" : "\n");
    free(size);
}

/* "2 lines out of order", if there are any */
static void ctx_tell_odd(struct report_lines *l, uint64_t count, const char *noun, const char *what,
                         uint64_t line)
{
    if (count == 0)
        return;
    report_put(l, "%-12s", "");
    tell_number(l, count, noun);
    report_put(l, " %s", what);
    if (line > 0)
        report_put(l, ", the first one in line %llu", (unsigned long long)line);
    report_put(l, "\n");
}

static void ctx_tell_lines(struct report_lines *l, const struct prvcut_counts *n)
{
    report_head(l, "Records");
    tell_number(l, n->states, "state");
    report_put(l, ", ");
    tell_number(l, n->events, "event");
    report_put(l, " (");
    tell_number(l, n->pairs, "value");
    report_put(l, "), ");
    tell_number(l, n->messages, "message");
    report_put(l, "; ");
    tell_number(l, n->lines, "line");
    report_put(l, n->comments > 0 ? ", " : "\n");
    if (n->comments > 0) {
        tell_number(l, n->comments, "comment");
        report_put(l, "\n");
    }
}

static void ctx_tell_records(struct report_lines *l, const struct census_story *s)
{
    const struct prvcut_counts *n = &s->census->counts;
    const char *const noun = census_is_named(s->trace) ? "record" : "line";

    if (census_is_named(s->trace))
        tell_records_shortly(l, s);
    else
        ctx_tell_lines(l, n);
    ctx_tell_odd(l, n->skipped, "damaged record", "skipped", 0);
    ctx_tell_odd(l, n->unsorted, noun, "out of order", n->first_unsorted);
    ctx_tell_odd(l, n->beyond_end, "record", "beyond the header's duration", 0);
    if (n->no_last_newline)
        report_put(l, "%-12sthe last line has no line end\n", "");
    for (unsigned i = 0; i < PRVCUT_BENTS; i++) {
        char text[200];

        if (n->bent[i].count > 0)
            report_put(l, "%-12s%s\n", "", prvcut_bent_text(text, sizeof text, i, &n->bent[i]));
    }
}

static void ctx_tell_clocks(struct report_lines *l, const struct prvcut_clocks *k,
                            const struct census_clocks *whole)
{
    char text[32];

    if (!k->skewed && whole->contradictions == 0)
        return;
    report_head(l, "Clocks");
    if (k->skewed) {
        report_put(l, "of the ranks were up to %s apart",
                   prvcut_time_text(text, (double)(k->most - k->least)));
        report_put(l, "; brought together by their %s, to", prvcut_clock_source_text(k->source));
        report_put(l, " within %s\n", prvcut_time_text(text, (double)k->doubt));
    }
    if (whole->contradictions > 0) {
        report_put(l, k->skewed ? "%-12s" : "%s", "");
        tell_contradictions(l, whole);
    }
    ctx_tell_odd(l, k->unknown, "clock", "tied to no other", 0);
}

static void ctx_tell_messages(struct report_lines *l, const struct census_messages *m,
                              const struct prvcut_trace *t)
{
    char text[32];

    if (m->count == 0)
        return;
    report_head(l, "Messages");
    report_put(l, "%s, ", report_count(text, m->count));
    report_put(l, "%s%s in all; ", m->bytes < UINT64_MAX ? "" : "more than ",
               prvcut_size_text(text, (double)m->bytes));
    report_put(l, "%s", prvcut_size_text(text, (double)m->least));
    if (m->least == m->most) {
        report_put(l, " each\n");
    } else {
        report_put(l, " to %s,", prvcut_size_text(text, (double)m->most));
        report_put(l, " half of them up to %s\n", prvcut_size_text(text, (double)census_median(m)));
    }
    if (t->reader->halves && m->receives != m->count)
        report_put(l, "%-12sreceives recorded: %s\n", "", report_count(text, m->receives));
}

static void ctx_tell_flushes(struct report_lines *l, const struct census_flushes *f)
{
    char text[32];

    report_head(l, "Flushes");
    if (f->count == 0) {
        report_put(l, "none\n");
        return;
    }
    report_put(l, "%s on ", report_count(text, f->count));
    tell_number(l, f->threads, "thread");
    report_put(l, ", %s in all", prvcut_time_text(text, (double)f->total));
    report_put(l, ", the longest %s", prvcut_time_text(text, (double)f->longest));
    if (f->looked < f->count)
        report_put(l, " (of the first %s)", report_count(text, f->looked));
    if (f->last == f->count) {
        report_put(l, "; all at the end of the run\n");
        return;
    }
    report_put(l, "; %s of them at the end of the run", report_count(text, f->last));
    report_put(l, f->last > 0 ? ", %s\n" : "\n", prvcut_time_text(text, (double)f->last_total));
}

static void ctx_tell_states(struct report_lines *l, const struct census *c,
                            const struct prvcut_trace *t)
{
    static const char *const heads[REPORT_COLUMNS] = { "State", "", "count", "time", "share" };
    const bool named = census_is_named(t);
    struct report_table table = { .align = named ? "llrrr" : "rlrrr" };
    struct census_entry *e = tell_sorted(l, &c->states, tell_by_time);
    const double all = census_whole_time(c);
    char text[32];

    if (!e || c->states.count == 0) {
        free(e);
        return;
    }
    tell_heads(&table, heads);
    for (size_t i = 0; i < c->states.count && i < STATES_SHOWN; i++) {
        char(*cell)[REPORT_CELL] = report_row(&table);

        if (!named)
            snprintf(cell[0], REPORT_CELL, "%u", (uint32_t)e[i].number);
        tell_cell(cell[named ? 0 : 1], census_label(t->state, t->states, e[i].number));
        report_set(cell[2], report_count(text, e[i].count));
        report_set(cell[3], prvcut_time_text(text, (double)e[i].sum));
        snprintf(cell[4], REPORT_CELL, "%.2f %%", 100 * (all > 0 ? (double)e[i].sum / all : 0));
    }
    if (all > census_states_time(c)) {
        char(*cell)[REPORT_CELL] = report_row(&table);
        const double open = all - census_states_time(c);

        tell_cell(cell[named ? 0 : 1], "in no recorded state");
        report_set(cell[3], prvcut_time_text(text, open));
        snprintf(cell[4], REPORT_CELL, "%.2f %%", 100 * open / all);
    }
    report_put(l, "\n");
    report_put_table(l, &table);
    tell_more(l, c->states.count > STATES_SHOWN ? c->states.count - STATES_SHOWN : 0, "state");
    free(e);
}

static void ctx_tell_types(struct report_lines *l, const struct census *c,
                           const struct prvcut_trace *t)
{
    static const char *const heads[REPORT_COLUMNS] = { "Event type", "", "role", "count", "not 0" };
    struct report_table table = { .align = "rllrr" };
    struct census_entry *e = tell_sorted(l, &c->types, tell_by_count);
    char text[32];

    if (!e || c->types.count == 0) {
        free(e);
        return;
    }
    tell_heads(&table, heads);
    for (size_t i = 0; i < c->types.count && i < TYPES_SHOWN; i++) {
        char(*cell)[REPORT_CELL] = report_row(&table);

        snprintf(cell[0], REPORT_CELL, "%u", (uint32_t)e[i].number);
        tell_cell(cell[1], census_label(t->type, t->types, e[i].number));
        report_set(cell[2], prvcut_role_text(e[i].role));
        report_set(cell[3], report_count(text, e[i].count));
        report_set(cell[4], report_count(text, e[i].sum));
    }
    report_put(l, "\n");
    report_put_table(l, &table);
    tell_more(l, c->types.count > TYPES_SHOWN ? c->types.count - TYPES_SHOWN : 0, "event type");
    if (c->other_values > 0)
        report_put(l, "and %s values of further event types\n",
                   report_count(text, c->other_values));
    free(e);
}

static void ctx_tell_counters(struct report_lines *l, const struct census *c,
                              const struct prvcut_trace *t)
{
    unsigned shown = 0;

    report_head(l, "Counters");
    for (size_t i = 0; i < c->types.count; i++) {
        const char *label = census_label(t->type, t->types, c->types.at[i].number);

        if (!prvcut_role_is_counter(c->types.at[i].role))
            continue;
        if (shown++ >= NAMES_SHOWN)
            continue;
        report_put(l, shown > 1 ? ", %u" : "%u", (uint32_t)c->types.at[i].number);
        if (*label) {
            char cell[REPORT_CELL];

            tell_cell(cell, label);
            report_put(l, " (%s)", cell);
        }
    }
    if (shown > NAMES_SHOWN)
        report_put(l, " and %u more", shown - NAMES_SHOWN);
    report_put(l, shown == 0 ? "none\n" : "\n");
}

/* A trace with names of its own has no numbers of event types and states. */
static void ctx_tell_tables(struct report_lines *l, const struct census_story *s)
{
    if (census_is_named(s->trace)) {
        tell_metrics(l, s);
        tell_functions(l, s);
        if (s->trace->states_recorded)
            ctx_tell_states(l, s->census, s->trace);
        tell_locations(l, s);
    } else {
        ctx_tell_counters(l, s->census, s->trace);
        tell_calls(l, s);
        ctx_tell_states(l, s->census, s->trace);
        ctx_tell_types(l, s->census, s->trace);
    }
}

static enum prvcut_status ctx_first_screen(const struct census_story *s, char **text,
                                           struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    tell_title(&l, s);
    tell_records_shortly(&l, s);
    tell_shares(&l, s);
    tell_calls_shortly(&l, s);
    tell_watch(&l, s);
    report_wrap(&l, s->columns);
    tell_next(&l, s);
    return report_take(&l, text);
}

enum prvcut_status census_brief(const struct census_story *s, char **text, struct prvcut_error *err)
{
    struct census_story terser = *s;
    enum prvcut_status st = ctx_first_screen(s, text, err);

    while (st == PRVCUT_OK && report_count_lines(*text) > REPORT_LINES &&
           ++terser.terse < CENSUS_LEAST) {
        free(*text);
        *text = NULL;
        st = ctx_first_screen(&terser, text, err);
    }
    return st;
}

enum prvcut_status census_text(const struct census_story *s, char **text, struct prvcut_error *err)
{
    const struct census *c = s->census;
    const struct prvcut_trace *t = s->trace;
    struct report_lines l = { .err = err };

    tell_title(&l, s);
    ctx_tell_records(&l, s);
    tell_shares(&l, s);
    ctx_tell_time(&l, c, t);
    if (census_is_named(t))
        ctx_tell_named_objects(&l, &t->objects);
    else
        ctx_tell_objects(&l, &t->objects);
    ctx_tell_communicators(&l, &t->objects, census_is_named(t) ? "rank" : "task");
    ctx_tell_clocks(&l, &t->clocks, &c->clocks);
    ctx_tell_messages(&l, &c->messages, t);
    ctx_tell_flushes(&l, &c->flushes);
    ctx_tell_tables(&l, s);
    report_wrap(&l, s->columns);
    return report_take(&l, text);
}
