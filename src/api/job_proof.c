#include "api/job.h"
#include "api/job_kinds.h"
#include "api/job_rows.h"
#include "api/job_waits.h"
#include "api/job_windows.h"
#include "api/page_drawings.h"
#include "api/phase.h"

#include "analysis/proof.h"
#include "base/memory.h"
#include "base/search.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* Iterations of a region that may be left out of the comparison. */
#define LEFT_OUT 2.0

/* Bounds of threads in the pieces of a loop; where there would be more, threads are taken to be
   with the one that leads. */
#define BOUNDS ((size_t)1 << 23)

/* What a chop is compared with: a region, or all those of a loop. */
struct whole {
    struct prvcut_window *piece; /* [pieces]; owned */
    uint64_t *bound;             /* [2 * threads * pieces] starts, then ends, of each; owned */
    size_t pieces;
    double iterations; /* that it has */
    double left_out;   /* of those, that are not compared */
    bool clear;        /* nothing disturbs the pieces */
};

/* The lists that the comparison takes. */
struct lists {
    struct prvcut_proof_region *region;
    struct prvcut_proof_chop *chop;
    struct made_proof *proof;
    uint64_t *border; /* of aligned chops: first all lefts, then all rights of each */
    size_t *of; /* [4 * structure.regions + 2 * MADE_KINDS] index in region + 1 of each region and
                   of the loop that it is the first of, and of each kind, without and with what is
                   masked; 0: not asked for */
    struct whole *whole; /* [regions] */
    size_t regions;
    struct made_chop *made; /* [chops]; borrowed */
    size_t chops;
};

static void jpf_lists_fini(struct lists *l)
{
    for (size_t i = 0; l->whole && i <= l->regions; i++) {
        free(l->whole[i].piece);
        free(l->whole[i].bound);
    }
    free(l->whole);
    free(l->region);
    free(l->chop);
    free(l->proof);
    free(l->border);
    free(l->of);
}

static enum prvcut_status jpf_lists_new(struct lists *l, const struct job *j,
                                        struct prvcut_error *err)
{
    size_t borders = 0;

    for (size_t i = 0; i < l->chops; i++)
        borders += 2 * (size_t)l->made[i].is.threads;
    l->region = prvcut_zeroed(l->chops + 1, sizeof *l->region, "rows of a proof", err);
    l->chop = prvcut_zeroed(l->chops + 1, sizeof *l->chop, "rows of a proof", err);
    l->proof = prvcut_zeroed(l->chops + 1, sizeof *l->proof, "rows of a proof", err);
    l->border = prvcut_zeroed(borders + 1, sizeof *l->border, "rows of a proof", err);
    l->of = prvcut_zeroed(4 * j->out->structure.is.regions + 2 * MADE_KINDS + 1, sizeof *l->of,
                          "rows of a proof", err);
    l->whole = prvcut_zeroed(l->chops + 1, sizeof *l->whole, "rows of a proof", err);
    if (l->region && l->chop && l->proof && l->border && l->of && l->whole)
        return PRVCUT_OK;
    return PRVCUT_ENOMEM;
}

/*
 * A region is undisturbed on the thread that leads. Others run through its first or last iteration
 * where something disturbs them: left out of an iteration, that would leave its calls out, too, so
 * the iteration as a whole is. Of how many at either end; false: that is not enough.
 */
static bool jpf_clear_of_masks(const struct job *j, const struct job_row *r, uint64_t *bound,
                               size_t skip[2])
{
    static const size_t tried[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const size_t out = tried[i][0] + tried[i][1];
        struct prvcut_window w;
        bool clear;

        if (r->borders < 2 * out + 2)
            return false;
        w = job_row_window(j, r, tried[i], bound);
        clear = w.thread_from != NULL;
        for (uint32_t k = 0; clear && k < j->trace->objects.threads; k++) {
            const struct prvcut_span own = prvcut_window_own(&w, k);

            clear = !job_row_is_touched(j, &own);
        }
        if (clear) {
            skip[0] = tried[i][0];
            skip[1] = tried[i][1];
            return true;
        }
    }
    return false;
}

/* all: also where something disturbs it */
static void jpf_add_row(struct whole *w, const struct job *j, const struct job_row *r, bool all)
{
    uint64_t *bound =
        w->bound ? w->bound + 2 * (size_t)j->trace->objects.threads * w->pieces : NULL;
    size_t skip[2] = { 0, 0 };

    w->clear = (all || jpf_clear_of_masks(j, r, bound, skip)) && w->clear;
    w->piece[w->pieces++] = job_row_window(j, r, skip, bound);
    w->iterations += r->iterations;
    w->left_out += (double)(skip[0] + skip[1]);
}

/* Its undisturbed regions, or all iterations, as far as these were told one by one. */
static void jpf_add_loop(struct whole *w, const struct job *j, size_t region, bool all)
{
    const struct made_structure *s = &j->out->structure;

    for (size_t i = 0; all && i < s->is.stretches; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], &s->region[region])) {
            const struct job_row r =
                job_row_between(j, s->stretch[i].border, s->stretch[i].borders, region);

            jpf_add_row(w, j, &r, true);
        }
    for (size_t i = 0, told = w->pieces; told == 0 && i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[region])) {
            const struct job_row r = job_row_of_region(j, i);

            jpf_add_row(w, j, &r, all);
        }
}

/* The iterations of one kind, as they follow each other. */
static void jpf_add_kind(struct whole *w, const struct job *j, unsigned kind, bool all)
{
    const struct job_kinds *k = j->kinds;

    for (size_t i = 0, next; i < k->count; i = next) {
        for (next = i + 1; next < k->count && k->label[next] == k->label[i] &&
                           k->border[next] == k->border[next - 1] + 1;)
            next++;
        if (k->label[i] + 1 == kind) {
            const struct job_row r = job_row_between(j, k->border[i], next - i + 1, k->region);

            jpf_add_row(w, j, &r, all);
        }
    }
}

/* The next of the list: what a chop stands for. */
static enum prvcut_status jpf_whole_into(struct lists *l, const struct job *j,
                                         const struct made_chop *chop, bool loop, bool all,
                                         struct prvcut_error *err)
{
    const size_t region = chop->is.region;
    const struct made_structure *s = &j->out->structure;
    const size_t room = chop->is.of_kind > 0 ? j->kinds->count
                        : loop               ? s->is.regions + s->is.stretches
                                             : 1;
    const size_t threads = j->trace->objects.threads;
    struct whole *w = &l->whole[l->regions];
    bool masked;

    w->clear = true;
    w->piece = prvcut_zeroed(room, sizeof *w->piece, "regions", err);
    if (threads <= BOUNDS / room)
        w->bound = prvcut_zeroed(2 * threads * room + 1, sizeof *w->bound, "regions", err);
    if (!w->piece || (threads <= BOUNDS / room && !w->bound))
        return PRVCUT_ENOMEM;
    if (chop->is.of_kind > 0) {
        jpf_add_kind(w, j, chop->is.of_kind, all);
    } else if (loop) {
        jpf_add_loop(w, j, region, all);
    } else {
        const struct job_row r = job_row_of_region(j, region);

        jpf_add_row(w, j, &r, all);
    }
    masked = !all && !w->clear;
    l->region[l->regions] = (struct prvcut_proof_region){ .piece = w->piece,
                                                          .pieces = w->pieces,
                                                          .iterations = w->iterations - w->left_out,
                                                          .mask = masked ? j->mask : NULL,
                                                          .masks = masked ? j->mask_spans : 0 };
    return PRVCUT_OK;
}

/* --- What each is compared with --------------------------------------------------------------- */

/* The first region of the same loop. */
static size_t jpf_first_of(const struct made_structure *s, size_t region)
{
    size_t i = 0;

    while (i < region && !prvcut_regions_share_loop(&s->region[i], &s->region[region]))
        i++;
    return i;
}

/* With its loop? So is a cut that is all of its region, which would be compared with itself. */
static bool jpf_of_loop(const struct made_structure *s, const struct made_chop *chop)
{
    return chop->is.of_loop ||
           prvcut_region_is_all(&s->region[chop->is.region], chop->is.iterations);
}

/*
 * What a chop is compared with, into *out. Masks do not count, but where no clear iterations were
 * to be had, and the chop had to be taken from masked ones, they count in the region, too.
 */
static enum prvcut_status jpf_region_of(size_t *out, struct lists *l, const struct job *j,
                                        const struct made_chop *chop, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const bool all = prvcut_structure_touches(s, chop);
    const bool loop = jpf_of_loop(s, chop);
    const size_t place = chop->is.of_kind > 0 ? 2 * s->is.regions + chop->is.of_kind - 1
                         : loop               ? s->is.regions + jpf_first_of(s, chop->is.region)
                                              : chop->is.region;
    size_t *of = &l->of[2 * place + all];
    enum prvcut_status st = PRVCUT_OK;

    if (*of == 0) {
        st = jpf_whole_into(l, j, chop, loop, all, err);
        *of = ++l->regions;
    }
    *out = *of - 1;
    return st;
}

/* A cut that is all of its loop leaves nothing out: it is compared with what it holds. */
static size_t jpf_region_of_all(struct lists *l, const struct prvcut_proof_chop *chop)
{
    l->whole[l->regions].iterations = chop->iterations;
    l->region[l->regions] =
        (struct prvcut_proof_region){ .window = chop->window, .iterations = chop->iterations };
    return l->regions++;
}

static enum prvcut_status jpf_fill(struct lists *l, const struct job *j, struct prvcut_error *err)
{
    uint64_t *border = l->border;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->chops && st == PRVCUT_OK; i++) {
        const struct made_chop *made = &l->made[i];

        l->chop[i] = (struct prvcut_proof_chop){ .window = job_window(made, border),
                                                 .iterations = made->is.iterations };
        if (prvcut_loop_is_all(&j->out->structure.region[made->is.region], made->is.iterations))
            l->chop[i].region = jpf_region_of_all(l, &l->chop[i]);
        else
            st = jpf_region_of(&l->chop[i].region, l, j, made, err);
        border += 2 * (size_t)made->is.threads;
    }
    return st;
}

/* All that the region holds, unless clearly fewer are clear: threads that are apart reach into a
   mask beside it. */
static double jpf_told_iterations(double clear, double all)
{
    return fabs(clear - all) <= fmax(LEFT_OUT, 0.05 * all) ? all : clear;
}

enum prvcut_status job_prove(struct job *j, struct made_chop *chop, size_t chops,
                             const struct prvcut_proof_beside *beside, struct prvcut_error *err)
{
    struct lists l = { .made = chop, .chops = chops };
    struct api_phase comparing;
    enum prvcut_status st = jpf_lists_new(&l, j, err);

    if (st == PRVCUT_OK)
        st = jpf_fill(&l, j, err);
    if (st == PRVCUT_OK) {
        api_phase_init(&comparing, j->run, PRVCUT_PHASE_COMPARING);
        /* The rank that writes draws in this reading, which no other can share then. */
        if (j->options->report)
            comparing.run.exchange = NULL;
        st = prvcut_proofs_make(l.proof, j->trace, &comparing.run, l.region, l.regions, l.chop,
                                chops, beside, err);
    }
    for (size_t i = 0; st == PRVCUT_OK && i < chops; i++) {
        chop[i].proof = l.proof[i];
        chop[i].proof.is.iterations_region = jpf_told_iterations(
            l.proof[i].is.iterations_region, l.whole[l.chop[i].region].iterations);
    }
    jpf_lists_fini(&l);
    return st;
}

/* In a table or on a page, what each cut keeps is compared, to the record. */
static bool jpf_wants_table(const struct job *j)
{
    return j->options->proof || j->options->report;
}

enum prvcut_status job_proofs(struct job *j, const struct job_plan *plan, struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    struct prvcut_proof_beside beside;
    enum prvcut_status st = PRVCUT_OK;
    bool all = false;

    if (!job_compares(j) || r->is.chops == 0)
        return PRVCUT_OK;
    if (!jpf_wants_table(j))
        st = job_windows_judge(j, plan, &all, err);
    if (st < 0 || all || !job_proves(j))
        return st;
    for (size_t i = 0; i < r->is.chops; i++)
        prvcut_proof_fini(&r->chop[i].proof);
    st = job_drawings_new(j, err);
    if (st < 0)
        return st;
    beside.listeners = job_drawings_listeners(j->drawings, &beside.listener);
    st = job_prove(j, r->chop, r->is.chops, &beside, err);
    if (st == PRVCUT_OK)
        st = job_windows_judge(j, plan, &all, err);
    return st == PRVCUT_OK && j->options->proof ? job_prove_waits(j, err) : st;
}
