#include "structure/call_grams.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const struct call_alphabet prvcut_call_alphabets[CALL_ALPHABETS] = {
    { .peer = true, .size = true, .site = true },
    { .peer = true, .site = true },
    { .site = true },
    { .peer = true, .size = true },
    { .peer = true },
    { .peer = false },
};

#define SLOTS_KEPT                                                                                 \
    1024 /* a bound of memory: of a table of kinds, from one sequence to the next                  \
          */

/* The finaliser of MurmurHash3: every bit of the input reaches every bit of the output. */
static uint64_t grams_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

uint64_t prvcut_call_symbol(const struct prvcut_call *c, const struct call_alphabet *a)
{
    uint64_t x = c->call, y = 0;

    if (a->peer)
        x |= (uint64_t)c->peer << 32;
    if (a->size)
        y = c->size;
    if (a->site)
        y |= (uint64_t)c->site << 32;
    return grams_mix(x + y * UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t prvcut_call_symbol_after(uint64_t symbol, uint64_t before)
{
    return symbol ^ grams_mix(before);
}

/* Where there are many grams, their hashes go before the list comes, and the list before the next
   hashes: both are as large as all else. */
#define GRAMS_MANY ((size_t)1 << 18)

static void grams_drop(struct call_grams *g)
{
    free(g->kind);
    free(g->place);
    free(g->list);
    free(g->hash);
    g->kind = g->place = g->list = NULL;
    g->hash = NULL;
    g->room = 0;
}

/* Room for `count` grams; what the arrays held is lost. */
static enum prvcut_status grams_reserve(struct call_grams *g, size_t count,
                                        struct prvcut_error *err)
{
    if (count > g->room) {
        grams_drop(g);
        g->kind = prvcut_unset(count, sizeof *g->kind, "calls", err);
        g->place = prvcut_unset(count, sizeof *g->place, "calls", err);
        g->room = g->kind && g->place ? count : 0;
        if (g->room == 0)
            return PRVCUT_ENOMEM;
    }
    if (g->room > GRAMS_MANY) {
        free(g->list);
        g->list = NULL;
    }
    if (!g->hash && g->room > 0)
        g->hash = prvcut_unset(g->room, sizeof *g->hash, "calls", err);
    return g->hash || g->room == 0 ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* Forget all kinds; a table that once grew large is not kept, as clearing it would cost more. */
static void grams_clear(struct call_grams *g)
{
    if (g->kind_of.slots > SLOTS_KEPT)
        prvcut_table_fini(&g->kind_of);
    if (g->kind_of.slots == 0)
        g->kind_of = (struct prvcut_table)PRVCUT_TABLE_SET(uint64_t, "kinds of calls");
    else
        prvcut_table_clear(&g->kind_of);
}

/* A new kind. */
static const uint64_t *grams_kind(struct call_grams *g, uint64_t hash, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&g->first, &g->first_room, g->kind_of.count + 2, sizeof *g->first,
                    err) < 0)
        return NULL;
    g->first[g->kind_of.count + 1] = 0;
    return prvcut_table_make(&g->kind_of, &hash, err);
}

/* Turn hashes into kinds, numbered in order of appearance; first[k + 1] counts kind k. */
static enum prvcut_status grams_number(struct call_grams *g, struct prvcut_error *err)
{
    grams_clear(g);
    if (prvcut_grow((void **)&g->first, &g->first_room, 1, sizeof *g->first, err) < 0)
        return PRVCUT_ENOMEM;
    g->first[0] = 0;
    for (size_t i = 0; i < g->count; i++) {
        const uint64_t *hash =
            prvcut_table_look(&g->kind_of, &g->hash[i], sizeof *hash, sizeof *hash);

        if (!hash && !(hash = grams_kind(g, g->hash[i], err)))
            return PRVCUT_ENOMEM;
        g->kind[i] = (uint32_t)(hash - (const uint64_t *)g->kind_of.at);
        g->first[g->kind[i] + 1]++;
    }
    g->kinds = g->kind_of.count;
    return PRVCUT_OK;
}

/* Counts to starts, then every gram into its kind's part of the list. */
static enum prvcut_status grams_sort(struct call_grams *g, struct prvcut_error *err)
{
    if (g->room > GRAMS_MANY) {
        free(g->hash);
        g->hash = NULL;
    }
    if (!g->list && g->room > 0 &&
        !(g->list = prvcut_unset(g->room, sizeof *g->list, "calls", err)))
        return PRVCUT_ENOMEM;
    for (size_t k = 1; k <= g->kinds; k++)
        g->first[k] += g->first[k - 1];
    for (size_t i = g->count; i-- > 0;)
        g->list[--g->first[g->kind[i] + 1]] = (uint32_t)i;
    /* first[k + 1] now holds the start of kind k. */
    for (size_t k = 0; k < g->kinds; k++)
        g->first[k] = g->first[k + 1];
    g->first[g->kinds] = (uint32_t)g->count;
    return PRVCUT_OK;
}

/* Symbols into hash[] and their calls into place[]; immediate repeats are taken back. */
static void grams_symbols(struct call_grams *g, const struct prvcut_call *at, size_t count,
                          const struct call_cut *cut)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        g->hash[n] = prvcut_call_symbol(&at[i], cut->alphabet);
        g->place[n++] = (uint32_t)i;
        for (size_t q = 1; q <= cut->fold && 2 * q <= n; q++)
            if (g->hash[n - 1] == g->hash[n - 1 - q] &&
                memcmp(&g->hash[n - q], &g->hash[n - 2 * q], q * sizeof *g->hash) == 0) {
                n -= q;
                break;
            }
    }
    g->count = n;
}

/* Replace each symbol by the hash of the run of `length` symbols that starts there. */
static void grams_roll(struct call_grams *g, size_t length)
{
    const uint64_t base = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t run = 0, top = 1;
    size_t n = g->count;

    if (n < length) {
        g->count = 0;
        return;
    }
    for (size_t i = 1; i < length; i++)
        top *= base;
    for (size_t i = 0; i < length; i++)
        run = run * base + g->hash[i];
    for (size_t i = 0; i + length <= n; i++) {
        uint64_t head = g->hash[i];

        g->hash[i] = grams_mix(run);
        if (i + length < n)
            run = (run - head * top) * base + g->hash[i + length];
    }
    g->count = n - length + 1;
}

enum prvcut_status prvcut_call_grams_make(struct call_grams *g, const struct prvcut_call *at,
                                          size_t count, const struct call_cut *cut,
                                          struct prvcut_error *err)
{
    enum prvcut_status st = grams_reserve(g, count, err);

    if (st != PRVCUT_OK)
        return st;
    grams_symbols(g, at, count, cut);
    if (cut->length > 1)
        grams_roll(g, cut->length);
    st = grams_number(g, err);
    return st == PRVCUT_OK ? grams_sort(g, err) : st;
}

enum prvcut_status prvcut_call_grams_pairs(struct call_grams *g, const uint32_t *symbol,
                                           size_t count, struct prvcut_error *err)
{
    enum prvcut_status st = grams_reserve(g, count, err);

    if (st != PRVCUT_OK)
        return st;
    g->count = count > 0 ? count - 1 : 0;
    for (size_t i = 0; i < g->count; i++)
        g->hash[i] = grams_mix((uint64_t)symbol[i] << 32 | symbol[i + 1]);
    st = grams_number(g, err);
    return st == PRVCUT_OK ? grams_sort(g, err) : st;
}

uint64_t prvcut_call_grams_print(const struct call_grams *g)
{
    uint64_t print = g->kinds;

    for (size_t i = 0; i < g->count; i++)
        print = ((print ^ print >> 32) ^ g->kind[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return grams_mix(print);
}

void prvcut_call_grams_fini(struct call_grams *g)
{
    grams_drop(g);
    free(g->first);
    prvcut_table_fini(&g->kind_of);
    *g = (struct call_grams){ 0 };
}
