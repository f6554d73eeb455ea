#include "analysis/patterns/tolerant.h"

#include "analysis/patterns/tolerant_ramps.h"
#include "analysis/patterns/tolerant_reach.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define COUNT_LEAST 3u
/* An outermost loop has that share of the time; the best one, of the calls. */
#define TIME_LEAST  0.3
#define COVER_LEAST 0.8
/* Alphabets that cover so much of the best are as good. */
#define NEARLY 0.97
/* Periods that are looked for along the whole row, those whose loops hold most: so that rows with
   ever new ones cost as much a symbol as others. Traces at hand have up to 20. */
#define PERIODS 32

void pat_tolerant_fini(struct pat_tolerant *p)
{
    free(p->border);
    free(p->row);
    free(p->least);
    free(p->most);
    free(p->inner_least);
    free(p->inner_most);
    pat_bodies_fini(&p->bodies);
    *p = (struct pat_tolerant){ .alphabet = PAT_NONE };
    pat_bodies_init(&p->bodies);
}

/* --- Tokens ----------------------------------------------------------------------------------- */

/* Elements at the top, loops unrolled once, equal neighbours joined; and where each begins. */
struct tol_tokens {
    uint32_t *number; /* [count] of its element */
    uint64_t *place;  /* [count + 1] */
    size_t count, number_room, place_room;
    struct tol_part *part; /* [parts] what tokens are made of, in order */
    size_t parts, part_room;
    struct prvcut_table numbers; /* of tol_number */
    uint64_t *element;           /* [numbers] */
    size_t element_room;
    uint64_t steps; /* looks at tokens and elements */
};

/* A piece of the fold, and the token that it is in. */
struct tol_part {
    size_t token;
    uint32_t piece;
};

struct tol_number {
    uint64_t element;
    uint32_t number;
};

static enum prvcut_status tol_part(struct tol_tokens *t, uint32_t piece, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&t->part, &t->part_room, t->parts + 1, sizeof *t->part, err) < 0)
        return PRVCUT_ENOMEM;
    t->part[t->parts++] = (struct tol_part){ t->count - 1, piece };
    return PRVCUT_OK;
}

static enum prvcut_status tol_token(struct tol_tokens *t, uint64_t element,
                                    const struct pat_fold *f, uint32_t piece,
                                    struct prvcut_error *err)
{
    const struct tol_number key = { .element = element };
    const size_t before = t->numbers.count;
    struct tol_number *n = prvcut_table_make(&t->numbers, &key, err);

    if (!n)
        return PRVCUT_ENOMEM;
    if (t->numbers.count > before) {
        n->number = (uint32_t)before;
        if (prvcut_grow((void **)&t->element, &t->element_room, before + 1, sizeof *t->element,
                        err) < 0)
            return PRVCUT_ENOMEM;
        t->element[before] = element;
    }
    if (t->count > 0 && t->number[t->count - 1] == n->number)
        return tol_part(t, piece, err);
    if (prvcut_grow((void **)&t->number, &t->number_room, t->count + 1, sizeof *t->number, err) <
            0 ||
        prvcut_grow((void **)&t->place, &t->place_room, t->count + 2, sizeof *t->place, err) < 0)
        return PRVCUT_ENOMEM;
    t->number[t->count] = n->number;
    t->place[t->count++] = f->piece[piece].start;
    return tol_part(t, piece, err);
}

/* A loop at the top: each of its iterations. */
static enum prvcut_status tol_unroll(struct tol_tokens *t, const struct pat_fold *f, size_t at,
                                     struct prvcut_error *err)
{
    const struct pat_body *b = &f->bodies->body[pat_inner(f->element[at])];
    enum prvcut_status st = PRVCUT_OK;
    uint32_t i = 0;

    for (uint32_t k = f->piece[f->own[at]].first; k > 0 && st == PRVCUT_OK;
         k = f->piece[k - 1].next, i = (i + 1) % b->length)
        st = tol_token(t, f->bodies->element[b->first + i], f, k - 1, err);
    return st;
}

static enum prvcut_status tol_tokens_make(struct tol_tokens *t, const struct pat_fold *f,
                                          size_t count, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->count && st == PRVCUT_OK; i++)
        st = pat_is_loop(f->element[i]) ? tol_unroll(t, f, i, err)
                                        : tol_token(t, f->element[i], f, f->own[i], err);
    if (st == PRVCUT_OK && t->count > 0)
        t->place[t->count] = count;
    return st;
}

/* --- The longest run -------------------------------------------------------------------------- */

struct tol_run {
    size_t first, period, count; /* tokens */
    uint64_t covered;            /* symbols */
};

/* The longest run of a period; of equals the first. */
static void tol_longest(struct tol_tokens *t, size_t period, struct tol_run *best)
{
    t->steps += t->count;
    for (size_t i = 0; i + period < t->count; i++) {
        const size_t first = i;

        while (i + period < t->count && t->number[i] == t->number[i + period])
            i++;
        const size_t count = (i + period - first) / period;

        if (count >= COUNT_LEAST) {
            const uint64_t covered = t->place[first + count * period] - t->place[first];

            if (covered > best->covered || (covered == best->covered && count > best->count))
                *best = (struct tol_run){ first, period, count, covered };
        }
    }
}

/* A period that loops at the top have, and how many symbols these hold. */
struct tol_period {
    uint64_t tokens;
    uint64_t symbols;
};

/* The body of a loop at the top, without a last element that is its first one, and no power. */
static enum prvcut_status tol_period_of(struct tol_tokens *t, const struct pat_bodies *b,
                                        uint64_t loop, size_t *out, struct prvcut_error *err)
{
    const struct pat_body *body = &b->body[pat_inner(loop)];
    const uint64_t *row = b->element + body->first;
    size_t length = body->length;
    uint32_t *number;

    length -= length > 1 && row[0] == row[length - 1];
    number = prvcut_unset(length, 2 * sizeof *number, "patterns", err);
    if (!number)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < length; i++) {
        const struct tol_number key = { .element = row[i] };
        const struct tol_number *of = prvcut_table_find(&t->numbers, &key);

        number[i] = of ? of->number : UINT32_MAX;
    }
    *out = pat_root(number, length, number + length);
    t->steps += length;
    free(number);
    return PRVCUT_OK;
}

static enum prvcut_status tol_periods(struct tol_tokens *t, const struct pat_fold *f,
                                      struct prvcut_table *periods, struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < f->count && st == PRVCUT_OK; i++) {
        struct tol_period *p;
        size_t period = 0;

        if (!pat_is_loop(f->element[i]))
            continue;
        st = tol_period_of(t, f->bodies, f->element[i], &period, err);
        p = st == PRVCUT_OK
                ? prvcut_table_make(periods, &(struct tol_period){ .tokens = period }, err)
                : NULL;
        if (st == PRVCUT_OK && !p)
            st = PRVCUT_ENOMEM;
        if (p)
            p->symbols += (i + 1 < f->count ? f->piece[f->own[i + 1]].start : f->added) -
                          f->piece[f->own[i]].start;
    }
    return st;
}

static int tol_by_symbols(const void *x, const void *y)
{
    const struct tol_period *a = x, *b = y;

    if (a->symbols != b->symbols)
        return a->symbols > b->symbols ? -1 : 1;
    return (a->tokens > b->tokens) - (a->tokens < b->tokens);
}

static enum prvcut_status tol_best(struct tol_tokens *t, const struct pat_fold *f,
                                   struct tol_run *best, struct prvcut_error *err)
{
    struct prvcut_table periods = PRVCUT_TABLE(struct tol_period, symbols, "patterns");
    enum prvcut_status st = tol_periods(t, f, &periods, err);
    size_t count = 0;
    struct tol_period *p = prvcut_table_take(&periods, &count);

    if (count > PERIODS) {
        qsort(p, count, sizeof *p, tol_by_symbols);
        count = PERIODS;
    }
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        tol_longest(t, p[i].tokens, best);
    free(p);
    prvcut_table_fini(&periods);
    return st;
}

/* --- How often -------------------------------------------------------------------------------- */

static void tol_note(uint32_t *least, uint32_t *most, uint32_t times)
{
    *least = times < *least ? times : *least;
    *most = times > *most ? times : *most;
}

/* How often the elements of an iteration go round, in all iterations of a loop. */
static void tol_note_inside(struct pat_tolerant *p, const struct pat_fold *f, uint64_t element,
                            uint32_t piece)
{
    const struct pat_body *b = &p->bodies.body[pat_inner(element)];
    uint32_t i = 0;

    if (!pat_is_loop(element))
        return;
    for (uint32_t k = f->piece[piece].first; k > 0;
         k = f->piece[k - 1].next, i = (i + 1) % b->length) {
        const size_t at = b->first + i;

        tol_note(&p->inner_least[at], &p->inner_most[at], f->piece[k - 1].times);
        tol_note_inside(p, f, p->bodies.element[at], k - 1);
    }
}

static enum prvcut_status tol_room(struct pat_tolerant *p, size_t period, struct prvcut_error *err)
{
    p->length = period;
    p->row = prvcut_unset(period, sizeof *p->row, "patterns", err);
    p->least = prvcut_unset(period, sizeof *p->least, "patterns", err);
    p->most = prvcut_zeroed(period, sizeof *p->most, "patterns", err);
    p->inner_least = prvcut_unset(p->bodies.elements, sizeof *p->inner_least, "patterns", err);
    p->inner_most = prvcut_zeroed(p->bodies.elements, sizeof *p->inner_most, "patterns", err);
    if (!p->row || !p->least || !p->most || !p->inner_least || !p->inner_most)
        return PRVCUT_ENOMEM;
    memset(p->least, 0xff, period * sizeof *p->least);
    memset(p->inner_least, 0xff, p->bodies.elements * sizeof *p->inner_least);
    return PRVCUT_OK;
}

static enum prvcut_status tol_counts(struct pat_tolerant *p, const struct tol_tokens *t,
                                     const struct tol_run *run, const struct pat_fold *f,
                                     struct prvcut_error *err)
{
    const size_t end = run->first + run->period * run->count;
    enum prvcut_status st = tol_room(p, run->period, err);

    for (size_t i = 0; i < t->parts && st == PRVCUT_OK;) {
        const size_t token = t->part[i].token;
        const bool in = token >= run->first && token < end;
        uint32_t times = 0;

        for (; i < t->parts && t->part[i].token == token; i++) {
            times += f->piece[t->part[i].piece].times;
            if (in)
                tol_note_inside(p, f, t->element[t->number[token]], t->part[i].piece);
        }
        if (in) {
            const size_t k = (token - run->first) % run->period;

            p->row[k] = t->element[t->number[token]];
            tol_note(&p->least[k], &p->most[k], times);
        }
    }
    return st;
}

/* --- One alphabet ----------------------------------------------------------------------------- */

static enum prvcut_status tol_take(struct pat_tolerant *out, const struct tol_tokens *t,
                                   const struct tol_run *run, const struct pat_fold *f,
                                   struct prvcut_error *err)
{
    if (run->count == 0)
        return PRVCUT_OK;
    out->count = run->count;
    out->border = prvcut_unset(run->count + 1, sizeof *out->border, "iterations", err);
    if (!out->border)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i <= run->count; i++)
        out->border[i] = t->place[run->first + i * run->period];
    return tol_counts(out, t, run, f, err);
}

static enum prvcut_status tol_loop(struct pat_tolerant *out, const uint32_t *symbol, size_t count,
                                   struct prvcut_error *err)
{
    struct pat_fold f = { .bodies = &out->bodies, .tolerant = true };
    struct tol_tokens t = { .numbers = PRVCUT_TABLE(struct tol_number, number, "patterns") };
    struct tol_run best = { .count = 0 };
    enum prvcut_status st = PRVCUT_OK;

    *out = (struct pat_tolerant){ .alphabet = PAT_NONE };
    pat_bodies_init(&out->bodies);
    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = pat_fold_add(&f, symbol[i], err);
    if (st == PRVCUT_OK)
        st = tol_tokens_make(&t, &f, count, err);
    if (st == PRVCUT_OK)
        st = tol_best(&t, &f, &best, err);
    if (st == PRVCUT_OK)
        st = tol_take(out, &t, &best, &f, err);
    out->steps = f.steps + t.steps;
    pat_fold_fini(&f);
    free(t.number);
    free(t.place);
    free(t.element);
    free(t.part);
    prvcut_table_fini(&t.numbers);
    /* Too many elements were open: there is no loop. */
    return st == PRVCUT_NONE ? PRVCUT_OK : st;
}

enum prvcut_status pat_tolerant_loop(struct pat_tolerant *out, const uint32_t *symbol, size_t count,
                                     struct prvcut_error *err)
{
    enum prvcut_status st = tol_loop(out, symbol, count, err);

    if (st == PRVCUT_OK && out->count > 0)
        st = pat_tolerant_reach(out, symbol, count, err);
    return st == PRVCUT_OK && out->count > 0 ? pat_tolerant_ramps(out, err) : st;
}

/* --- Which alphabet --------------------------------------------------------------------------- */

static void tol_cover(struct pat_tolerant *p, const struct pat_thread *t)
{
    const uint64_t all = t->call[t->calls - 1].end - t->call[0].begin;
    const uint64_t first = p->border[0], end = p->border[p->count];

    p->cover = (double)(end - first) / (double)t->calls;
    p->time = (double)(pat_border(t, end) - pat_border(t, first)) / (double)(all > 0 ? all : 1);
}

static enum prvcut_status tol_try(struct pat_tolerant *out, const struct pat_thread *t,
                                  enum pat_alphabet alphabet, uint32_t *symbol,
                                  struct prvcut_error *err)
{
    enum prvcut_status st;

    pat_symbols(t, alphabet, symbol);
    st = tol_loop(out, symbol, t->calls, err);
    out->alphabet = alphabet;
    if (st < 0 || out->count == 0)
        return st;
    tol_cover(out, t);
    if (out->time < TIME_LEAST)
        out->count = 0;
    return PRVCUT_OK;
}

/* The one that was chosen may go on at its ends, and be the inner one of two: as all would, so that
   it does not count for any. */
static enum prvcut_status tol_whole(struct pat_tolerant *p, const struct pat_thread *t,
                                    uint32_t *symbol, struct prvcut_error *err)
{
    enum prvcut_status st;

    pat_symbols(t, p->alphabet, symbol);
    st = pat_tolerant_reach(p, symbol, t->calls, err);
    if (st == PRVCUT_OK)
        st = pat_tolerant_ramps(p, err);
    if (st == PRVCUT_OK && p->count > 0)
        tol_cover(p, t);
    return st;
}

/* Share of the calls that an iteration has, in steps that are no noise. */
static double tol_long(const struct pat_tolerant *p)
{
    return round(1e4 * p->cover / (double)p->count) / 1e4;
}

enum prvcut_status pat_tolerant_find(struct pat_tolerant *out, const struct pat_thread *t,
                                     enum pat_alphabet alphabet, struct prvcut_error *err)
{
    struct pat_tolerant at[PAT_ALPHABETS];
    uint32_t *symbol = prvcut_unset(t->calls, sizeof *symbol, "calls", err);
    enum prvcut_status st = symbol ? PRVCUT_OK : PRVCUT_ENOMEM;
    unsigned best = PAT_ALPHABETS;
    double most = 0;

    memset(at, 0, sizeof at);
    for (unsigned a = 0; a < PAT_ALPHABETS && st == PRVCUT_OK && t->calls > 0; a++)
        if (alphabet == PAT_NONE ? pat_alphabet_adds(t, (enum pat_alphabet)a) : a == alphabet)
            st = tol_try(&at[a], t, (enum pat_alphabet)a, symbol, err);
    for (unsigned a = 0; a < PAT_ALPHABETS; a++)
        most = at[a].count > 0 && at[a].cover > most ? at[a].cover : most;
    for (unsigned a = 0; a < PAT_ALPHABETS && most >= COVER_LEAST; a++)
        if (at[a].count > 0 && at[a].cover >= NEARLY * most &&
            (best == PAT_ALPHABETS || tol_long(&at[a]) > tol_long(&at[best])))
            best = a;
    for (unsigned a = 0; a < PAT_ALPHABETS; a++)
        if (a != best)
            pat_tolerant_fini(&at[a]);
    if (best < PAT_ALPHABETS && st == PRVCUT_OK)
        st = tol_whole(&at[best], t, symbol, err);
    free(symbol);
    *out = (struct pat_tolerant){ .alphabet = PAT_NONE };
    pat_bodies_init(&out->bodies);
    if (best < PAT_ALPHABETS)
        *out = at[best];
    return st;
}

/* --- As a tree -------------------------------------------------------------------------------- */

struct tol_tree {
    struct pat_tree *tree;
    const struct pat_tolerant *of;
    uint32_t *place; /* [bodies] + 1; 0: not yet */
};

/* A row of elements with how often each goes round; its bodies first. */
static enum prvcut_status tol_add(struct tol_tree *m, const uint64_t *row, const uint32_t *least,
                                  const uint32_t *most, size_t count, struct prvcut_error *err)
{
    const struct pat_bodies *b = &m->of->bodies;
    struct pat_node *node;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++) {
        const struct pat_body *in = &b->body[pat_inner(row[i])];

        if (!pat_is_loop(row[i]) || m->place[pat_inner(row[i])] > 0)
            continue;
        st = tol_add(m, b->element + in->first, m->of->inner_least + in->first,
                     m->of->inner_most + in->first, in->length, err);
        m->place[pat_inner(row[i])] = (uint32_t)m->tree->bodies;
    }
    node = st == PRVCUT_OK ? prvcut_unset(count, sizeof *node, "patterns", err) : NULL;
    for (size_t i = 0; node && i < count; i++) {
        const bool loop = pat_is_loop(row[i]);
        const uint32_t inner = pat_inner(row[i]);

        node[i] = (struct pat_node){ loop ? m->place[inner] - 1 : inner, loop,
                                     least[i] <= most[i] ? least[i] : most[i], most[i] };
    }
    if (st == PRVCUT_OK)
        st = node ? pat_tree_add_row(m->tree, node, count, err) : PRVCUT_ENOMEM;
    free(node);
    return st;
}

/* What is before the loop, the loop, and what is behind it become one row. */
static enum prvcut_status tol_join(struct pat_tree *t, size_t before, size_t loop, size_t behind,
                                   uint32_t count, struct prvcut_error *err)
{
    const struct pat_tree_body a = t->body[before], b = t->body[behind];
    struct pat_node *node = prvcut_unset(a.length + b.length + 1, sizeof *node, "patterns", err);
    enum prvcut_status st;

    if (!node)
        return PRVCUT_ENOMEM;
    if (a.length > 0)
        memcpy(node, t->node + a.first, a.length * sizeof *node);
    node[a.length] = (struct pat_node){ (uint32_t)loop, true, count, count };
    if (b.length > 0)
        memcpy(node + a.length + 1, t->node + b.first, b.length * sizeof *node);
    st = pat_tree_add_row(t, node, a.length + b.length + 1, err);
    free(node);
    return st;
}

enum prvcut_status pat_tolerant_tree(struct pat_tree *out, const struct pat_tolerant *p,
                                     const uint32_t *symbol, size_t count, struct pat_nest *n,
                                     struct prvcut_error *err)
{
    struct tol_tree m = { .tree = out, .of = p };
    const uint64_t end = p->border[p->count];
    size_t before = 0, loop = 0;
    enum prvcut_status st;

    m.place = prvcut_zeroed(p->bodies.count, sizeof *m.place, "patterns", err);
    st = m.place ? pat_nest_make(n, symbol, p->border[0], err) : PRVCUT_ENOMEM;
    if (st == PRVCUT_OK)
        st = pat_tree_add(out, n, err);
    before = out->bodies - 1;
    if (st == PRVCUT_OK)
        st = tol_add(&m, p->row, p->least, p->most, p->length, err);
    loop = out->bodies - 1;
    if (st == PRVCUT_OK)
        st = pat_nest_make(n, symbol + end, count - end, err);
    if (st == PRVCUT_OK)
        st = pat_tree_add(out, n, err);
    if (st == PRVCUT_OK)
        st = tol_join(out, before, loop, out->bodies - 1, (uint32_t)p->count, err);
    free(m.place);
    return st;
}
