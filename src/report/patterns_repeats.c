#include "report/patterns.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Repeats that a person looks at, and calls of one. */
#define REPEATS_PRINTED 20
#define CALLS_PRINTED   40
/* Calls of one that JSON has. */
#define CALLS_TOLD 1000

/* "6×Irecv 6×Isend Waitall", so many calls at most. */
static void prp_calls(struct report_lines *l, const struct prvcut_patterns *p, size_t i,
                      size_t most)
{
    const struct prvcut_repeat *r = prvcut_patterns_repeat(p, i);
    size_t told = 0;

    for (size_t k = 0; k < r->length;) {
        const char *name = prvcut_repeat_call(p, i, k);
        size_t same = 1;

        while (k + same < r->length && strcmp(prvcut_repeat_call(p, i, k + same), name) == 0)
            same++;
        if (told++ == most) {
            report_put(l, " ... %" PRIu64 " more", r->length - k);
            return;
        }
        report_put(l, "%s", k > 0 ? " " : "");
        if (same > 1)
            report_put(l, "%zu×", same);
        report_put_foreign(l, name);
        k += same;
    }
}

/* A table whose last column is free text, owned until it is printed. */
struct rpp_table {
    struct report_table table;
    char *calls[REPORT_ROWS];
};

static void prp_flush(struct report_lines *l, struct rpp_table *t)
{
    report_put_table(l, &t->table);
    for (unsigned i = 0; i < t->table.rows; i++)
        free(t->calls[i]);
    *t = (struct rpp_table){ .table.align = t->table.align };
}

static void prp_row(struct report_lines *l, struct rpp_table *t, const struct prvcut_patterns *p,
                    size_t i)
{
    const struct prvcut_repeat *r = prvcut_patterns_repeat(p, i);
    struct report_lines calls = { .err = l->err };
    char(*row)[REPORT_CELL] = report_row(&t->table), text[32];

    if (!row) {
        prp_flush(l, t);
        row = report_row(&t->table);
    }
    report_set(row[0], prvcut_repeat_kind_text(r->kind));
    report_set(row[1], report_count(text, r->length));
    report_set(row[2], report_count(text, r->count));
    report_set(row[3], report_count(text, r->disjoint));
    snprintf(row[4], REPORT_CELL, "%zu", r->threads);
    report_set(row[5], prvcut_time_text(text, (double)r->first_ns));
    prp_calls(&calls, p, i, CALLS_PRINTED);
    if (report_take(&calls, &t->calls[t->table.rows - 1]) < 0)
        l->st = PRVCUT_ENOMEM;
    t->table.tail[t->table.rows - 1] = t->calls[t->table.rows - 1];
}

void report_repeats(struct report_lines *l, const struct prvcut_patterns *p, bool full)
{
    static const char *const title[] = {
        "Kind", "Length", "Count", "Disjoint", "Threads", "First"
    };
    const size_t shown = full || p->repeats < REPEATS_PRINTED ? p->repeats : REPEATS_PRINTED;
    struct rpp_table t = { .table.align = "lrrrrr" };
    char(*row)[REPORT_CELL], text[32];

    if (p->repeats == 0) {
        report_put(l, "nothing comes back%s\n",
                   p->raw ? "" : " besides loops, whose bodies count once here: --raw");
        return;
    }
    report_put(l, "%s stretch%s of calls come%s back%s:\n", report_count(text, p->repeats),
               p->repeats == 1 ? "" : "es", p->repeats == 1 ? "s" : "",
               p->raw ? "" : ", besides loops, whose bodies count once");
    row = report_row(&t.table);
    for (size_t i = 0; i < sizeof title / sizeof *title; i++)
        report_set(row[i], title[i]);
    t.table.tail[0] = "Calls";
    for (size_t i = 0; i < shown; i++)
        prp_row(l, &t, p, i);
    prp_flush(l, &t);
    if (shown < p->repeats)
        report_put(l, "%zu more; -v lists all\n", p->repeats - shown);
    if (p->repeats_left > 0)
        report_put(l, "note: %s more occur too often to be counted out\n",
                   report_count(text, p->repeats_left));
}

static json_t *prp_names(const struct prvcut_patterns *p, size_t i)
{
    json_t *list = json_array();
    const char *name;
    int bad = 0;

    for (size_t k = 0; k < CALLS_TOLD && (name = prvcut_repeat_call(p, i, k)) != NULL; k++)
        bad |= json_array_append_new(list, report_json_text(name));
    return report_json_keep(list, bad);
}

static json_t *prp_positions(const struct prvcut_patterns *p, size_t i)
{
    json_t *list = json_array();
    uint64_t position;
    int bad = 0;

    for (size_t k = 0; (position = prvcut_repeat_position(p, i, k)) > 0; k++)
        bad |= json_array_append_new(list, report_json_integer(position));
    return report_json_keep(list, bad);
}

static json_t *prp_threads(const struct prvcut_patterns *p, size_t i)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t k = 0; k < prvcut_patterns_repeat(p, i)->threads; k++)
        bad |= json_array_append_new(
            list, report_json_integer(prvcut_repeat_thread(p, i, k) + UINT64_C(1)));
    return report_json_keep(list, bad);
}

json_t *report_repeats_json(const struct prvcut_patterns *p)
{
    json_t *list = p->repeated ? json_array() : json_null();
    int bad = 0;

    for (size_t i = 0; i < p->repeats; i++) {
        const struct prvcut_repeat *r = prvcut_patterns_repeat(p, i);
        const struct report_field fields[] = {
            { "kind", report_json_text(prvcut_repeat_kind_text(r->kind)) },
            { "length", report_json_integer(r->length) },
            { "count", report_json_integer(r->count) },
            { "disjoint", report_json_integer(r->disjoint) },
            { "coverage", report_json_integer(r->coverage) },
            { "threads", prp_threads(p, i) },
            { "first_ns", report_json_integer(r->first_ns) },
            { "calls", prp_names(p, i) },
            { "positions", prp_positions(p, i) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

void report_repeats_csv(struct report_lines *l, const struct prvcut_patterns *p)
{
    report_put(l, "kind,length,count,disjoint,coverage,threads,first_ns,calls\n");
    for (size_t i = 0; i < p->repeats; i++) {
        const struct prvcut_repeat *r = prvcut_patterns_repeat(p, i);
        struct report_lines calls = { .err = l->err };
        char *text = NULL;

        report_put(l, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%zu,%" PRIu64 ",",
                   prvcut_repeat_kind_text(r->kind), r->length, r->count, r->disjoint, r->coverage,
                   r->threads, r->first_ns);
        prp_calls(&calls, p, i, SIZE_MAX);
        l->st = report_take(&calls, &text) < 0 ? PRVCUT_ENOMEM : l->st;
        report_put_value(l, text ? text : "");
        report_put(l, "\n");
        free(text);
    }
}
