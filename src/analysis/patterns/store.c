#include "analysis/patterns/store.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

#define MEMORY ((size_t)128 << 20)

struct sto_reading {
    struct pat_store *store;
    enum prvcut_status (*take)(void *ctx, struct pat_thread *one, struct prvcut_error *err);
    void *ctx;
};

static void sto_forget(struct pat_store *s)
{
    for (size_t i = 0; i < s->threads; i++) {
        free(s->thread[i].call);
        free(s->thread[i].symbol);
        free(s->thread[i].flush);
    }
    s->threads = s->bytes = 0;
    s->kept = false;
}

static enum prvcut_status sto_functions(struct pat_store *s, const struct pat_thread *t,
                                        struct prvcut_error *err)
{
    if (t->functions <= s->functions)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&s->function, &s->function_room, t->functions, sizeof *s->function,
                    err) < 0)
        return PRVCUT_ENOMEM;
    memcpy(s->function, t->function, t->functions * sizeof *s->function);
    s->functions = t->functions;
    return PRVCUT_OK;
}

static enum prvcut_status sto_keep(struct pat_store *s, const struct pat_thread *t,
                                   struct prvcut_error *err)
{
    const size_t bytes = t->calls * sizeof *t->call + t->symbols * sizeof *t->symbol +
                         t->flushes * sizeof *t->flush + sizeof *t;
    struct pat_thread *to;

    s->bytes += bytes;
    if (s->bytes > (s->memory > 0 ? s->memory : MEMORY)) {
        sto_forget(s);
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&s->thread, &s->room, s->threads + 1, sizeof *s->thread, err) < 0)
        return PRVCUT_ENOMEM;
    to = &s->thread[s->threads++];
    *to = *t;
    to->call = prvcut_copied(t->call, t->calls * sizeof *t->call, "calls", err);
    to->symbol = prvcut_copied(t->symbol, t->symbols * sizeof *t->symbol, "calls", err);
    to->flush = prvcut_copied(t->flush, t->flushes * sizeof *t->flush, "calls", err);
    return to->call && to->symbol && to->flush ? sto_functions(s, t, err) : PRVCUT_ENOMEM;
}

static enum prvcut_status sto_taken(void *ctx, struct pat_thread *one, struct prvcut_error *err)
{
    struct sto_reading *r = ctx;
    enum prvcut_status st = PRVCUT_OK;

    if (r->store->kept)
        st = sto_keep(r->store, one, err);
    return st == PRVCUT_OK ? r->take(r->ctx, one, err) : st;
}

static enum prvcut_status sto_again(struct pat_store *s,
                                    enum prvcut_status (*take)(void *ctx, struct pat_thread *one,
                                                               struct prvcut_error *err),
                                    void *ctx, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < s->threads && st == PRVCUT_OK; i++) {
        struct pat_thread one = s->thread[i];

        one.function = s->function;
        one.functions = s->functions;
        st = take(ctx, &one, err);
    }
    return st;
}

enum prvcut_status pat_store_each(struct pat_store *s,
                                  enum prvcut_status (*take)(void *ctx, struct pat_thread *one,
                                                             struct prvcut_error *err),
                                  void *ctx, struct prvcut_error *err)
{
    struct sto_reading r = { s, take, ctx };

    if (s->read && s->kept)
        return sto_again(s, take, ctx, err);
    s->kept = !s->read;
    s->read = true;
    s->readings++;
    return pat_sequences_read(s->trace, s->run, s->names, &s->options, sto_taken, &r, err);
}

void pat_store_fini(struct pat_store *s)
{
    sto_forget(s);
    free(s->thread);
    free(s->function);
}
