#include "analysis/measure.h"

#include "analysis/proof_keys.h"
#include "base/buffer.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool msr_has_running(const struct prvcut_measure *m)
{
    const struct prvcut_proof_sums *s = &m->found.sums;
    const struct prvcut_proof_key key = { PRVCUT_PROOF_STATE, m->names.running, 0 };
    const uint32_t at = prvcut_proof_sums_find(s, &key);

    for (size_t i = 0; at != UINT32_MAX && i < s->slots; i++)
        if (s->at[at * s->slots + i].amount > 0)
            return true;
    return false;
}

enum prvcut_status prvcut_measure_lay(struct prvcut_measure *m, struct prvcut_trace *t,
                                      const struct prvcut_proof_region *stretch, size_t stretches,
                                      struct prvcut_error *err)
{
    enum prvcut_status st;

    *m = (struct prvcut_measure){ .threads = t->objects.threads };
    st = t->reader->describe(t, &m->names, err);
    return st == PRVCUT_OK ? prvcut_proof_cells_init(&m->cells, stretch, stretches, m->threads, err)
                           : st;
}

void prvcut_measure_settle(struct prvcut_measure *m)
{
    m->states = msr_has_running(m);
}

enum prvcut_status prvcut_measure_make(struct prvcut_measure *m, struct prvcut_trace *t,
                                       const struct prvcut_run *run,
                                       const struct prvcut_proof_region *stretch, size_t stretches,
                                       const struct prvcut_proof_only *only,
                                       const struct prvcut_proof_beside *beside,
                                       struct prvcut_error *err)
{
    static const struct prvcut_proof_only all = { .span = NULL };
    enum prvcut_status st = prvcut_measure_lay(m, t, stretch, stretches, err);

    if (st == PRVCUT_OK)
        st = prvcut_proof_pass(
            &m->found, t, run,
            &(struct prvcut_proof_asked){ &m->cells, &m->names, beside, only ? *only : all }, err);
    if (st == PRVCUT_OK)
        prvcut_measure_settle(m);
    return st;
}

void prvcut_measure_fini(struct prvcut_measure *m)
{
    prvcut_proof_found_fini(&m->found);
    prvcut_proof_cells_fini(&m->cells);
    prvcut_dictionary_fini(&m->names);
    memset(m, 0, sizeof *m);
}

enum prvcut_status prvcut_column_init(struct prvcut_column *c, const struct prvcut_measure *m,
                                      struct prvcut_error *err)
{
    const size_t keys = m->found.sums.key.count, threads = m->threads;

    *c = (struct prvcut_column){ .part = 0 };
    c->sum = prvcut_zeroed(keys + 1, sizeof *c->sum, "sums", err);
    c->length = prvcut_zeroed(threads + 1, sizeof *c->length, "threads", err);
    if (m->found.thread)
        c->thread = prvcut_zeroed(threads + 1, sizeof *c->thread, "threads", err);
    return c->sum && c->length && (c->thread || !m->found.thread) ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void msr_add_sums(struct prvcut_column *c, const struct prvcut_proof_sums *s, size_t slot)
{
    for (size_t k = 0; k < s->key.count; k++) {
        c->sum[k].amount += s->at[k * s->slots + slot].amount;
        c->sum[k].count += s->at[k * s->slots + slot].count;
    }
}

/* all: ns with what is masked, of all threads so far */
static void msr_add_threads(struct prvcut_column *c, const struct prvcut_measure *m, size_t slot,
                            double *all)
{
    for (uint32_t i = 0; i < m->threads; i++) {
        c->length[i] += prvcut_proof_slot_length(&m->cells, slot, i, false);
        *all += (double)prvcut_proof_slot_length(&m->cells, slot, i, true);
    }
    for (uint32_t i = 0; c->thread && i < m->threads; i++) {
        const struct prvcut_proof_thread *from = &m->found.thread[slot * m->threads + i];

        c->thread[i].running += from->running;
        c->thread[i].mpi += from->mpi;
        c->thread[i].calls += from->calls & ~UINT64_C(1);
        c->thread[i].calls |= from->calls & 1;
    }
}

static void msr_set_part(struct prvcut_column *c, uint32_t threads, double all)
{
    double clear = 0;

    for (uint32_t i = 0; i < threads; i++)
        clear += (double)c->length[i];
    c->part = all > 0 ? clear / all : 0;
}

void prvcut_column_set(struct prvcut_column *c, const struct prvcut_measure *m, const size_t *slot,
                       size_t slots)
{
    double all = 0;

    memset(c->sum, 0, m->found.sums.key.count * sizeof *c->sum);
    memset(c->length, 0, m->threads * sizeof *c->length);
    if (c->thread)
        memset(c->thread, 0, m->threads * sizeof *c->thread);
    for (size_t i = 0; i < slots; i++) {
        msr_add_sums(c, &m->found.sums, slot[i]);
        msr_add_threads(c, m, slot[i], &all);
    }
    msr_set_part(c, m->threads, all);
}

/* Where a part of the run has no MPI calls, what are called so there are regions. */
static bool msr_is_alike(const struct prvcut_measure *m, const struct prvcut_measure *more,
                         size_t key)
{
    return more->found.regions == m->found.regions ||
           prvcut_proof_sums_key(&more->found.sums, key)->kind != PRVCUT_PROOF_CALL;
}

enum prvcut_status prvcut_measure_adopt(struct prvcut_measure *m, const struct prvcut_measure *more,
                                        struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    uint32_t at;

    for (size_t k = 0; k < more->found.sums.key.count && st == PRVCUT_OK; k++)
        if (msr_is_alike(m, more, k))
            st = prvcut_proof_sums_enter(&m->found.sums,
                                         prvcut_proof_sums_key(&more->found.sums, k), &at, err);
    return st;
}

enum prvcut_status prvcut_column_grow(struct prvcut_column *c, const struct prvcut_measure *m,
                                      size_t keys, struct prvcut_error *err)
{
    size_t room = keys + 1;

    if (!c->sum || m->found.sums.key.count <= keys)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&c->sum, &room, m->found.sums.key.count + 1, sizeof *c->sum, err) < 0)
        return PRVCUT_ENOMEM;
    memset(c->sum + keys, 0, (m->found.sums.key.count - keys) * sizeof *c->sum);
    return PRVCUT_OK;
}

void prvcut_column_set_adopted(struct prvcut_column *c, const struct prvcut_measure *m,
                               const struct prvcut_measure *more, size_t slot)
{
    const struct prvcut_proof_sums *from = &more->found.sums;
    double all = 0;

    memset(c->sum, 0, m->found.sums.key.count * sizeof *c->sum);
    memset(c->length, 0, m->threads * sizeof *c->length);
    if (c->thread)
        memset(c->thread, 0, m->threads * sizeof *c->thread);
    for (size_t k = 0; k < from->key.count; k++) {
        const uint32_t at = prvcut_proof_sums_find(&m->found.sums, prvcut_proof_sums_key(from, k));

        if (at != UINT32_MAX && msr_is_alike(m, more, k))
            c->sum[at] = from->at[k * from->slots + slot];
    }
    msr_add_threads(c, more, slot, &all);
    msr_set_part(c, m->threads, all);
}

void prvcut_column_fini(struct prvcut_column *c)
{
    free(c->sum);
    free(c->thread);
    free(c->length);
    memset(c, 0, sizeof *c);
}

double prvcut_column_computing(const struct prvcut_column *c, const struct prvcut_measure *m,
                               uint32_t thread)
{
    const double length = (double)c->length[thread];
    const struct prvcut_proof_thread *t = &c->thread[thread];

    /* Records that overlap add up to more than there is. */
    return fmin(length, fmax(0, m->states ? (double)t->running : length - (double)t->mpi));
}

bool prvcut_column_has(const struct prvcut_column *c, uint32_t thread)
{
    const struct prvcut_proof_thread *t = c->thread ? &c->thread[thread] : NULL;

    return !t || t->running + t->mpi + t->calls / 2 > 0;
}

const char *prvcut_measure_key_text(char *out, size_t room, const struct prvcut_measure *m,
                                    size_t key)
{
    return prvcut_proof_key_text(out, room, prvcut_proof_sums_key(&m->found.sums, key), &m->names);
}
