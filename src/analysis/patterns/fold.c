#include "analysis/patterns/fold.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>

/* Stretches of fewer elements are compared one by one; longer ones are looked for by their last
   GRAM elements. */
#define GRAM           16
#define TRIES          64 /* such places that are looked at */
#define TRIES_FREE     8  /* so many without a measure of how far any of them can agree */
#define MEASURE_AFTER  16 /* elements, at least, from one such measure to the next */
#define LOOPS          8  /* loops at the end that may go on */
#define LOOPS_TOLERANT 64 /* where most elements are loops */
#define LENGTH_MOST    ((size_t)1 << 20)
#define OPEN_MOST      ((size_t)1 << 20)
#define BITS_LEAST     10u
#define AHEAD          3 /* symbols that what is fetched is ahead of what is used */

/* --- Room ------------------------------------------------------------------------------------- */

void pat_fold_fini(struct pat_fold *f)
{
    free(f->aside);
    free(f->element);
    free(f->sum);
    free(f->same);
    free(f->loop);
    free(f->longer);
    free(f->latest);
    free(f->power);
    free(f->cursor);
    free(f->own);
    free(f->piece);
    *f = (struct pat_fold){ .bodies = f->bodies,
                            .open_most = f->open_most,
                            .tolerant = f->tolerant };
}

void pat_fold_clear(struct pat_fold *f)
{
    f->count = f->asides = f->depth = f->longest_at = 0;
    f->whole = 0;
    f->unfolded = f->added = 0;
    f->pieces = 0;
    if (f->latest)
        memset(f->latest, 0, sizeof *f->latest << f->bits);
}

static enum prvcut_status fold_powers(struct pat_fold *f, size_t most, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&f->power, &f->power_room, most + 1, sizeof *f->power, err) < 0)
        return PRVCUT_ENOMEM;
    if (f->powers == 0)
        f->power[f->powers++] = 1;
    for (; f->powers <= most; f->powers++)
        f->power[f->powers] = f->power[f->powers - 1] * PAT_ROW_BASE;
    return PRVCUT_OK;
}

/* The hash of elements [from, to). */
static uint64_t fold_hash(const struct pat_fold *f, size_t from, size_t to)
{
    return f->sum[to] - f->sum[from] * f->power[to - from];
}

/* A gram as it is noted: its place + 1 in the lower bits, above them a part of its hash, so that
   most others are told from it without a look at the row. */
#define PLACE_BITS 21u
#define PLACE_MASK ((1u << PLACE_BITS) - 1)
_Static_assert(OPEN_MOST < PLACE_MASK, "places of grams");

static uint32_t fold_tag(uint64_t hash)
{
    return (uint32_t)pat_mix(hash, 0) & ~PLACE_MASK;
}

static size_t fold_noted(uint32_t gram)
{
    return gram & PLACE_MASK;
}

/* Where the latest gram with that hash is. */
static uint32_t *fold_latest(const struct pat_fold *f, uint64_t hash)
{
    return &f->latest[prvcut_table_place(hash, f->bits)];
}

/* The last GRAM elements up to a place are at hand by this. */
static void fold_note_gram(struct pat_fold *f, size_t at)
{
    uint64_t hash;
    uint32_t *latest;

    f->same[at] = 0;
    if (at + 1 < GRAM)
        return;
    hash = fold_hash(f, at + 1 - GRAM, at + 1);
    latest = fold_latest(f, hash);
    f->same[at] = *latest;
    *latest = fold_tag(hash) | ((uint32_t)at + 1);
}

/* All of them, into a table that is fetched ahead of it. */
static void fold_note_grams(struct pat_fold *f)
{
    memset(f->latest, 0, sizeof *f->latest << f->bits);
    for (size_t i = 0; i < f->count; i++) {
        const size_t next = i + 2 * AHEAD;

        if (next < f->count && next + 1 >= GRAM)
            __builtin_prefetch(fold_latest(f, fold_hash(f, next + 1 - GRAM, next + 1)), 1);
        fold_note_gram(f, i);
    }
    f->steps += f->count;
}

static enum prvcut_status fold_grams(struct pat_fold *f, unsigned bits, struct prvcut_error *err)
{
    uint32_t *latest = prvcut_zeroed((size_t)1 << bits, sizeof *latest, "patterns", err);

    if (!latest)
        return PRVCUT_ENOMEM;
    free(f->latest);
    f->latest = latest;
    f->bits = bits;
    fold_note_grams(f);
    return PRVCUT_OK;
}

static enum prvcut_status fold_room(struct pat_fold *f, struct prvcut_error *err)
{
    const size_t room = f->room > 0 ? 2 * f->room : (size_t)1 << BITS_LEAST;
    size_t had[6] = { f->room, f->room > 0 ? f->room + 1 : 0, f->room, f->room, f->room, f->room };

    if (f->count < f->room)
        return PRVCUT_OK;
    if (prvcut_grow((void **)&f->element, &had[0], room, sizeof *f->element, err) < 0 ||
        prvcut_grow((void **)&f->sum, &had[1], room + 1, sizeof *f->sum, err) < 0 ||
        prvcut_grow((void **)&f->same, &had[2], room, sizeof *f->same, err) < 0 ||
        prvcut_grow((void **)&f->loop, &had[3], room, sizeof *f->loop, err) < 0 ||
        prvcut_grow((void **)&f->longer, &had[5], room, sizeof *f->longer, err) < 0 ||
        (f->tolerant && prvcut_grow((void **)&f->own, &had[4], room, sizeof *f->own, err) < 0) ||
        fold_powers(f, room < LENGTH_MOST ? room : LENGTH_MOST, err) < 0)
        return PRVCUT_ENOMEM;
    f->room = room;
    f->sum[0] = 0;
    return fold_grams(f, (f->bits < BITS_LEAST ? BITS_LEAST : f->bits) + 1, err);
}

/* --- The stack -------------------------------------------------------------------------------- */

static uint32_t fold_length(const struct pat_fold *f, size_t at)
{
    return f->bodies->body[pat_inner(f->element[at])].length;
}

/* Of that loop and those before it (place + 1), the last one with a longer body. */
static uint32_t fold_longer(struct pat_fold *f, uint32_t at, uint32_t length)
{
    for (unsigned i = 0; i < LOOPS_TOLERANT && at > 0 && fold_length(f, at - 1) <= length; i++) {
        at = f->longer[at - 1];
        f->steps++;
    }
    return at;
}

static void fold_set(struct pat_fold *f, size_t at, uint64_t element)
{
    f->element[at] = element;
    f->sum[at + 1] = pat_row_hash(f->sum[at], element);
    f->loop[at] = at > 0 ? f->loop[at - 1] : 0;
    if (pat_is_loop(element)) {
        f->longer[at] = fold_longer(f, f->loop[at], f->bodies->body[pat_inner(element)].length);
        f->loop[at] = (uint32_t)at + 1;
    }
}

static void fold_pop(struct pat_fold *f, size_t count)
{
    f->steps += count;
    for (; count > 0; count--) {
        const size_t at = --f->count;

        if (at + 1 >= GRAM)
            *fold_latest(f, fold_hash(f, at + 1 - GRAM, at + 1)) = f->same[at];
    }
    if (f->count < f->longest_at)
        f->longest_at = 0;
}

/* Too many are open: the older half is set aside. */
static enum prvcut_status fold_set_aside(struct pat_fold *f, struct prvcut_error *err)
{
    const size_t half = f->count / 2, left = f->count - half;

    if (prvcut_grow((void **)&f->aside, &f->aside_room, f->asides + half, sizeof *f->aside, err) <
        0)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < half; i++) {
        f->aside[f->asides++] = f->element[i];
        f->unfolded += !pat_is_loop(f->element[i]);
    }
    memmove(f->element, f->element + half, left * sizeof *f->element);
    for (size_t i = 0; i < left; i++)
        fold_set(f, i, f->element[i]);
    f->count = left;
    f->longest_at = 0;
    fold_note_grams(f);
    return PRVCUT_OK;
}

static enum prvcut_status fold_push(struct pat_fold *f, uint64_t element, struct prvcut_error *err)
{
    if (f->count >= (f->open_most > 0 ? f->open_most : OPEN_MOST)) {
        if (f->tolerant)
            return PRVCUT_NONE;
        if (fold_set_aside(f, err) < 0)
            return PRVCUT_ENOMEM;
    }
    if (fold_room(f, err) < 0)
        return PRVCUT_ENOMEM;
    fold_set(f, f->count, element);
    fold_note_gram(f, f->count++);
    f->steps++;
    return PRVCUT_OK;
}

/* Append pieces to those that a loop's iterations are made of. */
static void fold_append(struct pat_fold *f, uint32_t loop, uint32_t first, uint32_t last)
{
    struct pat_piece *p = &f->piece[loop];

    if (first == 0)
        return;
    if (p->last > 0)
        f->piece[p->last - 1].next = first;
    else
        p->first = first;
    p->last = last;
}

/* A piece of the last elements, from there on: of those that are the element itself, what these are
   made of; the others whole. */
static enum prvcut_status fold_piece(struct pat_fold *f, size_t from, uint64_t element,
                                     uint32_t times, uint32_t *out, struct prvcut_error *err)
{
    if (f->pieces >= UINT32_MAX - 1)
        return PRVCUT_NONE;
    if (prvcut_grow((void **)&f->piece, &f->piece_room, f->pieces + 1, sizeof *f->piece, err) < 0)
        return PRVCUT_ENOMEM;
    *out = (uint32_t)f->pieces++;
    f->piece[*out] = (struct pat_piece){ .start = f->piece[f->own[from]].start, .times = times };
    for (size_t i = from; i < f->count && pat_is_loop(element); i++) {
        const struct pat_piece p = f->piece[f->own[i]];

        if (f->element[i] == element)
            fold_append(f, *out, p.first, p.last);
        else
            fold_append(f, *out, f->own[i] + 1, f->own[i] + 1);
    }
    return PRVCUT_OK;
}

/* In place of the last elements, from there on, one that goes round so often. */
static enum prvcut_status fold_replace(struct pat_fold *f, size_t from, uint64_t element,
                                       uint32_t times, struct prvcut_error *err)
{
    uint32_t piece = 0;
    enum prvcut_status st =
        f->tolerant ? fold_piece(f, from, element, times, &piece, err) : PRVCUT_OK;

    if (st != PRVCUT_OK)
        return st;
    fold_pop(f, f->count - from);
    st = fold_push(f, f->tolerant ? element : element + times, err);
    if (st == PRVCUT_OK && f->tolerant)
        f->own[f->count - 1] = piece;
    return st;
}

void pat_fold_expect(const struct pat_fold *f, const uint32_t *next, size_t count)
{
    uint64_t sum;

    if (f->depth > 0 || count < AHEAD || f->count < GRAM)
        return;
    sum = f->sum[f->count];
    for (size_t i = 0; i < AHEAD; i++)
        sum = pat_row_hash(sum, pat_leaf(next[i]));
    __builtin_prefetch(fold_latest(f, sum - f->sum[f->count + AHEAD - GRAM] * f->power[GRAM]), 1);
}

/* --- Folding ---------------------------------------------------------------------------------- */

/* Are the last elements those of a body? */
static bool fold_is_body(struct pat_fold *f, size_t from, uint32_t body)
{
    const size_t length = f->count - from;

    f->steps++;
    if (f->bodies->body[body].length != length ||
        f->bodies->body[body].hash != fold_hash(f, from, f->count))
        return false;
    f->steps += length;
    return memcmp(f->element + from, pat_body_row(f->bodies, body), length * sizeof *f->element) ==
           0;
}

/* How often an element of the stack goes round. */
static uint32_t fold_times(const struct pat_fold *f, size_t at)
{
    return f->tolerant ? f->piece[f->own[at]].times : pat_count(f->element[at]);
}

/* Are the last two one? */
static bool fold_joins(const struct pat_fold *f)
{
    const size_t n = f->count;

    if (n < 2)
        return false;
    if (f->tolerant)
        return f->element[n - 1] == f->element[n - 2];
    return pat_is_loop(f->element[n - 1]) && pat_is_loop(f->element[n - 2]) &&
           pat_inner(f->element[n - 1]) == pat_inner(f->element[n - 2]);
}

/* A loop without its count; in tolerant folds with that of all. */
static uint64_t fold_bare(const struct pat_fold *f, uint64_t element)
{
    return f->tolerant ? element : pat_leaf(pat_inner(element));
}

/* One of the loops at the end goes on: whether, or PRVCUT_END. */
static enum prvcut_status fold_goes_on(struct pat_fold *f, struct prvcut_error *err)
{
    const size_t n = f->count;
    size_t at = n > 1 ? f->loop[n - 2] : 0;

    if (fold_joins(f))
        return fold_replace(f, n - 2, fold_bare(f, f->element[n - 1]),
                            fold_times(f, n - 2) + fold_times(f, n - 1), err);
    for (unsigned i = 0; i < (f->tolerant ? LOOPS_TOLERANT : LOOPS) && at > 0; i++) {
        if (fold_is_body(f, at, pat_inner(f->element[at - 1])))
            return fold_replace(f, at - 1, fold_bare(f, f->element[at - 1]),
                                fold_times(f, at - 1) + 1, err);
        /* Of loops before one that is too short, only longer ones can be long enough. */
        at = fold_length(f, at - 1) < n - at ? f->longer[at - 1] : at > 1 ? f->loop[at - 2] : 0;
    }
    return PRVCUT_END;
}

/* Are the last elements the same as those before them? */
static bool fold_is_twice(struct pat_fold *f, size_t length)
{
    const size_t n = f->count;

    f->steps++;
    if (2 * length > n || f->element[n - 1 - length] != f->element[n - 1] ||
        fold_hash(f, n - length, n) != fold_hash(f, n - 2 * length, n - length))
        return false;
    f->steps += length;
    return memcmp(f->element + n - length, f->element + n - 2 * length,
                  length * sizeof *f->element) == 0;
}

struct fold_ends {
    struct pat_fold *fold;
    size_t at;
};

/* Do as many elements up to a place differ from the last ones? */
static bool fold_differ(const void *ctx, size_t length)
{
    const struct fold_ends *e = ctx;
    const struct pat_fold *f = e->fold;

    e->fold->steps++;
    return fold_hash(f, e->at - length, e->at) != fold_hash(f, f->count - length, f->count);
}

/* How many of the last elements are at one of the places before, too: of those that are tried. */
static void fold_measure(struct pat_fold *f)
{
    const size_t n = f->count;
    uint32_t at = f->same[n - 1];

    f->longest = GRAM;
    f->longest_at = n;
    for (unsigned i = 0; i < TRIES && at > 0; i++, at = f->same[fold_noted(at) - 1]) {
        const struct fold_ends e = { f, fold_noted(at) };

        if (f->longest < e.at && !fold_differ(&e, f->longest + 1))
            f->longest = prvcut_first(f->longest + 2, e.at + 1, fold_differ, &e) - 1;
    }
}

/*
 * The longest stretch that can be there twice. What agrees with the last elements grows by one with
 * each that comes, and what begins to agree later is shorter; so where a loop is disturbed again
 * and again, the many places that have its last elements are not tried at each element.
 */
static size_t fold_longest(const struct pat_fold *f)
{
    const size_t most = f->count / 2 < LENGTH_MOST ? f->count / 2 : LENGTH_MOST;

    return f->longest_at > 0 && f->longest + (f->count - f->longest_at) < most
               ? f->longest + (f->count - f->longest_at)
               : most;
}

/* A stretch of at least GRAM elements. */
static bool fold_find_long(struct pat_fold *f, size_t *length)
{
    const size_t n = f->count, most = fold_longest(f);
    uint32_t at = f->same[n - 1];
    const uint32_t tag = at > 0 ? fold_tag(fold_hash(f, n - GRAM, n)) : 0;
    unsigned tries = 0;

    for (; tries < TRIES && at > 0; tries++, at = f->same[fold_noted(at) - 1]) {
        *length = n - fold_noted(at);
        if (*length > most)
            break;
        if (*length >= GRAM && (at & ~PLACE_MASK) == tag && fold_is_twice(f, *length))
            return true;
    }
    if (tries > TRIES_FREE && (f->longest_at == 0 || n - f->longest_at >= MEASURE_AFTER))
        fold_measure(f);
    return false;
}

static bool fold_find_twice(struct pat_fold *f, size_t *length)
{
    for (*length = f->tolerant ? 2 : 1; *length < GRAM && 2 * *length <= f->count; ++*length)
        if (fold_is_twice(f, *length))
            return true;
    return f->count > 0 && fold_find_long(f, length);
}

static enum prvcut_status fold_twice(struct pat_fold *f, struct prvcut_error *err)
{
    uint32_t body;
    size_t length;
    enum prvcut_status st;

    if (!fold_find_twice(f, &length))
        return PRVCUT_END;
    st = pat_bodies_make(f->bodies, f->element + f->count - length, length, &body, err);
    if (st < 0)
        return st;
    f->steps += length;
    return fold_replace(f, f->count - 2 * length, fold_bare(f, pat_loop(body, 1)), 2, err);
}

/* One more element; then until nothing changes. */
static enum prvcut_status fold_element(struct pat_fold *f, uint64_t element,
                                       struct prvcut_error *err)
{
    enum prvcut_status st = fold_push(f, element, err);

    if (st == PRVCUT_OK && f->tolerant) {
        if (prvcut_grow((void **)&f->piece, &f->piece_room, f->pieces + 1, sizeof *f->piece, err) <
            0)
            return PRVCUT_ENOMEM;
        f->piece[f->pieces] = (struct pat_piece){ .start = f->added, .times = 1 };
        f->own[f->count - 1] = (uint32_t)f->pieces++;
    }
    while (st == PRVCUT_OK) {
        st = fold_goes_on(f, err);
        if (st == PRVCUT_END)
            st = fold_twice(f, err);
    }
    return st == PRVCUT_END ? PRVCUT_OK : st;
}

/* --- The cursor ------------------------------------------------------------------------------- */

static enum prvcut_status fold_enter(struct pat_fold *f, uint64_t loop, struct prvcut_error *err)
{
    if (prvcut_grow((void **)&f->cursor, &f->cursor_room, f->depth + 1, sizeof *f->cursor, err) < 0)
        return PRVCUT_ENOMEM;
    f->cursor[f->depth++] =
        (struct pat_cursor){ .body = pat_inner(loop), .count = pat_count(loop) };
    return PRVCUT_OK;
}

/* An element of the innermost body is complete, and what is complete with it. */
static void fold_advance(struct pat_fold *f)
{
    for (;;) {
        struct pat_cursor *c = &f->cursor[f->depth - 1];

        if (++c->index < f->bodies->body[c->body].length)
            return;
        c->index = 0;
        if (f->depth == 1) {
            f->whole++;
            return;
        }
        if (++c->done < c->count)
            return;
        f->depth--;
    }
}

/* Does the loop at the end go on with this symbol? */
static enum prvcut_status fold_follow(struct pat_fold *f, uint32_t symbol, struct prvcut_error *err)
{
    for (;;) {
        const struct pat_cursor *c = &f->cursor[f->depth - 1];
        const uint64_t next = pat_body_row(f->bodies, c->body)[c->index];

        f->steps++;
        if (!pat_is_loop(next)) {
            if (next != pat_leaf(symbol))
                return PRVCUT_END;
            fold_advance(f);
            return PRVCUT_OK;
        }
        if (fold_enter(f, next, err) < 0)
            return PRVCUT_ENOMEM;
    }
}

static enum prvcut_status fold_row(struct pat_fold *f, uint32_t body, size_t count,
                                   struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < count && st == PRVCUT_OK; i++)
        st = fold_element(f, pat_body_row(f->bodies, body)[i], err);
    return st;
}

/* Put down what the cursor has walked. */
static enum prvcut_status fold_settle(struct pat_fold *f, struct prvcut_error *err)
{
    const size_t depth = f->depth;
    enum prvcut_status st = PRVCUT_OK;

    f->depth = 0;
    if (depth == 0)
        return PRVCUT_OK;
    if (f->whole > 0) {
        const uint64_t loop = f->element[f->count - 1];

        fold_pop(f, 1);
        st = fold_element(f, loop + f->whole, err);
    }
    f->whole = 0;
    for (size_t i = 0; i < depth && st == PRVCUT_OK; i++) {
        const struct pat_cursor c = f->cursor[i];

        if (i > 0 && c.done > 1)
            st = fold_element(f, pat_loop(c.body, c.done), err);
        else if (i > 0 && c.done == 1)
            st = fold_row(f, c.body, f->bodies->body[c.body].length, err);
        if (st == PRVCUT_OK)
            st = fold_row(f, c.body, c.index, err);
    }
    return st;
}

enum prvcut_status pat_fold_add(struct pat_fold *f, uint32_t symbol, struct prvcut_error *err)
{
    enum prvcut_status st;

    if (f->depth > 0) {
        st = fold_follow(f, symbol, err);
        if (st != PRVCUT_END)
            return st;
        st = fold_settle(f, err);
        if (st < 0)
            return st;
    }
    st = fold_element(f, pat_leaf(symbol), err);
    f->added++;
    if (st == PRVCUT_OK && !f->tolerant && pat_is_loop(f->element[f->count - 1]))
        st = fold_enter(f, f->element[f->count - 1], err);
    return st;
}

enum prvcut_status pat_fold_end(struct pat_fold *f, struct prvcut_error *err)
{
    return fold_settle(f, err);
}
