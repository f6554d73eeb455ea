#include "api/job_view.h"

#include "base/seconds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool jvw_asked(const struct job_view *v)
{
    return v->own->stop && v->own->stop(v->own->ctx);
}

static bool jvw_stop(void *ctx)
{
    const struct job_view *v = ctx;

    return jvw_asked(v) || prvcut_seconds() > v->until;
}

static void jvw_progress(void *ctx, enum prvcut_phase phase, uint64_t done, uint64_t total)
{
    const struct job_view *v = ctx;

    v->own->progress(v->own->ctx, phase, done, total);
}

void job_view_begin(struct job_view *v, struct job *j, const char *key, double seconds)
{
    *v = (struct job_view){ .key = key,
                            .seconds = seconds,
                            .until = prvcut_seconds() + seconds,
                            .own = j->run,
                            .limited = *j->run };
    v->limited.stop = jvw_stop;
    v->limited.progress = j->run->progress ? jvw_progress : NULL;
    v->limited.ctx = v;
    j->view = v;
}

const struct prvcut_run *job_view_run(const struct job *j)
{
    return j->view ? &j->view->limited : j->run;
}

enum prvcut_status job_view_fits(const struct job *j, enum prvcut_status st,
                                 struct prvcut_error *err)
{
    if (!j->view || st != PRVCUT_EINTERRUPTED || jvw_asked(j->view))
        return st;
    j->view->late = true;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return prvcut_fail(err, PRVCUT_ELIMIT, "the page would take longer than %.15gs",
                       j->view->seconds);
}

bool job_page_replaces(const struct job *j)
{
    return j->view || j->options->cut->force;
}

const char *job_view_mark(const struct job *j, char out[JOB_VIEW_MARK])
{
    if (!j->view)
        return NULL;
    snprintf(out, JOB_VIEW_MARK, "%s %.3f", j->view->key, j->view->late ? j->view->seconds : 0);
    return out;
}

bool job_view_is_mark(const char *mark, const char *key, double seconds, bool *late)
{
    const size_t n = strlen(key);
    double had;

    if (strncmp(mark, key, n) != 0 || mark[n] != ' ')
        return false;
    had = strtod(mark + n + 1, NULL);
    *late = had > 0;
    return !*late || seconds <= had + 0.0005;
}
