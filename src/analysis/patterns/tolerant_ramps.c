#include "analysis/patterns/tolerant_ramps.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/*
 * Ramps among iterations. Those of restarted GMRES (r.gmres.3) go on by one call in 91 % of the
 * steps and begin anew at the same length each time; of the other tolerant loops of the traces at
 * hand (20 programs) none goes on by the same in more than 35 %.
 *
 * name     value  unit                      decides
 */
#define GO_ON  0.6 /* of the steps from an iteration to the next: they are ramps */
#define ALIKE  0.9 /* of the ramps begin (or end) with the same length */
#define LEAST  3u  /* ramps, and iterations that are made of them */
#define HOLDS  0.8 /* of the inner iterations lie in those that are made of ramps */
#define CAPPED 2u  /* ramps of the greatest length among shorter ones: one may end several */

/* Ramps: [count] where each begins, as an iteration of the loop. */
struct trm_ramps {
    uint64_t *first; /* [count + 1]; owned */
    size_t count;
};

static int64_t trm_step(const struct pat_tolerant *p, uint64_t i)
{
    const uint64_t *b = p->border + i;

    return (int64_t)(b[2] - b[1]) - (int64_t)(b[1] - b[0]);
}

/* By how many calls most iterations differ from the one before; 0: by none, or not most. */
static int64_t trm_most(const struct pat_tolerant *p)
{
    int64_t most = 0;
    uint64_t votes = 0, is = 0;

    for (uint64_t i = 0; i + 1 < p->count; i++) {
        const int64_t step = trm_step(p, i);

        if (votes == 0)
            most = step;
        votes += step == most ? 1 : UINT64_MAX;
    }
    for (uint64_t i = 0; i + 1 < p->count; i++)
        is += trm_step(p, i) == most;
    return (double)is >= GO_ON * (double)(p->count - 1) ? most : 0;
}

static enum prvcut_status trm_find(struct trm_ramps *r, const struct pat_tolerant *p, int64_t step,
                                   struct prvcut_error *err)
{
    r->first = prvcut_unset(p->count + 1, sizeof *r->first, "iterations", err);
    if (!r->first)
        return PRVCUT_ENOMEM;
    r->first[r->count++] = 0;
    for (uint64_t i = 1; i < p->count; i++)
        if (trm_step(p, i - 1) != step)
            r->first[r->count++] = i;
    r->first[r->count] = p->count;
    return PRVCUT_OK;
}

/* How many ramps begin (or end) as the second one does: the first may be cut off. */
static size_t trm_alike(const struct trm_ramps *r, const struct pat_tolerant *p, bool ends)
{
    size_t alike = 0;

    for (size_t k = 0; k < r->count; k++) {
        const uint64_t i = ends ? r->first[k + 1] - 1 : r->first[k];
        const uint64_t as = ends ? r->first[2] - 1 : r->first[1];

        alike += p->border[i + 1] - p->border[i] == p->border[as + 1] - p->border[as];
    }
    return alike;
}

static bool trm_are(const struct trm_ramps *r, const struct pat_tolerant *p)
{
    const double least = ALIKE * (double)r->count;

    return r->count >= LEAST &&
           ((double)trm_alike(r, p, false) >= least || (double)trm_alike(r, p, true) >= least);
}

static uint64_t trm_length(const struct trm_ramps *r, size_t k)
{
    return r->first[k + 1] - r->first[k];
}

/* --- What goes round -------------------------------------------------------------------------- */

/* Each ramp by itself, where none can be the end of several. */
static void trm_each(struct trm_ramps *r)
{
    uint64_t most = 0;
    size_t longest = 0;

    for (size_t k = 0; k < r->count; k++)
        most = trm_length(r, k) > most ? trm_length(r, k) : most;
    for (size_t k = 0; k < r->count; k++)
        longest += trm_length(r, k) == most;
    if (longest >= CAPPED && longest < r->count)
        r->count = 0;
}

/* Longer ramps up to one of one iteration. Two of these in a row tell nothing, but at the end. */
static void trm_groups(struct trm_ramps *r)
{
    const uint64_t all = r->first[r->count];
    size_t groups = 0, k = 0;

    while (k < r->count && trm_length(r, k) == 1)
        k++;
    while (k < r->count) {
        size_t end = k;

        while (end < r->count && trm_length(r, end) > 1)
            end++;
        if (end == r->count || (end == k && end + 1 < r->count)) {
            groups = end == r->count ? groups : 0;
            break;
        }
        if (end == k)
            break;
        r->first[groups++] = r->first[k];
        r->first[groups] = r->first[end + 1];
        k = end + 1;
    }
    r->count = groups;
    if (groups > 0 && (double)(r->first[groups] - r->first[0]) < HOLDS * (double)all)
        r->count = 0;
}

static void trm_join(struct trm_ramps *r)
{
    size_t single = 0;

    for (size_t k = 0; k < r->count; k++)
        single += trm_length(r, k) == 1;
    if (single > 0)
        trm_groups(r);
    else
        trm_each(r);
    if (r->count < LEAST)
        r->count = 0;
}

/* --- As a loop around the loop ---------------------------------------------------------------- */

static void trm_widen(uint32_t *least, uint32_t *most, const struct pat_tolerant *p)
{
    for (size_t k = 0; k < p->length; k++) {
        least[k] = p->least[k] < least[k] ? p->least[k] : least[k];
        most[k] = p->most[k] > most[k] ? p->most[k] : most[k];
    }
}

/* The iteration becomes the body of the one element that the row has then. */
static enum prvcut_status trm_wrap(struct pat_tolerant *p, struct prvcut_error *err)
{
    const size_t had = p->bodies.elements;
    uint32_t body, *least, *most;
    enum prvcut_status st = pat_bodies_make(&p->bodies, p->row, p->length, &body, err);
    const size_t has = p->bodies.elements;

    if (st < 0)
        return st;
    least = prvcut_unset(has, sizeof *least, "patterns", err);
    most = prvcut_zeroed(has, sizeof *most, "patterns", err);
    if (!least || !most) {
        free(least);
        free(most);
        return PRVCUT_ENOMEM;
    }
    memset(least, 0xff, has * sizeof *least);
    if (had > 0) {
        memcpy(least, p->inner_least, had * sizeof *least);
        memcpy(most, p->inner_most, had * sizeof *most);
    }
    trm_widen(least + p->bodies.body[body].first, most + p->bodies.body[body].first, p);
    free(p->inner_least);
    free(p->inner_most);
    p->inner_least = least;
    p->inner_most = most;
    p->row[0] = pat_loop(body, 1);
    p->length = 1;
    return PRVCUT_OK;
}

static enum prvcut_status trm_take(struct pat_tolerant *p, const struct trm_ramps *r,
                                   struct prvcut_error *err)
{
    const enum prvcut_status st = r->count > 0 ? trm_wrap(p, err) : PRVCUT_OK;

    p->within = p->count;
    p->count = r->count;
    if (st < 0 || r->count == 0)
        return st;
    p->least[0] = UINT32_MAX;
    p->most[0] = 0;
    for (size_t k = 0; k < r->count; k++) {
        const uint32_t times = (uint32_t)trm_length(r, k);

        p->border[k] = p->border[r->first[k]];
        p->least[0] = times < p->least[0] ? times : p->least[0];
        p->most[0] = times > p->most[0] ? times : p->most[0];
    }
    p->border[r->count] = p->border[r->first[r->count]];
    return PRVCUT_OK;
}

enum prvcut_status pat_tolerant_ramps(struct pat_tolerant *p, struct prvcut_error *err)
{
    const int64_t step = p->count > LEAST ? trm_most(p) : 0;
    struct trm_ramps r = { .count = 0 };
    enum prvcut_status st;

    p->steps += 2 * p->count;
    if (step == 0)
        return PRVCUT_OK;
    st = trm_find(&r, p, step, err);
    if (st == PRVCUT_OK && trm_are(&r, p)) {
        trm_join(&r);
        st = trm_take(p, &r, err);
    }
    free(r.first);
    return st;
}
