#include "structure/divide_groups.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A bound of what is told. Groups beside the first. */
#define GROUPS_MOST 8
/* Threads that make up one. */
#define THREADS_LEAST 2

/** Whose calls are looked at. */
struct dgr_groups {
    struct prvcut_divide_input in; /* its from and to are none and to */
    const struct prvcut_run *run;
    bool *taken;  /* [sequences] followers of a loop that was found; owned */
    size_t *none; /* [sequences] of zeros; owned */
    size_t *to;   /* [sequences] all calls of those that are looked at; owned */
};

static enum prvcut_status dgr_init(struct dgr_groups *g, const struct prvcut_divide_input *in,
                                   const struct prvcut_run *run, struct prvcut_error *err)
{
    const size_t n = in->where.sequences + 1;

    *g = (struct dgr_groups){ .in = *in, .run = run };
    g->taken = prvcut_zeroed(n, sizeof *g->taken, "sequences", err);
    g->none = prvcut_zeroed(n, sizeof *g->none, "sequences", err);
    g->to = prvcut_zeroed(n, sizeof *g->to, "sequences", err);
    g->in.where.from = g->none;
    g->in.where.to = g->to;
    return g->taken && g->none && g->to ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void dgr_fini(struct dgr_groups *g)
{
    free(g->taken);
    free(g->none);
    free(g->to);
}

/* Look at the calls of a loop's followers only. */
static void dgr_follow(struct dgr_groups *g, const struct prvcut_call_loop *l)
{
    const struct prvcut_search_input *in = &g->in.where;

    for (size_t i = 0; i < in->sequences; i++) {
        const bool follows = i < l->sequences && l->borders[i] > 0;

        g->taken[i] = g->taken[i] || follows;
        g->to[i] = follows ? in->sequence[i].count : 0;
    }
}

/* Look at those that are in no group yet; how many there are. */
static size_t dgr_leave(struct dgr_groups *g)
{
    const struct prvcut_search_input *in = &g->in.where;
    size_t count = 0;

    for (size_t i = 0; i < in->sequences; i++) {
        g->to[i] = g->taken[i] ? 0 : in->sequence[i].count;
        count += g->to[i] > 0;
    }
    return count;
}

/* The periodic pieces of a group move behind those that are there. */
static enum prvcut_status dgr_append(struct prvcut_division *out, struct prvcut_division *d,
                                     unsigned group, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&out->region, &out->room, out->regions + d->regions,
                    sizeof *out->region, err) < 0 ||
        prvcut_grow((void **)&out->loop, &out->loop_room, out->regions + d->regions,
                    sizeof *out->loop, err) < 0 ||
        prvcut_grow((void **)&out->stretch, &out->stretch_room, out->stretches + d->stretches,
                    sizeof *out->stretch, err) < 0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < d->regions; i++) {
        if (d->region[i].is.kind != PRVCUT_REGION_PERIODIC)
            continue;
        out->loop[out->regions] = d->loop[i];
        out->region[out->regions] = d->region[i];
        out->region[out->regions++].is.group = group;
        d->region[i] = (struct made_region){ .is.kind = PRVCUT_REGION_PERIODIC };
    }
    for (size_t i = 0; i < d->stretches; i++) {
        out->stretch[out->stretches++] = d->stretch[i];
        d->stretch[i].border = NULL;
    }
    return PRVCUT_OK;
}

static enum prvcut_status dgr_divide(struct dgr_groups *g, struct prvcut_division *out,
                                     struct prvcut_known_loops *known, struct prvcut_search *found,
                                     unsigned group, struct prvcut_error *err)
{
    struct prvcut_division d;
    enum prvcut_status st;

    dgr_follow(g, &found->calls);
    st = prvcut_divide(&d, known, &g->in, found, g->run, err);
    if (st == PRVCUT_OK)
        st = dgr_append(out, &d, group, err);
    prvcut_division_fini(&d);
    return st;
}

/* One more group among the threads that are left, if there is one. */
static enum prvcut_status dgr_find(struct dgr_groups *g, struct prvcut_division *out,
                                   struct prvcut_known_loops *known, unsigned group, bool *is,
                                   struct prvcut_error *err)
{
    struct prvcut_search found;
    enum prvcut_status st = prvcut_search_find(&found, &g->in.where, g->run, err);

    *is = false;
    if (st == PRVCUT_OK && found.by_calls)
        st = prvcut_search_is_group(is, &found.calls, err);
    if (st == PRVCUT_OK && *is) {
        prvcut_search_group_sure(&found);
        st = dgr_divide(g, out, known, &found, group, err);
    }
    prvcut_search_fini(&found);
    return st;
}

/* All threads that make calls were asked for each of the loops. */
static void dgr_examined(struct prvcut_division *out, struct prvcut_known_loops *known,
                         size_t loops, const struct prvcut_search_input *in)
{
    uint32_t asked = 0;

    for (size_t i = 0; i < in->sequences; i++)
        asked += in->sequence[i].count > 0;
    for (size_t i = loops; i < known->count; i++)
        known->at[i].examined = asked;
    for (size_t i = 0; i < out->regions; i++)
        if (out->loop[i] != SIZE_MAX)
            out->region[i].is.examined = asked;
}

enum prvcut_status prvcut_divide_groups(struct prvcut_division *out,
                                        struct prvcut_known_loops *known,
                                        const struct prvcut_divide_input *in,
                                        struct prvcut_search *first, const struct prvcut_run *run,
                                        struct prvcut_error *err)
{
    const size_t loops = known->count;
    struct dgr_groups g;
    bool more = true;
    enum prvcut_status st;

    if (!first->by_calls || !first->groups)
        return prvcut_divide(out, known, in, first, run, err);
    memset(out, 0, sizeof *out);
    st = dgr_init(&g, in, run, err);
    if (st == PRVCUT_OK) {
        dgr_follow(&g, &first->calls);
        st = prvcut_divide(out, known, &g.in, first, run, err);
    }
    /* Signals are those of all threads, and a given period is no group's own. */
    g.in.where.metrics = 0;
    g.in.where.period_ns = 0;
    for (unsigned group = 1; st == PRVCUT_OK && more && group <= GROUPS_MOST; group++) {
        more = dgr_leave(&g) >= THREADS_LEAST;
        if (more)
            st = dgr_find(&g, out, known, group, &more, err);
    }
    dgr_examined(out, known, loops, &in->where);
    dgr_fini(&g);
    return st;
}
