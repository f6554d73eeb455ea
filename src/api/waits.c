#include "api/waits.h"
#include "api/entries.h"

#include "analysis/waits/waits_rows.h"
#include "api/called.h"
#include "api/comm.h"
#include "api/cube_place.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/profile.h"
#include "api/profile_stretches.h"
#include "base/memory.h"
#include "model/rules.h"
#include "prvcut/signals.h"
#include "report/waits_cube.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TOP 10

/* What is made of what was found: an answer, or a report for CUBE as well. */
struct awt_made {
    struct made_wait_states *out;
    const char *cube; /* its name; NULL: none is wanted */
    enum report_cube_form form;
    bool force;
    bool openmp;           /* of the whole run, beside iterations that have none */
    const uint8_t *thread; /* [threads] that are looked at; NULL: all */
    struct prvcut_waits_beside *beside;
};

static enum prvcut_status waits_check(const struct prvcut_waits_options *o,
                                      struct prvcut_error *err)
{
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if ((unsigned)o->by > PRVCUT_WAITS_BY_ITERATION ||
        (unsigned)o->clocks > PRVCUT_WAITS_CLOCKS_CONSTANT)
        return prvcut_fail(err, PRVCUT_EUSAGE, "unknown options of waits");
    return PRVCUT_OK;
}

/* What stretches are called, and their sums; the first is all of them. */
static enum prvcut_status waits_parts(struct made_wait_states *out,
                                      const struct prvcut_waits_found *f,
                                      const struct prvcut_profile_part *part, size_t parts,
                                      struct prvcut_error *err)
{
    out->part = prvcut_zeroed(parts + 1, sizeof *out->part, "stretches", err);
    out->region = prvcut_zeroed(parts + 1, sizeof *out->region, "stretches", err);
    out->part_ns = prvcut_copied(f->part, parts * f->metrics * sizeof *f->part, "stretches", err);
    if (!out->part || !out->region || !out->part_ns)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < parts; i++) {
        if (*part[i].region)
            out->region[i] = prvcut_copied_text(part[i].region, "names", err);
        out->part[i] = (struct prvcut_waits_part){ .region = out->region[i],
                                                   .iteration = part[i].iteration,
                                                   .span = part[i].span,
                                                   .disturbed = part[i].disturbed,
                                                   .severity_ns = out->part_ns + i * f->metrics };
        out->is.parts = i + 1;
        if (*part[i].region && !out->region[i])
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

static enum prvcut_status waits_as_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                        const struct prvcut_waits_found *f,
                                        const struct prvcut_waits_patterns *own,
                                        const struct prvcut_dictionary *names,
                                        const struct awt_made *made, struct prvcut_error *err)
{
    struct report_cube_who who = { .node = NULL };
    struct report_waits_cube r = { .found = f,
                                   .names = names,
                                   .own = own,
                                   .who = &who,
                                   .causes = made->out->is.causes,
                                   .critical = made->out->is.critical };
    char *called = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, trace, err);

    r.of = called;
    if (st == PRVCUT_OK)
        st = report_cube_who_init(&who, &trace->objects, names, err);
    if (st == PRVCUT_OK)
        st = api_cube_place(&who, trace, run, err);
    if (st == PRVCUT_OK)
        st = report_waits_cube(&r, made->form, made->cube, made->force, err);
    report_cube_who_fini(&who);
    free(called);
    return st;
}

static enum prvcut_status waits_read(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_waits_asked *asked,
                                     const struct awt_made *made, struct prvcut_waits_found *f,
                                     struct prvcut_error *err)
{
    struct prvcut_dictionary names = { .types = 0 };
    enum prvcut_status st = prvcut_waits_find(f, trace, run, asked, err);
    struct prvcut_span *span = &made->out->is.span;

    *span = asked->only;
    if (asked->within && asked->stretches > 0)
        *span =
            (struct prvcut_span){ asked->stretch[0].from, asked->stretch[asked->stretches - 1].to };
    if (span->end == 0 || span->end > f->end_ns)
        span->end = f->end_ns;
    if (st == PRVCUT_OK)
        st = trace->reader->describe(trace, &names, err);
    if (st == PRVCUT_OK)
        st = prvcut_waits_rows_make(made->out, f, asked, &names, err);
    made->out->mark = f->mark;
    made->out->marked = f->threads;
    f->mark = NULL;
    made->out->each = f->each;
    f->each = NULL;
    if (st == PRVCUT_OK && made->cube)
        st = waits_as_cube(trace, run, f, asked->patterns, &names, made, err);
    prvcut_dictionary_fini(&names);
    return st;
}

static enum prvcut_status waits_stretches(struct prvcut_trace *trace, const struct prvcut_run *run,
                                          const struct prvcut_waits_options *o,
                                          const struct api_stretches *s, size_t skip,
                                          const struct awt_made *made, struct prvcut_error *err)
{
    struct prvcut_waits_found f = { .nodes = 0 };
    struct prvcut_window *window = prvcut_zeroed(s->count + 1, sizeof *window, "stretches", err);
    const struct prvcut_waits_asked asked = { .only = o->only,
                                              .stretch = window,
                                              .stretches = s->count - skip,
                                              .causes = o->causes || o->critical,
                                              .openmp = made->openmp,
                                              .constant = o->clocks == PRVCUT_WAITS_CLOCKS_CONSTANT,
                                              .within = o->region || o->first > 0,
                                              .patterns = o->patterns,
                                              .thread = made->thread,
                                              .marks = o->marks > 0,
                                              .each = made->out->wants_each,
                                              .beside = made->beside };
    enum prvcut_status st;

    if (!window)
        return PRVCUT_ENOMEM;
    for (size_t i = skip; i < s->count; i++)
        window[i - skip] = s->at[i].window;
    st = waits_read(trace, run, &asked, made, &f, err);
    if (st == PRVCUT_OK && skip > 0)
        st = waits_parts(made->out, &f, s->part + skip, s->count - skip, err);
    prvcut_waits_found_fini(&f);
    free(window);
    return st;
}

static enum prvcut_status waits_whole(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_waits_options *o,
                                      const struct awt_made *made, struct prvcut_error *err)
{
    struct prvcut_waits_found f = { .nodes = 0 };
    const struct prvcut_waits_asked asked = { .only = o->only,
                                              .causes = o->causes || o->critical,
                                              .constant = o->clocks == PRVCUT_WAITS_CLOCKS_CONSTANT,
                                              .patterns = o->patterns,
                                              .thread = made->thread,
                                              .marks = o->marks > 0,
                                              .each = made->out->wants_each,
                                              .beside = made->beside };
    const enum prvcut_status st = waits_read(trace, run, &asked, made, &f, err);

    prvcut_waits_found_fini(&f);
    return st;
}

static enum prvcut_status waits_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_waits_options *o,
                                     const struct awt_made *made, struct prvcut_error *err)
{
    const struct prvcut_profile_options which = {
        .by = o->by == PRVCUT_WAITS_BY_REGION      ? PRVCUT_PROFILE_BY_REGION
              : o->by == PRVCUT_WAITS_BY_ITERATION ? PRVCUT_PROFILE_BY_ITERATION
                                                   : PRVCUT_PROFILE_BY_CALL,
        .only = o->only,
        .region = o->region,
        .first = o->first,
        .last = o->last < o->first ? o->first : o->last,
    };
    const size_t each = which.by != PRVCUT_PROFILE_BY_CALL;
    struct api_stretches s;
    enum prvcut_status found, st;

    if (!api_stretches_needed(&which))
        return waits_whole(trace, run, o, made, err);
    made->out->counted_from = o->only.start;
    found = st = api_stretches_find(&s, trace, run, &which, false, err);
    if (found == PRVCUT_OK)
        st = waits_stretches(trace, run, o, &s, each, made, err);
    if (found == PRVCUT_NONE) {
        made->out->is.no_loop = made->out->no_loop = s.reason;
        s.reason = NULL;
        if (!made->cube)
            st = waits_whole(trace, run, o, made, err);
    }
    api_stretches_fini(&s);
    return api_stretches_outcome(found, st, made->out->is.no_loop, err);
}

/* What the reading says of the trace. Records of archives have no lines. */
static void waits_note_reading(struct prvcut_wait_states *is, const struct prvcut_trace *trace)
{
    is->skipped = trace->skipped;
    is->unsorted = trace->late;
    is->unsorted_ns = trace->late_ns;
    is->first_unsorted = trace->reader->halves ? 0 : trace->first_late;
}

static enum prvcut_status waits_all(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_waits_options *options,
                                    const struct awt_made *made, struct prvcut_error *err)
{
    struct made_wait_states *out = made->out;
    struct awt_made chosen = *made;
    uint8_t *thread = NULL;
    enum prvcut_status st = waits_check(options, err);

    if (st == PRVCUT_OK && options->tasks) {
        chosen.thread = thread =
            prvcut_zeroed((size_t)trace->objects.threads + 1, sizeof *thread, "threads", err);
        st = thread ? prvcut_rules_tasks(thread, &trace->objects, options->tasks, err)
                    : PRVCUT_ENOMEM;
        if (st == PRVCUT_OK && !memchr(thread, 1, trace->objects.threads))
            st = prvcut_fail(err, PRVCUT_EUSAGE, "none of tasks %s exists: the trace has %" PRIu32,
                             options->tasks, trace->objects.tasks);
    }
    out->is.by = options->by;
    out->is.causes = options->causes;
    out->is.critical = options->critical;
    out->is.top = options->top > 0 ? options->top : TOP;
    if (st == PRVCUT_OK && options->only.start > 0)
        st = prvcut_window_begins_within(options->only.start, trace->end_ns, err);
    if (st == PRVCUT_OK)
        st = waits_make(trace, run, options, &chosen, err);
    free(thread);
    if (st >= 0 && prvcut_trace_called(&out->called, trace, err) < 0)
        st = PRVCUT_ENOMEM;
    out->is.name = out->called;
    waits_note_reading(&out->is, trace);
    if (st == PRVCUT_NONE)
        out->is.by = PRVCUT_WAITS_BY_METRIC;
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status api_waits_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                  const struct prvcut_waits_options *options,
                                  struct made_wait_states *out, struct prvcut_error *err)
{
    const struct awt_made made = { .out = out };

    return waits_all(trace, run, options, &made, err);
}

/* What iterations there are; what is too many to be told one by one is not. */
static enum prvcut_status waits_of_iterations(struct prvcut_trace *trace,
                                              const struct prvcut_run *run, const struct job *j,
                                              const struct awt_made *made, struct prvcut_error *err)
{
    const struct prvcut_profile_options which = { .by = PRVCUT_PROFILE_BY_ITERATION,
                                                  .only = j->wish.only };
    const struct prvcut_waits_options o = { .size = sizeof o,
                                            .by = PRVCUT_WAITS_BY_ITERATION,
                                            .only = j->wish.only,
                                            .causes = true,
                                            .critical = true };
    struct api_stretches s;
    enum prvcut_status st = api_stretches_of(&s, j, &which, err);

    if (st == PRVCUT_OK) {
        st = waits_stretches(trace, run, &o, &s, 1, made, err);
    } else if (st == PRVCUT_NONE || st == PRVCUT_EUSAGE || st == PRVCUT_ELIMIT) {
        *err = (struct prvcut_error){ .status = PRVCUT_OK };
        st = waits_whole(trace, run, &o, made, err);
    }
    api_stretches_fini(&s);
    return st;
}

enum prvcut_status api_waits_of_job(const struct job *j, const struct prvcut_run *run,
                                    struct made_wait_states *out, struct prvcut_error *err)
{
    const struct awt_made made = { .out = out,
                                   .openmp = j->wish.only.end == 0,
                                   .beside = api_comm_beside(j->comm) };
    enum prvcut_status st;

    out->is.by = PRVCUT_WAITS_BY_ITERATION;
    out->is.top = TOP;
    out->is.causes = out->is.critical = true;
    st = waits_of_iterations(j->trace, run, j, &made, err);
    if (st == PRVCUT_OK)
        st = prvcut_trace_called(&out->called, j->trace, err);
    out->is.name = out->called;
    waits_note_reading(&out->is, j->trace);
    return prvcut_trace_outcome(j->trace, st, err);
}

enum prvcut_status api_waits_cube(struct prvcut_trace *trace, const struct prvcut_run *run,
                                  const struct prvcut_waits_options *options, const char *path,
                                  bool force, struct prvcut_error *err)
{
    struct made_wait_states *out = prvcut_zeroed(1, sizeof *out, "wait states", err);
    struct awt_made made = { .out = out, .cube = path, .force = force };
    enum prvcut_status st = out ? api_cube_form(path, &made.form, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK)
        st = prvcut_output_spares(trace, path, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_is_free(path, force, err);
    if (st == PRVCUT_OK && options->by != PRVCUT_WAITS_BY_METRIC)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "a report for CUBE is by call path and thread");
    if (st == PRVCUT_OK)
        st = waits_all(trace, run, options, &made, err);
    if (st == PRVCUT_NONE)
        prvcut_fail(err, st, "%s", out->no_loop ? out->no_loop : "no loop was found");
    prvcut_wait_states_free(out ? &out->is : NULL);
    return st;
}
