#include "api/job.h"
#include "api/phase.h"

#include "analysis/proof.h"
#include "base/memory.h"
#include "base/search.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* Bytes on disk of a trace that is read once more without being asked for. */
#define CHEAP (UINT64_C(1) << 30)
/* Iterations of a region that may be left out of the comparison. */
#define LEFT_OUT 2.0

/* Bounds of threads in the pieces of a loop; where there would be more, threads are taken to be
   with the one that leads. */
#define BOUNDS ((size_t)1 << 23)

/* Iterations in a row, as they were told one by one. */
struct row {
    struct prvcut_span span;
    const uint64_t *border; /* [borders], on the thread that leads; NULL: unknown */
    size_t borders;
    const struct prvcut_known_loop *loop;
    double iterations;
};

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
    size_t *of;       /* [4 * structure.regions] index in region + 1 of each region and of the loop
                         that it is the first of, without and with what is masked; 0: not asked
                         for */
    struct whole *whole; /* [regions] */
    size_t regions;
    struct made_chop *made; /* [chops]; borrowed */
    size_t chops;
};

static void lists_fini(struct lists *l)
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

static enum prvcut_status lists_new(struct lists *l, const struct job *j, struct prvcut_error *err)
{
    size_t borders = 0;

    for (size_t i = 0; i < l->chops; i++)
        borders += 2 * (size_t)l->made[i].is.threads;
    l->region = calloc(l->chops + 1, sizeof *l->region);
    l->chop = calloc(l->chops + 1, sizeof *l->chop);
    l->proof = calloc(l->chops + 1, sizeof *l->proof);
    l->border = calloc(borders + 1, sizeof *l->border);
    l->of = calloc(4 * j->out->structure.is.regions + 1, sizeof *l->of);
    l->whole = calloc(l->chops + 1, sizeof *l->whole);
    if (l->region && l->chop && l->proof && l->border && l->of && l->whole)
        return PRVCUT_OK;
    return prvcut_no_memory(err, "the proof of cuts");
}

static bool touched(const struct job *j, const struct prvcut_span *w)
{
    for (size_t i = 0; i < j->mask_spans; i++)
        if (j->mask[i].start < w->end && j->mask[i].end > w->start)
            return true;
    return false;
}

/* The index of a row's first border among those of its loop; SIZE_MAX: it has none there. */
static size_t first_border(const struct row *r)
{
    size_t borders;
    const uint64_t *border = prvcut_known_loop_borders(r->loop, &borders);
    const size_t low = prvcut_lower_u64(border, borders, sizeof *border, 0, r->span.start);

    return r->borders > 1 && low + r->borders <= borders && border[low] == r->border[0] ? low
                                                                                        : SIZE_MAX;
}

/* Each thread runs through the row's iterations at times of its own, as far as these are known;
   the others are taken to be with the one that leads. skip: so many at either end are left out;
   bound: [2 * threads] for starts and ends; NULL: there is no room */
static struct prvcut_window window_of(const struct job *j, const struct row *r,
                                      const size_t skip[2], uint64_t *bound)
{
    const uint32_t threads = j->trace->objects.threads;
    uint64_t *from = bound, *to = bound ? bound + threads : NULL;
    const struct prvcut_known_loop *f = r->loop;
    const size_t first = bound && f->calls.sequences > 0 ? first_border(r) : SIZE_MAX;

    if (first == SIZE_MAX)
        return (struct prvcut_window){ .from = r->span.start, .to = r->span.end };
    for (uint32_t i = 0; i < threads; i++) {
        from[i] = skip[0] > 0 ? r->border[skip[0]] : r->span.start;
        to[i] = skip[1] > 0 ? r->border[r->borders - 1 - skip[1]] : r->span.end;
    }
    for (size_t i = 0; i < f->calls.sequences; i++) {
        const uint32_t thread = f->sequence[i].thread;

        if (f->calls.borders[i] < first + r->borders || thread >= threads)
            continue;
        from[thread] = f->calls.border[i][first + skip[0]];
        to[thread] = f->calls.border[i][first + r->borders - 1 - skip[1]];
    }
    return (struct prvcut_window){
        .from = r->span.start, .to = r->span.end, .thread_from = from, .thread_to = to
    };
}

/*
 * A region is undisturbed on the thread that leads. Others run through its first or last iteration
 * where something disturbs them: left out of an iteration, that would leave its calls out, too, so
 * the iteration as a whole is. Of how many at either end; false: that is not enough.
 */
static bool clear_of_masks(const struct job *j, const struct row *r, uint64_t *bound,
                           size_t skip[2])
{
    static const size_t tried[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const size_t out = tried[i][0] + tried[i][1];
        struct prvcut_window w;
        bool clear;

        if (r->borders < 2 * out + 2)
            return false;
        w = window_of(j, r, tried[i], bound);
        clear = w.thread_from != NULL;
        for (uint32_t k = 0; clear && k < j->trace->objects.threads; k++) {
            const struct prvcut_span own = prvcut_window_own(&w, k);

            clear = !touched(j, &own);
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
static void add_row(struct whole *w, const struct job *j, const struct row *r, bool all)
{
    uint64_t *bound =
        w->bound ? w->bound + 2 * (size_t)j->trace->objects.threads * w->pieces : NULL;
    size_t skip[2] = { 0, 0 };

    w->clear = (all || clear_of_masks(j, r, bound, skip)) && w->clear;
    w->piece[w->pieces++] = window_of(j, r, skip, bound);
    w->iterations += r->iterations;
    w->left_out += (double)(skip[0] + skip[1]);
}

static struct row row_of_region(const struct job *j, size_t region)
{
    const struct made_region *r = &j->out->structure.region[region];

    return (struct row){ .span = r->is.span,
                         .border = r->is.border,
                         .borders = r->is.borders,
                         .loop = &j->known.at[j->known.of_region[region]],
                         .iterations = r->is.iterations };
}

/* region: of its loop, of which there may be several with borders of their own */
static struct row row_of_stretch(const struct job *j, const struct prvcut_stretch *t, size_t region)
{
    const struct made_structure *s = &j->out->structure;
    struct row r = { .span = { t->border[0], t->border[t->borders - 1] },
                     .border = t->border,
                     .borders = t->borders,
                     .loop = &j->known.at[j->known.of_region[region]],
                     .iterations = (double)(t->borders - 1) };

    for (size_t i = 0; i < s->is.regions && first_border(&r) == SIZE_MAX; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[region]))
            r.loop = &j->known.at[j->known.of_region[i]];
    return r;
}

/* Its undisturbed regions, or all iterations, as far as these were told one by one. */
static void add_loop(struct whole *w, const struct job *j, size_t region, bool all)
{
    const struct made_structure *s = &j->out->structure;

    for (size_t i = 0; all && i < s->is.stretches; i++)
        if (prvcut_stretch_is_of(&s->stretch[i], &s->region[region])) {
            const struct row r = row_of_stretch(j, &s->stretch[i], region);

            add_row(w, j, &r, true);
        }
    for (size_t i = 0, told = w->pieces; told == 0 && i < s->is.regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], &s->region[region])) {
            const struct row r = row_of_region(j, i);

            add_row(w, j, &r, all);
        }
}

/* The next of the list: a region, or its whole loop. */
static enum prvcut_status whole_into(struct lists *l, const struct job *j, size_t region, bool loop,
                                     bool all, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const size_t room = loop ? s->is.regions + s->is.stretches : 1;
    const size_t threads = j->trace->objects.threads;
    struct whole *w = &l->whole[l->regions];
    bool masked;

    w->clear = true;
    w->piece = calloc(room, sizeof *w->piece);
    if (threads <= BOUNDS / room)
        w->bound = calloc(2 * threads * room + 1, sizeof *w->bound);
    if (!w->piece || (threads <= BOUNDS / room && !w->bound))
        return prvcut_no_memory(err, "regions");
    if (loop) {
        add_loop(w, j, region, all);
    } else {
        const struct row r = row_of_region(j, region);

        add_row(w, j, &r, all);
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
static size_t first_of(const struct made_structure *s, size_t region)
{
    size_t i = 0;

    while (i < region && !prvcut_regions_share_loop(&s->region[i], &s->region[region]))
        i++;
    return i;
}

/* With its loop? So is a cut that is all of its region, which would be compared with itself. */
static bool of_loop(const struct made_structure *s, const struct made_chop *chop)
{
    return chop->is.of_loop ||
           prvcut_region_is_all(&s->region[chop->is.region], chop->is.iterations);
}

/*
 * What a chop is compared with, into *out. Masks do not count, but where no clear iterations were
 * to be had, and the chop had to be taken from masked ones, they count in the region, too.
 */
static enum prvcut_status region_of(size_t *out, struct lists *l, const struct job *j,
                                    const struct made_chop *chop, struct prvcut_error *err)
{
    const struct made_structure *s = &j->out->structure;
    const bool all = prvcut_structure_touches(s, chop);
    size_t *of = &l->of[2 * (of_loop(s, chop) ? s->is.regions + first_of(s, chop->is.region)
                                              : chop->is.region) +
                        all];
    enum prvcut_status st = PRVCUT_OK;

    if (*of == 0) {
        st = whole_into(l, j, chop->is.region, of_loop(s, chop), all, err);
        *of = ++l->regions;
    }
    *out = *of - 1;
    return st;
}

/* A cut that is all of its loop leaves nothing out: it is compared with what it holds. */
static size_t region_of_all(struct lists *l, const struct prvcut_proof_chop *chop)
{
    l->whole[l->regions].iterations = chop->iterations;
    l->region[l->regions] =
        (struct prvcut_proof_region){ .window = chop->window, .iterations = chop->iterations };
    return l->regions++;
}

static enum prvcut_status fill(struct lists *l, const struct job *j, struct prvcut_error *err)
{
    uint64_t *border = l->border;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->chops && st == PRVCUT_OK; i++) {
        const struct made_chop *made = &l->made[i];

        l->chop[i] = (struct prvcut_proof_chop){ .window = job_window(made, border),
                                                 .iterations = made->is.iterations };
        if (prvcut_loop_is_all(&j->out->structure.region[made->is.region], made->is.iterations))
            l->chop[i].region = region_of_all(l, &l->chop[i]);
        else
            st = region_of(&l->chop[i].region, l, j, made, err);
        border += 2 * (size_t)made->is.threads;
    }
    return st;
}

/* All that the region holds, unless clearly fewer are clear: threads that are apart reach into a
   mask beside it. */
static double told_iterations(double clear, double all)
{
    return fabs(clear - all) <= fmax(LEFT_OUT, 0.05 * all) ? all : clear;
}

/* Another pass costs a third of the whole job. */
bool job_proves(const struct job *j)
{
    const struct prvcut_reduce_options *o = j->options;

    return o->proof || o->report || (o->cheap_proof && j->trace->bytes <= CHEAP);
}

enum prvcut_status job_prove(struct job *j, struct made_chop *chop, size_t chops,
                             const struct prvcut_proof_beside *beside, struct prvcut_error *err)
{
    struct lists l = { .made = chop, .chops = chops };
    struct api_phase comparing;
    enum prvcut_status st = lists_new(&l, j, err);

    if (st == PRVCUT_OK)
        st = fill(&l, j, err);
    if (st == PRVCUT_OK) {
        api_phase_init(&comparing, j->run, PRVCUT_PHASE_COMPARING);
        st = prvcut_proofs_make(l.proof, j->trace, &comparing.run, l.region, l.regions, l.chop,
                                chops, beside, err);
    }
    for (size_t i = 0; st == PRVCUT_OK && i < chops; i++) {
        chop[i].proof = l.proof[i];
        chop[i].proof.is.iterations_region =
            told_iterations(l.proof[i].is.iterations_region, l.whole[l.chop[i].region].iterations);
    }
    lists_fini(&l);
    return st;
}

enum prvcut_status job_proofs(struct job *j, struct prvcut_error *err)
{
    struct made_reduction *r = j->out;
    struct prvcut_proof_beside beside;
    enum prvcut_status st;

    if (!job_proves(j) || r->is.chops == 0)
        return PRVCUT_OK;
    st = job_drawings_new(j, err);
    if (st < 0)
        return st;
    beside.listeners = job_drawings_listeners(j->drawings, &beside.listener);
    return job_prove(j, r->chop, r->is.chops, &beside, err);
}
