#include "analysis/proof_cells.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "structure/mask.h"

#include <stdlib.h>
#include <string.h>

/* The next piece of a span that no mask covers; zeroed is the start of the walk. */
struct walk {
    struct prvcut_span left;
    const struct prvcut_span *mask, *masks_end;
};

static const struct prvcut_span *pcl_first_mask(const struct prvcut_proof_piece *s, uint64_t start)
{
    return s->mask + prvcut_span_after(s->mask, s->masks, start);
}

static struct walk pcl_walk_begin(const struct prvcut_proof_piece *s, struct prvcut_span span)
{
    struct walk w = { .left = span };

    if (s->masks > 0) {
        w.mask = pcl_first_mask(s, span.start);
        w.masks_end = s->mask + s->masks;
    }
    return w;
}

static bool pcl_walk_next(struct walk *w, struct prvcut_span *out)
{
    while (w->left.start < w->left.end) {
        const uint64_t start = w->left.start;

        if (w->mask == w->masks_end || w->mask->start >= w->left.end) {
            *out = w->left;
            w->left.start = w->left.end;
            return true;
        }
        *out = (struct prvcut_span){ start, w->mask->start };
        if (w->mask->end > start)
            w->left.start = w->mask->end;
        w->mask++;
        if (out->start < out->end)
            return true;
    }
    return false;
}

uint64_t prvcut_proof_slot_length(const struct prvcut_proof_cells *c, size_t slot, uint32_t thread,
                                  bool masked)
{
    uint64_t sum = 0;

    for (size_t i = c->of[slot]; i < c->of[slot + 1]; i++) {
        struct prvcut_proof_piece all = c->piece[i];
        struct prvcut_span part;
        struct walk w;

        all.masks = masked ? 0 : all.masks;
        w = pcl_walk_begin(&all, prvcut_window_own(&all.window, thread));
        while (pcl_walk_next(&w, &part))
            sum += part.end - part.start;
    }
    return sum;
}

static struct prvcut_span pcl_hull(const struct prvcut_proof_piece *s, uint32_t threads)
{
    struct prvcut_span h = { UINT64_MAX, 0 };

    for (uint32_t i = 0; i < threads; i++) {
        const struct prvcut_span t = prvcut_window_own(&s->window, i);

        if (t.start >= t.end)
            continue;
        h.start = t.start < h.start ? t.start : h.start;
        h.end = t.end > h.end ? t.end : h.end;
    }
    return h.start < h.end ? h : (struct prvcut_span){ 0, 0 };
}

static void pcl_set_piece(struct prvcut_proof_cells *c, size_t slot,
                          const struct prvcut_proof_region *r, const struct prvcut_window *w,
                          uint32_t threads)
{
    struct prvcut_proof_piece *p = &c->piece[c->pieces++];

    *p = (struct prvcut_proof_piece){ .span = { w->from, w->to },
                                      .window = *w,
                                      .mask = r->mask,
                                      .masks = r->masks,
                                      .slot = (uint32_t)slot };
    if (w->thread_from || w->thread_to)
        p->span = pcl_hull(p, threads);
}

static enum prvcut_status pcl_set_pieces(struct prvcut_proof_cells *c,
                                         const struct prvcut_proof_region *stretch,
                                         uint32_t threads, struct prvcut_error *err)
{
    size_t room = c->slots + 1;

    for (size_t i = 0; i < c->slots; i++)
        room += stretch[i].pieces;
    if (room > UINT32_MAX / 2)
        return prvcut_fail(err, PRVCUT_ELIMIT, "%zu stretches of the run: too many", room);
    c->piece = prvcut_zeroed(room, sizeof *c->piece, "stretches of the run", err);
    c->of = prvcut_zeroed(c->slots + 1, sizeof *c->of, "stretches of the run", err);
    if (!c->piece || !c->of)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < c->slots; i++) {
        if (stretch[i].pieces == 0)
            pcl_set_piece(c, i, &stretch[i], &stretch[i].window, threads);
        for (size_t k = 0; k < stretch[i].pieces; k++)
            pcl_set_piece(c, i, &stretch[i], &stretch[i].piece[k], threads);
        c->of[i + 1] = c->pieces;
    }
    return PRVCUT_OK;
}

static int pcl_by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static enum prvcut_status pcl_set_edges(struct prvcut_proof_cells *c, struct prvcut_error *err)
{
    size_t room = 0, count = 0, kept = 1;
    struct prvcut_span part;

    for (size_t i = 0; i < c->pieces; i++)
        for (struct walk w = pcl_walk_begin(&c->piece[i], c->piece[i].span);
             pcl_walk_next(&w, &part);) {
            if (prvcut_grow((void **)&c->edge, &room, count + 4, sizeof *c->edge, err) < 0)
                return PRVCUT_ENOMEM;
            c->edge[count++] = part.start;
            c->edge[count++] = part.end;
        }
    if (count == 0 && prvcut_grow((void **)&c->edge, &room, 2, sizeof *c->edge, err) < 0)
        return PRVCUT_ENOMEM;
    c->edge[count++] = 0;
    c->edge[count++] = UINT64_MAX;
    qsort(c->edge, count, sizeof *c->edge, pcl_by_value);
    for (size_t i = 1; i < count; i++)
        if (c->edge[i] != c->edge[kept - 1])
            c->edge[kept++] = c->edge[i];
    c->cells = kept - 1;
    return PRVCUT_OK;
}

/* Index of the cell that holds a time below UINT64_MAX. */
static size_t cell_of(const struct prvcut_proof_cells *c, uint64_t time)
{
    return prvcut_lower_u64(c->edge + 1, c->cells - 1, sizeof *c->edge, 0, time + 1);
}

/* Count, then enter each piece in the cells that it is made of, but for masks. */
static void pcl_fill(struct prvcut_proof_cells *c, bool enter)
{
    struct prvcut_span part;

    for (size_t i = 0; i < c->pieces; i++)
        for (struct walk w = pcl_walk_begin(&c->piece[i], c->piece[i].span);
             pcl_walk_next(&w, &part);)
            for (size_t k = cell_of(c, part.start); k < c->cells && c->edge[k] < part.end; k++) {
                if (enter)
                    c->list[c->first[k]] = (uint32_t)i;
                c->first[k + !enter]++;
            }
}

static enum prvcut_status pcl_set_lists(struct prvcut_proof_cells *c, struct prvcut_error *err)
{
    c->first = prvcut_zeroed(c->cells + 2, sizeof *c->first, "spans", err);
    if (!c->first)
        return PRVCUT_ENOMEM;
    pcl_fill(c, false);
    for (size_t i = 1; i <= c->cells; i++) {
        c->deepest = c->first[i] > c->deepest ? c->first[i] : c->deepest;
        c->first[i] += c->first[i - 1];
    }
    c->list = prvcut_zeroed(c->first[c->cells] + 1, sizeof *c->list, "spans", err);
    if (!c->list)
        return PRVCUT_ENOMEM;
    pcl_fill(c, true);
    /* Each start has moved to the next one's. */
    memmove(c->first + 1, c->first, c->cells * sizeof *c->first);
    c->first[0] = 0;
    return PRVCUT_OK;
}

enum prvcut_status prvcut_proof_cells_init(struct prvcut_proof_cells *c,
                                           const struct prvcut_proof_region *stretch,
                                           size_t stretches, uint32_t threads,
                                           struct prvcut_error *err)
{
    enum prvcut_status st;

    *c = (struct prvcut_proof_cells){ .slots = stretches };
    st = pcl_set_pieces(c, stretch, threads, err);
    if (st == PRVCUT_OK)
        st = pcl_set_edges(c, err);
    if (st == PRVCUT_OK)
        st = pcl_set_lists(c, err);
    return st;
}

void prvcut_proof_cells_find(const struct prvcut_proof_cells *c, uint32_t thread, uint64_t time,
                             struct prvcut_proof_place *p, uint32_t *slot)
{
    size_t cell = p->cell;

    /* Threads go on in time: the cell is the same or the next one. */
    if (time < c->edge[cell] || time >= c->edge[cell + 1])
        cell = cell + 2 <= c->cells && time >= c->edge[cell + 1] && time < c->edge[cell + 2]
                   ? cell + 1
                   : cell_of(c, time);
    *p = (struct prvcut_proof_place){ c->edge[cell], c->edge[cell + 1], cell, 0 };
    for (size_t i = c->first[cell]; i < c->first[cell + 1]; i++) {
        const struct prvcut_proof_piece *s = &c->piece[c->list[i]];

        if (s->window.thread_from || s->window.thread_to) {
            const struct prvcut_span t = prvcut_window_own(&s->window, thread);

            if (t.start >= t.end)
                continue;
            if (time < t.start) {
                p->hi = t.start < p->hi ? t.start : p->hi;
                continue;
            }
            if (time >= t.end) {
                p->lo = t.end > p->lo ? t.end : p->lo;
                continue;
            }
            p->lo = t.start > p->lo ? t.start : p->lo;
            p->hi = t.end < p->hi ? t.end : p->hi;
        }
        slot[p->slots++] = s->slot;
    }
}

void prvcut_proof_cells_fini(struct prvcut_proof_cells *c)
{
    free(c->piece);
    free(c->of);
    free(c->edge);
    free(c->first);
    free(c->list);
    memset(c, 0, sizeof *c);
}
