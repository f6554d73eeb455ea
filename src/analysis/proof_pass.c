#include "analysis/proof_pass.h"

#include "analysis/proof_follow.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/ordered.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pass {
    struct prvcut_proof_follow follow;
    struct prvcut_proof_worker *worker; /* [workers + 1]: the last one is that of the joins */
    unsigned workers;
    struct prvcut_proof_carry *carry; /* [threads] */
    struct prvcut_proof_part *idle;
    pthread_mutex_t lock;
};

static enum prvcut_status pass_begin(void *ctx, unsigned worker, uint64_t number, void **state,
                                     struct prvcut_error *err)
{
    struct pass *p = ctx;
    struct prvcut_proof_part *part;

    (void)number;
    pthread_mutex_lock(&p->lock);
    part = p->idle;
    if (part)
        p->idle = part->next;
    pthread_mutex_unlock(&p->lock);
    if (!part)
        part = prvcut_zeroed(1, sizeof *part, "a part", err);
    if (!part)
        return PRVCUT_ENOMEM;
    part->next = NULL;
    p->worker[worker].stamp++;
    *state = part;
    return PRVCUT_OK;
}

static enum prvcut_status pass_batch(void *ctx, unsigned worker, void *state,
                                     const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct pass *p = ctx;

    return prvcut_proof_batch(&p->follow, &p->worker[worker], state, batch, err);
}

static enum prvcut_status pass_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct pass *p = ctx;

    return prvcut_proof_join(&p->follow, &p->worker[p->workers], p->carry, state, err);
}

/* The part's room is kept for the next one. */
static void pass_discard(void *ctx, void *state)
{
    struct pass *p = ctx;
    struct prvcut_proof_part *part = state;

    part->count = part->readings = 0;
    pthread_mutex_lock(&p->lock);
    part->next = p->idle;
    p->idle = part;
    pthread_mutex_unlock(&p->lock);
}

static enum prvcut_status detail_init(struct prvcut_proof_found *f, size_t slots, uint32_t threads,
                                      struct prvcut_error *err)
{
    size_t count;

    if (!prvcut_ckd_mul_size(&count, slots, threads) || count > PRVCUT_PROOF_DETAIL)
        return PRVCUT_OK;
    f->thread = calloc(count + 1, sizeof *f->thread);
    return f->thread ? PRVCUT_OK : prvcut_no_memory(err, "threads");
}

static enum prvcut_status pass_init(struct pass *p, const struct prvcut_run *run,
                                    struct prvcut_error *err)
{
    const uint32_t threads = p->follow.threads;
    enum prvcut_status st = PRVCUT_OK;

    pthread_mutex_init(&p->lock, NULL);
    p->workers = prvcut_workers(run->threads);
    p->worker = calloc(p->workers + 1u, sizeof *p->worker);
    p->carry = calloc((size_t)threads + 1, sizeof *p->carry);
    if (!p->worker || !p->carry)
        return prvcut_no_memory(err, "threads");
    for (unsigned i = 0; i <= p->workers && st == PRVCUT_OK; i++)
        st = prvcut_proof_worker_init(&p->worker[i], &p->follow, err);
    return st;
}

static void pass_fini(struct pass *p)
{
    for (unsigned i = 0; p->worker && i <= p->workers; i++)
        prvcut_proof_worker_fini(&p->worker[i]);
    free(p->worker);
    free(p->carry);
    while (p->idle) {
        struct prvcut_proof_part *part = p->idle;

        p->idle = part->next;
        free(part->seen);
        free(part->reading);
        free(part);
    }
    pthread_mutex_destroy(&p->lock);
}

static enum prvcut_status pass_end(struct pass *p, struct prvcut_proof_found *out, uint64_t end,
                                   struct prvcut_error *err)
{
    enum prvcut_status st =
        prvcut_proof_end(&p->follow, &p->worker[p->workers], p->carry, end, err);

    for (unsigned i = 0; i <= p->workers && st == PRVCUT_OK; i++) {
        prvcut_proof_flush(&p->follow, &p->worker[i]);
        st = prvcut_proof_sums_merge(&out->sums, &p->worker[i].sums, err);
    }
    return st;
}

static enum prvcut_status pass(struct prvcut_proof_found *out, struct prvcut_trace *t,
                               const struct prvcut_run *run, const struct prvcut_proof_cells *cells,
                               const struct prvcut_dictionary *names, struct prvcut_error *err)
{
    struct pass p = { .follow = { .cells = cells,
                                  .names = names,
                                  .threads = t->objects.threads,
                                  .regions = out->regions } };
    const uint32_t regions = out->regions ? PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) : 0;
    const struct prvcut_consumer k = {
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLES_COUNTED | regions,
        .states = true,
        .messages = true,
        .ctx = &p,
        .begin = pass_begin,
        .batch = pass_batch,
        .join = pass_join,
        .discard = pass_discard,
    };
    struct prvcut_counts counts;
    enum prvcut_status st;

    prvcut_proof_sums_init(&out->sums, cells->slots);
    st = detail_init(out, cells->slots, p.follow.threads, err);
    p.follow.detail = out->thread;
    if (st < 0)
        return st;
    st = pass_init(&p, run, err);
    if (st == PRVCUT_OK)
        st = t->reader->scan(t, run, &k, &counts, err);
    if (st == PRVCUT_OK)
        st = pass_end(&p, out, counts.last_ns > t->end_ns ? counts.last_ns : t->end_ns, err);
    pass_fini(&p);
    return st;
}

static bool has_calls(const struct prvcut_proof_found *f)
{
    for (size_t i = 0; i < f->sums.key.count; i++)
        if (prvcut_proof_sums_key(&f->sums, i)->kind == PRVCUT_PROOF_CALL)
            return true;
    return false;
}

static bool may_have_regions(const struct prvcut_trace *t)
{
    for (size_t i = 0; i < t->types; i++)
        if (t->type[i].role == PRVCUT_ROLE_REGION)
            return true;
    return false;
}

enum prvcut_status prvcut_proof_pass(struct prvcut_proof_found *out, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_proof_cells *cells,
                                     const struct prvcut_dictionary *names,
                                     struct prvcut_error *err)
{
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    st = pass(out, t, run, cells, names, err);
    if (st < 0 || has_calls(out) || !may_have_regions(t))
        return st;
    prvcut_proof_found_fini(out);
    out->regions = true;
    return pass(out, t, run, cells, names, err);
}

void prvcut_proof_found_fini(struct prvcut_proof_found *f)
{
    prvcut_proof_sums_fini(&f->sums);
    free(f->thread);
    memset(f, 0, sizeof *f);
}
