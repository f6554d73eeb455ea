#include "prvcut/predict.h"
#include "api/entries.h"

#include "analysis/predict/predict.h"
#include "base/memory.h"
#include "model/factors.h"
#include "prvcut/efficiency.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PROCESSES_MOST 1000000000u

static enum prvcut_status pred_check(const struct prvcut_predict_options *o,
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

/* A trace's factors, as a run of a prediction has them. */
static void pred_take(struct made_prediction_run *out, const struct prvcut_efficiency_run *r)
{
    static const struct {
        enum prvcut_factor factor;
        enum prvcut_pop pop;
    } pairs[] = { { PRVCUT_FACTOR_LOAD_BALANCE, PRVCUT_POP_BALANCE },
                  { PRVCUT_FACTOR_SERIALIZATION, PRVCUT_POP_SERIALIZATION },
                  { PRVCUT_FACTOR_TRANSFER, PRVCUT_POP_TRANSFER },
                  { PRVCUT_FACTOR_COMMUNICATION, PRVCUT_POP_COMMUNICATION },
                  { PRVCUT_FACTOR_IPC, PRVCUT_POP_IPC },
                  { PRVCUT_FACTOR_FREQUENCY, PRVCUT_POP_FREQUENCY } };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        out->factor[pairs[i].factor] = prvcut_efficiency_factor(r, pairs[i].pop);
    out->factor[PRVCUT_FACTOR_INSTRUCTIONS] = r->instructions;
    if (r->computing_ns != PRVCUT_EFFICIENCY_UNTOLD)
        out->factor[PRVCUT_FACTOR_COMPUTING] = (double)r->computing_ns;
    /* What is 0 or less cannot be fitted, and is as good as not told. */
    for (size_t i = 0; i < MADE_FACTORS; i++)
        if (!(out->factor[i] > 0))
            out->factor[i] = (double)NAN;
    out->is.runtime_ns = r->runtime_ns;
    out->computing = r->computing;
    out->tasks = r->tasks;
    out->application = r->applications > 1 ? r->application : 0;
}

static enum prvcut_status pred_run(struct prvcut_predict_runs *runs, struct prvcut_trace *trace,
                                   const char *path, const struct prvcut_run *run,
                                   struct prvcut_error *err)
{
    const struct prvcut_efficiency_options options = { .size = sizeof options };
    struct made_efficiency *e = prvcut_zeroed(1, sizeof *e, "an answer", err);
    enum prvcut_status st;

    if (!e)
        return PRVCUT_ENOMEM;
    st = api_efficiency_make(trace, run, &options, e, err);
    for (size_t i = 0; st == PRVCUT_OK && i < e->is.runs; i++) {
        st = prvcut_predict_run_add(runs, path, e->run[i].is.threads, err);
        if (st < 0)
            break;
        pred_take(&runs->at[runs->count - 1], &e->run[i].is);
        runs->at[runs->count - 1].program = e->run[i].program;
        e->run[i].program = NULL;
    }
    prvcut_efficiency_free(&e->is);
    return st;
}

/* What is no trace is told as what is no table: of these people have more. */
static enum prvcut_status pred_trace(struct prvcut_predict_runs *runs, const char *path,
                                     const struct prvcut_run *run,
                                     const struct prvcut_open_options *open,
                                     struct prvcut_error *err)
{
    struct prvcut_error why = { .status = PRVCUT_OK };
    struct prvcut_trace *trace = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, path, open, &why);

    if (st == PRVCUT_OK)
        st = pred_run(runs, trace, path, run, err);
    else if (st == PRVCUT_ENOTRACE)
        st = prvcut_predict_read(runs, path, err);
    else
        st = prvcut_fail_as(err, st, &why);
    prvcut_trace_close(trace);
    return st;
}

/* --- Runs that go round more or less often -----------------------------------------------------
 */

/* What all runs tell, to compare what they do; NAN: not all do. */
static double pred_work(const struct prvcut_predict_runs *r, size_t run)
{
    enum prvcut_factor f = PRVCUT_FACTOR_INSTRUCTIONS;

    for (size_t i = 0; i < r->count; i++)
        if (isnan(r->at[i].factor[PRVCUT_FACTOR_INSTRUCTIONS]))
            f = PRVCUT_FACTOR_COMPUTING;
    return r->at[run].factor[f];
}

static size_t pred_fewest(const struct prvcut_predict_runs *r)
{
    size_t fewest = 0;

    for (size_t i = 1; i < r->count; i++)
        if (r->at[i].is.processes < r->at[fewest].is.processes)
            fewest = i;
    return fewest;
}

/* Is the work of all runs that of the first? */
static bool pred_agree(const struct prvcut_predict_runs *r)
{
    const double base = pred_work(r, pred_fewest(r));

    for (size_t i = 0; i < r->count; i++)
        if (!prvcut_factors_is_same(pred_work(r, i) / base, 1, false))
            return false;
    return true;
}

/* Calls of a task that are as many, within this, tell that nobody goes round more often. */
#define CALLS_AGREE 0.01

/* Do all tasks make as many calls as those of the first? */
static bool pred_calls_agree(const struct prvcut_predict_runs *r)
{
    const double base = prvcut_program_calls(r->at[pred_fewest(r)].program);

    for (size_t i = 0; i < r->count; i++) {
        const double calls = prvcut_program_calls(r->at[i].program);

        if (fabs(calls - base) > CALLS_AGREE * base)
            return false;
    }
    return true;
}

/* What an iteration of the first takes, over one of this run; 1 where they go round as often. */
static double pred_scale(const struct prvcut_predict_runs *r, size_t run)
{
    return r->at[run].loops == PRVCUT_LOOPS_OTHERWISE
               ? r->at[pred_fewest(r)].program->loop.iterations /
                     r->at[run].program->loop.iterations
               : 1;
}

/* Are all loops that of the first, and is the work of their iterations its own? Some go round more
   or less often. */
static bool pred_agree_by_iteration(const struct prvcut_predict_runs *r)
{
    const size_t base = pred_fewest(r);
    bool differ = false;

    for (size_t i = 0; i < r->count; i++) {
        const double times = pred_work(r, i) / pred_work(r, base) * pred_scale(r, i);

        differ |= r->at[i].loops == PRVCUT_LOOPS_OTHERWISE;
        if (r->at[i].loops == PRVCUT_LOOPS_UNLIKE ||
            !prvcut_factors_is_same(times, (double)r->at[i].is.processes / r->at[base].is.processes,
                                    true))
            return false;
    }
    return differ;
}

static enum prvcut_status pred_loop(struct made_prediction_run *r, const struct prvcut_run *run,
                                    const struct prvcut_open_options *open,
                                    struct prvcut_error *err)
{
    struct prvcut_trace *trace = NULL;
    enum prvcut_status st = prvcut_trace_open(&trace, r->is.name, open, err);

    if (st == PRVCUT_OK)
        st = api_loop_of(&r->program->loop, trace, run, err);
    prvcut_trace_close(trace);
    return st;
}

/* Times and instructions of as many iterations as the first run has. */
static void pred_even_out(struct prvcut_predict_runs *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct made_prediction_run *p = &r->at[i];
        const double by = pred_scale(r, i);

        p->scaled = true;
        p->factor[PRVCUT_FACTOR_INSTRUCTIONS] *= by;
        p->factor[PRVCUT_FACTOR_COMPUTING] *= by;
        p->is.runtime_ns *= by;
    }
}

/* Runs of one program may go round more or less often: where all that they do is not the same, what
   they do in an iteration may be. Where both work and calls are as many, nobody has to look. */
static enum prvcut_status pred_even(struct prvcut_predict_runs *r, const struct prvcut_run *run,
                                    const struct prvcut_open_options *open,
                                    struct prvcut_error *err)
{
    const size_t base = pred_fewest(r);
    enum prvcut_status st = PRVCUT_OK;
    bool told = r->count > 1;

    for (size_t i = 0; i < r->count; i++)
        told &= r->at[i].program && r->at[i].computing && r->at[i].application == 0 &&
                pred_work(r, i) > 0;
    if (!told || (pred_agree(r) && pred_calls_agree(r)))
        return PRVCUT_OK;
    for (size_t i = 0; i < r->count && told && st == PRVCUT_OK; i++) {
        st = pred_loop(&r->at[i], run, open, err);
        told = r->at[i].program->loop.iterations > 0;
    }
    for (size_t i = 0; i < r->count && told && st == PRVCUT_OK; i++)
        r->at[i].loops = prvcut_program_loops(r->at[i].program, r->at[base].program);
    if (st == PRVCUT_OK && told && pred_agree_by_iteration(r))
        pred_even_out(r);
    return st;
}

enum prvcut_status api_predict_make(const char *const *file, size_t files,
                                    const struct prvcut_run *run,
                                    const struct prvcut_predict_options *options,
                                    struct made_prediction *out, struct prvcut_error *err)
{
    struct prvcut_predict_runs r = { .at = NULL };
    enum prvcut_status st = pred_check(options, err);

    for (size_t i = 0; i < files && st == PRVCUT_OK; i++)
        st = prvcut_predict_is_table(file[i]) ? prvcut_predict_read(&r, file[i], err)
                                              : pred_trace(&r, file[i], run, options->open, err);
    if (st == PRVCUT_OK)
        st = pred_even(&r, run, options->open, err);
    if (st == PRVCUT_OK)
        st = prvcut_predict(out, &r, options, err);
    prvcut_predict_runs_fini(&r);
    return st;
}

void prvcut_prediction_free(struct prvcut_prediction *p)
{
    struct made_prediction *made = (struct made_prediction *)p;

    for (size_t i = 0; made && i < made->is.runs; i++)
        prvcut_predict_run_fini(&made->run[i]);
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
