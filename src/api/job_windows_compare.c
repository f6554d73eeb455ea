#include "api/job_windows_inner.h"

#include "base/memory.h"
#include "structure/stretch.h"

#include <stdlib.h>
#include <string.h>

/* How windows stand beside each other. */

/* Of fewer windows those at the ends of the loop are as good as the others. */
#define ENDS_BELOW (PRVCUT_WINDOWS_LEAST + 2)

void job_rivals_fini(struct job_rivals *g)
{
    free(g->first);
    free(g->step);
    prvcut_windows_fini(&g->windows);
    prvcut_windows_fini(&g->all);
    prvcut_column_fini(&g->loop);
}

struct job_rivals *job_rivals_of(const struct job_windows *w, size_t chop)
{
    struct job_rivals *g =
        w->of_chop && w->of_chop[chop] < w->groups ? &w->group[w->of_chop[chop]] : NULL;

    return g && g->windows.count > 0 ? g : NULL;
}

struct job_window job_units_of_cut(const struct job_windows *w, const struct job_rivals *g,
                                   const struct job_planned *p)
{
    const size_t row = p->place.steps > 0 ? w->row[g->row].fine : g->row;
    const size_t first = job_units_at(&w->row[row], p->lead_ns);
    const struct job_wanted any = { .iterations = job_place_borders(&p->place) };

    return (struct job_window){ row, first,
                                first != SIZE_MAX ? job_units_of(&w->row[row], first, &any) : 0 };
}

/* Units that follow each other. */
void job_units_column(struct job_windows *w, const struct job_units *r, struct prvcut_column *c,
                      size_t first, size_t units)
{
    for (size_t i = 0; i < units; i++)
        w->list[i] = r->slot + first + i;
    prvcut_column_set(c, &w->measure, w->list, units);
}

/* All that compete, as one. */
static enum prvcut_status jwi_set_loop(struct job_windows *w, struct job_rivals *g,
                                       struct prvcut_error *err)
{
    const struct job_units *r = &w->row[g->row];
    size_t count = 0;
    enum prvcut_status st = prvcut_column_init(&g->loop, &w->measure, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < r->units; i++)
        if ((!g->some_clear || r->unit[i].clear) &&
            (g->wanted.kind == 0 || g->of_all || r->unit[i].kind == g->wanted.kind)) {
            w->list[count++] = r->slot + i;
            g->iterations += r->unit[i].iterations;
        }
    prvcut_column_set(&g->loop, &w->measure, w->list, count);
    return PRVCUT_OK;
}

/* How many units a window has that begins inside one; 0: it is none, or not measured. */
static size_t jwi_inner(const struct job_units *r, size_t first, const struct job_wanted *wanted)
{
    const struct job_wanted more = { wanted->iterations + 1, wanted->kind, wanted->clear };

    return r->inner && job_units_of(r, first, &more) > 0 ? job_units_of(r, first, wanted) : 0;
}

/* At some places, which are none that a cut could begin at. */
static enum prvcut_status jwi_compare_places(struct job_windows *w, struct job_rivals *g,
                                             double *at, struct prvcut_error *err)
{
    const struct job_units *r = &w->row[g->row];
    const size_t count = g->windows.count;

    for (size_t n = 0; n < JOB_PHASES * count; n++) {
        const size_t i = n % count, slot = r->inner_slot + n / count * r->units;
        const size_t units = jwi_inner(r, g->first[i], &g->wanted);

        if (units == 0)
            continue;
        for (size_t k = 0; k < units; k++)
            w->list[k] = slot + g->first[i] + k;
        prvcut_column_set(&w->column, &w->measure, w->list, units);
        prvcut_windows_values(&g->all, at, &w->measure, &w->column, &g->loop);
        at += PRVCUT_WINDOW_QUANTITIES;
    }
    return prvcut_windows_settle(&g->all, err);
}

/* At the steps that all iterations make. */
static enum prvcut_status jwi_compare_steps(struct job_windows *w, struct job_rivals *g,
                                            struct prvcut_error *err)
{
    const struct job_units *r = &w->row[w->row[g->row].fine];
    const struct job_wanted wanted = { g->wanted.iterations * r->steps, 0, true };

    for (size_t n = g->windows.count; n < g->all.count; n++) {
        const struct job_window at = job_rivals_window(w, g, n);

        job_units_column(w, r, &w->column, at.first, at.units);
        prvcut_windows_values(&g->all, g->all.at + n * PRVCUT_WINDOW_QUANTITIES, &w->measure,
                              &w->column, &g->loop);
        g->all.beside[n] = g->some_clear && !job_units_are_clear(r, at.first, wanted);
    }
    return prvcut_windows_settle(&g->all, err);
}

/* The steps that a window may begin with, but for those that begin an iteration. */
static enum prvcut_status jwi_list_steps(struct job_windows *w, struct job_rivals *g, size_t *inner,
                                         struct prvcut_error *err)
{
    const struct job_units *r = &w->row[w->row[g->row].fine];
    const struct job_wanted wanted = { g->wanted.iterations * r->steps, 0, g->wanted.clear };
    size_t count;
    enum prvcut_status st = job_units_list(r, &wanted, &g->step, &count, err);

    *inner = 0;
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        if (r->unit[g->step[i]].phase != 0)
            g->step[(*inner)++] = g->step[i];
    return st;
}

/* Which windows hold the first or the last iteration of all, where there are others. */
static void jwi_set_ends(struct job_rivals *g, const struct job_units *r)
{
    const size_t count = g->windows.count;

    for (size_t i = 0; !r->thin && count >= ENDS_BELOW && i < count; i++)
        g->all.end[i] =
            g->first[i] == 0 || g->first[i] + job_units_of(r, g->first[i], &g->wanted) == r->units;
}

/* The same, and beside these the ones that begin inside an iteration. */
static enum prvcut_status jwi_compare_inner(struct job_windows *w, struct job_rivals *g,
                                            struct prvcut_error *err)
{
    const struct job_units *r = &w->row[g->row];
    const size_t count = g->windows.count;
    const bool steps = r->fine > 0 && !g->of_all;
    size_t inner = 0;
    enum prvcut_status st = steps ? jwi_list_steps(w, g, &inner, err) : PRVCUT_OK;

    for (size_t i = 0; i < count && !steps; i++)
        inner += jwi_inner(r, g->first[i], &g->wanted) > 0 ? JOB_PHASES : 0;
    if (st == PRVCUT_OK)
        st = prvcut_windows_init(&g->all, &w->measure, &g->loop, count, inner, err);
    if (st < 0)
        return st;
    memcpy(g->all.at, g->windows.at, count * PRVCUT_WINDOW_QUANTITIES * sizeof *g->all.at);
    memcpy(g->all.beside, g->windows.beside, count * sizeof *g->all.beside);
    jwi_set_ends(g, r);
    return steps ? jwi_compare_steps(w, g, err)
                 : jwi_compare_places(w, g, g->all.at + count * PRVCUT_WINDOW_QUANTITIES, err);
}

/* All of g->wanted, beside each other. */
static enum prvcut_status jwi_compare(struct job_windows *w, struct job_rivals *g,
                                      struct prvcut_error *err)
{
    const struct job_units *r = &w->row[g->row];
    size_t count;
    enum prvcut_status st = job_units_list(r, &g->wanted, &g->first, &count, err);

    if (st < 0 || count == 0)
        return st;
    for (size_t i = 0; i < count; i++)
        g->some_clear = g->some_clear || job_units_are_clear(r, g->first[i], g->wanted);
    st = jwi_set_loop(w, g, err);
    if (st == PRVCUT_OK)
        st = prvcut_windows_init(&g->windows, &w->measure, &g->loop, count, 0, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        job_units_column(w, r, &w->column, g->first[i], job_units_of(r, g->first[i], &g->wanted));
        prvcut_windows_values(&g->windows, g->windows.at + i * PRVCUT_WINDOW_QUANTITIES,
                              &w->measure, &w->column, &g->loop);
        g->windows.beside[i] = g->some_clear && !job_units_are_clear(r, g->first[i], g->wanted);
    }
    if (st == PRVCUT_OK)
        st = prvcut_windows_settle(&g->windows, err);
    return st == PRVCUT_OK ? jwi_compare_inner(w, g, err) : st;
}

/* Is there one, of those that may be chosen, that stands for all? */
static bool jwi_has_typical(const struct job_rivals *g)
{
    const size_t nearest = prvcut_windows_nearest(&g->all, g->windows.count);

    return prvcut_windows_judge(&g->all, g->all.at + nearest * PRVCUT_WINDOW_QUANTITIES).verdict ==
           PRVCUT_CHOP_IS_TYPICAL;
}

/* All windows say what is usual. Where masks hide most of them and no clear one is as usual as
   that, or most iterations, too, the clear ones say it alone: one of these stands for them, if not
   for the loop. */
enum prvcut_status job_rivals_compare(struct job_windows *w, struct job_rivals *g,
                                      struct prvcut_error *err)
{
    const struct job_units *r = &w->row[g->row];
    const struct job_wanted one = { .iterations = 1, .kind = g->wanted.kind };
    enum prvcut_status st;

    g->wanted.clear = r->clear_alone;
    st = jwi_compare(w, g, err);
    if (st < 0 || !job_units_few_clear(r, g->wanted) ||
        (jwi_has_typical(g) && !job_units_few_clear(r, one)))
        return st;
    job_rivals_fini(g);
    *g = (struct job_rivals){ .row = g->row, .wanted = g->wanted, .of_all = g->of_all };
    g->wanted.clear = true;
    return jwi_compare(w, g, err);
}

/* --- Taken in place of what was planned
 * ----------------------------------------------------------- */

/* A cut is of the region that its first iteration lies in. */
static size_t jwi_region_at(const struct job *j, const struct job_units *r, uint64_t time)
{
    const struct made_structure *s = &j->out->structure;

    for (size_t i = 0; i < s->is.regions; i++) {
        const struct prvcut_region *p = &s->region[i].is;

        if (prvcut_regions_share_loop(&s->region[i], &s->region[r->region]) &&
            p->span.start <= time && time < p->span.end)
            return i;
    }
    return r->region;
}

enum prvcut_status job_units_take(struct job *j, const struct job_units *r, size_t first,
                                  unsigned iterations, struct job_planned *p,
                                  struct prvcut_error *err)
{
    const uint64_t *border = r->unit[first].border;
    const struct prvcut_span span = { border[0],
                                      border[r->steps > 0 ? iterations * r->steps : iterations] };
    const size_t region = r->of_loop ? jwi_region_at(j, r, span.start) : p->region;

    p->place.steps = r->steps;
    return r->steps > 0 ? job_plan_retake_in(j, p, r->loop, region, span, err)
                        : job_plan_retake(j, p, region, span, err);
}

struct job_window job_rivals_window(const struct job_windows *w, const struct job_rivals *g,
                                    size_t window)
{
    const bool inside = window >= g->windows.count;
    const size_t row = inside ? w->row[g->row].fine : g->row;
    const size_t first = inside ? g->step[window - g->windows.count] : g->first[window];
    struct job_wanted wanted = g->wanted;

    wanted.iterations *= inside ? w->row[row].steps : 1;
    return (struct job_window){ row, first, job_units_of(&w->row[row], first, &wanted) };
}

enum prvcut_status job_rivals_take(struct job *j, const struct job_rivals *g, size_t window,
                                   struct job_planned *p, struct prvcut_error *err)
{
    const struct job_window at = job_rivals_window(j->windows, g, window);
    const enum prvcut_status st =
        job_units_take(j, &j->windows->row[at.row], at.first, g->wanted.iterations, p, err);

    if (st == PRVCUT_OK)
        p->place.choice.why =
            g->some_clear ? PRVCUT_CHOP_WHY_NEAREST : PRVCUT_CHOP_WHY_NEAREST_OF_ALL;
    return st;
}
