#include "api/patterns_ask.h"

#include "api/answers.h"
#include "api/entries.h"
#include "base/memory.h"

#include <stdlib.h>

/* A loop that is as sure as that, fairly by its word, is right in nine of ten runs; 'structure'
   then tells the same one. */
#define SURE 0.5

void api_patterns_asked_fini(struct api_patterns_asked *a)
{
    api_stretches_fini(&a->found);
    free(a->window);
    free(a->number);
    free(a->stranger);
    *a = (struct api_patterns_asked){ .trace = a->trace, .run = a->run, .only = a->only };
}

/* Threads of tasks that were compared and do something else. */
static enum prvcut_status pta_strangers(struct api_patterns_asked *a, const struct job *j,
                                        size_t region, struct prvcut_error *err)
{
    const struct prvcut_objects *o = &a->trace->objects;
    const struct prvcut_known_loop *l = &j->known.at[j->known.of_region[region]];

    a->stranger = prvcut_zeroed(o->threads, sizeof *a->stranger, "threads", err);
    if (!a->stranger)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < l->calls.sequences; i++) {
        const uint32_t task = o->thread_task[l->sequence[i].thread];

        if (l->calls.borders[i] > 0 || l->sequence[i].count == 0)
            continue;
        for (uint32_t t = o->task_first_thread[task]; t < o->task_first_thread[task + 1]; t++)
            a->stranger[t] = 1;
    }
    return PRVCUT_OK;
}

/* The windows of iterations, without that of all of them. */
static enum prvcut_status pta_take(struct api_patterns_asked *a, struct prvcut_error *err)
{
    a->window = prvcut_unset(a->found.count, sizeof *a->window, "iterations", err);
    a->number = prvcut_unset(a->found.count, sizeof *a->number, "iterations", err);
    if (!a->window || !a->number)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < a->found.count; i++)
        if (a->found.part[i].iteration > 0) {
            a->window[a->iterations] = a->found.at[i].window;
            a->number[a->iterations++] = a->found.part[i].iteration;
        }
    return PRVCUT_OK;
}

/* Iterations that are too many, or not known one by one, are none to us. */
static enum prvcut_status pta_pardon(enum prvcut_status st, struct prvcut_error *err)
{
    if (st != PRVCUT_ELIMIT && st != PRVCUT_EUSAGE && st != PRVCUT_NONE)
        return st;
    if (err)
        *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_NONE;
}

static enum prvcut_status pta_of(struct api_patterns_asked *a, const struct job *j,
                                 struct prvcut_error *err)
{
    const struct prvcut_profile_options each = { .by = PRVCUT_PROFILE_BY_ITERATION,
                                                 .only = a->only };
    const struct made_structure *s = &j->out->structure;
    const struct prvcut_region *r = s->is.main < s->is.regions ? &s->region[s->is.main].is : NULL;
    enum prvcut_status st;

    if (!r)
        return PRVCUT_NONE;
    st = pta_pardon(api_stretches_of(&a->found, j, &each, err), err);
    a->by_calls = r->found_by == PRVCUT_FOUND_BY_CALLS;
    a->sure = r->confidence >= SURE;
    if (st == PRVCUT_OK)
        st = pta_take(a, err);
    return st == PRVCUT_OK && a->by_calls ? pta_strangers(a, j, s->is.main, err) : st;
}

static enum prvcut_status pta_search(struct api_patterns_asked *a, struct prvcut_error *err)
{
    struct made_reduction all = { .is.reason = "" };
    struct job job = {
        .trace = a->trace, .run = a->run, .wish = { .only = a->only, .levels = 1 }, .out = &all
    };
    enum prvcut_status st = PRVCUT_NONE;

    /* A pipe is read once. */
    if (!a->trace->once)
        st = pta_pardon(job_analyse(&job, err), err);
    if (st == PRVCUT_OK)
        st = pta_of(a, &job, err);
    job_fini(&job);
    api_reduction_fini(&all);
    return st;
}

enum prvcut_status api_patterns_look(struct api_patterns_asked *a, struct pat_numbered *out,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct pat_numbered){ .count = 0 };
    if (!a->looked)
        st = pta_search(a, err);
    if (st < 0)
        return st;
    a->looked = true;
    if (st == PRVCUT_NONE)
        a->iterations = 0;
    *out = (struct pat_numbered){ a->window, a->number, a->iterations };
    return a->iterations > 0 ? PRVCUT_OK : PRVCUT_NONE;
}

enum prvcut_status api_patterns_ask(void *ctx, struct pat_given *out, struct prvcut_error *err)
{
    struct api_patterns_asked *a = ctx;
    struct pat_numbered known;
    const enum prvcut_status st = api_patterns_look(a, &known, err);

    *out = (struct pat_given){ .window = NULL };
    /* Without calls in order, iterations have no calls of their own; a thread with the times of
       another one has other calls there. */
    if (st == PRVCUT_OK && a->by_calls && !a->found.straight)
        *out = (struct pat_given){
            .window = known.window, .count = known.count, .stranger = a->stranger, .sure = a->sure
        };
    return st == PRVCUT_NONE ? PRVCUT_OK : st;
}
