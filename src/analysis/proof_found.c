#include "analysis/proof_found.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum prvcut_status prvcut_proof_found_init(struct prvcut_proof_found *f, size_t slots,
                                           uint32_t threads, struct prvcut_error *err)
{
    size_t count;

    prvcut_proof_sums_init(&f->sums, slots);
    if (!prvcut_ckd_mul_size(&count, slots, threads) || count > PRVCUT_PROOF_DETAIL)
        return PRVCUT_OK;
    f->thread = prvcut_zeroed(count + 1, sizeof *f->thread, "threads", err);
    if (!f->thread)
        return PRVCUT_ENOMEM;
    f->details = count;
    return PRVCUT_OK;
}

void prvcut_proof_found_put(struct prvcut_put *p, const struct prvcut_proof_found *f)
{
    prvcut_proof_sums_put(p, &f->sums);
    prvcut_put_u64(p, f->ended.calls);
    prvcut_put_u64(p, f->ended.backward);
    for (size_t i = 0; i < f->details; i++) {
        const struct prvcut_proof_thread *t = &f->thread[i];
        const uint64_t all[] = { i, t->running, t->mpi, t->calls };

        if (t->running | t->mpi | t->calls)
            prvcut_put_u64s(p, all, 4);
    }
    prvcut_put_u64(p, UINT64_MAX);
}

void prvcut_proof_found_get(struct prvcut_get *g, struct prvcut_proof_found *f)
{
    prvcut_proof_sums_get(g, &f->sums);
    f->ended.calls += prvcut_get_u64(g);
    f->ended.backward += prvcut_get_u64(g);
    for (uint64_t i = prvcut_get_u64(g); i != UINT64_MAX && !g->bad; i = prvcut_get_u64(g)) {
        struct prvcut_proof_thread *to = i < f->details ? &f->thread[i] : NULL;
        uint64_t all[3] = { 0 };

        prvcut_get_u64s(g, all, 3);
        prvcut_get_check(g, to != NULL);
        if (g->bad)
            return;
        to->running += all[0];
        to->mpi += all[1];
        to->calls =
            (to->calls & ~UINT64_C(1)) + (all[2] & ~UINT64_C(1)) + ((to->calls | all[2]) & 1);
    }
}

void prvcut_proof_found_clear(struct prvcut_proof_found *f)
{
    prvcut_proof_sums_clear(&f->sums);
    f->ended = (struct prvcut_proof_ended){ 0, 0 };
    if (f->thread)
        memset(f->thread, 0, f->details * sizeof *f->thread);
}

void prvcut_proof_found_fini(struct prvcut_proof_found *f)
{
    prvcut_proof_sums_fini(&f->sums);
    free(f->thread);
    memset(f, 0, sizeof *f);
}
