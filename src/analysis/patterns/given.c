#include "analysis/patterns/given.h"

#include "analysis/patterns/bodies.h"
#include "base/memory.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_LEAST 3u
/* Of the iterations at most one in so many may hold no call of a thread that follows them, or be
   out of step. */
#define EMPTY 10u

void pat_given_loop_fini(struct pat_given_loop *l)
{
    free(l->first);
    free(l->end);
    *l = (struct pat_given_loop){ .first = NULL };
}

static size_t giv_at(const struct pat_thread *t, uint64_t time)
{
    return prvcut_lower_u64(t->call, t->calls, sizeof *t->call, offsetof(struct pat_call, begin),
                            time);
}

enum prvcut_status pat_given_loop_make(struct pat_given_loop *out, const struct pat_given *g,
                                       const struct pat_thread *t, struct prvcut_error *err)
{
    size_t empty = 0;

    *out = (struct pat_given_loop){ .first = NULL };
    if (g->count < COUNT_LEAST || t->calls == 0 || (g->stranger && g->stranger[t->thread]))
        return PRVCUT_OK;
    out->first = prvcut_unset(g->count, sizeof *out->first, "iterations", err);
    out->end = prvcut_unset(g->count, sizeof *out->end, "iterations", err);
    if (!out->first || !out->end)
        return PRVCUT_ENOMEM;
    for (size_t i = 0; i < g->count; i++) {
        const struct prvcut_span own = prvcut_window_own(&g->window[i], t->thread);

        out->first[i] = giv_at(t, own.start);
        out->end[i] = giv_at(t, own.end);
        out->calls += out->end[i] - out->first[i];
        empty += out->end[i] == out->first[i];
    }
    if (EMPTY * empty <= g->count)
        out->count = g->count;
    return PRVCUT_OK;
}

/* --- In step ---------------------------------------------------------------------------------- */

void pat_given_mark(const struct pat_given *g, const struct pat_thread *t, uint64_t *mark)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct prvcut_span own = prvcut_window_own(&g->window[i], t->thread);

        mark[i] = 0;
        for (size_t k = giv_at(t, own.start); k < t->calls && t->call[k].begin < own.end; k++) {
            const struct pat_symbol *s = &t->symbol[t->call[k].symbol];

            if (s->role == PRVCUT_ROLE_COLLECTIVE)
                mark[i] += pat_mix(s->type, (uint64_t)s->value);
        }
    }
}

bool pat_given_in_step(const uint64_t *a, const uint64_t *b, size_t count)
{
    size_t apart = 0;

    for (size_t i = 0; i < count; i++)
        apart += a[i] == 0 || a[i] != b[i];
    return EMPTY * apart <= count;
}

/* --- The usual one ---------------------------------------------------------------------------- */

struct giv_row {
    uint64_t key, length, at;
};

static int giv_compare(const void *a, const void *b)
{
    const struct giv_row *x = a, *y = b;

    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool giv_same(const struct giv_row *a, const struct giv_row *b)
{
    return a->length == b->length && a->key == b->key;
}

enum prvcut_status pat_given_loop_usual(const struct pat_given_loop *l, const uint32_t *symbol,
                                        uint64_t *usual, uint64_t *like, struct prvcut_error *err)
{
    struct giv_row *row = prvcut_zeroed(l->count, sizeof *row, "iterations", err);

    *usual = *like = 0;
    if (!row)
        return PRVCUT_ENOMEM;
    for (uint64_t i = 0; i < l->count; i++) {
        row[i].at = i;
        row[i].length = l->end[i] - l->first[i];
        for (uint64_t k = l->first[i]; k < l->end[i]; k++)
            row[i].key = pat_row_hash(row[i].key, pat_leaf(symbol[k]));
    }
    qsort(row, l->count, sizeof *row, giv_compare);
    for (uint64_t i = 0, next; i < l->count; i = next) {
        for (next = i + 1; next < l->count && giv_same(&row[i], &row[next]);)
            next++;
        if (next - i > *like || (next - i == *like && row[i].at < *usual)) {
            *usual = row[i].at;
            *like = next - i;
        }
    }
    free(row);
    return PRVCUT_OK;
}
