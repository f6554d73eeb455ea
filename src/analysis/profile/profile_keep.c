#include "analysis/profile/profile_keep.h"

#include "analysis/profile/profile_add.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of what is put. */
#define PKE_KEY  24
#define PKE_CELL (PKE_KEY + 6 * 8)
#define PKE_BIN  (PKE_KEY + 8)

/* --- Put -------------------------------------------------------------------------------------- */

static void pke_put_key(struct prvcut_put *p, uint32_t slot, uint32_t second,
                        const struct prvcut_proof_key *of)
{
    prvcut_put_u32(p, slot);
    prvcut_put_u32(p, second);
    prvcut_put_u32(p, of->kind);
    prvcut_put_u32(p, of->type);
    prvcut_put_u64(p, (uint64_t)of->value);
}

static size_t pke_count(const struct prvcut_table *t, size_t stretches)
{
    const struct prvcut_profile_cell *c = t->at;
    size_t count = 0;

    for (size_t i = 0; i < t->count; i++)
        count += c[i].key.slot < stretches;
    return count;
}

size_t prvcut_profile_cells_of(const struct prvcut_profile_found *f, size_t stretches)
{
    return pke_count(&f->cell, stretches) + pke_count(&f->rest, stretches);
}

/* The slot first; else any order that is the same each time. */
static int pke_by_key(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct prvcut_profile_key));
}

static int pke_by_bin(const void *a, const void *b)
{
    return memcmp(a, b, sizeof((struct prvcut_profile_bin *)0)->key);
}

/* In an order that does not depend on who saw what first. */
static void *pke_sorted(struct prvcut_put *p, const struct prvcut_table *t,
                        int (*compare)(const void *, const void *))
{
    void *at = prvcut_copied(t->at, t->count * t->item, t->what, p->err);

    if (at && t->count > 0)
        qsort(at, t->count, t->item, compare);
    p->st = at ? p->st : PRVCUT_ENOMEM;
    return at;
}

static void pke_put_cells(struct prvcut_put *p, const struct prvcut_table *t, size_t stretches)
{
    struct prvcut_profile_cell *c = pke_sorted(p, t, pke_by_key);

    prvcut_put_u64(p, pke_count(t, stretches));
    for (size_t i = 0; c && i < t->count; i++) {
        const uint64_t value[] = { c[i].amount, c[i].count, c[i].parts,
                                   c[i].least,  c[i].most,  c[i].open };

        if (c[i].key.slot >= stretches)
            continue;
        pke_put_key(p, c[i].key.slot, c[i].key.thread, &c[i].key.of);
        prvcut_put_u64s(p, value, sizeof value / sizeof *value);
    }
    free(c);
}

static void pke_put_bins(struct prvcut_put *p, const struct prvcut_table *t, size_t stretches)
{
    struct prvcut_profile_bin *b = pke_sorted(p, t, pke_by_bin);
    size_t count = 0;

    for (size_t i = 0; b && i < t->count; i++)
        count += b[i].key.slot < stretches;
    prvcut_put_u64(p, count);
    for (size_t i = 0; b && i < t->count; i++) {
        if (b[i].key.slot >= stretches)
            continue;
        pke_put_key(p, b[i].key.slot, b[i].key.bin, &b[i].key.of);
        prvcut_put_u64(p, b[i].count);
    }
    free(b);
}

static void pke_put_reach(struct prvcut_put *p, const struct prvcut_profile_reach *r)
{
    const uint64_t time[] = { r->first, r->begins, r->last, r->inside, r->lost };

    prvcut_put_u64s(p, time, sizeof time / sizeof *time);
    prvcut_put_u32(p, r->type);
    prvcut_put_u32(p, (uint32_t)r->seen | (uint32_t)r->calls << 1 | (uint32_t)r->ends << 2);
}

static void pke_put_order(struct prvcut_put *p, const struct prvcut_causality *c)
{
    const uint64_t value[] = { c->checked,           c->violations,   c->worst,
                               c->violations_before, c->worst_before, c->matching };

    prvcut_put_u64s(p, value, sizeof value / sizeof *value);
}

static const struct prvcut_window *pke_window(const struct prvcut_profile_found *f, size_t slot)
{
    return &f->cells.piece[f->cells.of[slot]].window;
}

void prvcut_profile_put(struct prvcut_put *p, const struct prvcut_profile_found *f,
                        size_t stretches)
{
    prvcut_put_u32(p, f->threads);
    prvcut_put_u32(p, f->any);
    prvcut_put_u32(p, f->binned);
    prvcut_put_u32(p, f->rests);
    prvcut_put_u64(p, f->end_ns);
    prvcut_put_u64(p, f->lost);
    prvcut_put_u64(p, f->skipped);
    prvcut_put_u64(p, stretches);
    for (size_t i = 0; i < stretches; i++)
        for (uint32_t t = 0; t < f->threads; t++) {
            const struct prvcut_span own = prvcut_window_own(pke_window(f, i), t);

            prvcut_put_span(p, own.start, own.end);
        }
    for (uint32_t t = 0; t < f->threads; t++)
        pke_put_reach(p, &f->reach[t]);
    pke_put_cells(p, &f->cell, stretches);
    pke_put_cells(p, &f->rest, stretches);
    pke_put_bins(p, &f->bin, stretches);
    pke_put_order(p, &f->order);
}

/* --- Get -------------------------------------------------------------------------------------- */

/* What is taken. */
struct pke_taker {
    struct prvcut_get *g;
    struct prvcut_profile_found *f;
    uint32_t
        *slot; /* [stretches] of those that were put: the one that is asked; UINT32_MAX: none */
    size_t stretches;
};

/* Which of those that are asked has these borders; the next ones are looked for from where the one
   before was found. */
static bool pke_is(const struct prvcut_profile_found *f, size_t asked, const uint64_t *own)
{
    const struct prvcut_window *w = pke_window(f, asked);

    for (uint32_t t = 0; t < f->threads; t++) {
        const struct prvcut_span is = prvcut_window_own(w, t);

        if (is.start != own[2 * t] || is.end != own[2 * t + 1])
            return false;
    }
    return true;
}

/* Are all that are asked there? room: [2 * threads] */
static bool pke_match(struct pke_taker *k, uint32_t binned, bool bins, uint64_t *room)
{
    struct prvcut_profile_found *f = k->f;
    const size_t asked = f->cells.slots;
    size_t found = 0;

    for (size_t i = 0; i < k->stretches; i++) {
        prvcut_get_u64s(k->g, room, 2 * (size_t)f->threads);
        k->slot[i] = UINT32_MAX;
        if (k->g->bad || found == asked || !pke_is(f, found, room) || (bins && i >= binned))
            continue;
        k->slot[i] = (uint32_t)found++;
    }
    return found == asked;
}

static void pke_get_reach(struct prvcut_get *g, struct prvcut_profile_reach *r)
{
    uint64_t time[5] = { 0 };
    uint32_t bits;

    prvcut_get_u64s(g, time, sizeof time / sizeof *time);
    r->first = time[0], r->begins = time[1], r->last = time[2];
    r->inside = time[3], r->lost = time[4];
    r->type = prvcut_get_u32(g);
    bits = prvcut_get_u32(g);
    r->seen = bits & 1;
    r->calls = bits & 2;
    r->ends = bits & 4;
}

static void pke_get_key(struct pke_taker *k, uint32_t *slot, uint32_t *second,
                        struct prvcut_proof_key *of)
{
    const uint32_t put = prvcut_get_u32(k->g);

    prvcut_get_check(k->g, put < k->stretches);
    *slot = put < k->stretches ? k->slot[put] : UINT32_MAX;
    *second = prvcut_get_u32(k->g);
    of->kind = prvcut_get_u32(k->g);
    of->type = prvcut_get_u32(k->g);
    of->value = (int64_t)prvcut_get_u64(k->g);
    prvcut_get_check(k->g, of->kind <= PRVCUT_PROOF_COUNTER);
}

/* to: NULL: they are not asked */
static void pke_get_cells(struct pke_taker *k, struct prvcut_table *to)
{
    const size_t count = prvcut_get_count(k->g, PKE_CELL);

    for (size_t i = 0; i < count && !k->g->bad; i++) {
        struct prvcut_profile_key key;
        uint64_t value[6] = { 0 };
        struct prvcut_profile_cell *c;

        memset(&key, 0, sizeof key);
        pke_get_key(k, &key.slot, &key.thread, &key.of);
        prvcut_get_u64s(k->g, value, sizeof value / sizeof *value);
        prvcut_get_check(k->g, key.thread < k->f->threads);
        if (k->g->bad || !to || key.slot == UINT32_MAX)
            continue;
        c = prvcut_table_make(to, &key, NULL);
        prvcut_get_check(k->g, c != NULL);
        if (!c)
            return;
        c->amount = value[0], c->count = value[1], c->parts = value[2];
        c->least = value[3], c->most = value[4], c->open = value[5];
    }
}

static void pke_get_bins(struct pke_taker *k, struct prvcut_table *to)
{
    const size_t count = prvcut_get_count(k->g, PKE_BIN);

    for (size_t i = 0; i < count && !k->g->bad; i++) {
        struct prvcut_profile_bin want, *b;

        memset(&want, 0, sizeof want);
        pke_get_key(k, &want.key.slot, &want.key.bin, &want.key.of);
        want.count = prvcut_get_u64(k->g);
        if (k->g->bad || !to || want.key.slot == UINT32_MAX)
            continue;
        b = prvcut_table_make(to, &want.key, NULL);
        prvcut_get_check(k->g, b != NULL);
        if (!b)
            return;
        b->count = want.count;
    }
}

static void pke_get_order(struct prvcut_get *g, struct prvcut_causality *c)
{
    uint64_t value[6] = { 0 };

    prvcut_get_u64s(g, value, sizeof value / sizeof *value);
    c->checked = value[0], c->violations = value[1], c->worst = value[2];
    c->violations_before = value[3], c->worst_before = value[4], c->matching = value[5];
}

static bool pke_take(struct pke_taker *k, const struct prvcut_profile_asked *asked)
{
    struct prvcut_profile_found *f = k->f;
    struct prvcut_get *g = k->g;
    uint64_t *room = prvcut_get_room(g, 2 * (size_t)f->threads, sizeof *room);
    uint32_t binned;
    bool rests;

    prvcut_get_check(g, prvcut_get_u32(g) == f->threads);
    f->any = prvcut_get_u32(g);
    binned = prvcut_get_u32(g);
    rests = prvcut_get_u32(g);
    f->end_ns = prvcut_get_u64(g);
    f->lost = prvcut_get_u64(g);
    f->skipped = prvcut_get_u64(g);
    k->stretches = prvcut_get_count(g, 16 * (size_t)f->threads);
    k->slot = prvcut_get_room(g, k->stretches, sizeof *k->slot);
    if (!room || !k->slot || !pke_match(k, binned, asked->bins, room) || (f->rests && !rests)) {
        free(room);
        return false;
    }
    free(room);
    for (uint32_t t = 0; t < f->threads; t++)
        pke_get_reach(g, &f->reach[t]);
    pke_get_cells(k, &f->cell);
    pke_get_cells(k, f->rests ? &f->rest : NULL);
    pke_get_bins(k, f->bins ? &f->bin : NULL);
    /* Older indices end here, and do not tell what follows. */
    if (!g->bad && g->left == 0)
        return false;
    pke_get_order(g, &f->order);
    prvcut_get_check(g, g->left == 0);
    return !g->bad;
}

bool prvcut_profile_get(struct prvcut_get *g, struct prvcut_profile_found *f,
                        struct prvcut_trace *t, const struct prvcut_profile_asked *asked)
{
    struct pke_taker k = { .g = g, .f = f };
    bool done = prvcut_profile_begin(f, t, asked, NULL) == PRVCUT_OK && f->apart &&
                asked->until == UINT64_MAX && asked->only.end == 0 && !asked->outside &&
                !asked->functions && !asked->lines && !asked->met && !asked->off && !asked->pace;

    done = done && pke_take(&k, asked);
    free(k.slot);
    return done;
}
