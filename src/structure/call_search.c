#include "structure/call_search.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/*
 * Calls bound the time. Evidence was found by hand, as in call_choice.c.
 *
 * name           value    unit          decides
 */
#define SEARCH_CALLS   262144 /* calls searched, after which one vote is enough */
#define SEARCH_FOLLOWS 4      /* nats wanted of a sequence that shall follow a known loop */

/* The cuts tried in each alphabet, single symbols first; in long sequences the first three
   suffice. */
static const struct {
    size_t length;
    size_t fold;
} search_cuts[] = { { 1, 0 }, { 1, 2 }, { 16, 4 }, { 2, 0 }, { 4, 4 } };

#define SEARCH_CUTS      (sizeof search_cuts / sizeof *search_cuts)
#define SEARCH_CUTS_LONG 3
#define SEARCH_LONG      65536 /* calls that make a sequence long */

/* The anchors of one sequence in one alphabet, from its grams of one symbol on. */
static enum prvcut_status search_alphabet(struct call_anchors *pool, struct call_grams *g,
                                          const struct prvcut_call_sequence *s,
                                          const struct call_alphabet *a,
                                          const struct call_want *want, struct prvcut_error *err)
{
    const size_t cuts = s->count < SEARCH_LONG ? SEARCH_CUTS : SEARCH_CUTS_LONG;
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < cuts && st == PRVCUT_OK; i++) {
        const struct call_cut cut = { .alphabet = a,
                                      .length = search_cuts[i].length,
                                      .fold = search_cuts[i].fold };

        if (i > 0)
            st = prvcut_call_grams_make(g, s->at, s->count, &cut, err);
        if (st == PRVCUT_OK)
            st = prvcut_call_anchors_find(pool, g, s, &cut, want, err);
    }
    return st;
}

/* All anchors of one sequence, in all alphabets, compared; those like `want` only, if given. An
   alphabet that tells apart what a finer one did has nothing to add. */
static enum prvcut_status search_anchors(struct call_anchors *pool, struct call_grams *g,
                                         const struct prvcut_call_sequence *s,
                                         const struct call_want *want, struct prvcut_error *err)
{
    uint64_t print[CALL_ALPHABETS];
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0, same = 0; i < CALL_ALPHABETS && st == PRVCUT_OK; i++) {
        const struct call_cut single = { .alphabet = &prvcut_call_alphabets[i], .length = 1 };

        st = prvcut_call_grams_make(g, s->at, s->count, &single, err);
        print[i] = st == PRVCUT_OK ? prvcut_call_grams_print(g) : 0;
        for (same = 0; print[same] != print[i]; same++)
            ;
        if (st == PRVCUT_OK && same == i)
            st = search_alphabet(pool, g, s, single.alphabet, want, err);
    }
    return st == PRVCUT_OK ? prvcut_call_anchors_compare(pool, g, s, err) : st;
}

/*
 * What follows the loop in a sequence: rather where the model's sequence has it, too, by its calls
 * or at least by the clock.
 */
static const struct call_anchor *search_choose(struct call_anchors *pool,
                                               const struct call_anchor *model)
{
    const struct call_anchor *any = prvcut_call_outermost(pool, SEARCH_FOLLOWS, true), *near;

    if (!any || prvcut_call_anchor_near(any, model))
        return any;
    for (size_t i = 0; i < pool->count; i++)
        if (!prvcut_call_anchor_near(&pool->at[i], model))
            pool->at[i].evidence = 0;
    near = prvcut_call_outermost(pool, SEARCH_FOLLOWS, true);
    return near || !prvcut_call_anchor_meets(any, model) ? near : any;
}

/* Anchors like the model: first as it was found elsewhere, then in any way. */
static enum prvcut_status search_match(struct call_anchors *pool, struct call_grams *g,
                                       const struct prvcut_call_sequence *s,
                                       const struct call_anchor *model, struct prvcut_error *err)
{
    const struct call_want want = prvcut_call_anchor_want(model);
    const struct call_anchor *a;
    enum prvcut_status st = prvcut_call_grams_make(g, s->at, s->count, &model->cut, err);

    if (st == PRVCUT_OK)
        st = prvcut_call_anchors_find(pool, g, s, &model->cut, &want, err);
    if (st == PRVCUT_OK)
        st = prvcut_call_anchors_compare(pool, g, s, err);
    a = st == PRVCUT_OK ? search_choose(pool, model) : NULL;
    if (st == PRVCUT_OK && !(a && prvcut_call_anchor_near(a, model))) {
        prvcut_call_anchors_fini(pool);
        st = search_anchors(pool, g, s, &want, err);
    }
    return st;
}

static void search_swap(size_t *order, size_t a, size_t b)
{
    size_t old = order[a];

    order[a] = order[b];
    order[b] = old;
}

/* Sequences with calls, in the order in which to ask them: three of spread lengths first. */
static size_t search_order(const struct call_search *l, size_t *order)
{
    size_t n = 0;

    for (size_t i = 0; i < l->count; i++) {
        size_t at = n;

        if (l->in[i].count < 3)
            continue;
        for (n++; at > 0 && l->in[order[at - 1]].count > l->in[i].count; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    if (n > SEARCH_VOTES) {
        search_swap(order, 2, 5 * n / 6);
        search_swap(order, 1, n / 6);
        search_swap(order, 0, n / 2);
    }
    return n;
}

/* Search one more sequence; it keeps its place among the votes if it holds a loop. */
static enum prvcut_status search_one(struct call_search *l, size_t which, struct prvcut_error *err)
{
    struct call_anchors *pool = &l->pool[l->votes];
    enum prvcut_status st = search_anchors(pool, &l->grams, &l->in[which], NULL, err);

    l->evidence[l->votes] = prvcut_call_evidence_wanted(l->in[which].count);
    l->vote[l->votes] = prvcut_call_outermost(pool, l->evidence[l->votes], false);
    if (l->vote[l->votes])
        l->votes++;
    else
        prvcut_call_anchors_fini(pool);
    return st;
}

/* What the sequences say of their calls beside which they are. */
static void search_know(struct call_search *l)
{
    struct call_alphabet *a = &l->known;

    for (size_t i = 0; i < l->count && !(a->peer && a->size && a->site); i++)
        for (size_t k = 0; k < l->in[i].count; k++) {
            const struct prvcut_call *c = &l->in[i].at[k];

            a->peer = a->peer || c->peer != 0;
            a->size = a->size || c->size != 0;
            a->site = a->site || c->site != 0;
        }
}

enum prvcut_status prvcut_call_search_vote(struct call_search *l, struct prvcut_error *err)
{
    size_t *order = prvcut_unset(l->count, sizeof *order, "sequences", err), calls = 0;
    enum prvcut_status st = PRVCUT_OK;

    if (!order)
        return PRVCUT_ENOMEM;
    l->busy = search_order(l, order);
    search_know(l);
    for (size_t i = 0; i < l->busy && l->votes < SEARCH_VOTES && st == PRVCUT_OK; i++) {
        if (calls >= (l->votes > 0 ? SEARCH_CALLS : 2 * SEARCH_CALLS))
            break;
        calls += l->in[order[i]].count;
        st = search_one(l, order[i], err);
    }
    free(order);
    return st;
}

const char *prvcut_call_search_alphabet(const struct call_search *l, const struct call_alphabet *a)
{
    static const char *const name[] = { "call",           "call+site",          "call+size",
                                        "call+size+site", "call+peer",          "call+peer+site",
                                        "call+peer+size", "call+peer+size+site" };

    return name[(a->peer && l->known.peer ? 4 : 0) + (a->size && l->known.size ? 2 : 0) +
                (a->site && l->known.site ? 1 : 0)];
}

/* How many votes mean the same loop as vote i. */
static size_t search_agree(const struct call_search *l, size_t i)
{
    const struct call_want want = prvcut_call_anchor_want(l->vote[i]);
    size_t n = 0;

    for (size_t j = 0; j < l->votes; j++)
        n += prvcut_call_anchor_like(l->vote[j], &want);
    return n;
}

const struct call_anchor *prvcut_call_search_winner(struct call_search *l)
{
    const struct call_anchor *best = NULL;
    double most = 0;

    for (size_t i = 0; i < l->votes; i++) {
        double worth = (double)search_agree(l, i) + 0.9 * prvcut_call_score(l->vote[i]);

        if (worth <= most)
            continue;
        most = worth;
        best = l->vote[i];
        l->trust = fmin(1, 0.2 + 0.4 * best->evidence / l->evidence[i]);
    }
    return best;
}

void prvcut_call_search_discard(struct call_search *l, const struct call_anchor *model)
{
    const struct call_want want = prvcut_call_anchor_want(model);
    size_t kept = 0;

    for (size_t i = 0; i < l->votes; i++) {
        struct call_anchors pool = l->pool[i];

        for (size_t k = 0; k < pool.count; k++)
            if (prvcut_call_anchor_like(&pool.at[k], &want))
                pool.at[k].evidence = 0;
        l->pool[i] = (struct call_anchors){ 0 };
        l->evidence[kept] = l->evidence[i];
        l->vote[kept] = prvcut_call_outermost(&pool, l->evidence[i], false);
        if (l->vote[kept])
            l->pool[kept++] = pool;
        else
            prvcut_call_anchors_fini(&pool);
    }
    l->votes = kept;
}

enum prvcut_status prvcut_call_search_follow(struct call_search *l, const struct call_anchor *model,
                                             struct prvcut_error *err)
{
    enum prvcut_status st = PRVCUT_OK;

    for (size_t i = 0; i < l->count && st == PRVCUT_OK; i++) {
        struct call_anchors pool = { 0 };
        const struct call_anchor *a = NULL;

        if (l->in[i].count >= 3)
            st = search_match(&pool, &l->grams, &l->in[i], model, err);
        if (st == PRVCUT_OK)
            a = search_choose(&pool, model);
        if (a)
            st = prvcut_call_track_make(&l->track[i], a, &l->grams, &l->in[i], err);
        prvcut_call_anchors_fini(&pool);
    }
    return st;
}

void prvcut_call_search_fini(struct call_search *l)
{
    for (size_t i = 0; i < SEARCH_VOTES; i++)
        prvcut_call_anchors_fini(&l->pool[i]);
    for (size_t i = 0; l->track && i < l->count; i++)
        prvcut_call_track_fini(&l->track[i]);
    free(l->track);
    prvcut_call_grams_fini(&l->grams);
}
