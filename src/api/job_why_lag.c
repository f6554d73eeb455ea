#include "api/job_why_lag.h"

#include "api/flushed.h"
#include "api/job_kinds.h"

#include "analysis/why.h"
#include "base/search.h"
#include "structure/known.h"

#include <stddef.h>

/* Since when a thread has made no call but that; the same: it is not known. */
static uint64_t jwl_since(const struct job *j, uint32_t thread, uint64_t call)
{
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[j->kinds->region]];

    for (size_t i = 0; i < f->calls.sequences; i++) {
        const struct prvcut_call_sequence *s = &f->sequence[i];
        size_t at;

        if (s->thread != thread)
            continue;
        at = prvcut_lower_u64(s->at, s->count, sizeof *s->at, offsetof(struct prvcut_call, time),
                              call);
        return at > 0 ? s->at[at - 1].time : 0;
    }
    return call;
}

static double jwl_flushed(const struct job *j, uint32_t thread, uint64_t from, uint64_t to)
{
    const struct prvcut_flushes *f = &j->data.flushes;
    double ns = 0;

    for (size_t i = 0; i < f->count && from < to; i++)
        if (f->at[i].thread == thread)
            ns += api_flushed(&f->at[i], from, to);
    return ns;
}

/* lag: from where the iteration begins for all until the thread begins it */
static void jwl_settle(const struct job *j, double *at, uint32_t thread, struct prvcut_span lag)
{
    const double length = (double)(lag.end - lag.start), recorded = at[PRVCUT_WHY_LAG_COMPUTING];
    const uint64_t since = jwl_since(j, thread, lag.end);
    double *computing = &at[PRVCUT_WHY_LAG_COMPUTING], before;

    api_flushed_take(computing, length - at[PRVCUT_WHY_LAG_OUTSIDE],
                     jwl_flushed(j, thread, lag.start, lag.end), length);
    before = fmin(*computing, jwl_flushed(j, thread, since, lag.start));
    *computing -= before;
    at[PRVCUT_WHY_FLUSHING] += before;
    if (!(recorded > 0))
        return;
    at[PRVCUT_WHY_LAG_INSTRUCTIONS] *= *computing / recorded;
    at[PRVCUT_WHY_LAG_CYCLES] *= *computing / recorded;
}

void job_why_lag_settle(struct job_why_spent *w)
{
    const size_t width = PRVCUT_WHY_COLUMNS + w->calls;

    for (size_t n = 0; n < w->firsts; n++)
        for (uint32_t t = 0; t < w->found.threads; t++) {
            double *at = w->at + (w->first[n] * w->found.threads + t) * width;
            const struct prvcut_span lag =
                prvcut_window_own(&w->stretch[2 * w->picks + n].window, t);

            if (!(w->found.any & PRVCUT_PROFILE_ANY_RUNNING))
                at[PRVCUT_WHY_LAG_COMPUTING] = at[PRVCUT_WHY_LAG_OUTSIDE];
            if (lag.end > lag.start)
                jwl_settle(w->j, at, t, lag);
        }
}
