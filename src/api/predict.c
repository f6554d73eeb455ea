#include "prvcut/predict.h"
#include "api/entries.h"

#include "analysis/predict/predict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PROCESSES_MOST 1000000000u

static enum prvcut_status apr_check(const struct prvcut_predict_options *o,
                                    struct prvcut_error *err)
{
    if (o->processes_count == 0 || !o->processes)
        return prvcut_fail(err, PRVCUT_EUSAGE, "for how many processes?");
    if (o->fit > PRVCUT_FIT_LINEAR)
        return prvcut_fail(err, PRVCUT_EUSAGE, "no such fit of factors");
    if (!(o->confidence >= 0 && o->confidence < 1))
        return prvcut_fail(err, PRVCUT_EUSAGE, "how sure? Between 0 and 1, not %.3f",
                           o->confidence);
    for (size_t i = 0; i < o->processes_count; i++)
        if (o->processes[i] == 0 || o->processes[i] > PROCESSES_MOST)
            return prvcut_fail(err, PRVCUT_EUSAGE, "%" PRIu32 " processes; 1 to %u are possible",
                               o->processes[i], PROCESSES_MOST);
    return PRVCUT_OK;
}

enum prvcut_status api_predict_make(const char *const *file, size_t files,
                                    const struct prvcut_run *run,
                                    const struct prvcut_predict_options *options,
                                    struct made_prediction *out, struct prvcut_error *err)
{
    struct prvcut_predict_runs r = { .at = NULL };
    enum prvcut_status st = apr_check(options, err);

    (void)run;
    for (size_t i = 0; i < files && st == PRVCUT_OK; i++)
        st = prvcut_predict_read(&r, file[i], err);
    if (st == PRVCUT_OK)
        st = prvcut_predict(out, &r, options, err);
    prvcut_predict_runs_fini(&r);
    return st;
}

void prvcut_prediction_free(struct prvcut_prediction *p)
{
    struct made_prediction *made = (struct made_prediction *)p;

    for (size_t i = 0; made && i < made->is.runs; i++)
        free(made->run[i].name);
    for (size_t i = 0; made && i < made->is.warnings; i++)
        free(made->warning[i]);
    if (made) {
        free(made->run);
        free(made->point);
        free(made->warning);
    }
    free(made);
}

const struct prvcut_prediction_run *prvcut_prediction_run(const struct prvcut_prediction *p,
                                                          size_t i)
{
    return i < p->runs ? &made_prediction_of(p)->run[i].is : NULL;
}

double prvcut_prediction_measured(const struct prvcut_prediction *p, size_t i,
                                  enum prvcut_factor factor)
{
    return i < p->runs && factor < MADE_FACTORS ? made_prediction_of(p)->run[i].factor[factor]
                                                : (double)NAN;
}

const struct prvcut_prediction_point *prvcut_prediction_point(const struct prvcut_prediction *p,
                                                              size_t i)
{
    return i < p->points ? &made_prediction_of(p)->point[i].is : NULL;
}

const struct prvcut_prediction_factor *prvcut_prediction_factor(const struct prvcut_prediction *p,
                                                                size_t point, size_t i)
{
    return point < p->points && i < p->factors ? &made_prediction_of(p)->point[point].factor[i]
                                               : NULL;
}

const struct prvcut_prediction_form *prvcut_prediction_form(const struct prvcut_prediction *p,
                                                            size_t point, size_t i)
{
    return point < p->points && i < p->forms ? &made_prediction_of(p)->point[point].form[i] : NULL;
}

const char *prvcut_prediction_warning(const struct prvcut_prediction *p, size_t i)
{
    return i < p->warnings ? made_prediction_of(p)->warning[i] : NULL;
}
