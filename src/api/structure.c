#include "prvcut/structure.h"
#include "api/answers.h"
#include "api/entries.h"
#include "api/follow_calls.h"
#include "api/index.h"

#include "api/job.h"
#include "api/job_why.h"
#include "api/opening.h"
#include "structure/parameters.h"

#include <inttypes.h>
#include <string.h>

static enum prvcut_status str_usable(const struct prvcut_trace *t,
                                     const struct prvcut_structure_options *o,
                                     struct prvcut_error *err)
{
    if (t->once && o->levels != 1)
        return prvcut_fail(
            err, PRVCUT_EUSAGE,
            "%s: 'structure' reads the trace more than once; save the pipe to a file "
            "first",
            prvcut_trace_told(t));
    if (o->only.end > 0 && o->only.end <= o->only.start)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "the window is empty: it begins at %" PRIu64 "ns and ends at %" PRIu64
                           "ns",
                           o->only.start, o->only.end);
    return PRVCUT_OK;
}

enum prvcut_status job_refuse_period(const struct job *j, enum prvcut_status st,
                                     struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const struct prvcut_span *loop = &j->loop.span;
    char period[32], found[32];

    if (st < 0 || j->wish.period_ns == 0 || s->is.main < s->is.regions || loop->end <= loop->start)
        return st;
    return prvcut_fail(err, PRVCUT_EUSAGE, "--period: %s is longer than the loop, %s",
                       prvcut_time_text(period, (double)j->wish.period_ns),
                       prvcut_time_text(found, (double)(loop->end - loop->start)));
}

enum prvcut_status api_structure_find(struct prvcut_trace *trace, const struct prvcut_run *run,
                                      const struct prvcut_structure_options *options,
                                      struct made_structure *out, struct prvcut_error *err)
{
    struct made_reduction all = { .is.reason = "" };
    struct job j = { .trace = trace, .run = run, .wish = *options, .out = &all };
    const char *set;
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    out->is.reason = "";
    out->is.main = SIZE_MAX;
    st = prvcut_parameters_told(&set, run->set, err);
    if (st == PRVCUT_OK)
        st = str_usable(trace, options, err);
    if (st == PRVCUT_OK)
        st = index_agree(trace, run, err);
    if (st == PRVCUT_OK)
        st = job_refuse_period(&j, job_analyse(&j, err), err);
    if (st == PRVCUT_OK)
        st = job_why_structure(&j, err);
    if (st >= 0 && trace->so_far)
        all.structure.strays =
            follow_calls_stray(&all.structure, j.data.sequence, j.data.sequences);
    job_fini(&j);
    if (st >= 0) {
        *out = all.structure;
        out->again = run->again;
        out->is.given_ns = options->period_ns;
        out->is.set = set;
        out->is.clock = trace->by_instructions ? "instructions" : NULL;
        out->is.by_rank = all.is.tasks == all.is.threads;
        out->typed = all.typed;
        out->cuts = all.cuts;
        out->empty = all.is.records == 0;
        all.typed = all.cuts = NULL;
        all.structure = (struct made_structure){ .is.reason = "" };
    }
    api_reduction_fini(&all);
    return prvcut_trace_outcome(trace, st, err);
}
