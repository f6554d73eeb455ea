#include "prvcut/reduce.h"
#include "api/entries.h"
#include "api/index.h"

#include "api/job.h"
#include "api/job_view.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"
#include "api/recast.h"
#include "api/select.h"
#include "base/seconds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Names of regions that are looked for before anything is read. */
#define NAMES_LOOKED_AT 100

static enum prvcut_status red_known_alignment(enum prvcut_align align, struct prvcut_error *err)
{
    return prvcut_align_text(align) ? PRVCUT_OK
                                    : prvcut_fail(err, PRVCUT_EUSAGE,
                                                  "alignment %d is not 0 (auto), 1 (calls) or 2 "
                                                  "(straight)",
                                                  (int)align);
}

static bool red_known_levels(const char *levels)
{
    return !levels || strcmp(levels, "all") == 0 ||
           (levels[strspn(levels, "0123456789,")] == '\0' && strtoul(levels, NULL, 10) > 0);
}

/* Which regions, at which levels, and perhaps which iterations. */
static enum prvcut_status red_known_places(const struct prvcut_reduce_options *o,
                                           struct prvcut_error *err)
{
    if (job_names_region(o->regions) && !prvcut_regions_valid(o->regions))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "regions '%s' are not all, longest, or names such as 1.4,1.5",
                           o->regions);
    if (!red_known_levels(o->levels))
        return prvcut_fail(err, PRVCUT_EUSAGE, "levels '%s' are not all, or numbers such as 1,2",
                           o->levels);
    if (o->first_iteration > o->last_iteration)
        return prvcut_fail(err, PRVCUT_EUSAGE, "iterations %" PRIu64 " to %" PRIu64 " are none",
                           o->first_iteration, o->last_iteration);
    if (o->kinds && (o->regions || o->levels || o->level > 0 || o->first_iteration > 0 || o->whole))
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "kinds are those of all the loop: no regions, levels or iterations are "
                           "to be named beside them");
    return PRVCUT_OK;
}

/* The cut's usual name where it has none yet; those of many are told apart when they are known. */
static enum prvcut_status red_report_keeps_off(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    char *usual = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (!o->cut->path)
        st = prvcut_output_name(&usual, j->trace->reader, prvcut_trace_shown(j->trace), "chop1",
                                o->cut->compress, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_keeps_off(j->trace, usual ? usual : o->cut->path, o->report, err);
    if (st == PRVCUT_OK && prvcut_own_folder_is_for(j->trace, o->cut))
        st = prvcut_own_folder_keeps_off(usual, o->report, err);
    free(usual);
    return st;
}

/* Regions that are named have their names. */
static enum prvcut_status red_named_are_free(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    struct prvcut_region_name name = { .number = 0 };
    const char *at = job_names_region(o->regions) ? o->regions : NULL;
    enum prvcut_status st = PRVCUT_OK;

    for (unsigned i = 0;
         i < NAMES_LOOKED_AT && st == PRVCUT_OK && prvcut_region_next(&at, o->level, &name); i++) {
        const struct report_tag tag = { .kind = REPORT_TAG_REGION,
                                        .level = name.level,
                                        .region = name.number };
        char text[64], *path = NULL;

        st = prvcut_output_name(&path, j->trace->reader, prvcut_trace_shown(j->trace),
                                report_tag_text(text, &tag), o->cut->compress, err);
        if (st == PRVCUT_OK)
            st = prvcut_output_cut_is_free(path, j->trace, o->cut, err);
        free(path);
    }
    return st;
}

/* Is one cut made, whatever is found? */
static bool red_makes_one(const struct prvcut_reduce_options *o)
{
    return o->outliers == 0 && !o->levels && !o->kinds &&
           !(o->regions && (strcmp(o->regions, "all") == 0 || strpbrk(o->regions, ",-")));
}

/* What a cut is called that needs no analysis for its name; false: its name is not known yet. */
static bool red_usual_tag(const struct prvcut_reduce_options *o, struct report_tag *tag)
{
    *tag = (struct report_tag){ .kind = REPORT_TAG_CHOP };
    if (job_names_iterations(o))
        *tag = (struct report_tag){ .kind = REPORT_TAG_ITERATION,
                                    .first = o->first_iteration,
                                    .last = o->last_iteration };
    if (o->kinds)
        *tag = (struct report_tag){ .kind = REPORT_TAG_KIND, .of_kind = 1 };
    if (o->whole && o->first_iteration == 0)
        return false;
    return !o->levels && o->level <= 1 && (!o->regions || strcmp(o->regions, "longest") == 0);
}

/* What can be foreseen, as by a script. */
static enum prvcut_status red_usual_name_is_free(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    struct report_tag tag;
    char *usual = NULL, text[64];
    enum prvcut_status st = PRVCUT_OK;

    if (!o->cut->path && job_names_region(o->regions) && o->first_iteration == 0)
        return red_named_are_free(j, err);
    if (o->cut->path && red_makes_one(o))
        st = prvcut_output_named(&usual, j->trace, o->cut->path, o->cut->compress, err);
    else if (!o->cut->path && red_usual_tag(o, &tag))
        st = prvcut_output_name(&usual, j->trace->reader, prvcut_trace_shown(j->trace),
                                report_tag_text(text, &tag), o->cut->compress, err);
    if (st == PRVCUT_OK && usual)
        st = prvcut_output_cut_is_free(usual, j->trace, o->cut, err);
    free(usual);
    return st;
}

/* Outputs that could not be written are known before anything is read. */
static enum prvcut_status red_outputs_are_free(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    enum prvcut_status st = PRVCUT_OK;

    if (o->cut->path)
        st = prvcut_output_check(j->trace, o->cut->path, err);
    if (st == PRVCUT_OK && o->report)
        st = prvcut_output_spares(j->trace, o->report, err);
    if (st == PRVCUT_OK && o->report)
        st = red_report_keeps_off(j, err);
    if (st == PRVCUT_OK && o->report)
        st = prvcut_output_is_free(o->report, job_page_replaces(j), err);
    if (st == PRVCUT_OK && !j->archive && !j->looks)
        st = red_usual_name_is_free(j, err);
    return st;
}

static void red_report_clocks(struct made_reduction *r, const struct prvcut_clocks *c)
{
    r->clocks = (struct prvcut_clock_report){ .skewed = c->skewed };
    if (!c->skewed)
        return;
    r->clocks.spread_ns = (uint64_t)(c->most - c->least);
    r->clocks.doubt_ns = c->doubt;
    r->clocks.residual_ns = c->residual;
    r->clocks.unknown = c->unknown;
    r->clocks.source = c->source;
}

static enum prvcut_status red_usable(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_trace *t = j->trace;
    const struct prvcut_reduce_options *o = j->options;
    enum prvcut_status st;
    uint32_t metrics;
    bool calls;

    if (o->iterations == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "iterations: 0 is not a number from 1");
    st = prvcut_cut_can(t, o->cut, err);
    if (st < 0)
        return st;
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    if (red_known_alignment(o->align, err) < 0 || red_known_places(o, err) < 0)
        return PRVCUT_EUSAGE;
    st = job_metrics(j, &metrics, &calls, err);
    return st < 0 ? st : red_outputs_are_free(j, err);
}

/* Levels to be found: all, or as far down as the cut is to be made. */
static unsigned red_levels(const struct prvcut_reduce_options *o)
{
    return o->all_levels || o->report ? 0 : job_deepest(o);
}

enum prvcut_status job_reduce(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    struct made_reduction *out = j->out;
    enum prvcut_status st;

    j->wish = (struct prvcut_structure_options){
        .metrics = o->metrics, .only = o->only, .period_ns = o->period_ns, .levels = red_levels(o)
    };
    j->began = prvcut_seconds();
    memset(out, 0, sizeof *out);
    out->is.reason = out->structure.is.reason = "";
    red_report_clocks(out, &j->trace->clocks);
    out->is.dry_run = o->cut->dry_run;
    out->is.given_ns = o->period_ns;
    out->is.force = o->cut->force;
    out->again = j->run->again;
    out->is.own_clocks = o->cut->own_clocks;
    st = prvcut_parameters_told(&out->structure.is.set, j->run->set, err);
    if (st == PRVCUT_OK && out->structure.is.set)
        job_note(j, "set: %s", out->structure.is.set);
    if (st == PRVCUT_OK && j->trace->recast)
        job_note(j, "%s is only read: this is cut in format %s", j->trace->recast,
                 j->trace->reader->format->title);
    if (st == PRVCUT_OK)
        st = red_usable(j, err);
    if (st == PRVCUT_OK)
        st = job_analyse(j, err);
    if (st == PRVCUT_OK)
        st = job_chops(j, err);
    /* What could not be cut can be looked at all the same. */
    if (st == PRVCUT_NONE) {
        const enum prvcut_status page = job_page(j, err);

        st = page < 0 ? page : st;
    }
    job_fini(j);
    out->is.elapsed_s = prvcut_seconds() - j->began;
    return st;
}

enum prvcut_status api_reduce_check(struct prvcut_trace *trace, const struct prvcut_run *run,
                                    const struct prvcut_reduce_options *options,
                                    const char *archive, struct prvcut_error *err)
{
    struct job j = { .trace = trace,
                     .run = run,
                     .wish.metrics = options->metrics,
                     .options = options,
                     .archive = archive };

    return prvcut_trace_outcome(trace, red_usable(&j, err), err);
}

static enum prvcut_status red_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                                     const struct prvcut_reduce_options *options, bool looks,
                                     struct made_reduction *out, struct prvcut_error *err)
{
    struct job j = { .run = run, .options = options, .looks = looks, .out = out };
    struct recast cast;
    enum prvcut_status st = index_agree(trace, run, err);

    if (st < 0)
        return prvcut_trace_outcome(trace, st, err);
    st = recast_begin(&cast, trace, run, err);
    j.trace = cast.trace;
    if (st == PRVCUT_OK)
        st = job_reduce(&j, err);
    return prvcut_trace_outcome(trace, recast_end(&cast, st, err), err);
}

enum prvcut_status api_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                              const struct prvcut_reduce_options *options,
                              struct made_reduction *out, struct prvcut_error *err)
{
    return red_reduce(trace, run, options, false, out, err);
}

enum prvcut_status api_reduce_look(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_reduce_options *options,
                                   struct made_reduction *out, struct prvcut_error *err)
{
    return red_reduce(trace, run, options, true, out, err);
}
