#include "api/job_efficiency.h"

#include "analysis/efficiency/efficiency_runs.h"
#include "api/called.h"
#include "api/job_view.h"
#include "api/phase.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The run in stretches that are next to each other: what is outside of cuts, and these. */
struct jef_plan {
    struct prvcut_window *stretch; /* [stretches]; owned */
    size_t stretches;
    size_t *cut;      /* [cuts] of out->chop; in the order of time; stretch 2 * i + 1; owned */
    uint64_t *border; /* [2 * threads * stretches]: begins, then ends; owned */
    size_t cuts;
};

static void jef_plan_fini(struct jef_plan *p)
{
    free(p->stretch);
    free(p->cut);
    free(p->border);
}

static struct prvcut_span jef_own(const struct made_chop *c, uint32_t thread)
{
    return c->is.thread && thread < c->is.threads ? c->is.thread[thread] : c->cut.window;
}

/* Is all of a cut behind another one? */
static bool jef_is_behind(const struct job *j, const struct made_chop *a, const struct made_chop *b)
{
    for (uint32_t k = 0; k < j->trace->objects.threads; k++)
        if (jef_own(a, k).start < jef_own(b, k).end)
            return false;
    return true;
}

/* In the order of time, without those that overlap one before. */
static void jef_choose(struct jef_plan *p, const struct job *j)
{
    const struct made_reduction *r = j->out;

    for (size_t i = 0; i < r->is.chops; i++) {
        size_t place = p->cuts;

        while (place > 0 && jef_is_behind(j, &r->chop[p->cut[place - 1]], &r->chop[i]))
            place--;
        if (place > 0 && !jef_is_behind(j, &r->chop[i], &r->chop[p->cut[place - 1]]))
            continue;
        for (size_t k = p->cuts++; k > place; k--)
            p->cut[k] = p->cut[k - 1];
        p->cut[place] = i;
    }
}

/* Borders between the stretches, of one thread. */
static void jef_set_borders(struct jef_plan *p, const struct job *j, uint32_t thread)
{
    const uint32_t threads = j->trace->objects.threads;
    uint64_t before = 0;

    for (size_t i = 0; i < p->stretches; i++) {
        uint64_t *border = p->border + 2 * threads * i;
        const size_t next = i / 2;
        const bool last = next == p->cuts;
        const struct prvcut_span own = last ? (struct prvcut_span){ UINT64_MAX, UINT64_MAX }
                                            : jef_own(&j->out->chop[p->cut[next]], thread);

        border[thread] = before;
        border[threads + thread] = i % 2 ? own.end : own.start;
        before = border[threads + thread];
    }
}

static enum prvcut_status jef_plan_init(struct jef_plan *p, const struct job *j,
                                        struct prvcut_error *err)
{
    const uint32_t threads = j->trace->objects.threads;

    p->cut = prvcut_zeroed(j->out->is.chops + 1, sizeof *p->cut, "stretches of the run", err);
    if (!p->cut)
        return PRVCUT_ENOMEM;
    jef_choose(p, j);
    p->stretches = 2 * p->cuts + 1;
    p->stretch = prvcut_zeroed(p->stretches, sizeof *p->stretch, "stretches of the run", err);
    p->border = prvcut_zeroed(2 * (size_t)threads * p->stretches + 1, sizeof *p->border,
                              "stretches of the run", err);
    if (!p->stretch || !p->border)
        return PRVCUT_ENOMEM;
    for (uint32_t k = 0; k < threads; k++)
        jef_set_borders(p, j, k);
    for (size_t i = 0; i < p->stretches; i++) {
        uint64_t *border = p->border + 2 * (size_t)threads * i;

        p->stretch[i] = (struct prvcut_window){ .from = border[0],
                                                .to = border[threads],
                                                .thread_from = border,
                                                .thread_to = border + threads };
    }
    return PRVCUT_OK;
}

/* --- The runs --------------------------------------------------------------------------------- */

static struct prvcut_efficiency_asked jef_asked(const struct job *j, const struct jef_plan *p,
                                                bool threads)
{
    return (struct prvcut_efficiency_asked){
        .stretch = p->stretch,
        .stretches = p->stretches,
        .only = { 0, j->trace->end_told ? j->trace->end_ns : UINT64_MAX },
        .starts = PRVCUT_EFFICIENCY_COMMON,
        .model = PRVCUT_REPLAY_DIMEMAS,
        .eager = PRVCUT_REPLAY_EAGER,
        .cap = PRVCUT_REPLAY_CAP,
        .threads = threads,
    };
}

static enum prvcut_status jef_read(struct prvcut_efficiency_found *f, struct job *j,
                                   const struct jef_plan *p, bool threads, struct prvcut_error *err)
{
    const struct prvcut_efficiency_asked asked = jef_asked(j, p, threads);
    struct api_phase comparing;

    api_phase_init(&comparing, job_view_run(j), PRVCUT_PHASE_COMPARING);
    return prvcut_efficiency_read(f, j->trace, &comparing.run, &asked, err);
}

/* --- Beside the proof ------------------------------------------------------------------------- */

struct job_factors {
    struct jef_plan plan;
    struct prvcut_efficiency_asked asked;
    struct prvcut_efficiency_found found;
    struct prvcut_efficiency_reading *reading;
};

void job_factors_free(struct job_factors *f)
{
    if (!f)
        return;
    prvcut_efficiency_reading_free(f->reading);
    prvcut_efficiency_found_fini(&f->found);
    jef_plan_fini(&f->plan);
    free(f);
}

enum prvcut_status job_factors_new(struct job *j, struct prvcut_error *err)
{
    struct job_factors *f = prvcut_zeroed(1, sizeof *f, "factors", err);
    enum prvcut_status st = f ? jef_plan_init(&f->plan, j, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK) {
        f->asked = jef_asked(j, &f->plan, false);
        st = prvcut_efficiency_reading_new(&f->reading, &f->found, j->trace, &f->asked, err);
    }
    if (st == PRVCUT_OK && prvcut_efficiency_reading_listener(f->reading)) {
        j->factors = f;
        return PRVCUT_OK;
    }
    job_factors_free(f);
    if (st != PRVCUT_ELIMIT)
        return st;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    return PRVCUT_OK;
}

const struct prvcut_listener *job_factors_listener(const struct job_factors *f)
{
    return f ? prvcut_efficiency_reading_listener(f->reading) : NULL;
}

/* Is what was heard of these stretches? */
static bool jef_heard(const struct job *j, const struct jef_plan *p)
{
    const struct jef_plan *h = j->factors ? &j->factors->plan : NULL;

    return h && h->stretches == p->stretches && h->cuts == p->cuts &&
           memcmp(h->cut, p->cut, p->cuts * sizeof *p->cut) == 0 &&
           memcmp(h->border, p->border,
                  2 * p->stretches * j->trace->objects.threads * sizeof *p->border) == 0;
}

/* What was heard moves to the caller. */
static enum prvcut_status jef_hear(struct prvcut_efficiency_found *out, struct job *j,
                                   struct prvcut_error *err)
{
    struct job_factors *f = j->factors;
    const enum prvcut_status st = prvcut_efficiency_reading_find(f->reading, j->run, true, err);

    prvcut_efficiency_reading_free(f->reading);
    f->reading = NULL;
    *out = f->found;
    f->found = (struct prvcut_efficiency_found){ .stretches = 0 };
    job_factors_free(f);
    j->factors = NULL;
    return st;
}

/* --- What they tell --------------------------------------------------------------------------- */

/* A task that repeats the loop of a region: factors are of its program. */
static uint32_t jef_task(const struct job *j, size_t region)
{
    const struct prvcut_known_loop *f;
    size_t leader;
    uint32_t thread;

    if (!j->known.of_region || region >= j->out->structure.is.regions ||
        j->known.of_region[region] >= j->known.count)
        return PRVCUT_NOBODY;
    f = &j->known.at[j->known.of_region[region]];
    leader = prvcut_known_loop_leader(f);
    thread = leader < f->calls.sequences ? f->sequence[leader].thread : PRVCUT_NOBODY;
    return thread < j->trace->objects.threads ? j->trace->objects.thread_task[thread]
                                              : PRVCUT_NOBODY;
}

static enum prvcut_status jef_add(struct job *j, struct prvcut_efficiency_read_of in,
                                  struct prvcut_error *err)
{
    char *called = NULL;
    enum prvcut_status st = prvcut_trace_called(&called, j->trace, err);

    in.name = called;
    if (st == PRVCUT_OK)
        st = prvcut_efficiency_runs_make(j->out->efficiency, &in, err);
    free(called);
    return st;
}

/* The run is what all stretches are together; others: than the program that repeats its loop. */
static enum prvcut_status jef_add_run(struct job *j, const struct prvcut_efficiency_found *f,
                                      bool others, struct prvcut_error *err)
{
    struct prvcut_efficiency_found all = *f;
    const struct prvcut_efficiency_read_of in = { .found = &all,
                                                  .common_borders = true,
                                                  .main = !others,
                                                  .others = others,
                                                  .task = jef_task(j, j->out->structure.is.main) };
    enum prvcut_status st = PRVCUT_ENOMEM;

    all.stretches = 1;
    all.sum = prvcut_zeroed((size_t)f->threads + 1, sizeof *all.sum, "threads", err);
    all.window = prvcut_zeroed((size_t)f->threads + 1, sizeof *all.window, "threads", err);
    if (all.sum && all.window) {
        for (uint32_t k = 0; k < f->threads; k++) {
            all.window[k] = (struct prvcut_span){ 0, f->end_ns };
            for (size_t i = 0; i < f->stretches; i++)
                prvcut_efficiency_sum_add(&all.sum[k], &f->sum[i * f->threads + k]);
        }
        st = jef_add(j, in, err);
    }
    free(all.sum);
    free(all.window);
    return st;
}

static enum prvcut_status jef_add_cuts(struct job *j, const struct prvcut_efficiency_found *f,
                                       const struct jef_plan *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->cuts && st == PRVCUT_OK; i++) {
        const size_t stretch = 2 * i + 1;
        struct prvcut_efficiency_found one = *f;

        one.stretches = 1;
        one.sum += stretch * f->threads;
        one.window += stretch * f->threads;
        one.clock += stretch * f->lanes;
        j->out->chop[p->cut[i]].efficiency = j->out->efficiency->is.runs;
        st = jef_add(j,
                     (struct prvcut_efficiency_read_of){
                         .found = &one,
                         .parts = true,
                         .main = true,
                         .task = jef_task(j, j->out->chop[p->cut[i]].is.region) },
                     err);
    }
    return st;
}

/* Where threads of a task call at the same time each has a clock of its own. */
static enum prvcut_status jef_replay(struct job *j, const struct jef_plan *p,
                                     struct prvcut_error *err)
{
    struct prvcut_efficiency_found f;
    enum prvcut_status st = jef_heard(j, p) ? jef_hear(&f, j, err) : jef_read(&f, j, p, false, err);

    if (st == PRVCUT_OK && f.overlap) {
        prvcut_efficiency_found_fini(&f);
        st = jef_read(&f, j, p, true, err);
    }
    if (st == PRVCUT_OK)
        st = jef_add_run(j, &f, false, err);
    if (st == PRVCUT_OK)
        st = jef_add_cuts(j, &f, p, err);
    j->out->efficiency_others = j->out->efficiency->is.runs;
    if (st == PRVCUT_OK)
        st = jef_add_run(j, &f, true, err);
    if (st == PRVCUT_OK)
        prvcut_efficiency_runs_alone(j->out->efficiency);
    prvcut_efficiency_found_fini(&f);
    return st;
}

enum prvcut_status job_efficiency(struct job *j, struct prvcut_error *err)
{
    struct jef_plan p = { .cuts = 0 };
    enum prvcut_status st;

    j->out->efficiency = prvcut_zeroed(1, sizeof *j->out->efficiency, "factors", err);
    if (!j->out->efficiency)
        return PRVCUT_ENOMEM;
    st = jef_plan_init(&p, j, err);
    if (st == PRVCUT_OK)
        st = prvcut_efficiency_runs_group(j->out->efficiency, NULL, err);
    if (st == PRVCUT_OK)
        st = job_view_fits(j, jef_replay(j, &p, err), err);
    jef_plan_fini(&p);
    if (st != PRVCUT_ELIMIT)
        return st;
    job_aside(j, "the efficiency is not told: %.200s", err->text);
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    prvcut_efficiency_runs_drop(j->out->efficiency, 0);
    for (size_t i = 0; i < j->out->is.chops; i++)
        j->out->chop[i].efficiency = 0;
    return PRVCUT_OK;
}
