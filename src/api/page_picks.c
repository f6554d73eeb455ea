#include "api/page_picks.h"

#include "api/job_kinds.h"
#include "api/job_rows.h"
#include "api/job_why_pick.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

void page_picks_fini(struct page_picks *w)
{
    for (size_t i = 0; i < w->count; i++) {
        prvcut_timeline_fini(&w->at[i].timeline);
        free(w->at[i].thread);
    }
    free(w->kind);
    *w = (struct page_picks){ .count = 0 };
}

/* --- Which ones ------------------------------------------------------------------------------- */

/* Its iterations and their kinds are those of the loop that was found over all of the run. */
static bool ppk_is_main(const struct job *j)
{
    const struct made_structure *s = &j->out->structure;

    return j->kinds && j->kinds->count > 0 && j->out->is.periodic && s->is.main < s->is.regions &&
           prvcut_regions_share_loop(&s->region[s->is.main], &s->region[j->kinds->region]);
}

/* Is that iteration of the loop in the cut? */
static bool ppk_holds(const struct job *j, const struct prvcut_chop *c, size_t iteration)
{
    const struct made_region *r = j->out->structure.region;
    const uint64_t n = job_why_number(j, iteration);

    return c->iteration > 0 && c->iteration <= n && n - c->iteration < c->iterations &&
           prvcut_regions_share_loop(&r[c->region], &r[j->kinds->region]);
}

/* Cuts whose timelines the page has. */
static size_t ppk_drawn(const struct job *j)
{
    return j->out->is.chops < PAGE_TIMELINES ? j->out->is.chops : PAGE_TIMELINES;
}

static bool ppk_is_cut_alone(const struct job *j, size_t iteration)
{
    for (size_t i = 0; i < ppk_drawn(j); i++)
        if (j->out->chop[i].is.iterations == 1 && ppk_holds(j, &j->out->chop[i].is, iteration))
            return true;
    return false;
}

/* A typical cut, of that kind's iterations alone. */
static bool ppk_has_cut_of(const struct job *j, unsigned kind)
{
    for (size_t c = 0; c < ppk_drawn(j); c++) {
        size_t of = 0, others = 0;

        for (size_t i = 0; i < j->kinds->count; i++)
            if (ppk_holds(j, &j->out->chop[c].is, i)) {
                of += j->kinds->label[i] == kind;
                others += j->kinds->label[i] != kind;
            }
        if (of > 0 && others == 0 && j->out->chop[c].is.kind == PRVCUT_CHOP_TYPICAL)
            return true;
    }
    return false;
}

/* The one of that kind whose length is nearest to the median; of those that nothing disturbs, if
   there are any. */
static size_t ppk_usual(const struct job_kinds *k, unsigned kind)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < k->count; i++) {
        const double off = fabs(k->length[i] - k->kind[kind].median_ns);

        if (k->label[i] != kind)
            continue;
        if (best == SIZE_MAX || (k->clear[i] && !k->clear[best]) ||
            (k->clear[i] == k->clear[best] &&
             off < fabs(k->length[best] - k->kind[kind].median_ns)))
            best = i;
    }
    return best;
}

static size_t ppk_slowest(const struct job_kinds *k, bool clear)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < k->count; i++)
        if ((!clear || k->clear[i]) && (best == SIZE_MAX || k->length[i] > k->length[best]))
            best = i;
    return best;
}

/* at: [PAGE_PICKS_MOST] indices in j->kinds; how many */
static size_t ppk_choose(size_t *at, const struct job *j)
{
    const struct job_kinds *k = j->kinds;
    const size_t slow[] = { ppk_slowest(k, false), ppk_slowest(k, true) };
    size_t count = 0;

    for (unsigned i = 0; i < k->kinds; i++) {
        const size_t usual = ppk_usual(k, i);

        if (usual != SIZE_MAX && !ppk_has_cut_of(j, i) && !ppk_is_cut_alone(j, usual))
            at[count++] = usual;
    }
    for (size_t i = 0; i < 2; i++) {
        bool has = slow[i] == SIZE_MAX || ppk_is_cut_alone(j, slow[i]);

        for (size_t n = 0; n < count && !has; n++)
            has = at[n] == slow[i];
        if (!has)
            at[count++] = slow[i];
    }
    return count;
}

/* --- What threads did in them ----------------------------------------------------------------- */

static enum prvcut_status ppk_own(struct prvcut_page_pick *p, const struct prvcut_window *window,
                                  uint32_t threads, struct prvcut_error *err)
{
    if (!window->thread_from)
        return PRVCUT_OK;
    p->thread = prvcut_unset((size_t)threads + 1, sizeof *p->thread, "borders", err);
    if (!p->thread)
        return PRVCUT_ENOMEM;
    p->threads = threads;
    for (uint32_t i = 0; i < threads; i++)
        p->thread[i] = prvcut_window_own(window, i);
    return PRVCUT_OK;
}

/* A drawing is of all that lies between the first thread's begin and the last one's end. */
static void ppk_widen(struct prvcut_window *w, uint32_t threads)
{
    for (uint32_t i = 0; w->thread_from && i < threads; i++) {
        const struct prvcut_span own = prvcut_window_own(w, i);

        w->from = own.start < w->from ? own.start : w->from;
        w->to = own.end > w->to ? own.end : w->to;
    }
}

/* Each thread has its own borders of it, as far as they are known. */
static enum prvcut_status ppk_draw(struct prvcut_page_pick *p, const struct job *j, size_t at,
                                   const struct prvcut_run *run,
                                   const struct prvcut_timeline_room *room,
                                   struct prvcut_error *err)
{
    static const size_t none[2] = { 0 };
    const uint32_t threads = j->trace->objects.threads;
    const struct job_row row = job_row_between(j, j->kinds->border[at], 2, j->kinds->region);
    uint64_t *bound = prvcut_unset(2 * (size_t)threads + 1, sizeof *bound, "borders", err);
    enum prvcut_status st = bound ? PRVCUT_OK : PRVCUT_ENOMEM;

    if (st == PRVCUT_OK) {
        struct prvcut_window window = job_row_window(j, &row, none, bound);

        ppk_widen(&window, threads);
        st = prvcut_timeline_read(&p->timeline, j->trace, run, &window, room, err);
        if (st == PRVCUT_OK)
            st = ppk_own(p, &window, threads, err);
    }
    free(bound);
    return st;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Iterations in a row that are of one kind are one. */
static enum prvcut_status ppk_kinds(struct page_picks *w, const struct job *j,
                                    struct prvcut_error *err)
{
    const struct job_kinds *k = j->kinds;

    if (k->kinds < 2)
        return PRVCUT_OK;
    w->kind = prvcut_unset(k->count, sizeof *w->kind, "kinds of iterations", err);
    if (!w->kind)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < k->count; i++) {
        struct prvcut_page_kind *last = w->kinds > 0 ? &w->kind[w->kinds - 1] : NULL;
        const uint64_t n = job_why_number(j, i);

        if (last && last->kind == k->label[i] + 1 && last->last + 1 == n)
            last->last = n;
        else
            w->kind[w->kinds++] = (struct prvcut_page_kind){ n, n, k->label[i] + 1 };
    }
    return PRVCUT_OK;
}

enum prvcut_status page_picks_read(struct page_picks *w, const struct job *j,
                                   const struct prvcut_run *run,
                                   const struct prvcut_timeline_room *room,
                                   struct prvcut_error *err)
{
    size_t at[PAGE_PICKS_MOST], count;
    enum prvcut_status st;

    if (!ppk_is_main(j))
        return PRVCUT_OK;
    st = ppk_kinds(w, j, err);
    count = ppk_choose(at, j);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        struct prvcut_page_pick *p = &w->at[w->count++];

        p->iteration = job_why_number(j, at[i]);
        p->kind = j->kinds->kinds > 1 ? j->kinds->label[at[i]] + 1 : 0;
        p->usual = at[i] == ppk_usual(j->kinds, j->kinds->label[at[i]]);
        p->disturbed = !j->kinds->clear[at[i]];
        p->slowest = at[i] == ppk_slowest(j->kinds, false) || at[i] == ppk_slowest(j->kinds, true);
        st = ppk_draw(p, j, at[i], run, room, err);
    }
    return st;
}
