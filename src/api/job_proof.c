#include "api/job.h"

#include "analysis/proof.h"

#include <stdlib.h>

/* The lists that the comparison takes. */
struct lists {
    struct prvcut_proof_region *region;
    struct prvcut_proof_chop *chop;
    struct prvcut_proof *proof;
    uint64_t *border; /* of aligned chops: first all lefts, then all rights of each */
    size_t *of;       /* [2 * structure.regions] index in region + 1, without and with what is
                         masked; 0: not asked for */
    size_t regions;
};

static void lists_fini(struct lists *l)
{
    free(l->region);
    free(l->chop);
    free(l->proof);
    free(l->border);
    free(l->of);
}

static enum prvcut_status lists_new(struct lists *l, const struct prvcut_reduction *r,
                                    struct prvcut_error *err)
{
    size_t borders = 0;

    for (size_t i = 0; i < r->chops; i++)
        borders += 2 * (size_t)r->chop[i].threads;
    l->region = calloc(r->chops + 1, sizeof *l->region);
    l->chop = calloc(r->chops + 1, sizeof *l->chop);
    l->proof = calloc(r->chops + 1, sizeof *l->proof);
    l->border = calloc(borders + 1, sizeof *l->border);
    l->of = calloc(2 * r->structure.regions + 1, sizeof *l->of);
    if (l->region && l->chop && l->proof && l->border && l->of)
        return PRVCUT_OK;
    return prvcut_fail(err, PRVCUT_ENOMEM, "out of memory for the proof of %zu chops", r->chops);
}

static bool touched(const struct job *j, const struct prvcut_span *w)
{
    for (size_t i = 0; i < j->mask_spans; i++)
        if (j->mask[i].start < w->end && j->mask[i].end > w->start)
            return true;
    return false;
}

/*
 * What a chop is compared with. Masks do not count, but where no clear iterations were to be had,
 * and the chop had to be taken from masked ones, they count in the region, too.
 */
static size_t region_of(struct lists *l, const struct job *j, const struct prvcut_chop *chop)
{
    const struct prvcut_region *r = &j->out->structure.region[chop->region];
    const bool all = touched(j, &chop->cut.window);
    size_t *of = &l->of[2 * chop->region + all];

    if (*of == 0) {
        l->region[l->regions++] = (struct prvcut_proof_region){ .span = r->span,
                                                                .period_ns = r->period_ns,
                                                                .mask = all ? NULL : j->mask,
                                                                .masks = all ? 0 : j->mask_spans };
        *of = l->regions;
    }
    return *of - 1;
}

static void fill(struct lists *l, const struct job *j)
{
    const struct prvcut_reduction *r = j->out;
    uint64_t *border = l->border;

    for (size_t i = 0; i < r->chops; i++) {
        l->chop[i] = (struct prvcut_proof_chop){ .region = region_of(l, j, &r->chop[i]),
                                                 .window = job_window(&r->chop[i], border),
                                                 .iterations = r->chop[i].iterations };
        border += 2 * (size_t)r->chop[i].threads;
    }
}

enum prvcut_status job_proofs(struct job *j, struct prvcut_error *err)
{
    struct prvcut_reduction *r = j->out;
    struct lists l = { 0 };
    enum prvcut_status st;

    if ((!j->options->proof && !j->options->report) || r->chops == 0)
        return PRVCUT_OK;
    st = lists_new(&l, r, err);
    if (st == PRVCUT_OK) {
        fill(&l, j);
        st = prvcut_proofs_make(l.proof, j->trace, j->run, l.region, l.regions, l.chop, r->chops,
                                err);
    }
    for (size_t i = 0; st == PRVCUT_OK && i < r->chops; i++)
        r->chop[i].proof = l.proof[i];
    lists_fini(&l);
    return st;
}
