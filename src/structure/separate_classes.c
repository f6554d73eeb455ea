#include "structure/separate_classes.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Limits of what is looked at. None is fitted.
 *
 * name     value    unit         decides
 */
#define CALLS_MOST   ((size_t)1 << 20) /* calls of a thread that are looked at */
#define FOURS_MOST   ((size_t)1 << 18) /* calls up to which runs of four are symbols, too */
#define SYMBOLS_MOST ((size_t)1 << 17) /* symbols of a thread that may be separators */
#define PLACES_MOST  16                /* occurrences of these, by the thread's calls */
#define COMPARED     40                /* classes of its number that a symbol is held against */
#define CLASSES_MOST 32                /* classes that are examined, ... */
#define CLASSES_FEW  12                /* ... or so many where these have more calls than: */
#define CALLS_ALL    ((size_t)1 << 17) /* calls of all examined classes together */
#define OCTAVE_MOST  3                 /* classes examined of each half octave of their number */
#define OCTAVES      64                /* half octaves there can be */

/* What a symbol is made of, and of how many calls in a row. */
static const struct form {
    struct call_alphabet of;
    size_t length;
} forms[] = {
    { { .peer = false }, 1 },
    { { .size = true }, 1 },
    { { .peer = true }, 1 },
    { { .peer = true, .size = true }, 1 },
    { { .site = true }, 1 },
    { { .site = true, .size = true }, 1 },
    { { .site = true, .peer = true }, 1 },
    { { .peer = false }, 2 },
    { { .size = true }, 2 },
    { { .peer = true }, 2 },
    { { .site = true }, 2 },
    { { .size = true }, 4 },
    { { .peer = true }, 4 },
    { { .site = true }, 4 },
};

#define FORMS (sizeof forms / sizeof *forms)

/* A symbol that may be a separator: `mark` tells its places, from one symbol to another. */
struct symbol {
    uint64_t mark;
    size_t place; /* index in the places of all */
    uint32_t count, first;
    unsigned lengths;
};

/* All symbols of a thread, those with the same places once. */
struct symbols {
    struct prvcut_table by_mark; /* of symbol */
    size_t most;                 /* of them */
    struct symbol *at;           /* [count] all, in order; once they are found */
    size_t count;
    uint32_t *place; /* [places] */
    size_t places, place_room, places_most;
};

/* A class under way: its leader and who is in it. */
struct draft {
    const struct symbol *leader;
    size_t anchors, total; /* total: of all classes with that number */
    uint32_t last;         /* first place of the symbol that was added last */
    unsigned lengths;
    double rank;
};

struct drafts {
    struct draft *at; /* [count] */
    size_t count, room;
};

/* --- The calls ------------------------------------------------------------------------------- */

static bool spc_looked_at(const struct prvcut_call *c, const struct separate_common *common)
{
    return common ? prvcut_separate_common_has(common, c) : !prvcut_call_polls(c->call);
}

/* The sequence's own calls, or a copy without some. */
static enum prvcut_status spc_leave_some(struct separate_calls *out,
                                         const struct prvcut_call_sequence *s,
                                         const struct separate_common *common,
                                         struct prvcut_error *err)
{
    const size_t all = s->count < CALLS_MOST ? s->count : CALLS_MOST;
    size_t left = 0;

    for (size_t i = 0; i < all; i++)
        left += spc_looked_at(&s->at[i], common);
    out->at = s->at;
    out->count = left;
    if (left == all || left == 0)
        return PRVCUT_OK;
    out->at = out->own = prvcut_unset(left, sizeof *out->own, "calls", err);
    out->index = prvcut_unset(left, sizeof *out->index, "calls", err);
    if (!out->own || !out->index)
        return PRVCUT_ENOMEM;
    for (size_t i = 0, n = 0; i < all; i++)
        if (spc_looked_at(&s->at[i], common)) {
            out->index[n] = (uint32_t)i;
            out->own[n++] = s->at[i];
        }
    return PRVCUT_OK;
}

/* What the calls say of themselves beside which they are. */
static struct call_alphabet spc_told(const struct separate_calls *c)
{
    struct call_alphabet a = { .peer = false };

    for (size_t i = 0; i < c->count && !(a.peer && a.size && a.site); i++) {
        a.peer = a.peer || c->at[i].peer != 0;
        a.size = a.size || c->at[i].size != 0;
        a.site = a.site || c->at[i].site != 0;
    }
    return a;
}

/*
 * Each call by its finest symbol that lasts; what lives only for a short while (a communicator that
 * is made in each step) by its call alone.
 */
static enum prvcut_status spc_number_singles(struct separate_calls *c, struct call_grams *g,
                                             struct prvcut_error *err)
{
    const struct call_alphabet known = spc_told(c), plain = { .peer = false };
    const struct call_alphabet fine = { .site = known.site, .peer = !known.site && known.peer };
    const struct call_cut cut = { .alphabet = &fine, .length = 1 };
    const struct call_cut coarse = { .alphabet = &plain, .length = 1 };
    const double least = SEPARATE_COVER * (double)c->count;
    enum prvcut_status st = prvcut_call_grams_make(g, c->at, c->count, &cut, err);
    size_t kinds;

    if (st != PRVCUT_OK)
        return st;
    kinds = g->kinds;
    for (size_t k = 0; k < kinds; k++) {
        const uint32_t from = g->first[k], to = g->first[k + 1];
        const bool lasts = g->list[to - 1] - g->list[from] >= least;

        for (uint32_t i = from; i < to; i++)
            c->single[g->list[i]] = lasts ? (uint32_t)k : UINT32_MAX;
    }
    st = prvcut_call_grams_make(g, c->at, c->count, &coarse, err);
    for (size_t i = 0; st == PRVCUT_OK && i < c->count; i++)
        if (c->single[i] == UINT32_MAX)
            c->single[i] = (uint32_t)kinds + g->kind[i];
    c->single_kinds = kinds + g->kinds;
    return st;
}

enum prvcut_status prvcut_separate_calls_make(struct separate_calls *out,
                                              const struct prvcut_call_sequence *s,
                                              const struct separate_common *common,
                                              struct call_grams *g, struct prvcut_error *err)
{
    enum prvcut_status st;

    *out = (struct separate_calls){ .time = 1 };
    st = spc_leave_some(out, s, common, err);
    if (st != PRVCUT_OK || out->count < 2)
        return st;
    out->time += out->at[out->count - 1].time - out->at[0].time;
    out->whole = s->at[s->count - 1].time - s->at[0].time + 1;
    out->single = prvcut_unset(out->count, sizeof *out->single, "calls", err);
    out->pair = prvcut_unset(out->count, sizeof *out->pair, "calls", err);
    if (!out->single || !out->pair)
        return PRVCUT_ENOMEM;
    st = spc_number_singles(out, g, err);
    if (st == PRVCUT_OK)
        st = prvcut_call_grams_pairs(g, out->single, out->count, err);
    if (st != PRVCUT_OK)
        return st;
    out->pairs = g->count;
    out->pair_kinds = g->kinds;
    memcpy(out->pair, g->kind, g->count * sizeof *out->pair);
    return PRVCUT_OK;
}

void prvcut_separate_calls_fini(struct separate_calls *c)
{
    free(c->own);
    free(c->index);
    free(c->single);
    free(c->pair);
    *c = (struct separate_calls){ 0 };
}

double prvcut_separate_cover(const struct separate_calls *c, size_t from, size_t to)
{
    const double time = (double)(c->at[to].time - c->at[from].time) / (double)c->time;

    return fmax(time, (double)(to - from) / (double)c->count);
}

/* --- Symbols --------------------------------------------------------------------------------- */

static uint64_t spc_scatter(uint64_t x)
{
    x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static uint64_t spc_mark_of(const uint32_t *place, size_t count)
{
    uint64_t mark = count;

    for (size_t i = 0; i < count; i++)
        mark += spc_scatter(place[i]);
    return spc_scatter(mark);
}

static struct symbols spc_symbols_of(size_t calls)
{
    struct symbols s = { .by_mark = PRVCUT_TABLE(struct symbol, place, "symbols"),
                         .most = 512,
                         .places_most = PLACES_MOST * calls };

    while (s.most < SYMBOLS_MOST && s.most < 2 * calls)
        s.most *= 2;
    return s;
}

static void spc_symbols_fini(struct symbols *s)
{
    prvcut_table_fini(&s->by_mark);
    free(s->at);
    free(s->place);
}

/* Another symbol, or another name of one that is there; what is too much is left out. */
static enum prvcut_status spc_symbols_add(struct symbols *s, const uint32_t *place, size_t count,
                                          unsigned length, struct prvcut_error *err)
{
    const uint64_t mark = spc_mark_of(place, count);
    struct symbol *x = prvcut_table_find(&s->by_mark, &mark);

    if (x) {
        x->lengths |= length;
        return PRVCUT_OK;
    }
    if (s->by_mark.count >= s->most || s->places + count > s->places_most)
        return PRVCUT_OK;
    if (s->places + count > s->place_room &&
        prvcut_grow((void **)&s->place, &s->place_room, s->places + count, sizeof *s->place, err) <
            0)
        return PRVCUT_ENOMEM;
    x = prvcut_table_make(&s->by_mark, &mark, err);
    if (!x)
        return PRVCUT_ENOMEM;
    *x = (struct symbol){ mark, s->places, (uint32_t)count, place[0], length };
    memcpy(s->place + s->places, place, count * sizeof *place);
    s->places += count;
    return PRVCUT_OK;
}

/* The symbols of one form, of which there are grams, that occur often enough, over enough of the
   run. */
static enum prvcut_status spc_add_form(struct symbols *s, const struct separate_calls *c,
                                       const struct form *f, const struct call_grams *g,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t k = 0; st == PRVCUT_OK && k < g->kinds; k++) {
        const uint32_t *place = g->list + g->first[k];
        const size_t count = g->first[k + 1] - g->first[k];

        if (count >= SEPARATE_LEAST &&
            prvcut_separate_cover(c, place[0], place[count - 1]) >= SEPARATE_COVER)
            st = spc_symbols_add(s, place, count, (unsigned)f->length, err);
    }
    return st;
}

/* Is a form finer than what the trace tells, or too dear for that many calls? */
static bool spc_idle(const struct form *f, const struct call_alphabet *known, size_t calls)
{
    return (f->of.peer && !known->peer) || (f->of.size && !known->size) ||
           (f->of.site && !known->site) || calls < 3 * f->length ||
           (f->length == SEPARATE_FOUR && calls > FOURS_MOST);
}

static int spc_by_number(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->mark > y->mark) - (x->mark < y->mark);
}

/* What the calls look like in the forms so far; 0: not looked at. */
struct prints {
    uint64_t of[FORMS];
};

static bool spc_same_alphabet(const struct call_alphabet *a, const struct call_alphabet *b)
{
    return a->peer == b->peer && a->size == b->size && a->site == b->site;
}

/* Has a form of as many calls told apart what this one would? As the single calls of both say. */
static bool spc_repeats(struct prints *p, size_t which)
{
    for (size_t i = 0; i < which && forms[which].length > 1; i++)
        if (forms[i].length == 1 && spc_same_alphabet(&forms[i].of, &forms[which].of))
            p->of[which] = p->of[i];
    for (size_t i = 0; i < which; i++)
        if (forms[i].length == forms[which].length && p->of[i] > 0 && p->of[i] == p->of[which])
            return true;
    return false;
}

/* The symbols of one form, where they are not those of another. */
static enum prvcut_status spc_look(struct symbols *s, struct prints *p, size_t which,
                                   const struct separate_calls *c, struct call_grams *g,
                                   struct prvcut_error *err)
{
    const struct form *f = &forms[which];
    const struct call_cut cut = { .alphabet = &f->of, .length = f->length };
    enum prvcut_status st;

    if (f->length > 1 && spc_repeats(p, which))
        return PRVCUT_OK;
    st = prvcut_call_grams_make(g, c->at, c->count, &cut, err);
    if (st == PRVCUT_OK && f->length == 1)
        p->of[which] = prvcut_call_grams_print(g);
    if (st != PRVCUT_OK || (f->length == 1 && spc_repeats(p, which)))
        return st;
    return spc_add_form(s, c, f, g, err);
}

/* All symbols, by how often they occur and where first. */
static enum prvcut_status spc_symbols_find(struct symbols *s, const struct separate_calls *c,
                                           struct call_grams *g, struct prvcut_error *err)
{
    const struct call_alphabet known = spc_told(c);
    struct prints prints = { .of = { 0 } };
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; st == PRVCUT_OK && i < FORMS; i++)
        if (!spc_idle(&forms[i], &known, c->count))
            st = spc_look(s, &prints, i, c, g, err);
    if (st != PRVCUT_OK)
        return st;
    s->at = prvcut_table_take(&s->by_mark, &s->count);
    if (s->count > 0)
        qsort(s->at, s->count, sizeof *s->at, spc_by_number);
    return PRVCUT_OK;
}

/* --- Classes --------------------------------------------------------------------------------- */

/* Does one of b follow each of a, before the next of a? */
static bool spc_alternate(const uint32_t *a, const uint32_t *b, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (b[i] < a[i] || b[i] >= a[i + 1])
            return false;
    return b[count - 1] >= a[count - 1];
}

/* Put a symbol into one of the classes from `from` on, which are of its number, or a new one. */
static enum prvcut_status spc_drafts_put(struct drafts *d, size_t from, const struct symbols *s,
                                         const struct symbol *x, struct prvcut_error *err)
{
    for (size_t i = from; i < d->count && i < from + COMPARED; i++) {
        struct draft *k = &d->at[i];

        if (!spc_alternate(s->place + k->leader->place, s->place + x->place, x->count))
            continue;
        k->anchors += x->first != k->last;
        k->last = x->first;
        k->lengths |= x->lengths;
        return PRVCUT_OK;
    }
    if (prvcut_grow((void **)&d->at, &d->room, d->count + 1, sizeof *d->at, err) < 0)
        return PRVCUT_ENOMEM;
    d->at[d->count++] =
        (struct draft){ .leader = x, .anchors = 1, .last = x->first, .lengths = x->lengths };
    return PRVCUT_OK;
}

static void spc_drafts_close(struct drafts *d, size_t from, const struct symbols *s,
                             const struct separate_calls *c)
{
    size_t total = 0;

    for (size_t i = from; i < d->count; i++)
        total += d->at[i].anchors;
    for (size_t i = from; i < d->count; i++) {
        struct draft *k = &d->at[i];
        const uint32_t first = s->place[k->leader->place];
        const uint32_t last = s->place[k->leader->place + k->leader->count - 1];
        const double time = (double)(c->at[last].time - c->at[first].time) / (double)c->time;

        k->total = total;
        k->rank = log2(1 + (double)k->anchors) * ((double)(last - first) / (double)c->count + time);
    }
}

static enum prvcut_status spc_drafts_make(struct drafts *d, const struct symbols *s,
                                          const struct separate_calls *c, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t from = 0;

    for (size_t i = 0; st == PRVCUT_OK && i < s->count; i++) {
        if (i > 0 && s->at[i].count != s->at[i - 1].count) {
            spc_drafts_close(d, from, s, c);
            from = d->count;
        }
        st = spc_drafts_put(d, from, s, &s->at[i], err);
    }
    if (st == PRVCUT_OK)
        spc_drafts_close(d, from, s, c);
    return st;
}

static int spc_by_rank(const void *a, const void *b)
{
    const struct draft *x = a, *y = b;

    if (x->rank < y->rank || x->rank > y->rank)
        return x->rank > y->rank ? -1 : 1;
    return spc_by_number(x->leader, y->leader);
}

static enum prvcut_status spc_keep(struct separate_classes *out, const struct draft *d,
                                   const struct symbols *s, struct prvcut_error *err)
{
    struct separate_class *k = &out->at[out->count];

    *k = (struct separate_class){ .place = prvcut_unset(d->leader->count, sizeof *k->place,
                                                        "places", err),
                                  .count = d->leader->count,
                                  .anchors = d->anchors,
                                  .purity = (double)d->anchors / (double)d->total,
                                  .lengths = d->lengths };
    if (!k->place)
        return PRVCUT_ENOMEM;
    memcpy(k->place, s->place + d->leader->place, k->count * sizeof *k->place);
    out->count++;
    return PRVCUT_OK;
}

/* The best of each half octave of their number. */
static enum prvcut_status spc_keep_best(struct separate_classes *out, struct drafts *d,
                                        const struct symbols *s, size_t most,
                                        struct prvcut_error *err)
{
    unsigned seen[OCTAVES] = { 0 };
    enum prvcut_status st = PRVCUT_OK;

    if (d->count > 0)
        qsort(d->at, d->count, sizeof *d->at, spc_by_rank);
    for (size_t i = 0; st == PRVCUT_OK && i < d->count && out->count < most; i++) {
        const size_t octave = (size_t)(2 * log2((double)d->at[i].leader->count));

        if (octave < OCTAVES && seen[octave]++ < OCTAVE_MOST)
            st = spc_keep(out, &d->at[i], s, err);
    }
    return st;
}

enum prvcut_status prvcut_separate_classes_find(struct separate_classes *out,
                                                const struct separate_calls *c,
                                                struct call_grams *g, struct prvcut_error *err)
{
    const size_t most = CALLS_ALL / (c->count + 1);
    struct symbols s = spc_symbols_of(c->count);
    struct drafts d = { .at = NULL };
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct separate_classes){ .at = prvcut_zeroed(CLASSES_MOST, sizeof *out->at, "classes",
                                                          err) };
    if (!out->at)
        return PRVCUT_ENOMEM;
    if (c->count >= SEPARATE_LEAST)
        st = spc_symbols_find(&s, c, g, err);
    if (st == PRVCUT_OK)
        st = spc_drafts_make(&d, &s, c, err);
    if (st == PRVCUT_OK)
        st = spc_keep_best(out, &d, &s,
                           most > CLASSES_MOST  ? CLASSES_MOST
                           : most > CLASSES_FEW ? most
                                                : CLASSES_FEW,
                           err);
    spc_symbols_fini(&s);
    free(d.at);
    if (st != PRVCUT_OK)
        prvcut_separate_classes_fini(out);
    return st;
}

void prvcut_separate_classes_fini(struct separate_classes *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->at[i].place);
    free(s->at);
    *s = (struct separate_classes){ 0 };
}
