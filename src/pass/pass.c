#include "pass/pass.h"

#include "base/memory.h"
#include "base/ordered.h"
#include "base/pool.h"

#include <assert.h>
#include <stdlib.h>

/* One part's rooms, a listener each. */
struct pass_part {
    struct prvcut_pooled pooled;
    uint64_t number;
    void *room[];
};

struct pass {
    const struct prvcut_listener *const *listener;
    size_t listeners;
    unsigned workers;
    void **worker;           /* [workers][listeners] */
    struct prvcut_pool idle; /* parts */
    bool by_thread;          /* parts are single threads' */
    uint64_t next;           /* the part that follows the latest one that was joined */
    bool shared;             /* the reading is, with other processes */
};

/* --- Rooms ------------------------------------------------------------------------------------ */

static enum prvcut_status pass_room_make(void **out, const struct prvcut_pass_room *room, void *ctx,
                                         struct prvcut_error *err)
{
    *out = NULL;
    if (room->bytes == 0)
        return PRVCUT_OK;
    *out = prvcut_zeroed(1, room->bytes, room->what, err);
    if (!*out)
        return PRVCUT_ENOMEM;
    return room->init ? room->init(ctx, *out, err) : PRVCUT_OK;
}

static void pass_room_drop(void **at, const struct prvcut_pass_room *room)
{
    if (*at && room->fini)
        room->fini(*at);
    free(*at);
    *at = NULL;
}

static void pass_part_free(void *ctx, void *thing)
{
    const struct pass *p = ctx;
    struct pass_part *part = thing;

    for (size_t i = 0; i < p->listeners; i++)
        pass_room_drop(&part->room[i], &p->listener[i]->part);
    free(part);
}

static enum prvcut_status pass_part_new(struct pass *p, struct pass_part **out,
                                        struct prvcut_error *err)
{
    struct pass_part *part =
        prvcut_zeroed(1, sizeof *part + p->listeners * sizeof *part->room, "a part", err);
    enum prvcut_status st = part ? PRVCUT_OK : PRVCUT_ENOMEM;

    for (size_t i = 0; i < p->listeners && st == PRVCUT_OK; i++)
        st = pass_room_make(&part->room[i], &p->listener[i]->part, p->listener[i]->ctx, err);
    if (st < 0 && part)
        pass_part_free(p, part);
    else
        *out = part;
    return st;
}

/* --- Parts ------------------------------------------------------------------------------------ */

static void pass_discard(void *ctx, void *state)
{
    struct pass *p = ctx;
    struct pass_part *part = state;

    for (size_t i = 0; i < p->listeners; i++)
        if (p->listener[i]->clear)
            p->listener[i]->clear(part->room[i]);
    prvcut_pool_put(&p->idle, part);
}

static enum prvcut_status pass_begin(void *ctx, unsigned worker, uint64_t number, void **state,
                                     struct prvcut_error *err)
{
    struct pass *p = ctx;
    struct pass_part *part = prvcut_pool_get(&p->idle);
    enum prvcut_status st = PRVCUT_OK;

    if (!part)
        st = pass_part_new(p, &part, err);
    if (st < 0)
        return st;
    part->number = number;
    for (size_t i = 0; i < p->listeners && st == PRVCUT_OK; i++) {
        const struct prvcut_listener *l = p->listener[i];

        if (l->begin)
            st = l->begin(l->ctx, p->worker[worker * p->listeners + i], part->room[i], number, err);
    }
    if (st < 0)
        pass_discard(p, part);
    else
        *state = part;
    return st;
}

static enum prvcut_status pass_batch(void *ctx, unsigned worker, void *state,
                                     const struct prvcut_batch *batch, struct prvcut_error *err)
{
    struct pass *p = ctx;
    struct pass_part *part = state;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->listeners && st == PRVCUT_OK; i++) {
        const struct prvcut_listener *l = p->listener[i];

        st = l->batch(l->ctx, p->worker[worker * p->listeners + i], part->room[i], batch, err);
    }
    return st;
}

static enum prvcut_status pass_join(void *ctx, void *state, struct prvcut_error *err)
{
    struct pass *p = ctx;
    struct pass_part *part = state;
    const bool gap = !p->by_thread && part->number != p->next;
    enum prvcut_status st = PRVCUT_OK;

    p->next = part->number + 1;
    for (size_t i = 0; gap && i < p->listeners && st == PRVCUT_OK; i++)
        if (p->listener[i]->gap)
            st = p->listener[i]->gap(p->listener[i]->ctx, err);
    for (size_t i = 0; i < p->listeners && st == PRVCUT_OK; i++)
        if (p->listener[i]->join)
            st = p->listener[i]->join(p->listener[i]->ctx, part->room[i], err);
    return st;
}

/* --- Shared with other processes ---------------------------------------------------------------
 */

static void pass_put(void *ctx, struct prvcut_put *out)
{
    struct pass *p = ctx;

    p->shared = true;
    prvcut_put_u64(out, p->next);
    for (size_t i = 0; i < p->listeners; i++)
        p->listener[i]->share->put(p->listener[i]->ctx, out);
}

static void pass_get(void *ctx, struct prvcut_get *in)
{
    struct pass *p = ctx;

    p->shared = true;
    p->next = prvcut_get_u64(in);
    for (size_t i = 0; i < p->listeners; i++)
        p->listener[i]->share->get(p->listener[i]->ctx, in);
}

static void pass_sums_put(void *ctx, struct prvcut_put *out)
{
    const struct pass *p = ctx;

    for (size_t i = 0; i < p->listeners; i++)
        p->listener[i]->share->sums.put(p->listener[i]->ctx, out);
}

static void pass_sums_add(void *ctx, struct prvcut_get *in)
{
    const struct pass *p = ctx;

    for (size_t i = 0; i < p->listeners; i++)
        p->listener[i]->share->sums.add(p->listener[i]->ctx, in);
}

static void pass_sums_clear(void *ctx)
{
    const struct pass *p = ctx;

    for (size_t i = 0; i < p->listeners; i++)
        p->listener[i]->share->sums.clear(p->listener[i]->ctx);
}

static bool pass_can_share(const struct pass *p)
{
    bool all = true;

    for (size_t i = 0; i < p->listeners; i++)
        all = all && p->listener[i]->share;
    return all;
}

/* What the last rank carries is the whole's, once what was open has ended there: all take it. */
static enum prvcut_status pass_spread(struct pass *p, const struct prvcut_exchange *x,
                                      enum prvcut_status st, struct prvcut_error *err)
{
    const bool last = prvcut_exchange_is_last(x);
    struct prvcut_put out = { .err = err };
    struct prvcut_get in = { 0 };

    if (last && st == PRVCUT_OK) {
        pass_put(p, &out);
        st = out.st;
    }
    st = prvcut_exchange_spread(x, x->ranks - 1, st, &out.b, err);
    in = (struct prvcut_get){ out.b.at, out.b.count, false };
    if (!last && st == PRVCUT_OK) {
        pass_get(p, &in);
        st = prvcut_exchange_taken(&in, err);
    }
    prvcut_buffer_fini(&out.b);
    return st;
}

static enum prvcut_status pass_together(struct pass *p, const struct prvcut_exchange *x,
                                        enum prvcut_status st, struct prvcut_error *err)
{
    const struct prvcut_shares sums = { p, pass_sums_put, pass_sums_add, pass_sums_clear };
    const enum prvcut_status met = x->meet(x->ctx, "putting together what was read", err);

    if (met < 0)
        return met;
    st = pass_spread(p, x, st, err);
    return prvcut_exchange_sum(x, &sums, st, err);
}

/* --- All of it -------------------------------------------------------------------------------- */

static struct prvcut_consumer pass_consumer(struct pass *p, const struct prvcut_reader *reader)
{
    struct prvcut_consumer c = { .running_only = true,
                                 .ctx = p,
                                 .begin = pass_begin,
                                 .batch = pass_batch,
                                 .join = pass_join,
                                 .discard = pass_discard };

    for (size_t i = 0; i < p->listeners; i++) {
        const struct prvcut_listener *l = p->listener[i];

        assert(!l->detail || !c.detail);
        c.roles |= l->roles;
        c.states |= l->states;
        c.running_only &= l->running_only || !l->states;
        c.messages |= l->messages;
        c.posts |= l->posts;
        c.detail = l->detail ? l->detail : c.detail;
        c.detail_roles |= l->detail_roles;
        *(reader->heads ? &c.head_roles : &c.roles) |= l->head_roles;
    }
    if (pass_can_share(p)) {
        c.put = pass_put;
        c.get = pass_get;
    }
    return c;
}

static enum prvcut_status pass_init(struct pass *p, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    prvcut_pool_init(&p->idle);
    p->worker = prvcut_zeroed(p->workers * p->listeners, sizeof *p->worker, "workers", err);
    if (!p->worker)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < p->workers * p->listeners && st == PRVCUT_OK; i++) {
        const struct prvcut_listener *l = p->listener[i % p->listeners];

        st = pass_room_make(&p->worker[i], &l->worker, l->ctx, err);
    }
    return st;
}

/* Of a reading that is shared the last rank knows what is open. */
static enum prvcut_status pass_end(struct pass *p, const struct prvcut_exchange *x, uint64_t end,
                                   struct prvcut_error *err)
{
    const bool ends = !p->shared || prvcut_exchange_is_last(x);
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->listeners && ends && st == PRVCUT_OK; i++)
        if (p->listener[i]->end)
            st = p->listener[i]->end(p->listener[i]->ctx, end, err);
    for (size_t i = 0; i < p->workers * p->listeners && st == PRVCUT_OK; i++) {
        const struct prvcut_listener *l = p->listener[i % p->listeners];

        if (l->merge)
            st = l->merge(l->ctx, p->worker[i], err);
        pass_room_drop(&p->worker[i], &l->worker);
    }
    if (p->shared)
        st = pass_together(p, x, st, err);
    return st;
}

static void pass_fini(struct pass *p)
{
    for (size_t i = 0; p->worker && i < p->workers * p->listeners; i++)
        pass_room_drop(&p->worker[i], &p->listener[i % p->listeners]->worker);
    free(p->worker);
    prvcut_pool_fini(&p->idle, pass_part_free, p);
}

enum prvcut_status prvcut_pass_run(struct prvcut_trace *t, const struct prvcut_run *run,
                                   const struct prvcut_span *only,
                                   const struct prvcut_listener *const *listener, size_t listeners,
                                   struct prvcut_counts *counts, struct prvcut_error *err)
{
    struct pass p = { .listener = listener,
                      .listeners = listeners,
                      .workers = prvcut_workers(run->threads),
                      .by_thread = t->reader->by_thread };
    const struct prvcut_consumer c = pass_consumer(&p, t->reader);
    struct prvcut_counts own = { .last_ns = 0 };
    enum prvcut_status st = pass_init(&p, err);

    if (st == PRVCUT_OK)
        st = only ? t->reader->scan_window(t, run, only->start, only->end, &c, err)
                  : t->reader->scan(t, run, &c, &own, err);
    if (counts && !only)
        *counts = own;
    if (st == PRVCUT_OK)
        st = pass_end(&p, run->exchange, own.last_ns > t->end_ns ? own.last_ns : t->end_ns, err);
    pass_fini(&p);
    return st;
}
