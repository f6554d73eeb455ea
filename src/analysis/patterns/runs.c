#include "analysis/patterns/repeats.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * Every run holds, in one of two orders of the symbols, its period as a word that is before all of
 * its own suffixes (a Lyndon word) and is the longest such word that begins there. That longest
 * word ends where the next suffix in the row begins that is before it in order. So each place has
 * one candidate an order, and what it has in common with itself a period later, forwards and
 * backwards, says how far the run goes.
 */
struct rns_search {
    struct pat_suffix forth, back; /* back: of the row from its end */
    uint32_t *turned;              /* [count] that row */
    uint32_t *going;               /* [count] places whose word has not ended, a stack */
    struct pat_run *run;
    size_t runs, room;
    uint64_t steps;
    struct prvcut_error *err;
};

/* Is the suffix at a before that at b, which begins behind it? The end of the row is before all. */
static bool rns_is_before(struct rns_search *q, size_t a, size_t b, bool turned)
{
    const uint32_t *symbol = q->forth.symbol;
    const size_t same = pat_suffix_common(&q->forth, a, b);

    if (b + same >= q->forth.count)
        return false;
    return turned ? symbol[a + same] > symbol[b + same] : symbol[a + same] < symbol[b + same];
}

static enum prvcut_status rns_add(struct rns_search *q, struct pat_run run)
{
    const struct pat_run *last = q->runs > 0 ? &q->run[q->runs - 1] : NULL;

    if (last && memcmp(last, &run, sizeof run) == 0)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&q->run, &q->room, q->runs + 1, sizeof *q->run, q->err) < 0)
        return PRVCUT_ENOMEM;
    q->run[q->runs++] = run;
    return PRVCUT_OK;
}

/* A word [begin, end) that may be the period of a run. */
static enum prvcut_status rns_try(struct rns_search *q, size_t begin, size_t end)
{
    const size_t count = q->forth.count, period = end - begin;
    const size_t more = pat_suffix_common(&q->forth, begin, end);
    /* What stands before a place begins there in the row from its end. */
    const size_t before = pat_suffix_common(&q->back, count - begin, count - end);
    const size_t length = before + period + more;

    if (length < 2 * period)
        return PRVCUT_OK;
    return rns_add(
        q, (struct pat_run){ (uint32_t)(begin - before), (uint32_t)period, (uint32_t)length });
}

static enum prvcut_status rns_order(struct rns_search *q, bool turned)
{
    enum prvcut_status st = PRVCUT_OK;
    size_t depth = 0;

    for (size_t i = q->forth.count; i-- > 0 && st == PRVCUT_OK;) {
        q->steps++;
        while (depth > 0 && rns_is_before(q, i, q->going[depth - 1], turned))
            depth--;
        st = rns_try(q, i, depth > 0 ? q->going[depth - 1] : q->forth.count);
        q->going[depth++] = (uint32_t)i;
    }
    return st;
}

static int rns_by_start(const void *x, const void *y)
{
    const struct pat_run *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->period > b->period) - (a->period < b->period);
}

/* Runs are found again by each of their periods. */
static void rns_unite(struct rns_search *q)
{
    size_t kept = 0;

    if (q->runs > 0)
        qsort(q->run, q->runs, sizeof *q->run, rns_by_start);
    for (size_t i = 0; i < q->runs; i++)
        if (kept == 0 || rns_by_start(&q->run[kept - 1], &q->run[i]) != 0)
            q->run[kept++] = q->run[i];
    q->runs = kept;
}

static enum prvcut_status rns_prepare(struct rns_search *q, const uint32_t *symbol, size_t count,
                                      uint32_t different)
{
    enum prvcut_status st = pat_suffix_make(&q->forth, symbol, count, different, q->err);

    if (st < 0)
        return st;
    q->turned = prvcut_unset(count + 1, sizeof *q->turned, "symbols", q->err);
    q->going = prvcut_unset(count + 1, sizeof *q->going, "symbols", q->err);
    if (!q->turned || !q->going)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++)
        q->turned[i] = symbol[count - 1 - i];
    st = pat_suffix_make(&q->back, q->turned, count, different, q->err);
    if (st == PRVCUT_OK)
        st = pat_suffix_prepare(&q->forth, q->err);
    return st == PRVCUT_OK ? pat_suffix_prepare(&q->back, q->err) : st;
}

enum prvcut_status pat_runs_make(struct pat_run **out, size_t *runs, const uint32_t *symbol,
                                 size_t count, uint32_t different, uint64_t *steps,
                                 struct prvcut_error *err)
{
    struct rns_search q = { .run = NULL, .err = err };
    enum prvcut_status st = rns_prepare(&q, symbol, count, different);

    if (st == PRVCUT_OK)
        st = rns_order(&q, false);
    if (st == PRVCUT_OK)
        st = rns_order(&q, true);
    rns_unite(&q);
    *steps = q.steps + q.forth.steps + q.back.steps;
    pat_suffix_fini(&q.forth);
    pat_suffix_fini(&q.back);
    free(q.turned);
    free(q.going);
    *out = q.run;
    *runs = q.runs;
    return st;
}
