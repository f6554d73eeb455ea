#include "base/memory.h"
#include "report/json.h"
#include "report/page_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A timeline whose pieces of time are joined so that few enough remain. */
struct ptl_grid {
    const struct prvcut_timeline *of;
    const struct prvcut_span *own; /* [threads] windows of threads; NULL: they have the same */
    uint32_t threads;
    uint8_t *cell, *part; /* [of->rows * columns] as the timeline's; owned */
    uint32_t *begins;     /* [of->rows * columns], too */
    uint32_t columns;
    size_t messages; /* at most */
};

/* What is drawn: the state, from 1; its negative where it is a part, for nothing took most of that
   time; 0: nothing. */
static int ptl_drawn(const struct ptl_grid *g, size_t at)
{
    const int state = g->cell[at];

    return g->part[at] < PRVCUT_TIMELINE_FULL / 2 ? -state : state;
}

static size_t ptl_runs(const struct ptl_grid *g)
{
    size_t runs = 0;

    for (uint32_t row = 0; row < g->of->rows; row++) {
        const size_t first = (size_t)row * g->columns;

        for (uint32_t i = 0; i < g->columns; i++)
            runs += i == 0 || ptl_drawn(g, first + i) != ptl_drawn(g, first + i - 1);
    }
    return runs;
}

/* Two neighbours become one: the state that goes on to the left or right of them, else the first;
   it takes as much as both took of their time. */
static void ptl_halve(struct ptl_grid *g)
{
    const uint32_t half = (g->columns + 1) / 2;

    for (uint32_t row = 0; row < g->of->rows; row++) {
        const uint8_t *from = g->cell + (size_t)row * g->columns;
        uint8_t *to = g->cell + (size_t)row * half;
        const uint8_t *part = g->part + (size_t)row * g->columns;
        const uint32_t *begins = g->begins + (size_t)row * g->columns;

        for (uint32_t i = 0; i < half; i++) {
            const uint32_t next = 2 * i + 1 < g->columns ? 2 * i + 1 : 2 * i;
            const uint8_t a = from[2 * i], b = from[next];
            const bool after = 2 * i + 2 < g->columns && from[2 * i + 2] == b;
            const bool before = i > 0 && to[i - 1] == a;

            to[i] = a == 0 || (b != 0 && after && !before) ? b : a;
            g->part[(size_t)row * half + i] = (uint8_t)((part[2 * i] + part[next] + 1) / 2);
            g->begins[(size_t)row * half + i] = begins[2 * i] | begins[next];
        }
    }
    g->columns = half;
}

/* What is drawn and over how many columns, one after the other. */
static json_t *ptl_row_runs(const struct ptl_grid *g, uint32_t row)
{
    const size_t first = (size_t)row * g->columns;
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t i = 0; i < g->columns;) {
        const uint32_t from = i;
        const int drawn = ptl_drawn(g, first + from);

        while (i < g->columns && ptl_drawn(g, first + i) == drawn)
            i++;
        bad |= json_array_append_new(list, json_integer(drawn));
        bad |= json_array_append_new(list, json_integer(i - from));
    }
    return report_json_keep(list, bad);
}

/* Which of the row's runs, from 0, are several stretches of their state: it begins behind their
   first column, too. */
static json_t *ptl_row_several(const struct ptl_grid *g, uint32_t row)
{
    const size_t first = (size_t)row * g->columns;
    json_t *list = json_array();
    uint32_t run = 0;
    int bad = 0;

    for (uint32_t i = 0; i < g->columns; run++) {
        const int drawn = ptl_drawn(g, first + i);
        uint32_t begin = 0;

        for (i++; i < g->columns && ptl_drawn(g, first + i) == drawn; i++)
            begin |= g->begins[first + i];
        if (drawn > 0 && (begin >> (drawn - 1) & 1))
            bad |= json_array_append_new(list, json_integer(run));
    }
    return report_json_keep(list, bad);
}

static json_t *ptl_row_times(const struct prvcut_timeline *t, uint32_t row)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; t->ns && i < t->states; i++)
        bad |= json_array_append_new(list, report_json_integer(t->ns[row * t->states + i]));
    return report_json_keep(list, bad);
}

static json_t *ptl_row(const struct ptl_grid *g, uint32_t row)
{
    const struct prvcut_timeline *t = g->of;
    const uint32_t thread = t->thread[row];
    const bool own = g->own && thread < g->threads;
    uint32_t object[4] = { 0 };
    char name[48] = "";

    if (t->object) {
        memcpy(object, t->object[row], sizeof object);
        snprintf(name, sizeof name, "%u.%u.%u", object[0], object[1], object[2]);
    }
    const struct report_field fields[] = {
        { "name", report_json_text(t->name[row]) },
        { "thread", report_json_text(name) },
        { "application", json_integer(object[0]) },
        { "rank", json_integer(object[3]) },
        { "number", json_integer(object[2]) },
        { "window", own ? report_json_span(&g->own[thread]) : json_null() },
        { "times_ns", ptl_row_times(t, row) },
        { "runs", ptl_row_runs(g, row) },
        { "several", ptl_row_several(g, row) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *ptl_rows(const struct ptl_grid *g)
{
    json_t *list = json_array();
    int bad = 0;

    for (uint32_t row = 0; row < g->of->rows; row++)
        bad |= json_array_append_new(list, ptl_row(g, row));
    return report_json_keep(list, bad);
}

static json_t *ptl_states(const struct prvcut_timeline *t)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < t->states; i++) {
        char colour[16];

        snprintf(colour, sizeof colour, "#%06x", (unsigned)t->state[i].colour & 0xffffffu);
        const struct report_field fields[] = {
            { "name", report_json_text(t->state[i].name) },
            { "colour", json_string(colour) },
            { "ns", report_json_integer(t->state[i].ns) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

/* From the window's start on; a message may begin before it. */
static json_t *ptl_time(const struct prvcut_timeline *t, uint64_t at)
{
    return json_integer((json_int_t)(at > INT64_MAX ? INT64_MAX : at) - (json_int_t)t->span.start);
}

/* Five numbers each: from and to which row, when sent, when received, bytes. */
static json_t *ptl_messages(const struct prvcut_timeline *t, size_t most)
{
    const size_t step = t->messages / most + 1;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < t->messages; i += step) {
        const struct prvcut_timeline_message *m = &t->message[i];

        if (m->from >= t->rows || m->to >= t->rows)
            continue;
        bad |= json_array_append_new(list, json_integer(m->from));
        bad |= json_array_append_new(list, json_integer(m->to));
        bad |= json_array_append_new(list, ptl_time(t, m->send));
        bad |= json_array_append_new(list, ptl_time(t, m->receive));
        bad |= json_array_append_new(list, report_json_integer(m->size));
    }
    return report_json_keep(list, bad);
}

static json_t *ptl_object(const struct ptl_grid *g)
{
    const struct prvcut_timeline *t = g->of;
    const struct report_field fields[] = {
        { "start_ns", report_json_integer(t->span.start) },
        { "end_ns", report_json_integer(t->span.end) },
        { "threads", report_json_integer(t->threads) },
        { "columns", report_json_integer(g->columns) },
        { "states", ptl_states(t) },
        { "rows", ptl_rows(g) },
        { "messages", ptl_messages(t, g->messages) },
        { "messages_seen", report_json_integer(t->messages_seen) },
    };

    return REPORT_JSON_OBJECT(fields);
}

/* Its part of what there is room for, but no more than one may have. */
static size_t ptl_part(size_t all, size_t each, size_t drawings)
{
    const size_t part = all / (drawings > 0 ? drawings : 1);

    return part < each ? part : each;
}

json_t *page_timeline(const struct page_drawing *d)
{
    const struct prvcut_timeline *t = d->timeline;
    const size_t count = (size_t)t->rows * t->columns;
    struct ptl_grid g = {
        .of = t,
        .own = d->own,
        .threads = d->threads,
        .columns = t->columns,
        .messages = ptl_part(PAGE_MESSAGES, PAGE_MESSAGES_EACH, d->drawings),
    };
    json_t *o;

    if (count == 0 || !t->cell || !t->part || !t->begins || t->span.end <= t->span.start)
        return json_null();
    g.cell = prvcut_unset(2, count, "a page", NULL);
    g.begins = prvcut_unset(count, sizeof *g.begins, "a page", NULL);
    if (!g.cell || !g.begins) {
        free(g.cell);
        free(g.begins);
        return NULL;
    }
    g.part = g.cell + count;
    memcpy(g.cell, t->cell, count);
    memcpy(g.part, t->part, count);
    memcpy(g.begins, t->begins, count * sizeof *g.begins);
    while (g.columns > 16 && ptl_runs(&g) > ptl_part(PAGE_RUNS, PAGE_RUNS_EACH, d->drawings))
        ptl_halve(&g);
    o = ptl_object(&g);
    free(g.cell);
    free(g.begins);
    return o;
}
