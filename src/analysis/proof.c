#include "analysis/proof.h"

#include "analysis/proof_rows.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REGION, CHOP };

#define UNLIKE_MOST 64

void prvcut_proof_fini(struct made_proof *p)
{
    for (size_t i = 0; i < p->is.rows; i++)
        free(p->row[i].name);
    free(p->row);
    for (size_t i = 0; i < p->is.waits; i++)
        free(p->wait[i].name);
    free(p->wait);
    free(p->is.unlike_thread);
    memset(p, 0, sizeof *p);
}

static const struct prvcut_proof_thread *proof_detail(const struct prvcut_proof_pair *p, int which,
                                                      uint32_t thread)
{
    return p->column[which]->thread ? &p->column[which]->thread[thread] : NULL;
}

static bool proof_is_seen(const struct prvcut_proof_pair *p, uint32_t thread)
{
    const struct prvcut_proof_thread *r = proof_detail(p, REGION, thread),
                                     *c = proof_detail(p, CHOP, thread);

    return !r || (r->calls & 1) || (c->calls & 1);
}

static bool proof_is_active(const struct prvcut_proof_pair *p, uint32_t thread)
{
    return prvcut_column_has(p->column[REGION], thread) ||
           prvcut_column_has(p->column[CHOP], thread);
}

static void proof_set_totals(struct prvcut_proof_pair *p)
{
    const struct prvcut_proof_sums *s = &p->measure->found.sums;

    for (size_t k = 0; k < s->key.count; k++) {
        if (prvcut_proof_sums_key(s, k)->kind != PRVCUT_PROOF_CALL)
            continue;
        for (int i = REGION; i <= CHOP; i++) {
            p->calls[i] += (double)p->column[i]->sum[k].count;
            p->mpi[i] += (double)p->column[i]->sum[k].amount;
        }
    }
}

/*
 * Casas 4.2, 4.3: of the threads that compute or call in the region or in the chop. Windows of
 * threads may differ in length; how long all take is their mean, as in src/analysis/efficiency.
 */
static void proof_set_efficiency(struct prvcut_proof_pair *p, int which)
{
    double sum = 0, most = 0, time = 0, count = 0;

    /* Nothing tells when a thread computes. */
    if (!p->measure->states && p->mpi[REGION] <= 0 && p->mpi[CHOP] <= 0)
        return;
    for (uint32_t i = 0; i < p->measure->threads && p->column[which]->thread; i++) {
        const double length = (double)p->column[which]->length[i];
        double computing;

        if (length <= 0 || !proof_is_active(p, i))
            continue;
        computing = prvcut_column_computing(p->column[which], p->measure, i);
        sum += computing;
        most = fmax(most, computing);
        time += length;
        count++;
    }
    if (most <= 0)
        return;
    p->efficiency[which][0] = sum / time;
    p->efficiency[which][1] = sum / (count * most);
    p->efficiency[which][2] = most * count / time;
}

static void proof_set_time(struct prvcut_proof_pair *p, int which)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < p->measure->threads; i++)
        if (proof_is_seen(p, i))
            sum += p->column[which]->length[i];
    p->time[which] = (double)sum;
}

/* Threads whose calls per iteration are others in the chop. */
static enum prvcut_status proof_set_unlike(struct made_proof *out,
                                           const struct prvcut_proof_pair *p,
                                           struct prvcut_error *err)
{
    if (!p->measure->found.thread || p->iterations[REGION] <= 0)
        return PRVCUT_OK;
    out->is.unlike_thread =
        prvcut_zeroed(UNLIKE_MOST, sizeof *out->is.unlike_thread, "threads", err);
    if (!out->is.unlike_thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < p->measure->threads; i++) {
        const double calls = (double)(proof_detail(p, CHOP, i)->calls / 2);
        const double all = (double)(proof_detail(p, REGION, i)->calls / 2);
        const double wanted = all / p->iterations[REGION] * p->iterations[CHOP];
        const double off = fabs(calls - wanted);

        out->is.threads += all > 0;
        if (off <= 0.1 * wanted || off < 0.999)
            continue;
        out->is.unlike++;
        if (out->is.unlike_threads < UNLIKE_MOST)
            out->is.unlike_thread[out->is.unlike_threads++] = i;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proof_compare(struct made_proof *out, const struct prvcut_measure *m,
                                        const struct prvcut_column *const column[2],
                                        const double iterations[2], struct prvcut_error *err)
{
    struct prvcut_proof_pair p = { .measure = m, .column = { column[REGION], column[CHOP] } };
    enum prvcut_status st;

    for (int i = REGION; i <= CHOP; i++)
        p.iterations[i] = iterations[i] * column[i]->part;
    proof_set_totals(&p);
    for (int i = REGION; i <= CHOP; i++) {
        proof_set_time(&p, i);
        proof_set_efficiency(&p, i);
    }
    out->is.iterations_region = p.iterations[REGION];
    st = proof_set_unlike(out, &p, err);
    if (st == PRVCUT_OK)
        st = prvcut_proof_rows(out, &p, err);
    if (st < 0)
        prvcut_proof_fini(out);
    return st;
}

/* All that the proofs are made of. */
struct proofs {
    struct prvcut_measure measure;
    struct prvcut_column column[2];
    struct prvcut_proof_region *stretch; /* [regions + chops] */
    const struct prvcut_proof_region *region;
    const struct prvcut_proof_chop *chop;
    size_t regions;
};

static enum prvcut_status proof_make_one(struct made_proof *out, struct proofs *a, size_t chop,
                                         struct prvcut_error *err)
{
    const size_t slot[2] = { a->chop[chop].region, a->regions + chop };
    const double iterations[2] = { a->region[slot[REGION]].iterations, a->chop[chop].iterations };

    for (int i = REGION; i <= CHOP; i++)
        prvcut_column_set(&a->column[i], &a->measure, &slot[i], 1);
    return prvcut_proof_compare(
        out, &a->measure,
        (const struct prvcut_column *const[]){ &a->column[REGION], &a->column[CHOP] }, iterations,
        err);
}

/* Regions, then chops, of which what is masked in their regions does not count. */
static enum prvcut_status proof_stretches_new(struct proofs *a, size_t chops,
                                              struct prvcut_error *err)
{
    a->stretch = prvcut_zeroed(a->regions + chops + 1, sizeof *a->stretch, "cuts", err);
    if (!a->stretch)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < a->regions; i++)
        a->stretch[i] = a->region[i];
    for (size_t i = 0; i < chops; i++) {
        const struct prvcut_proof_region *of = &a->region[a->chop[i].region];

        a->stretch[a->regions + i] = (struct prvcut_proof_region){ .window = a->chop[i].window,
                                                                   .mask = of->mask,
                                                                   .masks = of->masks };
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proofs_make(struct made_proof *out, struct prvcut_trace *t,
                                      const struct prvcut_run *run,
                                      const struct prvcut_proof_region *region, size_t regions,
                                      const struct prvcut_proof_chop *chop, size_t chops,
                                      const struct prvcut_proof_beside *beside,
                                      struct prvcut_error *err)
{
    struct proofs a = { .region = region, .chop = chop, .regions = regions };
    enum prvcut_status st;

    if (chops == 0)
        return PRVCUT_OK;
    st = proof_stretches_new(&a, chops, err);
    if (st == PRVCUT_OK)
        st = prvcut_measure_make(&a.measure, t, run, a.stretch, regions + chops, NULL, beside, err);
    for (int i = REGION; i <= CHOP && st == PRVCUT_OK; i++)
        st = prvcut_column_init(&a.column[i], &a.measure, err);
    for (size_t i = 0; i < chops && st == PRVCUT_OK; i++)
        st = proof_make_one(&out[i], &a, i, err);
    for (size_t i = 0; i < chops && st < 0; i++)
        prvcut_proof_fini(&out[i]);
    for (int i = REGION; i <= CHOP; i++)
        prvcut_column_fini(&a.column[i]);
    prvcut_measure_fini(&a.measure);
    free(a.stretch);
    return st;
}
