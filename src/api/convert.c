#include "prvcut/convert.h"
#include "api/entries.h"

#include "api/archived_cuts.h"
#include "api/database_fill.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/suffix.h"
#include "api/writers.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "base/seconds.h"
#include "convert/convert.h"
#include "convert/selection.h"
#include "model/formats.h"
#include "model/roles.h"
#include "report/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a conversion loses, in words; in the order of enum prvcut_carry. */
static const char *const loss_text[PRVCUT_CARRIES] = {
    "what each thread does (states)",
    "the colours of states",
    "calls and functions",
    "single events",
    "hardware counters",
    "messages",
    "sizes and tags of messages",
    "the physical times of messages (those of the calls are kept)",
    "sizes, roots and communicators of collectives",
    "who belongs to which communicator",
    "nodes and processors",
    "the division into several applications",
};

/* "paraver, otf2, ..., sqlite": a database is made apart, but asked for in the same words. */
static void conv_list_writers(char *out, size_t room)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; prvcut_writers[i] && n + 32 < room; i++) {
        const char *parts[] = { i > 0 ? ", " : "", prvcut_writers[i]->format->name };

        for (unsigned k = 0; k < 2; k++) {
            const size_t count = strlen(parts[k]);

            memcpy(out + n, parts[k], count + 1);
            n += count;
        }
    }
    if (n + sizeof ", sqlite" <= room)
        memcpy(out + n, ", sqlite", sizeof ", sqlite");
}

static enum prvcut_status conv_find_writer(const struct prvcut_convert_options *o,
                                           const struct prvcut_writer **out,
                                           struct prvcut_error *err)
{
    const char *name = o->format ? o->format : prvcut_convert_format(o->path);
    char known[256];

    *out = name ? writers_named(name) : NULL;
    if (*out)
        return PRVCUT_OK;
    if (strcmp(o->format ? o->format : "", "sqlite") == 0 ||
        (!o->format && prvcut_file_is(PRVCUT_FILE_SQLITE, o->path)))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a database is no trace: prvcut_database_make makes it", o->path);
    conv_list_writers(known, sizeof known);
    prvcut_instead(err, "prvcut formats");
    if (o->format)
        return prvcut_fail(err, PRVCUT_EUSAGE, "no format '%s'; choose from %s", o->format, known);
    if (name)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: format %s is not built in; choose from %s",
                           o->path, name, known);
    return prvcut_fail(err, PRVCUT_EUSAGE, "'%s': unknown suffix; choose from %s", o->path, known);
}

/* The writer, and the path with the suffix that its files have. */
static enum prvcut_status conv_find_output(const struct prvcut_convert_options *o,
                                           const struct prvcut_writer **writer, char **path,
                                           struct prvcut_error *err)
{
    struct prvcut_suffix suffix;
    enum prvcut_status st = conv_find_writer(o, writer, err);

    *path = NULL;
    if (st < 0)
        return st;
    suffix = prvcut_suffix_find((*writer)->format->suffix);
    return prvcut_suffix_settle(path, &suffix, o->path, "", err);
}

/* Formats of regions have no states of their own: their readers tell them from the regions. */
static bool conv_tells_states(const struct prvcut_trace *t)
{
    return t->reader->by_thread && !t->states_recorded;
}

/* States that are told from regions are no loss where they cannot be written. */
static bool conv_states_wanted(const struct prvcut_trace *t, const struct prvcut_writer *w)
{
    return !conv_tells_states(t) || (w->carries >> PRVCUT_CARRY_STATES & 1 && !w->recorded_states);
}

static bool conv_has_role(const struct prvcut_trace *t, bool (*is)(uint32_t))
{
    for (size_t i = 0; i < t->types; i++)
        if (is(t->type[i].role))
            return true;
    return t->types == 0;
}

static bool conv_is_caller_role(uint32_t role)
{
    return prvcut_role_is_caller(role) || role == PRVCUT_ROLE_SAMPLE;
}

/* What the trace may hold, as far as its definitions tell. */
static uint64_t conv_may_hold(const struct prvcut_trace *t)
{
    const struct prvcut_writer *own = writers_named(t->reader->format->name);
    uint64_t all = own ? own->carries : (UINT64_C(1) << PRVCUT_CARRIES) - 1;

    if (conv_tells_states(t))
        all &= ~(PRVCUT_CARRY_BIT(PRVCUT_CARRY_STATES) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLOURS));
    if (t->reader->halves)
        all &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_PHYSICAL);
    if (t->objects.applications < 2)
        all &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_APPLICATIONS);
    if (t->objects.nodes == 0)
        all &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_NODES);
    if (t->objects.communicators == 0)
        all &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_COMMUNICATORS);
    if (!conv_has_role(t, prvcut_role_is_counter))
        all &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_COUNTERS);
    if (!conv_has_role(t, prvcut_role_tells_collective))
        all &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLLECTIVES);
    return all;
}

static enum prvcut_status conv_losses(struct prvcut_trace *trace,
                                      const struct prvcut_writer *writer, char **text,
                                      struct prvcut_error *err)
{
    uint64_t lost = conv_may_hold(trace) & ~writer->carries;
    struct prvcut_put p = { .err = err };

    /* What belongs to something that is lost as a whole needs no word of its own. */
    if (lost & PRVCUT_CARRY_BIT(PRVCUT_CARRY_STATES))
        lost &= ~PRVCUT_CARRY_BIT(PRVCUT_CARRY_COLOURS);
    if (lost & PRVCUT_CARRY_BIT(PRVCUT_CARRY_MESSAGES))
        lost &= ~(PRVCUT_CARRY_BIT(PRVCUT_CARRY_TAGS) | PRVCUT_CARRY_BIT(PRVCUT_CARRY_PHYSICAL));
    for (unsigned i = 0; i < PRVCUT_CARRIES; i++)
        if (lost >> i & 1)
            prvcut_put_printf(&p, "%s cannot hold %s\n", writer->format->name, loss_text[i]);
    if (writer->drops_callers && conv_has_role(trace, conv_is_caller_role))
        prvcut_put_printf(&p, "%s holds only the innermost line of callers, and no samples\n",
                          writer->format->name);
    return prvcut_put_take(&p, text);
}

/* What would be found out only after hours of work. */
static enum prvcut_status conv_check_path(const struct prvcut_trace *t,
                                          const struct prvcut_writer *w,
                                          const struct prvcut_convert_options *o,
                                          struct prvcut_error *err)
{
    enum prvcut_status st =
        o->archive ? archived_convert_check(t, o, err) : prvcut_output_spares(t, o->path, err);

    if (o->archive)
        return st;
    /* Labels stand beside a Paraver trace, and may be those of the trace that is read. */
    if (st == PRVCUT_OK && strcmp(w->format->name, t->reader->format->name) == 0)
        st = prvcut_output_companions_spare(t, o->path, err);
    return st < 0 ? st : prvcut_output_set_is_free(o->path, NULL, o->force, err);
}

static enum prvcut_status conv_check_options(const struct prvcut_trace *t,
                                             const struct prvcut_writer *w,
                                             const struct prvcut_convert_options *o,
                                             struct prvcut_error *err)
{
    enum prvcut_status st;

    if (o->only.end > 0 && o->only.start >= o->only.end)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if (o->only.end > 0 && prvcut_window_begins_within(o->only.start, t->end_ns, err) < 0)
        return PRVCUT_EUSAGE;
    if (!t->reader->describe)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: format %s has no conversion",
                           prvcut_trace_told(t), t->reader->format->name);
    st = o->for_scalasca ? writers_add_calls(w, o->path, err) : PRVCUT_OK;
    if (st == PRVCUT_OK)
        st = cnv_tasks_check(&t->objects, o->tasks, err);
    return st < 0 ? st : conv_check_path(t, w, o, err);
}

/* A database holds all of a trace. */
static bool conv_is_database(const struct prvcut_convert_options *o)
{
    return !o->format && !o->archive && prvcut_file_is(PRVCUT_FILE_SQLITE, o->path);
}

static enum prvcut_status conv_database_losses(const struct prvcut_trace *trace,
                                               const struct prvcut_convert_options *o, char **text,
                                               struct prvcut_error *err)
{
    const struct prvcut_database_options of = { .only = o->only, .tasks = o->tasks };
    const enum prvcut_status st = api_database_check(trace, &of, o->path, o->force, err);

    if (st < 0)
        return st;
    *text = prvcut_copied_text("", "what is lost", err);
    return *text ? PRVCUT_OK : PRVCUT_ENOMEM;
}

enum prvcut_status api_convert_losses(struct prvcut_trace *trace,
                                      const struct prvcut_convert_options *options, char **text,
                                      struct prvcut_error *err)
{
    struct prvcut_convert_options named = *options;
    const struct prvcut_writer *writer;
    char *path;
    enum prvcut_status st;

    *text = NULL;
    if (conv_is_database(options))
        return conv_database_losses(trace, options, text, err);
    st = conv_find_output(options, &writer, &path, err);
    named.path = path;
    if (st == PRVCUT_OK)
        st = conv_check_options(trace, writer, &named, err);
    if (st == PRVCUT_OK)
        st = conv_losses(trace, writer, text, err);
    free(path);
    return st;
}

static json_t *conv_lines_of(char *text)
{
    json_t *list = json_array();
    int bad = 0;

    for (char *at = text; *at;) {
        char *end = at + strcspn(at, "\n");
        const bool more = *end != '\0';

        *end = '\0';
        bad |= json_array_append_new(list, report_json_text(at));
        at = end + more;
    }
    return report_json_keep(list, bad);
}

enum prvcut_status api_convert_losses_json(struct prvcut_trace *trace,
                                           const struct prvcut_convert_options *options,
                                           char **text, struct prvcut_error *err)
{
    const bool database = conv_is_database(options);
    const struct prvcut_writer *writer;
    char *lines, *path = NULL;
    enum prvcut_status st = api_convert_losses(trace, options, &lines, err);

    if (st == PRVCUT_OK && !database)
        st = conv_find_output(options, &writer, &path, err);
    if (st == PRVCUT_OK) {
        const struct report_field fields[] = {
            REPORT_JSON_HEAD("prvcut-losses"),
            { "from", report_json_text(trace->reader->format->name) },
            { "to", report_json_text(database ? "sqlite" : writer->format->name) },
            { "output", report_json_text(database ? options->path : path) },
            { "lost", conv_lines_of(lines) },
            { "records_read", json_false() },
        };

        free(path);
        st = report_json_take(REPORT_JSON_OBJECT(fields), text, err);
    }
    free(lines);
    return st;
}

static enum prvcut_status convert_to(const char *path, struct cnv_job *job,
                                     struct prvcut_convert_options *o,
                                     struct made_convert_summary *out, struct prvcut_error *err)
{
    char *folder = NULL;
    enum prvcut_status st;

    o->path = path;
    st = conv_check_options(job->trace, job->writer, o, err);
    if (st < 0)
        return st;
    out->is.from = job->trace->reader->format->name;
    out->is.to = job->writer->format->name;
    if (!o->scratch)
        o->scratch = folder = writers_scratch(path);
    if (!o->scratch)
        return prvcut_no_memory(err, "a file name");
    /* What is sent to a pipe cannot be taken back. */
    if (o->dry_run && prvcut_suffix_is_moot(path))
        o->path = "/dev/null";
    job->states = conv_states_wanted(job->trace, job->writer);
    st = cnv_run(job, out, err);
    free(folder);
    return st;
}

/* What is converted in an archive. */
struct conv_asked {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct made_convert_summary *out;
};

static enum prvcut_status conv_without(const void *ctx, const struct prvcut_convert_options *o,
                                       struct prvcut_error *err)
{
    const struct conv_asked *c = ctx;

    return api_convert(c->trace, c->run, o, c->out, err);
}

static enum prvcut_status conv_into_archive(const struct conv_asked *c,
                                            const struct prvcut_convert_options *options,
                                            struct prvcut_error *err)
{
    const struct archived_conversion in = {
        .trace = c->trace, .run = c->run, .make = conv_without, .ctx = c, .out = c->out
    };

    return archived_convert(&in, options, err);
}

enum prvcut_status api_convert(struct prvcut_trace *trace, const struct prvcut_run *run,
                               const struct prvcut_convert_options *options,
                               struct made_convert_summary *out, struct prvcut_error *err)
{
    struct prvcut_convert_options o = *options;
    struct cnv_job job = { .trace = trace, .run = run, .options = &o };
    const double begin = prvcut_seconds();
    char *path = NULL;
    enum prvcut_status st;

    if (options->archive)
        return conv_into_archive(&(struct conv_asked){ trace, run, out }, options, err);
    st = prvcut_output_spares(trace, options->path, err);
    if (st == PRVCUT_OK)
        st = conv_find_output(options, &job.writer, &path, err);
    if (st == PRVCUT_OK)
        st = convert_to(path, &job, &o, out, err);
    if (st == PRVCUT_OK)
        st = prvcut_bent_notes(&out->is.note, &out->is.notes, trace->bent, err);
    free(path);
    out->is.elapsed_s = prvcut_seconds() - begin;
    return prvcut_trace_outcome(trace, st, err);
}
