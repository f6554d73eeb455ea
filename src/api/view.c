#include "prvcut/view.h"

#include "api/answers.h"
#include "api/called.h"
#include "api/entries.h"
#include "api/job_view.h"
#include "api/names.h"
#include "api/opening.h"
#include "api/take.h"
#include "api/view_place.h"
#include "base/seconds.h"

#include <stdlib.h>

#define SECONDS_MOST 60
/* Iterations of the cut that the page tells of: as many as the job cuts. */
#define ITERATIONS 2

/* Is the page that is there what would be made? */
static bool viw_found(struct made_view_page *v, const char *key, double seconds)
{
    char mark[JOB_VIEW_MARK];
    bool late = false;

    if (!view_mark(mark, sizeof mark, v->path, &v->is.bytes) ||
        !job_view_is_mark(mark, key, seconds, &late))
        return false;
    v->is.complete = !late;
    return true;
}

static enum prvcut_status viw_job(struct made_view_page *v, struct prvcut_trace *trace,
                                  const struct prvcut_run *run,
                                  const struct prvcut_reduce_options *o, const char *key,
                                  struct prvcut_error *err)
{
    struct made_reduction out = { .is.reason = "" };
    struct job j = { .trace = trace, .run = run, .options = o, .looks = true, .out = &out };
    struct job_view view;
    enum prvcut_status st;

    job_view_begin(&view, &j, key, v->is.seconds);
    st = job_reduce(&j, err);
    api_reduction_fini(&out);
    v->is.complete = !view.late;
    return st;
}

static enum prvcut_status viw_make(struct made_view_page *v, struct prvcut_trace *trace,
                                   const struct prvcut_run *run,
                                   const struct prvcut_view_page_options *o, const char *key,
                                   struct prvcut_error *err)
{
    struct prvcut_cut_options cut = { .dry_run = true, .command = o->typed };
    const struct prvcut_reduce_options how = { .iterations = ITERATIONS,
                                               .report = v->path,
                                               .typed = o->typed,
                                               .cheap_proof = true,
                                               .cut = &cut };
    const struct prvcut_reduce_options plain = { .iterations = ITERATIONS, .cut = &cut };
    struct prvcut_error ignored = { .status = PRVCUT_OK };
    char mark[JOB_VIEW_MARK];
    enum prvcut_status st;

    /* Commands on the page replace what is there already. */
    cut.force = api_reduce_check(trace, run, &plain, NULL, &ignored) == PRVCUT_EEXIST;
    st = viw_job(v, trace, run, &how, key, err);
    if (st < 0)
        return st;
    v->is.made = true;
    view_mark(mark, sizeof mark, v->path, &v->is.bytes);
    view_prune(v->path);
    return PRVCUT_OK;
}

static enum prvcut_status viw_view(struct made_view_page *v, struct prvcut_trace *trace,
                                   const struct prvcut_run *run,
                                   const struct prvcut_view_page_options *o,
                                   struct prvcut_error *err)
{
    const double began = prvcut_seconds();
    char key[VIEW_KEY];
    enum prvcut_status st = PRVCUT_OK;

    if (trace->once)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a page needs several readings: standard input has one");
    v->is.seconds = o->seconds > 0 ? o->seconds : SECONDS_MOST;
    st = prvcut_trace_called(&v->called, trace, err);
    if (st == PRVCUT_OK)
        st = view_place(&v->path, trace, o->folder, err);
    if (st == PRVCUT_OK)
        st = prvcut_output_spares(trace, v->path, err);
    if (st == PRVCUT_OK)
        st = view_key(key, trace, run, err);
    if (st == PRVCUT_OK && (o->force || !viw_found(v, key, v->is.seconds)))
        st = viw_make(v, trace, run, o, key, err);
    v->is.name = v->called;
    v->is.path = v->path;
    v->is.elapsed_s = prvcut_seconds() - began;
    return prvcut_trace_outcome(trace, st, err);
}

TAKER(run, ctx)
TAKER(view_page_options, typed)

enum prvcut_status prvcut_view_page_make(struct prvcut_trace *trace, const struct prvcut_run *run,
                                         const struct prvcut_view_page_options *options,
                                         struct prvcut_view_page **out, struct prvcut_error *err)
{
    struct prvcut_run its_run;
    struct prvcut_view_page_options its_options;
    struct made_view_page *made = NULL;
    enum prvcut_status st = api_take_run(&its_run, run, err);

    if (st == PRVCUT_OK)
        st = api_take_view_page_options(&its_options, options, err);
    st = MAKE(made, st, err);
    if (st == PRVCUT_OK)
        st = viw_view(made, trace, &its_run, &its_options, err);
    if (st != PRVCUT_OK && made) {
        prvcut_view_page_free(&made->is);
        made = NULL;
    }
    *out = made ? &made->is : NULL;
    return st;
}

void prvcut_view_page_free(struct prvcut_view_page *v)
{
    struct made_view_page *made = (struct made_view_page *)v;

    if (made) {
        free(made->called);
        free(made->path);
    }
    free(made);
}
