#include "analysis/waits/waits.h"

#include "analysis/waits/waits_causes.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIND_MEMORY ((size_t)16 << 20)

enum prvcut_status wts_sorter(const struct wts_finder *f, struct prvcut_sorter **out, size_t size,
                              int (*compare)(const void *, const void *), struct prvcut_error *err)
{
    const struct prvcut_sorter_options o = { .size = size,
                                             .compare = compare,
                                             .memory = FIND_MEMORY,
                                             .feeds = 1,
                                             .stop = f->run->stop,
                                             .stop_ctx = f->run->ctx };

    return prvcut_sorter_new(out, &o, err);
}

static enum prvcut_status wai_start(struct wts_finder *f, struct prvcut_error *err)
{
    const size_t tasks = (size_t)f->out->objects->tasks + 1;
    enum prvcut_status st = f->trace->reader->describe(f->trace, &f->names, err);

    f->nodes = (struct prvcut_table)PRVCUT_TABLE_SET(struct prvcut_waits_node, "call paths");
    f->many = (struct prvcut_table)PRVCUT_TABLE(struct wts_many, ns, "sends under way");
    f->init = prvcut_zeroed(tasks, sizeof *f->init, "tasks", err);
    f->finalize = prvcut_zeroed(tasks, sizeof *f->finalize, "tasks", err);
    f->span = prvcut_zeroed((size_t)f->out->threads + 1, sizeof *f->span, "threads", err);
    f->omp_counts = prvcut_zeroed(((size_t)f->out->threads + 1) * WTS_OMP_COUNTED,
                                  sizeof *f->omp_counts, "threads", err);
    if (!f->init || !f->finalize || !f->span || !f->omp_counts)
        return PRVCUT_ENOMEM;
    f->out->part = prvcut_zeroed(f->asked->stretches * f->out->metrics + 1, sizeof *f->out->part,
                                 "stretches", err);
    f->out->sum = prvcut_zeroed(f->out->metrics, sizeof *f->out->sum, "metrics", err);
    if (!f->out->part || !f->out->sum)
        return PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = wts_sorter(f, &f->booking, sizeof(struct wts_booking), wts_booking_compare, err);
    if (st == PRVCUT_OK)
        st = wts_sorter(f, &f->skeleton, sizeof(struct wts_skeleton), wts_skeleton_compare, err);
    return st == PRVCUT_OK ? wts_sorter(f, &f->omp, sizeof(struct wts_omp), wts_omp_compare, err)
                           : st;
}

static void wai_end(struct wts_finder *f)
{
    prvcut_dictionary_fini(&f->names);
    prvcut_table_fini(&f->kinds);
    prvcut_table_fini(&f->nodes);
    prvcut_table_fini(&f->many);
    prvcut_sorter_free(f->booking);
    prvcut_sorter_free(f->skeleton);
    prvcut_sorter_free(f->omp);
    free(f->init);
    free(f->finalize);
    free(f->span);
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
    enum prvcut_status st = wcs_settle(f->causes, err);

    if (st == PRVCUT_OK)
        st = wts_critical(f, err);
    return st == PRVCUT_OK ? wts_delays(f, err) : st;
}

enum prvcut_status prvcut_waits_find(struct prvcut_waits_found *o, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_waits_asked *asked,
                                     struct prvcut_error *err)
{
    struct wts_finder *f = prvcut_zeroed(1, sizeof *f, "wait states", err);
    enum prvcut_status st = PRVCUT_OK;

    *o = (struct prvcut_waits_found){ .objects = &t->objects, .threads = t->objects.threads };
    if (!f)
        return PRVCUT_ENOMEM;
    f->out = o;
    f->trace = t;
    f->run = run;
    f->asked = asked;
    o->metrics = PRVCUT_WAITS + (asked->patterns ? asked->patterns->metrics : 0);
    if (asked->causes) {
        f->causes = wts_causes_new(f, err);
        st = f->causes ? PRVCUT_OK : PRVCUT_ENOMEM;
    }
    if (st == PRVCUT_OK)
        st = wai_start(f, err);
    if (st == PRVCUT_OK)
        st = wts_walk(f, err);
    if (st == PRVCUT_OK)
        st = wai_reach(f, err);
    o->offset = t->clocks.skewed;
    o->doubt = t->clocks.skewed ? t->clocks.doubt : 0;
    o->end_ns = f->last > t->end_ns ? f->last : t->end_ns;
    if (st == PRVCUT_OK)
        st = wts_balance(f, err);
    if (st == PRVCUT_OK && f->causes)
        st = wai_causes(f, err);
    if (st == PRVCUT_OK)
        wts_explain(f);
    wai_end(f);
    return st;
}

void prvcut_waits_found_fini(struct prvcut_waits_found *f)
{
    free(f->node);
    free(f->cell);
    free(f->sum);
    free(f->part);
    free(f->delayed);
    free(f->on_path);
    memset(f, 0, sizeof *f);
}
