#include "analysis/timeline_grid.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Sums of a column fit 32 bits even where a damaged trace tells of 16 states at once. */
#define WIDEST 28u

/* Told apart also by who does not see all colours, and apart from the states' own. */
static const int32_t palette[] = { 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0xd55e00, 0xcc79a7,
                                   0x0072b2, 0x8c564b, 0x7f3c8d, 0xa5aa99, 0x3969ac, 0x80ba5a,
                                   0xe73f74, 0x11a579, 0xf2b701, 0x4b4b8f };
#define OTHERS 0x999999

/* Columns differ by at most 1 ns. */
static void tgr_set_edges(struct tl_grid *g)
{
    const uint64_t width = g->window->to - g->window->from;
    const uint64_t each = width / g->columns, rest = width % g->columns;

    for (uint64_t c = 0; c <= g->columns; c++)
        g->edge[c] = g->window->from + c * each + c * rest / g->columns;
    while ((each + 1) >> g->shift >> WIDEST != 0)
        g->shift++;
    g->per_ns = (double)g->columns / (double)width;
}

enum prvcut_status tl_grid_init(struct tl_grid *g, const struct prvcut_timeline *out,
                                const struct prvcut_window *window, const struct tl_keys *keys,
                                unsigned workers, struct prvcut_error *err)
{
    *g = (struct tl_grid){ .window = window,
                           .keys = keys,
                           .threads = out->threads,
                           .rows = out->rows,
                           .columns = out->columns,
                           .workers = workers };
    g->row = prvcut_unset((size_t)g->threads + 1, sizeof *g->row, "cells of a timeline", err);
    g->edge = prvcut_unset((size_t)g->columns + 1, sizeof *g->edge, "cells of a timeline", err);
    g->total =
        prvcut_zeroed(workers * (keys->count + 1), sizeof *g->total, "cells of a timeline", err);
    g->slot = prvcut_zeroed(keys->count + 1, sizeof *g->slot, "cells of a timeline", err);
    if (!g->row || !g->edge || !g->total || !g->slot)
        return PRVCUT_ENOMEM;
    for (uint32_t t = 0; t < g->threads; t++)
        g->row[t] = TL_HIDDEN;
    for (uint32_t r = 0; r < g->rows; r++)
        g->row[out->thread[r]] = r;
    tgr_set_edges(g);
    return PRVCUT_OK;
}

/* Over all workers. */
static uint64_t tgr_total_of(const struct tl_grid *g, size_t key)
{
    uint64_t sum = 0;

    for (unsigned w = 0; w < g->workers; w++)
        sum += g->total[w * (g->keys->count + 1) + key];
    return sum;
}

uint64_t tl_grid_total(const struct tl_grid *g)
{
    uint64_t sum = 0;

    for (size_t k = 0; k <= g->keys->count; k++)
        sum += tgr_total_of(g, k);
    return sum;
}

void tl_grid_clear(struct tl_grid *g)
{
    memset(g->total, 0, g->workers * (g->keys->count + 1) * sizeof *g->total);
    free(g->sum);
    free(g->begins);
    g->sum = NULL;
    g->begins = NULL;
    g->slots = 0;
}

struct ranked {
    size_t key;
    uint64_t ns;
};

/* The longest first, of equals the first key. */
static int tgr_by_time(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

enum prvcut_status tl_grid_slots(struct tl_grid *g, struct prvcut_error *err)
{
    const size_t count = g->keys->count;
    struct ranked *order = prvcut_unset(count + 1, sizeof *order, "states", err);
    size_t cells = 0;

    if (!order)
        return PRVCUT_ENOMEM;
    for (size_t k = 0; k < count; k++)
        order[k] = (struct ranked){ k, tgr_total_of(g, k) };
    qsort(order, count, sizeof *order, tgr_by_time);
    g->slots = (unsigned)(count < TL_SLOTS ? count : TL_SLOTS) + 1;
    memset(g->slot, (int)g->slots - 1, count + 1);
    for (unsigned i = 0; i + 1 < g->slots; i++)
        g->slot[order[i].key] = (uint8_t)i;
    free(order);
    memset(g->total, 0, g->workers * (count + 1) * sizeof *g->total);
    if (prvcut_ckd_mul_size(&cells, g->rows, g->columns) &&
        prvcut_ckd_mul_size(&cells, cells, g->slots))
        g->sum = prvcut_zeroed(cells + 1, sizeof *g->sum, "cells of a timeline", err);
    if (g->sum)
        g->begins =
            prvcut_zeroed(cells / g->slots + 1, sizeof *g->begins, "cells of a timeline", err);
    return g->begins ? PRVCUT_OK : PRVCUT_ENOMEM;
}

/* The column of a time inside the window. */
static uint32_t tgr_column_of(const struct tl_grid *g, uint64_t time)
{
    uint32_t c = (uint32_t)((double)(time - g->window->from) * g->per_ns);

    if (c >= g->columns)
        c = g->columns - 1;
    while (g->edge[c] > time)
        c--;
    while (g->edge[c + 1] <= time)
        c++;
    return c;
}

void tl_grid_add(struct tl_grid *g, unsigned worker, uint32_t thread, size_t key,
                 const struct prvcut_span *when)
{
    const struct prvcut_span own = prvcut_window_own(g->window, thread);
    const uint64_t from = g->window->from;
    uint64_t begin = when->start > own.start ? when->start : own.start;
    const uint64_t end = when->end < own.end ? when->end : own.end;
    const size_t first = (size_t)g->row[thread] * g->columns;
    _Atomic uint32_t *cell;

    if (begin >= end)
        return;
    g->total[worker * (g->keys->count + 1) + key] += end - begin;
    if (!g->sum || g->row[thread] == TL_HIDDEN)
        return;
    cell = g->sum + first * g->slots + g->slot[key];
    if (when->start == begin)
        atomic_fetch_or_explicit(&g->begins[first + tgr_column_of(g, begin)],
                                 UINT32_C(1) << g->slot[key], memory_order_relaxed);
    for (uint32_t c = tgr_column_of(g, begin); begin < end; c++) {
        const uint64_t stop = end < g->edge[c + 1] ? end : g->edge[c + 1];
        const uint64_t units = ((stop - from) >> g->shift) - ((begin - from) >> g->shift);

        atomic_fetch_add_explicit(&cell[(size_t)c * g->slots], (uint32_t)units,
                                  memory_order_relaxed);
        begin = stop;
    }
}

/* What is drawn of each slot: ns in all, and a key that tells its name. */
static void tgr_rank_slots(const struct tl_grid *g, struct ranked *slot)
{
    for (unsigned s = 0; s < g->slots; s++)
        slot[s] = (struct ranked){ .key = SIZE_MAX };
    for (size_t k = 0; k <= g->keys->count; k++) {
        struct ranked *r = &slot[g->slot[k]];

        r->ns += tgr_total_of(g, k);
        if (k < g->keys->count && g->slot[k] + 1u < g->slots)
            r->key = k;
    }
    qsort(slot, g->slots - 1, sizeof *slot, tgr_by_time);
}

static enum prvcut_status tgr_name_states(const struct tl_grid *g, const struct ranked *slot,
                                          uint8_t *shown, struct prvcut_timeline *out,
                                          struct prvcut_error *err)
{
    size_t plain = 0;

    out->state = prvcut_zeroed(g->slots, sizeof *out->state, "states", err);
    if (!out->state)
        return PRVCUT_ENOMEM;
    for (unsigned i = 0; i < g->slots; i++) {
        const struct tl_key *key = slot[i].key != SIZE_MAX ? &g->keys->at[slot[i].key] : NULL;
        struct prvcut_timeline_state *s = &out->state[out->states];

        if (slot[i].ns == 0)
            continue;
        s->name = prvcut_copied_text(key ? key->text : "others", "a timeline", err);
        s->colour = key ? key->colour : OTHERS;
        s->ns = slot[i].ns;
        if (!s->name)
            return PRVCUT_ENOMEM;
        if (s->colour < 0)
            s->colour = palette[plain++ % (sizeof palette / sizeof *palette)];
        shown[key ? g->slot[slot[i].key] : g->slots - 1] = (uint8_t)++out->states;
    }
    return PRVCUT_OK;
}

/* The slot with the most time; of equals the first in order of keys would depend on the slots, so
   it is the first that is shown. */
static uint8_t tgr_strongest(const struct tl_grid *g, const _Atomic uint32_t *cell,
                             const uint8_t *shown)
{
    uint32_t most = 0;
    uint8_t best = 0;

    for (unsigned s = 0; s < g->slots; s++) {
        const uint32_t here = atomic_load_explicit(&cell[s], memory_order_relaxed);

        if (here > most || (here == most && here > 0 && shown[s] < best)) {
            most = here;
            best = shown[s];
        }
    }
    return best;
}

/* How much of a column is in a state; where a damaged trace tells of several at once, no more than
   all. */
static uint8_t tgr_part(const struct tl_grid *g, const _Atomic uint32_t *cell, uint32_t column)
{
    const uint64_t from = g->window->from;
    const uint64_t all =
        ((g->edge[column + 1] - from) >> g->shift) - ((g->edge[column] - from) >> g->shift);
    uint64_t here = 0;

    for (unsigned s = 0; s < g->slots; s++)
        here += atomic_load_explicit(&cell[s], memory_order_relaxed);
    return (uint8_t)(here < all ? here * PRVCUT_TIMELINE_FULL / all : PRVCUT_TIMELINE_FULL);
}

/* Which states begin in a column. */
static uint32_t tgr_begins(const struct tl_grid *g, size_t cell, const uint8_t *shown)
{
    const uint32_t here = atomic_load_explicit(&g->begins[cell], memory_order_relaxed);
    uint32_t out = 0;

    for (unsigned s = 0; here != 0 && s < g->slots; s++)
        if ((here >> s & 1) && shown[s] > 0)
            out |= UINT32_C(1) << (shown[s] - 1);
    return out;
}

/* What a row's pieces add up to. */
static void tgr_add_row(const struct tl_grid *g, const uint8_t *shown, uint32_t row,
                        struct prvcut_timeline *out)
{
    const _Atomic uint32_t *cell = g->sum + (size_t)row * g->columns * g->slots;
    uint64_t *ns = out->ns + (size_t)row * out->states;

    for (size_t i = 0; i < (size_t)g->columns * g->slots; i++)
        if (shown[i % g->slots] > 0)
            ns[shown[i % g->slots] - 1] +=
                (uint64_t)atomic_load_explicit(&cell[i], memory_order_relaxed) << g->shift;
}

enum prvcut_status tl_grid_draw(const struct tl_grid *g, struct prvcut_timeline *out,
                                struct prvcut_error *err)
{
    const size_t cells = (size_t)g->rows * g->columns;
    struct ranked slot[TL_SLOTS + 1];
    uint8_t shown[TL_SLOTS + 1] = { 0 };
    enum prvcut_status st;

    out->cell = prvcut_zeroed(cells + 1, 1, "cells", err);
    out->part = prvcut_zeroed(cells + 1, 1, "cells", err);
    out->begins = prvcut_zeroed(cells + 1, sizeof *out->begins, "cells", err);
    if (!out->cell || !out->part || !out->begins)
        return PRVCUT_ENOMEM;
    if (!g->sum)
        return PRVCUT_OK;
    tgr_rank_slots(g, slot);
    st = tgr_name_states(g, slot, shown, out, err);
    out->ns = prvcut_zeroed((size_t)g->rows * out->states + 1, sizeof *out->ns, "cells", err);
    if (!out->ns)
        return PRVCUT_ENOMEM;
    for (uint32_t row = 0; row < g->rows && st == PRVCUT_OK; row++)
        tgr_add_row(g, shown, row, out);
    for (size_t i = 0; i < cells && st == PRVCUT_OK; i++) {
        out->cell[i] = tgr_strongest(g, g->sum + i * g->slots, shown);
        out->part[i] = tgr_part(g, g->sum + i * g->slots, (uint32_t)(i % g->columns));
        out->begins[i] = tgr_begins(g, i, shown);
    }
    return st;
}

void tl_grid_fini(struct tl_grid *g)
{
    free(g->row);
    free(g->edge);
    free(g->total);
    free(g->slot);
    free(g->sum);
    free(g->begins);
    memset(g, 0, sizeof *g);
}
