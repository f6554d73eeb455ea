#include "prvcut/inspect.h"

#include "api/index.h"
#include "api/opening.h"
#include "api/pack.h"
#include "report/json.h"
#include "report/lines.h"

#include <stdlib.h>
#include <string.h>

/* Line numbers shown of a finding. */
#define LINES_SHOWN 5

enum prvcut_status prvcut_info(struct prvcut_trace *trace, const struct prvcut_run *run, bool json,
                               char **text, struct prvcut_error *err)
{
    struct census c;
    enum prvcut_status st = PRVCUT_OK;

    *text = NULL;
    if (!index_recall_census(trace, &c))
        st = census_take(trace, run, &c, err);
    if (st == PRVCUT_OK)
        st = json ? census_json(&c, trace, text, err) : census_text(&c, trace, text, err);
    census_fini(&c);
    return prvcut_trace_outcome(trace, st, err);
}

/* What and how many, where the first ones are and what the very first one is, what to do. */
static void tell_finding(struct report_lines *l, const struct prvcut_finding *f)
{
    const unsigned shown = f->lines < LINES_SHOWN ? f->lines : LINES_SHOWN;
    char text[32];

    report_put(l, "%-6s  %-23s  %9s  %s\n", f->damage ? "damage" : "note", f->name,
               report_count(text, f->count), f->summary);
    report_put(l, "%8s", "");
    if (strcmp(f->file, ".prv") != 0 && shown > 0)
        report_put(l, "%s ", f->file);
    for (unsigned i = 0; i < shown; i++)
        report_put(l, "%s %llu",
                   i > 0           ? ","
                   : f->count == 1 ? "line"
                                   : "lines",
                   (unsigned long long)f->line[i]);
    if (shown > 0)
        report_put(l, "%s: ", f->count > shown ? ", ..." : "");
    /* Made safe for a terminal when it was found. */
    report_put(l, "%s\n%8sto do: %s\n", f->example, "", f->advice);
}

static enum prvcut_status tell_findings(const struct prvcut_findings *f,
                                        const struct prvcut_reader *reader, bool strict,
                                        char **text, struct prvcut_error *err)
{
    struct report_lines l = { .err = err };
    /* Where threads are recorded apart, a line is a record. */
    const uint64_t records = reader->halves ? f->lines : f->states + f->events + f->messages;
    char count[32];

    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].damage)
            tell_finding(&l, &f->at[i]);
    for (size_t i = 0; i < f->count; i++)
        if (!f->at[i].damage)
            tell_finding(&l, &f->at[i]);
    report_put(&l, "%s", f->damaged ? "damaged" : strict ? "not strictly sound" : "sound");
    report_put(&l, ": %s records", report_count(count, records));
    if (!reader->halves)
        report_put(&l, " in %s lines", report_count(count, f->lines));
    report_put(&l, " were read\n");
    return report_take(&l, text);
}

static json_t *list_finding(const struct prvcut_finding *f)
{
    json_t *lines = json_array();
    int bad = 0;

    for (unsigned i = 0; i < f->lines; i++)
        bad |= json_array_append_new(lines, report_json_integer(f->line[i]));
    const struct report_field fields[] = {
        { "name", report_json_text(f->name) },
        { "severity", report_json_text(f->damage ? "damage" : "note") },
        { "summary", report_json_text(f->summary) },
        { "count", report_json_integer(f->count) },
        { "file", report_json_text(f->file) },
        { "lines", report_json_keep(lines, bad) },
        { "example", report_json_text(f->example) },
        { "advice", report_json_text(f->advice) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *list_records(const struct prvcut_findings *f)
{
    const struct report_field fields[] = {
        { "states", report_json_integer(f->states) },
        { "events", report_json_integer(f->events) },
        { "values", report_json_integer(f->pairs) },
        { "messages", report_json_integer(f->messages) },
        { "comments", report_json_integer(f->comments) },
        { "lines", report_json_integer(f->lines) },
        { "text_bytes", report_json_integer(f->bytes) },
        { "last_ns", report_json_integer(f->last_ns) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static enum prvcut_status list_findings(const struct prvcut_findings *f, const char *path,
                                        const struct prvcut_reader *reader, bool strict,
                                        char **text, struct prvcut_error *err)
{
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < f->count; i++)
        bad |= json_array_append_new(list, list_finding(&f->at[i]));
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-check"),
        { "path", report_json_text(path) },
        { "format", report_json_text(reader->name) },
        { "verdict", report_json_text(f->damaged ? "damaged"
                                      : strict   ? "noted"
                                                 : "sound") },
        { "records", list_records(f) },
        { "findings", report_json_keep(list, bad) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

enum prvcut_status prvcut_check(const char *path, const struct prvcut_run *run,
                                const struct prvcut_open_options *options, bool json, char **text,
                                struct prvcut_error *err)
{
    struct prvcut_findings f = { 0 };
    struct prvcut_open_options o = options ? *options : (struct prvcut_open_options){ 0 };
    struct prvcut_opening opening;
    bool strict;
    enum prvcut_status st;

    *text = NULL;
    if (run && !o.stop) {
        o.stop = run->stop;
        o.ctx = run->ctx;
    }
    st = prvcut_opening_start(&opening, path, &o, err);
    if (st < 0)
        return st;
    st = opening.reader->check(&f, opening.source, options, run, err);
    strict = options && options->strict && f.count > 0;
    for (size_t i = 0; i < f.count && opening.inside.folder; i++)
        prvcut_opening_retell(f.at[i].example, sizeof f.at[i].example, opening.inside.folder,
                              opening.archive);
    if (st == PRVCUT_OK)
        st = json ? list_findings(&f, opening.inside.told ? opening.inside.told : path,
                                  opening.reader, strict, text, err)
                  : tell_findings(&f, opening.reader, strict, text, err);
    if (st == PRVCUT_OK && (f.damaged || strict))
        st = PRVCUT_END;
    prvcut_opening_outcome(&opening, st, err);
    prvcut_opening_fini(&opening);
    free(f.at);
    return st;
}
