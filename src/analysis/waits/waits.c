#include "analysis/waits/waits.h"

#include "analysis/waits/waits_causes.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint32_t wai_booking_thread(const void *record)
{
    return ((const struct wts_booking *)record)->thread;
}

static uint32_t wai_skeleton_thread(const void *record)
{
    return ((const struct wts_skeleton *)record)->thread;
}

static enum prvcut_status wai_start(struct wts_finder *f, struct prvcut_error *err)
{
    const size_t tasks = (size_t)f->out->objects->tasks + 1;
    enum prvcut_status st = f->trace->reader->describe(f->trace, &f->names, err);

    f->nodes = (struct prvcut_table)PRVCUT_TABLE_SET(struct prvcut_waits_node, "call paths");
    wts_channels_start(f);
    f->init = prvcut_zeroed(tasks, sizeof *f->init, "tasks", err);
    f->finalize = prvcut_zeroed(tasks, sizeof *f->finalize, "tasks", err);
    f->span = prvcut_zeroed((size_t)f->out->threads + 1, sizeof *f->span, "threads", err);
    f->traced = prvcut_zeroed((size_t)f->out->threads + 1, sizeof *f->traced, "threads", err);
    f->omp_counts = prvcut_zeroed(((size_t)f->out->threads + 1) * WTS_OMP_COUNTED,
                                  sizeof *f->omp_counts, "threads", err);
    f->each = prvcut_zeroed((size_t)f->out->threads + 1, sizeof *f->each, "threads", err);
    if (!f->init || !f->finalize || !f->span || !f->traced || !f->omp_counts || !f->each)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < f->out->threads; i++)
        f->each[i].many = (struct prvcut_table)PRVCUT_TABLE(struct wts_many, ns, "sends under way");
    f->out->part = prvcut_zeroed(f->asked->stretches * f->out->metrics + 1, sizeof *f->out->part,
                                 "stretches", err);
    f->out->sum = prvcut_zeroed(f->out->metrics, sizeof *f->out->sum, "metrics", err);
    if (f->asked->marks)
        f->out->mark =
            prvcut_zeroed((size_t)f->out->threads + 1, sizeof *f->out->mark, "threads", err);
    if (!f->out->part || !f->out->sum || (f->asked->marks && !f->out->mark))
        return PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = wts_sorter_by(f, &f->booking, sizeof(struct wts_booking), wts_booking_compare,
                           wai_booking_thread, err);
    if (st == PRVCUT_OK)
        st = wts_sorter_by(f, &f->skeleton, sizeof(struct wts_skeleton), wts_skeleton_compare,
                           wai_skeleton_thread, err);
    if (st == PRVCUT_OK)
        st = wts_sorter(f, &f->omp, sizeof(struct wts_omp), wts_omp_compare, err);
    if (st == PRVCUT_OK && f->asked->each)
        st = wts_sorter(f, &f->out->each, sizeof(struct prvcut_waits_long), wts_long_compare, err);
    return st == PRVCUT_OK ? wts_locks_start(f, err) : st;
}

static void wai_end(struct wts_finder *f)
{
    if (!f)
        return;
    prvcut_drift_notes_free(f->clocks);
    prvcut_dictionary_fini(&f->names);
    prvcut_table_fini(&f->kinds);
    prvcut_table_fini(&f->nodes);
    prvcut_table_fini(&f->channels);
    for (uint32_t i = 0; f->each && i < f->out->threads; i++) {
        free(f->each[i].late);
        prvcut_table_fini(&f->each[i].many);
    }
    free(f->each);
    free(f->first);
    prvcut_sorter_free(f->booking);
    prvcut_sorter_free(f->skeleton);
    prvcut_sorter_free(f->omp);
    wts_locks_end(f);
    free(f->init);
    free(f->finalize);
    free(f->span);
    free(f->traced);
    free(f->omp_counts);
    free(f->member);
    free(f->chosen);
    free(f->own_member);
    free(f->own_at);
    wts_causes_free(f->causes);
    free(f);
}

/* Do all ranks begin with Init and end with Finalize? Else the path begins and ends with threads.
 */
static bool wai_framed(const struct wts_finder *f)
{
    for (uint32_t i = 0; i < f->out->objects->tasks; i++)
        if (!f->init[i].is || !f->finalize[i].is)
            return false;
    return true;
}

/* Idle threads, and causes without Init, need to be known from where threads begin; what can be
   read only once does not tell it. */
static enum prvcut_status wai_reach(struct wts_finder *f, struct prvcut_error *err)
{
    if (!f->omp_noted && (!f->causes || wai_framed(f)))
        return PRVCUT_OK;
    f->seen.unreached = f->trace->once;
    return f->trace->once ? PRVCUT_OK : wts_reach(f, err);
}

static enum prvcut_status wai_causes(struct wts_finder *f, struct prvcut_error *err)
{
    enum prvcut_status st = wcs_settle(f->causes, f->between, err);

    if (st == PRVCUT_OK)
        st = wts_delays(f, err);
    return st == PRVCUT_OK ? wts_critical(f, err) : st;
}

static bool wai_may_bend(const struct prvcut_waits_found *o, const struct prvcut_trace *t,
                         const struct prvcut_waits_asked *asked)
{
    return !asked->constant && !t->raw_clocks && o->objects->tasks > 1 && t->end_ns > 0;
}

/* Read all of it: drift: times are bent by that; NULL: as they are; between: without sorting, if
   that can be. */
static enum prvcut_status wai_read(struct wts_finder **out, struct prvcut_waits_found *o,
                                   struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_waits_asked *asked,
                                   const struct prvcut_drift *drift, bool between,
                                   struct prvcut_error *err)
{
    struct wts_finder *f = *out = prvcut_zeroed(1, sizeof *f, "wait states", err);
    enum prvcut_status st = PRVCUT_OK;

    if (!f)
        return PRVCUT_ENOMEM;
    f->out = o;
    f->trace = t;
    f->run = run;
    f->asked = asked;
    f->drift = drift;
    f->between = between;
    o->metrics = PRVCUT_WAITS + (asked->patterns ? asked->patterns->metrics : 0);
    if (asked->causes) {
        f->causes = wts_causes_new(f, err);
        st = f->causes ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (st == PRVCUT_OK && !drift && !between && wai_may_bend(o, t, asked))
        st = prvcut_drift_notes_new(&f->clocks, o->objects->tasks, t->end_ns, err);
    if (st == PRVCUT_OK)
        st = wai_start(f, err);
    return st == PRVCUT_OK ? wts_walk(f, err) : st;
}

/* Once more, if clocks contradict each other and can be bent. */
static enum prvcut_status wai_read_bent(struct wts_finder **f, const struct prvcut_drift *drift,
                                        struct prvcut_error *err)
{
    struct prvcut_waits_found *o = (*f)->out, before = *o;
    const uint64_t violations = o->order.violations_before, worst = o->order.worst_before;
    struct prvcut_trace *t = (*f)->trace;
    const struct prvcut_run *run = (*f)->run;
    const struct prvcut_waits_asked *asked = (*f)->asked;
    enum prvcut_status st;

    wai_end(*f);
    *f = NULL;
    prvcut_waits_found_fini(&before);
    *o = (struct prvcut_waits_found){ .objects = &t->objects, .threads = t->objects.threads };
    st = wai_read(f, o, t, run, asked, drift, false, err);
    o->order.violations_before = violations;
    o->order.worst_before = worst;
    return st;
}

/* All that is read is added up. */
static enum prvcut_status wai_add_up(struct wts_finder *f, struct prvcut_error *err)
{
    struct prvcut_waits_found *o = f->out;
    const struct prvcut_trace *t = f->trace;
    enum prvcut_status st = wai_reach(f, err);

    o->offset = t->clocks.skewed;
    o->constant = t->clocks.skewed ? t->clocks.offset : NULL;
    o->doubt = t->clocks.skewed ? t->clocks.doubt : 0;
    o->doubt = f->drift ? f->drift->doubt : o->doubt;
    o->end_ns = f->last > t->end_ns ? f->last : t->end_ns;
    if (st == PRVCUT_OK)
        st = wts_balance(f, err);
    if (st == PRVCUT_OK)
        st = wts_unsought(f, err);
    if (st == PRVCUT_OK && f->causes)
        st = wai_causes(f, err);
    if (st == PRVCUT_OK)
        wts_explain(f);
    wts_unbend(f);
    return st;
}

/* What counts from the order in which threads tell something is not told in between each other: a
   program's own patterns. Causes would have to be told twice where clocks contradict each other:
   only where that saves the sorting. */
static bool wai_between(const struct prvcut_trace *t, const struct prvcut_waits_asked *asked)
{
    return !asked->patterns && !t->once && !(asked->causes && t->reader->halves);
}

/* All of it; between: PRVCUT_NONE: it is to be done without. */
static enum prvcut_status wai_find(struct prvcut_waits_found *o, struct prvcut_trace *t,
                                   const struct prvcut_run *run,
                                   const struct prvcut_waits_asked *asked, bool between,
                                   struct prvcut_error *err)
{
    struct wts_finder *f;
    struct prvcut_drift drift = { .knots = 0 };
    enum prvcut_status st;

    *o = (struct prvcut_waits_found){ .objects = &t->objects, .threads = t->objects.threads };
    st = wai_read(&f, o, t, run, asked, NULL, between, err);
    if (st == PRVCUT_OK && between && o->order.violations > o->order.matching &&
        wai_may_bend(o, t, asked))
        st = PRVCUT_NONE;
    if (st == PRVCUT_OK)
        st = wts_bend(f, &drift, err);
    if (st == PRVCUT_OK && drift.knots > 0)
        st = wai_read_bent(&f, &drift, err);
    if (st == PRVCUT_OK)
        st = wai_add_up(f, err);
    wai_end(f);
    o->drift = drift;
    return st;
}

enum prvcut_status prvcut_waits_find(struct prvcut_waits_found *o, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_waits_asked *asked,
                                     struct prvcut_error *err)
{
    const bool between = wai_between(t, asked);
    enum prvcut_status st = wai_find(o, t, run, asked, between, err);

    if (!between || st != PRVCUT_NONE)
        return st;
    prvcut_waits_found_fini(o);
    return wai_find(o, t, run, asked, false, err);
}

void prvcut_waits_found_fini(struct prvcut_waits_found *f)
{
    free(f->node);
    free(f->cell);
    free(f->sum);
    free(f->part);
    free(f->delayed);
    free(f->on_path);
    free(f->uneven);
    prvcut_waits_marks_free(f->mark, f->threads);
    prvcut_sorter_free(f->each);
    prvcut_drift_fini(&f->drift);
    memset(f, 0, sizeof *f);
}
