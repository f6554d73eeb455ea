#include "api/job_windows_inner.h"

#include "base/memory.h"

#include <stdlib.h>

/*
 * What is told of a cut is told of what is cut, to the record: a thread whose border is moved by a
 * few calls, to where no message crosses it, keeps others than those that were measured.
 */

/* --- What was not measured as it is cut ------------------------------------------------------- */

/* Cuts of a plan. */
struct jwj_cuts {
    struct prvcut_proof_region *stretch; /* [count]; owned */
    size_t *of;                          /* [count] places in the plan; owned */
    uint64_t *bound;                     /* [count][2 * threads]; owned */
    size_t count;
    uint64_t before; /* ns of an iteration, the longest */
};

/* Is any border of a thread that does something else where than the one that was measured? */
static bool jwj_is_moved(const struct job_windows *w, const struct job_rivals *g,
                         const struct job_window *at, const struct prvcut_window *cut)
{
    const struct prvcut_proof_region *first = &w->stretch[w->row[at->row].slot + at->first];
    const struct prvcut_proof_region *last = first + at->units - 1;

    for (uint32_t i = 0; i < w->measure.threads; i++) {
        const struct prvcut_span own = prvcut_window_own(cut, i);

        if (prvcut_column_has(&g->loop, i) &&
            (own.start != prvcut_window_own(&first->window, i).start ||
             own.end != prvcut_window_own(&last->window, i).end))
            return true;
    }
    return false;
}

static enum prvcut_status jwj_add(struct jwj_cuts *c, struct job *j, const struct job_plan *plan,
                                  size_t cut, struct prvcut_error *err)
{
    const struct job_planned *p = &plan->at[cut];
    const struct job_windows *w = j->windows;
    const struct job_rivals *g = job_rivals_of(w, cut);
    const struct job_window at =
        g && !w->kept[cut].known ? job_units_of_cut(w, g, p) : (struct job_window){ 0, 0, 0 };
    struct prvcut_window *window = &c->stretch[c->count].window;
    uint64_t harm, each;
    enum prvcut_status st;

    if (at.units == 0)
        return PRVCUT_OK;
    st = job_windows_lay(window, j, &p->place,
                         c->bound + 2 * (size_t)j->trace->objects.threads * c->count, &harm, err);
    job_keep_laid(j, st == PRVCUT_OK ? &p->place : NULL);
    if (st < 0 || !jwj_is_moved(w, g, &at, window))
        return st;
    each = (window->to - window->from) / (p->place.iterations > 0 ? p->place.iterations : 1);
    c->before = each > c->before ? each : c->before;
    c->of[c->count++] = cut;
    return PRVCUT_OK;
}

static enum prvcut_status jwj_measure(const struct jwj_cuts *c, struct job *j,
                                      struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    struct prvcut_measure m = { .threads = 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (c->count > 0)
        st = job_windows_read(&m, j, c->stretch, c->count, c->before, err);
    for (size_t i = 0; i < c->count && st == PRVCUT_OK; i++)
        st = job_windows_set_kept(w, job_rivals_of(w, c->of[i]), &w->kept[c->of[i]], &m, i, err);
    prvcut_measure_fini(&m);
    return st;
}

enum prvcut_status job_windows_measure_cuts(struct job *j, const struct job_plan *plan,
                                            struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads;
    struct jwj_cuts c = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (!job_windows_are_soon_read(j) || threads > PRVCUT_PROOF_DETAIL / (plan->count + 1))
        return PRVCUT_OK;
    c.stretch = prvcut_zeroed(plan->count + 1, sizeof *c.stretch, "cuts", err);
    c.of = prvcut_zeroed(plan->count + 1, sizeof *c.of, "cuts", err);
    c.bound = prvcut_zeroed(2 * threads * plan->count + 1, sizeof *c.bound, "cuts", err);
    if (!c.stretch || !c.of || !c.bound)
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++)
        st = jwj_add(&c, j, plan, i, err);
    if (st == PRVCUT_OK)
        st = jwj_measure(&c, j, err);
    free(c.stretch);
    free(c.of);
    free(c.bound);
    return st;
}

/* --- Judge ------------------------------------------------------------------------------------ */

static enum prvcut_status jwi_tell(struct prvcut_chop *c, const struct prvcut_judged *judged,
                                   const struct job_windows *w, struct prvcut_error *err)
{
    char name[256];

    c->verdict = judged->verdict;
    if (!judged->worst)
        return PRVCUT_OK;
    c->worst = judged->worst->quantity;
    c->value = judged->value;
    c->usual = judged->worst->median;
    c->percentile = judged->percentile;
    if (c->worst != PRVCUT_QUANTITY_CALL)
        return PRVCUT_OK;
    c->worst_call = prvcut_copied_text(
        prvcut_measure_key_text(name, sizeof name, &w->measure, judged->worst->key), "names", err);
    return c->worst_call ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* A cut that is told beside the undisturbed windows alone stands for undisturbed iterations. */
static void jwi_set_clear(struct made_chop *c, const struct job_windows *w,
                          const struct job_rivals *g)
{
    const struct job_clear clear = job_units_clear(&w->row[g->row]);

    c->of_clear = g->wanted.clear;
    c->clear = clear.iterations;
    if (!c->of_clear || c->is.of_kind > 0 || c->is.weight == 0)
        return;
    c->is.weight = clear.iterations;
    c->is.share *= clear.part;
}

/* Beside all that compete; *known: false where it is none of what was measured. */
static enum prvcut_status jwi_judge(struct job *j, size_t chop, const struct job_planned *p,
                                    bool *known, struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    struct made_chop *c = &j->out->chop[chop];
    struct job_rivals *g = job_rivals_of(w, chop);
    const bool inside = p->place.steps > 0;
    const struct job_kept *kept = &w->kept[chop];
    const struct job_window at = g ? job_units_of_cut(w, g, p) : (struct job_window){ 0, 0, 0 };
    const struct prvcut_column *column = kept->column.sum ? &kept->column : &w->column;
    double value[PRVCUT_WINDOW_QUANTITIES];
    struct prvcut_judged judged;
    enum prvcut_status st;

    *known = at.units > 0;
    if (!*known)
        return PRVCUT_OK;
    job_units_column(w, &w->row[at.row], &w->column, at.first, at.units);
    prvcut_windows_values(&g->windows, value, &w->measure, &w->column, &g->loop);
    judged = prvcut_windows_judge(&g->all, kept->known ? kept->value : value);
    if (judged.verdict == PRVCUT_CHOP_IS_TYPICAL && g->wanted.kind == 0 &&
        job_windows_is_between(w, j, g->row, p))
        judged.verdict = PRVCUT_CHOP_IS_ORDINARY;
    jwi_set_clear(c, w, g);
    c->callers = g->all.callers;
    c->beside_kind = g->of_all ? g->wanted.kind : 0;
    c->usual_ns = g->all.usual[PRVCUT_QUANTITY_LENGTH].median;
    c->is.windows = inside ? g->all.count : g->windows.whole;
    st = jwi_tell(&c->is, &judged, w, err);
    if (st < 0 || c->proof.is.verdict)
        return st;
    return prvcut_proof_compare(&c->proof, &w->measure,
                                (const struct prvcut_column *const[]){ &g->loop, column },
                                (const double[]){ g->iterations, c->is.iterations }, err);
}

enum prvcut_status job_windows_judge(struct job *j, const struct job_plan *plan, bool *all,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    *all = j->windows && j->windows->stretches > 0;
    for (size_t i = 0; *all && i < plan->count && st == PRVCUT_OK; i++)
        st = jwi_judge(j, i, &plan->at[i], all, err);
    return st;
}

/* --- Better ----------------------------------------------------------------------------------- */

enum prvcut_status job_windows_try(struct job *j, size_t chop, unsigned iterations,
                                   enum prvcut_chop_verdict *verdict, struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    const struct job_rivals *of = w ? job_rivals_of(w, chop) : NULL;
    struct job_rivals g = { .wanted = { iterations, of ? of->wanted.kind : 0, true } };
    enum prvcut_status st;

    *verdict = PRVCUT_CHOP_UNASKED;
    if (!of)
        return PRVCUT_OK;
    g.row = of->row;
    g.of_all = of->of_all;
    st = job_rivals_compare(w, &g, err);
    if (st == PRVCUT_OK && g.windows.count > 0)
        *verdict = prvcut_windows_judge(&g.all,
                                        g.all.at + prvcut_windows_nearest(&g.all, g.windows.count) *
                                                       PRVCUT_WINDOW_QUANTITIES)
                       .verdict;
    job_rivals_fini(&g);
    return st;
}
