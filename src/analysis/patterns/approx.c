#include "analysis/patterns/approx.h"

#include "base/buffer.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD 64u

/* --- The query -------------------------------------------------------------------------------- */

static void apx_set(uint64_t *at, size_t words, uint32_t symbol, size_t place)
{
    at[symbol * words + place / WORD] |= (uint64_t)1 << place % WORD;
}

enum prvcut_status pat_query_init(struct pat_query *q, const uint32_t *symbol, size_t count,
                                  uint32_t different, struct prvcut_error *err)
{
    *q = (struct pat_query){
        .symbol = symbol, .count = count, .different = different, .words = (count + WORD - 1) / WORD
    };
    if (count == 0 || count > PAT_QUERY_MOST)
        return prvcut_fail(err, PRVCUT_EUSAGE,
                           "a query of %zu calls of one thread: 1 to %zu can be looked for", count,
                           PAT_QUERY_MOST);
    q->forth = prvcut_zeroed((size_t)different + 1, q->words * sizeof *q->forth, "the query", err);
    q->back = prvcut_zeroed((size_t)different + 1, q->words * sizeof *q->back, "the query", err);
    q->up = prvcut_zeroed(q->words, sizeof *q->up, "the query", err);
    q->down = prvcut_zeroed(q->words, sizeof *q->down, "the query", err);
    if (!q->forth || !q->back || !q->up || !q->down)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        apx_set(q->forth, q->words, symbol[i], i);
        apx_set(q->back, q->words, symbol[i], count - 1 - i);
    }
    return PRVCUT_OK;
}

void pat_query_fini(struct pat_query *q)
{
    free(q->forth);
    free(q->back);
    free(q->up);
    free(q->down);
    *q = (struct pat_query){ .count = 0 };
}

/* --- Edits ------------------------------------------------------------------------------------
 *
 * A column of edits, one a symbol of the query, is kept as the differences of neighbours: up where
 * it grows by one, down where it shrinks. The next symbol of the row changes 64 of them at once;
 * how the last of these changes goes on into the next 64.
 */

static void apx_begin(struct pat_query *q)
{
    memset(q->up, 0xff, q->words * sizeof *q->up);
    memset(q->down, 0, q->words * sizeof *q->down);
}

/* One word; in, and what is returned: how the row above it, and its own last one, change. */
static int apx_word(uint64_t *up, uint64_t *down, uint64_t same, int in, unsigned last)
{
    const uint64_t kept = same | *down, equal = same | (in < 0);
    const uint64_t across = (((equal & *up) + *up) ^ *up) | equal;
    uint64_t grows = *down | ~(across | *up), shrinks = *up & across;
    const int out = grows >> last & 1 ? 1 : shrinks >> last & 1 ? -1 : 0;

    grows = grows << 1 | (in > 0);
    shrinks = shrinks << 1 | (in < 0);
    *up = shrinks | ~(kept | grows);
    *down = grows & kept;
    return out;
}

/* The next symbol of the row: how the edits of the whole query change. */
static int apx_step(struct pat_query *q, const uint64_t *at, uint32_t symbol, int in)
{
    const uint64_t *same = at + (symbol < q->different ? symbol : q->different) * q->words;
    size_t i = 0;

    for (; i + 1 < q->words; i++)
        in = apx_word(&q->up[i], &q->down[i], same[i], in, WORD - 1);
    return apx_word(&q->up[i], &q->down[i], same[i], in, (unsigned)((q->count + WORD - 1) % WORD));
}

void pat_query_edits(struct pat_query *q, const uint32_t *row, size_t count, uint32_t *edits)
{
    int64_t now = (int64_t)q->count;

    apx_begin(q);
    for (size_t i = 0; i < count; i++) {
        now += apx_step(q, q->forth, row[i], 0);
        edits[i] = (uint32_t)now;
    }
}

/* Where the shortest stretch begins that ends there and has so many edits: backwards, from its end,
   where each symbol of the row costs one. */
static uint32_t apx_start(struct pat_query *q, const uint32_t *row, uint32_t end, uint32_t edits)
{
    int64_t now = (int64_t)q->count;
    uint32_t start = end;

    apx_begin(q);
    while (start > 0 && now != edits)
        now += apx_step(q, q->back, row[--start], 1);
    return start;
}

/* --- Matches ---------------------------------------------------------------------------------- */

struct apx_end {
    uint32_t edits, end;
};

static int apx_best(const void *x, const void *y)
{
    const struct apx_end *a = x, *b = y;

    if (a->edits != b->edits)
        return a->edits < b->edits ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static int apx_first(const void *x, const void *y)
{
    const struct pat_match *a = x, *b = y;

    return (a->start > b->start) - (a->start < b->start);
}

struct apx_search {
    struct pat_query *q;
    const uint32_t *row;
    struct apx_end *end; /* [ends] */
    size_t ends, end_room;
    bool *taken; /* [count] part of a match */
    struct pat_match *match;
    size_t matches, room;
    struct prvcut_error *err;
};

/* Is one of the symbols before `end`, back to `start`, taken? */
static bool apx_is_taken(const struct apx_search *s, uint32_t start, uint32_t end)
{
    while (end > start)
        if (s->taken[--end])
            return true;
    return false;
}

static enum prvcut_status apx_take(struct apx_search *s, const struct apx_end *e)
{
    const uint32_t least = (uint32_t)s->q->count - e->edits;
    uint32_t start;

    /* No stretch is shorter than the query less its edits. */
    if (least > e->end || apx_is_taken(s, e->end - least, e->end))
        return PRVCUT_OK;
    start = apx_start(s->q, s->row, e->end, e->edits);
    if (start == e->end || apx_is_taken(s, start, e->end))
        return PRVCUT_OK;
    if (prvcut_grow((void **)&s->match, &s->room, s->matches + 1, sizeof *s->match, s->err) < 0)
        return PRVCUT_ENOMEM;
    s->match[s->matches++] = (struct pat_match){ start, e->end, e->edits };
    memset(s->taken + start, true, e->end - start);
    return PRVCUT_OK;
}

static enum prvcut_status apx_ends(struct apx_search *s, size_t count, uint32_t most)
{
    int64_t now = (int64_t)s->q->count;

    apx_begin(s->q);
    for (size_t i = 0; i < count; i++) {
        now += apx_step(s->q, s->q->forth, s->row[i], 0);
        if (now > most)
            continue;
        if (prvcut_grow((void **)&s->end, &s->end_room, s->ends + 1, sizeof *s->end, s->err) < 0)
            return PRVCUT_ENOMEM;
        s->end[s->ends++] = (struct apx_end){ (uint32_t)now, (uint32_t)(i + 1) };
    }
    return PRVCUT_OK;
}

enum prvcut_status pat_query_find(struct pat_query *q, const uint32_t *row, size_t count,
                                  uint32_t most, struct pat_match **out, size_t *matches,
                                  struct prvcut_error *err)
{
    struct apx_search s = { .q = q, .row = row, .err = err };
    enum prvcut_status st;

    s.taken = prvcut_zeroed(count + 1, sizeof *s.taken, "matches", err);
    st = s.taken ? apx_ends(&s, count, most) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK && s.ends > 0)
        qsort(s.end, s.ends, sizeof *s.end, apx_best);
    for (size_t i = 0; i < s.ends && st == PRVCUT_OK; i++)
        st = apx_take(&s, &s.end[i]);
    if (s.matches > 0)
        qsort(s.match, s.matches, sizeof *s.match, apx_first);
    free(s.taken);
    free(s.end);
    *out = s.match;
    *matches = s.matches;
    return st;
}
