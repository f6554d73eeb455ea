#include "structure/separate_common.h"

#include "base/memory.h"
#include "base/search.h"
#include "structure/separate_classes.h"

#include <stdlib.h>
#include <string.h>

/*
 * Found by hand on generated programs whose iterations only have collectives in common.
 *
 * name    value   unit        decides
 */
#define OTHERS 0.2 /* of a thread's calls, at least, that are not common: else all are */
#define LEAST  6   /* common calls of a thread, at least */
#define MOST   256 /* symbols that are looked at: collectives are few */

static const struct call_alphabet alphabet = { .peer = true };

/* A symbol and how often a thread makes it. */
struct made {
    uint64_t symbol;
    size_t times;
};

static int scm_by_symbol(const void *a, const void *b)
{
    const struct made *x = a, *y = b;

    return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

/* What a thread makes, by symbol. Returns how many there are; 0 where they are too many. */
static size_t scm_list_made(struct made *out, const struct prvcut_call_sequence *s,
                            const struct call_grams *g)
{
    size_t n = 0;

    for (size_t k = 0; k < g->kinds; k++) {
        const struct prvcut_call *c = &s->at[g->list[g->first[k]]];

        if (g->first[k + 1] - g->first[k] < SEPARATE_LEAST || prvcut_call_polls(c->call))
            continue;
        if (n == MOST)
            return 0;
        out[n++] = (struct made){ prvcut_call_symbol(c, &alphabet), g->first[k + 1] - g->first[k] };
    }
    if (n > 0)
        qsort(out, n, sizeof *out, scm_by_symbol);
    return n;
}

/* Keep what the other thread makes as often. */
static size_t scm_keep_equal(struct made *all, size_t count, const struct made *other,
                             size_t others)
{
    size_t kept = 0;

    for (size_t i = 0, k = 0; i < count; i++) {
        while (k < others && other[k].symbol < all[i].symbol)
            k++;
        if (k < others && other[k].symbol == all[i].symbol && other[k].times == all[i].times)
            all[kept++] = all[i];
    }
    return kept;
}

bool prvcut_separate_common_has(const struct separate_common *c, const struct prvcut_call *call)
{
    const uint64_t symbol = prvcut_call_symbol(call, &alphabet);

    return prvcut_find_u64(c->symbol, c->count, sizeof *c->symbol, 0, symbol) != NULL;
}

/* The order of a thread's common calls, and how many they are. */
static uint64_t scm_order_of(const struct separate_common *c, const struct prvcut_call_sequence *s,
                             size_t *calls)
{
    uint64_t order = 0;

    *calls = 0;
    for (size_t i = 0; i < s->count; i++)
        if (prvcut_separate_common_has(c, &s->at[i])) {
            order =
                (order ^ prvcut_call_symbol(&s->at[i], &alphabet)) * UINT64_C(0x9e3779b97f4a7c15);
            order ^= order >> 29;
            ++*calls;
        }
    return order;
}

/* Are they in the same order on all threads, and not (nearly) all of any one's calls? */
static bool scm_tell_something(const struct separate_common *c,
                               const struct prvcut_call_sequence *in, const size_t *thread,
                               unsigned threads)
{
    uint64_t first = 0;

    for (unsigned i = 0; i < threads; i++) {
        const struct prvcut_call_sequence *s = &in[thread[i]];
        size_t calls;
        const uint64_t order = scm_order_of(c, s, &calls);

        first = i == 0 ? order : first;
        if (order != first || calls < LEAST ||
            (double)(s->count - calls) < OTHERS * (double)s->count)
            return false;
    }
    return true;
}

/* What all threads make equally often. Returns how many symbols. */
static enum prvcut_status scm_find_equal(struct made *all, size_t *count,
                                         const struct prvcut_call_sequence *in,
                                         const size_t *thread, unsigned threads,
                                         struct call_grams *g, struct prvcut_error *err)
{
    const struct call_cut cut = { .alphabet = &alphabet, .length = 1 };
    struct made *other = all + MOST;

    *count = 0;
    for (unsigned i = 0; i < threads; i++) {
        const struct prvcut_call_sequence *s = &in[thread[i]];
        const enum prvcut_status st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);

        if (st != PRVCUT_OK)
            return st;
        if (i == 0)
            *count = scm_list_made(all, s, g);
        else
            *count = scm_keep_equal(all, *count, other, scm_list_made(other, s, g));
        if (*count == 0)
            break;
    }
    return PRVCUT_OK;
}

enum prvcut_status prvcut_separate_common_find(struct separate_common *out,
                                               const struct prvcut_call_sequence *in,
                                               const size_t *thread, unsigned threads,
                                               struct call_grams *g, struct prvcut_error *err)
{
    struct made *all = prvcut_unset(2 * MOST, sizeof *all, "symbols", err);
    enum prvcut_status st;
    size_t count = 0;

    *out = (struct separate_common){ .symbol =
                                         prvcut_unset(MOST, sizeof *out->symbol, "symbols", err) };
    if (all && out->symbol)
        st = scm_find_equal(all, &count, in, thread, threads, g, err);
    else
        st = PRVCUT_ENOMEM;
    for (size_t i = 0; st == PRVCUT_OK && i < count; i++)
        out->symbol[out->count++] = all[i].symbol;
    if (st != PRVCUT_OK || threads < 2 || !scm_tell_something(out, in, thread, threads))
        out->count = 0;
    free(all);
    return st;
}

void prvcut_separate_common_fini(struct separate_common *c)
{
    free(c->symbol);
    *c = (struct separate_common){ 0 };
}
