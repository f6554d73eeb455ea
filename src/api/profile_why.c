#include "api/profile.h"

#include "api/answers.h"
#include "api/entries.h"
#include "api/job_kinds.h"
#include "api/job_why.h"
#include "api/profile_stretches.h"
#include "api/select.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Which iterations, of which loop. */
static enum prvcut_status prwh_which(struct job_why_wanted *w, const struct job *j,
                                     const struct prvcut_profile_options *o,
                                     struct prvcut_error *err)
{
    const struct prvcut_selection what = { .size = sizeof what, .region = o->region };
    const struct made_structure *s = &j->out->structure;
    struct prvcut_span span;
    enum prvcut_status st;

    *w = (struct job_why_wanted){
        .region_only = api_region_is_named(o), .first = o->first, .last = o->last, .most = o->why
    };
    st = api_structure_select(s, &what, &span, &w->region, err);
    if (st < 0 || o->last <= s->region[w->region].is.loop_iterations)
        return st;
    prvcut_instead(err, "--why %" PRIu64, s->region[w->region].is.loop_iterations);
    return prvcut_fail(err, PRVCUT_EUSAGE, "--why %" PRIu64 ": the loop runs %" PRIu64 " times",
                       o->last, s->region[w->region].is.loop_iterations);
}

static enum prvcut_status prwh_no_loop(struct made_profile *out, const struct job *j,
                                       struct prvcut_error *err)
{
    out->no_loop = prvcut_copied_text(j->out->structure.is.reason, "a reason", err);
    out->is.no_loop = out->no_loop;
    return out->no_loop ? PRVCUT_NONE : PRVCUT_ENOMEM;
}

enum prvcut_status api_profile_why(struct prvcut_trace *trace, const struct prvcut_run *run,
                                   const struct prvcut_profile_options *o, struct made_profile *out,
                                   struct prvcut_error *err)
{
    struct made_reduction all = { .is.reason = "" };
    struct job job = api_profile_job(trace, run, o, &all);
    struct job_why_wanted want;
    enum prvcut_status st = job_analyse(&job, err);

    if (st == PRVCUT_OK)
        st = prwh_which(&want, &job, o, err);
    if (st == PRVCUT_OK)
        st = job_why_told(&job, &want, out, err);
    else if (st == PRVCUT_NONE)
        st = prwh_no_loop(out, &job, err);
    out->is.why = true;
    out->is.named = o->first > 0;
    out->is.tasks = all.is.tasks;
    out->is.threads = all.is.threads;
    out->is.end_ns = job.end_ns;
    out->is.span = job_span(&job);
    out->applications = all.is.applications;
    job_fini(&job);
    api_reduction_fini(&all);
    return st;
}

void api_profile_why_fini(struct made_profile *p)
{
    for (size_t i = 0; i < p->is.slow; i++) {
        for (size_t k = 0; k < p->slow[i].is.causes; k++)
            api_slow_cause_fini(&p->slow[i].cause[k]);
        free(p->slow[i].text);
    }
    free(p->slow);
    p->slow = NULL;
    p->is.slow = 0;
}
