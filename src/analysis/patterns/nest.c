#include "analysis/patterns/nest.h"

#include <inttypes.h>
#include <stdlib.h>

/* A loop is refined only if it holds one in SHARE_SHORT of a stretch's symbols, of more than LONG
   symbols one in SHARE: each refinement folds what is left anew, so these bound how often. 64: on
   the shared traces by the default symbols, outermost loops are as without, as far as looked at. */
#define LONG        4096u
#define SHARE       8u
#define SHARE_SHORT 64u

void pat_nest_init(struct pat_nest *n)
{
    *n = (struct pat_nest){ .top = NULL };
    pat_bodies_init(&n->bodies);
}

void pat_nest_fini(struct pat_nest *n)
{
    pat_bodies_fini(&n->bodies);
    pat_fold_fini(&n->fold);
    free(n->top);
    free(n->border);
    pat_nest_init(n);
}

static enum prvcut_status nest_put(struct pat_nest *n, const uint64_t *row, size_t count,
                                   struct prvcut_error *err)
{
    if (count == 0)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&n->top, &n->room, n->count + count, sizeof *n->top, err) < 0)
        return PRVCUT_ENOMEM;
    memcpy(n->top + n->count, row, count * sizeof *row);
    n->count += count;
    return PRVCUT_OK;
}

/* --- Folding ---------------------------------------------------------------------------------- */

static enum prvcut_status nest_fold(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                    struct prvcut_error *err)
{
    struct pat_fold *f = &n->fold;
    enum prvcut_status st = PRVCUT_OK;

    f->bodies = &n->bodies;
    pat_fold_clear(f);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        pat_fold_expect(f, symbol + i, count - i);
        st = pat_fold_add(f, symbol[i], err);
    }
    return st == PRVCUT_OK ? pat_fold_end(f, err) : st;
}

/* What the fold has found, as it is. */
static enum prvcut_status nest_take_fold(struct pat_nest *n, struct prvcut_error *err)
{
    n->unfolded += n->fold.unfolded;
    if (nest_put(n, n->fold.aside, n->fold.asides, err) < 0)
        return PRVCUT_ENOMEM;
    return nest_put(n, n->fold.element, n->fold.count, err);
}

/* --- Refining --------------------------------------------------------------------------------- */

size_t pat_root(const uint32_t *symbol, size_t count, uint32_t *border)
{
    size_t k = 0;

    if (count < 2)
        return count;
    border[0] = 0;
    for (size_t i = 1; i < count; i++) {
        while (k > 0 && symbol[i] != symbol[k])
            k = border[k - 1];
        k += symbol[i] == symbol[k];
        border[i] = (uint32_t)k;
    }
    return count % (count - k) == 0 ? count - k : count;
}

/* A loop of a stretch. */
struct nest_run {
    size_t first, period, count;
};

/* The loop with most symbols among those that the fold has found. */
static void nest_largest(const struct pat_nest *n, const uint64_t *row, size_t count, size_t *at,
                         struct nest_run *best, uint64_t *calls)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t own = pat_calls(&n->bodies, row[i]);

        if (pat_is_loop(row[i]) && own > *calls) {
            *calls = own;
            best->first = *at;
            best->count = pat_count(row[i]);
            best->period = own / pat_count(row[i]);
        }
        *at += own;
    }
}

/* As far to both sides as it repeats, with its shortest period. */
static enum prvcut_status nest_extend(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                      struct nest_run *r, struct prvcut_error *err)
{
    size_t end = r->first + r->period * r->count;

    if (prvcut_grow((void **)&n->border, &n->border_room, r->period, sizeof *n->border, err) < 0)
        return PRVCUT_ENOMEM;
    n->steps += r->period;
    r->period = pat_root(symbol + r->first, r->period, n->border);
    for (; r->first > 0 && symbol[r->first - 1] == symbol[r->first - 1 + r->period]; n->steps++)
        r->first--;
    for (; end < count && symbol[end] == symbol[end - r->period]; n->steps++)
        end++;
    r->count = (end - r->first) / r->period;
    return PRVCUT_OK;
}

static enum prvcut_status nest_refine(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                      struct prvcut_error *err);

/* One loop: its body is a nest of its own. */
static enum prvcut_status nest_put_loop(struct pat_nest *n, const uint32_t *symbol,
                                        const struct nest_run *r, struct prvcut_error *err)
{
    const size_t before = n->count;
    uint64_t loop;
    uint32_t body;
    enum prvcut_status st = nest_refine(n, symbol + r->first, r->period, err);

    if (st == PRVCUT_OK)
        st = pat_bodies_make(&n->bodies, n->top + before, n->count - before, &body, err);
    if (st < 0)
        return st;
    n->count = before;
    loop = pat_loop(body, (uint32_t)r->count);
    return nest_put(n, &loop, 1, err);
}

/* Fold a stretch; its largest loop is refined, then what is before it, in it, and behind it. */
static enum prvcut_status nest_refine(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                      struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    while (st == PRVCUT_OK) {
        struct nest_run run = { .count = 0 };
        uint64_t calls = 0;
        size_t at = 0;

        st = nest_fold(n, symbol, count, err);
        if (st < 0)
            return st;
        nest_largest(n, n->fold.aside, n->fold.asides, &at, &run, &calls);
        nest_largest(n, n->fold.element, n->fold.count, &at, &run, &calls);
        if (calls == 0 || calls < count / (count > LONG ? SHARE : SHARE_SHORT))
            return nest_take_fold(n, err);
        st = nest_extend(n, symbol, count, &run, err);
        if (st == PRVCUT_OK)
            st = nest_refine(n, symbol, run.first, err);
        if (st == PRVCUT_OK)
            st = nest_put_loop(n, symbol, &run, err);
        symbol += run.first + run.period * run.count;
        count -= run.first + run.period * run.count;
    }
    return st;
}

static enum prvcut_status nest_begin(struct pat_nest *n, size_t count, struct prvcut_error *err)
{
    pat_bodies_clear(&n->bodies);
    n->count = 0;
    n->unfolded = n->steps = n->fold.steps = 0;
    if (count >= UINT32_MAX)
        return prvcut_fail(err, PRVCUT_ELIMIT, "a thread has more than %" PRIu32 " calls",
                           UINT32_MAX - 1);
    return PRVCUT_OK;
}

enum prvcut_status pat_nest_make(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = nest_begin(n, count, err);

    if (st == PRVCUT_OK)
        st = nest_refine(n, symbol, count, err);
    n->steps += n->fold.steps;
    return st;
}

enum prvcut_status pat_nest_fold(struct pat_nest *n, const uint32_t *symbol, size_t count,
                                 struct prvcut_error *err)
{
    enum prvcut_status st = nest_begin(n, count, err);

    if (st == PRVCUT_OK)
        st = nest_fold(n, symbol, count, err);
    if (st == PRVCUT_OK)
        st = nest_take_fold(n, err);
    n->steps += n->fold.steps;
    return st;
}

/* --- What it is like -------------------------------------------------------------------------- */

static uint64_t nest_row_size(const struct pat_bodies *b, const uint64_t *row, size_t count)
{
    uint64_t size = count;

    for (size_t i = 0; i < count; i++)
        if (pat_is_loop(row[i]))
            size += nest_row_size(b, pat_body_row(b, pat_inner(row[i])),
                                  b->body[pat_inner(row[i])].length);
    return size;
}

static unsigned nest_row_depth(const struct pat_bodies *b, const uint64_t *row, size_t count)
{
    unsigned deepest = 0;

    for (size_t i = 0; i < count; i++)
        if (pat_is_loop(row[i])) {
            const unsigned depth = 1 + nest_row_depth(b, pat_body_row(b, pat_inner(row[i])),
                                                      b->body[pat_inner(row[i])].length);

            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

uint64_t pat_nest_size(const struct pat_nest *n)
{
    return nest_row_size(&n->bodies, n->top, n->count);
}

unsigned pat_nest_depth(const struct pat_nest *n)
{
    return nest_row_depth(&n->bodies, n->top, n->count);
}

/* --- Walking ---------------------------------------------------------------------------------- */

static enum prvcut_status nest_walk_loop(const struct pat_bodies *b, uint64_t loop, uint64_t at,
                                         const struct pat_walker *w, struct prvcut_error *err)
{
    const struct pat_body *body = &b->body[pat_inner(loop)];
    enum prvcut_status st = w->loop ? w->loop(w->ctx, loop, at, true, err) : PRVCUT_OK;

    if (st != PRVCUT_OK)
        return st == PRVCUT_END ? PRVCUT_OK : st;
    for (uint32_t i = 0; i < (w->unrolled ? pat_count(loop) : 1) && st == PRVCUT_OK; i++)
        st = pat_row_walk(b, b->element + body->first, body->length, at + i * body->calls, w, err);
    return w->loop && st == PRVCUT_OK ? w->loop(w->ctx, loop, at, false, err) : st;
}

enum prvcut_status pat_row_walk(const struct pat_bodies *b, const uint64_t *row, size_t count,
                                uint64_t at, const struct pat_walker *w, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        if (pat_is_loop(row[i]))
            st = nest_walk_loop(b, row[i], at, w, err);
        else if (w->symbol)
            st = w->symbol(w->ctx, pat_inner(row[i]), at, err);
        at += pat_calls(b, row[i]);
    }
    return st;
}

enum prvcut_status pat_nest_walk(const struct pat_nest *n, const struct pat_walker *w,
                                 struct prvcut_error *err)
{
    return pat_row_walk(&n->bodies, n->top, n->count, 0, w, err);
}

/* --- The outermost loop ----------------------------------------------------------------------- */

/* Neighbouring symbols of a body as it goes round, the last one beside the first: the same wherever
   it begins, and however its inner loops are split there. */
struct nest_ring {
    uint64_t sum;
    uint32_t first, last;
    bool begun;
};

static enum prvcut_status nest_ring_symbol(void *ctx, uint32_t symbol, uint64_t at,
                                           struct prvcut_error *err)
{
    struct nest_ring *r = ctx;

    (void)at, (void)err;
    if (r->begun)
        r->sum += pat_mix(r->last, symbol);
    else
        r->first = symbol;
    r->begun = true;
    r->last = symbol;
    return PRVCUT_OK;
}

static uint64_t nest_ring(const struct pat_bodies *b, uint64_t loop)
{
    const struct pat_body *body = &b->body[pat_inner(loop)];
    struct nest_ring r = { .begun = false };
    const struct pat_walker w = { .symbol = nest_ring_symbol, .ctx = &r, .unrolled = true };

    /* Nothing in it fails. */
    (void)pat_row_walk(b, b->element + body->first, body->length, 0, &w, NULL);
    return r.sum + pat_mix(r.last, r.first);
}

/* Have two loops the same body, maybe begun elsewhere? */
static bool nest_same_body(const struct pat_bodies *b, uint64_t x, uint64_t y)
{
    return pat_inner(x) == pat_inner(y) ||
           (b->body[pat_inner(x)].calls == b->body[pat_inner(y)].calls &&
            nest_ring(b, x) == nest_ring(b, y));
}

struct pat_outermost pat_nest_outermost(const struct pat_nest *n)
{
    struct pat_outermost best = { .at = SIZE_MAX };
    uint64_t at = 0;

    for (size_t i = 0; i < n->count; i++) {
        const uint64_t calls = pat_calls(&n->bodies, n->top[i]);
        const uint32_t count = pat_count(n->top[i]);

        if (count >= 3 && calls > best.count * best.calls)
            best = (struct pat_outermost){
                .at = i, .first = at, .count = count, .calls = calls / count
            };
        at += calls;
    }
    for (size_t i = 0; i < n->count && best.at != SIZE_MAX; i++)
        if (i != best.at && pat_is_loop(n->top[i]) &&
            nest_same_body(&n->bodies, n->top[i], n->top[best.at]))
            best.others += pat_calls(&n->bodies, n->top[i]);
    return best;
}
