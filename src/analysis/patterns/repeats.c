#include "analysis/patterns/repeats.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>

/* What stands before a stretch: a symbol, or one of these. */
#define BEFORE_NONE    UINT32_MAX       /* nothing is known yet */
#define BEFORE_BEGIN   (UINT32_MAX - 1) /* the row begins: unlike all */
#define BEFORE_SEVERAL (UINT32_MAX - 2)

/* Suffixes that begin with the same symbols, on the way through their order. */
struct rpt_open {
    uint32_t length, first;
    uint32_t before;
    uint32_t least, most;
    bool inner; /* no more of them have more in common */
};

struct rpt_search {
    struct pat_repeats *r;
    struct rpt_open *going; /* [depth] */
    size_t depth, room;
    uint32_t *seen; /* [different] when a symbol was last seen before a stretch */
    uint32_t turn;
    uint32_t least_length;
    struct prvcut_error *err;
};

static uint32_t rpt_before(const struct pat_suffix *s, uint32_t at)
{
    return at == 0 ? BEFORE_BEGIN : s->symbol[at - 1];
}

/* Two beginnings of the row do not meet. */
static uint32_t rpt_join(uint32_t a, uint32_t b)
{
    if (a == BEFORE_NONE || a == b)
        return b;
    return b == BEFORE_NONE ? a : BEFORE_SEVERAL;
}

static void rpt_widen(struct rpt_open *o, uint32_t before, uint32_t least, uint32_t most)
{
    o->before = rpt_join(o->before, before);
    o->least = least < o->least ? least : o->least;
    o->most = most > o->most ? most : o->most;
}

/* Does another symbol stand before each of them? */
static bool rpt_all_differ(struct rpt_search *q, uint32_t first, uint32_t end)
{
    const struct pat_suffix *s = &q->r->suffix;

    q->turn++;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t before = rpt_before(s, s->at[i]);

        q->r->steps++;
        if (before != BEFORE_BEGIN && q->seen[before] == q->turn)
            return false;
        if (before != BEFORE_BEGIN)
            q->seen[before] = q->turn;
    }
    return true;
}

static enum prvcut_status rpt_close(struct rpt_search *q, const struct rpt_open *o, uint32_t end)
{
    struct pat_repeats *r = q->r;

    if (o->before != BEFORE_SEVERAL || o->length < q->least_length)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&r->repeat, &r->repeat_room, r->repeats + 1, sizeof *r->repeat,
                    q->err) < 0)
        return PRVCUT_ENOMEM;
    r->repeat[r->repeats++] =
        (struct pat_repeat){ .length = o->length,
                             .first = o->first,
                             .count = end - o->first,
                             .least = o->least,
                             .most = o->most,
                             .super = o->inner && rpt_all_differ(q, o->first, end) };
    return PRVCUT_OK;
}

static enum prvcut_status rpt_push(struct rpt_search *q, struct rpt_open o)
{
    if (prvcut_grow((void **)&q->going, &q->room, q->depth + 1, sizeof *q->going, q->err) < 0)
        return PRVCUT_ENOMEM;
    q->going[q->depth++] = o;
    return PRVCUT_OK;
}

/* Suffix i comes next; it has that many symbols in common with the one before it. */
static enum prvcut_status rpt_step(struct rpt_search *q, uint32_t i, uint32_t common)
{
    const struct pat_suffix *s = &q->r->suffix;
    const uint32_t last = s->at[i - 1];
    struct rpt_open below = { common, i - 1, rpt_before(s, last), last, last, true };
    enum prvcut_status st = PRVCUT_OK;

    if (q->depth > 0)
        rpt_widen(&q->going[q->depth - 1], below.before, last, last);
    while (q->depth > 0 && q->going[q->depth - 1].length > common && st == PRVCUT_OK) {
        struct rpt_open closed = q->going[--q->depth];

        /* What closed just now is part of this one. */
        closed.inner &= below.inner;
        rpt_widen(&closed, below.before, below.least, below.most);
        st = rpt_close(q, &closed, i);
        below.first = closed.first;
        below.inner = false;
        rpt_widen(&below, closed.before, closed.least, closed.most);
        q->r->steps++;
    }
    q->r->steps++;
    if (st < 0)
        return st;
    if (q->depth == 0 || q->going[q->depth - 1].length < common)
        return rpt_push(q, below);
    q->going[q->depth - 1].inner &= below.inner;
    rpt_widen(&q->going[q->depth - 1], below.before, below.least, below.most);
    return PRVCUT_OK;
}

static enum prvcut_status rpt_walk(struct rpt_search *q)
{
    const struct pat_suffix *s = &q->r->suffix;
    enum prvcut_status st = PRVCUT_OK;

    for (uint32_t i = 1; i <= s->count && st == PRVCUT_OK; i++)
        st = rpt_step(q, i, i < s->count ? s->common[i] : 0);
    return st;
}

static int rpt_longest(const void *x, const void *y)
{
    const struct pat_repeat *a = x, *b = y;

    if (a->length != b->length)
        return a->length > b->length ? -1 : 1;
    return (a->least > b->least) - (a->least < b->least);
}

enum prvcut_status pat_repeats_make(struct pat_repeats *r, const uint32_t *symbol, size_t count,
                                    uint32_t different, uint32_t least_length,
                                    struct prvcut_error *err)
{
    struct rpt_search q = { .r = r, .least_length = least_length, .err = err };
    enum prvcut_status st;

    *r = (struct pat_repeats){ .repeat = NULL };
    st = pat_suffix_make(&r->suffix, symbol, count, different, err);
    if (st < 0)
        return st;
    q.seen = prvcut_zeroed((size_t)different + 1, sizeof *q.seen, "symbols", err);
    st = q.seen ? rpt_walk(&q) : PRVCUT_ENOMEM;
    free(q.seen);
    free(q.going);
    if (st == PRVCUT_OK && r->repeats > 0)
        qsort(r->repeat, r->repeats, sizeof *r->repeat, rpt_longest);
    return st;
}

void pat_repeats_fini(struct pat_repeats *r)
{
    pat_suffix_fini(&r->suffix);
    free(r->repeat);
    *r = (struct pat_repeats){ .repeat = NULL };
}

static int rpt_by_number(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

void pat_repeat_places(const struct pat_repeats *all, const struct pat_repeat *r, uint32_t *place)
{
    for (uint32_t i = 0; i < r->count; i++)
        place[i] = all->suffix.at[r->first + i];
    qsort(place, r->count, sizeof *place, rpt_by_number);
}

uint32_t pat_repeat_apart(const struct pat_repeat *r, const uint32_t *place)
{
    uint64_t free_from = 0;
    uint32_t apart = 0;

    for (uint32_t i = 0; i < r->count; i++)
        if (place[i] >= free_from) {
            free_from = (uint64_t)place[i] + r->length;
            apart++;
        }
    return apart;
}
