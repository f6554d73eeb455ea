#include "prvcut/reduce.h"

#include "api/job.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/own_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void chop_fini(struct prvcut_chop *c)
{
    free(c->thread);
    prvcut_cut_summary_fini(&c->cut);
    prvcut_proof_fini(&c->proof);
}

void prvcut_reduction_fini(struct prvcut_reduction *r)
{
    for (unsigned i = 0; i < r->notes; i++)
        free(r->note[i]);
    for (size_t i = 0; i < r->chops; i++)
        chop_fini(&r->chop[i]);
    free(r->path);
    free(r->name);
    free(r->vote);
    free(r->chop);
    free(r->page);
    free(r->archive);
    prvcut_structure_fini(&r->structure);
    memset(r, 0, sizeof *r);
}

struct prvcut_span job_span(const struct job *j)
{
    const struct prvcut_span *only = &j->wish.only;
    struct prvcut_span all = { 0, j->end_ns };

    if (only->end > 0)
        all = (struct prvcut_span){ only->start, only->end < j->end_ns ? only->end : j->end_ns };
    return all;
}

double job_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static enum prvcut_status known_alignment(const char *align, struct prvcut_error *err)
{
    static const char *const known[] = { "auto", "calls", "straight" };

    for (size_t i = 0; align && i < sizeof known / sizeof *known; i++)
        if (strcmp(align, known[i]) == 0)
            return PRVCUT_OK;
    return !align ? PRVCUT_OK
                  : prvcut_fail(err, PRVCUT_EUSAGE,
                                "alignment '%s' is none of: auto calls straight", align);
}

static enum prvcut_status known_regions(const char *regions, struct prvcut_error *err)
{
    if (!regions || strcmp(regions, "longest") == 0 || strcmp(regions, "all") == 0)
        return PRVCUT_OK;
    if (*regions >= '1' && *regions <= '9' && strspn(regions, "0123456789") == strlen(regions) &&
        strlen(regions) < 10)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_EUSAGE,
                       "regions '%s' is none of: all longest, or the number of one", regions);
}

/* The cut's usual name where it has none yet; those of many are told apart when they are known. */
static enum prvcut_status report_keeps_off(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    char *usual = NULL;
    enum prvcut_status st = PRVCUT_OK;

    if (!o->cut.path)
        st = prvcut_output_name(&usual, j->trace->reader, prvcut_trace_shown(j->trace), "chop1",
                                o->cut.compress, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_keeps_off(j->trace, usual ? usual : o->cut.path, o->report, err);
    if (st == PRVCUT_OK && prvcut_own_folder_is_for(j->trace, &o->cut))
        st = prvcut_own_folder_keeps_off(usual, o->report, err);
    free(usual);
    return st;
}

/* Outputs that could not be written are known before anything is read. */
static enum prvcut_status outputs_are_free(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    enum prvcut_status st = PRVCUT_OK;

    if (o->cut.path)
        st = prvcut_output_check(j->trace, o->cut.path, err);
    if (st == PRVCUT_OK && o->report)
        st = prvcut_output_spares(j->trace, o->report, err);
    if (st == PRVCUT_OK && o->report)
        st = report_keeps_off(j, err);
    if (st == PRVCUT_OK && o->report)
        st = prvcut_output_is_free(o->report, o->cut.force, err);
    return st;
}

static void report_clocks(struct prvcut_reduction *r, const struct prvcut_clocks *c)
{
    r->clocks = (struct prvcut_clock_report){ .skewed = c->skewed, .source = "" };
    if (!c->skewed)
        return;
    r->clocks.spread_ns = (uint64_t)(c->most - c->least);
    r->clocks.doubt_ns = c->doubt;
    r->clocks.residual_ns = c->residual;
    r->clocks.unknown = c->unknown;
    r->clocks.source = c->source;
}

static enum prvcut_status usable(const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_trace *t = j->trace;
    const struct prvcut_reduce_options *o = j->options;

    if (o->iterations == 0)
        return prvcut_fail(err, PRVCUT_EUSAGE, "0 iterations are nothing to keep");
    if (t->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a reduction reads the trace twice and cannot take it from a pipe; "
                           "save it to a file first",
                           prvcut_trace_told(t));
    if (!t->reader->cut)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "%s: a trace in format %s cannot be written; convert it first",
                           prvcut_trace_told(t), t->reader->name);
    if (o->cut.filters > 0 && !t->reader->filter)
        return prvcut_fail(err, PRVCUT_EUSAGE, "%s: a trace in format %s cannot be filtered",
                           prvcut_trace_told(t), t->reader->name);
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it ends at %" PRIu64 " ns and begins at %" PRIu64
                           " ns",
                           o->only.end, o->only.start);
    if (known_alignment(o->align, err) < 0 || known_regions(o->regions, err) < 0)
        return PRVCUT_EUSAGE;
    return outputs_are_free(j, err);
}

/* Levels to be found: all, or as far down as the cut is to be made. */
static unsigned levels(const struct prvcut_reduce_options *o)
{
    if (o->all_levels || o->report)
        return 0;
    return o->level > 1 ? o->level : 1;
}

enum prvcut_status job_reduce(struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduce_options *o = j->options;
    struct prvcut_reduction *out = j->out;
    enum prvcut_status st;

    j->wish = (struct prvcut_structure_options){
        .metrics = o->metrics, .only = o->only, .period_ns = o->period_ns, .levels = levels(o)
    };
    j->began = job_seconds();
    memset(out, 0, sizeof *out);
    out->reason = out->structure.reason = "";
    report_clocks(out, &j->trace->clocks);
    out->dry_run = o->cut.dry_run;
    out->given_ns = o->period_ns;
    st = usable(j, err);
    if (st == PRVCUT_OK)
        st = job_analyse(j, err);
    if (st == PRVCUT_OK)
        st = job_chops(j, err);
    /* What could not be cut can be looked at all the same. */
    if (st == PRVCUT_END) {
        const enum prvcut_status page = job_page(j, err);

        st = page < 0 ? page : st;
    }
    job_fini(j);
    out->elapsed_s = job_seconds() - j->began;
    return st;
}

enum prvcut_status prvcut_reduce(struct prvcut_trace *trace, const struct prvcut_run *run,
                                 const struct prvcut_reduce_options *options,
                                 struct prvcut_reduction *out, struct prvcut_error *err)
{
    struct job j = { .trace = trace, .run = run, .options = options, .out = out };

    return prvcut_trace_outcome(trace, job_reduce(&j, err), err);
}
