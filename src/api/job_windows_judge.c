#include "api/job_windows_inner.h"

#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"

#include <math.h>
#include <stddef.h>

/* --- Judge ------------------------------------------------------------------------------------ */

/* The unit that a cut begins with; SIZE_MAX: none does. */
static size_t jwi_unit_at(const struct job_units *r, uint64_t time)
{
    for (size_t i = 0; i < r->units; i++) {
        const uint64_t *b = r->unit[i].border;
        const uint64_t half = r->steps > 0 ? 1 : (b[1] - b[0]) / 2;

        if (time + half >= b[0] && time < b[0] + half)
            return i;
    }
    return SIZE_MAX;
}

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
    const struct job_units *r = g ? &w->row[inside ? w->row[g->row].fine : g->row] : NULL;
    const size_t first = r ? jwi_unit_at(r, p->lead_ns) : SIZE_MAX;
    const struct job_wanted any = { .iterations = job_place_borders(&p->place) };
    const size_t units = first != SIZE_MAX ? job_units_of(r, first, &any) : 0;
    double value[PRVCUT_WINDOW_QUANTITIES];
    struct prvcut_judged judged;
    enum prvcut_status st;

    *known = units > 0;
    if (!*known)
        return PRVCUT_OK;
    job_units_column(w, r, &w->column, first, units);
    prvcut_windows_values(&g->windows, value, &w->measure, &w->column, &g->loop);
    judged = prvcut_windows_judge(&g->all, w->kept[chop].known ? w->kept[chop].value : value);
    jwi_set_clear(c, w, g);
    c->callers = g->all.callers;
    c->usual_ns = g->all.usual[PRVCUT_QUANTITY_LENGTH].median;
    c->is.windows = inside ? g->all.count : g->windows.whole;
    st = jwi_tell(&c->is, &judged, w, err);
    if (st < 0 || c->proof.is.verdict)
        return st;
    return prvcut_proof_compare(&c->proof, &w->measure,
                                (const struct prvcut_column *const[]){ &g->loop, &w->column },
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
    st = job_rivals_compare(w, &g, err);
    if (st == PRVCUT_OK && g.windows.count > 0)
        *verdict = prvcut_windows_judge(&g.all,
                                        g.all.at + prvcut_windows_nearest(&g.all, g.windows.count) *
                                                       PRVCUT_WINDOW_QUANTITIES)
                       .verdict;
    job_rivals_fini(&g);
    return st;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The slot of the iteration that begins there; SIZE_MAX: it is none of what was measured. */
static size_t jwi_slot_at(const struct job_windows *w, uint64_t start)
{
    for (size_t i = 0; i < w->rows; i++) {
        const struct job_units *r = &w->row[i];
        const size_t at = prvcut_index_u64(r->unit, r->units, sizeof *r->unit,
                                           offsetof(struct job_unit, start), start);

        if (at < r->units && !r->thin && r->steps == 0)
            return r->slot + at;
    }
    return SIZE_MAX;
}

double job_windows_calls(const struct job *j, uint64_t start, double *room)
{
    const struct job_windows *w = j->windows;
    const size_t slot = w && w->measure.found.thread ? jwi_slot_at(w, start) : SIZE_MAX;
    const struct prvcut_proof_thread *t =
        slot != SIZE_MAX ? &w->measure.found.thread[slot * w->measure.threads] : NULL;
    size_t count = 0;

    for (uint32_t i = 0; t && i < w->measure.threads; i++)
        if (t[i].calls > 1)
            room[count++] = (double)(t[i].calls / 2);
    return count > 0 ? prvcut_median(room, count) : NAN;
}
