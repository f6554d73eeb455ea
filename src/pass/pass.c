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

static enum prvcut_status pass_end(struct pass *p, uint64_t end, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < p->listeners && st == PRVCUT_OK; i++)
        if (p->listener[i]->end)
            st = p->listener[i]->end(p->listener[i]->ctx, end, err);
    for (size_t i = 0; i < p->workers * p->listeners && st == PRVCUT_OK; i++) {
        const struct prvcut_listener *l = p->listener[i % p->listeners];

        if (l->merge)
            st = l->merge(l->ctx, p->worker[i], err);
        pass_room_drop(&p->worker[i], &l->worker);
    }
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
        st = pass_end(&p, own.last_ns > t->end_ns ? own.last_ns : t->end_ns, err);
    pass_fini(&p);
    return st;
}
