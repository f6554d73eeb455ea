#include "prvcut/efficiency.h"
#include "api/answers.h"
#include "api/entries.h"

#include "analysis/efficiency/efficiency_runs.h"
#include "api/called.h"
#include "api/efficiency_borders.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/profile_stretches.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One trace that is read for an answer. */
struct aef_reading {
    struct prvcut_trace *trace;
    const struct prvcut_run *run;
    const struct prvcut_efficiency_options *options;
    struct made_efficiency *out;
    struct prvcut_window *window; /* [stretches]; owned */
    size_t stretches, skip;
    const struct prvcut_profile_part *part; /* [stretches]; NULL: they have no names */
    const bool *apart;                      /* [stretches * applications]; NULL: none is */
    bool common;                            /* the borders of all threads */
};

static enum prvcut_status eff_check(const struct prvcut_efficiency_options *o,
                                    struct prvcut_error *err)
{
    const bool parts = o->by != PRVCUT_EFFICIENCY_BY_RUN || o->region || o->first > 0 || o->borders;

    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if ((unsigned)o->by > PRVCUT_EFFICIENCY_BY_ITERATION ||
        (unsigned)o->computing > PRVCUT_COMPUTING_OUTSIDE ||
        (unsigned)o->ideal_computing > PRVCUT_COMPUTING_OUTSIDE ||
        (unsigned)o->starts > PRVCUT_STARTS_OWN || (unsigned)o->waits > PRVCUT_WAITS_CAUSAL ||
        (unsigned)o->scaling > PRVCUT_SCALING_WEAK || (unsigned)o->form > PRVCUT_FACTORS_ADDITIVE)
        return prvcut_fail(err, PRVCUT_EUSAGE, "unknown options of efficiency");
    if (parts && o->group)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "groups are of whole runs, not of regions and iterations");
    if (parts && o->starts == PRVCUT_STARTS_OWN)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "own starts are of a whole trace, not of regions and iterations");
    if (o->only.end > 0 && o->starts == PRVCUT_STARTS_OWN)
        return prvcut_fail(err, PRVCUT_EUSAGE, "own starts are of a whole trace, not of a window");
    return PRVCUT_OK;
}

/* --- One trace -------------------------------------------------------------------------------- */

static bool eff_own_starts(const struct aef_reading *r)
{
    if (r->options->starts == PRVCUT_STARTS_AUTO)
        return r->trace->own_window && r->common && r->options->only.end == 0;
    return r->options->starts == PRVCUT_STARTS_OWN;
}

static enum prvcut_status eff_read(struct aef_reading *r, struct prvcut_efficiency_found *f,
                                   bool threads, struct prvcut_error *err)
{
    const struct prvcut_efficiency_options *o = r->options;
    const bool whole = !r->common || o->only.end == 0;
    const uint64_t end = api_efficiency_end(r->trace);
    const struct prvcut_efficiency_asked asked = {
        .stretch = r->window,
        .stretches = r->stretches,
        .only = { whole ? 0 : o->only.start, whole ? end : o->only.end },
        .starts = eff_own_starts(r) ? PRVCUT_EFFICIENCY_OWN : PRVCUT_EFFICIENCY_COMMON,
        .model = o->waits == PRVCUT_WAITS_CAUSAL ? PRVCUT_REPLAY_CAUSAL : PRVCUT_REPLAY_DIMEMAS,
        .eager = o->eager > 0 ? o->eager : PRVCUT_REPLAY_EAGER,
        .cap = PRVCUT_REPLAY_CAP,
        .outside = o->computing == PRVCUT_COMPUTING_OUTSIDE,
        .threads = threads,
    };

    return prvcut_efficiency_read(f, r->trace, r->run, &asked, err);
}

/* What the stretches are called. */
static enum prvcut_status eff_name_parts(struct aef_reading *r, size_t from,
                                         struct prvcut_error *err)
{
    /* All stretches of one program, then those of the next. */
    for (size_t i = from; i < r->out->is.runs; i++) {
        struct made_efficiency_run *run = &r->out->run[i];
        const size_t stretch = (i - from) % (r->stretches - r->skip);
        const struct prvcut_profile_part *part = r->part ? &r->part[r->skip + stretch] : NULL;

        run->is.iteration = part                                              ? part->iteration
                            : r->out->is.by == PRVCUT_EFFICIENCY_BY_ITERATION ? stretch + 1
                                                                              : 0;
        if (!part)
            continue;
        run->is.span = part->span;
        run->is.disturbed = part->disturbed;
        if (!*part->region)
            continue;
        run->region = prvcut_copied_text(part->region, "names", err);
        run->is.region = run->region;
        if (!run->region)
            return PRVCUT_ENOMEM;
    }
    return PRVCUT_OK;
}

static enum prvcut_status eff_runs(struct aef_reading *r, const struct prvcut_efficiency_found *f,
                                   struct prvcut_error *err)
{
    const size_t from = r->out->is.runs;
    struct prvcut_dictionary names = { .types = 0 };
    struct prvcut_efficiency_read_of in = {
        .found = f,
        .names = &names,
        .own_starts = eff_own_starts(r),
        .own_told = eff_own_starts(r) && r->trace->own_window,
        .common_borders = r->common,
        .parts = !r->common,
        .skip = r->skip,
        .apart = r->apart,
        .objects = &r->trace->objects,
    };
    char *called = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, r->trace, err);

    in.name = called;
    if (st == PRVCUT_OK)
        st = r->trace->reader->describe(r->trace, &names, err);
    in.thread_name = r->trace->reader->by_thread ? names.thread : NULL;
    if (st == PRVCUT_OK)
        st = prvcut_efficiency_runs_make(r->out, &in, err);
    if (st == PRVCUT_OK)
        st = eff_name_parts(r, from, err);
    prvcut_dictionary_fini(&names);
    free(called);
    return st;
}

/* Where threads of a task call at the same time each has a clock of its own, which another reading
   gives it. */
static enum prvcut_status eff_replay(struct aef_reading *r, struct prvcut_error *err)
{
    struct prvcut_efficiency_found f;
    enum prvcut_status st = eff_read(r, &f, false, err);

    if (st == PRVCUT_OK && f.overlap && !r->trace->once) {
        prvcut_efficiency_found_fini(&f);
        st = eff_read(r, &f, true, err);
    }
    if (st == PRVCUT_OK)
        st = eff_runs(r, &f, err);
    prvcut_efficiency_found_fini(&f);
    return st;
}

static enum prvcut_status eff_whole(struct aef_reading *r, struct prvcut_error *err)
{
    const struct prvcut_span *only = &r->options->only;
    const uint64_t end = api_efficiency_end(r->trace);
    struct prvcut_window all = { .from = only->start, .to = only->end > 0 ? only->end : end };
    uint64_t *own = NULL;
    enum prvcut_status st = PRVCUT_OK;

    r->window = &all;
    r->stretches = 1;
    r->common = true;
    if (eff_own_starts(r))
        st = api_efficiency_own(&all, &own, r->trace, err);
    if (st == PRVCUT_OK)
        st = eff_replay(r, err);
    free(own);
    return st;
}

/* --- Regions and iterations ------------------------------------------------------------------- */

static enum prvcut_status eff_by_borders(struct aef_reading *r, struct prvcut_error *err)
{
    struct api_borders b;
    enum prvcut_status st = api_borders_read(&b, r->trace, r->options->borders, err);

    r->window = b.window;
    r->stretches = b.iterations;
    r->out->is.by = PRVCUT_EFFICIENCY_BY_ITERATION;
    if (st == PRVCUT_OK)
        st = eff_replay(r, err);
    api_borders_fini(&b);
    return st;
}

static enum prvcut_status eff_by_stretches(struct aef_reading *r, const struct api_stretches *s,
                                           struct prvcut_error *err)
{
    enum prvcut_status st;

    r->window = prvcut_zeroed(s->count + 1, sizeof *r->window, "stretches of the run", err);
    if (!r->window)
        return PRVCUT_ENOMEM;
    r->skip = 0;
    r->stretches = s->count;
    for (size_t i = 0; i < s->count; i++)
        r->window[i] = s->at[i].window;
    r->part = s->part;
    r->apart = s->apart;
    st = eff_replay(r, err);
    free(r->window);
    return st;
}

static enum prvcut_status eff_parts(struct aef_reading *r, struct prvcut_error *err)
{
    const struct prvcut_efficiency_options *o = r->options;
    const struct prvcut_profile_options which = {
        .by = o->by == PRVCUT_EFFICIENCY_BY_REGION      ? PRVCUT_PROFILE_BY_REGION
              : o->by == PRVCUT_EFFICIENCY_BY_ITERATION ? PRVCUT_PROFILE_BY_ITERATION
                                                        : PRVCUT_PROFILE_BY_CALL,
        .only = o->only,
        .region = o->region,
        .first = o->first,
        .last = o->last < o->first ? o->first : o->last,
    };
    struct api_stretches s;
    const enum prvcut_status found = api_stretches_find(&s, r->trace, r->run, &which, false, err);
    enum prvcut_status st = found;
    /* The first is the window of all, where each is told by itself. */
    const size_t all = o->by != PRVCUT_EFFICIENCY_BY_RUN;

    r->out->counted_from = o->only.start;
    if (found == PRVCUT_OK) {
        struct api_stretches each = { .at = s.at + all,
                                      .part = s.part + all,
                                      .apart = s.apart + all * r->trace->objects.applications,
                                      .count = s.count - all };

        st = eff_by_stretches(r, &each, err);
    } else if (found == PRVCUT_NONE) {
        r->out->is.by = PRVCUT_EFFICIENCY_BY_RUN;
        r->out->is.no_loop = r->out->no_loop = s.reason;
        s.reason = NULL;
        st = eff_whole(r, err);
    }
    api_stretches_fini(&s);
    return api_stretches_outcome(found, st, r->out->is.no_loop, err);
}

static enum prvcut_status eff_take(struct made_efficiency *out, struct prvcut_trace *trace,
                                   const struct prvcut_run *run,
                                   const struct prvcut_efficiency_options *o,
                                   struct prvcut_error *err)
{
    struct aef_reading r = { .trace = trace, .run = run, .options = o, .out = out };

    if (o->only.start > 0 && prvcut_window_begins_within(o->only.start, trace->end_ns, err) < 0)
        return PRVCUT_EUSAGE;
    if (o->borders)
        return eff_by_borders(&r, err);
    return o->by != PRVCUT_EFFICIENCY_BY_RUN || o->region || o->first > 0 ? eff_parts(&r, err)
                                                                          : eff_whole(&r, err);
}

/* --- The answer ------------------------------------------------------------------------------- */

enum prvcut_status api_efficiency_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                       const struct prvcut_efficiency_options *options,
                                       struct made_efficiency *out, struct prvcut_error *err)
{
    enum prvcut_status st = eff_check(options, err);

    out->options = *options;
    out->options.region = out->options.borders = out->options.group = NULL;
    out->is.by = options->by;
    out->is.form = options->form;
    out->is.waits = options->waits;
    out->is.ideal_computing = options->ideal_computing;
    out->is.eager = options->eager > 0 ? options->eager : PRVCUT_REPLAY_EAGER;
    if (st == PRVCUT_OK)
        st = prvcut_efficiency_runs_group(out, options->group, err);
    if (st == PRVCUT_OK)
        st = eff_take(out, trace, run, options, err);
    for (size_t i = 0; i < out->is.runs; i++)
        out->run[i].base = options->base;
    out->traces = 1;
    if (st >= 0 && prvcut_efficiency_runs_compare(out, err) < 0)
        st = PRVCUT_ENOMEM;
    return prvcut_trace_outcome(trace, st, err);
}

enum prvcut_status api_efficiency_add(struct made_efficiency *e, struct prvcut_trace *trace,
                                      const struct prvcut_run *run, bool base,
                                      struct prvcut_error *err)
{
    const size_t runs = e->is.runs;
    enum prvcut_status st = PRVCUT_OK;

    if (e->is.by != PRVCUT_EFFICIENCY_BY_RUN || e->is.no_loop)
        st = prvcut_fail(err, PRVCUT_EUSAGE, "regions and iterations are those of one trace");
    if (st == PRVCUT_OK)
        st = eff_take(e, trace, run, &e->options, err);
    if (st < 0) {
        prvcut_efficiency_runs_drop(e, runs);
        return prvcut_trace_outcome(trace, st, err);
    }
    for (size_t i = 0; i < runs && base; i++)
        e->run[i].base &= e->run[i].group != e->run[runs].group;
    for (size_t i = runs; i < e->is.runs; i++) {
        e->run[i].base = base;
        e->run[i].is.read = e->traces;
    }
    e->traces++;
    return prvcut_efficiency_runs_compare(e, err);
}

enum prvcut_status api_efficiency_loop(struct made_efficiency *e, size_t read,
                                       struct prvcut_trace *trace, const struct prvcut_run *run,
                                       struct prvcut_error *err)
{
    struct prvcut_program_loop loop;
    const enum prvcut_status st = api_loop_of(&loop, trace, run, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < e->is.runs; i++)
        if (e->run[i].is.read == read && e->run[i].is.applications == 1) {
            e->run[i].is.loop_iterations = (uint64_t)loop.iterations;
            if (e->run[i].program)
                e->run[i].program->loop = loop;
        }
    return prvcut_efficiency_runs_compare(e, err);
}

enum prvcut_status prvcut_efficiency_group_begin(struct prvcut_efficiency *e, const char *name,
                                                 struct prvcut_error *err)
{
    return prvcut_efficiency_runs_group((struct made_efficiency *)e, name, err);
}
