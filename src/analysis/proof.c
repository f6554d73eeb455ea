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
    free(p->is.unlike_thread);
    memset(p, 0, sizeof *p);
}

/* All that the proofs are made of. */
struct proofs {
    struct prvcut_proof_cells cells;
    struct prvcut_proof_found found;
    struct prvcut_dictionary names;
    const struct prvcut_proof_region *region;
    const struct prvcut_proof_chop *chop;
    size_t regions;
    uint32_t threads;
    bool states;
};

static const struct prvcut_proof_thread *detail(const struct prvcut_proof_pair *p, int which,
                                                uint32_t thread)
{
    const size_t slot = which == REGION ? p->region : p->chop;

    return p->found->thread ? &p->found->thread[slot * p->threads + thread] : NULL;
}

static bool is_seen(const struct prvcut_proof_pair *p, uint32_t thread)
{
    const struct prvcut_proof_thread *r = detail(p, REGION, thread), *c = detail(p, CHOP, thread);

    return !r || (r->calls & 1) || (c->calls & 1);
}

static bool is_active(const struct prvcut_proof_pair *p, uint32_t thread)
{
    const struct prvcut_proof_thread *r = detail(p, REGION, thread), *c = detail(p, CHOP, thread);

    return r->running + c->running + r->mpi + c->mpi + r->calls / 2 + c->calls / 2 > 0;
}

static void set_totals(struct prvcut_proof_pair *p)
{
    const struct prvcut_proof_sums *s = &p->found->sums;

    for (size_t k = 0; k < s->key.count; k++) {
        if (prvcut_proof_sums_key(s, k)->kind != PRVCUT_PROOF_CALL)
            continue;
        for (int i = REGION; i <= CHOP; i++) {
            const struct prvcut_proof_sum *sum =
                &s->at[k * s->slots + (i == REGION ? p->region : p->chop)];

            p->calls[i] += (double)sum->count;
            p->mpi[i] += (double)sum->amount;
        }
    }
}

/*
 * Casas 4.2, 4.3: of the threads that compute or call in the region or in the chop. Windows of
 * threads may differ in length, so that each thread's computing is taken as a part of its own.
 */
static void set_efficiency(struct prvcut_proof_pair *p, const struct prvcut_proof_cells *c,
                           int which)
{
    const size_t slot = which == REGION ? p->region : p->chop;
    double sum = 0, most = 0, count = 0;

    /* Nothing tells when a thread computes. */
    if (!p->states && p->mpi[REGION] <= 0 && p->mpi[CHOP] <= 0)
        return;
    for (uint32_t i = 0; i < p->threads && p->found->thread; i++) {
        const struct prvcut_proof_thread *t = detail(p, which, i);
        const double length = (double)prvcut_proof_slot_length(c, slot, i, false);
        double part;

        if (length <= 0 || !is_active(p, i))
            continue;
        part = (p->states ? (double)t->running : length - (double)t->mpi) / length;
        /* Records that overlap add up to more than there is. */
        part = fmin(1, fmax(0, part));
        sum += part;
        most = fmax(most, part);
        count++;
    }
    if (most <= 0)
        return;
    p->efficiency[which][0] = sum / count;
    p->efficiency[which][1] = sum / (count * most);
    p->efficiency[which][2] = most;
}

static void set_time(struct prvcut_proof_pair *p, const struct prvcut_proof_cells *c, int which)
{
    const size_t slot = which == REGION ? p->region : p->chop;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < p->threads; i++)
        if (is_seen(p, i))
            sum += prvcut_proof_slot_length(c, slot, i, false);
    p->time[which] = (double)sum;
}

/* Iterations of a region or a chop whose masked time is left out. */
static double clear_iterations(const struct proofs *a, size_t slot, double iterations)
{
    double left = 0, all = 0;

    for (uint32_t i = 0; i < a->threads; i++) {
        left += (double)prvcut_proof_slot_length(&a->cells, slot, i, false);
        all += (double)prvcut_proof_slot_length(&a->cells, slot, i, true);
    }
    return all > 0 ? iterations * (left / all) : 0;
}

/* Threads whose calls per iteration are others in the chop. */
static enum prvcut_status set_unlike(struct made_proof *out, const struct prvcut_proof_pair *p,
                                     struct prvcut_error *err)
{
    if (!p->found->thread || p->iterations[REGION] <= 0)
        return PRVCUT_OK;
    out->is.unlike_thread =
        prvcut_zeroed(UNLIKE_MOST, sizeof *out->is.unlike_thread, "threads", err);
    if (!out->is.unlike_thread)
        return PRVCUT_ENOMEM;
    for (uint32_t i = 0; i < p->threads; i++) {
        const double calls = (double)(detail(p, CHOP, i)->calls / 2);
        const double all = (double)(detail(p, REGION, i)->calls / 2);
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

static enum prvcut_status make_one(struct made_proof *out, const struct proofs *a, size_t chop,
                                   struct prvcut_error *err)
{
    const size_t region = a->chop[chop].region;
    struct prvcut_proof_pair p = { .found = &a->found,
                                   .names = &a->names,
                                   .threads = a->threads,
                                   .states = a->states,
                                   .region = region,
                                   .chop = a->regions + chop };
    enum prvcut_status st;

    p.iterations[REGION] = clear_iterations(a, p.region, a->region[region].iterations);
    p.iterations[CHOP] = clear_iterations(a, p.chop, a->chop[chop].iterations);
    set_totals(&p);
    for (int i = REGION; i <= CHOP; i++) {
        set_time(&p, &a->cells, i);
        set_efficiency(&p, &a->cells, i);
    }
    out->is.iterations_region = p.iterations[REGION];
    st = set_unlike(out, &p, err);
    return st == PRVCUT_OK ? prvcut_proof_rows(out, &p, err) : st;
}

static bool has_running(const struct proofs *a)
{
    const struct prvcut_proof_found *f = &a->found;
    const struct prvcut_proof_key key = { PRVCUT_PROOF_STATE, a->names.running, 0 };
    const uint32_t at = prvcut_proof_sums_find(&f->sums, &key);

    for (size_t i = 0; at != UINT32_MAX && i < f->sums.slots; i++)
        if (f->sums.at[at * f->sums.slots + i].amount > 0)
            return true;
    return false;
}

enum prvcut_status prvcut_proofs_make(struct made_proof *out, struct prvcut_trace *t,
                                      const struct prvcut_run *run,
                                      const struct prvcut_proof_region *region, size_t regions,
                                      const struct prvcut_proof_chop *chop, size_t chops,
                                      const struct prvcut_proof_beside *beside,
                                      struct prvcut_error *err)
{
    struct proofs a = {
        .region = region, .chop = chop, .regions = regions, .threads = t->objects.threads
    };
    enum prvcut_status st;

    if (chops == 0)
        return PRVCUT_OK;
    st = t->reader->describe(t, &a.names, err);
    if (st == PRVCUT_OK)
        st = prvcut_proof_cells_init(&a.cells, region, regions, chop, chops, a.threads, err);
    if (st == PRVCUT_OK)
        st = prvcut_proof_pass(&a.found, t, run,
                               &(struct prvcut_proof_asked){ &a.cells, &a.names, beside }, err);
    if (st == PRVCUT_OK)
        a.states = has_running(&a);
    for (size_t i = 0; i < chops && st == PRVCUT_OK; i++)
        st = make_one(&out[i], &a, i, err);
    for (size_t i = 0; i < chops && st < 0; i++)
        prvcut_proof_fini(&out[i]);
    prvcut_proof_found_fini(&a.found);
    prvcut_proof_cells_fini(&a.cells);
    prvcut_dictionary_fini(&a.names);
    return st;
}
