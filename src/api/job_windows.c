#include "api/job_windows_inner.h"

#include "api/index.h"
#include "api/job_kinds.h"
#include "api/job_rows.h"
#include "api/phase.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "structure/stretch.h"

#include <stdlib.h>
#include <string.h>

/* Stretches that are measured at once: 24 bytes a thread, 16 a kind of record, for each worker. */
#define UNITS_MOST 2048
/* Where there are more iterations, so many windows spread evenly tell as much (found on 132
   traces; with 32, two in three of the typical ones are missed). */
#define SPREAD 64
/* What is usual is not known so exactly that a window beyond this distance from it is typical for
   sure (1: as far as what is still usual): two ways of measuring differ by up to a tenth. */
#define SURELY 0.9

void job_windows_free(struct job_windows *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->rows; i++)
        free(w->row[i].unit);
    for (size_t i = 0; i < w->groups; i++)
        job_rivals_fini(&w->group[i]);
    free(w->row);
    free(w->group);
    prvcut_measure_fini(&w->measure);
    prvcut_column_fini(&w->column);
    free(w->stretch);
    free(w->bound);
    free(w->apart);
    free(w->laid);
    job_parts_fini(&w->part);
    free(w->list);
    free(w->of_chop);
    for (size_t i = 0; w->kept && i < w->cuts; i++)
        prvcut_column_fini(&w->kept[i].column);
    free(w->kept);
    free(w);
}

/* --- Which windows compete -------------------------------------------------------------------- */

static enum prvcut_status jwi_add(struct job_units *r, const struct job *j, const uint64_t *border,
                                  size_t borders, struct prvcut_error *err)
{
    for (size_t k = 0; k + 1 < borders; k++) {
        const struct prvcut_span lead = { border[k], border[k + 1] };

        if (prvcut_grow((void **)&r->unit, &r->room, r->units + 1, sizeof *r->unit, err) < 0)
            return PRVCUT_ENOMEM;
        r->unit[r->units++] = (struct job_unit){ .start = border[k],
                                                 .border = border + k,
                                                 .iterations = 1,
                                                 .clear = !job_row_is_touched(j, &lead),
                                                 .follows = k > 0 };
    }
    return PRVCUT_OK;
}

static enum prvcut_status jwi_list(struct job_units *r, const struct job *j,
                                   struct prvcut_error *err)
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

/* Some of the windows, spread evenly, behind what out holds: of all, or of the clear ones alone
   where masks hide most. */
static enum prvcut_status jwi_spread(struct job_units *out, const struct job_units *r,
                                     struct job_wanted wanted, struct prvcut_error *err)
{
    size_t *first, count;
    enum prvcut_status st;

    wanted.clear = job_units_few_clear(r, wanted);
    out->clear_alone = out->clear_alone || wanted.clear;
    st = job_units_list(r, &wanted, &first, &count, err);

    for (size_t i = 0; i < SPREAD && i < count && st == PRVCUT_OK; i++) {
        const size_t at = count > SPREAD ? i * (count - 1) / (SPREAD - 1) : i;
        const struct job_unit *u = &r->unit[first[at]];
        const unsigned held = job_units_held(r, first[at], wanted.iterations);

        out->unit[out->units++] =
            (struct job_unit){ .start = u->start,
                               .border = u->border,
                               .iterations = wanted.iterations,
                               .kind = job_units_kind(held),
                               .held = held,
                               .clear = job_units_are_clear(r, first[at], wanted) };
    }
    free(first);
    return st;
}

/* Windows in place of iterations: as many as can be measured; of each kind, where these are cut. */
static enum prvcut_status jwi_thin(struct job_units *r, const struct job_kinds *kinds,
                                   unsigned iterations, struct prvcut_error *err)
{
    struct job_units thin = {
        .region = r->region, .of_loop = r->of_loop, .thin = true, .clear = job_units_clear(r)
    };
    enum prvcut_status st = PRVCUT_OK;

    thin.room = SPREAD * (kinds ? kinds->kinds : 1);
    thin.unit = prvcut_unset(thin.room + 1, sizeof *thin.unit, "windows", err);
    if (!thin.unit)
        return PRVCUT_ENOMEM;
    for (unsigned k = 0; kinds && k < kinds->kinds && st == PRVCUT_OK; k++)
        st = jwi_spread(&thin, r, (struct job_wanted){ kinds->window[k], k + 1, true }, err);
    if (!kinds)
        st = jwi_spread(&thin, r, (struct job_wanted){ iterations, 0, true }, err);
    free(r->unit);
    *r = thin;
    return st;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* The most iterations of a kind that follow each other. */
static unsigned jwi_in_a_row(const struct job_units *r, unsigned kind, bool clear, unsigned most)
{
    unsigned best = 0, now = 0;

    for (size_t i = 0; i < r->units && best < most; i++) {
        const struct job_unit *u = &r->unit[i];

        if (!u->follows || u->kind != kind || (clear && !u->clear))
            now = 0;
        now += u->kind == kind && (!clear || u->clear);
        best = now > best ? now : best;
    }
    return best;
}

/* Which kind each iteration of the loop is of, and how many of a kind a window holds: by lengths
   before windows are measured, by calls behind that. */
static enum prvcut_status jwi_label(struct job_windows *w, struct job *j, struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure.is;
    const size_t region = j->options->kinds ? w->row[0].region : s->main;
    const enum prvcut_status st = region < s->regions ? job_kinds_tell(j, region, err) : PRVCUT_OK;
    struct job_units *r = st == PRVCUT_OK ? job_windows_row_of_kinds(w, j) : NULL;

    if (!r || r->thin)
        return st;
    for (size_t i = 0; i < r->units; i++) {
        r->unit[i].kind = j->kinds->label[i] + 1;
        r->unit[i].held = 1u << j->kinds->label[i];
    }
    for (unsigned k = 0; k < j->kinds->kinds; k++) {
        const unsigned most = j->options->iterations, clear = jwi_in_a_row(r, k + 1, true, most);

        j->kinds->window[k] = clear > 0 ? clear : jwi_in_a_row(r, k + 1, false, most);
    }
    return st;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* What it competes in: the loop, or its region. */
static enum prvcut_status jwi_row_of(size_t *out, struct job_windows *w, const struct job *j,
                                     const struct job_planned *p, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const bool of_loop = p->of_loop || p->widest;

    for (*out = 0; *out < w->rows; (*out)++) {
        const struct job_units *r = &w->row[*out];

        if (r->of_loop == of_loop &&
            (of_loop ? prvcut_regions_share_loop(&s->region[r->region], &s->region[p->region])
                     : r->region == p->region))
            return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&w->row, &w->row_room, w->rows + 1, sizeof *w->row, err) < 0)
        return PRVCUT_ENOMEM;
    w->row[w->rows++] = (struct job_units){ .region = p->region, .of_loop = of_loop };
    return jwi_list(&w->row[*out], j, err);
}

static size_t jwi_units(const struct job_windows *w)
{
    size_t units = 0;

    for (size_t i = 0; i < w->rows; i++)
        units += w->row[i].units;
    return units;
}

/* Few iterations tell more of what is usual where windows may begin inside one, too; as far as
   these can be measured. Returns how many stretches there are. */
static size_t jwi_set_inner(struct job_windows *w, uint32_t threads)
{
    const size_t units = jwi_units(w), most = PRVCUT_PROOF_DETAIL / ((size_t)threads + 1);
    size_t count = units;

    for (size_t i = 0; i < w->rows; i++) {
        struct job_units *r = &w->row[i];

        if (!r->thin && r->steps == 0 && r->fine == 0 && r->units <= SPREAD &&
            count + JOB_PHASES * r->units <= most) {
            r->inner = true;
            count += JOB_PHASES * r->units;
        }
    }
    return count;
}

/* Is it compared? What is all of a region has nothing beside it. */
static bool jwi_competes(const struct job *j, const struct job_planned *p)
{
    return p->unusual || !job_wants_whole(j);
}

/* A long trace that can be entered anywhere is not read once more: some windows tell. */
static bool jwi_reads_parts(const struct job *j)
{
    return !job_proves(j) && j->trace->seekable && !j->trace->reader->by_thread;
}

/* What the cuts of a plan compete in, with no more units than can be measured. */
static enum prvcut_status jwi_list_rows(struct job_windows *w, struct job *j,
                                        const struct job_plan *plan, struct prvcut_error *err)
{
    const size_t most = PRVCUT_PROOF_DETAIL / ((size_t)j->trace->objects.threads + 1);
    enum prvcut_status st = PRVCUT_OK;
    size_t row;

    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++)
        if (jwi_competes(j, &plan->at[i]))
            st = jwi_row_of(&row, w, j, &plan->at[i], err);
    if (st < 0 || (!jwi_reads_parts(j) && jwi_units(w) <= UNITS_MOST && jwi_units(w) <= most))
        return st;
    st = jwi_label(w, j, err);
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        struct job_units *r;

        if (!jwi_competes(j, &plan->at[i]))
            continue;
        st = jwi_row_of(&row, w, j, &plan->at[i], err);
        r = &w->row[row];
        if (st == PRVCUT_OK && !r->thin && r->units > SPREAD)
            st = jwi_thin(
                r, j->options->kinds && job_windows_row_of_kinds(w, j) == r ? j->kinds : NULL,
                plan->at[i].place.iterations, err);
    }
    return st;
}

/* --- Measure ---------------------------------------------------------------------------------- */

static struct job_row jwi_row(const struct job *j, const struct job_units *r,
                              const struct job_unit *u)
{
    struct job_row row = job_row_between(j, u->border, u->iterations + (size_t)1, r->region);

    row.loop = r->loop ? r->loop : row.loop;
    return row;
}

/* Each unit on all threads; with what disturbs these it is not clear. */
static void jwi_lay(struct job_windows *w, const struct job *j, struct job_units *r)
{
    static const size_t all[2] = { 0, 0 };
    const uint32_t threads = j->trace->objects.threads;

    r->slot = w->stretches;
    for (size_t i = 0; i < r->units; i++) {
        struct job_unit *u = &r->unit[i];
        const struct job_row row = jwi_row(j, r, u);
        struct prvcut_proof_region *to = &w->stretch[w->stretches];
        uint64_t *bound = w->bound ? w->bound + 2 * (size_t)threads * w->stretches : NULL;

        to->window = job_row_window(j, &row, all, bound);
        if (to->window.thread_from)
            job_windows_set_apart(w, j, bound, bound + threads, &row);
        w->stretches++;
        for (uint32_t k = 0; u->clear && to->window.thread_from && k < threads; k++) {
            const struct prvcut_span own = prvcut_window_own(&to->window, k);

            u->clear = !job_row_is_touched(j, &own);
        }
    }
}

static uint64_t jwi_inside(struct prvcut_span s, size_t phase)
{
    return s.start + (s.end - s.start) / (JOB_PHASES + 1) * (phase + 1);
}

/* From some places inside each unit to the same ones of the unit that follows it, on all threads.
 */
static void jwi_lay_inner(struct job_windows *w, const struct job *j, struct job_units *r)
{
    const size_t threads = j->trace->objects.threads;

    r->inner_slot = w->stretches;
    for (size_t i = 0; r->inner && i < JOB_PHASES * r->units; i++, w->stretches++) {
        const size_t phase = i / r->units, at = i % r->units;
        const bool follows = at + 1 < r->units && r->unit[at + 1].follows;
        const struct prvcut_window *a = &w->stretch[r->slot + at].window;
        const struct prvcut_window *b = &w->stretch[r->slot + at + follows].window;
        struct prvcut_window *to = &w->stretch[w->stretches].window;
        uint64_t *from = w->bound ? w->bound + 2 * threads * w->stretches : NULL;

        *to = (struct prvcut_window){
            .from = jwi_inside((struct prvcut_span){ a->from, a->to }, phase),
            .to = jwi_inside((struct prvcut_span){ b->from, b->to }, phase)
        };
        for (uint32_t k = 0; a->thread_from && k < threads; k++) {
            from[k] = jwi_inside(prvcut_window_own(a, k), phase);
            from[threads + k] = jwi_inside(prvcut_window_own(b, k), phase);
        }
        if (a->thread_from) {
            to->thread_from = from;
            to->thread_to = from + threads;
        }
    }
}

/* What is read: the stretches, and an iteration before each. */
static enum prvcut_status jwi_set_parts(struct job_windows *w, const struct job *j,
                                        struct prvcut_error *err)
{
    uint64_t before = 0;

    for (size_t i = 0; i < w->rows; i++)
        for (size_t k = 0; k < w->row[i].units; k++) {
            const struct job_unit *u = &w->row[i].unit[k];
            const uint64_t each = (u->border[u->iterations] - u->border[0]) / u->iterations;

            before = each > before ? each : before;
        }
    return job_parts_lay(&w->part, w->stretch, w->stretches, before, j->trace->objects.threads,
                         err);
}

static enum prvcut_status jwi_measure(struct job_windows *w, struct job *j,
                                      const struct job_planned *first, struct prvcut_error *err)
{
    const size_t threads = j->trace->objects.threads, units = jwi_set_inner(w, (uint32_t)threads);
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
    st = w->bound ? job_windows_tell_apart(w, j, first, err) : PRVCUT_OK;
    if (st < 0)
        return st;
    for (size_t i = 0; i < w->rows; i++)
        jwi_lay(w, j, &w->row[i]);
    for (size_t i = 0; i < w->rows; i++)
        jwi_lay_inner(w, j, &w->row[i]);
    if (jwi_reads_parts(j) && jwi_set_parts(w, j, err) < 0)
        return PRVCUT_ENOMEM;
    if (w->part.span)
        job_aside(j, "%zu windows, spread evenly over the loop, were measured, not all of it",
                  w->stretches);
    api_phase_init(&choosing, j->run, PRVCUT_PHASE_CHOOSING);
    st = index_measure(&w->measure, j, &choosing.run, w->stretch, w->stretches,
                       w->part.span ? &w->part.only : NULL, err);
    return st == PRVCUT_OK ? prvcut_column_init(&w->column, &w->measure, err) : st;
}

/* --- Choose ----------------------------------------------------------------------------------- */

static struct prvcut_judged jwi_judge_at(const struct job_rivals *g, size_t window)
{
    return prvcut_windows_judge(&g->all, g->all.at + window * PRVCUT_WINDOW_QUANTITIES);
}

/* The nearest of whole iterations or, where that is not surely typical, a nearer one that begins at
   a step of an iteration and is typical: else nothing makes up for what is not whole. */
static size_t jwi_choose(const struct job_rivals *g)
{
    const size_t whole = prvcut_windows_nearest(&g->all, g->windows.count);
    size_t nearest;

    if (!g->step || jwi_judge_at(g, whole).distance <= SURELY)
        return whole;
    nearest = prvcut_windows_nearest(&g->all, g->all.count);
    return jwi_judge_at(g, nearest).verdict == PRVCUT_CHOP_IS_TYPICAL ? nearest : whole;
}

static enum prvcut_status jwi_take(struct job *j, const struct job_rivals *g, struct job_planned *p,
                                   struct job_kept *kept, struct prvcut_error *err)
{
    const size_t window = jwi_choose(g);
    const enum prvcut_status st = job_rivals_take(j, g, window, p, err);

    return st == PRVCUT_OK ? job_windows_keep(j, g, window, p, kept, err) : st;
}

/* Or is it just where it was asked for? */
static bool jwi_is_chosen(const struct job_planned *p)
{
    return !p->unusual && p->tag.kind == REPORT_TAG_CHOP;
}

static enum prvcut_status jwi_group_of(size_t *out, struct job_windows *w, const struct job *j,
                                       const struct job_planned *p, struct prvcut_error *err)
{
    struct job_wanted wanted = { p->place.iterations, p->kind, true };
    size_t row;
    enum prvcut_status st;

    *out = SIZE_MAX;
    if (!jwi_competes(j, p))
        return PRVCUT_OK;
    st = jwi_row_of(&row, w, j, p, err);
    if (st < 0)
        return st;
    if (p->kind == 0)
        wanted.kind = job_windows_kind_beside(w, j, row, p, jwi_is_chosen(p));
    for (*out = 0; *out < w->groups; (*out)++) {
        const struct job_rivals *g = &w->group[*out];

        if (g->row == row && g->wanted.iterations == wanted.iterations &&
            g->wanted.kind == wanted.kind)
            return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&w->group, &w->group_room, w->groups + 1, sizeof *w->group, err) < 0)
        return PRVCUT_ENOMEM;
    w->group[w->groups++] = (struct job_rivals){ .row = row,
                                                 .wanted = wanted,
                                                 .of_all = p->kind == 0 && wanted.kind > 0 };
    return job_rivals_compare(w, &w->group[*out], err);
}

/* A window of each kind in place of the loop's. */
static enum prvcut_status jwi_split(struct job *j, struct job_plan *plan, struct prvcut_error *err)
{
    struct job_windows *w = j->windows;

    if (job_windows_row_of_kinds(w, j) == &w->row[0])
        return job_kinds_plan(j, plan, err);
    job_note(j, "kinds of iterations are unknown: these were not told one by one");
    return PRVCUT_OK;
}

/* Measure, and decide how many cuts there are. */
static enum prvcut_status jwi_measure_all(struct job *j, struct job_plan *plan,
                                          struct prvcut_error *err)
{
    struct job_windows *w = j->windows;
    const size_t most = PRVCUT_PROOF_DETAIL / ((size_t)j->trace->objects.threads + 1);
    enum prvcut_status st = jwi_list_rows(w, j, plan, err);
    const size_t units = jwi_units(w), room = most < UNITS_MOST ? most : UNITS_MOST;

    if (st == PRVCUT_OK && !jwi_reads_parts(j) && !j->options->kinds && units < room)
        st = job_windows_add_steps(w, j, room - units, err);
    if (st == PRVCUT_OK && jwi_units(w) > 0)
        st = jwi_measure(w, j, &plan->at[0], err);
    if (st == PRVCUT_OK && jwi_units(w) > 0 && !w->row[0].thin)
        st = jwi_label(w, j, err);
    if (st == PRVCUT_OK && jwi_units(w) > 0 && j->options->kinds)
        st = jwi_split(j, plan, err);
    return st;
}

enum prvcut_status job_windows_choose(struct job *j, struct job_plan *plan,
                                      struct prvcut_error *err)
{
    struct job_windows *w;
    enum prvcut_status st;

    if (!job_compares(j))
        return PRVCUT_OK;
    j->windows = w = prvcut_zeroed(1, sizeof *w, "windows", err);
    if (!w)
        return PRVCUT_ENOMEM;
    st = jwi_measure_all(j, plan, err);
    if (st < 0 || jwi_units(w) == 0)
        return st;
    w->of_chop = prvcut_zeroed(plan->count + 1, sizeof *w->of_chop, "cuts", err);
    w->kept = prvcut_zeroed(plan->count + 1, sizeof *w->kept, "cuts", err);
    w->cuts = plan->count;
    if (!w->of_chop || !w->kept)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++)
        st = jwi_group_of(&w->of_chop[i], w, j, &plan->at[i], err);
    for (size_t i = 0; i < plan->count && st == PRVCUT_OK; i++) {
        const struct job_rivals *g = job_rivals_of(w, i);

        if (g && jwi_is_chosen(&plan->at[i]))
            st = jwi_take(j, g, &plan->at[i], &w->kept[i], err);
    }
    return st == PRVCUT_OK ? job_windows_measure_cuts(j, plan, err) : st;
}
