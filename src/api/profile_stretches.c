#include "api/profile_stretches.h"

#include "api/answers.h"
#include "api/entries.h"
#include "api/job.h"
#include "api/job_borders.h"
#include "api/job_rows.h"
#include "api/select.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More are not told one by one. */
#define STRETCHES_MOST ((size_t)1 << 17)

/* Most borders of threads that are kept, two a thread: 64 MiB. */
#define BOUNDS_MOST ((size_t)1 << 23)

/* A region, or iterations, in the structure. */
struct pst_unit {
    const uint64_t *border; /* NULL: all of the region */
    size_t borders;
    size_t region;
    uint64_t number; /* of its first iteration; 0: it is none */
    bool typical;    /* it stands for its region */
};

struct pst_finder {
    struct api_stretches *out;
    const struct prvcut_profile_options *o;
    const struct job *job; /* that has found the structure */
    struct pst_unit *unit; /* [units] */
    size_t units, room;
    struct job_borders borders;
    bool typical; /* iterations that stand for regions are wanted */
};

bool api_stretches_needed(const struct prvcut_profile_options *o)
{
    return o->region || o->first > 0 ||
           o->by & (PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION);
}

void api_stretches_fini(struct api_stretches *s)
{
    free(s->at);
    free(s->part);
    free(s->bound);
    free(s->apart);
    free(s->reason);
    memset(s, 0, sizeof *s);
}

/* --- Which ------------------------------------------------------------------------------------ */

static enum prvcut_status pst_add(struct pst_finder *f, struct pst_unit unit,
                                  struct prvcut_error *err)
{
    if (f->units >= STRETCHES_MOST) {
        prvcut_instead(err, "--iteration 1-%zu", STRETCHES_MOST / 2);
        return prvcut_fail(err, PRVCUT_EUSAGE, "more than %zu iterations: name some of them",
                           STRETCHES_MOST);
    }
    if (prvcut_grow((void **)&f->unit, &f->room, f->units + 1, sizeof *f->unit, err) < 0)
        return PRVCUT_ENOMEM;
    f->unit[f->units++] = unit;
    return PRVCUT_OK;
}

bool api_region_is_named(const struct prvcut_profile_options *o)
{
    return o->region && strcmp(o->region, "longest") != 0;
}

/* Is an iteration of the region's loop asked for? */
static bool pst_wanted(const struct prvcut_profile_options *o, const struct made_region *r,
                       uint64_t number)
{
    if (o->first > 0)
        return number >= o->first && number <= o->last;
    return !api_region_is_named(o) ||
           (number >= r->is.first && (double)(number - r->is.first) + 0.5 < r->is.iterations);
}

static enum prvcut_status pst_iterations(struct pst_finder *f, size_t region,
                                         struct prvcut_error *err)
{
    const struct made_structure *s = &f->job->out->structure;
    const struct made_region *r = &s->region[region];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        for (size_t k = 0; prvcut_stretch_is_of(t, r) && k + 1 < t->borders && st == PRVCUT_OK; k++)
            if (pst_wanted(f->o, r, t->first + k))
                st = pst_add(f, (struct pst_unit){ t->border + k, 2, region, t->first + k, false },
                             err);
    }
    if (st == PRVCUT_OK && f->units == 0)
        st = prvcut_fail(err, PRVCUT_ELIMIT,
                         "the %" PRIu64 " iterations of the loop were not told one by one",
                         r->is.loop_iterations);
    return st;
}

/* The iteration of a region whose length is nearest to the usual one, of those that nothing spoilt.
 */
static enum prvcut_status pst_typical(struct pst_finder *f, size_t region, struct prvcut_error *err)
{
    const struct made_structure *s = &f->job->out->structure;
    const struct made_region *r = &s->region[region];
    struct pst_unit best = { NULL, 2, region, 0, true };
    double least = INFINITY;

    for (size_t i = 0; i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        for (size_t k = 0; prvcut_stretch_is_of(t, r) && k + 1 < t->borders; k++) {
            const struct prvcut_span span = { t->border[k], t->border[k + 1] };
            const double off = fabs((double)(span.end - span.start) - r->is.median_ns);

            if (span.start < r->is.span.start || span.end > r->is.span.end || off >= least ||
                job_row_is_touched(f->job, &span))
                continue;
            least = off;
            best.border = t->border + k;
            best.number = t->first + k;
        }
    }
    return best.border ? pst_add(f, best, err) : PRVCUT_OK;
}

static enum prvcut_status pst_regions(struct pst_finder *f, size_t region, struct prvcut_error *err)
{
    const struct made_structure *s = &f->job->out->structure;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->is.regions && st == PRVCUT_OK; i++) {
        if (s->region[i].is.number == 0 || s->region[i].is.level != s->region[region].is.level ||
            (api_region_is_named(f->o) && i != region))
            continue;
        st = pst_add(f, (struct pst_unit){ NULL, 0, i, 0, false }, err);
        if (st == PRVCUT_OK && f->typical)
            st = pst_typical(f, i, err);
    }
    return st;
}

/* What is named, as one: iterations that follow each other, or all of the region. */
static enum prvcut_status pst_selected(struct pst_finder *f, size_t region,
                                       struct prvcut_error *err)
{
    const struct made_structure *s = &f->job->out->structure;

    for (size_t i = 0; f->o->first > 0 && i < s->is.stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (prvcut_stretch_is_of(t, &s->region[region]) && f->o->first >= t->first &&
            f->o->last - t->first + 1 < t->borders)
            return pst_add(f,
                           (struct pst_unit){ t->border + (f->o->first - t->first),
                                              (size_t)(f->o->last - f->o->first + 2), region, 0,
                                              false },
                           err);
    }
    if (f->o->first > 0) {
        prvcut_instead(err, "--by iteration --iteration %" PRIu64 "-%" PRIu64, f->o->first,
                       f->o->last);
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "iterations %" PRIu64 " to %" PRIu64 " do not follow each other",
                           f->o->first, f->o->last);
    }
    return pst_add(f, (struct pst_unit){ NULL, 0, region, 0, false }, err);
}

/* --- Where ------------------------------------------------------------------------------------ */

static struct job_row pst_row(const struct pst_finder *f, const struct pst_unit *u)
{
    return u->border ? job_row_between(f->job, u->border, u->borders, u->region)
                     : job_row_of_region(f->job, u->region);
}

static void pst_name(struct pst_finder *f, const struct pst_unit *u,
                     struct prvcut_profile_part *part)
{
    const struct made_structure *s = &f->job->out->structure;
    const struct made_region *r = &s->region[u->region];

    for (size_t i = 0; u->number > 0 && i < s->is.regions; i++) {
        const struct made_region *of = &s->region[i];

        if (prvcut_regions_share_loop(of, r) && u->number >= of->is.first &&
            (double)(u->number - of->is.first) + 0.5 < of->is.iterations)
            snprintf(part->region, sizeof part->region, "%u.%u", of->is.level, of->is.number);
    }
    if (u->number == 0)
        snprintf(part->region, sizeof part->region, "%u.%u", r->is.level, r->is.number);
    part->iteration = u->number;
    part->typical = u->typical;
}

static enum prvcut_status pst_lay(struct pst_finder *f, const struct pst_unit *u,
                                  struct prvcut_error *err)
{
    static const size_t all[2] = { 0, 0 };
    struct api_stretches *out = f->out;
    const size_t threads = f->job->trace->objects.threads;
    struct prvcut_profile_part *part = &out->part[out->count];
    const struct job_row row = pst_row(f, u);

    out->at[out->count].window = job_row_window(
        f->job, &row, all, out->bound ? out->bound + 2 * threads * out->count : NULL);
    if (out->bound &&
        job_borders_want(&f->borders, f->job, &row, 2 * threads * out->count, err) < 0)
        return PRVCUT_ENOMEM;
    for (uint32_t a = 0; a < f->job->trace->objects.applications; a++)
        out->apart[out->count * f->job->trace->objects.applications + a] =
            job_borders_apart(f->job, row.loop, a);
    part->span = row.span;
    part->disturbed = job_row_is_touched(f->job, &row.span);
    pst_name(f, u, part);
    out->count++;
    return PRVCUT_OK;
}

/* What is named, as pst_selected has it; false: iterations that do not follow each other. */
static bool pst_is_one(const struct pst_finder *f, struct pst_unit *out)
{
    *out = (struct pst_unit){ NULL, 0, f->unit[0].region, 0, false };
    if (f->o->first == 0)
        return true;
    out->border = f->unit[0].border;
    out->borders = f->units + 1;
    for (size_t i = 1; i < f->units; i++)
        if (f->unit[i].border != f->unit[0].border + i)
            return false;
    return true;
}

/* From where the first begins to where the last ends. */
static void pst_lay_hull(struct pst_finder *f)
{
    const size_t threads = f->job->trace->objects.threads;
    struct api_stretches *out = f->out;
    const struct prvcut_window *first = &out->at[1].window, *last = &out->at[out->count - 1].window;
    struct prvcut_window *all = &out->at[0].window;

    *all = (struct prvcut_window){ .from = first->from, .to = last->to };
    if (!first->thread_from || !last->thread_to)
        return;
    for (uint32_t t = 0; t < threads; t++) {
        out->bound[t] = prvcut_window_own(first, t).start;
        out->bound[threads + t] = prvcut_window_own(last, t).end;
    }
    all->thread_from = out->bound;
    all->thread_to = out->bound + threads;
}

/* Where some are named, the total is of them, with the borders that they have as one: a thread that
   is not in the loop has others in each iteration. */
static enum prvcut_status pst_lay_shown(struct pst_finder *f, struct prvcut_error *err)
{
    struct api_stretches *out = f->out;
    struct pst_finder one = { .out = out, .o = f->o, .job = f->job };
    const size_t count = out->count;
    struct pst_unit unit;
    enum prvcut_status st;

    if (!pst_is_one(f, &unit)) {
        pst_lay_hull(f);
        return PRVCUT_OK;
    }
    out->count = 0;
    st = pst_lay(&one, &unit, err);
    if (st == PRVCUT_OK)
        st = job_borders_align(&one.borders, f->job, out->at, 1, out->bound, err);
    job_borders_fini(&one.borders);
    out->part[0] = (struct prvcut_profile_part){ .iteration = 0 };
    out->count = count;
    return st;
}

static uint64_t pst_within(uint64_t t, const struct prvcut_span *only)
{
    if (t < only->start)
        return only->start;
    return only->end > 0 && t > only->end ? only->end : t;
}

/* The search finds iterations that a border of the window divides: what is outside is not told. */
static void pst_clip(struct api_stretches *out, const struct prvcut_span *only, size_t threads)
{
    for (size_t i = 0; i < out->count; i++) {
        out->at[i].window.from = pst_within(out->at[i].window.from, only);
        out->at[i].window.to = pst_within(out->at[i].window.to, only);
    }
    for (size_t i = 0; out->bound && i < 2 * threads * out->count; i++)
        out->bound[i] = pst_within(out->bound[i], only);
}

/* The window, where each is told by itself; then all units. */
static enum prvcut_status pst_lay_all(struct pst_finder *f, bool each, struct prvcut_error *err)
{
    struct api_stretches *out = f->out;
    const size_t room = f->units + 2, threads = f->job->trace->objects.threads;
    const struct prvcut_span *only = &f->o->only;
    enum prvcut_status st = PRVCUT_OK;

    out->at = prvcut_zeroed(room, sizeof *out->at, "stretches of the run", err);
    out->part = prvcut_zeroed(room, sizeof *out->part, "stretches of the run", err);
    out->straight = threads > BOUNDS_MOST / 2 / room;
    if (!out->straight)
        out->bound = prvcut_zeroed(2 * threads * room + 1, sizeof *out->bound, "borders", err);
    out->apart = prvcut_zeroed(room * f->job->trace->objects.applications + 1, sizeof *out->apart,
                               "applications", err);
    if (!out->at || !out->part || !out->apart || (!out->bound && !out->straight))
        return PRVCUT_ENOMEM;
    if (each) {
        out->at[0].window.from = only->start;
        out->at[0].window.to = only->end > 0 ? only->end : UINT64_MAX;
        out->count = 1;
    }
    for (size_t i = 0; i < f->units && st == PRVCUT_OK; i++)
        st = pst_lay(f, &f->unit[i], err);
    if (st == PRVCUT_OK)
        st = job_borders_align(&f->borders, f->job, out->at, out->count, out->bound, err);
    out->straight |= f->borders.missed;
    if (st == PRVCUT_OK && each && f->units > 0 && (f->o->first > 0 || api_region_is_named(f->o)))
        st = pst_lay_shown(f, err);
    if (st == PRVCUT_OK && (only->start > 0 || only->end > 0))
        pst_clip(out, only, threads);
    return st;
}

/* --- All of it -------------------------------------------------------------------------------- */

/* The levels that the region's name goes down to; 1 where none is named. */
static unsigned pst_levels(const struct prvcut_profile_options *o)
{
    struct prvcut_region_name name;

    return api_region_is_named(o) && prvcut_region_parse(o->region, 1, &name) ? name.level : 1;
}

struct job api_profile_job(struct prvcut_trace *trace, const struct prvcut_run *run,
                           const struct prvcut_profile_options *o, struct made_reduction *out)
{
    return (struct job){
        .trace = trace, .run = run, .wish = { .only = o->only, .levels = pst_levels(o) }, .out = out
    };
}

static enum prvcut_status pst_list(struct pst_finder *f, struct prvcut_error *err)
{
    const struct prvcut_selection what = {
        .size = sizeof what, .region = f->o->region, .first = f->o->first, .last = f->o->last
    };
    struct prvcut_span span;
    size_t region;
    enum prvcut_status st =
        api_structure_select(&f->job->out->structure, &what, &span, &region, err);

    if (st < 0)
        return st;
    if (f->o->by & PRVCUT_PROFILE_BY_ITERATION)
        return pst_iterations(f, region, err);
    return f->o->by & PRVCUT_PROFILE_BY_REGION ? pst_regions(f, region, err)
                                               : pst_selected(f, region, err);
}

enum prvcut_status api_stretches_lay(struct api_stretches *s, const struct job *job,
                                     enum prvcut_status found,
                                     const struct prvcut_profile_options *o, bool typical,
                                     struct prvcut_error *err)
{
    const bool each = o->by & (PRVCUT_PROFILE_BY_REGION | PRVCUT_PROFILE_BY_ITERATION);
    struct pst_finder f = { .out = s, .o = o, .job = job, .typical = typical };
    enum prvcut_status st = found;

    memset(s, 0, sizeof *s);
    if (st == PRVCUT_OK)
        st = pst_list(&f, err);
    if (st == PRVCUT_NONE) {
        s->reason = prvcut_copied_text(job->out->structure.is.reason, "a reason", err);
        st = s->reason ? st : PRVCUT_ENOMEM;
    }
    if (st >= 0) {
        const enum prvcut_status laid = pst_lay_all(&f, each || st == PRVCUT_NONE, err);

        st = laid < 0 ? laid : st;
    }
    free(f.unit);
    job_borders_fini(&f.borders);
    return st;
}

static enum prvcut_status pst_found(const struct job *job)
{
    return job->out->structure.is.main >= job->out->structure.is.regions ? PRVCUT_NONE : PRVCUT_OK;
}

enum prvcut_status api_stretches_count(size_t *out, const struct job *job,
                                       const struct prvcut_profile_options *o,
                                       struct prvcut_error *err)
{
    struct pst_finder f = { .o = o, .job = job };
    const enum prvcut_status st = pst_found(job) == PRVCUT_OK ? pst_list(&f, err) : PRVCUT_OK;

    free(f.unit);
    *out = f.units + 1;
    return st;
}

enum prvcut_status api_stretches_of(struct api_stretches *s, const struct job *job,
                                    const struct prvcut_profile_options *o,
                                    struct prvcut_error *err)
{
    return api_stretches_lay(s, job, pst_found(job), o, false, err);
}

enum prvcut_status api_stretches_outcome(enum prvcut_status found, enum prvcut_status made,
                                         const char *reason, struct prvcut_error *err)
{
    if (made != PRVCUT_OK || found != PRVCUT_NONE)
        return made == PRVCUT_OK ? found : made;
    return prvcut_fail(err, PRVCUT_NONE, "%s", reason && *reason ? reason : "no loop was found");
}
