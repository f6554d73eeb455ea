#include "api/job_windows.h"

#include "api/job_rows.h"
#include "api/phase.h"

#include "analysis/windows.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"
#include "dsp/order.h"
#include "structure/stretch.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Stretches that are measured at once: 24 bytes a thread, 16 a kind of record, for each worker. */
#define UNITS_MOST 2048
/* Where there are more iterations, so many windows spread evenly tell as much (found on 132
   traces; with 32, two in three of the typical ones are missed). */
#define SPREAD 64

/* An iteration, or a window of several, that is measured by itself. */
struct unit {
    uint64_t start;         /* ns, border[0] */
    const uint64_t *border; /* [iterations + 1], on the thread that leads */
    unsigned iterations;
    bool clear;   /* nothing disturbs any thread */
    bool follows; /* the one before it ends where it begins */
};

/* The iterations of a loop, or of one region of it. */
struct row {
    size_t region;
    bool of_loop;
    struct unit *unit; /* [units]; owned */
    size_t units, room;
    size_t slot; /* of the first unit in the measure */
};

/* What competes for a cut, or for several that hold as many iterations. */
struct group {
    size_t row;
    unsigned wanted; /* iterations */
    unsigned of;     /* units a window has */
    bool disturbed;  /* no window is clear: all compete */
    size_t *first;   /* [windows.count] the unit that each window begins with; owned */
    struct prvcut_windows windows;
    struct prvcut_column loop; /* all that compete */
    double iterations;         /* in loop */
};

struct job_windows {
    struct prvcut_measure measure;
    struct prvcut_column column;         /* room for one window */
    struct prvcut_proof_region *stretch; /* [stretches]; owned */
    uint64_t *bound;                     /* of all stretches; owned */
    size_t stretches;
    size_t *list; /* slots of a column; owned */
    struct row *row;
    size_t rows, row_room;
    struct group *group;
    size_t groups, group_room;
    size_t *of_chop; /* [plan.count] group of each; SIZE_MAX: none; owned */
};

static void jwi_group_fini(struct group *g)
{
    free(g->first);
    prvcut_windows_fini(&g->windows);
    prvcut_column_fini(&g->loop);
}

void job_windows_free(struct job_windows *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->rows; i++)
        free(w->row[i].unit);
    for (size_t i = 0; i < w->groups; i++)
        jwi_group_fini(&w->group[i]);
    free(w->row);
    free(w->group);
    prvcut_measure_fini(&w->measure);
    prvcut_column_fini(&w->column);
    free(w->stretch);
    free(w->bound);
    free(w->list);
    free(w->of_chop);
    free(w);
}

/* --- Which windows compete -------------------------------------------------------------------- */

static enum prvcut_status jwi_add(struct row *r, const struct job *j, const uint64_t *border,
                                  size_t borders, struct prvcut_error *err)
{
    for (size_t k = 0; k + 1 < borders; k++) {
        const struct prvcut_span lead = { border[k], border[k + 1] };

        if (prvcut_grow((void **)&r->unit, &r->room, r->units + 1, sizeof *r->unit, err) < 0)
            return PRVCUT_ENOMEM;
        r->unit[r->units++] =
            (struct unit){ border[k], border + k, 1, !job_row_is_touched(j, &lead), k > 0 };
    }
    return PRVCUT_OK;
}

static enum prvcut_status jwi_list(struct row *r, const struct job *j, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const struct made_region *of = &s->region[r->region];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; r->of_loop && i < s->is.stretches && st == PRVCUT_OK; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], of))
            st = jwi_add(r, j, s->stretch[i].border, s->stretch[i].borders, err);
    if (st == PRVCUT_OK && r->units == 0)
        st = jwi_add(r, j, of->is.border, of->is.borders, err);
    return st;
}

/* Do so many units from there on follow each other? */
static bool jwi_is_window(const struct row *r, size_t first, unsigned units, bool clear)
{
    if (units > r->units - first)
        return false;
    for (size_t i = first; i < first + units; i++)
        if ((i > first && !r->unit[i].follows) || (clear && !r->unit[i].clear))
            return false;
    return true;
}

/* Windows of so many units; out: NULL to count only. */
static size_t jwi_windows(const struct row *r, unsigned units, bool clear, size_t *out)
{
    size_t count = 0;

    for (size_t i = 0; i < r->units; i++)
        if (jwi_is_window(r, i, units, clear)) {
            if (out)
                out[count] = i;
            count++;
        }
    return count;
}

/* Windows in place of iterations: as many as can be measured, spread evenly. */
static enum prvcut_status jwi_thin(struct row *r, unsigned wanted, struct prvcut_error *err)
{
    const bool clear = jwi_windows(r, wanted, true, NULL) > 0;
    const size_t count = jwi_windows(r, wanted, clear, NULL);
    size_t *first = prvcut_unset(count + 1, sizeof *first, "windows", err);

    if (!first)
        return PRVCUT_ENOMEM;
    jwi_windows(r, wanted, clear, first);
    r->units = 0;
    for (size_t i = 0; i < SPREAD && i < count; i++) {
        const size_t at = count > SPREAD ? i * (count - 1) / (SPREAD - 1) : i;

        /* In place: none is read after it is written, for the i-th is the i-th or a later one. */
        r->unit[r->units++] = (struct unit){ r->unit[first[at]].start, r->unit[first[at]].border,
                                             wanted, clear, false };
    }
    free(first);
    return PRVCUT_OK;
}

/* What it competes in: the loop, or its region. */
static enum prvcut_status jwi_row_of(size_t *out, struct job_windows *w, const struct job *j,
                                     const struct job_planned *p, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const bool of_loop = p->of_loop || p->widest;

    for (*out = 0; *out < w->rows; (*out)++) {
        const struct row *r = &w->row[*out];

        if (r->of_loop == of_loop &&
            (of_loop ? prvcut_regions_share_loop(&s->region[r->region], &s->region[p->region])
                     : r->region == p->region))
            return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&w->row, &w->row_room, w->rows + 1, sizeof *w->row, err) < 0)
        return PRVCUT_ENOMEM;
    w->row[w->rows++] = (struct row){ .region = p->region, .of_loop = of_loop };
    return jwi_list(&w->row[*out], j, err);
}

static enum prvcut_status jwi_group_of(size_t *out, struct job_windows *w, const struct job *j,
                                       const struct job_planned *p, struct prvcut_error *err)
{
    size_t row;
    enum prvcut_status st;

    *out = SIZE_MAX;
    if (!p->outlier && job_wants_whole(j))
        return PRVCUT_OK;
    st = jwi_row_of(&row, w, j, p, err);
    if (st < 0)
        return st;
    for (*out = 0; *out < w->groups; (*out)++)
        if (w->group[*out].row == row && w->group[*out].wanted == p->place.iterations)
            return PRVCUT_OK;
    if (prvcut_grow((void **)&w->group, &w->group_room, w->groups + 1, sizeof *w->group, err) < 0)
        return PRVCUT_ENOMEM;
    w->group[w->groups++] = (struct group){ .row = row, .wanted = p->place.iterations };
    return PRVCUT_OK;
}

static size_t jwi_units(const struct job_windows *w)
{
    size_t units = 0;

    for (size_t i = 0; i < w->rows; i++)
        units += w->row[i].units;
    return units;
}

/* What the cuts of a plan compete in, with no more units than can be measured. */
static enum prvcut_status jwi_list_all(struct job_windows *w, const struct job *j,
                                       const struct job_plan *plan, struct prvcut_error *err)
{
    const size_t most = PRVCUT_PROOF_DETAIL / ((size_t)j->trace->objects.threads + 1);
    enum prvcut_status st = PRVCUT_OK;

    w->of_chop = prvcut_zeroed(plan->count + 1, sizeof *w->of_chop, "cuts", err);
    if (!w->of_chop)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++)
        st = jwi_group_of(&w->of_chop[i], w, j, &plan->at[i], err);
    if (jwi_units(w) <= UNITS_MOST && jwi_units(w) <= most)
        return st;
    for (size_t i = w->groups; i-- > 0 && st == PRVCUT_OK;)
        if (w->row[w->group[i].row].units > SPREAD)
            st = jwi_thin(&w->row[w->group[i].row], w->group[i].wanted, err);
    return st;
}

/* --- Measure ---------------------------------------------------------------------------------- */

/* Each unit on all threads; with what disturbs these it is not clear. */
static void jwi_lay(struct job_windows *w, const struct job *j, struct row *r)
{
    static const size_t all[2] = { 0, 0 };
    const uint32_t threads = j->trace->objects.threads;

    r->slot = w->stretches;
    for (size_t i = 0; i < r->units; i++) {
        struct unit *u = &r->unit[i];
        const struct job_row row =
            job_row_between(j, u->border, u->iterations + (size_t)1, r->region);
        struct prvcut_proof_region *to = &w->stretch[w->stretches];

        to->window = job_row_window(
            j, &row, all, w->bound ? w->bound + 2 * (size_t)threads * w->stretches : NULL);
        w->stretches++;
        for (uint32_t k = 0; u->clear && to->window.thread_from && k < threads; k++) {
            const struct prvcut_span own = prvcut_window_own(&to->window, k);

            u->clear = !job_row_is_touched(j, &own);
        }
    }
}

static enum prvcut_status jwi_measure(struct job_windows *w, struct job *j,
                                      struct prvcut_error *err)
{
    const size_t units = jwi_units(w), threads = j->trace->objects.threads;
    struct api_phase choosing;
    enum prvcut_status st;

    w->stretch = prvcut_zeroed(units + 1, sizeof *w->stretch, "windows", err);
    w->list = prvcut_unset(units + 1, sizeof *w->list, "windows", err);
    if (!w->stretch || !w->list)
        return PRVCUT_ENOMEM;
    if (threads <= PRVCUT_PROOF_DETAIL / (units + 1)) {
        w->bound = prvcut_zeroed(2 * threads * units + 1, sizeof *w->bound, "windows", err);
        if (!w->bound)
            return PRVCUT_ENOMEM;
    }
    for (size_t i = 0; i < w->rows; i++)
        jwi_lay(w, j, &w->row[i]);
    api_phase_init(&choosing, j->run, PRVCUT_PHASE_CHOOSING);
    st = prvcut_measure_make(&w->measure, j->trace, &choosing.run, w->stretch, w->stretches, NULL,
                             err);
    return st == PRVCUT_OK ? prvcut_column_init(&w->column, &w->measure, err) : st;
}

/* --- Compare ---------------------------------------------------------------------------------- */

/* Units that follow each other. */
static void jwi_set(struct job_windows *w, const struct row *r, struct prvcut_column *c,
                    size_t first, size_t units)
{
    for (size_t i = 0; i < units; i++)
        w->list[i] = r->slot + first + i;
    prvcut_column_set(c, &w->measure, w->list, units);
}

/* All that compete, as one. */
static enum prvcut_status jwi_set_loop(struct job_windows *w, struct group *g,
                                       struct prvcut_error *err)
{
    const struct row *r = &w->row[g->row];
    size_t count = 0;
    enum prvcut_status st = prvcut_column_init(&g->loop, &w->measure, err);

    if (st < 0)
        return st;
    for (size_t i = 0; i < r->units; i++)
        if (g->disturbed || r->unit[i].clear) {
            w->list[count++] = r->slot + i;
            g->iterations += r->unit[i].iterations;
        }
    prvcut_column_set(&g->loop, &w->measure, w->list, count);
    return PRVCUT_OK;
}

/* The windows of a group: units[0] says whether a unit is one of them. */
static enum prvcut_status jwi_list_windows(const struct row *r, struct group *g, size_t *count,
                                           struct prvcut_error *err)
{
    *count = 0;
    g->of = r->units > 0 && r->unit[0].iterations == g->wanted ? 1 : g->wanted;
    if (r->units == 0 || r->unit[0].iterations * g->of != g->wanted)
        return PRVCUT_OK;
    *count = jwi_windows(r, g->of, true, NULL);
    g->disturbed = *count == 0;
    if (g->disturbed)
        *count = jwi_windows(r, g->of, false, NULL);
    g->first = prvcut_unset(*count + 1, sizeof *g->first, "windows", err);
    if (!g->first)
        return PRVCUT_ENOMEM;
    jwi_windows(r, g->of, !g->disturbed, g->first);
    return PRVCUT_OK;
}

static enum prvcut_status jwi_compare(struct job_windows *w, struct group *g,
                                      struct prvcut_error *err)
{
    const struct row *r = &w->row[g->row];
    size_t count;
    enum prvcut_status st = jwi_list_windows(r, g, &count, err);

    if (st < 0 || count == 0)
        return st;
    st = jwi_set_loop(w, g, err);
    if (st == PRVCUT_OK)
        st = prvcut_windows_init(&g->windows, &w->measure, &g->loop, count, err);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        jwi_set(w, r, &w->column, g->first[i], g->of);
        prvcut_windows_values(&g->windows, g->windows.at + i * PRVCUT_WINDOW_QUANTITIES,
                              &w->measure, &w->column, &g->loop);
    }
    return st == PRVCUT_OK ? prvcut_windows_settle(&g->windows, err) : st;
}

/* --- Choose ----------------------------------------------------------------------------------- */

/* A cut is of the region that its first iteration lies in. */
static size_t jwi_region_at(const struct job *j, const struct row *r, uint64_t time)
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

static enum prvcut_status jwi_take(struct job *j, const struct group *g, struct job_planned *p,
                                   struct prvcut_error *err)
{
    const struct row *r = &j->windows->row[g->row];
    const size_t window = prvcut_windows_nearest(&g->windows);
    const uint64_t *border = r->unit[g->first[window]].border;
    const struct prvcut_span span = { border[0], border[g->wanted] };
    enum prvcut_status st =
        job_plan_retake(j, p, r->of_loop ? jwi_region_at(j, r, span.start) : p->region, span, err);

    if (st == PRVCUT_OK)
        p->place.choice.why =
            g->disturbed ? PRVCUT_CHOP_WHY_NEAREST_OF_ALL : PRVCUT_CHOP_WHY_NEAREST;
    return st;
}

/* Those of a planned cut; NULL: it competes with none. */
static struct group *jwi_group(const struct job_windows *w, size_t chop)
{
    struct group *g = w->of_chop[chop] < w->groups ? &w->group[w->of_chop[chop]] : NULL;

    return g && g->windows.count > 0 ? g : NULL;
}

enum prvcut_status job_windows_choose(struct job *j, struct job_plan *plan,
                                      struct prvcut_error *err)
{
    struct job_windows *w;
    enum prvcut_status st;

    if (!job_proves(j))
        return PRVCUT_OK;
    j->windows = w = prvcut_zeroed(1, sizeof *w, "windows", err);
    if (!w)
        return PRVCUT_ENOMEM;
    st = jwi_list_all(w, j, plan, err);
    if (st < 0 || jwi_units(w) == 0)
        return st;
    st = jwi_measure(w, j, err);
    for (size_t i = 0; i < w->groups && st == PRVCUT_OK; i++)
        st = jwi_compare(w, &w->group[i], err);
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        const struct group *g = jwi_group(w, i);

        if (g && !plan->at[i].outlier && plan->at[i].tag.kind == REPORT_TAG_CHOP)
            st = jwi_take(j, g, &plan->at[i], err);
    }
    return st;
}

/* --- Judge ------------------------------------------------------------------------------------ */

/* The unit that a cut begins with; SIZE_MAX: none does. */
static size_t jwi_unit_at(const struct row *r, uint64_t time)
{
    for (size_t i = 0; i < r->units; i++) {
        const uint64_t *b = r->unit[i].border;
        const uint64_t half = (b[1] - b[0]) / 2;

        if (time + half >= b[0] && time < b[0] + half)
            return i;
    }
    return SIZE_MAX;
}

static enum prvcut_status jwi_tell(struct prvcut_chop *c, const struct prvcut_judged *judged,
                                   const struct job_windows *w, const struct group *g,
                                   struct prvcut_error *err)
{
    char name[256];

    c->verdict = judged->verdict;
    c->windows = g->windows.count;
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

/* Beside all that compete; *known: false where it is none of what was measured. */
static enum prvcut_status jwi_judge(struct job *j, size_t chop, const struct job_planned *p,
                                    bool *known, struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    struct made_chop *c = &j->out->chop[chop];
    struct group *g = jwi_group(w, chop);
    const size_t first = g ? jwi_unit_at(&w->row[g->row], p->lead_ns) : SIZE_MAX;
    double value[PRVCUT_WINDOW_QUANTITIES];
    struct prvcut_judged judged;
    enum prvcut_status st;

    *known = first != SIZE_MAX && jwi_is_window(&w->row[g->row], first, g->of, false);
    if (!*known)
        return PRVCUT_OK;
    jwi_set(w, &w->row[g->row], &w->column, first, g->of);
    prvcut_windows_values(&g->windows, value, &w->measure, &w->column, &g->loop);
    judged = prvcut_windows_judge(&g->windows, value);
    st = jwi_tell(&c->is, &judged, w, g, err);
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
    const struct group *of = w ? jwi_group(w, chop) : NULL;
    struct group g = { .wanted = iterations };
    enum prvcut_status st;

    *verdict = PRVCUT_CHOP_UNASKED;
    if (!of)
        return PRVCUT_OK;
    g.row = of->row;
    st = jwi_compare(w, &g, err);
    if (st == PRVCUT_OK && g.windows.count > 0)
        *verdict =
            prvcut_windows_judge(&g.windows, g.windows.at + prvcut_windows_nearest(&g.windows) *
                                                                PRVCUT_WINDOW_QUANTITIES)
                .verdict;
    jwi_group_fini(&g);
    return st;
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The slot of the iteration that begins there; SIZE_MAX: it is none of what was measured. */
static size_t jwi_slot_at(const struct job_windows *w, uint64_t start)
{
    for (size_t i = 0; i < w->rows; i++) {
        const struct row *r = &w->row[i];
        const size_t at = prvcut_index_u64(r->unit, r->units, sizeof *r->unit,
                                           offsetof(struct unit, start), start);

        if (at < r->units && r->unit[at].iterations == 1)
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
