#include "prvcut/mark.h"
#include "api/answers.h"
#include "api/entries.h"
#include "api/mark.h"

#include "api/able.h"
#include "api/job.h"
#include "api/job_unusual.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"
#include "base/memory.h"
#include "structure/divide.h"
#include "structure/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where one task's iterations are told. */
struct teller {
    size_t sequence; /* of the known loop's calls */
    size_t distance; /* tasks from there to the one that is marked; 0: its own */
    bool stands_out; /* the task itself was examined and does not follow */
};

/* Marks being laid. */
struct laying {
    const struct job *job;
    struct made_marking *out;
    struct prvcut_mark_row *row; /* [rows] */
    size_t rows, room;
    uint64_t **made; /* [mades] times that were computed; owned */
    size_t mades, made_room;
    uint8_t *marked; /* [tasks]: 1: as another, 2: by its own calls */
};

/* --- Rows ----------------------------------------------------------------------------------- */

static enum prvcut_status mrk_add_row(struct laying *l, uint32_t task, bool own, const uint64_t *at,
                                      size_t count, struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_grow((void **)&l->row, &l->room, l->rows + 1, sizeof *l->row, err);

    if (st < 0)
        return st;
    l->row[l->rows++] = (struct prvcut_mark_row){
        .thread = l->job->trace->objects.task_first_thread[task], .at = at, .count = count
    };
    l->marked[task] |= own ? 2 : 1;
    return PRVCUT_OK;
}

/* All tasks at the same times. */
static enum prvcut_status mrk_add_all(struct laying *l, const uint64_t *at, size_t count,
                                      struct prvcut_error *err)
{
    const struct prvcut_objects *o = &l->job->trace->objects;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 0; i < o->tasks && st == PRVCUT_OK; i++)
        if (o->task_first_thread[i] < o->task_first_thread[i + 1])
            st = mrk_add_row(l, i, false, at, count, err);
    return st;
}

/* Equal steps over a region whose borders are not known one by one. */
static enum prvcut_status mrk_add_steps(struct laying *l, const struct made_region *r,
                                        struct prvcut_error *err)
{
    const size_t steps = r->is.iterations > 1 ? (size_t)llround(r->is.iterations) : 1;
    const double width = (double)(r->is.span.end - r->is.span.start) / (double)steps;
    enum prvcut_status st =
        prvcut_grow((void **)&l->made, &l->made_room, l->mades + 1, sizeof *l->made, err);
    uint64_t *at;

    if (st < 0)
        return st;
    at = prvcut_unset(steps + 1, sizeof *at, "iterations", err);
    if (!at)
        return PRVCUT_ENOMEM;
    l->made[l->mades++] = at;
    for (size_t i = 0; i <= steps; i++)
        at[i] = r->is.span.start + (uint64_t)llround((double)i * width);
    return mrk_add_all(l, at, steps + 1, err);
}

/* --- Calls ---------------------------------------------------------------------------------- */

/* The examined thread that follows the loop, of the nearest task in the same application. */
static bool mrk_find_teller(const struct laying *l, const struct prvcut_known_loop *f,
                            uint32_t task, struct teller *out)
{
    const struct prvcut_objects *o = &l->job->trace->objects;

    *out = (struct teller){ .distance = SIZE_MAX };
    for (size_t i = 0; i < f->calls.sequences; i++) {
        const struct prvcut_call_sequence *s = &f->sequence[i];
        const uint32_t other = o->thread_task[s->thread];
        const size_t distance = other > task ? other - task : task - other;

        if (f->calls.borders[i] == 0)
            out->stands_out |= other == task && s->count > 0;
        else if (distance < out->distance &&
                 prvcut_objects_application(o, other) == prvcut_objects_application(o, task))
            *out = (struct teller){ i, distance, out->stands_out };
    }
    return out->distance == 0 || (out->distance < SIZE_MAX && !out->stands_out);
}

/* Which of a loop's borders are the region's: all threads begin the same iteration with border k.
   SIZE_MAX: they are not among them. */
static size_t mrk_first_of(const struct prvcut_known_loop *f, const struct made_region *r)
{
    const size_t leader = prvcut_known_loop_leader(f);

    if (leader >= f->calls.sequences)
        return SIZE_MAX;
    for (size_t i = 0; i + r->is.borders <= f->calls.borders[leader]; i++)
        if (memcmp(&f->calls.border[leader][i], r->is.border,
                   r->is.borders * sizeof *r->is.border) == 0)
            return i;
    return SIZE_MAX;
}

static enum prvcut_status mrk_add_by_calls(struct laying *l, const struct prvcut_known_loop *f,
                                           size_t first, size_t borders, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &l->job->trace->objects;
    enum prvcut_status st = PRVCUT_OK;
    struct teller t;

    for (uint32_t i = 0; i < o->tasks && st == PRVCUT_OK; i++)
        if (o->task_first_thread[i] < o->task_first_thread[i + 1] && mrk_find_teller(l, f, i, &t))
            st = mrk_add_row(l, i, t.distance == 0, f->calls.border[t.sequence] + first, borders,
                             err);
    return st;
}

static enum prvcut_status mrk_add_region(struct laying *l, size_t region, struct prvcut_error *err)
{
    const struct made_region *r = &l->job->out->structure.region[region];
    const struct prvcut_known_loop *f = &l->job->known.at[l->job->known.of_region[region]];
    size_t first;

    if (!r->is.border || r->is.borders < 2)
        return mrk_add_steps(l, r, err);
    first = mrk_first_of(f, r);
    return first == SIZE_MAX ? mrk_add_all(l, r->is.border, r->is.borders, err)
                             : mrk_add_by_calls(l, f, first, r->is.borders, err);
}

static enum prvcut_status mrk_lay(struct laying *l, struct prvcut_error *err)
{
    const struct made_structure *s = &l->job->out->structure;
    const uint32_t tasks = l->job->trace->objects.tasks;
    enum prvcut_status st = PRVCUT_OK;

    l->marked = prvcut_zeroed((size_t)tasks + 1, 1, "tasks", err);
    if (!l->marked)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->is.regions && st == PRVCUT_OK; i++)
        if (s->region[i].is.level == 1 && s->region[i].is.loop > 0 && s->region[i].is.group == 0)
            st = mrk_add_region(l, i, err);
    for (uint32_t i = 0; i < tasks; i++) {
        l->out->is.tasks += l->marked[i] > 0;
        l->out->is.own_tasks += l->marked[i] > 1;
    }
    return st;
}

static void mrk_laying_fini(struct laying *l)
{
    for (size_t i = 0; i < l->mades; i++)
        free(l->made[i]);
    free(l->made);
    free(l->row);
    free(l->marked);
}

/* --- The job -------------------------------------------------------------------------------- */

enum prvcut_status api_mark_usable(const struct prvcut_trace *t,
                                   const struct prvcut_cut_options *output,
                                   struct prvcut_error *err)
{
    char *path = NULL;
    enum prvcut_status st;

    if (!able_is(t->reader, PRVCUT_ABLE_MARK))
        return able_refuse(t, PRVCUT_ABLE_MARK, err);
    if (t->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: marks go back in the trace, and a pipe can be read only once; save "
                           "it to a file first",
                           prvcut_trace_told(t));
    st = prvcut_output_settle(&path, t, output, REPORT_TAG_ITERATIONS, err);
    free(path);
    return st;
}

static enum prvcut_status mrk_usable(const struct prvcut_trace *t,
                                     const struct prvcut_mark_options *o, struct prvcut_error *err)
{
    const struct prvcut_span *only = &o->find->only;
    const enum prvcut_status st = api_mark_usable(t, o->output, err);

    if (st == PRVCUT_OK && only->end > 0 && only->end <= only->start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it ends at %" PRIu64 "ns and begins at %" PRIu64
                           "ns",
                           only->end, only->start);
    return st;
}

/* What one's own view of the run says where that is looked at, and where it looks. */
static enum prvcut_status mrk_ask_timeline(struct made_marking *out, const struct prvcut_trace *t,
                                           const struct prvcut_mark_options *o,
                                           struct prvcut_structure_options *find,
                                           struct prvcut_error *err)
{
    struct prvcut_signal s;
    struct prvcut_span span;
    enum prvcut_status st;

    find->levels = 1;
    if (!o->timeline)
        return PRVCUT_OK;
    s = *o->timeline;
    span = (struct prvcut_span){ s.start, s.start + s.bins * s.width };
    if (span.start > 0 && span.start >= t->end_ns)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the timeline begins at %" PRIu64 "ns, but the trace ends at %" PRIu64
                           "ns: it is of another run",
                           span.start, t->end_ns);
    if (find->only.end > 0)
        s = prvcut_signal_within(&s, find->only);
    else if (span.start > 0 || span.end < t->end_ns)
        find->only = span;
    st = api_signal_period(&s, &out->timeline, err);
    return st == PRVCUT_NONE ? PRVCUT_OK : st;
}

static void mrk_job_begin(struct job *j, const struct prvcut_structure_options *find)
{
    *j->out = (struct made_reduction){ .is.reason = "" };
    *j = (struct job){ .trace = j->trace, .run = j->run, .wish = *find, .out = j->out };
}

/* The division that an index keeps does not tell examined threads that do not follow the loop from
   those without calls. */
static enum prvcut_status mrk_analyse(struct job *j, struct prvcut_error *err)
{
    enum prvcut_status st = job_collect(j, err);

    if (st == PRVCUT_OK)
        st = job_divide(j, err);
    return st == PRVCUT_OK ? job_unusual_settle(j, err) : st;
}

/* How sure the timeline is by itself, as a metric would be that nothing else agrees with; 0: it is
   not to be believed. */
static double mrk_confidence_of(const struct prvcut_vote *v, const struct prvcut_parameters *set)
{
    struct prvcut_witness alone = { .name = v->metric,
                                    .loop = { .found = v->period_ns > 0,
                                              .period_ns = v->period_ns,
                                              .iterations = v->iterations,
                                              .span = v->span,
                                              .strength = v->strength } };
    struct prvcut_verdict said;

    prvcut_vote(&said, &alone, 1, set);
    return said.found ? said.confidence : 0;
}

/* A period that the timeline told is not as sure as one that was given. */
static void mrk_tell_source(struct made_structure *s, enum prvcut_found_by by, double confidence)
{
    for (size_t i = 0; i < s->is.regions; i++)
        if (s->region[i].is.loop > 0) {
            s->region[i].is.found_by = by;
            s->region[i].is.metric = "";
            s->region[i].is.confidence = confidence;
        }
}

/* The trace is asked first; where it shows no loop, the timeline's is taken. */
static enum prvcut_status mrk_find(struct job *j, struct made_marking *out,
                                   struct prvcut_structure_options *o, struct prvcut_error *err)
{
    const double confidence = mrk_confidence_of(&out->timeline, j->run->set);
    enum prvcut_status st;

    mrk_job_begin(j, o);
    st = job_refuse_period(j, mrk_analyse(j, err), err);
    if (st != PRVCUT_NONE || confidence <= 0 || o->period_ns > 0)
        return st;
    job_fini(j);
    api_reduction_fini(j->out);
    o->period_ns = (uint64_t)llround(out->timeline.period_ns);
    o->only = out->timeline.span;
    mrk_job_begin(j, o);
    st = mrk_analyse(j, err);
    out->is.by_timeline = st == PRVCUT_OK;
    mrk_tell_source(&j->out->structure, PRVCUT_FOUND_BY_TIMELINE, confidence);
    return st;
}

/* Of an archive: in a folder of its own, as a cut is. */
static enum prvcut_status mark_into_folder(struct prvcut_trace *t, const struct prvcut_run *run,
                                           const struct prvcut_marks *marks,
                                           const struct prvcut_cut_options *options,
                                           struct made_marking *out, struct prvcut_error *err)
{
    struct prvcut_cut_options inside = *options;
    struct prvcut_own_folder own;
    enum prvcut_status st = prvcut_own_folder_begin(&own, options->path, options->force, err);

    inside.path = own.inside;
    if (st == PRVCUT_OK)
        st = t->reader->mark(t, run, marks, &inside, out, err);
    return prvcut_own_folder_end(&own, st, out->file, out->is.files, err);
}

enum prvcut_status api_mark_put(struct prvcut_trace *t, const struct prvcut_run *run,
                                const struct prvcut_marks *marks,
                                const struct prvcut_cut_options *output, struct made_marking *out,
                                struct prvcut_error *err)
{
    struct prvcut_cut_options named = *output;
    char *path = NULL;
    enum prvcut_status st = prvcut_output_settle(&path, t, output, REPORT_TAG_ITERATIONS, err);

    named.path = path;
    if (st == PRVCUT_OK && prvcut_own_folder_is_for(t, output) && !named.dry_run)
        st = mark_into_folder(t, run, marks, &named, out, err);
    else if (st == PRVCUT_OK)
        st = t->reader->mark(t, run, marks, &named, out, err);
    free(path);
    return st;
}

static enum prvcut_status mrk_write_marks(const struct job *j, struct made_marking *out,
                                          const struct prvcut_mark_options *o,
                                          struct prvcut_error *err)
{
    struct laying l = { .job = j, .out = out };
    enum prvcut_status st = mrk_lay(&l, err);

    if (st == PRVCUT_OK) {
        const struct prvcut_marks marks = { l.row, l.rows, &prvcut_mark_iterations };

        st = api_mark_put(j->trace, j->run, &marks, o->output, out, err);
    }
    mrk_laying_fini(&l);
    return st;
}

enum prvcut_status api_mark(struct prvcut_trace *trace, const struct prvcut_run *run,
                            const struct prvcut_mark_options *options, struct made_marking *out,
                            struct prvcut_error *err)
{
    struct made_reduction all = { .is.reason = "" };
    struct job j = { .trace = trace, .run = run, .out = &all };
    struct prvcut_structure_options o = *options->find;
    enum prvcut_status st = mrk_usable(trace, options, err);

    *out = (struct made_marking){ .structure = { .is.reason = "", .is.main = SIZE_MAX } };
    if (st == PRVCUT_OK)
        st = mrk_ask_timeline(out, trace, options, &o, err);
    if (st == PRVCUT_OK)
        st = mrk_find(&j, out, &o, err);
    if (st == PRVCUT_OK)
        st = mrk_write_marks(&j, out, options, err);
    job_fini(&j);
    if (st >= 0) {
        out->structure = all.structure;
        out->structure.typed = all.typed;
        out->structure.cuts = all.cuts;
        all.typed = all.cuts = NULL;
        all.structure = (struct made_structure){ .is.reason = "" };
    }
    api_reduction_fini(&all);
    return prvcut_trace_outcome(trace, st, err);
}
