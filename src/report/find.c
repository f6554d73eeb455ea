#include "model/made.h"
#include "report/command.h"
#include "report/json.h"
#include "report/lines.h"
#include "report/marked.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Matches that a person looks at. */
#define MATCHES_PRINTED 20

/* --- For a person ----------------------------------------------------------------------------- */

/* "lu.prv: 49 matches of iteration 3, 48 exact, all on 8 threads" */
static void fid_title(struct report_lines *l, const struct prvcut_find *f)
{
    char text[32];

    report_put_foreign(l, f->name);
    if (f->no_calls) {
        report_put(l, ": %s%s%s: nothing to look for\n", f->no_calls, f->elsewhere ? " in " : "",
                   f->elsewhere ? f->query : "");
        return;
    }
    report_put(l, ": %s match%s of ", report_count(text, f->matches), f->matches == 1 ? "" : "es");
    if (f->iteration > 0)
        report_put(l, "iteration %" PRIu64 "%s", f->iteration,
                   f->counted_by == PRVCUT_NUMBERING_NEST ? " of each thread's own loop" : "");
    if (f->pattern > 0)
        report_put(l, "pattern %" PRIu64, f->pattern);
    if (f->iteration + f->pattern > 0 && f->elsewhere)
        report_put(l, " of ");
    if (f->elsewhere)
        report_put_foreign(l, f->query);
    else if (f->iteration + f->pattern == 0)
        report_put(l, "the window");
    report_put(l, ", %s exact", report_count(text, f->exact));
    if (f->matches > f->whole)
        report_put(l, ", %s not on all of the %zu threads",
                   report_count(text, f->matches - f->whole), f->queries);
    else if (f->matches > 0 && f->queries > 1)
        report_put(l, ", each on all %zu threads", f->queries);
    report_put(l, "\n");
}

/* "Query  62 calls of each thread, by partner; at most 6 edits" */
static void fid_query(struct report_lines *l, const struct prvcut_find *f)
{
    uint64_t least = UINT64_MAX, most = 0, edits = 0;
    char text[32];

    for (size_t i = 0; i < f->queries; i++) {
        const struct prvcut_find_query *q = prvcut_find_query(f, i);

        least = q->calls < least ? q->calls : least;
        most = q->calls > most ? q->calls : most;
        edits = q->edits > edits ? q->edits : edits;
    }
    if (f->body) {
        report_head(l, "Pattern");
        report_put_foreign(l, f->body);
        report_put(l, "\n");
    }
    report_head(l, "Query");
    if (least < most)
        report_put(l, "%s to ", report_count(text, least));
    report_put(l, "%s call%s of each thread, equal by %s; ", report_count(text, most),
               most == 1 ? "" : "s", prvcut_symbols_text(f->symbols));
    report_put(l, edits == 0 ? "no edits\n" : "at most %s edit%s on each\n",
               report_count(text, edits), edits == 1 ? "" : "s");
}

static void fid_row(char (*row)[REPORT_CELL], const struct report_clock *clock, size_t number,
                    const struct prvcut_find *f)
{
    const struct prvcut_find_match *m = prvcut_find_match(f, number - 1);
    char text[40];

    snprintf(row[0], REPORT_CELL, "%zu", number);
    report_set(row[1], report_clock_time(text, clock, m->span.start, clock->places));
    report_set(row[2], report_clock_time(text, clock, m->span.end, clock->places));
    snprintf(row[3], REPORT_CELL, "%zu", m->parts);
    snprintf(row[4], REPORT_CELL, "%" PRIu64, m->edits);
    if (m->own)
        report_set(row[5], "the query itself");
    else if (m->inside > 0)
        snprintf(row[5], REPORT_CELL, "inside %s %" PRIu64,
                 f->numbering == PRVCUT_NUMBERING_STRUCTURE ? "iteration" : "nest's", m->inside);
    else
        report_set(row[5], "");
}

static void fid_table(struct report_lines *l, const struct prvcut_find *f, bool full)
{
    static const char *const title[] = { "Match", "Start", "End", "Threads", "Edits", "" };
    const size_t shown = full || f->matches < MATCHES_PRINTED ? f->matches : MATCHES_PRINTED;
    const struct report_clock clock =
        report_clock_for(f->matches > 0 ? prvcut_find_match(f, f->matches - 1)->span.end : 0, 1000);
    struct report_table t = { .align = "rrrrrl" };
    char(*row)[REPORT_CELL] = report_row(&t);

    for (size_t i = 0; i < sizeof title / sizeof *title; i++)
        report_set(row[i], title[i]);
    for (size_t i = 0; i < shown; i++) {
        row = report_row(&t);
        if (!row) {
            report_put_table(l, &t);
            t = (struct report_table){ .align = t.align };
            row = report_row(&t);
        }
        fid_row(row, &clock, i + 1, f);
    }
    if (shown > 0)
        report_put_table(l, &t);
    if (shown < f->matches)
        report_put(l, "%zu more; -v lists all\n", f->matches - shown);
}

/* The best match whole, each thread at its own calls; or where that was cut before. */
static void fid_next(struct report_lines *l, const struct prvcut_find *f)
{
    const struct made_find *m = made_find_of(f);
    char command[4000], quoted[1400], own[1420];
    const struct report_command cut = {
        .name = "find", .own = own, .without = "mark,cut", .typed = m->typed
    };

    if (!m->cut || !m->typed || !m->again || !report_quote(quoted, sizeof quoted, m->cut))
        return;
    report_head(l, "Next");
    if (access(m->cut, F_OK) == 0) {
        report_put(l, "the best match as a cut: prvcut info %s\n", quoted);
        return;
    }
    snprintf(own, sizeof own, "--cut %s", quoted);
    report_put(l, "%s\n", report_command(command, sizeof command, m->again, &cut));
}

enum prvcut_status prvcut_find_text(const struct prvcut_find *f, bool full, char **text,
                                    struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    char inside[32], all[32];

    fid_title(&l, f);
    if (f->queries > 0)
        fid_query(&l, f);
    if (f->messages_inside + f->messages_across > 0) {
        report_head(&l, "Messages");
        report_put(&l, "%s of %s between what was found have both ends in one match\n",
                   report_count(inside, f->messages_inside),
                   report_count(all, f->messages_inside + f->messages_across));
    }
    fid_table(&l, f, full);
    report_put_skipped(&l, f->skipped);
    fid_next(&l, f);
    return report_take(&l, text);
}

enum prvcut_status prvcut_find_marked_text(const struct prvcut_marking *m, char **text,
                                           struct prvcut_error *err)
{
    return report_marked(m, PRVCUT_MARK_TYPE, text, err);
}

/* --- For programs ----------------------------------------------------------------------------- */

enum prvcut_status prvcut_find_csv(const struct prvcut_find *f, char **text,
                                   struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    report_put(&l, "match,start_ns,end_ns,threads,edits,own,inside\n");
    for (size_t i = 0; i < f->matches; i++) {
        const struct prvcut_find_match *m = prvcut_find_match(f, i);

        report_put(&l, "%zu,%" PRIu64 ",%" PRIu64 ",%zu,%" PRIu64 ",%d,", i + 1, m->span.start,
                   m->span.end, m->parts, m->edits, m->own);
        if (m->inside > 0)
            report_put(&l, "%" PRIu64, m->inside);
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

static json_t *fid_parts(const struct prvcut_find *f, size_t match)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < prvcut_find_match(f, match)->parts; i++) {
        const struct prvcut_find_part *p = prvcut_find_part(f, match, i);
        const struct report_field fields[] = {
            { "rank", report_json_integer(p->rank) },
            { "thread", report_json_text(p->thread_name) },
            { "start_ns", report_json_integer(p->span.start) },
            { "end_ns", report_json_integer(p->span.end) },
            { "calls", report_json_integer(p->calls) },
            { "distance", report_json_integer(p->edits) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    return report_json_keep(list, bad);
}

static json_t *fid_ranks(const struct prvcut_find *f, size_t match)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < prvcut_find_match(f, match)->parts; i++)
        bad |=
            json_array_append_new(list, report_json_integer(prvcut_find_part(f, match, i)->rank));
    return report_json_keep(list, bad);
}

static json_t *fid_match(const struct prvcut_find *f, size_t i)
{
    const struct prvcut_find_match *m = prvcut_find_match(f, i);
    const struct report_field fields[] = {
        { "start_ns", report_json_integer(m->span.start) },
        { "end_ns", report_json_integer(m->span.end) },
        { "ranks", fid_ranks(f, i) },
        { "distance", report_json_integer(m->edits) },
        { "whole", json_boolean(m->whole) },
        { "own", json_boolean(m->own) },
        { "inside_iteration", m->inside > 0 ? report_json_integer(m->inside) : json_null() },
        { "parts", fid_parts(f, i) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *fid_queries(const struct prvcut_find *f)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < f->queries; i++) {
        const struct prvcut_find_query *q = prvcut_find_query(f, i);
        const struct report_field fields[] = {
            { "rank", report_json_integer(q->rank) },
            { "calls", report_json_integer(q->calls) },
            { "max_distance", report_json_integer(q->edits) },
            { "found", report_json_integer(q->found) },
        };

        bad |= json_array_append_new(list, REPORT_JSON_OBJECT(fields));
    }
    const struct report_field fields[] = {
        { "name", report_json_text(f->query) },
        { "iteration", f->iteration > 0 ? report_json_integer(f->iteration) : json_null() },
        { "counted_by",
          f->iteration > 0 ? report_json_text(prvcut_numbering_text(f->counted_by)) : json_null() },
        { "pattern", f->pattern > 0 ? report_json_integer(f->pattern) : json_null() },
        { "body", report_json_text(f->body) },
        { "start_ns", report_json_integer(f->span.start) },
        { "end_ns", report_json_integer(f->span.end) },
        { "symbols", report_json_text(prvcut_symbols_text(f->symbols)) },
        { "ranks", report_json_keep(list, bad) },
    };

    return REPORT_JSON_OBJECT(fields);
}

enum prvcut_status prvcut_find_json(const struct prvcut_find *f, char **text,
                                    struct prvcut_error *err)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < f->matches; i++)
        bad |= json_array_append_new(list, fid_match(f, i));
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-find"),
        { "name", report_json_text(f->name) },
        { "skipped", report_json_integer(f->skipped) },
        { "no_loop", report_json_text(f->no_loop) },
        { "no_calls", report_json_text(f->no_calls) },
        { "query", fid_queries(f) },
        { "exact", report_json_integer(f->exact) },
        { "whole", report_json_integer(f->whole) },
        { "numbering", report_json_text(prvcut_numbering_text(f->numbering)) },
        { "messages_inside", report_json_integer(f->messages_inside) },
        { "messages_across", report_json_integer(f->messages_across) },
        { "matches", report_json_keep(list, bad) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}
