#include "api/database_fill.h"

#include "analysis/waits/waits.h"
#include "api/answers.h"
#include "api/called.h"
#include "api/database_notes.h"
#include "api/entries.h"
#include "api/index.h"
#include "api/job.h"
#include "api/names.h"
#include "api/profile_stretches.h"
#include "api/select.h"
#include "base/memory.h"
#include "base/sorter.h"
#include "convert/selection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Waits that are taken from disk at a time. */
#define ADF_AHEAD 512

/* A database while it is filled. */
struct adf_job {
    struct dbs *d;
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    struct prvcut_database_options o;
    char region[32]; /* the name of the longest one, where that is asked for */
    struct prvcut_dictionary names;
    struct api_stretches stretches;
    struct dbs_iteration *iteration; /* owned */
    struct dbs_loop loop;
    bool *chosen; /* [ranks] owned; NULL: all */
};

static bool dfl_names_some(const struct prvcut_database_options *o)
{
    return o->region || o->first > 0;
}

/* --- The loop --------------------------------------------------------------------------------- */

static enum prvcut_status dfl_list(struct adf_job *j, struct prvcut_error *err)
{
    const struct api_stretches *s = &j->stretches;

    j->iteration = prvcut_zeroed(s->count, sizeof *j->iteration, "iterations", err);
    if (!j->iteration)
        return PRVCUT_ENOMEM;
    /* The first one is the window. What is disturbed may be in no region. */
    for (size_t i = 1; i < s->count; i++)
        j->iteration[i - 1] =
            (struct dbs_iteration){ .number = s->part[i].iteration,
                                    .region = *s->part[i].region ? s->part[i].region : NULL,
                                    .span = s->part[i].span,
                                    .disturbed = s->part[i].disturbed,
                                    .window = &s->at[i].window };
    j->loop = (struct dbs_loop){ .at = j->iteration,
                                 .count = s->count - 1,
                                 .only = dfl_names_some(&j->o) ? &s->at[0].window : NULL };
    return PRVCUT_OK;
}

/* Iterations that are too many, or not known one by one, and that nobody named. */
static bool dfl_goes_without(const struct prvcut_database_options *o, enum prvcut_status st)
{
    return !dfl_names_some(o) && (st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT);
}

/* The iterations; none, and why, where they are too many or not known one by one: nobody named any,
   so that all else is told. */
static enum prvcut_status dfl_iterations(struct adf_job *j, struct job *job,
                                         struct prvcut_error *err)
{
    const struct prvcut_profile_options which = { .by = PRVCUT_PROFILE_BY_ITERATION,
                                                  .only = j->o.only,
                                                  .region = j->o.region,
                                                  .first = j->o.first,
                                                  .last = j->o.last };
    struct prvcut_error why = { .status = PRVCUT_OK };
    const enum prvcut_status st = api_stretches_of(&j->stretches, job, &which, &why);

    if (st >= 0)
        return st;
    if (!dfl_goes_without(&j->o, st))
        return prvcut_fail_as(err, st, &why);
    api_stretches_fini(&j->stretches);
    j->stretches.reason = prvcut_copied_text(why.text, "a reason", err);
    return j->stretches.reason ? PRVCUT_NONE : PRVCUT_ENOMEM;
}

/* "longest" becomes its number, so that all ask for the same. */
static void dfl_name_longest(struct adf_job *j, const struct made_structure *s)
{
    const size_t longest = prvcut_region_longest(s, 1);

    if (!j->o.region || strcmp(j->o.region, "longest") != 0 || longest >= s->is.regions)
        return;
    snprintf(j->region, sizeof j->region, "%u.%u", s->region[longest].is.level,
             s->region[longest].is.number);
    j->o.region = j->region;
}

/* The structure, and the iterations of the loop. */
static enum prvcut_status dfl_search(struct adf_job *j, char **no_loop, struct prvcut_error *err)
{
    struct made_reduction all = { .is.reason = "" };
    struct job job = { .trace = j->trace,
                       .run = j->run,
                       .wish = { .only = j->o.only,
                                 .levels = dbs_wants(j->d, DBS_REGIONS) || j->o.region ? 0 : 1 },
                       .out = &all };
    enum prvcut_status st = job_analyse(&job, err);

    dfl_name_longest(j, &all.structure);
    if (st >= 0)
        st = dfl_iterations(j, &job, err);
    if (st == PRVCUT_NONE) {
        *no_loop = j->stretches.reason;
        j->stretches.reason = NULL;
        st = dfl_names_some(&j->o)
                 ? prvcut_fail(err, PRVCUT_NONE, "%s", *no_loop ? *no_loop : "no loop was found")
                 : PRVCUT_OK;
    } else if (st == PRVCUT_OK) {
        st = dfl_list(j, err);
    }
    if (st == PRVCUT_OK)
        st = dbs_put_regions(j->d, &all.structure.is, err);
    if (st == PRVCUT_OK)
        st = dbs_put_iterations(j->d, &j->loop, err);
    if (st == PRVCUT_OK)
        st = api_note_structure(j->d, &all, err);
    job_fini(&job);
    api_reduction_fini(&all);
    return st;
}

/* --- Tasks ------------------------------------------------------------------------------------ */

/* Leave out what tasks do that nobody named. */
static enum prvcut_status dfl_choose(struct adf_job *j, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &j->trace->objects;
    struct cnv_selection selection = { 0 };
    enum prvcut_status st;

    if (!j->o.tasks)
        return PRVCUT_OK;
    st = cnv_selection_init(&selection, o, j->o.tasks, err);
    j->chosen = st == PRVCUT_OK ? prvcut_zeroed(o->tasks, sizeof *j->chosen, "tasks", err) : NULL;
    if (st == PRVCUT_OK && !j->chosen)
        st = PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < o->threads && st == PRVCUT_OK; t++)
        j->chosen[o->thread_task[t]] |= cnv_selected(&selection, t) != PRVCUT_NOBODY;
    cnv_selection_fini(&selection);
    dbs_choose(j->d, j->chosen, o->tasks);
    return st;
}

/* --- Records ---------------------------------------------------------------------------------- */

/* From when till when there are records to take, on whatever thread, for each begins and ends in
   its own time; end 0: to the end. */
static struct prvcut_span dfl_span(const struct adf_job *j)
{
    const struct prvcut_window *w = j->loop.only;
    struct prvcut_span hull = w ? (struct prvcut_span){ w->from, w->to } : j->o.only;

    for (uint32_t t = 0; w && t < j->trace->objects.threads; t++) {
        const struct prvcut_span own = prvcut_window_own(w, t);

        if (own.end == own.start)
            continue;
        hull.start = own.start < hull.start ? own.start : hull.start;
        hull.end = own.end > hull.end ? own.end : hull.end;
    }
    return hull;
}

/* What is told of each thread; its end is known once all is read. */
static struct prvcut_window dfl_told(const struct adf_job *j)
{
    const struct prvcut_span *only = &j->o.only;
    const uint64_t end = j->trace->end_ns;

    return j->loop.only
               ? *j->loop.only
               : (struct prvcut_window){ .from = only->start,
                                         .to = only->end > 0 && only->end < end ? only->end : end };
}

static enum prvcut_status dfl_records(struct adf_job *j, struct prvcut_error *err)
{
    const struct dbs_reading reading = { .trace = j->trace,
                                         .run = j->run,
                                         .names = &j->names,
                                         .loop = &j->loop,
                                         .only = dfl_span(j),
                                         .known = prvcut_trace_can_window(j->trace) };

    return dbs_put_records(j->d, &reading, err);
}

/* --- Analyses --------------------------------------------------------------------------------- */

static enum prvcut_status dfl_profile(struct adf_job *j, struct prvcut_error *err)
{
    const struct prvcut_profile_options o = { .by = PRVCUT_PROFILE_BY_CALL | PRVCUT_PROFILE_BY_RANK,
                                              .only = j->o.only,
                                              .region = j->o.region,
                                              .first = j->o.first,
                                              .last = j->o.last };
    struct made_profile *made = prvcut_zeroed(1, sizeof *made, "a profile", err);
    enum prvcut_status st = made ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (made)
        st = api_profile_make(j->trace, j->run, &o, made, err);
    if (st >= 0)
        st = dbs_put_profile(j->d, &made->is, err);
    if (st >= 0)
        st = api_note_profile(j->d, &made->is, err);
    prvcut_profile_free(made ? &made->is : NULL);
    return st;
}

/* What the profile tells: of a reading that a border divides, either side has its part. */
static enum prvcut_status dfl_counters(struct adf_job *j, struct prvcut_error *err)
{
    const struct prvcut_profile_options o = { .by = PRVCUT_PROFILE_BY_RANK |
                                                    PRVCUT_PROFILE_BY_ITERATION,
                                              .only = j->o.only,
                                              .region = j->o.region,
                                              .first = j->o.first,
                                              .last = j->o.last };
    struct prvcut_error why = { .status = PRVCUT_OK };
    struct made_profile *made = prvcut_zeroed(1, sizeof *made, "a profile", err);
    enum prvcut_status st;

    if (!made)
        return PRVCUT_ENOMEM;
    st = api_profile_make(j->trace, j->run, &o, made, &why);
    if (st >= 0)
        st = dbs_put_iteration_counters(j->d, &made->is, err);
    else if (!dfl_goes_without(&j->o, st))
        st = prvcut_fail_as(err, st, &why);
    else
        st = PRVCUT_OK;
    prvcut_profile_free(&made->is);
    return st;
}

/* Each of the waits that were kept. */
static enum prvcut_status dfl_waiting(struct adf_job *j, const struct made_wait_states *made,
                                      struct prvcut_error *err)
{
    struct prvcut_waits_long l[ADF_AHEAD];
    size_t count = 0, at = 0;
    enum prvcut_status st = prvcut_sorter_finish(made->each, err);

    while (st == PRVCUT_OK &&
           (st = prvcut_sorter_next(made->each, l, ADF_AHEAD, &count, err)) == PRVCUT_OK)
        for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
            const struct prvcut_waits_metric *m = prvcut_waits_metric(&made->is, l[i].metric);
            const struct dbs_wait w = { .metric = m->name,
                                        .begin_ns = l[i].begin,
                                        .end_ns = l[i].end,
                                        .ns = l[i].ns,
                                        .cause_begin_ns = l[i].cause_begin,
                                        .thread = l[i].thread,
                                        .cause = l[i].cause };

            if (!m->reason)
                st = dbs_put_wait(j->d, &w, &j->loop, &at, &j->trace->objects, err);
        }
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

static enum prvcut_status dfl_waits(struct adf_job *j, struct prvcut_error *err)
{
    const struct prvcut_waits_options o = { .by = PRVCUT_WAITS_BY_METRIC,
                                            .only = j->o.only,
                                            .region = j->o.region,
                                            .first = j->o.first,
                                            .last = j->o.last };
    struct made_wait_states *made = prvcut_zeroed(1, sizeof *made, "wait states", err);
    enum prvcut_status st = made ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (made) {
        made->wants_each = dbs_wants(j->d, DBS_WAITING);
        st = api_waits_make(j->trace, j->run, &o, made, err);
    }
    if (st >= 0 && dbs_wants(j->d, DBS_WAITS))
        st = dbs_put_waits(j->d, &made->is, err);
    if (st >= 0 && made->each)
        st = dfl_waiting(j, made, err);
    if (st >= 0)
        st = api_note_waits(j->d, &made->is, err);
    prvcut_wait_states_free(made ? &made->is : NULL);
    return st;
}

static enum prvcut_status dfl_points(struct adf_job *j, struct prvcut_error *err)
{
    const struct prvcut_patterns_options o = { .only = dfl_span(j), .points = true };
    struct made_patterns *made = prvcut_zeroed(1, sizeof *made, "patterns", err);
    enum prvcut_status st = made ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (made)
        st = api_patterns_make(j->trace, j->run, &o, made, err);
    if (st >= 0)
        st = dbs_put_points(j->d, &made->is, &j->trace->objects, err);
    if (st >= 0)
        st = api_note_patterns(j->d, &made->is, err);
    prvcut_patterns_free(made ? &made->is : NULL);
    return st;
}

/* --- What all of it is of --------------------------------------------------------------------- */

/* Keys and values on their way there: the first failure stays, and nothing is put behind it. */
struct adf_meta {
    struct dbs *d;
    struct prvcut_error *err;
    enum prvcut_status st;
};

static void dfl_say(struct adf_meta *m, const char *key, const char *text)
{
    struct dbs_row r = dbs_begin(m->d, DBS_META);

    if (m->st < 0)
        return;
    dbs_text(&r, key);
    dbs_text(&r, text);
    m->st = dbs_end(&r, m->err);
}

static void dfl_number(struct adf_meta *m, const char *key, uint64_t value)
{
    struct dbs_row r = dbs_begin(m->d, DBS_META);

    if (m->st < 0)
        return;
    dbs_text(&r, key);
    dbs_u64(&r, value);
    m->st = dbs_end(&r, m->err);
}

static enum prvcut_status dfl_meta(struct adf_job *j, const char *no_loop, struct prvcut_error *err)
{
    const struct prvcut_span span = dfl_span(j);
    const uint64_t end = span.end > 0 && span.end < j->trace->end_ns ? span.end : j->trace->end_ns;
    char *called = NULL, iterations[48];
    struct adf_meta m = { .d = j->d, .err = err };

    m.st = prvcut_trace_called(&called, j->trace, err);
    dfl_number(&m, "schema", DBS_SCHEMA);
    dfl_say(&m, "program", "prvcut " PRVCUT_VERSION);
    dfl_say(&m, "trace", called);
    dfl_say(&m, "format", j->trace->reader->format->name);
    dfl_number(&m, "begin_ns", span.start);
    dfl_number(&m, "end_ns", end);
    dfl_number(&m, "length_ns", end > span.start ? end - span.start : 0);
    if (j->o.tasks)
        dfl_say(&m, "tasks", j->o.tasks);
    if (j->o.region)
        dfl_say(&m, "region", j->o.region);
    if (j->o.first > 0) {
        snprintf(iterations, sizeof iterations, "%" PRIu64 "-%" PRIu64, j->o.first,
                 j->o.last > 0 ? j->o.last : j->o.first);
        dfl_say(&m, "iterations", iterations);
    }
    if (no_loop)
        dfl_say(&m, "no_loop", no_loop);
    free(called);
    return m.st;
}

/* All of the trace was read for its counters, and there are none: no need to read it again. */
static bool dfl_wants_counters(const struct adf_job *j)
{
    const struct dbs *d = j->d;
    const bool all = dbs_wants(d, DBS_COUNTERS) && !j->loop.only && j->o.only.end == 0;

    return dbs_wants(d, DBS_ITERATION_COUNTERS) && !(all && dbs_rows(d, DBS_COUNTERS) == 0);
}

static enum prvcut_status dfl_analyses(struct adf_job *j, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    if (dbs_wants(j->d, DBS_PROFILE))
        st = dfl_profile(j, err);
    if (st >= 0 && dfl_wants_counters(j))
        st = dfl_counters(j, err);
    if (st >= 0 && (dbs_wants(j->d, DBS_WAITS) || dbs_wants(j->d, DBS_WAITING)))
        st = dfl_waits(j, err);
    if (st >= 0 && dbs_wants(j->d, DBS_POINTS))
        st = dfl_points(j, err);
    return st < 0 ? st : PRVCUT_OK;
}

enum prvcut_status api_database_fill(struct dbs *d, struct prvcut_trace *trace,
                                     const struct prvcut_run *run,
                                     const struct prvcut_database_options *options, bool loop,
                                     char **no_loop, struct prvcut_error *err)
{
    struct adf_job j = { .d = d, .trace = trace, .run = run, .o = *options };
    enum prvcut_status st = dfl_choose(&j, err);

    *no_loop = NULL;
    if (st == PRVCUT_OK && (loop || dfl_names_some(options)))
        st = dfl_search(&j, no_loop, err);
    if (st == PRVCUT_OK)
        st = trace->reader->describe(trace, &j.names, err);
    if (st == PRVCUT_OK)
        st = dfl_records(&j, err);
    if (st == PRVCUT_OK) {
        const struct prvcut_window told = dfl_told(&j);

        st = dbs_put_objects(d, &trace->objects, &j.names, &told, err);
    }
    if (st == PRVCUT_OK)
        st = dfl_analyses(&j, err);
    if (st == PRVCUT_OK)
        st = dfl_meta(&j, *no_loop, err);
    if (st == PRVCUT_OK)
        st = dbs_finish(d, err);
    api_stretches_fini(&j.stretches);
    prvcut_dictionary_fini(&j.names);
    dbs_choose(d, NULL, 0);
    free(j.chosen);
    free(j.iteration);
    return st;
}
