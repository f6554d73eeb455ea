#include "api/job.h"
#include "api/phase.h"

#include "analysis/proof.h"
#include "structure/stretch.h"

#include <math.h>
#include <stdlib.h>

/* Bytes on disk of a trace that is read once more without being asked for. */
#define CHEAP (UINT64_C(1) << 30)
/* Iterations of a region that may be left out of the comparison. */
#define LEFT_OUT 2.0

/* The pieces of a loop, and what is between them. */
struct whole {
    struct prvcut_span span; /* from the first piece to the last */
    struct prvcut_span *gap; /* [gaps]; owned */
    size_t gaps;
    double covered, iterations; /* of the pieces */
};

/* The lists that the comparison takes. */
struct lists {
    struct prvcut_proof_region *region;
    struct prvcut_proof_chop *chop;
    struct prvcut_proof *proof;
    uint64_t *border; /* of aligned chops: first all lefts, then all rights of each */
    uint64_t *room;   /* the same of the regions */
    size_t *of;       /* [4 * structure.regions] index in region + 1 of each region and of the loop
                         that it is the first of, without and with what is masked; 0: not asked
                         for */
    struct whole *whole; /* [regions] of those that are loops */
    size_t regions;
};

static void lists_fini(struct lists *l)
{
    for (size_t i = 0; l->whole && i < l->regions; i++)
        free(l->whole[i].gap);
    free(l->whole);
    free(l->region);
    free(l->chop);
    free(l->proof);
    free(l->border);
    free(l->room);
    free(l->of);
}

static enum prvcut_status lists_new(struct lists *l, const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduction *r = j->out;
    size_t borders = 0, room;

    for (size_t i = 0; i < r->chops; i++)
        borders += 2 * (size_t)r->chop[i].threads;
    room = 2 * (size_t)j->trace->objects.threads * r->chops;
    l->room = calloc(room + 1, sizeof *l->room);
    l->region = calloc(r->chops + 1, sizeof *l->region);
    l->chop = calloc(r->chops + 1, sizeof *l->chop);
    l->proof = calloc(r->chops + 1, sizeof *l->proof);
    l->border = calloc(borders + 1, sizeof *l->border);
    l->of = calloc(4 * r->structure.regions + 1, sizeof *l->of);
    l->whole = calloc(r->chops + 1, sizeof *l->whole);
    if (l->region && l->chop && l->proof && l->border && l->room && l->of && l->whole)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for the proof of %zu cuts", r->chops);
}

static bool touched(const struct job *j, const struct prvcut_span *w)
{
    for (size_t i = 0; i < j->mask_spans; i++)
        if (j->mask[i].start < w->end && j->mask[i].end > w->start)
            return true;
    return false;
}

/* The index of a region's first border among those of its loop; SIZE_MAX: it has none there. */
static size_t first_border(const struct prvcut_known_loop *f, const struct prvcut_region *r)
{
    size_t borders, low = 0, high;
    const uint64_t *border = prvcut_known_loop_borders(f, &borders);

    for (high = borders; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (border[middle] < r->span.start)
            low = middle + 1;
        else
            high = middle;
    }
    return r->borders > 1 && low + r->borders <= borders && border[low] == r->border[0] ? low
                                                                                        : SIZE_MAX;
}

/* Each thread runs through the region's iterations at times of its own, as far as these are known;
   the others are taken to be with the one that leads. skip: so many at either end are left out */
static struct prvcut_window window_of(const struct lists *l, const struct job *j, size_t region,
                                      const size_t skip[2])
{
    const struct prvcut_region *r = &j->out->structure.region[region];
    const struct prvcut_known_loop *f = &j->known.at[j->known.of_region[region]];
    const uint32_t threads = j->trace->objects.threads;
    uint64_t *from = l->room + 2 * (size_t)threads * l->regions, *to = from + threads;
    const size_t first = f->calls.sequences > 0 ? first_border(f, r) : SIZE_MAX;

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
static bool clear_of_masks(const struct lists *l, const struct job *j, size_t region,
                           size_t skip[2])
{
    static const size_t tried[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };
    const struct prvcut_region *r = &j->out->structure.region[region];

    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const size_t out = tried[i][0] + tried[i][1];
        struct prvcut_window w;
        bool clear;

        if (r->borders < 2 * out + 2)
            return false;
        w = window_of(l, j, region, tried[i]);
        clear = w.thread_from != NULL;
        for (uint32_t k = 0; clear && k < j->trace->objects.threads; k++)
            clear = !touched(j, &(struct prvcut_span){ w.thread_from[k], w.thread_to[k] });
        if (clear) {
            skip[0] = tried[i][0];
            skip[1] = tried[i][1];
            return true;
        }
    }
    return false;
}

/* A region by itself; all: also where something disturbs it. */
static void region_into(struct lists *l, const struct job *j, size_t region, bool all)
{
    const struct prvcut_region *r = &j->out->structure.region[region];
    size_t skip[2] = { 0, 0 };
    const bool clear = !all && clear_of_masks(l, j, region, skip);

    l->region[l->regions] =
        (struct prvcut_proof_region){ .window = window_of(l, j, region, skip),
                                      .iterations = r->iterations - (double)(skip[0] + skip[1]),
                                      .mask = all || clear ? NULL : j->mask,
                                      .masks = all || clear ? 0 : j->mask_spans };
}

/* --- A whole loop ----------------------------------------------------------------------------- */

static void whole_add(struct whole *w, struct prvcut_span piece, double iterations)
{
    if (w->covered > 0 && piece.start > w->span.end)
        w->gap[w->gaps++] = (struct prvcut_span){ w->span.end, piece.start };
    if (w->covered <= 0)
        w->span.start = piece.start;
    w->span.end = piece.end;
    w->covered += (double)(piece.end - piece.start);
    w->iterations += iterations;
}

/* Its undisturbed regions, or all iterations, as far as these were told one by one. */
static void whole_fill(struct whole *w, const struct prvcut_structure *s,
                       const struct prvcut_region *r, bool all)
{
    for (size_t i = 0; all && i < s->stretches; i++) {
        const struct prvcut_stretch *t = &s->stretch[i];

        if (prvcut_stretch_is_of(t, r))
            whole_add(w, (struct prvcut_span){ t->border[0], t->border[t->borders - 1] },
                      (double)(t->borders - 1));
    }
    all = w->covered > 0;
    for (size_t i = 0; !all && i < s->regions; i++)
        if (prvcut_regions_share_loop(&s->region[i], r))
            whole_add(w, s->region[i].span, s->region[i].iterations);
}

/* Each thread runs through the loop at times of its own. */
static struct prvcut_window window_of_loop(const struct lists *l, const struct job *j,
                                           const struct prvcut_region *r, struct prvcut_span span)
{
    const struct prvcut_structure *s = &j->out->structure;
    const uint32_t threads = j->trace->objects.threads;
    uint64_t *from = l->room + 2 * (size_t)threads * l->regions, *to = from + threads;

    for (size_t i = 0; i < s->regions; i++) {
        const struct prvcut_known_loop *f;

        if (!prvcut_regions_share_loop(&s->region[i], r))
            continue;
        f = &j->known.at[j->known.of_region[i]];
        for (size_t k = 0; k < f->calls.sequences; k++) {
            const uint32_t thread = f->sequence[k].thread;
            const size_t borders = f->calls.borders[k];

            if (borders < 2 || thread >= threads)
                continue;
            if (to[thread] == 0)
                from[thread] = f->calls.border[k][0];
            to[thread] = f->calls.border[k][borders - 1];
        }
    }
    for (uint32_t i = 0; i < threads; i++)
        if (to[i] == 0) {
            from[i] = span.start;
            to[i] = span.end;
        }
    return (struct prvcut_window){
        .from = span.start, .to = span.end, .thread_from = from, .thread_to = to
    };
}

static enum prvcut_status loop_into(struct lists *l, const struct job *j,
                                    const struct prvcut_region *r, bool all,
                                    struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure;
    struct whole *w = &l->whole[l->regions];

    w->gap = calloc(s->regions + s->stretches + 1, sizeof *w->gap);
    if (!w->gap)
        return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for %zu regions", s->regions);
    whole_fill(w, s, r, all);
    /* Iterations are taken to be spread over the time, so that those in the pieces are counted. */
    l->region[l->regions] = (struct prvcut_proof_region){
        .window = window_of_loop(l, j, r, w->span),
        .iterations = w->iterations * (double)(w->span.end - w->span.start) / w->covered,
        .mask = w->gap,
        .masks = w->gaps,
        .mask_is_own = true
    };
    return PRVCUT_OK;
}

/* --- What each is compared with --------------------------------------------------------------- */

/* The first region of the same loop. */
static size_t first_of(const struct prvcut_structure *s, size_t region)
{
    size_t i = 0;

    while (i < region && !prvcut_regions_share_loop(&s->region[i], &s->region[region]))
        i++;
    return i;
}

/* With its loop? So is a cut that is all of its region, which would be compared with itself. */
static bool of_loop(const struct prvcut_structure *s, const struct prvcut_chop *chop)
{
    return chop->of_loop || prvcut_region_is_all(&s->region[chop->region], chop->iterations);
}

/*
 * What a chop is compared with, into *out. Masks do not count, but where no clear iterations were
 * to be had, and the chop had to be taken from masked ones, they count in the region, too.
 */
static enum prvcut_status region_of(size_t *out, struct lists *l, const struct job *j,
                                    const struct prvcut_chop *chop, struct prvcut_error *err)
{
    const struct prvcut_structure *s = &j->out->structure;
    const struct prvcut_region *r = &s->region[chop->region];
    const bool all = touched(j, &chop->cut.window);
    size_t *of =
        &l->of[2 * (of_loop(s, chop) ? s->regions + first_of(s, chop->region) : chop->region) +
               all];
    enum prvcut_status st = PRVCUT_OK;

    if (*of == 0) {
        if (of_loop(s, chop))
            st = loop_into(l, j, r, all, err);
        else
            region_into(l, j, chop->region, all);
        *of = ++l->regions;
    }
    *out = *of - 1;
    return st;
}

static enum prvcut_status fill(struct lists *l, const struct job *j, struct prvcut_error *err)
{
    const struct prvcut_reduction *r = j->out;
    uint64_t *border = l->border;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < r->chops && st == PRVCUT_OK; i++) {
        l->chop[i] = (struct prvcut_proof_chop){ .window = job_window(&r->chop[i], border),
                                                 .iterations = r->chop[i].iterations };
        st = region_of(&l->chop[i].region, l, j, &r->chop[i], err);
        border += 2 * (size_t)r->chop[i].threads;
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

enum prvcut_status job_proofs(struct job *j, struct prvcut_error *err)
{
    struct prvcut_reduction *r = j->out;
    struct lists l = { 0 };
    struct api_phase comparing;
    enum prvcut_status st;

    if (!job_proves(j) || r->chops == 0)
        return PRVCUT_OK;
    st = lists_new(&l, j, err);
    if (st == PRVCUT_OK)
        st = fill(&l, j, err);
    if (st == PRVCUT_OK) {
        api_phase_init(&comparing, j->run, "comparing");
        st = prvcut_proofs_make(l.proof, j->trace, &comparing.run, l.region, l.regions, l.chop,
                                r->chops, err);
    }
    for (size_t i = 0; st == PRVCUT_OK && i < r->chops; i++) {
        const struct prvcut_region *of = &r->structure.region[r->chop[i].region];

        r->chop[i].proof = l.proof[i];
        r->chop[i].proof.iterations_region =
            told_iterations(l.proof[i].iterations_region, of_loop(&r->structure, &r->chop[i])
                                                              ? l.whole[l.chop[i].region].iterations
                                                              : of->iterations);
    }
    lists_fini(&l);
    return st;
}
