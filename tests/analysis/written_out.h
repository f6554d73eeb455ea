#ifndef PRVCUT_TESTS_ANALYSIS_WRITTEN_OUT_H
#define PRVCUT_TESTS_ANALYSIS_WRITTEN_OUT_H

#include "analysis/patterns/tree.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Nests held against the calls that they are of: all ways of writing one out at once. */

/* Places of a row that a nest may have come to, in order. */
struct places {
    size_t *at;
    size_t count, room;
};

/* Where AT stands, or is to stand. They come in order but for a few: looked for from the end. */
static size_t place_of(const struct places *p, size_t at)
{
    size_t low = 0, high = p->count;

    if (high > 0 && p->at[high - 1] < at)
        return high;
    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (p->at[mid] < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void add_place(struct places *p, size_t at)
{
    const size_t i = place_of(p, at);

    if (i < p->count && p->at[i] == at)
        return;
    if (p->count == p->room) {
        p->room = p->room > 0 ? 2 * p->room : 8;
        p->at = realloc(p->at, p->room * sizeof *p->at);
        ck_assert_ptr_nonnull(p->at);
    }
    memmove(p->at + i + 1, p->at + i, (p->count - i) * sizeof *p->at);
    p->at[i] = at;
    p->count++;
}

/* What a nest is held against. */
struct calls {
    const struct pat_tree *tree;
    const uint32_t *symbol; /* [count] */
    size_t count;
};

/* By name where there are names. */
static bool is_called(const struct calls *c, uint32_t symbol, uint32_t leaf)
{
    return c->tree->name ? strcmp(c->tree->name[symbol], c->tree->name[leaf]) == 0 : symbol == leaf;
}

static struct places follow_row(const struct calls *c, size_t body, struct places from);

/* Once: a call, or what a loop goes round. */
static struct places follow_once(const struct calls *c, const struct pat_node *n,
                                 struct places from)
{
    struct places to = { .at = NULL };

    if (n->loop)
        return follow_row(c, n->inner, from);
    for (size_t i = 0; i < from.count; i++)
        if (from.at[i] < c->count && is_called(c, c->symbol[from.at[i]], n->inner))
            add_place(&to, from.at[i] + 1);
    free(from.at);
    return to;
}

static struct places follow_node(const struct calls *c, const struct pat_node *n,
                                 struct places from)
{
    struct places to = { .at = NULL };

    for (uint32_t k = 1; k <= n->most && from.count > 0; k++) {
        from = follow_once(c, n, from);
        for (size_t i = 0; k >= n->least && i < from.count; i++)
            add_place(&to, from.at[i]);
    }
    free(from.at);
    return to;
}

static struct places follow_row(const struct calls *c, size_t body, struct places from)
{
    const struct pat_tree_body *b = &c->tree->body[body];

    for (size_t i = 0; i < b->length && from.count > 0; i++)
        from = follow_node(c, &c->tree->node[b->first + i], from);
    return from;
}

/* Can the nest be written out so that it is these calls, and nothing else? */
static bool is_written_out(const struct calls *c)
{
    struct places at = { .at = NULL };
    bool whole = false;

    add_place(&at, 0);
    at = follow_row(c, c->tree->bodies - 1, at);
    for (size_t i = 0; i < at.count; i++)
        whole |= at.at[i] == c->count;
    free(at.at);
    return whole;
}

#endif
