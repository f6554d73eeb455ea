#include "analysis/patterns/tolerant_reach.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* How often an element went round, noted once its iteration is whole. */
struct tor_note {
    size_t element; /* of the bodies; behind them, of the row */
    uint32_t times;
};

struct tor_reach {
    struct pat_tolerant *p;
    const uint32_t *symbol; /* [count] */
    uint64_t count;
    bool back; /* from its end to its beginning */
    struct tor_note *note;
    size_t notes, note_room;
    uint64_t *border; /* [borders] in the order in which they were found */
    size_t borders, border_room;
    bool longer; /* an iteration of the loop's own */
    struct prvcut_error *err;
    enum prvcut_status st;
};

static bool tor_row(struct tor_reach *r, const uint64_t *row, size_t first, size_t length,
                    uint64_t *at);

static void tor_take(struct tor_reach *r, size_t element, uint32_t times)
{
    if (r->st == PRVCUT_OK)
        r->st =
            prvcut_grow((void **)&r->note, &r->note_room, r->notes + 1, sizeof *r->note, r->err);
    if (r->st == PRVCUT_OK)
        r->note[r->notes++] = (struct tor_note){ element, times };
}

/* As many symbols as are this one. */
static uint32_t tor_symbols(struct tor_reach *r, uint32_t symbol, uint64_t *at)
{
    uint32_t times = 0;

    while (r->back ? *at > 0 && r->symbol[*at - 1] == symbol
                   : *at < r->count && r->symbol[*at] == symbol) {
        *at += r->back ? UINT64_MAX : 1;
        times++;
    }
    r->p->steps += times + 1;
    return times;
}

/* As many iterations as are there, whole ones. */
static uint32_t tor_loop(struct tor_reach *r, uint32_t body, uint64_t *at)
{
    const struct pat_body *b = &r->p->bodies.body[body];
    uint32_t times = 0;

    for (;; times++) {
        const size_t notes = r->notes;
        uint64_t to = *at;

        if (!tor_row(r, r->p->bodies.element + b->first, b->first, b->length, &to)) {
            r->notes = notes;
            return times;
        }
        *at = to;
    }
}

/* Elements one after the other, each at least once and as often as it can be. */
static bool tor_row(struct tor_reach *r, const uint64_t *row, size_t first, size_t length,
                    uint64_t *at)
{
    for (size_t i = 0; i < length && r->st == PRVCUT_OK; i++) {
        const size_t k = r->back ? length - 1 - i : i;
        const uint32_t inner = pat_inner(row[k]);
        const uint32_t times =
            pat_is_loop(row[k]) ? tor_loop(r, inner, at) : tor_symbols(r, inner, at);

        if (times == 0)
            return false;
        tor_take(r, first + k, times);
    }
    return r->st == PRVCUT_OK;
}

static void tor_apply(struct tor_reach *r)
{
    struct pat_tolerant *p = r->p;

    for (size_t i = 0; i < r->notes; i++) {
        const size_t k = r->note[i].element;
        const bool inside = k < p->bodies.elements;
        uint32_t *least = inside ? &p->inner_least[k] : &p->least[k - p->bodies.elements];
        uint32_t *most = inside ? &p->inner_most[k] : &p->most[k - p->bodies.elements];

        *least = r->note[i].times < *least ? r->note[i].times : *least;
        *most = r->note[i].times > *most ? r->note[i].times : *most;
    }
}

static bool tor_iteration(struct tor_reach *r, uint64_t *at)
{
    r->notes = 0;
    return tor_row(r, r->p->row, r->p->bodies.elements, r->p->length, at);
}

/* The iteration at an end, from its inner border on: it may go on beyond its outer one. */
static bool tor_last(struct tor_reach *r)
{
    uint64_t *outer = &r->p->border[r->back ? 0 : r->p->count];
    uint64_t at = r->p->border[r->back ? 1 : r->p->count - 1];

    if (!tor_iteration(r, &at) || (r->back ? at >= *outer : at <= *outer))
        return false;
    *outer = at;
    tor_apply(r);
    return true;
}

/* Iteration after iteration, from a border on. */
static void tor_follow(struct tor_reach *r)
{
    const bool more = tor_last(r);
    uint64_t at = r->p->border[r->back ? 0 : r->p->count];

    r->longer |= more;
    while (tor_iteration(r, &at)) {
        tor_apply(r);
        r->st = prvcut_grow((void **)&r->border, &r->border_room, r->borders + 1, sizeof *r->border,
                            r->err);
        if (r->st < 0)
            return;
        r->border[r->borders++] = at;
    }
}

/* All borders in order: those found backwards, the loop's own, those found forwards. */
static enum prvcut_status tor_join(struct tor_reach *r, size_t before, struct prvcut_error *err)
{
    struct pat_tolerant *p = r->p;
    const size_t own = (size_t)p->count + 1, behind = r->borders - before;
    uint64_t *all;

    if (r->borders == 0)
        return PRVCUT_OK;
    all = prvcut_unset(own + r->borders, sizeof *all, "iterations", err);
    if (!all)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < before; i++)
        all[i] = r->border[before - 1 - i];
    memcpy(all + before, p->border, own * sizeof *all);
    if (behind > 0)
        memcpy(all + before + own, r->border + before, behind * sizeof *all);
    free(p->border);
    p->border = all;
    p->count += r->borders;
    return PRVCUT_OK;
}

static bool tor_all(struct tor_reach *r)
{
    struct pat_tolerant *p = r->p;

    for (uint64_t i = 0; i < p->count && r->st == PRVCUT_OK; i++) {
        uint64_t at = p->border[i];

        if (!tor_iteration(r, &at) || at != p->border[i + 1])
            return false;
        tor_apply(r);
    }
    return true;
}

/* How often elements go round, counted anew: what was noted of an iteration that has grown was of a
   part of it. Where another reading of the calls has other borders, that stands. */
static enum prvcut_status tor_measure(struct tor_reach *r, struct prvcut_error *err)
{
    struct pat_tolerant *p = r->p;
    const size_t inner = p->bodies.elements, own = p->length, all = 2 * (inner + own);
    uint32_t *old = prvcut_unset(all, sizeof *old, "patterns", err), *at = old;
    struct tor_counts {
        uint32_t *of;
        size_t count;
        int fresh;
    } counts[] = { { p->least, own, 0xff },
                   { p->most, own, 0 },
                   { p->inner_least, inner, 0xff },
                   { p->inner_most, inner, 0 } };

    if (!old)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < 4; at += counts[i++].count) {
        if (counts[i].count == 0)
            continue;
        memcpy(at, counts[i].of, counts[i].count * sizeof *at);
        memset(counts[i].of, counts[i].fresh, counts[i].count * sizeof *at);
    }
    at = old;
    if (!tor_all(r))
        for (size_t i = 0; i < 4; at += counts[i++].count)
            if (counts[i].count > 0)
                memcpy(counts[i].of, at, counts[i].count * sizeof *at);
    free(old);
    return r->st;
}

enum prvcut_status pat_tolerant_reach(struct pat_tolerant *p, const uint32_t *symbol, size_t count,
                                      struct prvcut_error *err)
{
    struct tor_reach r = { .p = p, .symbol = symbol, .count = count, .back = true, .err = err };
    size_t before;

    tor_follow(&r);
    before = r.borders;
    r.back = false;
    if (r.st == PRVCUT_OK)
        tor_follow(&r);
    if (r.st == PRVCUT_OK)
        r.st = tor_join(&r, before, err);
    if (r.st == PRVCUT_OK && r.longer)
        r.st = tor_measure(&r, err);
    free(r.note);
    free(r.border);
    return r.st;
}
