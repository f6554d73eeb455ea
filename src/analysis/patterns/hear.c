#include "analysis/patterns/hear.h"

#include "analysis/patterns/choose.h"
#include "analysis/patterns/tolerant.h"
#include "base/memory.h"
#include "base/table.h"

#include <stdlib.h>

/** A call by all that it can be compared by. */
struct her_symbol {
    uint32_t call, peer, size, site;
    uint32_t number;
};

/** The same, as far as one alphabet looks. */
struct her_key {
    uint32_t alphabet, call, peer, size, site;
    uint32_t number;
};

struct her_ear {
    struct prvcut_table symbols; /* of her_symbol */
    struct prvcut_table keys;    /* of her_key */
    struct pat_thread thread;
    size_t room;
};

static enum prvcut_status her_number(struct her_ear *e, const struct her_symbol *s,
                                     enum pat_alphabet a, uint32_t *out, struct prvcut_error *err)
{
    const bool partner = a == PAT_PARTNER || a == PAT_SIZE || a == PAT_ALL;
    const struct her_key key = { .alphabet = a,
                                 .call = s->call,
                                 .peer = partner ? s->peer : 0,
                                 .size = a == PAT_SIZE || a == PAT_ALL ? s->size : 0,
                                 .site = a == PAT_SITE || a == PAT_ALL ? s->site : 0 };
    const size_t before = e->keys.count;
    struct her_key *k = prvcut_table_make(&e->keys, &key, err);

    if (!k)
        return PRVCUT_ENOMEM;
    if (e->keys.count > before)
        k->number = (uint32_t)e->thread.different[a]++;
    *out = k->number;
    return PRVCUT_OK;
}

/* A call that is unlike all before it. */
static enum prvcut_status her_add(struct her_ear *e, struct her_symbol *s, struct prvcut_error *err)
{
    struct pat_thread *t = &e->thread;
    enum prvcut_status st = PRVCUT_OK;

    s->number = (uint32_t)t->symbols;
    if (prvcut_grow((void **)&t->symbol, &e->room, t->symbols + 1, sizeof *t->symbol, err) < 0)
        return PRVCUT_ENOMEM;
    t->symbol[t->symbols] = (struct pat_symbol){ .type = s->call };
    for (unsigned a = 0; a < PAT_ALPHABETS && st == PRVCUT_OK; a++)
        st = her_number(e, s, (enum pat_alphabet)a, &t->symbol[t->symbols].of[a], err);
    t->symbols++;
    return st;
}

static enum prvcut_status her_take(struct her_ear *e, const struct prvcut_call_sequence *s,
                                   struct prvcut_error *err)
{
    struct pat_thread *t = &e->thread;

    t->call = prvcut_unset(s->count, sizeof *t->call, "calls", err);
    if (!t->call)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->count; i++) {
        const struct prvcut_call *c = &s->at[i];
        const struct her_symbol key = { c->call, c->peer, c->size, c->site, 0 };
        const size_t before = e->symbols.count;
        struct her_symbol *symbol = prvcut_table_make(&e->symbols, &key, err);

        if (!symbol || (e->symbols.count > before && her_add(e, symbol, err) < 0))
            return PRVCUT_ENOMEM;
        t->call[i] =
            (struct pat_call){ .begin = c->time, .end = c->time, .symbol = symbol->number };
    }
    t->calls = s->count;
    return PRVCUT_OK;
}

static enum prvcut_status her_exact(struct prvcut_nested *out, const struct pat_fit *fit,
                                    struct prvcut_error *err)
{
    out->first = prvcut_unset((size_t)fit->loop.count + 1, sizeof *out->first, "iterations", err);
    if (!out->first)
        return PRVCUT_ENOMEM;
    out->count = fit->loop.count;
    out->cover = fit->cover;
    for (uint64_t i = 0; i <= fit->loop.count; i++)
        out->first[i] = (uint32_t)(fit->loop.first + i * fit->loop.calls);
    return PRVCUT_OK;
}

static enum prvcut_status her_tolerant(struct prvcut_nested *out, const struct pat_tolerant *loop,
                                       struct prvcut_error *err)
{
    if (loop->count == 0)
        return PRVCUT_OK;
    out->first = prvcut_unset(loop->count + 1, sizeof *out->first, "iterations", err);
    if (!out->first)
        return PRVCUT_ENOMEM;
    out->count = loop->count;
    out->cover = loop->cover;
    out->tolerant = true;
    for (uint64_t i = 0; i <= loop->count; i++)
        out->first[i] = (uint32_t)loop->border[i];
    return PRVCUT_OK;
}

static enum prvcut_status her_listen(struct prvcut_nested *out, const struct pat_thread *t,
                                     struct prvcut_error *err)
{
    struct pat_tolerant loop;
    enum pat_alphabet alphabet;
    struct pat_fit fit;
    enum prvcut_status st = pat_choose(t, PAT_NONE, &alphabet, &fit, err);

    if (st < 0 || fit.outermost)
        return st < 0 ? st : her_exact(out, &fit, err);
    st = pat_tolerant_find(&loop, t, PAT_NONE, err);
    if (st == PRVCUT_OK)
        st = her_tolerant(out, &loop, err);
    pat_tolerant_fini(&loop);
    return st;
}

enum prvcut_status pat_hear(struct prvcut_nested *out, const struct prvcut_call_sequence *s,
                            struct prvcut_error *err)
{
    struct her_ear e = { .symbols = PRVCUT_TABLE(struct her_symbol, number, "calls"),
                         .keys = PRVCUT_TABLE(struct her_key, number, "calls") };
    enum prvcut_status st;

    *out = (struct prvcut_nested){ .count = 0 };
    if (s->count == 0)
        return PRVCUT_OK;
    st = her_take(&e, s, err);
    if (st == PRVCUT_OK)
        st = her_listen(out, &e.thread, err);
    free(e.thread.call);
    free(e.thread.symbol);
    prvcut_table_fini(&e.symbols);
    prvcut_table_fini(&e.keys);
    return st;
}
