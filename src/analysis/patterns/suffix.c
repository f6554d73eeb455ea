#include "analysis/patterns/suffix.h"

#include "base/memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* --- Sorting by induction ---------------------------------------------------------------------
 *
 * A suffix rises where it is before the next one in order, else it falls; the last one falls. A
 * valley is one that rises behind one that falls. Once valleys are in order, one walk forwards
 * orders all that fall, and one backwards all that rise. The stretches from valley to valley are
 * sorted in the same way, named by their order, and the row of names is sorted in turn: it has half
 * as many symbols at most.
 */

struct sfx_level {
    const uint32_t *symbol;
    size_t count;
    uint32_t different;
    uint32_t *out;    /* [count] */
    bool *rises;      /* [count] */
    uint32_t *begin;  /* [different + 1] where suffixes with each first symbol begin */
    uint32_t *next;   /* [different + 1] */
    uint32_t *valley; /* [valleys] in the order of the row */
    uint32_t *number; /* [count] of a valley among these; NOWHERE: it is none */
    size_t valleys;
    uint64_t *steps;
    struct prvcut_error *err;
};

static enum prvcut_status sfx_sort(const uint32_t *symbol, size_t count, uint32_t different,
                                   uint32_t *out, uint64_t *steps, struct prvcut_error *err);

static void sfx_level_fini(struct sfx_level *l)
{
    free(l->rises);
    free(l->begin);
    free(l->next);
    free(l->valley);
    free(l->number);
}

static enum prvcut_status sfx_level_init(struct sfx_level *l)
{
    const size_t symbols = (size_t)l->different + 1;

    l->rises = prvcut_zeroed(l->count + 1, sizeof *l->rises, "suffixes", l->err);
    l->begin = prvcut_zeroed(symbols, sizeof *l->begin, "suffixes", l->err);
    l->next = prvcut_zeroed(symbols, sizeof *l->next, "suffixes", l->err);
    l->valley = prvcut_unset(l->count / 2 + 1, sizeof *l->valley, "suffixes", l->err);
    l->number = prvcut_unset(l->count + 1, sizeof *l->number, "suffixes", l->err);
    return l->rises && l->begin && l->next && l->valley && l->number ? PRVCUT_OK : PRVCUT_ENOMEM;
}

static void sfx_describe(struct sfx_level *l)
{
    const uint32_t *s = l->symbol;

    for (size_t i = l->count - 1; i-- > 0;)
        l->rises[i] = s[i] < s[i + 1] || (s[i] == s[i + 1] && l->rises[i + 1]);
    for (size_t i = 0; i < l->count; i++) {
        l->begin[s[i] + 1]++;
        l->number[i] = NOWHERE;
        if (i > 0 && l->rises[i] && !l->rises[i - 1]) {
            l->number[i] = (uint32_t)l->valleys;
            l->valley[l->valleys++] = (uint32_t)i;
        }
    }
    for (uint32_t i = 0; i < l->different; i++)
        l->begin[i + 1] += l->begin[i];
    *l->steps += 2 * l->count + l->different;
}

/* What comes next of each first symbol: from the front, or to the end. */
static void sfx_from_front(struct sfx_level *l)
{
    memcpy(l->next, l->begin, l->different * sizeof *l->next);
}

static void sfx_from_end(struct sfx_level *l)
{
    memcpy(l->next, l->begin + 1, l->different * sizeof *l->next);
}

/* All suffixes, from valleys in some order. */
static void sfx_induce(struct sfx_level *l, const uint32_t *valley)
{
    const uint32_t *s = l->symbol;

    memset(l->out, 0xff, l->count * sizeof *l->out);
    sfx_from_end(l);
    for (size_t i = l->valleys; i-- > 0;)
        l->out[--l->next[s[valley[i]]]] = valley[i];
    sfx_from_front(l);
    l->out[l->next[s[l->count - 1]]++] = (uint32_t)(l->count - 1);
    for (size_t i = 0; i < l->count; i++) {
        const uint32_t at = l->out[i];

        if (at != NOWHERE && at > 0 && !l->rises[at - 1])
            l->out[l->next[s[at - 1]]++] = at - 1;
    }
    sfx_from_end(l);
    for (size_t i = l->count; i-- > 0;) {
        const uint32_t at = l->out[i];

        if (at != NOWHERE && at > 0 && l->rises[at - 1])
            l->out[--l->next[s[at - 1]]] = at - 1;
    }
    *l->steps += 3 * l->count + 3 * (uint64_t)l->different;
}

/* Where the stretch of a valley ends: with the next one's first symbol, or with the row. */
static size_t sfx_stretch_end(const struct sfx_level *l, uint32_t number)
{
    return number + 1 < l->valleys ? (size_t)l->valley[number + 1] + 1 : l->count + 1;
}

static bool sfx_same_stretch(struct sfx_level *l, uint32_t a, uint32_t b)
{
    const size_t x = l->valley[a], y = l->valley[b];
    const size_t length = sfx_stretch_end(l, a) - x;

    /* One that ends with the row is like no other. */
    if (length != sfx_stretch_end(l, b) - y || x + length > l->count || y + length > l->count)
        return false;
    *l->steps += length;
    return memcmp(l->symbol + x, l->symbol + y, length * sizeof *l->symbol) == 0;
}

/* Names of the stretches by their order; returns how many different ones there are. sorted: the
   valleys' numbers, in the order of their stretches. */
static uint32_t sfx_name(struct sfx_level *l, const uint32_t *sorted, uint32_t *name)
{
    uint32_t names = 0;

    for (size_t i = 0; i < l->valleys; i++) {
        names += i == 0 || !sfx_same_stretch(l, sorted[i - 1], sorted[i]);
        name[sorted[i]] = names - 1;
    }
    return names;
}

/* Valleys in the order of their suffixes. */
static enum prvcut_status sfx_order_valleys(struct sfx_level *l, uint32_t *order)
{
    uint32_t *name = prvcut_unset(l->valleys + 1, sizeof *name, "suffixes", l->err);
    enum prvcut_status st = name ? PRVCUT_OK : PRVCUT_ENOMEM;
    size_t n = 0;

    for (size_t i = 0; i < l->count && name; i++)
        if (l->number[l->out[i]] != NOWHERE)
            order[n++] = l->number[l->out[i]];
    if (st == PRVCUT_OK)
        st = sfx_sort(name, l->valleys, sfx_name(l, order, name), order, l->steps, l->err);
    for (size_t i = 0; i < l->valleys && st == PRVCUT_OK; i++)
        order[i] = l->valley[order[i]];
    free(name);
    return st;
}

/* Two or more symbols. */
static enum prvcut_status sfx_sort_level(struct sfx_level *l)
{
    uint32_t *order = NULL;
    enum prvcut_status st = sfx_level_init(l);

    if (st < 0)
        return st;
    sfx_describe(l);
    sfx_induce(l, l->valley);
    if (l->valleys < 2)
        return PRVCUT_OK;
    order = prvcut_unset(l->valleys, sizeof *order, "suffixes", l->err);
    st = order ? sfx_order_valleys(l, order) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        sfx_induce(l, order);
    free(order);
    return st;
}

static enum prvcut_status sfx_sort(const uint32_t *symbol, size_t count, uint32_t different,
                                   uint32_t *out, uint64_t *steps, struct prvcut_error *err)
{
    struct sfx_level l = { .symbol = symbol,
                           .count = count,
                           .different = different,
                           .out = out,
                           .steps = steps,
                           .err = err };
    enum prvcut_status st;

    if (count < 2) {
        if (count == 1)
            out[0] = 0;
        return PRVCUT_OK;
    }
    st = sfx_sort_level(&l);
    sfx_level_fini(&l);
    return st;
}

/* --- What neighbours have in common ----------------------------------------------------------- */

static void sfx_compare(struct pat_suffix *s)
{
    size_t same = 0;

    for (size_t i = 0; i < s->count; i++)
        s->place[s->at[i]] = (uint32_t)i;
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t place = s->place[i];
        size_t before;

        if (place == 0) {
            same = 0;
            continue;
        }
        before = s->at[place - 1];
        while (i + same < s->count && before + same < s->count &&
               s->symbol[i + same] == s->symbol[before + same]) {
            same++;
            s->steps++;
        }
        s->common[place] = (uint32_t)same;
        same -= same > 0;
    }
    s->steps += 2 * s->count;
}

enum prvcut_status pat_suffix_make(struct pat_suffix *s, const uint32_t *symbol, size_t count,
                                   uint32_t different, struct prvcut_error *err)
{
    enum prvcut_status st;

    *s = (struct pat_suffix){ .symbol = symbol, .count = count };
    if (count > PAT_SUFFIX_MOST)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%zu calls in a row; the limit is %zu", count,
                           PAT_SUFFIX_MOST);
    s->at = prvcut_zeroed(count + 1, sizeof *s->at, "suffixes", err);
    if (!s->at)
        return PRVCUT_ENOMEM;
    st = sfx_sort(symbol, count, different, s->at, &s->steps, err);
    if (st < 0)
        return st;
    s->place = prvcut_zeroed(count + 1, sizeof *s->place, "suffixes", err);
    s->common = prvcut_zeroed(count + 1, sizeof *s->common, "suffixes", err);
    if (!s->place || !s->common)
        return PRVCUT_ENOMEM;
    sfx_compare(s);
    return PRVCUT_OK;
}

void pat_suffix_fini(struct pat_suffix *s)
{
    free(s->at);
    free(s->place);
    free(s->common);
    free(s->least);
    *s = (struct pat_suffix){ .count = 0 };
}

/* --- What any two have in common --------------------------------------------------------------
 *
 * The least of `common` between their places. Blocks have tables of the least of 2^k of them.
 */

#define BLOCK 32u

static uint32_t sfx_least(const uint32_t *at, size_t count)
{
    uint32_t least = UINT32_MAX;

    for (size_t i = 0; i < count; i++)
        least = at[i] < least ? at[i] : least;
    return least;
}

enum prvcut_status pat_suffix_prepare(struct pat_suffix *s, struct prvcut_error *err)
{
    s->blocks = s->count / BLOCK;
    s->levels = 1;
    while ((size_t)1 << s->levels <= s->blocks)
        s->levels++;
    s->least = prvcut_zeroed(s->blocks + 1, s->levels * sizeof *s->least, "suffixes", err);
    if (!s->least)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < s->blocks; i++)
        s->least[i] = sfx_least(s->common + i * BLOCK, BLOCK);
    for (unsigned k = 1; k < s->levels; k++)
        for (size_t i = 0; i + ((size_t)1 << k) <= s->blocks; i++) {
            const uint32_t *below = s->least + (k - 1) * s->blocks + i;
            const uint32_t a = below[0], b = below[(size_t)1 << (k - 1)];

            s->least[k * s->blocks + i] = a < b ? a : b;
        }
    s->steps += s->count + s->blocks * s->levels;
    return PRVCUT_OK;
}

/* The least of blocks [first, end). */
static uint32_t sfx_least_blocks(const struct pat_suffix *s, size_t first, size_t end)
{
    const unsigned k = 63u - (unsigned)__builtin_clzll(end - first);
    const uint32_t a = s->least[k * s->blocks + first],
                   b = s->least[k * s->blocks + end - ((size_t)1 << k)];

    return a < b ? a : b;
}

size_t pat_suffix_common(struct pat_suffix *s, size_t a, size_t b)
{
    size_t first, end, inner, outer;
    uint32_t least, more;

    assert(s->least);
    if (a == b)
        return s->count - a;
    if (a >= s->count || b >= s->count)
        return 0;
    first = s->place[a] < s->place[b] ? s->place[a] : s->place[b];
    end = (s->place[a] < s->place[b] ? s->place[b] : s->place[a]) + (size_t)1;
    first++;
    inner = (first + BLOCK - 1) / BLOCK;
    outer = end / BLOCK;
    if (inner >= outer) {
        s->steps += end - first;
        return sfx_least(s->common + first, end - first);
    }
    s->steps += inner * BLOCK - first + end - outer * BLOCK + 1;
    least = sfx_least(s->common + first, inner * BLOCK - first);
    more = sfx_least(s->common + outer * BLOCK, end - outer * BLOCK);
    least = more < least ? more : least;
    more = sfx_least_blocks(s, inner, outer);
    return more < least ? more : least;
}
