#include "analysis/proof_pass.h"

#include "analysis/proof_follow.h"
#include "base/checked.h"
#include "base/memory.h"
#include "pass/pass.h"

#include <stdlib.h>
#include <string.h>

/* The records of one reading. */
struct taker {
    struct prvcut_proof_follow follow;
    struct prvcut_proof_worker joins;
    struct prvcut_proof_carry carry;
    struct prvcut_proof_found *out;
};

static enum prvcut_status ppa_worker(void *ctx, void *worker, struct prvcut_error *err)
{
    return prvcut_proof_worker_init(worker, &((struct taker *)ctx)->follow, err);
}

static void ppa_worker_fini(void *worker)
{
    prvcut_proof_worker_fini(worker);
}

static void ppa_part_fini(void *room)
{
    prvcut_proof_part_fini(room);
}

static enum prvcut_status ppa_begin(void *ctx, void *worker, void *part, uint64_t number,
                                    struct prvcut_error *err)
{
    struct prvcut_proof_worker *w = worker;

    (void)number, (void)ctx, (void)part, (void)err;
    prvcut_rows_begin(&w->calls);
    prvcut_rows_begin(&w->counters);
    return PRVCUT_OK;
}

static enum prvcut_status ppa_batch(void *ctx, void *worker, void *part,
                                    const struct prvcut_batch *batch, struct prvcut_error *err)
{
    return prvcut_proof_batch(&((struct taker *)ctx)->follow, worker, part, batch, err);
}

static enum prvcut_status ppa_join(void *ctx, void *part, struct prvcut_error *err)
{
    struct taker *t = ctx;

    return prvcut_proof_join(&t->follow, &t->joins, &t->carry, part, err);
}

static void ppa_clear(void *room)
{
    prvcut_proof_part_clear(room);
}

static enum prvcut_status ppa_end(void *ctx, uint64_t end_ns, struct prvcut_error *err)
{
    struct taker *t = ctx;

    return prvcut_proof_end(&t->follow, &t->joins, &t->carry, end_ns, err);
}

static enum prvcut_status ppa_merge(void *ctx, void *worker, struct prvcut_error *err)
{
    struct taker *t = ctx;
    struct prvcut_proof_worker *w = worker;

    prvcut_proof_flush(&t->follow, w);
    t->out->ended.calls += w->ended.calls;
    t->out->ended.backward += w->ended.backward;
    return prvcut_proof_sums_merge(&t->out->sums, &w->sums, err);
}

/* --- Shared with other processes ---------------------------------------------------------------
 */

static void ppa_put(void *ctx, struct prvcut_put *out)
{
    const struct taker *t = ctx;

    prvcut_counted_put(out, t->carry.read, t->follow.threads);
    prvcut_follow_carry_put(out, &t->carry.calls);
}

static void ppa_get(void *ctx, struct prvcut_get *in)
{
    struct taker *t = ctx;

    prvcut_counted_get(in, t->carry.read, t->follow.threads);
    prvcut_follow_carry_get(in, &t->carry.calls);
}

/* What workers added up, and what was added where parts were joined. */
static void ppa_sums_put(void *ctx, struct prvcut_put *out)
{
    struct taker *t = ctx;

    prvcut_proof_flush(&t->follow, &t->joins);
    prvcut_proof_found_put(out, t->out);
    prvcut_proof_sums_put(out, &t->joins.sums);
    prvcut_put_u64(out, t->joins.ended.calls);
    prvcut_put_u64(out, t->joins.ended.backward);
}

static void ppa_sums_get(void *ctx, struct prvcut_get *in)
{
    struct taker *t = ctx;

    prvcut_proof_found_get(in, t->out);
    prvcut_proof_sums_get(in, &t->out->sums);
    t->out->ended.calls += prvcut_get_u64(in);
    t->out->ended.backward += prvcut_get_u64(in);
}

static void ppa_sums_clear(void *ctx)
{
    struct taker *t = ctx;

    prvcut_proof_found_clear(t->out);
    prvcut_proof_worker_clear(&t->joins);
}

static const struct prvcut_pass_share ppa_share = {
    .put = ppa_put,
    .get = ppa_get,
    .sums = { .put = ppa_sums_put, .add = ppa_sums_get, .clear = ppa_sums_clear },
};

/* --- One reading -------------------------------------------------------------------------------
 */

/* only: what is read; NULL: all */
static enum prvcut_status ppa_run(struct taker *t, struct prvcut_trace *trace,
                                  const struct prvcut_run *run, const struct prvcut_span *only,
                                  const struct prvcut_proof_beside *beside,
                                  struct prvcut_error *err)
{
    const uint32_t regions = t->out->regions ? PRVCUT_ROLE_BIT(PRVCUT_ROLE_REGION) : 0;
    const struct prvcut_listener listener = {
        .roles = PRVCUT_ROLES_MPI | PRVCUT_ROLES_COUNTED | regions,
        .states = true,
        .messages = true,
        .ctx = t,
        .worker = { sizeof(struct prvcut_proof_worker), "workers", ppa_worker, ppa_worker_fini },
        .part = { sizeof(struct prvcut_proof_part), "a part", NULL, ppa_part_fini },
        .begin = ppa_begin,
        .batch = ppa_batch,
        .join = ppa_join,
        .clear = ppa_clear,
        .end = ppa_end,
        .merge = ppa_merge,
        .share = &ppa_share,
    };
    const size_t listeners = 1 + (beside ? beside->listeners : 0);
    const struct prvcut_listener **all = prvcut_zeroed(listeners, sizeof *all, "who listens", err);
    enum prvcut_status st = PRVCUT_ENOMEM;

    if (all) {
        all[0] = &listener;
        for (size_t i = 1; i < listeners; i++)
            all[i] = beside->listener[i - 1];
        st = prvcut_pass_run(trace, run, only, all, listeners, NULL, err);
    }
    free(all);
    return st == PRVCUT_OK ? ppa_merge(t, &t->joins, err) : st;
}

/* One reading, of all or of a part; what it left open is not known in the next one. */
static enum prvcut_status ppa_once(struct taker *t, struct prvcut_trace *trace,
                                   const struct prvcut_run *run, const struct prvcut_span *only,
                                   const struct prvcut_proof_beside *beside,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = prvcut_proof_carry_init(&t->carry, &t->follow, err);

    if (st == PRVCUT_OK)
        st = ppa_worker(t, &t->joins, err);
    if (st == PRVCUT_OK)
        st = ppa_run(t, trace, run, only, beside, err);
    prvcut_proof_worker_fini(&t->joins);
    prvcut_proof_carry_fini(&t->carry);
    t->joins = (struct prvcut_proof_worker){ 0 };
    t->carry = (struct prvcut_proof_carry){ 0 };
    return st;
}

/* Part by part; how far that is in all nobody could tell. */
static enum prvcut_status ppa_parts(struct taker *t, struct prvcut_trace *trace,
                                    const struct prvcut_run *run,
                                    const struct prvcut_proof_only *only, struct prvcut_error *err)
{
    struct prvcut_run quiet = *run;
    enum prvcut_status st = PRVCUT_OK;

    quiet.progress = NULL;
    for (size_t i = 0; i < only->spans && st == PRVCUT_OK; i++) {
        struct prvcut_span read = only->span[i];

        t->follow.only = read;
        read.start = read.start > only->before ? read.start - only->before : 0;
        st = ppa_once(t, trace, &quiet, &read, NULL, err);
    }
    return st;
}

static enum prvcut_status ppa_read(struct prvcut_proof_found *out, struct prvcut_trace *trace,
                                   const struct prvcut_run *run,
                                   const struct prvcut_proof_asked *asked, struct prvcut_error *err)
{
    struct taker t = { .follow = { .cells = asked->cells,
                                   .names = asked->names,
                                   .threads = trace->objects.threads,
                                   .regions = out->regions,
                                   .only = { 0, UINT64_MAX } },
                       .out = out };
    enum prvcut_status st;

    st = prvcut_proof_found_init(out, asked->cells->slots, t.follow.threads, err);
    t.follow.detail = out->thread;
    if (st < 0)
        return st;
    return asked->only.span ? ppa_parts(&t, trace, run, &asked->only, err)
                            : ppa_once(&t, trace, run, NULL, asked->beside, err);
}

static bool ppa_has_calls(const struct prvcut_proof_found *f)
{
    for (size_t i = 0; i < f->sums.key.count; i++)
        if (prvcut_proof_sums_key(&f->sums, i)->kind == PRVCUT_PROOF_CALL)
            return true;
    return false;
}

static bool ppa_may_have_regions(const struct prvcut_trace *t)
{
    for (size_t i = 0; i < t->types; i++)
        if (t->type[i].role == PRVCUT_ROLE_REGION)
            return true;
    return false;
}

enum prvcut_status prvcut_proof_pass(struct prvcut_proof_found *out, struct prvcut_trace *t,
                                     const struct prvcut_run *run,
                                     const struct prvcut_proof_asked *asked,
                                     struct prvcut_error *err)
{
    const struct prvcut_proof_asked again = { asked->cells, asked->names, NULL, asked->only };
    enum prvcut_status st;

    memset(out, 0, sizeof *out);
    st = ppa_read(out, t, run, asked, err);
    if (st < 0 || ppa_has_calls(out) || !ppa_may_have_regions(t))
        return st;
    prvcut_proof_found_fini(out);
    out->regions = true;
    return ppa_read(out, t, run, &again, err);
}
