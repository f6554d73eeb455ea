#include "api/job_why_order.h"

#include "api/efficiency_borders.h"
#include "api/phase.h"
#include "base/memory.h"

#include <stdlib.h>

/* The iterations as stretches of a replay: in the order of time, and each thread's own borders one
   behind the other. */
struct jwo_plan {
    size_t *pick;                  /* [picks] in that order; owned */
    struct prvcut_window *stretch; /* [picks]; owned */
    uint64_t *border;              /* [2 * threads * picks]: begins, then ends; owned */
};

static void jwo_plan_fini(struct jwo_plan *p)
{
    free(p->pick);
    free(p->stretch);
    free(p->border);
}

static void jwo_sort(struct jwo_plan *p, const struct job_why_spent *w)
{
    for (size_t i = 0; i < w->picks; i++) {
        size_t at = i;

        for (; at > 0 && w->pick[p->pick[at - 1]] > w->pick[i]; at--)
            p->pick[at] = p->pick[at - 1];
        p->pick[at] = i;
    }
}

/* What one thread does there is no part of what it did before. */
static void jwo_set_borders(struct jwo_plan *p, const struct job_why_spent *w, uint32_t thread)
{
    const size_t threads = w->found.threads;
    uint64_t before = 0;

    for (size_t i = 0; i < w->picks; i++) {
        uint64_t *border = p->border + 2 * threads * i;
        const struct prvcut_span own =
            prvcut_window_own(&w->stretch[w->picks + p->pick[i]].window, thread);

        border[thread] = own.start > before ? own.start : before;
        border[threads + thread] = own.end > border[thread] ? own.end : border[thread];
        before = border[threads + thread];
    }
}

static enum prvcut_status jwo_plan_init(struct jwo_plan *p, const struct job_why_spent *w,
                                        struct prvcut_error *err)
{
    const size_t threads = w->found.threads;

    p->pick = prvcut_zeroed(w->picks + 1, sizeof *p->pick, "iterations", err);
    p->stretch = prvcut_zeroed(w->picks + 1, sizeof *p->stretch, "iterations", err);
    p->border = prvcut_zeroed(2 * threads * w->picks + 1, sizeof *p->border, "iterations", err);
    if (!p->pick || !p->stretch || !p->border)
        return PRVCUT_ENOMEM;
    jwo_sort(p, w);
    for (uint32_t k = 0; k < threads; k++)
        jwo_set_borders(p, w, k);
    for (size_t i = 0; i < w->picks; i++) {
        uint64_t *border = p->border + 2 * threads * i;

        p->stretch[i] = (struct prvcut_window){ .from = border[0],
                                                .to = border[threads],
                                                .thread_from = border,
                                                .thread_to = border + threads };
    }
    return PRVCUT_OK;
}

static enum prvcut_status jwo_read(struct prvcut_efficiency_found *f, const struct job_why_spent *w,
                                   const struct jwo_plan *p, struct prvcut_efficiency_wait *wait,
                                   bool threads, struct prvcut_error *err)
{
    const struct prvcut_efficiency_asked asked = {
        .stretch = p->stretch,
        .stretches = w->picks,
        .only = { 0, api_efficiency_end(w->j->trace) },
        .starts = PRVCUT_EFFICIENCY_COMMON,
        .model = PRVCUT_REPLAY_DIMEMAS,
        .eager = PRVCUT_REPLAY_EAGER,
        .cap = PRVCUT_REPLAY_CAP,
        .threads = threads,
        .wait = wait,
    };
    struct api_phase comparing;

    api_phase_init(&comparing, w->j->run, PRVCUT_PHASE_COMPARING);
    return prvcut_efficiency_read(f, w->j->trace, &comparing.run, &asked, err);
}

/* Each iteration's own: the mean of how far the clocks went. */
static enum prvcut_status jwo_keep(struct job_why_order *o, const struct job_why_spent *w,
                                   const struct prvcut_efficiency_found *f,
                                   const struct jwo_plan *p,
                                   const struct prvcut_efficiency_wait *wait,
                                   struct prvcut_error *err)
{
    o->ideal = prvcut_zeroed(w->picks + 1, sizeof *o->ideal, "iterations", err);
    o->wait = prvcut_zeroed(w->picks + 1, sizeof *o->wait, "iterations", err);
    if (!o->ideal || !o->wait)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < w->picks; i++) {
        o->wait[p->pick[i]] = wait[i];
        for (uint32_t k = 0; k < f->lanes; k++) {
            const struct prvcut_span *c = &f->clock[i * f->lanes + k];

            o->ideal[p->pick[i]] += ((double)c->end - (double)c->start) / f->lanes;
        }
    }
    return PRVCUT_OK;
}

/* Where threads of a task call at the same time each has a clock of its own. */
static enum prvcut_status jwo_replay(struct job_why_order *o, const struct job_why_spent *w,
                                     const struct jwo_plan *p, struct prvcut_error *err)
{
    struct prvcut_efficiency_wait *wait =
        prvcut_zeroed(w->picks + 1, sizeof *wait, "iterations", err);
    struct prvcut_efficiency_found f = { .stretches = 0 };
    enum prvcut_status st = wait ? jwo_read(&f, w, p, wait, false, err) : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK && f.overlap) {
        prvcut_efficiency_found_fini(&f);
        memset(wait, 0, w->picks * sizeof *wait);
        o->threads = true;
        st = jwo_read(&f, w, p, wait, true, err);
    }
    if (st == PRVCUT_OK)
        o->reason = prvcut_efficiency_unreplayed(&f, f.any);
    if (st == PRVCUT_OK && !o->reason)
        st = jwo_keep(o, w, &f, p, wait, err);
    free(wait);
    prvcut_efficiency_found_fini(&f);
    return st;
}

enum prvcut_status job_why_order_find(struct job_why_order *o, const struct job_why_spent *w,
                                      struct prvcut_error *err)
{
    struct jwo_plan p = { .pick = NULL };
    enum prvcut_status st = jwo_plan_init(&p, w, err);

    if (st == PRVCUT_OK)
        st = jwo_replay(o, w, &p, err);
    jwo_plan_fini(&p);
    if (st != PRVCUT_ELIMIT)
        return st;
    *err = (struct prvcut_error){ .status = PRVCUT_OK };
    o->reason = "the run is too large to be replayed";
    return PRVCUT_OK;
}

void job_why_order_fini(struct job_why_order *o)
{
    free(o->ideal);
    free(o->wait);
    *o = (struct job_why_order){ .ideal = NULL };
}

uint32_t job_why_order_thread(const struct job_why_order *o, const struct job *j, uint32_t lane)
{
    return o->threads ? lane : j->trace->objects.task_first_thread[lane];
}
