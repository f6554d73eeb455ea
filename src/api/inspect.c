#include "prvcut/inspect.h"
#include "api/entries.h"

#include "api/called.h"
#include "api/index.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/pack.h"
#include "report/json.h"
#include "report/lines.h"

#include <stdlib.h>
#include <string.h>

/* Line numbers shown of a finding. */
#define LINES_SHOWN 5

/* Lines that findings take on the first screen. */
#define FINDINGS_LINES 7u

static enum prvcut_status ins_tell_census(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct census *c, enum prvcut_form form,
                                          char **text, struct prvcut_error *err)
{
    struct prvcut_dictionary names = { 0 };
    char *called = NULL, *typed = NULL, *cuts = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, trace, err);

    if (st == PRVCUT_OK)
        st = prvcut_trace_typed(&typed, trace, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_pattern(&cuts, trace, err);
    if (st == PRVCUT_OK)
        st = trace->reader->describe(trace, &names, err);
    if (st == PRVCUT_OK) {
        const struct census_story story = {
            .census = c,
            .trace = trace,
            .names = &names,
            .called = called,
            .typed = typed,
            .cuts = cuts,
            .again = run->again,
            .columns = run->columns >= 60 ? run->columns : 80,
        };

        st = form == PRVCUT_JSON        ? census_json(&story, text, err)
             : form == PRVCUT_CSV       ? census_csv(&story, text, err)
             : form == PRVCUT_FULL_TEXT ? census_text(&story, text, err)
                                        : census_brief(&story, text, err);
    }
    prvcut_dictionary_fini(&names);
    free(typed);
    free(cuts);
    free(called);
    return st;
}

enum prvcut_status api_info(struct prvcut_trace *trace, const struct prvcut_run *run,
                            enum prvcut_form form, char **text, struct prvcut_error *err)
{
    struct census c;
    enum prvcut_status st = PRVCUT_OK;

    *text = NULL;
    if (!index_recall_census(trace, &c))
        st = census_take(trace, run, &c, err);
    if (st == PRVCUT_OK)
        st = ins_tell_census(trace, run, &c, form, text, err);
    census_fini(&c);
    return prvcut_trace_outcome(trace, st, err);
}

/* --- Check ---------------------------------------------------------------------------------- */

/* What a check came to. */
struct verdict {
    const struct prvcut_findings *findings;
    const struct prvcut_reader *reader;
    const char *path, *called;
    bool strict; /* whatever was found is a fault */
};

static const char *ins_verdict_text(const struct verdict *v)
{
    return v->findings->damaged ? "damaged" : v->strict ? "not strictly sound" : "sound";
}

static void ins_tell_verdict(struct report_lines *l, const struct verdict *v)
{
    const struct prvcut_findings *f = v->findings;
    /* Where threads are recorded apart, a line is a record. */
    const uint64_t records = v->reader->halves ? f->lines : f->states + f->events + f->messages;
    char count[32];

    report_put_foreign(l, v->called);
    report_put(l, ": %s, %s record%s\n", ins_verdict_text(v), report_count(count, records),
               records == 1 ? "" : "s");
}

/* What and how many. */
static void ins_tell_kind(struct report_lines *l, const struct prvcut_finding *f)
{
    char text[32];

    report_put(l, "  %-6s  %-23s  %9s  %s\n", f->damage ? "damage" : "note", f->name,
               report_count(text, f->count), f->summary);
}

/* Where the first ones are and what the very first one is, what to do. */
static void ins_tell_example(struct report_lines *l, const struct verdict *v,
                             const struct prvcut_finding *f)
{
    const unsigned shown = f->lines < LINES_SHOWN ? f->lines : LINES_SHOWN;

    report_put(l, "%10s", "");
    if (shown > 0 && v->reader->format->suffix && strcmp(f->file, v->reader->format->suffix) != 0)
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
    report_put(l, "%s\n%10sadvice: %s\n", f->example, "", f->advice);
}

/* All of them, damage first. */
static void ins_tell_all(struct report_lines *l, const struct verdict *v)
{
    const struct prvcut_findings *f = v->findings;

    for (unsigned damage = 2; damage-- > 0;)
        for (size_t i = 0; i < f->count; i++)
            if (f->at[i].damage == (damage > 0)) {
                ins_tell_kind(l, &f->at[i]);
                ins_tell_example(l, v, &f->at[i]);
            }
}

/* Nobody has to know more of them than that there are some, and what is missing for it. */
static bool ins_is_folded(const struct verdict *v, const struct prvcut_finding *f)
{
    return f->habit && !f->damage && !v->strict;
}

/* One finding where it fits, and the first damage however long: what is damaged has to be said.
 *lines: that there are, wrapped. */
static bool ins_tell_if_room(struct report_lines *l, const struct verdict *v,
                             const struct prvcut_finding *f, unsigned *lines)
{
    struct report_lines own = { .err = l->err };
    unsigned wanted = 0;
    char *text = NULL;
    bool fits;

    ins_tell_kind(&own, f);
    if (f->damage)
        ins_tell_example(&own, v, f);
    report_wrap(&own, REPORT_WIDTH);
    if (report_take(&own, &text) != PRVCUT_OK || !text)
        return false;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        wanted++;
    fits = *lines + wanted <= FINDINGS_LINES || (f->damage && *lines == 0);
    if (fits) {
        report_put(l, "%s", text);
        *lines += wanted;
    }
    free(text);
    return fits;
}

/* Damage and what is to be done about it, then notes, as far as there is room. */
static void ins_tell_unfolded(struct report_lines *l, const struct verdict *v)
{
    const struct prvcut_findings *f = v->findings;
    size_t more = 0;

    for (unsigned damage = 2, lines = 0; damage-- > 0;)
        for (size_t i = 0; i < f->count; i++) {
            if (f->at[i].damage != (damage > 0) || ins_is_folded(v, &f->at[i]))
                continue;
            more += !ins_tell_if_room(l, v, &f->at[i], &lines);
        }
    if (more > 0)
        report_put(l, "  and %zu more kind%s (-v lists all)\n", more, more == 1 ? "" : "s");
}

/* "5 known habits of EZTrace, harmless here (-v lists them); 3 sends without a receive: ..." */
static void ins_tell_folded(struct report_lines *l, const struct verdict *v)
{
    const struct prvcut_findings *f = v->findings;
    unsigned habits = 0;
    char text[32];

    for (size_t i = 0; i < f->count; i++)
        habits += ins_is_folded(v, &f->at[i]);
    if (habits == 0)
        return;
    report_put(l, "  %u known habit%s of %s, harmless here (-v lists %s)", habits,
               habits == 1 ? "" : "s", f->tracer ? f->tracer : "tracers",
               habits == 1 ? "it" : "them");
    for (size_t i = 0; i < f->count; i++)
        if (ins_is_folded(v, &f->at[i]) && f->at[i].effect)
            report_put(l, "; %s %s", report_count(text, f->at[i].count), f->at[i].effect);
    report_put(l, "\n");
}

static enum prvcut_status ins_tell_findings(const struct verdict *v, bool all, char **text,
                                            struct prvcut_error *err)
{
    struct report_lines l = { .err = err };

    ins_tell_verdict(&l, v);
    if (all) {
        ins_tell_all(&l, v);
    } else {
        ins_tell_unfolded(&l, v);
        ins_tell_folded(&l, v);
    }
    report_wrap(&l, REPORT_WIDTH);
    return report_take(&l, text);
}

static json_t *ins_list_finding(const struct prvcut_finding *f)
{
    json_t *lines = json_array();
    int bad = 0;

    for (unsigned i = 0; i < f->lines; i++)
        bad |= json_array_append_new(lines, report_json_integer(f->line[i]));
    const struct report_field fields[] = {
        { "name", report_json_text(f->name) },
        { "severity", report_json_text(f->damage ? "damage" : "note") },
        { "habit", json_boolean(f->habit) },
        { "summary", report_json_text(f->summary) },
        { "count", report_json_integer(f->count) },
        { "file", report_json_text(f->file) },
        { "lines", report_json_keep(lines, bad) },
        { "example", report_json_text(f->example) },
        { "advice", report_json_text(f->advice) },
    };

    return REPORT_JSON_OBJECT(fields);
}

static json_t *ins_list_records(const struct prvcut_findings *f)
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

static enum prvcut_status ins_list_findings(const struct verdict *v, char **text,
                                            struct prvcut_error *err)
{
    const struct prvcut_findings *f = v->findings;
    json_t *list = json_array();
    int bad = 0;

    for (size_t i = 0; i < f->count; i++)
        bad |= json_array_append_new(list, ins_list_finding(&f->at[i]));
    const struct report_field fields[] = {
        REPORT_JSON_HEAD("prvcut-check"),
        { "path", report_json_text(v->path) },
        { "name", report_json_text(v->called) },
        { "format", report_json_text(v->reader->format->name) },
        { "tracer", report_json_text(f->tracer) },
        { "verdict", report_json_text(f->damaged  ? "damaged"
                                      : v->strict ? "noted"
                                                  : "sound") },
        { "records", ins_list_records(f) },
        { "findings", report_json_keep(list, bad) },
    };

    return report_json_take(REPORT_JSON_OBJECT(fields), text, err);
}

/* One row a finding, with its first line. */
static enum prvcut_status ins_put_findings(const struct verdict *v, char **text,
                                           struct prvcut_error *err)
{
    const struct prvcut_findings *f = v->findings;
    struct report_lines l = { .err = err };

    report_put(&l, "severity,name,count,file,line,summary,example,advice\n");
    for (size_t i = 0; i < f->count; i++) {
        const struct prvcut_finding *one = &f->at[i];
        const char *const values[] = { one->file, NULL, one->summary, one->example, one->advice };

        report_put(&l, "%s,%s,%llu", one->damage ? "damage" : "note", one->name,
                   (unsigned long long)one->count);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            report_put(&l, ",");
            if (k == 1 && one->lines > 0)
                report_put(&l, "%llu", (unsigned long long)one->line[0]);
            else
                report_put_value(&l, values[k]);
        }
        report_put(&l, "\n");
    }
    return report_take(&l, text);
}

enum prvcut_status api_check(const char *path, const struct prvcut_run *run,
                             const struct prvcut_open_options *options, enum prvcut_form form,
                             char **text, struct prvcut_error *err)
{
    struct prvcut_findings f = { 0 };
    struct prvcut_open_options o = options ? *options : (struct prvcut_open_options){ 0 };
    struct prvcut_opening opening;
    struct verdict v = { .findings = &f };
    char *called = NULL;
    enum prvcut_status st;

    *text = NULL;
    if (run && !o.stop) {
        o.stop = run->stop;
        o.ctx = run->ctx;
    }
    st = prvcut_opening_start(&opening, path, &o, err);
    if (st < 0)
        return st;
    st = prvcut_opening_called(&called, &opening, err);
    if (st == PRVCUT_OK)
        st = opening.reader->check(&f, opening.source, options, run, err);
    else
        prvcut_source_close(opening.source);
    v.reader = opening.reader;
    v.called = called;
    v.path = opening.inside.told ? opening.inside.told : path;
    v.strict = options && options->strict && f.count > 0;
    for (size_t i = 0; i < f.count && opening.inside.folder; i++)
        prvcut_opening_retell(f.at[i].example, sizeof f.at[i].example, opening.inside.folder,
                              opening.archive);
    if (st == PRVCUT_OK)
        st = form == PRVCUT_JSON  ? ins_list_findings(&v, text, err)
             : form == PRVCUT_CSV ? ins_put_findings(&v, text, err)
                                  : ins_tell_findings(&v, form == PRVCUT_FULL_TEXT, text, err);
    if (st == PRVCUT_OK && (f.damaged || v.strict))
        st = PRVCUT_UNSOUND;
    prvcut_opening_outcome(&opening, st, err);
    prvcut_opening_fini(&opening);
    free(called);
    free(f.at);
    return st;
}
